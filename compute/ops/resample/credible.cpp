// SPDX-License-Identifier: GPL-3.0-or-later
#include "ops/credible.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "shared/number_text.h"

namespace armilla {

namespace {

struct Cell {
    double value = 0.0, area = 0.0;
};

std::vector<Cell> cellsOf(const HealpixMap& map, int field, JobContext& job) {
    constexpr int64_t kPollInterval = int64_t{1} << 16;
    const Field& values = map.field(field);
    const double finest = 4.0 * kPi / static_cast<double>(map.pixelCount());
    const bool isMultiOrder = map.coverage() == Coverage::MultiOrder;
    const int deepest = isMultiOrder ? orderOf(map.nside()) : 0;
    std::vector<Cell> cells;
    for (int64_t i = 0; i < map.elementCount(); ++i) {
        if (i % kPollInterval == 0) job.poll();
        const double value = values.at(i);
        if (value < 0.0)
            throw InvalidArgument("expected a field of probabilities or counts, 0 or more, found " +
                                  numberText(value) + " in " + values.name);
        if (!(value > 0.0) || !std::isfinite(value)) continue;
        const int coarser = isMultiOrder ? deepest - map.cellOrders()[static_cast<size_t>(i)] : 0;
        cells.push_back({value, std::ldexp(finest, 2 * coarser)});
    }
    return cells;
}

}  // namespace

std::vector<CredibleRegion> credibleRegions(const HealpixMap& map, int field,
                                            const std::vector<double>& shares, JobContext& job) {
    for (const double share : shares)
        if (!(share > 0.0 && share <= 1.0))
            throw InvalidArgument("expected shares above 0 % and of at most 100 %, found " +
                                  numberText(100.0 * share) + " %");
    std::vector<Cell> cells = cellsOf(map, field, job);
    std::sort(cells.begin(), cells.end(),
              [](const Cell& a, const Cell& b) { return a.value > b.value; });
    job.poll();
    double all = 0.0;
    // From the smallest on, so that the many faint ones are not lost.
    for (auto cell = cells.rbegin(); cell != cells.rend(); ++cell) all += cell->value * cell->area;
    if (!(all > 0.0))
        throw InvalidArgument("expected a pixel above 0 in the field " + map.field(field).name +
                              ", found none");
    std::vector<CredibleRegion> regions;
    for (const double share : shares) {
        CredibleRegion region{share, cells.back().value, 0.0};
        double sum = 0.0;
        for (const Cell& cell : cells) {
            sum += cell.value * cell.area;
            region.area += cell.area;
            region.threshold = cell.value;
            // Rounding of the sums must not ask for one cell more.
            if (sum >= share * all * (1.0 - 1e-12)) break;
        }
        regions.push_back(region);
    }
    return regions;
}

}  // namespace armilla

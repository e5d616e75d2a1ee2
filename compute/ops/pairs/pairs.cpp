// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/pairs.h"

#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "pairs/pair_counts.h"

namespace armilla {

namespace {

// Number of column units in 90 degrees; `radians` per unit.
double quarterOf(double radians) {
    if (radians == 1.0) return 0.0;
    return std::round(kHalfPi / radians);
}

struct Total {
    int64_t pairs = 0;
    double weight = 0.0;
};
Total allPairs(const SkyPoints& first, const SkyPoints& second, bool same) {
    struct Sums {
        double w = 0.0, ww = 0.0;
    };
    const auto sums = [](const SkyPoints& points) {
        Sums s;
        for (const double w : points.weight) {
            s.w += w;
            s.ww += w * w;
        }
        if (points.weight.empty()) s.w = s.ww = static_cast<double>(points.size());
        return s;
    };
    const Sums a = sums(first);
    if (same) return {first.size() * (first.size() - 1) / 2, 0.5 * (a.w * a.w - a.ww)};
    return {first.size() * second.size(), a.w * sums(second).w};
}

}  // namespace

SkyPoints skyPoints(const Catalog& catalog, int weight, int64_t* skipped) {
    const Table& table = catalog.table;
    const TableColumn& lon = table.columns[static_cast<size_t>(catalog.position.lon)];
    const TableColumn& lat = table.columns[static_cast<size_t>(catalog.position.lat)];
    SkyPoints points;
    points.lonQuarter = quarterOf(catalog.position.lonUnit);
    points.latQuarter = quarterOf(catalog.position.latUnit);
    int64_t missing = 0;
    for (int64_t row = 0; row < table.rows(); ++row) {
        const double x = lon.number(row), y = lat.number(row);
        if (std::isnan(x) || std::isnan(y)) {
            ++missing;
            continue;
        }
        const double w = weight < 0 ? 1.0 : table.columns[static_cast<size_t>(weight)].number(row);
        if (!std::isfinite(x))
            throw InvalidArgument("expected finite longitudes, found " + lon.text(row) +
                                  " in row " + std::to_string(row + 1) + " of column " + lon.name);
        if (!isPlace(x * catalog.position.lonUnit, y * catalog.position.latUnit) ||
            (w < 0.0 && isFillValue(w))) {
            ++missing;
            continue;
        }
        points.lon.push_back(x);
        points.lat.push_back(y);
        if (weight < 0) continue;
        const TableColumn& column = table.columns[static_cast<size_t>(weight)];
        if (w < 0.0)
            throw InvalidArgument("expected weights of 0 or more, found " + column.text(row) +
                                  " in row " + std::to_string(row + 1) + " of column " +
                                  column.name);
        if (!std::isfinite(w)) {
            const std::string text = column.text(row);
            throw InvalidArgument("expected finite weights, found " +
                                  (text.empty() ? "none" : "'" + text + "'") + " in row " +
                                  std::to_string(row + 1) + " of column " + column.name);
        }
        points.weight.push_back(w);
    }
    if (skipped) *skipped = missing;
    return points;
}

std::vector<PairCounts> countPairs(std::span<const SkyPoints> sets, std::span<const PairTask> tasks,
                                   const AngularBins& bins, const PairOptions& options,
                                   JobContext& job) {
    bool weighted = false;
    for (const SkyPoints& points : sets) weighted = weighted || !points.weight.empty();
    const auto known = [&](int set) { return set >= 0 && set < static_cast<int>(sets.size()); };
    for (const PairTask& task : tasks)
        if (!known(task.first) || !known(task.second))
            throw InvalidArgument("expected sets 0 to " + std::to_string(sets.size()) +
                                  " (not included), found " + std::to_string(task.first) + ", " +
                                  std::to_string(task.second));
    const EdgeTable table(bins);
    const MeanAngles mean = options.meanAngle ? MeanAngles::Wanted : MeanAngles::Unwanted;
    std::vector<PairsBelow> below;
    if (options.device.kind == DeviceKind::Cuda) {
        below = countPairsCuda(sets, tasks, table, options.device, mean, job);
    } else {
        PairSets prepared(sets.size());
        forEachSet(sets.size(), job, [&](size_t s, JobContext& own) {
            prepared[s] = std::make_unique<PairSet>(sets[s], weighted, own);
        });
        below = countPairsCpu(prepared, tasks, table, mean, job);
    }
    std::vector<PairCounts> result(tasks.size());
    for (size_t t = 0; t < tasks.size(); ++t) {
        const Total all =
            allPairs(sets[static_cast<size_t>(tasks[t].first)],
                     sets[static_cast<size_t>(tasks[t].second)], tasks[t].first == tasks[t].second);
        result[t].pairs = table.bins(below[t].below.data(), all.pairs);
        // A bin before the first edge of the table exists only if that bin begins at 0.
        const size_t before = table.startsAtZero() ? 0 : 1;
        for (size_t k = 0; options.meanAngle && k < result[t].pairs.size(); ++k)
            result[t].meanAngle.push_back(below[t].angles[k + before] /
                                          static_cast<double>(below[t].angleCounts[k + before]) /
                                          kDegree);
        if (!weighted) continue;
        below[t].weight.resize(static_cast<size_t>(table.count()));  // an empty set has no weights
        result[t].weighted = table.bins(below[t].weight.data(), all.weight);
        // The difference of two sums that are equal except for rounding.
        for (size_t k = 0; k < result[t].pairs.size(); ++k)
            if (result[t].pairs[k] == 0) result[t].weighted[k] = 0.0;
    }
    return result;
}

}  // namespace armilla

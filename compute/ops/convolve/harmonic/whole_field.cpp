// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/harmonic/whole_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>

#include "armilla/core/map_samples.h"
#include "armilla/core/pixel_loop.h"

namespace armilla {

namespace {

// to = from - level; returns the mean square of the result. The same for any number of threads.
template <typename Sample>
double subtractLevel(std::span<const Sample> from, double level, std::span<double> to,
                     JobContext& job) {
    constexpr size_t kLanes = 8;
    const auto count = static_cast<long long>(from.size());
    std::vector<double> parts(static_cast<size_t>((count + kPixelGrain - 1) / kPixelGrain));
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        std::array<double, kLanes> squares{};
        const auto one = [&](size_t p, size_t lane) {
            const double value = static_cast<double>(from[p]) - level;
            to[p] = value;
            squares[lane] += value * value;
        };
        auto p = static_cast<size_t>(begin);
        for (; p + kLanes <= static_cast<size_t>(end); p += kLanes)
            for (size_t lane = 0; lane < kLanes; ++lane) one(p + lane, lane);
        for (; p < static_cast<size_t>(end); ++p) one(p, 0);
        parts[static_cast<size_t>(begin / kPixelGrain)] =
            std::accumulate(squares.begin(), squares.end(), 0.0);
    });
    return std::accumulate(parts.begin(), parts.end(), 0.0) / static_cast<double>(count);
}

}  // namespace

std::optional<WholeField> wholeField(const HealpixMap& map, int field, AboutMean aboutMean,
                                     HealpixMap* own, SpareArrays& arrays, JobContext& job) {
    if (map.coverage() != Coverage::Full || map.ordering() != Ordering::Ring) return {};
    // The largest value is at most sqrt(12) nside times the rms, and at least the rms.
    constexpr double kLeast = 1e-99, kMost = 1e90;
    const TakenOut mean =
        std::visit([&](const auto& values) { return meanToTakeOut(std::span(values), job); },
                   map.field(field).values);
    const double size = std::max(std::abs(mean.mean), mean.rms);
    if (!mean.isWhole || !(size > kLeast && size < kMost)) return {};
    WholeField made;
    if (aboutMean == AboutMean::Yes) made.mean = mean;
    const double level = made.mean.fitted.monopole;
    std::visit(
        [&](const auto& values) {
            using Values = std::decay_t<decltype(values)>;
            Values* const taken =
                own != nullptr ? &std::get<Values>(own->field(field).values) : nullptr;
            std::span<const typename Values::value_type> from(values);
            if constexpr (std::is_same_v<Values, std::vector<double>>)
                if (taken != nullptr) made.values = std::move(*taken);
            if (made.values.empty())
                made.values = arrays.take(static_cast<int64_t>(from.size()), job);
            made.meanSquare = subtractLevel(from, level, std::span(made.values), job);
            if (taken != nullptr) *taken = Values();
        },
        map.field(field).values);
    return made;
}

}  // namespace armilla

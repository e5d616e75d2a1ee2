// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/color_range.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/map_statistics.h"
#include "armilla/draw/field_sample.h"
#include "armilla/draw/opening_colors.h"

namespace armilla::cli {

namespace {

// A sample of four million pixels places the ends of a color bar to a thousandth of the
// distribution, without sorting a large map.
constexpr int64_t kSampleLimit = 4'000'000;

std::vector<double> percentilesOf(const HealpixMap& map, int field,
                                  const std::vector<double>& percents, JobContext& job) {
    std::vector<double> values = percentiles(map, field, percents, kSampleLimit, job);
    if (values.empty() || std::isnan(values.front()))
        throw InvalidArgument("expected a good pixel in the field " + map.field(field).name +
                              ", found none");
    return values;
}

// Percentage of good pixels that are not above 0, which a logarithm leaves out.
double nonPositivePercent(const HealpixMap& map, int field, JobContext& job) {
    const double top = percentilesOf(map, field, {100.0}, job).front();
    if (!(top > 0.0))
        throw InvalidArgument("expected values above 0 for --scale log, found none in the field " +
                              map.field(field).name);
    const Histogram counts = histogram(map, field, 0.0, top, 1, job);
    const auto below = static_cast<double>(counts.below);
    const double all = below + static_cast<double>(counts.counts.front() + counts.above);
    return 100.0 * below / all;
}

// Median of the absolute values: the linear part of symlog and asinh then covers the bulk of the
// map, and larger values are compressed.
double medianSize(const HealpixMap& map, int field, JobContext& job) {
    const std::vector<double> quartiles = percentilesOf(map, field, {25.0, 75.0}, job);
    return std::max(std::abs(quartiles[0]), std::abs(quartiles[1]));
}

void requireRange(double low, double high) {
    if (!(low < high))
        throw InvalidArgument("expected a range of colors, found " + std::to_string(low) + " to " +
                              std::to_string(high));
}

// Sets ends that `range` does not give from percentiles.
void setRange(ColorScale& scale, const HealpixMap& map, int field, const ColorRange& range,
              JobContext& job) {
    const Scale kind = scale.mapping.scale;
    const Percentiles percents = range.percentiles.value_or(Percentiles());
    double low = range.least.value_or(0.0);
    double high = range.most.value_or(0.0);
    if (!range.least || !range.most) {
        const double bottom = kind == Scale::Log ? nonPositivePercent(map, field, job) : 0.0;
        const auto place = [&](double percent) {
            return bottom + (100.0 - bottom) * percent / 100.0;
        };
        const std::vector<double> ends =
            percentilesOf(map, field, {place(percents.low), place(percents.high)}, job);
        if (!range.least) low = ends[0];
        if (!range.most) high = ends[1];
    }
    if (kind == Scale::Log && !(low > 0.0)) low = 1e-3 * high;
    // A map of one value is drawn in the middle color.
    if (low == high) {
        const double margin = low == 0.0 ? 1.0 : 0.5 * std::abs(low);
        if (!range.least) low -= margin;
        if (!range.most) high += margin;
    }
    requireRange(low, high);
    scale.mapping.low = static_cast<float>(low);
    scale.mapping.high = static_cast<float>(high);
}

void setTables(ColorScale& scale, const HealpixMap& map, int field, JobContext& job) {
    const auto low = static_cast<double>(scale.mapping.low);
    const auto high = static_cast<double>(scale.mapping.high);
    if (scale.mapping.scale == Scale::SymLog || scale.mapping.scale == Scale::Asinh) {
        const double size = medianSize(map, field, job);
        const double limit = 0.1 * std::max(std::abs(low), std::abs(high));
        scale.mapping.linear = static_cast<float>(size > 0.0 ? std::min(size, limit) : limit);
    }
    if (scale.mapping.scale == Scale::Histogram) {
        std::vector<double> percents(scale.cumulative.size());
        for (size_t i = 0; i < percents.size(); ++i)
            percents[i] = 100.0 * static_cast<double>(i) / static_cast<double>(percents.size() - 1);
        const std::vector<double> values = percentilesOf(map, field, percents, job);
        for (size_t i = 0; i < percents.size(); ++i)
            scale.cumulative[i] = static_cast<float>(std::clamp(values[i], low, high));
    }
}

}  // namespace

ColorScale openingColorsOf(const HealpixMap& map, int field, JobContext& job) {
    const std::vector<float> sample = sortedSample(map, field, job);
    const auto all = [&] {
        const std::vector<double> ends = percentilesOf(map, field, {0.0, 100.0}, job);
        return OpeningSample::Range{ends[0], ends[1]};
    };
    return openingColors({sample, all}, map.field(field));
}

ColorScale colorScaleFor(const HealpixMap& map, int field, const ColorScale& opening,
                         const ColorRange& range, JobContext& job) {
    ColorScale scale = opening;
    if (!range.colorMap.empty()) scale.colorMap = range.colorMap;
    if (range.scale || range.percentiles) {
        scale.mapping.scale = range.scale.value_or(Scale::Linear);
        setRange(scale, map, field, range, job);
        setTables(scale, map, field, job);
    } else if (range.least || range.most) {
        scale.mapping.scale = Scale::Linear;
        const double low = range.least.value_or(static_cast<double>(opening.mapping.low));
        const double high = range.most.value_or(static_cast<double>(opening.mapping.high));
        requireRange(low, high);
        scale.mapping.low = static_cast<float>(low);
        scale.mapping.high = static_cast<float>(high);
    }
    return scale;
}

}  // namespace armilla::cli

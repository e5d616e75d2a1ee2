// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/color_ranges.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/order_statistics.h"
#include "view/picture.h"

namespace armilla {

std::optional<ValueRange> rangeOf(std::span<const float> sorted, const PercentRange& percents) {
    if (sorted.empty()) return std::nullopt;
    double low = percentileOfSorted(sorted, percents.low);
    double high = percentileOfSorted(sorted, percents.high);
    if (percents.symmetric) {
        high = std::max(std::abs(low), std::abs(high));
        low = -high;
    }
    if (!(high > low)) {
        const double half = low == 0.0 ? 1.0 : 0.5 * std::abs(low);
        low -= half;
        high += half;
    }
    return ValueRange{static_cast<float>(low), static_cast<float>(high)};
}

std::vector<float> valuesInView(const HealpixMap& map, const Shown& shown, const Camera& camera,
                                int width, int height, int count) {
    const double area = static_cast<double>(width) * height;
    if (area <= 0.0 || count <= 0) return {};
    const double step = std::max(1.0, std::sqrt(area / count));
    const ViewGeometry view = geometryFor(camera, {width, height}, map.frame());
    std::vector<float> values;
    values.reserve(static_cast<size_t>(count) + static_cast<size_t>(width + height));
    for (double row = 0.5 * step; row < height; row += step)
        for (double column = 0.5 * step; column < width; column += step) {
            Vec3 direction;
            if (!skyFromImage(view, column, row, direction)) continue;
            const double value = shownValue(map, shown, map.pixelAt(direction));
            if (std::isfinite(value)) values.push_back(static_cast<float>(value));
        }
    std::sort(values.begin(), values.end());
    return values;
}

std::optional<ColorScale> fittedScale(ColorScale scale, const ValueRange& range,
                                      std::span<const float> sorted) {
    ColorMapping& mapping = scale.mapping;
    mapping.low = range.low;
    mapping.high = range.high;
    const float larger = std::max(std::abs(range.low), std::abs(range.high));
    const auto within = [&](float width) {
        return mapping.linear > 0.0F && mapping.linear <= width;
    };
    switch (mapping.scale) {
        case Scale::Linear: break;
        case Scale::Log: {
            if (mapping.low > 0.0F) break;
            const auto positive = std::upper_bound(sorted.begin(), sorted.end(), 0.0F);
            if (positive == sorted.end() || mapping.high <= 0.0F) return std::nullopt;
            // The lowest percent of the positive values is noise around zero on most maps.
            const auto lowest = positive + (sorted.end() - positive) / 100;
            mapping.low = std::min(*lowest, 0.5F * mapping.high);
            break;
        }
        case Scale::SymLog:
            if (!within(larger) || mapping.linear < 1e-6F * larger) mapping.linear = 0.01F * larger;
            break;
        case Scale::Asinh:
            if (!within(larger) || mapping.linear < 1e-6F * larger) mapping.linear = 0.1F * larger;
            break;
        case Scale::Histogram: {
            const auto first = std::lower_bound(sorted.begin(), sorted.end(), mapping.low);
            const auto last = std::upper_bound(first, sorted.end(), mapping.high);
            const std::span<const float> inside(first, last);
            if (inside.empty()) return std::nullopt;
            const auto entries = static_cast<double>(scale.cumulative.size() - 1);
            for (size_t i = 0; i < scale.cumulative.size(); ++i)
                scale.cumulative[i] = static_cast<float>(
                    percentileOfSorted(inside, 100.0 * static_cast<double>(i) / entries));
            break;
        }
    }
    return scale;
}

}  // namespace armilla

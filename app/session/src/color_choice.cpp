// SPDX-License-Identifier: GPL-3.0-or-later
// The colors a field opens with.
#include <algorithm>
#include <cmath>

#include "session/document.h"

namespace armilla {

namespace {

// Value at `percent` of an ascending sample, linear between neighbors (numpy's default).
float percentile(const std::vector<float>& sorted, double percent) {
    const double place = percent / 100.0 * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    const double share = place - static_cast<double>(below);
    return static_cast<float>((1.0 - share) * static_cast<double>(sorted[below]) +
                              share * static_cast<double>(sorted[above]));
}

// Share of the sample below `value`.
double shareBelow(const std::vector<float>& sorted, float value) {
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), value);
    return static_cast<double>(place - sorted.begin()) / static_cast<double>(sorted.size());
}

// Nothing but 0 and 1: a mask.
bool isMask(const std::vector<float>& sorted) {
    return sorted.front() >= 0.0F && sorted.back() == 1.0F &&
           std::none_of(sorted.begin(), sorted.end(),
                        [](float value) { return value != 0.0F && value != 1.0F; });
}

// A range that is not empty, in single precision.
void widen(ColorMapping& mapping) {
    if (mapping.low < mapping.high) return;
    const float value = mapping.low;
    const float half = value == 0.0F ? 0.5F : 0.5F * std::abs(value);
    mapping.low = value - half;
    mapping.high = value + half;
}

// Both signs, each on a fifth of the sky at least: not a positive sky whose noise dips below zero.
constexpr double kBothSigns = 0.2;

void setRange(ColorMapping& mapping, const DrawableField& field) {
    const auto& sample = field.sortedSample;
    const float low = percentile(sample, 1.0), high = percentile(sample, 99.0);
    const double negative = shareBelow(sample, 0.0F);
    if (negative >= kBothSigns && negative <= 1.0 - kBothSigns) {
        const float half = std::min(-low, high);
        mapping.low = -half;
        mapping.high = half;
    } else if (low < high) {
        mapping.low = low;
        mapping.high = high;
    } else {
        mapping.low = static_cast<float>(field.statistics.min);
        mapping.high = static_cast<float>(field.statistics.max);
    }
}

}  // namespace

ColorScale defaultColorScale(const DrawableField& field, Quantity quantity) {
    ColorScale scale;
    const auto& sample = field.sortedSample;
    if (quantity == Quantity::PolarizationAngle) {
        scale.colorMap = "twilight";
        scale.mapping.low = -90.0F;
        scale.mapping.high = 90.0F;
    } else if (!sample.empty() && isMask(sample)) {
        scale.colorMap = "gray";
        scale.mapping.low = 0.0F;
        scale.mapping.high = 1.0F;
    } else if (!sample.empty()) {
        setRange(scale.mapping, field);
        // An amplitude has a zero that means something, and nothing to diverge from.
        if (quantity == Quantity::PolarizedAmplitude) {
            scale.colorMap = "viridis";
            scale.mapping.low = 0.0F;
        }
        widen(scale.mapping);
    }
    if (sample.empty()) return scale;
    // Symlog and asinh are linear up to the spread of the bulk of the pixels.
    const float spread = 0.5F * (percentile(sample, 84.0) - percentile(sample, 16.0));
    scale.mapping.linear = spread > 0.0F ? spread : 0.1F * (scale.mapping.high - scale.mapping.low);
    for (size_t i = 0; i < scale.cumulative.size(); ++i)
        scale.cumulative[i] =
            percentile(sample, 100.0 * static_cast<double>(i) /
                                   static_cast<double>(scale.cumulative.size() - 1));
    return scale;
}

}  // namespace armilla

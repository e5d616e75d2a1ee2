// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/opening_colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>

#include "armilla/core/ascii_text.h"
#include "armilla/core/order_statistics.h"
#include "armilla/core/physical_unit.h"
#include "armilla/core/probability.h"

namespace armilla {

namespace {

float percentile(const std::vector<float>& sorted, double percent) {
    return static_cast<float>(percentileOfSorted(sorted, percent));
}

// Fraction of the sample below `value`.
double shareBelow(const std::vector<float>& sorted, float value) {
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), value);
    return static_cast<double>(place - sorted.begin()) / static_cast<double>(sorted.size());
}

// From 0 to 1, and mostly exactly 0 or 1: a mask, possibly with soft edges.
bool isMask(const std::vector<float>& sorted) {
    if (sorted.front() < 0.0F || sorted.back() != 1.0F) return false;
    const auto ends = std::count_if(sorted.begin(), sorted.end(),
                                    [](float value) { return value == 0.0F || value == 1.0F; });
    const bool isHard = ends == static_cast<std::ptrdiff_t>(sorted.size());
    return isHard || (sorted.front() == 0.0F && 2 * ends >= std::ssize(sorted));
}

// True for counts, by the field's name or stored type.
bool isCount(const std::vector<float>& sorted, const Field& field) {
    const std::string text = lowerCase(field.name + ' ' + field.unit);
    const auto says = [&](const char* word) { return text.find(word) != std::string::npos; };
    const bool isStoredWhole =
        field.diskType != DiskType::Float32 && field.diskType != DiskType::Float64;
    return sorted.front() >= 0.0F &&
           (isStoredWhole || says("hits") || says("count") || says("n_obs") || says("nobs")) &&
           std::all_of(sorted.begin(), sorted.end(),
                       [](float value) { return value == std::floor(value); });
}

// Makes the range nonempty in single precision.
void widen(ColorMapping& mapping) {
    if (mapping.low < mapping.high) return;
    const float value = mapping.low;
    const float half = value == 0.0F ? 0.5F : 0.5F * std::abs(value);
    mapping.low = value - half;
    mapping.high = value + half;
}

// Each sign must cover at least a fifth of the sky, which excludes a positive sky whose noise
// extends below zero.
constexpr double kBothSigns = 0.2;

void setRange(ColorMapping& mapping, const OpeningSample& of) {
    const auto& sample = of.sorted;
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
        const OpeningSample::Range all = of.all();
        mapping.low = static_cast<float>(all.least);
        mapping.high = static_cast<float>(all.most);
    }
}

// Minimum fraction of the shown range that the middle half of the pixels must occupy. It is 29 %
// for a normal distribution, 24 % for an exponential one, and 14 % for a lognormal one with sigma
// 1.
constexpr double kLeastMiddle = 0.1;

// A long tail would make the picture flat: assigns most colors to the bulk of the pixels.
void openTail(ColorMapping& mapping, const std::vector<float>& sample) {
    const float low = percentile(sample, 25.0), high = percentile(sample, 75.0);
    const double range = static_cast<double>(mapping.high) - static_cast<double>(mapping.low);
    if (!(high > low) || high - low >= kLeastMiddle * range) return;
    // Single precision has seven digits; fainter values are rounding noise.
    constexpr float kDecade = 10.0F, kFaintest = 1e-6F;
    if (mapping.low > 0.0F && mapping.high >= kDecade * mapping.low) {
        mapping.scale = Scale::Log;
        mapping.low = std::max(mapping.low, kFaintest * mapping.high);
    } else {
        mapping.scale = Scale::Asinh;
    }
}

// Colors by credible level, at equal fractions of the probability: the smallest region with half of
// it gets the upper half of the colors.
void setCredibleLevels(ColorScale& scale, const OpeningSample& of) {
    const auto& sample = of.sorted;
    const double all = std::accumulate(sample.begin(), sample.end(), 0.0);
    const auto last = static_cast<double>(scale.cumulative.size() - 1);
    double below = 0.0;
    size_t at = 0;
    for (size_t i = 0; i < scale.cumulative.size(); ++i) {
        const double wanted = all * static_cast<double>(i) / last;
        while (at + 1 < sample.size() && below + sample[at] < wanted) below += sample[at++];
        scale.cumulative[i] = sample[at];
    }
    scale.cumulative.back() = std::max(sample.back(), static_cast<float>(of.all().most));
    scale.colorMap = "magma";
    scale.mapping.scale = Scale::Histogram;
    scale.mapping.low = scale.cumulative.front();
    scale.mapping.high = scale.cumulative.back();
}

void setCounts(ColorScale& scale, const std::vector<float>& sample) {
    scale.colorMap = "viridis";
    scale.mapping.low = 0.0F;
    scale.mapping.high = std::max(1.0F, percentile(sample, 99.5));
    openTail(scale.mapping, sample);
}

// Sets the parameters that other scales derive from the values.
void setTables(ColorScale& scale, const std::vector<float>& sample) {
    if (sample.empty()) return;
    // Symlog and asinh are linear up to the spread of the bulk of the pixels.
    const float spread = 0.5F * (percentile(sample, 84.0) - percentile(sample, 16.0));
    scale.mapping.linear = spread > 0.0F ? spread : 0.1F * (scale.mapping.high - scale.mapping.low);
    for (size_t i = 0; i < scale.cumulative.size(); ++i)
        scale.cumulative[i] =
            percentile(sample, 100.0 * static_cast<double>(i) /
                                   static_cast<double>(scale.cumulative.size() - 1));
}

}  // namespace

ColorScale colorsByValues(const OpeningSample& of) {
    ColorScale scale;
    const auto& sample = of.sorted;
    if (!sample.empty() && isMask(sample)) {
        scale.colorMap = "gray";
        scale.mapping.low = 0.0F;
        scale.mapping.high = 1.0F;
    } else if (!sample.empty()) {
        setRange(scale.mapping, of);
        widen(scale.mapping);
        openTail(scale.mapping, sample);
    }
    setTables(scale, sample);
    return scale;
}

ColorScale openingColors(const OpeningSample& of, const Field& field) {
    ColorScale scale = colorsByValues(of);
    const auto& sample = of.sorted;
    if (sample.empty() || isMask(sample)) return scale;
    if (isProbability(field) && sample.front() >= 0.0F && sample.back() > 0.0F)
        setCredibleLevels(scale, of);
    else if (isCount(sample, field))
        setCounts(scale, sample);
    return scale;
}

ColorScale openingColors(const ImageMesh& mesh) {
    ColorScale scale;
    scale.colorMap = "viridis";
    const auto& sample = mesh.sortedSample();
    if (sample.empty()) return scale;
    scale.mapping.low = percentile(sample, 1.0);
    scale.mapping.high =
        std::max(percentile(sample, 99.5), std::nextafter(scale.mapping.low, INFINITY));
    setTables(scale, sample);
    return scale;
}

ColorScale amplitudeColors(const OpeningSample& of) {
    ColorScale scale;
    const auto& sample = of.sorted;
    if (!sample.empty() && isMask(sample)) return colorsByValues(of);
    if (!sample.empty()) {
        setRange(scale.mapping, of);
        scale.colorMap = "viridis";
        scale.mapping.low = 0.0F;
        widen(scale.mapping);
        openTail(scale.mapping, sample);
    }
    setTables(scale, sample);
    return scale;
}

ColorScale angleColors(const OpeningSample& of) {
    ColorScale scale;
    scale.colorMap = "twilight";
    scale.mapping.low = -90.0F;
    scale.mapping.high = 90.0F;
    setTables(scale, of.sorted);
    return scale;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Maps a value to a position on the color bar: one set of formulas for host and device. The GLSL
// twin is resources/shaders/color_mapping.glsl; a test compares the two.
#pragma once

#include <cmath>

#include "armilla/core/hd.h"

namespace armilla {

// Color scales; scaleFunction gives the formula of each except Histogram.
enum class Scale { Linear, Log, SymLog, Asinh, Histogram };

// Maps [low, high] to [0, 1]. SymLog and Asinh are symmetric about 0 with linear width `linear`.
// Histogram reads positions from a cumulative table (256 entries) that the caller owns.
struct ColorMapping {
    Scale scale = Scale::Linear;
    float low = 0.0F, high = 1.0F;
    float middle = 0.5F;  // position in [0, 1] that gets the middle color: a gamma
    // half width of the linear part of SymLog and Asinh, in units of the value
    float linear = 1.0F;
};

// Log needs a positive lower end: this fraction of `high` if `low` is not positive.
constexpr float kLogFloor = 1e-6F;

// The scale before normalization to [0, 1]:
// - Linear: v
// - Log: ln v
// - SymLog: v / linear in the linear part, sign(v) (1 + ln|v / linear|) beyond; smooth to first
//   order
// - Asinh: asinh(v / linear)
ARMILLA_HD inline float scaleFunction(Scale scale, float linear, float value) {
    switch (scale) {
        case Scale::Log: return std::log(value);
        case Scale::SymLog: {
            const float x = value / linear;
            const float size = std::fabs(x);
            return size <= 1.0F ? x : std::copysign(1.0F + std::log(size), x);
        }
        case Scale::Asinh: return std::asinh(value / linear);
        case Scale::Linear:
        case Scale::Histogram: break;
    }
    return value;
}
// The inverse of scaleFunction.
ARMILLA_HD inline float scaleInverse(Scale scale, float linear, float scaled) {
    switch (scale) {
        case Scale::Log: return std::exp(scaled);
        case Scale::SymLog: {
            const float size = std::fabs(scaled);
            return linear * (size <= 1.0F ? scaled : std::copysign(std::exp(size - 1.0F), scaled));
        }
        case Scale::Asinh: return linear * std::sinh(scaled);
        case Scale::Linear:
        case Scale::Histogram: break;
    }
    return scaled;
}

// A mapping with everything precomputed that does not depend on the value; also the uniforms of the
// shaders.
struct PreparedMapping {
    Scale scale = Scale::Linear;
    float low = 0.0F, high = 1.0F;  // values; low made positive for Log
    float linear = 1.0F;
    float start = 0.0F;   // scaleFunction(low)
    float factor = 1.0F;  // 1 / (scaleFunction(high) - scaleFunction(low)); 0 if empty
    float gamma = 1.0F;
};

// Precomputes a mapping; `middle` is limited to [0.01, 0.99]. An empty interval gets factor 0.
ARMILLA_HD inline PreparedMapping prepareMapping(const ColorMapping& mapping) {
    PreparedMapping p;
    p.scale = mapping.scale;
    p.low = mapping.low;
    p.high = mapping.high;
    p.linear = mapping.linear > 0.0F ? mapping.linear : 1.0F;
    if (p.scale == Scale::Log && !(p.low > 0.0F)) p.low = p.high > 0.0F ? p.high * kLogFloor : 1.0F;
    p.start = scaleFunction(p.scale, p.linear, p.low);
    const float span = scaleFunction(p.scale, p.linear, p.high) - p.start;
    p.factor = span > 0.0F ? 1.0F / span : 0.0F;
    const float middle = std::fmin(0.99F, std::fmax(0.01F, mapping.middle));
    p.gamma = middle == 0.5F ? 1.0F : std::log(0.5F) / std::log(middle);
    return p;
}

// Fraction of the 255 steps of an ascending table of 256 values that lie below `value`.
ARMILLA_HD inline float cumulativePosition(const float* cumulative, float value) {
    if (value < cumulative[0]) return -1.0F;
    if (value > cumulative[255]) return 2.0F;
    // If the lowest value fills a large part of the table (zeros), that value keeps the lowest
    // color.
    if (value == cumulative[0]) return 0.0F;
    int low = 0, high = 255;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (cumulative[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    const float step = cumulative[high] - cumulative[low];
    const float share = step > 0.0F ? (value - cumulative[low]) / step : 0.5F;
    return (static_cast<float>(low) + share) / 255.0F;
}

// colorPosition() without gamma for a scaled value that is not NaN, if the interval is not empty.
// `value` is compared with the ends. Compilers turn loops over it into vector instructions; the C
// library's fmin and fmax would be calls.
ARMILLA_HD inline float scaledPosition(const PreparedMapping& p, float value, float scaled) {
    const float share = (scaled - p.start) * p.factor;
    const float inside = share > 0.0F ? (share < 1.0F ? share : 1.0F) : 0.0F;
    return value < p.low ? -1.0F : value > p.high ? 2.0F : inside;
}

// Position in [0, 1]; below 0 for values below `low`, above 1 for values above `high`, NaN for NaN.
// If low = high, that value gets the middle. Scale::Histogram alone reads `cumulative` (256
// entries).
ARMILLA_HD inline float colorPosition(const PreparedMapping& p, const float* cumulative,
                                      float value) {
    if (value != value) return value;
    float position = 0.0F;
    if (p.scale == Scale::Histogram) {
        position = cumulativePosition(cumulative, value);
    } else {
        if (value < p.low) return -1.0F;
        if (value > p.high) return 2.0F;
        if (p.factor == 0.0F) return 0.5F;
        position = scaledPosition(p, value, scaleFunction(p.scale, p.linear, value));
    }
    if (p.gamma == 1.0F || !(position > 0.0F) || position > 1.0F) return position;
    return std::pow(position, p.gamma);
}
ARMILLA_HD inline float colorPosition(const ColorMapping& mapping, const float* cumulative,
                                      float value) {
    return colorPosition(prepareMapping(mapping), cumulative, value);
}

// Entry of a table of 256 colors for a position in [0, 1].
ARMILLA_HD inline int colorIndex(float position) {
    const int index = static_cast<int>(position * 256.0F);
    return index > 255 ? 255 : index < 0 ? 0 : index;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Maps a value to a color: the twin of compute/core/include/core/color_mapping.h.
// The host defines SCALE: 0 linear, 1 log, 2 symlog, 3 asinh, 4 histogram.

// PreparedMapping of the C++ twin.
uniform float mappingLow, mappingHigh, mappingLinear, mappingStart, mappingFactor, mappingGamma;
uniform sampler2D cumulativeTable;  // 256 x 1
uniform sampler2D colorTable;       // 256 x 1
uniform vec4 badColor, belowColor, aboveColor;

float scaleFunction(float value) {
#if SCALE == 1
    return log(value);
#elif SCALE == 2
    float x = value / mappingLinear;
    float size = abs(x);
    return size <= 1.0 ? x : sign(x) * (1.0 + log(size));
#elif SCALE == 3
    float x = value / mappingLinear;
    float size = abs(x);
    return sign(x) * log(size + sqrt(size * size + 1.0));
#else
    return value;
#endif
}

float cumulativeEntry(int index) {
    return texelFetch(cumulativeTable, ivec2(index, 0), 0).r;
}

float cumulativePosition(float value) {
    if (value < cumulativeEntry(0)) return -1.0;
    if (value > cumulativeEntry(255)) return 2.0;
    if (value == cumulativeEntry(0)) return 0.0;
    int low = 0, high = 255;
    for (int i = 0; i < 8; ++i) {
        if (high - low <= 1) break;
        int middle = (low + high) / 2;
        if (cumulativeEntry(middle) <= value)
            low = middle;
        else
            high = middle;
    }
    float step_ = cumulativeEntry(high) - cumulativeEntry(low);
    float share = step_ > 0.0 ? (value - cumulativeEntry(low)) / step_ : 0.5;
    return (float(low) + share) / 255.0;
}

float colorPosition(float value) {
    float position;
#if SCALE == 4
    position = cumulativePosition(value);
#else
    if (value < mappingLow) return -1.0;
    if (value > mappingHigh) return 2.0;
    if (mappingFactor == 0.0) return 0.5;
    position = clamp((scaleFunction(value) - mappingStart) * mappingFactor, 0.0, 1.0);
#endif
    if (mappingGamma == 1.0 || position <= 0.0 || position > 1.0) return position;
    return pow(position, mappingGamma);
}

int colorIndex(float position) {
    return clamp(int(position * 256.0), 0, 255);
}

// A negative alpha of belowColor or aboveColor selects the end of the color map.
vec4 colorOf(float value) {
    if (isnan(value)) return badColor;
    float position = colorPosition(value);
    if (position < 0.0 && belowColor.a >= 0.0) return belowColor;
    if (position > 1.0 && aboveColor.a >= 0.0) return aboveColor;
    return texelFetch(colorTable, ivec2(colorIndex(position), 0), 0);
}

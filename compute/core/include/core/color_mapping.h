// SPDX-License-Identifier: GPL-3.0-or-later
// From a value to a place on the color bar: one set of formulas for host and device.
// GLSL twin: resources/shaders/color_mapping.glsl; a test compares the two.
#pragma once

#include "core/hd.h"

namespace armilla {

enum class Scale { Linear, Log, SymLog, Asinh, Histogram };

// Maps [low, high] to [0, 1]. SymLog and Asinh are symmetric about 0 with linear width `linear`.
// Histogram looks positions up in a cumulative table that the caller holds (256 entries).
struct ColorMapping {
    Scale scale = Scale::Linear;
    float low = 0.0F, high = 1.0F;
    float middle = 0.5F;  // place of the middle of the bar; a gamma, 0.5 is none
    float linear = 1.0F;  // half width of the linear part of SymLog and Asinh
};

// Position in [0, 1]; below 0 for values below `low`, above 1 for values above `high`, NaN for NaN.
// `cumulative` has 256 entries and is used by Scale::Histogram only.
ARMILLA_HD float colorPosition(const ColorMapping& mapping, const float* cumulative, float value);

}  // namespace armilla

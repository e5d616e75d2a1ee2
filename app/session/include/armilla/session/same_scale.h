// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of two color scales: true if both color all values alike.
#pragma once

#include "armilla/draw/color_scale.h"

namespace armilla {

bool sameScale(const ColorScale& a, const ColorScale& b);

}  // namespace armilla

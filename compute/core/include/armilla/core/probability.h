// SPDX-License-Identifier: GPL-3.0-or-later
// Maps of probability, such as the sky maps of gravitational-wave events.
#pragma once

#include "armilla/core/healpix_map.h"

namespace armilla {

// True for a field that holds a share of a whole for each pixel or steradian: its name begins with
// PROB, and its unit is none, pix-1 or sr-1.
bool isProbability(const Field& field);

}  // namespace armilla

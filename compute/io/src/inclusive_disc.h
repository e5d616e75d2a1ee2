// SPDX-License-Identifier: GPL-3.0-or-later
// Pixels that overlap a disc, as the HEALPix library lists them.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/core/healpix_map.h"

namespace armilla {

// The pixels that query_disc of HEALPix C++ and healpy returns for inclusive=True and fact=factor,
// ascending: all pixels that overlap the disc, and a few more next to it. Files number these
// pixels, so that the list must agree with the library's pixel by pixel. `factor`: at least 1, and
// a power of two for NESTED. Test: tst_pixel_tables.
std::vector<int64_t> inclusiveDisc(Vec3 center, double radius, int64_t factor, int64_t nside,
                                   Ordering ordering);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// HEALPix pixel geometry: one set of formulas for host and device, 64-bit indices.
//
// Source: K. M. Gorski et al., ApJ 622 (2005) 759, arXiv:astro-ph/0409513, sections 4 and 5, and
// the face layout of its figure 4. GLSL twin: resources/shaders/pixel_geometry.glsl. Valid for
// nside 1 .. 2^29; RING for any nside, NESTED for powers of two. A direction is given as (z, s,
// phi): z = cos(theta), s = sin(theta) >= 0, phi any finite angle. Near the poles s, not 1 - |z|,
// carries the accuracy.
#pragma once

#include <cstdint>

#include "core/hd.h"
#include "core/sky_vector.h"

namespace armilla {

// Position of a pixel on one of the twelve base faces: x to the north-east, y to the north-west,
// both in [0, nside).
struct FacePixel {
    int face = 0;
    int64_t x = 0, y = 0;
};

ARMILLA_HD FacePixel faceFromDirection(int64_t nside, Vec3 direction);
ARMILLA_HD int64_t ringFromDirection(int64_t nside, Vec3 direction);
ARMILLA_HD int64_t nestedFromDirection(int64_t nside, Vec3 direction);
ARMILLA_HD int64_t nestedFromFace(int64_t nside, FacePixel pixel);
ARMILLA_HD FacePixel faceFromNested(int64_t nside, int64_t pixel);
ARMILLA_HD int64_t ringFromFace(int64_t nside, FacePixel pixel);
ARMILLA_HD FacePixel faceFromRing(int64_t nside, int64_t pixel);
ARMILLA_HD int64_t nestedFromRing(int64_t nside, int64_t pixel);
ARMILLA_HD int64_t ringFromNested(int64_t nside, int64_t pixel);
// Unit vector to the center of a pixel.
ARMILLA_HD Vec3 directionFromFace(int64_t nside, FacePixel pixel);
ARMILLA_HD Vec3 directionFromRing(int64_t nside, int64_t pixel);
ARMILLA_HD Vec3 directionFromNested(int64_t nside, int64_t pixel);

}  // namespace armilla

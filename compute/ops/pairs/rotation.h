// SPDX-License-Identifier: GPL-3.0-or-later
// Rotations of points that are finer than double precision.
#pragma once

#include "armilla/core/sky_vector.h"

namespace armilla {

// A rotation whose rows are orthonormal to 106 bits, each entry the sum of two numbers.
struct FineRotation {
    double high[9], low[9];
};
// The rotation of ExactPoints, for turned() of pairs/point_vectors.h.
FineRotation fineRotation(const Mat3& matrix);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Pixels of a map made again from those around them.
#pragma once

#include <cstdint>
#include <span>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

struct Inpainting {
    int64_t pixels = 0;  // that were made again
    int64_t alone = 0;   // that have no good pixel around them: as they were
};
// Gives the pixels whose centers lie within `radius` radians of a center new values in a field: the
// smoothest continuation of what is around, in which each is the mean of its eight neighbors (the
// graph's Laplace equation with the rim as its boundary, by conjugate gradients to 1e-9 of the
// rim's spread). Bad pixels stay bad and are no part of it. `centers` are in the map's frame.
// Throws InvalidArgument for a map of several orders, a field that does not exist or a radius that
// is negative; Cancelled, with the field half made. Cost: some hundred looks at each pixel of the
// discs. Test: tst_inpaint (a plane through a hole; the double loop).
Inpainting inpaintDiscs(HealpixMap& map, int field, std::span<const Vec3> centers, double radius,
                        JobContext& job);

}  // namespace armilla

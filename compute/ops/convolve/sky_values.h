// SPDX-License-Identifier: GPL-3.0-or-later
// Between maps of any ordering and coverage and the full RING arrays that transforms take.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/pixel_geometry.h"

namespace armilla {

// Where an element of a full or partial map lies in RING order.
inline int64_t ringPixelOf(const HealpixMap& map, int64_t element) {
    const int64_t pixel =
        map.coverage() == Coverage::Full ? element : map.pixels()[static_cast<size_t>(element)];
    return map.ordering() == Ordering::Ring ? pixel : ringFromNested(map.nside(), pixel);
}

// All 12 nside^2 values of a field in RING order, NaN where bad or not covered. Full and partial
// maps.
std::vector<double> ringValues(const HealpixMap& map, int field, JobContext& job);

// A field named, with the unit and precision of `like`, that holds RING values at the elements of
// `map`; NaN where `like` is bad.
Field fieldFromRing(const HealpixMap& map, const Field& like, std::span<const double> ring,
                    JobContext& job);

// Throws InvalidArgument: bad pixels cannot be weighted up by a kernel without an integral.
[[noreturn]] void refuseZeroIntegral();

// Sums over coarse pixels in RING order: of the good values, and their number. `nside` divides that
// of the map.
struct CoarseSums {
    std::vector<double> sum;
    std::vector<float> good;
    double each = 1.0;  // pixels of the map in a coarse pixel
};
CoarseSums coarseSums(const HealpixMap& map, int field, int64_t nside, JobContext& job);
// Other fields on the pixels of `map`, with its metadata.
HealpixMap mapLike(const HealpixMap& map, std::vector<Field> fields);

}  // namespace armilla

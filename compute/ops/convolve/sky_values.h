// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion between maps of any ordering and coverage and the full RING arrays of transforms.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/pixel_geometry.h"

namespace armilla {

// The RING number of an element of a full or partial map.
inline int64_t ringPixelOf(const HealpixMap& map, int64_t element) {
    const int64_t pixel =
        map.coverage() == Coverage::Full ? element : map.pixels()[static_cast<size_t>(element)];
    return map.ordering() == Ordering::Ring ? pixel : ringFromNested(map.nside(), pixel);
}

// All 12 nside^2 values of a field in RING order, NaN where bad or not covered. For full and
// partial maps.
std::vector<double> ringValues(const HealpixMap& map, int field, JobContext& job);

// The same for a full RING map without a bad value in the field: the values leave the field, which
// is then empty. None, and the field remains, for other maps.
std::optional<std::vector<double>> takenRingValues(HealpixMap& map, int field, JobContext& job);
// The field of results that stands for such an empty field.
Field fieldOfTaken(const Field& like, std::vector<double> ring, JobContext& job);

// A field with name, unit and precision of `like` that holds RING values at the elements of `map`;
// NaN where `like` is bad.
Field fieldFromRing(const HealpixMap& map, const Field& like, std::span<const double> ring,
                    JobContext& job);

// Throws InvalidArgument: a kernel without an integral cannot be normalized over good pixels.
[[noreturn]] void refuseZeroIntegral();

// Sums over coarse pixels in RING order: sums of the good values, and their number. `nside` must
// divide the map's nside.
struct CoarseSums {
    std::vector<double> sum;
    std::vector<float> good;
    double each = 1.0;  // pixels of the map in a coarse pixel
};
CoarseSums coarseSums(const HealpixMap& map, int field, int64_t nside, JobContext& job);
// Other fields on the pixels of `map`, with its metadata.
HealpixMap mapLike(const HealpixMap& map, std::vector<Field> fields);

}  // namespace armilla

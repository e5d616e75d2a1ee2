// SPDX-License-Identifier: GPL-3.0-or-later
// Distances of pixels to the nearest target pixel of a map.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"
#include "mask/face_bits.h"
#include "mask/near_places.h"

namespace armilla::mask {

// Pixels with the sine of half the angle between the center of each pixel and the nearest center of
// a target. Without these sines where only the limit counts.
struct NearPixels {
    std::span<const int64_t> pixels;
    std::span<const double> halfChords;
};
using NearVisit = std::function<void(const NearPixels&)>;

// A disc of the sky; radius in radians.
struct SkyDisc {
    Vec3 center{0.0, 0.0, 1.0};
    double radius = kPi;
};

enum class NearDetail { Angles, WithinLimit };

struct NearRequest {
    double limit = 0.0;  // radians
    NearDetail detail = NearDetail::Angles;
    // Only pixels in the disc need a visit; some pixels around the disc are visited, too.
    std::optional<SkyDisc> within = {};
};

// Targets of 64 x 64 pixels that have a neighbor of the other kind, and the disc around them.
struct EdgeBlock {
    Vec3 center{0.0, 0.0, 1.0};
    double radius = 0.0;  // radians
    std::vector<Vec3> places;
};

// The target pixels of a map, ready for visits.
//
// Only targets with a neighbor of the other kind can be nearest. Squares of pixels are divided in
// four, down to a few pixels. Each square keeps the targets that may be nearest to one of its
// pixels. Let m be the center of the square, r its radius, and b the target nearest to m. A target
// c is dropped if |m - c|^2 - |m - b|^2 > 2 r |b - c|, because all points of the square are then
// closer to b. Large squares keep blocks of targets instead, by the discs around these.
class NearTargets {
public:
    // `targets`: bit p % 64 of element p / 64 is set if pixel p is a target. Throws Cancelled,
    // OutOfMemory.
    NearTargets(int64_t nside, Ordering ordering, std::span<const uint64_t> targets,
                JobContext& job);

    // Calls body for all pixels that are no targets and have a target within the limit, at less
    // than pi from it. Angles are exact to rounding, 1e-15 (tests/compute/tst_mask.cpp). Several
    // threads call `body`, each for other pixels. Throws Cancelled, OutOfMemory.
    void visit(const NearRequest& request, JobContext& job, const NearVisit& body) const;

private:
    FaceTables tables_;
    FaceBits targets_;
    std::vector<EdgeBlock> edges_;
};

}  // namespace armilla::mask

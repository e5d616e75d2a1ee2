// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the sky: a reader leaves out the partitions of a catalog that lie outside.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/core/sky_vector.h"

namespace armilla {

// A disc on the sky, in ICRS.
struct SkyCap {
    Vec3 center;
    double radius = 0.0;  // radians
    bool meets(const SkyCap& other) const;
};

// A part of the sky: the union of discs.
using DiscUnion = std::vector<SkyCap>;

// Collects directions (ICRS) as the pixels of nside 64 that hold them.
class OccupiedSky {
public:
    OccupiedSky();
    void add(Vec3 direction);
    // A disc around each occupied pixel, grown by `margin` (radians).
    DiscUnion discs(double margin) const;

private:
    std::vector<char> holds_;
};
DiscUnion discsAround(const std::vector<Vec3>& directions, double margin);
// The disc around a NESTED pixel.
SkyCap discOfPixel(int order, int64_t pixel);

}  // namespace armilla

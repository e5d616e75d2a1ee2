// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/io/sky_parts.h"

#include <cmath>

#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"

namespace armilla {

bool SkyCap::meets(const SkyCap& other) const {
    // The chord of the sum of both radii; 1e-9 rad covers the rounding of the centers.
    const double reach = radius + other.radius + 1e-9;
    if (reach >= kPi) return true;
    const Vec3 difference = center - other.center;
    return dot(difference, difference) <= std::pow(2.0 * std::sin(0.5 * reach), 2);
}

SkyCap discOfPixel(int order, int64_t pixel) {
    const int64_t nside = int64_t{1} << order;
    const Vec3 center = directionFromNested(nside, pixel);
    return {center, maximumPixelRadius(nside)};
}

namespace {

constexpr int kOccupiedOrder = 6;

}  // namespace

OccupiedSky::OccupiedSky()
    : holds_(static_cast<size_t>(pixelCount(int64_t{1} << kOccupiedOrder))) {}

void OccupiedSky::add(Vec3 direction) {
    holds_[static_cast<size_t>(nestedFromDirection(int64_t{1} << kOccupiedOrder, direction))] = 1;
}

DiscUnion OccupiedSky::discs(double margin) const {
    DiscUnion discs;
    for (size_t pixel = 0; pixel < holds_.size(); ++pixel) {
        if (holds_[pixel] == 0) continue;
        discs.push_back(discOfPixel(kOccupiedOrder, static_cast<int64_t>(pixel)));
        discs.back().radius += margin;
    }
    return discs;
}

DiscUnion discsAround(const std::vector<Vec3>& directions, double margin) {
    OccupiedSky sky;
    for (const Vec3& direction : directions) sky.add(direction);
    return sky.discs(margin);
}

}  // namespace armilla

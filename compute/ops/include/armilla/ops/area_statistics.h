// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of pixels of unequal solid angle, such as those of an image, within regions.
#pragma once

#include <span>

#include "armilla/ops/region_statistics.h"

namespace armilla {

// Centers, NaN off the sky, and solid angles of pixels.
struct SkyPixels {
    Frame frame = Frame::Unknown;
    std::span<const Vec3> centers;
    std::span<const double> areas;
};

struct AreaValues : PartValues {
    double area = 0.0;  // solid angle of all pixels of the part, finite or not
};
// The values of the pixels in a part. Throws InvalidArgument if only one of the frames is known;
// Cancelled.
AreaValues areaValues(const SkyPixels& pixels, std::span<const double> values, const SkyPart& part,
                      JobContext& job);

struct AreaStatistics : PartStatistics {
    double area = 0.0;
    double integral = 0.0;  // sum of values times solid angles
};
// Mean, deviation and percentiles have the solid angles as weights, and equal those of
// partStatistics() for equal solid angles. A percentile is linear between the pixels, each at the
// share of the solid angle up to its middle. Test: tst_region_statistics.
AreaStatistics areaStatistics(const SkyPixels& pixels, const AreaValues& values);
// As radialProfile() of a map, with the solid angles as weights: means, deviations, and the
// deviation of a mean of independent pixels. Test: tst_cli_image_sources.
Curve radialProfile(const SkyPixels& pixels, const AreaValues& values, Vec3 center,
                    const ProfileParameters& parameters, const std::string& unit);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// What a map holds within regions: figures, histograms, radial profiles.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/curve.h"
#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/region.h"

namespace armilla {

// A part of the sky: a region less those that exclude, the good part of a mask, or both; neither:
// all of the sky. A pixel belongs to it where its center does.
struct SkyPart {
    std::string name = {};
    std::optional<Region> region = {};
    std::vector<Region> without = {};
    const HealpixMap* mask = nullptr;  // above one half; of any kind, in its own frame

    // The center of the region, in `frame`; none without a region.
    std::optional<Vec3> center(Frame frame) const;
};

// Over the finite pixels; NaN where there is none. A partial map's missing pixels count as bad.
struct PartStatistics {
    int64_t pixels = 0, good = 0;
    double sum = 0.0, mean = 0.0, standardDeviation = 0.0;  // of the pixels (divided by n)
    double median = 0.0, low = 0.0, high = 0.0;             // 50, 16 and 84 percent
    double least = 0.0, largest = 0.0;
    std::optional<Vec3> largestAt;  // the center of that pixel, in the map's frame
};

// The finite values of a part, with where they are. Throws InvalidArgument for a map of several
// orders or a field that does not exist, for frames of which one is unknown, Cancelled.
struct PartValues {
    std::vector<double> values;
    std::vector<int64_t> pixels;  // in the map's ordering
    int64_t all = 0;              // finite or not
};
PartValues partValues(const HealpixMap& map, int field, const SkyPart& part, JobContext& job);
// Sums in pairs: a few epsilon. Test: tst_region_statistics.
PartStatistics partStatistics(const HealpixMap& map, const PartValues& values);

// Counts in `bins` equal bins of [low, high], the last one closed; a series for each part.
Curve partHistogram(std::span<const PartValues> parts, std::span<const std::string> names,
                    double low, double high, int bins, const std::string& unit);

struct ProfileParameters {
    double step = 0.0;   // width of a ring, radians
    double reach = 0.0;  // the last ring ends there or beyond
};
// Mean of the pixels in rings around a center, with the standard deviation of the mean, standard
// deviation and count as further series. x: the middle of a ring, degrees.
Curve radialProfile(const HealpixMap& map, const PartValues& values, Vec3 center,
                    const ProfileParameters& parameters, const std::string& unit);

}  // namespace armilla

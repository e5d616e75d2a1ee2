// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics, histograms and radial profiles of a map within regions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/curve.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/map_samples.h"
#include "armilla/core/region.h"

namespace armilla {

// A part of the sky: a region without its excluding regions, the good part of a mask, or both.
// Neither: the whole sky. A pixel belongs to the part that contains its center.
struct SkyPart {
    std::string name = {};
    std::optional<Region> region = {};
    std::vector<Region> without = {};
    const HealpixMap* mask = nullptr;  // good above one half; any map, in its own frame

    // The center of the region, in `frame`; none without a region.
    std::optional<Vec3> center(Frame frame) const;
};

// Statistics of the finite pixels; NaN if there are none. A partial map's missing pixels count as
// bad.
struct PartStatistics {
    int64_t pixels = 0, good = 0;
    // sums over the pixels; variance divides by n
    double sum = 0.0, mean = 0.0, standardDeviation = 0.0;
    double median = 0.0, low = 0.0, high = 0.0;  // percentiles 50, 16 and 84
    double least = 0.0, largest = 0.0;
    std::optional<Vec3> largestAt;  // center of the pixel of the largest value, in the map's frame
};

// The finite values of a part, with their pixels.
struct PartValues {
    std::vector<double> values;
    // Pixel numbers in the map's ordering; empty for consecutive pixels from `first` on.
    std::vector<int64_t> pixels;
    int64_t first = 0;
    int64_t all = 0;  // number of pixels, finite or not

    int64_t pixel(size_t i) const {
        return pixels.empty() ? first + static_cast<int64_t>(i) : pixels[i];
    }
};
// The values of a field in a part. Throws InvalidArgument for a multi-order map or a field that
// does not exist, and if only one of the frames is known; Cancelled.
PartValues partValues(const HealpixMap& map, int field, const SkyPart& part, JobContext& job);
// Consecutive pixels, of a map that is not in memory as a whole or has another owner.
struct PixelSlice {
    int64_t nside = 0;
    Ordering ordering = Ordering::Ring;
    Frame frame = Frame::Unknown;
    int64_t first = 0;        // number of the first pixel
    ConstMapSamples samples;  // values of the pixels, in order
};
// The pixels of a slice that lie in a part. Throws as the function above.
PartValues partValues(const PixelSlice& slice, const SkyPart& part, JobContext& job);
// Pairwise sums: error of a few epsilon. Reorders the values, which percentiles need, so that
// callers that are done with them save a copy. Test: tst_region_statistics.
PartStatistics partStatistics(const HealpixMap& map, PartValues values);

// Counts in `bins` equal bins of [low, high], the last one closed; a series for each part.
Curve partHistogram(std::span<const PartValues> parts, std::span<const std::string> names,
                    double low, double high, int bins, const std::string& unit);

// Rings of radialProfile().
struct ProfileParameters {
    double step = 0.0;   // width of a ring, radians
    double reach = 0.0;  // radians; the last ring ends there or beyond
};
// Mean of the pixels in rings around a center. Further series: standard deviation of the mean,
// standard deviation, and count. x: the middle of a ring, degrees.
Curve radialProfile(const HealpixMap& map, const PartValues& values, Vec3 center,
                    const ProfileParameters& parameters, const std::string& unit);

}  // namespace armilla

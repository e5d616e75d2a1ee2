// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of maps on disk that exceed the memory: means at smaller nsides, which a file in the
// cache folder keeps, and a sample that is read in seconds.
#pragma once

#include <cstdint>
#include <string>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/io/map_io.h"

namespace armilla {

// The finest nside of the means: a quarter of the map's, at most 4096 (805 MB).
int64_t meansNside(int64_t nside);

// True for a map in an uncompressed FITS table, of nside 2^N, whose first field takes more than
// `memory` bytes together with `more` bytes for each pixel. False for all other files.
bool exceedsMemory(const std::string& path, const MapReadOptions& options, int64_t memory,
                   int64_t more, JobContext& job);
// True if means of the file's present state are kept (and perhaps damaged).
bool keepsMeans(const std::string& path, const MapReadOptions& options, JobContext& job);

// Means of the first field of a full map in an uncompressed FITS table.
struct MapMeans {
    // Full map in NESTED ordering and single precision: means of the good pixels, bad without any.
    HealpixMap map;
    // Values of pixels at even steps, for colors and histograms: a partial map of the file's nside.
    HealpixMap sample;
    bool isKept = false;  // true: read from the cache folder
    std::string note;     // why kept means were made anew; or empty
};
// The means at `nside`, a power of two of at most meansNside(). The first call reads the whole map
// at the rate of the disk, in 16 bytes of memory for each mean, and keeps means at all nsides in
// the cache folder (environment.h), 1.3 times the finest. Later calls read them. Kept means of a
// file that has changed (size or time of modification), and damaged ones, are made anew; those of
// files that no longer exist are removed. Throws as MapPartReader; Unsupported for other maps.
MapMeans readMeans(const std::string& path, const MapReadOptions& options, int64_t nside,
                   JobContext& job);

// A picture from a part of the pixels, for the time until the means are there. RING: means along
// one ring of each of nside 256. NESTED: means of 1024 consecutive pixels in each of nside 64.
// NESTED and full. Reads 0.6 GB of a field at most. Throws as readMeans.
HealpixMap readSampledMap(const std::string& path, const MapReadOptions& options, JobContext& job);

}  // namespace armilla

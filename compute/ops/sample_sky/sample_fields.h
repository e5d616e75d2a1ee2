// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of simulated skies. Maps are in RING order.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

struct SampleSource {
    LonLat place;
    double peak = 0.0;  // in the unit of the map
};

// A Gaussian field of unit variance with C_l ~ (l + 5)^slope: clouds without a characteristic
// scale, seen with a Gaussian beam (radians).
std::vector<double> clouds(int64_t nside, int lmax, uint64_t seed, double slope, double fwhm,
                           JobContext& job);
// Adds each source as a Gaussian of the beam's width, or of 1.5 pixels if that is wider.
void addGaussians(int64_t nside, const std::vector<SampleSource>& sources, double beam,
                  std::vector<double>& sky, JobContext& job);
// The sources of sampleSky(nside, job), in microkelvin.
std::vector<SampleSource> microwaveSources();
// Throws InvalidArgument for nside outside [1, kMaxSampleSkyNside].
void checkSampleNside(int64_t nside);

}  // namespace armilla

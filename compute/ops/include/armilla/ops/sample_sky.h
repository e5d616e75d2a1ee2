// SPDX-License-Identifier: GPL-3.0-or-later
// The sample sky shown at first start.
#pragma once

#include <cstdint>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla {

// Limit of nside in sampleSky().
inline constexpr int64_t kMaxSampleSkyNside = 4096;

// A simulated sky in microkelvin (one field TEMPERATURE, single precision), Galactic frame, RING;
// the same on every machine. It contains:
// - a CMB-like Gaussian field of a compact built-in spectrum, seen with a beam of 10 arcmin,
// - a foreground-like plane with clouds and filaments,
// - 220 point sources.
// Throws InvalidArgument for nside outside [1, kMaxSampleSkyNside]. About half a second at nside
// 512 on two cores; memory: 4 maps in double precision.
HealpixMap sampleSky(int64_t nside, JobContext& job);

}  // namespace armilla

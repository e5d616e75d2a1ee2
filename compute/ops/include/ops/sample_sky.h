// SPDX-License-Identifier: GPL-3.0-or-later
// The sample sky shown at first start.
#pragma once

#include <cstdint>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

// A simulated sky in microkelvin, Galactic frame, RING: a CMB-like Gaussian field of a compact
// built-in spectrum, a foreground-like plane, point sources; fixed seed. About a second at nside
// 512 on two cores.
HealpixMap sampleSky(int64_t nside, JobContext& job);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// What alm2map and synfast share: alm made into a map.
#pragma once

#include <string>
#include <vector>

#include "cli/run.h"
#include "core/harmonics.h"
#include "core/healpix_map.h"

namespace armilla::cli {

struct SynthesisRequest {
    int64_t nside = 0;
    Frame frame = Frame::Unknown;
    std::string unit;
    bool derivatives = false;  // of one alm
};
// One alm to a map TEMPERATURE (with derivatives: and DX_T = dT/dtheta, DY_T = dT/dphi/sin(theta),
// the column names of HEALPix's own programs); three, T, E and B, to TEMPERATURE, Q_POLARISATION,
// U_POLARISATION. RING, in the precision that --precision asks for (double).
HealpixMap synthesize(Run& run, const std::vector<Alm>& alm, const SynthesisRequest& request,
                      JobContext& job);

}  // namespace armilla::cli

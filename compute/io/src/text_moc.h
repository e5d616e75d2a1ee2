// SPDX-License-Identifier: GPL-3.0-or-later
// Coverage maps (MOC) as text.
#pragma once

#include <string>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla {

// True for text that starts as a MOC: "3/1-5 ..." or {"3": [1, 2], ...}.
bool isTextMoc(const std::string& path);
// Reads a MOC in ASCII or JSON (IVOA MOC 2.0, sections 4.3.2 and 4.3.3) as a mask of 0 and 1,
// equatorial. Throws IoError, also for coverage in time.
HealpixMap readTextMoc(const std::string& path, JobContext& job);

}  // namespace armilla

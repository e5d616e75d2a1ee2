// SPDX-License-Identifier: GPL-3.0-or-later
// Areas of one value in an image, as blank_areas.h finds them in a map.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "armilla/core/job_context.h"
#include "sources/blank_areas.h"
#include "sources/source_pixels.h"

namespace armilla::sources {

// Sets NaN in areas of one value larger than `leastArea` steradians, as removeBlankAreas() does.
// Returns the number of pixels in them.
int64_t removeBlanks(const SourcePixels& pixels, int64_t width, double leastArea,
                     std::vector<double>& values, JobContext& job);
// Remark for the user on that many pixels; empty for none.
std::string remarkOnBlanks(int64_t count);

}  // namespace armilla::sources

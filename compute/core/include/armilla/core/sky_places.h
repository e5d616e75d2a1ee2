// SPDX-License-Identifier: GPL-3.0-or-later
// Directions on the sky that exist block by block.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

// Many directions, such as those of the rows of a catalog.
struct SkyPlaces {
    int64_t count = 0;
    // Calls `take` with all directions in order. Every call passes the same directions.
    std::function<void(const std::function<void(std::span<const Vec3>)>& take, JobContext& job)>
        forBlocks;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Many equal directions, in blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "armilla/core/sky_places.h"

namespace armilla {

inline std::shared_ptr<const SkyPlaces> equalPlaces(int64_t count, Vec3 place) {
    auto places = std::make_shared<SkyPlaces>();
    places->count = count;
    places->forBlocks = [count, place](const auto& take, JobContext&) {
        constexpr int64_t kRows = 700;
        for (int64_t first = 0; first < count; first += kRows)
            take(std::vector<Vec3>(static_cast<size_t>(std::min(kRows, count - first)), place));
    };
    return places;
}

}  // namespace armilla

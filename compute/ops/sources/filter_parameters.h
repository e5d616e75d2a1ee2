// SPDX-License-Identifier: GPL-3.0-or-later
// What a filter is asked for: whether it can be, and what has to be made anew for it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/healpix_map.h"
#include "ops/filter.h"

namespace armilla::sources {

// What decides which pixels are good.
struct GoodKey {
    std::shared_ptr<const HealpixMap> noiseMap, mask;
    bool operator==(const GoodKey&) const = default;
};
// What decides the background's spectrum and the bright sources, too.
struct WindowKey {
    std::vector<double> bl, background;
    std::optional<double> noise;
    GoodKey good;
    int lmax = -1;
    Weights weights = Weights::Ring;
    bool operator==(const WindowKey&) const = default;
};

// Throws InvalidArgument for parameters that contradict each other or the map.
void checkFilter(const FilterParameters& p, const HealpixMap& map);
// The l that they ask for, or where the beam has faded.
int lmaxOfFilter(const FilterParameters& p, int64_t nside);

}  // namespace armilla::sources

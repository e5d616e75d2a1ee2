// SPDX-License-Identifier: GPL-3.0-or-later
// Validation of filter parameters, and keys of the data that must be recomputed for a change.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/ops/filter.h"

namespace armilla::sources {

// Parameters that determine the good pixels.
struct GoodKey {
    std::shared_ptr<const HealpixMap> noiseMap, mask;
    bool operator==(const GoodKey&) const = default;
};
// Parameters that determine the background's spectrum and the bright sources.
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
// The requested lmax, or the l where the beam has decayed.
int lmaxOfFilter(const FilterParameters& p, int64_t nside);

}  // namespace armilla::sources

// SPDX-License-Identifier: GPL-3.0-or-later
// Well-known positions on the sky.
#pragma once

#include <span>

namespace armilla {

// ICRS degrees at epoch J2000, accurate to an arcminute. Open clusters and nebulae have the
// positions of handbooks, to 0.1 minutes of right ascension and an arcminute, because their centers
// are ambiguous by a few arcminutes. "M 1 (Crab)" matches either name. Test: tst_sky_names.
struct KnownPlace {
    const char* name;
    double rightAscension, declination;
};
std::span<const KnownPlace> knownPlaces();

}  // namespace armilla

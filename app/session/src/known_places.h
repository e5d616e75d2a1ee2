// SPDX-License-Identifier: GPL-3.0-or-later
// Well-known places of the sky.
#pragma once

#include <span>

namespace armilla {

// ICRS degrees at epoch J2000, good to an arcminute; open clusters and nebulae are put where
// handbooks print them, to 0.1 minutes of right ascension and an arcminute: their middle is a
// matter of taste to a few. "M 1 (Crab)": either name. Test: tst_sky_names.
struct KnownPlace {
    const char* name;
    double rightAscension, declination;
};
std::span<const KnownPlace> knownPlaces();

}  // namespace armilla

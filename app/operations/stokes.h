// SPDX-License-Identifier: GPL-3.0-or-later
// Q and U of values and of headers.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/core/healpix_map.h"

namespace armilla {

// Multiplies Q + iU by exp(2 i angle), an angle in radians.
inline void turnStokes(double angle, double& q, double& u) {
    const double c = std::cos(2.0 * angle), s = std::sin(2.0 * angle);
    const double oldQ = q, oldU = u;
    q = c * oldQ - s * oldU;
    u = s * oldQ + c * oldU;
}

// Whether header cards of 80 columns state the IAU convention of U (POLCCONV).
inline bool statesIau(const std::vector<std::string>& cards) {
    for (const std::string& card : cards)
        if (card.starts_with("POLCCONV")) return card.find("'IAU") != std::string::npos;
    return false;
}

// Line for the user on the convention of an image's U.
inline std::string_view conventionOfU(bool isIau) {
    return isIau ? "Q and U in IAU convention (POLCCONV)"
                 : "U taken in COSMO convention; a card POLCCONV = 'IAU' in the image states the "
                   "other";
}

// Notes the sign of a U that the result holds in COSMO convention and the file in IAU.
inline void noteConvention(const HealpixMap& map, int field,
                           const std::function<void(const std::string&)>& note) {
    const std::string& name = map.field(field).name;
    if (note && map.metadata().iauOnDisk && stokesParameter(name) == 'U')
        note(name + " in COSMO convention, with the opposite sign of the file (POLCCONV = IAU)");
}

// Header card of the convention of Q and U in memory, and so in images.
inline std::string cosmoCard() {
    std::string card = "POLCCONV= 'COSMO   '           / Q and U: HEALPix convention";
    card.resize(80, ' ');
    return card;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "passes/pixel_anchor.h"

#include <algorithm>
#include <cmath>

namespace armilla {

namespace {

// Nearer to a pole than this, azimuths count from longitude 0. A pixel there spans so much
// longitude that single precision suffices, and the anchor's own azimuth is nearly undefined.
constexpr double kPoleCap = 0.1;

}  // namespace

SplitNumber::SplitNumber(double value) {
    const double floor = std::floor(value);
    whole = static_cast<int>(floor);
    part = static_cast<float>(value - floor);
}

PixelAnchor::PixelAnchor(int64_t nsideOfMap, Vec3 direction) {
    const auto n = static_cast<double>(nsideOfMap);
    const double s = std::sqrt(direction.x * direction.x + direction.y * direction.y);
    double shareExact = 0.0;
    if (s > kPoleCap) {
        azimuth[0] = static_cast<float>(direction.x / s);
        azimuth[1] = static_cast<float>(direction.y / s);
        base[0] = static_cast<float>(s);
        double quarters = std::atan2(direction.y, direction.x) * (2.0 / kPi);
        if (quarters < 0.0) quarters += 4.0;
        quarter = std::min(3, static_cast<int>(quarters));
        shareExact = quarters - quarter;
    } else {
        base[0] = static_cast<float>(direction.x);
        base[1] = static_cast<float>(direction.y);
    }
    const double distance = s * std::sqrt(3.0 / (1.0 + std::fabs(direction.z)));
    nside = static_cast<float>(nsideOfMap);
    z = static_cast<float>(direction.z);
    share = static_cast<float>(shareExact);
    ringDistance = static_cast<float>(distance);
    rings = SplitNumber(n * distance);
    west = SplitNumber(n * shareExact * distance);
    ascending = SplitNumber(n * (shareExact + 0.5 + 0.75 * direction.z));
    descending = SplitNumber(n * (shareExact + 0.5 - 0.75 * direction.z));
}

void PixelAnchor::set(gl::Program& program) const {
    glUniform2fv(program.uniform("anchor.azimuth"), 1, azimuth);
    glUniform2fv(program.uniform("anchor.base"), 1, base);
    program.set("anchor.z", z);
    program.set("anchor.share", share);
    program.set("anchor.ringDistance", ringDistance);
    program.set("anchor.ringsPart", rings.part);
    program.set("anchor.westPart", west.part);
    glUniform2f(program.uniform("anchor.diagonalsPart"), ascending.part, descending.part);
    program.set("anchor.nside", nside);
    program.set("anchor.quarter", quarter);
    program.set("anchor.rings", rings.whole);
    program.set("anchor.west", west.whole);
    glUniform2i(program.uniform("anchor.diagonals"), ascending.whole, descending.whole);
}

}  // namespace armilla

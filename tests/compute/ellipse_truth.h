// SPDX-License-Identifier: GPL-3.0-or-later
// Elliptical beams by their definition, in long double.
#pragma once

#include <cmath>

#include "armilla/ops/elliptical_beam.h"
#include "compute/row_sums_truth.h"

namespace armilla::test {

// From the directions of both points: components along north and east at the target give the
// direction, the arc between the points the distance.
inline PairKernel ellipseTruth(const EllipticalBeam& beam) {
    const Long widths = std::sqrt(8 * std::log(Long{2}));
    const Long major = beam.major / widths, minor = beam.minor / widths, angle = beam.angle;
    const Long last = -std::log(Long{3e-7});
    const auto pair = [=](const RowSample& p, const RowSample& q) {
        const Long st = std::sin(p.theta), ct = std::cos(p.theta);
        const Long sp = std::sin(p.phi), cp = std::cos(p.phi);
        const Long x = std::sin(q.theta) * std::cos(q.phi), y = std::sin(q.theta) * std::sin(q.phi);
        const Long z = std::cos(q.theta);
        const Long north = -ct * cp * x - ct * sp * y + st * z, east = -sp * x + cp * y;
        const Long r = 2 * std::sin(distance(p, q) / 2), chi = std::atan2(east, north);
        const Long u = r * std::cos(chi - angle) / major, v = r * std::sin(chi - angle) / minor;
        const Long exponent = (u * u + v * v) / 2;
        return exponent <= last ? std::exp(-exponent) / (2 * kLongPi * major * minor * (1 - 3e-7L))
                                : Long{0};
    };
    return [pair](const RowSample& target, const std::vector<RowSample>& sources) {
        std::vector<Long> values;
        for (const RowSample& source : sources) values.push_back(pair(target, source));
        return values;
    };
}

}  // namespace armilla::test

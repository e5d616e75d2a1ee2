// SPDX-License-Identifier: GPL-3.0-or-later
// Rules by which a row of a catalog has a position and a weight. Host and device.
#pragma once

#include <cmath>

#include "armilla/core/hd.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

namespace detail {

// isPlace() and isFillValue() of armilla/core/table.h.
ARMILLA_HD inline bool isPlaceOnSky(double lon, double lat) {
    // A pole in single precision exceeds 90 degrees by rounding; 1e-6 covers that.
    return std::fabs(lat) <= kHalfPi * (1.0 + 1e-6) && std::fabs(lon) <= 4.0 * kPi * (1.0 + 1e-6);
}
ARMILLA_HD inline bool isNinesAlone(double value) {
    const double size = std::fabs(value);
    for (double power = 100.0; power < 1e10; power *= 10.0)
        if (size == power - 1.0) return true;
    return false;
}

}  // namespace detail

enum class RowVerdict { Kept, Skipped, Refused };
// Verdict on a row for counts of pairs. The units are radians per unit of `lon` and of `lat`.
ARMILLA_HD inline RowVerdict verdictOn(double lon, double lat, double weight, double lonUnit,
                                       double latUnit) {
    if (lon != lon || lat != lat) return RowVerdict::Skipped;
    if (lon - lon != 0.0) return RowVerdict::Refused;
    if (!detail::isPlaceOnSky(lon * lonUnit, lat * latUnit) ||
        (weight < 0.0 && detail::isNinesAlone(weight)))
        return RowVerdict::Skipped;
    return weight >= 0.0 && weight - weight == 0.0 ? RowVerdict::Kept : RowVerdict::Refused;
}

}  // namespace armilla

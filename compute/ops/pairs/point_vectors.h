// SPDX-License-Identifier: GPL-3.0-or-later
// Unit vectors of positions: one set of formulas, so that host and device give the same bits. Only
// code that contracts no products and sums into fused steps may include this file.
#pragma once

#include <cmath>
#include <cstdint>

#include "armilla/core/hd.h"
#include "armilla/core/sky_vector.h"
#include "pairs/rotation.h"

namespace armilla {

struct SinCos {
    double sin, cos;
};

// Sine and cosine for |x| up to pi/4, within 2 roundoffs. The coefficients of the polynomials are
// those of fdlibm (Sun Microsystems, 1993), k_sin.c and k_cos.c.
ARMILLA_HD inline SinCos sinCosNearZero(double x) {
    const double z = x * x, w = z * z;
    const double sine = 8.33333333332248946124e-03 +
                        z * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06) +
                        z * w * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10);
    const double cosine = z * (4.16666666666666019037e-02 +
                               z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05)) +
                          w * w *
                              (-2.75573143513906633035e-07 +
                               z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
    const double half = 0.5 * z, rest = 1.0 - half;
    return {x + z * x * (-1.66666666666666324348e-01 + z * sine),
            rest + (((1.0 - rest) - half) + z * cosine)};
}

// Sine and cosine of an angle in units with `quarter` per 90 degrees, for which the reduction by
// whole quarters is exact. `quarter` is 0 for radians.
ARMILLA_HD inline SinCos sinCosOf(double value, double quarter) {
    double turns = 0.0, x = 0.0;
    if (quarter == 0.0) {
        constexpr double kMost = 1e5;  // radians; 2^17 quarters times 33 bits are exact
        if (std::fabs(value) > kMost) return {std::sin(value), std::cos(value)};
        turns = std::nearbyint(value / kHalfPi);
        // 33 bits of pi/2, and the remainder.
        x = (value - turns * 1.57079632673412561417e+00) - turns * 6.07710050650619224932e-11;
    } else {
        if (std::fabs(value) > 1e6 * quarter) value = std::fmod(value, 4.0 * quarter);
        turns = std::nearbyint(value / quarter);
        x = (value - turns * quarter) * (kHalfPi / quarter);
    }
    const SinCos at = sinCosNearZero(x);
    switch (static_cast<int64_t>(turns) & 3) {
        case 0: return at;
        case 1: return {at.cos, -at.sin};
        case 2: return {-at.sin, -at.cos};
        default: return {-at.cos, at.sin};
    }
}

ARMILLA_HD inline Vec3 pointVector(double lon, double lonQuarter, double lat, double latQuarter) {
    const SinCos l = sinCosOf(lon, lonQuarter), b = sinCosOf(lat, latQuarter);
    return {b.cos * l.cos, b.cos * l.sin, b.sin};
}

// The rotated vector, each coordinate within 0.5 roundoffs of its length: a compensated dot product
// (T. Ogita, S. M. Rump & S. Oishi 2005, Dot2). std::fma rounds once, on host and device.
ARMILLA_HD inline Vec3 turned(const FineRotation& by, Vec3 v) {
    const double from[3] = {v.x, v.y, v.z};
    double to[3];
    for (int row = 0; row < 3; ++row) {
        double sum = 0.0, rest = 0.0;
        for (int i = 0; i < 3; ++i) {
            const double entry = by.high[3 * row + i], product = entry * from[i];
            const double next = sum + product, part = next - sum;
            rest += ((sum - (next - part)) + (product - part)) +
                    (std::fma(entry, from[i], -product) + by.low[3 * row + i] * from[i]);
            sum = next;
        }
        to[row] = sum + rest;
    }
    return {to[0], to[1], to[2]};
}

}  // namespace armilla

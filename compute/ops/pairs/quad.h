// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of 113 bits for comparisons that 53 bits leave in doubt. The compiler provides the
// arithmetic, this file the few functions that pair counts need. Slow (1 us per function call) and
// rarely used.
#pragma once

#include <cstdint>
#include <string_view>

#include "armilla/core/sky_vector.h"

namespace armilla {

// Platforms without this type (ARM) have a 128-bit long double.
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Quad;
#else
using Quad = long double;
#endif

inline Quad quadAbs(Quad x) {
    return x < Quad(0) ? -x : x;
}
Quad quadPi();
Quad quadSqrt(Quad x);
Quad quadExp(Quad x);
Quad quadLog(Quad x);  // x > 0
struct QuadSinCos {
    Quad sin, cos;
};
// Sine and cosine of an angle in degrees, reduced exactly to [-45, 45]: multiples of 90 degrees
// give 0 and 1 exactly. Relative error 1e-33 each.
QuadSinCos quadSinCosDegrees(Quad degrees);
// The value of a decimal such as "0.01" or "1e4", to 1e-33 relative. Throws InvalidArgument for
// other text.
Quad quadFromText(std::string_view text);

struct QuadVector {
    Quad x, y, z;
};
inline QuadVector operator-(const QuadVector& a, const QuadVector& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline QuadVector operator+(const QuadVector& a, const QuadVector& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Quad squaredNorm(const QuadVector& a) {
    return a.x * a.x + a.y * a.y + a.z * a.z;
}
inline QuadVector quadDirection(Quad lonDegrees, Quad latDegrees) {
    const QuadSinCos lon = quadSinCosDegrees(lonDegrees), lat = quadSinCosDegrees(latDegrees);
    return {lat.cos * lon.cos, lat.cos * lon.sin, lat.sin};
}
// A rotation of double precision whose rows are first made orthonormal to 113 bits, so that the
// rotation preserves angles.
class QuadRotation {
public:
    explicit QuadRotation(const Mat3& matrix);
    QuadVector operator()(const QuadVector& v) const;
    const QuadVector& row(int i) const { return rows_[i]; }

private:
    QuadVector rows_[3];
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Directions, rotations and the three celestial frames. Host and device.
#pragma once

#include <cmath>
#include <string_view>

#include "armilla/core/hd.h"

namespace armilla {

// Mathematical constants and units of angle, radians.
inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kTwoPi = 2.0 * kPi;
inline constexpr double kHalfPi = 0.5 * kPi;
inline constexpr double kDegree = kPi / 180.0;
inline constexpr double kArcmin = kDegree / 60.0;
inline constexpr double kArcsec = kDegree / 3600.0;

// A vector in a right-handed celestial frame: x to (lon 0, lat 0), z to the north pole.
struct Vec3 {
    double x = 0.0, y = 0.0, z = 0.0;
};
ARMILLA_HD inline Vec3 operator+(Vec3 a, Vec3 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
ARMILLA_HD inline Vec3 operator-(Vec3 a, Vec3 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
ARMILLA_HD inline Vec3 operator*(double s, Vec3 a) {
    return {s * a.x, s * a.y, s * a.z};
}
ARMILLA_HD inline double dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
ARMILLA_HD inline Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
ARMILLA_HD inline double norm(Vec3 a) {
    return std::sqrt(dot(a, a));
}
// The unit vector along `a`, which must not be 0.
ARMILLA_HD inline Vec3 normalized(Vec3 a) {
    return (1.0 / norm(a)) * a;
}
// Angle between two directions in radians, accurate at 0 and at pi.
ARMILLA_HD inline double angularDistance(Vec3 a, Vec3 b) {
    return std::atan2(norm(cross(a, b)), dot(a, b));
}

// Longitude and latitude in radians; longitude in [0, 2 pi) when made by `lonLat`.
struct LonLat {
    double lon = 0.0, lat = 0.0;
};
// Unit vector of a longitude and latitude.
ARMILLA_HD inline Vec3 direction(LonLat p) {
    const double c = std::cos(p.lat);
    return {c * std::cos(p.lon), c * std::sin(p.lon), std::sin(p.lat)};
}
// Longitude and latitude of a vector of any length except 0.
ARMILLA_HD inline LonLat lonLat(Vec3 v) {
    double lon = std::atan2(v.y, v.x);
    if (lon < 0.0) lon += kTwoPi;
    if (lon >= kTwoPi) lon = 0.0;
    return {lon, std::atan2(v.z, std::sqrt(v.x * v.x + v.y * v.y))};
}

// Row-major 3x3 matrix; every matrix that the program makes is a proper rotation.
struct Mat3 {
    double m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
};
ARMILLA_HD inline Vec3 operator*(const Mat3& r, Vec3 v) {
    return {r.m[0] * v.x + r.m[1] * v.y + r.m[2] * v.z, r.m[3] * v.x + r.m[4] * v.y + r.m[5] * v.z,
            r.m[6] * v.x + r.m[7] * v.y + r.m[8] * v.z};
}
ARMILLA_HD inline Mat3 operator*(const Mat3& a, const Mat3& b) {
    Mat3 c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            c.m[3 * i + j] =
                a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
    return c;
}
// The transposed matrix: the inverse of a rotation.
ARMILLA_HD inline Mat3 transposed(const Mat3& a) {
    return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}

// The celestial frames of HEALPix files (COORDSYS G, E, C). Equatorial is ICRS; ecliptic is the
// mean ecliptic of J2000.0. healpy takes C as FK5 J2000, which differs from ICRS by 32 mas.
enum class Frame { Unknown, Galactic, Ecliptic, Equatorial };

// The rotation from frame `from` to frame `to`. Two unknown frames give the identity. Throws
// InvalidArgument if exactly one is unknown.
Mat3 frameRotation(Frame to, Frame from);
// "Galactic", "ecliptic", "equatorial (ICRS)" or "frame unknown": the full name for the screen.
std::string_view frameName(Frame frame);
// 'G', 'E', 'C', or 0 for Unknown.
char frameLetter(Frame frame);
// The frame of a text, with surrounding blanks and in any case: G, E, C, Q (equatorial), the words
// galactic, ecliptic, equatorial, celestial, icrs, fk5, j2000, and short forms of other programs
// (GAL, ECL, EQU, CEL, eq_FK5). Unknown for all other text.
Frame frameFromText(std::string_view text);

}  // namespace armilla

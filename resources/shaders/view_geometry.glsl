// SPDX-License-Identifier: GPL-3.0-or-later
// The twin of compute/core/include/core/view_geometry.h. The host defines PROJECTION and the names
// of all projections. By default this file maps image pixels to directions, and must follow
// pixel_geometry.glsl; with PLANE_FROM_DIRECTION it maps directions to the plane.

uniform float eastSign;       // +1 if east is to the right

#ifndef PLANE_FROM_DIRECTION

// Three texels per image row, computed by the host in double precision with the C++ planeRow():
// - inside, y, sinLat, 1 - cosLat
// - quarter turns of longitude per image pixel, as a number of few digits and the remainder; half
//   width in image pixels; shear
// - stretch
// Only Mollweide and Cartesian use more than the first two numbers.
uniform sampler2D rowTable;
uniform float radiansPerPixel;
uniform float middleColumn;   // column whose x is 0

struct PlaneRow {
    bool inside;
    float y, sinLat, versineLat;
    float lonPerColumn, lonPerColumnRest, halfWidth, shear, stretch;
};

PlaneRow planeRow(int row) {
    vec4 first = texelFetch(rowTable, ivec2(0, row), 0);
    vec4 second = texelFetch(rowTable, ivec2(1, row), 0);
    vec4 third = texelFetch(rowTable, ivec2(2, row), 0);
    return PlaneRow(first.x > 0.5, first.y, first.z, first.w, second.x, second.y, second.z, second.w,
                    third.x);
}

// The direction of an image pixel as its difference from the middle of the projection, (1, 0, 0) in
// the view frame; `column` counts from middleColumn. False outside the sky.
bool directionFromRow(PlaneRow row, float column, out vec3 difference) {
    difference = vec3(0.0);
    if (!row.inside) return false;
    float x = column * radiansPerPixel;
    float y = row.y;
    float east = eastSign * x;
#if PROJECTION == MOLLWEIDE || PROJECTION == CARTESIAN
    if (abs(column) > row.halfWidth) return false;
    // The first factor has so few digits that the product and its integer part are exact.
    float coarse = column * row.lonPerColumn;
    float whole = floor(coarse + 0.5);
    float sine, cosine, versine;
    sinCosQuarters(whole, (coarse - whole) + column * row.lonPerColumnRest, sine, cosine, versine);
    float cosLat = 1.0 - row.versineLat;
    difference = vec3(-row.versineLat * cosine - versine, eastSign * cosLat * sine, row.sinLat);
#elif PROJECTION == GNOMONIC
    float r2 = x * x + y * y;
    float secant = sqrt(1.0 + r2);
    float scale = 1.0 / secant;
    difference = vec3(-r2 / (secant * (1.0 + secant)), scale * east, scale * y);
#elif PROJECTION == ORTHOGRAPHIC
    float r2 = x * x + y * y;
    if (r2 > 1.0) return false;
    difference = vec3(-r2 / (1.0 + sqrt(1.0 - r2)), east, y);
#elif PROJECTION == LAMBERT
    float r2 = x * x + y * y;
    if (r2 > 4.0) return false;
    float scale = sqrt(1.0 - 0.25 * r2);
    difference = vec3(-0.5 * r2, scale * east, scale * y);
#elif PROJECTION == HAMMER
    float r2 = 0.25 * x * x + y * y;
    if (r2 > 2.0) return false;
    float scale = sqrt(1.0 - 0.25 * r2);
    float forward = 1.0 - 0.5 * r2, sideways = 0.5 * scale * east, up = scale * y;
    float cosLat = length(vec2(forward, sideways));
    float turn = cosLat > 0.0 ? sideways / cosLat : 0.0;
    difference = vec3(-up * up / (1.0 + cosLat) - 2.0 * sideways * turn, 2.0 * forward * turn, up);
#else
#error directionFromRow lacks this projection
#endif
    return true;
}

// footprintScale of the C++ twin: the largest angle on the sky per plane unit, radians.
float footprintScale(PlaneRow row, float column, vec3 difference) {
    float toward = 1.0 + difference.x;
#if PROJECTION == MOLLWEIDE
    float a2 = row.stretch * row.stretch;
    float b = row.shear * kQuarterTurn * (row.lonPerColumn + row.lonPerColumnRest) * column;
    float sum = a2 + b * b + 1.0 / a2;
    return min(sqrt(0.5 * (sum + sqrt(max(0.0, sum * sum - 4.0)))), 1e3);
#elif PROJECTION == GNOMONIC
    return toward;
#elif PROJECTION == ORTHOGRAPHIC
    return 1.0 / max(toward, 1e-3);
#elif PROJECTION == CARTESIAN
    return 1.0;
#elif PROJECTION == LAMBERT
    return min(sqrt(2.0 / max(1.0 + toward, 2e-6)), 1e3);
#elif PROJECTION == HAMMER
    float x = column * radiansPerPixel;
    float r2 = 0.25 * x * x + row.y * row.y;
    float scale = sqrt(max(0.0, 1.0 - 0.25 * r2));
    float forward = max(0.0, 1.0 - 0.5 * r2), sideways = 0.5 * scale * x, s = scale * row.y;
    float c = length(vec2(forward, sideways));
    float sine = c > 0.0 ? sideways / c : 1.0, cosine = c > 0.0 ? forward / c : 0.0;
    float d2 = 1.0 + forward;
    vec4 parts = vec4(cosine + 0.5 * c * sine * sine / d2, s * sine * (d2 + 1.0) / d2,
                      0.25 * s * sine / d2, c + 0.5 * s * s * cosine / d2);
    float sum = 2.0 / d2 * dot(parts, parts);
    return min(sqrt(0.5 * (sum + sqrt(max(0.0, sum * sum - 4.0)))), 1e3);
#else
#error footprintScale lacks this projection
#endif
}

// pyramidLevel of the C++ twin: a level and, with weight `blend`, the next coarser one.
int pyramidLevel(float footprint, float nside, int levels, out float blend) {
    blend = 0.0;
    float exact = log2(footprint * nside * 1.38197659789);  // sqrt(2) / sqrt(pi / 3)
    if (!(exact > 0.0)) return 0;
    if (exact >= float(levels - 1)) return levels - 1;
    int level = int(exact);
    blend = exact - float(level);
    return level;
}

float blendedValue(float fine, float coarse, float blend) {
    if (isnan(fine)) return blend < 0.5 ? fine : coarse;
    return fine + (coarse - fine) * blend;
}

#else

const float kPi = 3.14159265359, kRoot2 = 1.41421356237;

// atan with a small relative error near 0, where a graphics card may guarantee only an absolute one.
float arc(float y, float x) {
    float t = y / x;
    if (x > 0.0 && abs(t) < 0.1) {
        float t2 = t * t;
        return t * (1.0 - t2 * (1.0 / 3.0 - t2 * (0.2 - t2 / 7.0)));
    }
    return atan(y, x);
}

// Mollweide's auxiliary angle from sin(latitude): 2 g + sin(2 g) = pi z. For small z its sine is z
// times a polynomial of z^2 (Chebyshev on [0, 1/2], relative error 7e-9), accurate in all digits near
// the middle. Near the poles, where the equation is singular, it is solved for the angle from the
// pole.
void mollweideAngle(float z, float versine, out float sine, out float cosine) {
    if (abs(z) < 0.7) {
        float w = z * z;
        sine = z * (0.785398159 + w * (0.0807465856 + w * (0.0323318637 + w * (0.0186883737 +
               w * (0.00691237534 + w * (0.0267595897 + w * (w * 0.0375234398 - 0.0306182837)))))));
        cosine = sqrt(1.0 - sine * sine);
        return;
    }
    // t - sin(t) = pi u with u = 1 - |z|.
    float target = kPi * versine;
    float w = pow(6.0 * target, 1.0 / 3.0);
    float w2 = w * w;
    float t = w * (1.0 + w2 * (1.0 / 60.0 + w2 * (1.0 / 1400.0 + w2 / 25200.0)));
    sine = cos(0.5 * t);
    if (z < 0.0) sine = -sine;
    cosine = sin(0.5 * t);
}

// planeFromDirection of the C++ twin; `d` is the difference of the direction from (1, 0, 0).
bool planeFromDirection(vec3 d, out vec2 plane) {
    float x = 1.0 + d.x;
    plane = vec2(0.0);
#if PROJECTION == MOLLWEIDE
    float sine, cosine;
    mollweideAngle(d.z, (x * x + d.y * d.y) / (1.0 + abs(d.z)), sine, cosine);
    plane = vec2(eastSign * 2.0 * kRoot2 / kPi * arc(d.y, x) * cosine, kRoot2 * sine);
#elif PROJECTION == GNOMONIC
    if (x < 1e-6) return false;
    plane = vec2(eastSign * d.y, d.z) / x;
#elif PROJECTION == ORTHOGRAPHIC
    if (x < 0.0) return false;
    plane = vec2(eastSign * d.y, d.z);
#elif PROJECTION == CARTESIAN
    plane = vec2(eastSign * arc(d.y, x), arc(d.z, length(vec2(x, d.y))));
#elif PROJECTION == LAMBERT
    float s2 = d.y * d.y + d.z * d.z;
    float scale = x >= 0.0 ? sqrt(2.0 / (1.0 + x)) : sqrt(2.0 * (1.0 - x) / max(s2, 1e-12));
    plane = scale * vec2(eastSign * d.y, d.z);
#elif PROJECTION == HAMMER
    float cosLat = length(vec2(x, d.y));
    float larger = sqrt(0.5 * cosLat * (cosLat + abs(x)));
    float smaller = larger > 0.0 ? 0.5 * cosLat * abs(d.y) / larger : 0.0;
    float forward = x >= 0.0 ? larger : smaller;
    float sideways = (x >= 0.0 ? smaller : larger) * (d.y < 0.0 ? -1.0 : 1.0);
    plane = sqrt(2.0 / (1.0 + forward)) * vec2(eastSign * 2.0 * sideways, d.z);
#else
#error planeFromDirection lacks this projection
#endif
    return true;
}

#endif

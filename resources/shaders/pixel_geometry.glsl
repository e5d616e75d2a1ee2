// SPDX-License-Identifier: GPL-3.0-or-later
// HEALPix pixel geometry in single precision: the twin of compute/core/include/core/pixel_geometry.h.
//
// Single precision alone cannot represent a direction to a pixel: 6e-8 rad are 0.1 % of a pixel at
// nside 8192, and cells that fill the window would jitter. Therefore a direction is given by its
// difference from the anchor, the direction at the middle of the projection. Every coordinate is the
// anchor's plus a small difference; the host computes the anchor's in double precision and splits it
// into an integer and a fractional part. Errors decrease with the distance from the anchor, where
// deep views look. Angles around the axis are in quarter turns, whose integer parts are exact.

struct PixelAnchor {
    vec2 azimuth;         // horizontal unit vector of azimuth 0
    vec2 base;            // the anchor's horizontal part: along azimuth, and to the east of it
    float z;
    float share;          // azimuth's longitude in quarter turns, minus `quarter`
    float ringDistance;   // sqrt(3 (1 - |z|))
    float ringsPart;      // nside * ringDistance, fractional part
    float westPart;       // nside * share * ringDistance, fractional part
    vec2 diagonalsPart;   // nside * (share + 1/2 +- 3/4 z), fractional parts
    float nside;
    int quarter, rings, west;  // integer parts
    ivec2 diagonals;
};

uniform PixelAnchor anchor;

const float kQuarterTurn = 1.57079632679489662;

// Sine, cosine and 1 - cosine of (whole + rest) quarter turns, |rest| <= 1/2 up to rounding. Taylor
// series on an eighth of a turn; the first omitted terms are below 2e-9.
void sinCosQuarters(float whole, float rest, out float sine, out float cosine, out float versine) {
    float a = rest * kQuarterTurn;
    float a2 = a * a;
    float s = a * (1.0 + a2 * (-1.0 / 6.0 +
                   a2 * (1.0 / 120.0 + a2 * (-1.0 / 5040.0 + a2 / 362880.0))));
    // A series of its own, which keeps its accuracy near 0.
    float v = a2 * (0.5 + a2 * (-1.0 / 24.0 +
                    a2 * (1.0 / 720.0 + a2 * (-1.0 / 40320.0 + a2 / 3628800.0))));
    float c = 1.0 - v;
    int turn = int(whole) & 3;
    bool odd = (turn & 1) == 1;
    sine = odd ? c : s;
    cosine = odd ? s : c;
    if (turn >= 2) sine = -sine;
    if (turn == 1 || turn == 2) cosine = -cosine;
    versine = turn == 0 ? v : 1.0 - cosine;
}

// atan2 in quarter turns, in [-2, 2]. Chebyshev fit of atan(t) / t on [0, tan(pi / 8)]: 1.5e-10.
float atanQuarters(float y, float x) {
    float ax = abs(x), ay = abs(y);
    float large = max(ax, ay), small = min(ax, ay);
    bool reduced = small > 0.41421356 * large;
    float t = large == 0.0 ? 0.0 : reduced ? (small - large) / (small + large) : small / large;
    float t2 = t * t;
    float angle = t * (0.63661977198 + t2 * (-0.21220642629 + t2 * (0.12731256406 +
                  t2 * (-0.09065454684 + t2 * (0.06730862742 - t2 * 0.03840880952)))));
    if (reduced) angle += 0.5;
    if (ay > ax) angle = 1.0 - angle;
    if (x < 0.0) angle = 2.0 - angle;
    return y < 0.0 ? -angle : angle;
}

// faceFromDiagonals of the C++ twin: the face pixel at the crossing of two diagonals of the belt.
ivec3 faceFromDiagonals(int nside, int quarter, ivec2 diagonals) {
    bool beyondAscending = diagonals.x >= nside;
    bool beyondDescending = diagonals.y >= nside;
    int face = 4 + quarter;
    if (beyondAscending)
        face = beyondDescending ? 4 + ((quarter + 1) & 3) : quarter;
    else if (beyondDescending)
        face = 8 + quarter;
    return ivec3(beyondAscending ? diagonals.x - nside : diagonals.x,
                 nside - 1 - (beyondDescending ? diagonals.y - nside : diagonals.y), face);
}

// x, y and face of the pixel that contains the direction anchor + difference.
ivec3 faceFromDirection(vec3 difference) {
    int nside = int(anchor.nside);
    float z = anchor.z + difference.z;
    float along = anchor.base.x + dot(anchor.azimuth, difference.xy);
    float aside = anchor.base.y + anchor.azimuth.x * difference.y - anchor.azimuth.y * difference.x;
    float turned = atanQuarters(aside, along);
    int quarters = int(floor(anchor.share + turned));
    int quarter = (anchor.quarter + quarters) & 3;

    if (abs(z) <= 2.0 / 3.0) {
        vec2 moved = anchor.nside * vec2(turned + 0.75 * difference.z, turned - 0.75 * difference.z);
        vec2 whole = floor(moved);
        ivec2 diagonals = anchor.diagonals + ivec2(whole) +
                          ivec2(floor(anchor.diagonalsPart + (moved - whole))) - quarters * nside;
        return faceFromDiagonals(nside, quarter, clamp(diagonals, 0, 2 * nside - 1));
    }

    float rings = sqrt(3.0 * (along * along + aside * aside) / (1.0 + abs(z)));
    bool sameCap = z * anchor.z > 0.0;
    float sum = rings + anchor.ringDistance;
    float change = rings;
    if (sameCap) change = sum > 0.0 ? -3.0 * sign(z) * difference.z / sum : 0.0;
    float movedRings = anchor.nside * change;
    float wholeRings = floor(movedRings);
    float movedWest = anchor.nside * (anchor.share * change + turned * rings);
    float wholeWest = floor(movedWest);
    int ringsWhole = int(wholeRings) + (sameCap ? anchor.rings : 0);
    float ringsPart = movedRings - wholeRings + (sameCap ? anchor.ringsPart : 0.0);
    int westWhole = int(wholeWest) + (sameCap ? anchor.west : 0) - quarters * ringsWhole;
    float westPart = movedWest - wholeWest + (sameCap ? anchor.westPart : 0.0) -
                     float(quarters) * ringsPart;
    int west = clamp(westWhole + int(floor(westPart)), 0, nside - 1);
    int east = clamp(ringsWhole - westWhole + int(floor(ringsPart - westPart)), 0, nside - 1);
    if (z > 0.0) return ivec3(nside - 1 - east, nside - 1 - west, quarter);
    return ivec3(west, east, quarter + 8);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// From image pixels to directions: the twin of compute/core/include/core/view_geometry.h.
// PROJECTION is defined by the host: 0 Mollweide, 1 gnomonic, 2 orthographic, 3 Cartesian, 4 Lambert.

// Three texels for each image row, made by the host in double precision with the C++ planeRow():
// (inside, y, sinLat, 1 - cosLat), (quarter turns of longitude per image pixel, as a number of few
// digits and the rest, half width in image pixels, shear), (stretch). All but the first two numbers
// are for Mollweide and Cartesian.
uniform sampler2D rowTable;
uniform float radiansPerPixel;
uniform float middleColumn;   // column whose x is 0
uniform float eastSign;       // +1 if east is to the right

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

// The direction of an image pixel as its difference from the middle of the projection, (1, 0, 0) of
// the view frame; `column` is counted from middleColumn. False outside the sky.
bool directionFromRow(PlaneRow row, float column, out vec3 difference) {
    difference = vec3(0.0);
    if (!row.inside) return false;
    float x = column * radiansPerPixel;
    float y = row.y;
    float east = eastSign * x;
#if PROJECTION == 0 || PROJECTION == 3
    if (abs(column) > row.halfWidth) return false;
    // The first factor has so few digits that the product is exact, and wholes come off exactly.
    float coarse = column * row.lonPerColumn;
    float whole = floor(coarse + 0.5);
    float sine, cosine, versine;
    sinCosQuarters(whole, (coarse - whole) + column * row.lonPerColumnRest, sine, cosine, versine);
    float cosLat = 1.0 - row.versineLat;
    difference = vec3(-row.versineLat * cosine - versine, eastSign * cosLat * sine, row.sinLat);
#elif PROJECTION == 1
    float r2 = x * x + y * y;
    float secant = sqrt(1.0 + r2);
    float scale = 1.0 / secant;
    difference = vec3(-r2 / (secant * (1.0 + secant)), scale * east, scale * y);
#elif PROJECTION == 2
    float r2 = x * x + y * y;
    if (r2 > 1.0) return false;
    difference = vec3(-r2 / (1.0 + sqrt(1.0 - r2)), east, y);
#else
    float r2 = x * x + y * y;
    if (r2 > 4.0) return false;
    float scale = sqrt(1.0 - 0.25 * r2);
    difference = vec3(-0.5 * r2, scale * east, scale * y);
#endif
    return true;
}

// As in C++: radians on the sky per plane unit, at most.
float footprintScale(PlaneRow row, float column, vec3 difference) {
    float toward = 1.0 + difference.x;
#if PROJECTION == 0
    float a2 = row.stretch * row.stretch;
    float b = row.shear * kQuarterTurn * (row.lonPerColumn + row.lonPerColumnRest) * column;
    float sum = a2 + b * b + 1.0 / a2;
    return min(sqrt(0.5 * (sum + sqrt(max(0.0, sum * sum - 4.0)))), 1e3);
#elif PROJECTION == 1
    return toward;
#elif PROJECTION == 2
    return 1.0 / max(toward, 1e-3);
#elif PROJECTION == 3
    return 1.0;
#else
    return min(sqrt(2.0 / max(1.0 + toward, 2e-6)), 1e3);
#endif
}

// As in C++: level and, with share `blend`, the next coarser one.
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

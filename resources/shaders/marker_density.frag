// SPDX-License-Identifier: GPL-3.0-or-later
// A picture of the density of markers in three steps; the formulas are those of
// draw/include/armilla/draw/marker_density.h. SPREAD: each pixel sums the counts in a disc. SUMS: each pixel sums
// the density, its square and the covered pixels of a square, repeated until one pixel is left.
// TONE: the color.

#ifdef SPREAD
uniform sampler2D counts;      // markers by pixel, with the margin
uniform int margin;
uniform int reach;
uniform float radius;          // of the disc, window pixels
out float density;

void main() {
    ivec2 middle = ivec2(gl_FragCoord.xy) + margin;
    density = 0.0;
    for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x)
            density += clamp(0.5 + radius - length(vec2(x, y)), 0.0, 1.0) *
                       texelFetch(counts, middle + ivec2(x, y), 0).r;
}
#endif

#ifdef SUMS
const int kSide = 8;           // side of the square of pixels that become one
uniform sampler2D parts;
uniform bool isFirst;          // the parts are densities
out vec4 sums;

void main() {
    ivec2 size = textureSize(parts, 0), corner = kSide * ivec2(gl_FragCoord.xy);
    ivec2 end = min(corner + kSide, size);
    sums = vec4(0.0);
    for (int y = corner.y; y < end.y; ++y)
        for (int x = corner.x; x < end.x; ++x) {
            vec4 part = texelFetch(parts, ivec2(x, y), 0);
            sums += isFirst ? vec4(part.r, part.r * part.r, float(part.r > 0.0), 0.0) : part;
        }
}
#endif

#ifdef TONE
const float kLeast = 0.2, kPeak = 4.0;
uniform sampler2D field;       // density
uniform sampler2D total;       // one pixel: sums of the picture
uniform vec2 corner;           // of the picture, window coordinates
uniform vec4 ink;              // alpha: opacity
out vec4 color;                // alpha premultiplied

void main() {
    float density = texelFetch(field, ivec2(gl_FragCoord.xy - corner), 0).r;
    if (density <= 0.0) discard;
    vec4 sums = texelFetch(total, ivec2(0), 0);
    float overPixels = sums.r / sums.b, overMarkers = sums.g / sums.r;
    float rise = asinh(density / overPixels) / asinh(kPeak * overMarkers / overPixels);
    float alpha = ink.a * min(density, 1.0) * (kLeast + (1.0 - kLeast) * min(rise, 1.0));
    color = vec4(ink.rgb * alpha, alpha);
}
#endif

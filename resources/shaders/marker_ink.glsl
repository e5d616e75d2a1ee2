// SPDX-License-Identifier: GPL-3.0-or-later
// One marker: the twin of markerInk in draw/src/marker_painter.cpp.

uniform int shape;         // value of MarkerShape
uniform float radius;      // radius of the marker in logical pixels
uniform float pixelRatio;  // window pixels per logical pixel
uniform vec4 ink;          // alpha: opacity
uniform float rims;        // share of the dark edge, 0 in a crowd (rimShare)

const float kEdge = 1.0, kHalfRoot2 = 0.707106781187;
const float kLeastAlpha = 1.0 / 512.0;

float inkDistance(vec2 at) {
    vec2 a = abs(at);
    float line = max(0.7, 0.09 * radius);
    if (shape == 0) return abs(length(at) - (radius - line)) - line;
    if (shape == 1) return length(at) - radius;
    if (shape == 2) return abs(max(a.x, a.y) - (0.88 * radius - line)) - line;
    if (shape == 3) return abs((a.x + a.y) * kHalfRoot2 - (0.80 * radius - line)) - line;
    if (shape == 4) return max(abs(a.x - a.y) * kHalfRoot2 - line, max(a.x, a.y) - 0.8 * radius);
    return max(min(a.x, a.y) - line, max(a.x, a.y) - radius);
}

// The color at an offset from the middle in logical pixels, alpha premultiplied.
vec4 markerColor(vec2 at) {
    float distance = inkDistance(at);
    float fill = clamp(0.5 - distance * pixelRatio, 0.0, 1.0) * ink.a;
    float rim = 0.55 * rims * clamp(0.5 - (distance - kEdge) * pixelRatio, 0.0, 1.0) * ink.a;
    return vec4(ink.rgb * fill, fill + rim * (1.0 - fill));
}

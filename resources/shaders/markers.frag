// SPDX-License-Identifier: GPL-3.0-or-later
// One marker: the twin of markerInk in render/src/marker_painter.cpp. With OWNERS one pixel, which
// says whose it is.

#ifdef OWNERS
flat in uint number;
out uint owner;

void main() {
    owner = number;
}
#else

uniform int shape;         // as MarkerShape
uniform float radius;      // of the marker, logical pixels
uniform float stampHalf;   // half the side of the point, logical pixels
uniform float pixelRatio;  // window pixels in a logical one
uniform vec4 ink;          // alpha: opacity
out vec4 color;            // alpha premultiplied

const float kRim = 1.0, kRoot2 = 1.41421356237;

float inkDistance(vec2 at) {
    vec2 a = abs(at);
    float line = max(0.7, 0.09 * radius);
    if (shape == 0) return abs(length(at) - (radius - line)) - line;
    if (shape == 1) return length(at) - radius;
    if (shape == 2) return abs(max(a.x, a.y) - (0.88 * radius - line)) - line;
    if (shape == 3) return abs((a.x + a.y) / kRoot2 - (0.80 * radius - line)) - line;
    if (shape == 4) return max(abs(a.x - a.y) / kRoot2 - line, max(a.x, a.y) - 0.8 * radius);
    return max(min(a.x, a.y) - line, max(a.x, a.y) - radius);
}

void main() {
    float distance = inkDistance((2.0 * gl_PointCoord - 1.0) * stampHalf);
    float fill = clamp(0.5 - distance * pixelRatio, 0.0, 1.0) * ink.a;
    float rim = 0.55 * clamp(0.5 - (distance - kRim) * pixelRatio, 0.0, 1.0) * ink.a;
    float alpha = fill + rim * (1.0 - fill);
    if (alpha < 1.0 / 512.0) discard;
    color = vec4(ink.rgb * fill, alpha);
}
#endif

// SPDX-License-Identifier: GPL-3.0-or-later
// One pixel of a marker; follows marker_ink.glsl. With COUNTS, one position.

#ifdef COUNTS
out float count;

void main() {
    count = 1.0;
}
#else
uniform float stampHalf;   // half the side of the point, logical pixels
out vec4 color;            // alpha premultiplied

void main() {
    color = markerColor((2.0 * gl_PointCoord - 1.0) * stampHalf);
    if (color.a < kLeastAlpha) discard;
}
#endif

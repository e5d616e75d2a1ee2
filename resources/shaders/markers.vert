// SPDX-License-Identifier: GPL-3.0-or-later
// Sky positions as points. Follows marker_place.glsl.

layout(location = 0) in vec3 place;      // unit vector, rounded to single precision
layout(location = 1) in vec3 placeRest;  // remainder of that rounding
uniform float pointSize;                 // diameter with the edge, window pixels

void main() {
    vec2 clip;
    gl_PointSize = pointSize;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // outside of the clip volume
    if (!clipFromPlace(place, placeRest, clip)) return;
#ifdef COUNTS
    // Pixel center: the same pixel after any rounding.
    clip = (floor(pixelFromClip(clip)) + 0.5) / pixels * 2.0 - 1.0;
#endif
    gl_Position = vec4(clip, 0.0, 1.0);
}

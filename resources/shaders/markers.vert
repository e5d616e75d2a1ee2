// SPDX-License-Identifier: GPL-3.0-or-later
// Sky positions as points. Follows marker_place.glsl.

layout(location = 0) in vec3 place;      // unit vector, rounded to single precision
layout(location = 1) in vec3 placeRest;  // remainder of that rounding
uniform float pointSize;                 // diameter with the edge, window pixels
#ifdef OWNERS
flat out uint number;                    // number of the position, from 1
#else
uniform bool hasOwners;
uniform usampler2D owners;               // the last position in each pixel
#endif

void main() {
    vec2 clip;
    gl_PointSize = pointSize;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // outside of the clip volume
    if (!clipFromPlace(place, placeRest, clip)) return;
    vec2 pixel = floor(pixelFromClip(clip));
#ifdef OWNERS
    number = uint(gl_VertexID) + 1u;
    clip = (pixel + 0.5) / pixels * 2.0 - 1.0;  // pixel center: the same pixel after any rounding
#else
    if (hasOwners && isInPicture(pixel) &&
        texelFetch(owners, ivec2(pixel), 0).r != uint(gl_VertexID) + 1u) return;
#endif
    gl_Position = vec4(clip, 0.0, 1.0);
}

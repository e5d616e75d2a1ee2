// SPDX-License-Identifier: GPL-3.0-or-later
// Places on the sky as points. Behind marker_place.glsl.

layout(location = 0) in vec3 place;      // unit vector, rounded to single precision
layout(location = 1) in vec3 placeRest;  // and what that leaves
uniform float pointSize;                 // across, with the rim, window pixels
#ifdef OWNERS
flat out uint number;                    // of the place, from 1
#else
uniform bool hasOwners;
uniform usampler2D owners;               // for each pixel the last place in it
#endif

void main() {
    vec2 clip;
    gl_PointSize = pointSize;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // outside of what is drawn
    if (!clipFromPlace(place, placeRest, clip)) return;
    vec2 pixel = floor(pixelFromClip(clip));
#ifdef OWNERS
    number = uint(gl_VertexID) + 1u;
    clip = (pixel + 0.5) / pixels * 2.0 - 1.0;  // its middle: the same pixel by any rounding
#else
    if (hasOwners && isInPicture(pixel) &&
        texelFetch(owners, ivec2(pixel), 0).r != uint(gl_VertexID) + 1u) return;
#endif
    gl_Position = vec4(clip, 0.0, 1.0);
}

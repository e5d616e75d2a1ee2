// SPDX-License-Identifier: GPL-3.0-or-later
// Places on the sky as points. Behind view_geometry.glsl, of which it takes planeFromDirection.

layout(location = 0) in vec3 place;      // unit vector, rounded to single precision
layout(location = 1) in vec3 placeRest;  // and what that leaves
uniform vec3 middle, middleRest;         // the direction at the middle of the projection, likewise
uniform mat3 viewFromSky;
uniform vec2 planeOffset;                // plane point at the middle of the image
uniform vec2 planeToClip;                // clip units in a plane unit
uniform float pointSize;                 // across, with the rim, window pixels

uniform vec2 pixels;                     // of the picture
#ifdef OWNERS
flat out uint number;                    // of the place, from 1
#else
uniform bool hasOwners;
uniform usampler2D owners;               // for each pixel the last place in it
#endif

void main() {
    vec2 plane;
    gl_PointSize = pointSize;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // outside of what is drawn
    if (!planeFromDirection(viewFromSky * ((place - middle) + (placeRest - middleRest)), plane)) return;
    vec2 clip = (plane - planeOffset) * planeToClip;
    vec2 pixel = floor((0.5 * clip + 0.5) * pixels);
#ifdef OWNERS
    number = uint(gl_VertexID) + 1u;
    clip = (pixel + 0.5) / pixels * 2.0 - 1.0;  // its middle: the same pixel by any rounding
#else
    if (hasOwners && all(greaterThanEqual(pixel, vec2(0.0))) && all(lessThan(pixel, pixels)) &&
        texelFetch(owners, ivec2(pixel), 0).r != uint(gl_VertexID) + 1u) return;
#endif
    gl_Position = vec4(clip, 0.0, 1.0);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Places on the sky as points. Behind view_geometry.glsl, of which it takes planeFromDirection.

layout(location = 0) in vec3 place;      // unit vector, rounded to single precision
layout(location = 1) in vec3 placeRest;  // and what that leaves
uniform vec3 middle, middleRest;         // the direction at the middle of the projection, likewise
uniform mat3 viewFromSky;
uniform vec2 planeOffset;                // plane point at the middle of the image
uniform vec2 planeToClip;                // clip units in a plane unit
uniform float pointSize;                 // across, with the rim, window pixels

void main() {
    vec2 plane;
    gl_PointSize = pointSize;
    if (planeFromDirection(viewFromSky * ((place - middle) + (placeRest - middleRest)), plane))
        gl_Position = vec4((plane - planeOffset) * planeToClip, 0.0, 1.0);
    else
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // outside of what is drawn
}

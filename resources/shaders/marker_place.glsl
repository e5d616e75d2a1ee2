// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of catalog rows in the picture. Follows view_geometry.glsl, which provides
// planeFromDirection. The picture here has a margin, so that markers extend into it from outside.

uniform vec3 middle, middleRest;  // direction at the middle of the projection: single precision
                                  // and its remainder
uniform mat3 viewFromSky;
uniform vec2 planeOffset;         // plane point at the middle of the image
uniform vec2 planeToClip;         // clip units per plane unit
uniform vec2 pixels;              // size of the picture with its margin

// False for directions that this projection cannot show.
bool clipFromPlace(vec3 place, vec3 placeRest, out vec2 clip) {
    vec2 plane;
    bool isThere =
        planeFromDirection(viewFromSky * ((place - middle) + (placeRest - middleRest)), plane);
    clip = (plane - planeOffset) * planeToClip;
    return isThere;
}

vec2 pixelFromClip(vec2 clip) {
    return (0.5 * clip + 0.5) * pixels;
}

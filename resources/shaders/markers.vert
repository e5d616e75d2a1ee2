// SPDX-License-Identifier: GPL-3.0-or-later
// Places on the sky as points. PROJECTION is defined by the host: 0 Mollweide, 1 gnomonic,
// 2 orthographic, 3 Cartesian, 4 Lambert.

layout(location = 0) in vec3 place;      // unit vector, rounded to single precision
layout(location = 1) in vec3 placeRest;  // and what that leaves
uniform vec3 middle, middleRest;         // the direction at the middle of the projection, likewise
uniform mat3 viewFromSky;
uniform float eastSign;                  // +1 if east is to the right
uniform vec2 planeOffset;                // plane point at the middle of the image
uniform vec2 planeToClip;                // clip units in a plane unit
uniform float pointSize;                 // across, with the rim, window pixels

const float kPi = 3.14159265359, kRoot2 = 1.41421356237;

// atan for arguments near 0 too, where a graphics card may keep an absolute error only.
float arc(float y, float x) {
    float t = y / x;
    if (x > 0.0 && abs(t) < 0.1) {
        float t2 = t * t;
        return t * (1.0 - t2 * (1.0 / 3.0 - t2 * (0.2 - t2 / 7.0)));
    }
    return atan(y, x);
}

// Mollweide's auxiliary angle from sin(latitude): 2 g + sin(2 g) = pi z. Solved for g itself where
// z is small, and for the angle from the pole near the poles, where the equation is singular.
void mollweideAngle(float z, float versine, out float sine, out float cosine) {
    if (abs(z) < 0.7) {
        float g = 0.785398163 * z;
        for (int i = 0; i < 4; ++i)
            g -= (2.0 * g + sin(2.0 * g) - kPi * z) / (2.0 + 2.0 * cos(2.0 * g));
        sine = sin(g);
        cosine = cos(g);
        return;
    }
    // t - sin(t) = pi u with u = 1 - |z|.
    float target = kPi * versine;
    float w = pow(6.0 * target, 1.0 / 3.0);
    float w2 = w * w;
    float t = w * (1.0 + w2 * (1.0 / 60.0 + w2 * (1.0 / 1400.0 + w2 / 25200.0)));
    sine = cos(0.5 * t);
    if (z < 0.0) sine = -sine;
    cosine = sin(0.5 * t);
}

// As planeFromDirection in C++; `d` is the difference of the direction from (1, 0, 0).
bool planeFromDirection(vec3 d, out vec2 plane) {
    float x = 1.0 + d.x;
    plane = vec2(0.0);
#if PROJECTION == 0
    float sine, cosine;
    mollweideAngle(d.z, (x * x + d.y * d.y) / (1.0 + abs(d.z)), sine, cosine);
    plane = vec2(eastSign * 2.0 * kRoot2 / kPi * arc(d.y, x) * cosine, kRoot2 * sine);
#elif PROJECTION == 1
    if (x < 1e-6) return false;
    plane = vec2(eastSign * d.y, d.z) / x;
#elif PROJECTION == 2
    if (x < 0.0) return false;
    plane = vec2(eastSign * d.y, d.z);
#elif PROJECTION == 3
    plane = vec2(eastSign * arc(d.y, x), arc(d.z, length(vec2(x, d.y))));
#else
    float s2 = d.y * d.y + d.z * d.z;
    float scale = x >= 0.0 ? sqrt(2.0 / (1.0 + x)) : sqrt(2.0 * (1.0 - x) / max(s2, 1e-12));
    plane = scale * vec2(eastSign * d.y, d.z);
#endif
    return true;
}

void main() {
    vec2 plane;
    gl_PointSize = pointSize;
    if (planeFromDirection(viewFromSky * ((place - middle) + (placeRest - middleRest)), plane))
        gl_Position = vec4((plane - planeOffset) * planeToClip, 0.0, 1.0);
    else
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // outside of what is drawn
}

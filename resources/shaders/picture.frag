// SPDX-License-Identifier: GPL-3.0-or-later
// An existing picture, scaled to the viewport: for coarse frames and for pictures by CUDA.
uniform sampler2D picture;     // alpha premultiplied
uniform vec4 viewport;         // x, y, width, height in window coordinates
out vec4 color;

void main() {
    color = texture(picture, (gl_FragCoord.xy - viewport.xy) / viewport.zw);
}

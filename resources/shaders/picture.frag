// SPDX-License-Identifier: GPL-3.0-or-later
// A picture made before, scaled to the viewport: coarse frames, and pictures made by CUDA.
uniform sampler2D picture;     // alpha premultiplied
uniform vec4 viewport;         // x, y, width, height in window coordinates
out vec4 color;

void main() {
    color = texture(picture, (gl_FragCoord.xy - viewport.xy) / viewport.zw);
}

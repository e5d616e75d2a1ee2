// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the density of many markers (marker_density.frag).
#pragma once

#include "gl/gl_program.h"
#include "passes/marker_pass.h"
#include "passes/offscreen_target.h"

namespace armilla {

class DensityPass {
public:
    DensityPass();
    // Finds the density of the markers in the picture. Binds framebuffers of its own, and sets the
    // viewport. `fullScreen`: a vertex array without data.
    void find(const MarkerDraw& what, MarkerPass& points, GLuint fullScreen);
    // Draws what find() has found into the bound framebuffer; (x, y): corner of the picture in
    // window coordinates. Viewport, scissors and blending must be set.
    void draw(const MarkerLook& look, int x, int y);

private:
    gl::Program spread_, sum_, tone_;
    OffscreenTarget counts_, density_;
    std::array<OffscreenTarget, 2> sums_;  // each level is made from the other
    GLuint total_ = 0;                     // texture of the last level
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the positions of a catalog as points, projected by the graphics card: any OpenGL 3.3.
#pragma once

#include <map>
#include <utility>

#include "gl/gl_program.h"
#include "passes/marker_place.h"
#include "passes/offscreen_target.h"

namespace armilla {

class MarkerPass {
public:
    // If a picture has more positions than pixels, most are hidden by others in the same pixel.
    // Finds the last one in each pixel, so that the next draw() of the same markers draws only
    // these. Binds a framebuffer of its own, and sets the viewport.
    void findOwners(const MarkerDraw& what);
    // Draws into the bound framebuffer, whose viewport is the picture with its margin; scissors and
    // blending must be set.
    void draw(const MarkerDraw& what);

private:
    enum class Use { Owners, Markers };
    // The program in use, with all uniforms for positions set.
    gl::Program& program(const MarkerDraw& what, Use use);
    std::map<std::pair<Projection, Use>, gl::Program> programs_;
    OffscreenTarget owners_{GL_R32UI};
    bool hasOwners_ = false;
};

}  // namespace armilla

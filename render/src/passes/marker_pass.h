// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the places of a catalog as points, projected by the graphics card: any OpenGL 3.3.
#pragma once

#include <map>
#include <utility>

#include "gl/gl_program.h"
#include "passes/marker_place.h"
#include "passes/offscreen_target.h"

namespace armilla {

class MarkerPass {
public:
    // Where more places share a picture than it has pixels, most of them lie under others in the
    // same pixel: finds the last one in each, which draw() then draws alone. For the next draw()
    // of the same; binds a framebuffer of its own, and sets the viewport.
    void findOwners(const MarkerDraw& what);
    // Into the bound framebuffer, whose viewport is that of the picture with its margin; scissors
    // and blending are set.
    void draw(const MarkerDraw& what);

private:
    enum class Use { Owners, Markers };
    // In use, with all that puts places into the picture.
    gl::Program& program(const MarkerDraw& what, Use use);
    std::map<std::pair<Projection, Use>, gl::Program> programs_;
    OffscreenTarget owners_{GL_R32UI};
    bool hasOwners_ = false;
};

}  // namespace armilla

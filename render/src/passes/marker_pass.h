// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the positions of a catalog as points, projected by the graphics card: any OpenGL 3.3.
#pragma once

#include <map>
#include <utility>

#include "gl/gl_program.h"
#include "passes/marker_place.h"

namespace armilla {

class MarkerPass {
public:
    // Counts the positions by pixel in the bound framebuffer of one number, of the size of the
    // picture with its margin. Sets the viewport and blending.
    void count(const MarkerDraw& what);
    // Draws into the bound framebuffer, whose viewport is the picture with its margin; scissors and
    // blending must be set.
    void draw(const MarkerDraw& what);

private:
    enum class Use { Counts, Markers };
    // The program in use, with all uniforms for positions set.
    gl::Program& program(const MarkerDraw& what, Use use);
    std::map<std::pair<Projection, Use>, gl::Program> programs_;
};

}  // namespace armilla

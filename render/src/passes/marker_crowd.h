// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing of many markers by compute shaders. The result equals MarkerPass after findOwners(), but
// each position is projected once, and each pixel is written once.
#pragma once

#include <map>
#include <tuple>

#include "gl/gl_program.h"
#include "passes/marker_place.h"
#include "passes/offscreen_target.h"

namespace armilla {

class MarkerCrowd {
public:
    // False for markers that are too large and for more positions than the shader supports;
    // MarkerPass draws these.
    static bool takes(const MarkerDraw& what);
    // The texture of a picture of the view's size, alpha premultiplied, for drawing over others.
    // Valid until the next call. Binds a framebuffer of its own, and sets the viewport. Requires
    // that gl::Program::whyNoCompute() is empty; throws DeviceError, OutOfMemory.
    GLuint paint(const MarkerDraw& what);

private:
    // Projection, and the limit of markers around a square of pixels: 0 for the step that finds
    // owners.
    using Key = std::tuple<Projection, int>;
    gl::Program& program(const MarkerDraw& what, int most);
    void findOwners(const MarkerDraw& what);
    std::map<Key, gl::Program> programs_;
    OffscreenTarget owners_{GL_R32UI}, layer_{GL_RGBA16F};
};

}  // namespace armilla

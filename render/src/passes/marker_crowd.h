// SPDX-License-Identifier: GPL-3.0-or-later
// A crowd of markers by compute shaders: those that MarkerPass draws behind findOwners(), but each
// place is projected once, and each pixel laid down once.
#pragma once

#include <map>
#include <tuple>

#include "gl/gl_program.h"
#include "passes/marker_place.h"
#include "passes/offscreen_target.h"

namespace armilla {

class MarkerCrowd {
public:
    // False for markers that are too large and for more places than the shader reaches, which stay
    // with MarkerPass.
    static bool takes(const MarkerDraw& what);
    // The texture of a picture of the view's size, alpha premultiplied, to be laid over others. It
    // stays until the next call. Binds a framebuffer of its own, and sets the viewport. Where
    // gl::Program::whyNoCompute() is empty; throws DeviceError, OutOfMemory.
    GLuint paint(const MarkerDraw& what);

private:
    // Projection, and most markers around a square of pixels: none for the step that finds owners.
    using Key = std::tuple<Projection, int>;
    gl::Program& program(const MarkerDraw& what, int most);
    void findOwners(const MarkerDraw& what);
    std::map<Key, gl::Program> programs_;
    OffscreenTarget owners_{GL_R32UI}, layer_{GL_RGBA16F};
};

}  // namespace armilla

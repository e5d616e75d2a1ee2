// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the places of a catalog as points, projected by the graphics card.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "core/view_geometry.h"
#include "gl/gl_program.h"
#include "passes/offscreen_target.h"
#include "render/markers.h"

namespace armilla {

// The places of a set in the card's memory: 24 bytes each.
class MarkerBuffer {
public:
    // Throws OutOfMemory if they do not fit.
    explicit MarkerBuffer(const MarkerSet& set);
    // Each `every`-th of them as points 0, 1, ...
    void bind(int64_t every) const;

private:
    gl::VertexArray vertexArray_;
    gl::Buffer places_;
};

// What is drawn of a set: of its runs each `every`-th place.
struct MarkerDraw {
    const MarkerBuffer& markers;
    const std::vector<MarkerSet::Run>& runs;
    const ViewGeometry& view;
    int64_t every = 1;
};

class MarkerPass {
public:
    // Where more places share a picture than it has pixels, most of them lie under others in the
    // same pixel: finds the last one in each, which draw() then draws alone. For the next draw()
    // of the same; binds a framebuffer of its own, and sets the viewport.
    void findOwners(const MarkerDraw& what);
    // Into the bound framebuffer; viewport (of the view's size) and blending are set.
    void draw(const MarkerDraw& what, const MarkerStyle& style, double opacity, double pixelRatio);

private:
    enum class Use { Owners, Markers };
    gl::Program& program(Projection projection, Use use);
    // The program in use, with all that puts places into the picture.
    gl::Program& place(const MarkerDraw& what, Use use, double pointSize);
    std::map<std::pair<Projection, Use>, gl::Program> programs_;
    OffscreenTarget owners_{GL_R32UI};
    bool hasOwners_ = false;
};

}  // namespace armilla

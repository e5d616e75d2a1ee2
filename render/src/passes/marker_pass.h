// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the places of a catalog as points, projected by the graphics card.
#pragma once

#include <map>
#include <vector>

#include "core/view_geometry.h"
#include "gl/gl_program.h"
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

class MarkerPass {
public:
    // Into the bound framebuffer; viewport (of the view's size) and blending are set.
    void draw(const MarkerBuffer& markers, const std::vector<MarkerSet::Run>& runs,
              const ViewGeometry& view, const MarkerStyle& style, double opacity, double pixelRatio,
              int64_t every);

private:
    gl::Program& program(Projection projection);
    std::map<Projection, gl::Program> programs_;
};

}  // namespace armilla

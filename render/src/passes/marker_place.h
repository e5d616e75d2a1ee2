// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of all marker methods: positions in the card's memory, the selection to draw, and
// the uniforms for view and appearance.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "armilla/core/view_geometry.h"
#include "armilla/draw/markers.h"
#include "gl/gl_handles.h"
#include "gl/gl_program.h"

namespace armilla {

// Positions in the card's memory: 24 bytes each.
class MarkerBuffer {
public:
    // `coordinates`: those of MarkerSet. Throws OutOfMemory if the positions do not fit.
    explicit MarkerBuffer(std::span<const float> coordinates);
    // Binds the positions as points 0, 1, ...
    void bind() const;

private:
    gl::VertexArray vertexArray_;
    gl::Buffer places_;
};

// How the markers of a set are drawn.
struct MarkerLook {
    const MarkerStyle& style;
    double opacity = 1.0;
    double pixelRatio = 1.0;
    double edges = 1.0;  // share of the dark edges (rimShare)
    // Diameter with the edge, window pixels.
    int side() const;
    // Window pixels around the picture from which markers extend into it.
    int margin() const { return (side() + 1) / 2; }
};

// The selection to draw: the positions of the runs.
struct MarkerDraw {
    const MarkerBuffer& markers;
    const std::vector<MarkerSet::Run>& runs;
    const ViewGeometry& view;
    const MarkerLook& look;

    // Size of the picture with its margin.
    int width() const { return view.width + 2 * look.margin(); }
    int height() const { return view.height + 2 * look.margin(); }
};

// Calls `use(first, count)` for each run.
template <class Use>
void forEachRun(const MarkerDraw& what, Use use) {
    const auto counted = [&](int64_t begin, int64_t end) {
        if (end > begin) use(begin, end - begin);
    };
    // Many short runs cost more than the positions that they exclude.
    constexpr size_t kMostRuns = 256;
    if (what.runs.size() > kMostRuns)
        counted(what.runs.front().begin, what.runs.back().end);
    else
        for (const MarkerSet::Run& run : what.runs) counted(run.begin, run.end);
}

// The uniforms of marker_place.glsl and of marker_ink.glsl for the program in use.
void setPlace(gl::Program& program, const MarkerDraw& what);
void setInk(gl::Program& program, const MarkerLook& look);

}  // namespace armilla

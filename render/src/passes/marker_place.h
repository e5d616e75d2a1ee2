// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of all marker methods: positions in the card's memory, the selection to draw, and
// the uniforms for view and appearance.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "armilla/core/view_geometry.h"
#include "armilla/draw/markers.h"
#include "gl/gl_handles.h"
#include "gl/gl_program.h"

namespace armilla {

// The positions of a set in the card's memory: 24 bytes each.
class MarkerBuffer {
public:
    static constexpr int64_t kStride = 6 * sizeof(float);
    // Throws OutOfMemory if the positions do not fit.
    explicit MarkerBuffer(const MarkerSet& set);
    // Binds every `every`-th position as points 0, 1, ...
    void bind(int64_t every) const;

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

// The selection to draw: every `every`-th position of the runs.
struct MarkerDraw {
    const MarkerBuffer& markers;
    const std::vector<MarkerSet::Run>& runs;
    const ViewGeometry& view;
    const MarkerLook& look;
    int64_t every = 1;  // up to kMostEvery
    // Vertex strides are limited, and a fraction of a few in a million would exceed the limit.
    static constexpr int64_t kMostEvery = 64;

    // Size of the picture with its margin.
    int width() const { return view.width + 2 * look.margin(); }
    int height() const { return view.height + 2 * look.margin(); }
};

// Calls `use(first, count)` for each run, counted in units of `every` positions.
template <class Use>
void forEachRun(const MarkerDraw& what, Use use) {
    const auto counted = [&](int64_t begin, int64_t end) {
        const int64_t first = (begin + what.every - 1) / what.every;
        if (const int64_t count = (end + what.every - 1) / what.every - first; count > 0)
            use(first, count);
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

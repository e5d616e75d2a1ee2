// SPDX-License-Identifier: GPL-3.0-or-later
// One field of a map of part of the sky with mean-of-children levels, at any depth. For maps whose
// twelve whole faces at their own resolution would not fit memory.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/view_geometry.h"
#include "armilla/draw/color_scale.h"

namespace armilla {

// A sparse MapPyramid, with equal values wherever both exist (tst_map_pyramid). Level 0 has nside
// `nside()`, each next level half of it, down to 1; a parent is the mean of its good children, bad
// (NaN) without good ones. A tree of covered cells only: each cell has a mask of its children,
// which are stored consecutively. A cell of a multi-order map represents all of its children.
// Immutable.
class SparsePyramid {
public:
    // True for maps that this class can draw: not of the full sky, NSIDE a power of two.
    static bool suits(const HealpixMap& map);
    // Throws InvalidArgument for a field number out of range or an unsuitable map.
    //
    // Memory: 4 bytes per covered cell and 9 for each of its parents, in total 7 to 9 per cell of a
    // patch; 24 more per cell during construction.
    static SparsePyramid build(const HealpixMap& map, int field, JobContext& job);
    // Applies `formula` to the values of two pyramids of the same cells, on every level, as
    // MapPyramid::combined does. Throws InvalidArgument for different shapes.
    static SparsePyramid combined(const SparsePyramid& a, const SparsePyramid& b,
                                  const std::function<float(float, float)>& formula,
                                  JobContext& job);

    int64_t nside() const { return int64_t{1} << deepest_; }
    int levels() const { return deepest_ + 1; }
    // The value of the cell at `level` that contains cell `nested` of level 0; one lookup per
    // level.
    float value(int64_t nested, int level) const;
    Frame frame() const { return frame_; }
    int64_t memoryBytes() const;

private:
    // Cells in ascending order of their NESTED number; level 0 has only values.
    struct Level {
        std::vector<float> values;
        std::vector<uint32_t> firstChild;  // its position in the next finer level
        std::vector<uint8_t> children;     // a bit for each present child; 0: none
    };
    int deepest_ = 0;
    uint32_t bases_ = 0;  // a bit for each present base cell
    Frame frame_ = Frame::Unknown;
    std::vector<Level> levels_;
};

// renderImage of armilla/draw/image_renderer.h for sparse pyramids; equal pictures wherever both
// exist.
std::vector<Rgba> renderImage(const SparsePyramid& pyramid, const ViewGeometry& view,
                              const ColorScale& scale, JobContext& job);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// One field of a map of part of the sky with mean-of-children levels, at any depth: what a picture
// is drawn from where twelve whole faces of the map's own resolution are out of reach.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/view_geometry.h"
#include "render/color_scale.h"

namespace armilla {

// As MapPyramid, of which it gives the values wherever both can be made (tst_map_pyramid): level 0
// has nside `nside()`, each next one half of it, down to 1; a parent is the mean of its good
// children, bad (NaN) if it has none. Only cells that are covered are kept, as a tree: each knows
// which of its four children are there, and they follow each other. A cell of a multi-order map
// stands in for all of its children. Immutable.
class SparsePyramid {
public:
    // Whether a map is one that this draws: not of the full sky, NSIDE a power of two.
    static bool suits(const HealpixMap& map);
    // Throws InvalidArgument for a field number out of range or a map that does not suit.
    // Memory: 4 bytes for a covered cell and 9 for each of its parents: 7 to 9 for a cell of a
    // patch; while it is made 24 for a cell more.
    static SparsePyramid build(const HealpixMap& map, int field, JobContext& job);
    // `formula` of the values of two pyramids of the same cells, on every level, as
    // MapPyramid::combined. Throws InvalidArgument if their shapes differ.
    static SparsePyramid combined(const SparsePyramid& a, const SparsePyramid& b,
                                  const std::function<float(float, float)>& formula,
                                  JobContext& job);

    int64_t nside() const { return int64_t{1} << deepest_; }
    int levels() const { return deepest_ + 1; }
    // The value of the cell of that level which holds the cell `nested` of level 0: one look for
    // each level down to it.
    float value(int64_t nested, int level) const;
    Frame frame() const { return frame_; }
    int64_t memoryBytes() const;

private:
    // In ascending order of their NESTED number. Of level 0 values alone.
    struct Level {
        std::vector<float> values;
        std::vector<uint32_t> firstChild;  // its place on the next finer level
        std::vector<uint8_t> children;     // a bit for each of the four that is there; 0: none
    };
    int deepest_ = 0;
    uint32_t bases_ = 0;  // a bit for each of the twelve base cells that is there
    Frame frame_ = Frame::Unknown;
    std::vector<Level> levels_;
};

// As renderImage of render/image_renderer.h, of which it gives the picture where both can be made.
std::vector<Rgba> renderImage(const SparsePyramid& pyramid, const ViewGeometry& view,
                              const ColorScale& scale, JobContext& job);

}  // namespace armilla

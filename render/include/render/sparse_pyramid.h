// SPDX-License-Identifier: GPL-3.0-or-later
// One field of a map of part of the sky with mean-of-children levels, at any depth: what a picture
// is drawn from where twelve whole faces of the map's own resolution are out of reach.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/view_geometry.h"
#include "render/color_scale.h"

namespace armilla {

// As MapPyramid, of which it gives the values wherever both can be made (tst_map_pyramid): level 0
// has nside `nside()`, each next one half of it, down to 1; a parent is the mean of its good
// children, bad (NaN) if it has none. Only cells that are covered are kept, in ascending order of
// their NESTED number. A cell of a multi-order map stands in for all of its children.
class SparsePyramid {
public:
    // Whether a map is one that this draws: not of the full sky, NSIDE a power of two.
    static bool suits(const HealpixMap& map);
    // Throws InvalidArgument for a field number out of range or a map that does not suit.
    // Memory: 12 bytes for a covered cell and its parents: 16 to 24 for a cell of a patch.
    static SparsePyramid build(const HealpixMap& map, int field, JobContext& job);

    int64_t nside() const { return int64_t{1} << deepest_; }
    int levels() const { return deepest_ + 1; }
    // The value of the cell of that level which holds the cell `nested` of level 0.
    float value(int64_t nested, int level) const;
    Frame frame() const { return frame_; }
    int64_t memoryBytes() const;

private:
    struct Level {
        std::vector<int64_t> cells;  // NESTED numbers at this level's nside
        std::vector<float> values;
        // Cells of the map itself, which lie in no other: all of them at level 0.
        std::vector<bool> isLeaf;
    };
    int deepest_ = 0;
    Frame frame_ = Frame::Unknown;
    std::vector<Level> levels_;
};

// As renderImage of render/image_renderer.h, of which it gives the picture where both can be made.
std::vector<Rgba> renderImage(const SparsePyramid& pyramid, const ViewGeometry& view,
                              const ColorScale& scale, JobContext& job);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// One field of a map as twelve square faces in single precision, with mean-of-children levels: the
// data of every drawing method.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla {

// Level 0 has nside `nside()`; each next level has half, down to 1. A parent is the mean of its
// good children, bad (NaN) without good children. NSIDE values that are no power of two are drawn
// on the next higher power of two. Each cell has the value of the pixel under its center.
//
// Immutable; copies refer to the same values.
class MapPyramid {
public:
    // nside is limited to `maxNside` (rounded to a power of two, at least 1); a deeper map is
    // averaged, and `degraded()` becomes true. Sparse maps become dense: uncovered pixels are bad.
    // Values beyond single precision become its largest value. Throws InvalidArgument for a field
    // number out of range, OutOfMemory.
    //
    // Memory: 64 nside^2 bytes (268 MB at nside 2048). This is also the peak, except for a sorted
    // copy of a partial map that must be averaged. Time: tst_map_pyramid, bench_view.
    static MapPyramid build(const HealpixMap& map, int field, int64_t maxNside, JobContext& job);
    // Applies `formula` to the values of two pyramids of one map, on every level: for quantities of
    // means that must not be averaged themselves, such as the angle of mean Q and mean U. Throws
    // InvalidArgument for different shapes.
    static MapPyramid combined(const MapPyramid& a, const MapPyramid& b,
                               const std::function<float(float, float)>& formula, JobContext& job);

    // The pyramid without level 0, for a graphics card with too little memory for level 0;
    // `degraded()` is then true. Throws InvalidArgument for a single level.
    MapPyramid coarser() const;

    int64_t nside() const { return nside_; }
    int levels() const { return static_cast<int>(levels_.size()); }
    // Face-major, then y, then x: the value of (face, x, y) is at (face * n + y) * n + x, n = nside
    // >> level.
    std::span<const float> level(int index) const {
        const Level& level = levels_[static_cast<size_t>(index)];
        return {level.values.get(), level.size};
    }
    bool degraded() const { return degraded_; }
    Frame frame() const { return frame_; }
    int64_t memoryBytes() const;

private:
    struct Level {
        std::shared_ptr<float[]> values;
        size_t size = 0;
    };
    int64_t nside_ = 0;
    bool degraded_ = false;
    Frame frame_ = Frame::Unknown;
    std::vector<Level> levels_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// One field of a map as twelve square faces in single precision, with mean-of-children levels: what
// every way of drawing draws from.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

// Level 0 has nside `nside()`; each next one half of it, down to 1; a parent is the mean of its
// good children, bad (NaN) if it has none. NSIDE values that are no power of two are drawn on the
// next higher power of two, each cell with the value of the pixel under its center.
//
// Immutable; copies share the values.
class MapPyramid {
public:
    // nside is limited to `maxNside` (a power of two is used, at least 1); a deeper map is averaged
    // down and `degraded()` says so. Sparse maps become dense: pixels that are not covered are bad.
    // Values beyond single precision become its largest. Throws InvalidArgument for a field number
    // out of range, OutOfMemory.
    // Memory: 64 nside^2 bytes (268 MB at nside 2048), which is also the peak, but for a sorted
    // copy of a partial map that has to be averaged down. Time: tst_map_pyramid, bench_view.
    static MapPyramid build(const HealpixMap& map, int field, int64_t maxNside, JobContext& job);
    // `formula` of the values of two pyramids of the same map, on every level: for quantities that
    // must be made from means rather than averaged, such as the angle of mean Q and mean U. Throws
    // InvalidArgument if their shapes differ.
    static MapPyramid combined(const MapPyramid& a, const MapPyramid& b,
                               const std::function<float(float, float)>& formula, JobContext& job);

    // The same without level 0, for a graphics card that cannot hold it; `degraded()` then says so.
    // Throws InvalidArgument if there is only one level.
    MapPyramid coarser() const;

    int64_t nside() const { return nside_; }
    int levels() const { return static_cast<int>(levels_.size()); }
    // Face-major, then y, then x: value of (face, x, y) is [(face * n + y) * n + x], n = nside >>
    // level.
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

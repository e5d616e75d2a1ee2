// SPDX-License-Identifier: GPL-3.0-or-later
// One field of a map as twelve square faces in single precision, with mean-of-children levels: what
// every way of drawing draws from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

// Level 0 has nside `nside()`; each next one half of it, down to 1; a parent is the mean of its
// good children. NSIDE values that are no power of two are drawn on the next higher power of two.
class MapPyramid {
public:
    // nside is limited to `maxNside`; a deeper map is averaged down and `degraded()` says so.
    static MapPyramid build(const HealpixMap& map, int field, int64_t maxNside, JobContext& job);

    int64_t nside() const { return nside_; }
    int levels() const { return static_cast<int>(levels_.size()); }
    // Face-major, then y, then x: value of (face, x, y) is [(face * n + y) * n + x], n = nside >>
    // level.
    std::span<const float> level(int index) const { return levels_[static_cast<size_t>(index)]; }
    bool degraded() const { return degraded_; }
    Frame frame() const { return frame_; }

private:
    int64_t nside_ = 0;
    bool degraded_ = false;
    Frame frame_ = Frame::Unknown;
    std::vector<std::vector<float>> levels_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Sky patches of nearly equal numbers of points, for errors by resampling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/ops/pairs.h"

namespace armilla {

// Patches from splits at the median of the longest side, in proportion for odd numbers of patches.
// They are compact, equal in number to one point, and independent of the order of the points.
class Patches {
public:
    // Throws InvalidArgument for fewer than 2 patches and for more patches than points.
    Patches(const SkyPoints& points, int count, JobContext& job);
    int count() const { return count_; }
    // The points of each patch.
    std::vector<SkyPoints> split(const SkyPoints& points, JobContext& job) const;

private:
    struct Node {
        size_t axis = 0;
        double border = 0.0;        // smaller coordinates: left
        int left = -1, right = -1;  // -1: a patch
        int patch = 0;
    };
    int count_;
    std::vector<Node> nodes_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Sky patches of nearly equal numbers of points, for errors by resampling.
#pragma once

#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/ops/pairs.h"
#include "pairs/patch_tree.h"

namespace armilla {

// Patches from splits at the median of the longest side, in proportion for odd numbers of patches.
// They are compact, equal in number to one point, and independent of the order of the points.
class Patches {
public:
    // Throws InvalidArgument for fewer than 2 patches and for more patches than points.
    Patches(const SkyPoints& points, int count, JobContext& job);
    int count() const { return tree_.count; }
    // The points of each patch.
    std::vector<SkyPoints> split(const SkyPoints& points, JobContext& job) const;

private:
    PatchTree tree_;
};

}  // namespace armilla

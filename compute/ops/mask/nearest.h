// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest of many directions: a balanced tree of points on the unit sphere.
#pragma once

#include <cstddef>
#include <vector>

#include "core/job_context.h"
#include "core/sky_vector.h"

namespace armilla::mask {

class NearestDirection {
public:
    // Throws Cancelled.
    NearestDirection(std::vector<Vec3> directions, JobContext& job);
    // The angle to the nearest, pi if there is none. Thread-safe.
    double distance(Vec3 direction) const;

private:
    struct Range {
        size_t begin, end;
        int axis;
    };
    // Puts the median by an axis in the middle; `job` is polled on the way.
    void split(const Range& range, const JobContext& job);
    void order(size_t begin, size_t end, int axis);
    void search(size_t begin, size_t end, int axis, Vec3 from, double& least) const;

    std::vector<Vec3>
        points_;  // each range with its median, by the axis of its level, in the middle
};

}  // namespace armilla::mask

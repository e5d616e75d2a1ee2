// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest of many directions: a balanced tree of points on the unit sphere.
#pragma once

#include <cstddef>
#include <vector>

#include "core/sky_vector.h"

namespace armilla::mask {

class NearestDirection {
public:
    explicit NearestDirection(std::vector<Vec3> directions);
    // The angle to the nearest, pi if there is none. Thread-safe.
    double distance(Vec3 direction) const;

private:
    void order(size_t begin, size_t end, int axis);
    void search(size_t begin, size_t end, int axis, Vec3 from, double& least) const;

    std::vector<Vec3>
        points_;  // each range with its median, by the axis of its level, in the middle
};

}  // namespace armilla::mask

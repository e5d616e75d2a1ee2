// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest of many directions, and cells of several orders that hold a direction.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/core/sky_vector.h"

namespace armilla {

// A tree of unit vectors. Thread-safe after construction.
class NearestDirection {
public:
    explicit NearestDirection(std::vector<Vec3> directions);
    // The angle to the nearest direction; pi if none lies within `most`. Rounding is 1e-15.
    double angle(Vec3 at, double most) const;

private:
    void sort(size_t begin, size_t end, int axis);
    void search(size_t begin, size_t end, int axis, Vec3 at, double& best) const;
    std::vector<Vec3> directions_;
};

// Sorted NUNIQ numbers.
class NestedCells {
public:
    explicit NestedCells(std::vector<int64_t> uniq) : uniq_(std::move(uniq)) {}
    bool contains(Vec3 at) const;

private:
    std::vector<int64_t> uniq_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Cubes whose first axes are no longitude and latitude, such as frequency before position: their
// axes in the usual order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fits_header.h"

namespace armilla {

// The axes of a file, from 1: those of longitude and latitude first, the rest behind, each in the
// order of the file. Empty if longitude and latitude are the first two axes, or are not there.
std::vector<int> axesWithSkyFirst(const FitsHeader& header);

// The header with axis `order[i]` as axis i + 1, in all cards of axes (FITS 4.0, section 8.2).
FitsHeader withAxes(const FitsHeader& header, const std::vector<int>& order);

// Places consecutive elements of a file in an array whose axes have another order.
class AxisOrder {
public:
    // `sizes`: of the axes of the file. `order`: as from axesWithSkyFirst().
    AxisOrder(const std::vector<int64_t>& sizes, const std::vector<int>& order);
    // Places the next `count` elements.
    template <class T>
    void place(const T* in, int64_t count, T* out) {
        for (int64_t i = 0; i < count; ++i) {
            out[at_] = in[i];
            advance();
        }
    }

private:
    void advance() {
        for (size_t axis = 0; axis < sizes_.size(); ++axis) {
            at_ += steps_[axis];
            if (++index_[axis] < sizes_[axis]) return;
            at_ -= steps_[axis] * sizes_[axis];
            index_[axis] = 0;
        }
    }
    std::vector<int64_t> sizes_, steps_, index_;
    int64_t at_ = 0;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Buffers of inner loops.
#pragma once

#include <cstddef>

#include "sht/storage/aligned_array.h"

namespace armilla {

// A buffer of numbers that grows and is reused.
class GrowingBuffer {
public:
    double* of(size_t count) {
        if (data_.size() < count) data_ = AlignedArray<double>(count + count / 4);
        return data_.data();
    }

private:
    AlignedArray<double> data_;
};

inline size_t roundedUp(size_t count, size_t to) {
    return (count + to - 1) / to * to;
}

}  // namespace armilla

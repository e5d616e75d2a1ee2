// SPDX-License-Identifier: GPL-3.0-or-later
// Where a part of a map lies in the whole.
#pragma once

#include <cstdint>

namespace armilla {

// Successive samples.
struct SampleRun {
    int64_t first = 0, count = 0;
};

}  // namespace armilla

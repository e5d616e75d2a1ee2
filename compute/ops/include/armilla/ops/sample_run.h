// SPDX-License-Identifier: GPL-3.0-or-later
// Position of a part of a map in the whole map.
#pragma once

#include <cstdint>

namespace armilla {

// `count` successive samples from number `first`.
struct SampleRun {
    int64_t first = 0, count = 0;
};

}  // namespace armilla

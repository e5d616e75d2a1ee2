// SPDX-License-Identifier: GPL-3.0-or-later
// The note of calc about infinite and undefined results, which a map by blocks gets once.
#pragma once

#include <cstdint>
#include <string>

#include "armilla/core/counted.h"

namespace armilla {

inline std::string infiniteResults(int64_t pixels) {
    return counted(pixels, "pixel") +
           " with an infinite or undefined result (division by 0, overflow, root or logarithm of a "
           "negative number): marked bad";
}

}  // namespace armilla

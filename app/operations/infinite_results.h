// SPDX-License-Identifier: GPL-3.0-or-later
// The note of calc about infinite results, which a map by blocks gets once.
#pragma once

#include <cstdint>
#include <string>

#include "armilla/core/counted.h"

namespace armilla {

inline std::string infiniteResults(int64_t pixels) {
    return counted(pixels, "pixel") +
           " with an infinite result (division by 0 or overflow): marked bad";
}

}  // namespace armilla

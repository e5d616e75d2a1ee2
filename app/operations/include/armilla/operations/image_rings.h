// SPDX-License-Identifier: GPL-3.0-or-later
// The ring grid of an image, for descriptions of files.
#pragma once

#include <cstdint>
#include <optional>

#include "armilla/core/image.h"

namespace armilla {

// The grid from pole to pole whose rings hold the rows of an image.
struct RingsOfImage {
    int64_t rows = 0, columns = 0;  // samples of the complete grid
    bool hasPoles = false;
    int64_t lmax = 0;  // the largest lmax of an analysis
};
// None for an image whose rows lie on no such rings. Throws IoError for world coordinates that
// cannot be read.
std::optional<RingsOfImage> ringsOfImage(const Image& image);

}  // namespace armilla

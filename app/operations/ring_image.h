// SPDX-License-Identifier: GPL-3.0-or-later
// Images whose rows are complete rings of an equidistant cylindrical grid, and their smoothing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "armilla/core/image.h"
#include "armilla/operations/operation.h"
#include "armilla/operations/smooth.h"
#include "armilla/ops/smooth_rows.h"

namespace armilla {

// Whether the input of a map slot is an image.
inline bool isImage(const Input& input) {
    return std::holds_alternative<std::shared_ptr<const Image>>(input.data);
}

// Position of the rows of an image on the sky.
struct RingImage {
    RingRows rows;
    bool isSouthFirst = true;  // bottom row is the southernmost
    bool runsEast = false;     // longitude increases along a row
};
// Checks that each row has one latitude and goes around the sky once in even steps. The rows must
// belong to a grid from pole to pole, with a pole on a row or half a step beyond the last.
// Positions agree to 0.01 pixels, because headers write steps with few digits. Throws
// InvalidArgument with what was found, IoError for world coordinates that cannot be read.
RingImage ringImage(const Image& image);

// Smooths each plane separately, with its own beam if there are several.
Outputs smoothImage(Context& context, const Input& input, const SmoothOptions& options,
                    const SmoothParameters& parameters, const Inputs& inputs);

}  // namespace armilla

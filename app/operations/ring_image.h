// SPDX-License-Identifier: GPL-3.0-or-later
// Images whose rows are whole rings of an equidistant cylindrical grid, and their smoothing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/image.h"
#include "operations/operation.h"
#include "operations/smooth.h"
#include "ops/smooth_rows.h"

namespace armilla {

// Whether an image was read in the place of a map.
inline bool isImage(const Input& input) {
    return std::holds_alternative<std::shared_ptr<const Image>>(input.data);
}

// How the rows of an image lie on the sky.
struct RingImage {
    RingRows rows;
    bool isSouthFirst = true;  // the bottom row is the southernmost
    bool runsEast = false;     // longitude grows along a row
};
// Rows have one latitude each and go around the sky once, in even steps, and are rows of a grid
// from pole to pole that has a pole on a row or half a step beyond the last. Places agree to 0.01
// pixels, as headers write their steps with few digits. Throws InvalidArgument with what was found
// instead, IoError for world coordinates that cannot be read.
RingImage ringImage(const Image& image);

// Each plane by itself, with its beam where there are several.
Outputs smoothImage(Context& context, const Input& input, const SmoothOptions& options,
                    const SmoothParameters& parameters, const Inputs& inputs);

}  // namespace armilla

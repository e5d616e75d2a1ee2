// SPDX-License-Identifier: GPL-3.0-or-later
// How operations serve controls that move: quick results, and strokes of a brush. A table by id of
// the operation (live_form.cpp), for the window alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "armilla/operations/operation.h"

namespace armilla {

// Quick results that the window shows while parameters change: coarse ones first, then finer ones.
struct LiveForm {
    enum class Kind {
        None,
        Rows,    // growing samples of the rows of catalogs
        Cells,   // growing samples of the rows, in cells that become narrower
        Pixels,  // the pixels in view or wide pixels, then all pixels
    };
    Kind kind = Kind::None;
    // Parameters that name columns. A sample of rows has these columns and the positions only.
    std::vector<std::string_view> columns = {};
    // Number of points that the operation draws on the pixels of an input map, from the parameters
    // and the rows of the first catalog; empty: none.
    std::function<int64_t(const ParameterSet&, int64_t)> drawnPoints = {};
    // Angles of the last step; the result before that step is kept while only these change.
    std::vector<std::string_view> lastStep = {};
};

// A parameter that holds strokes of a brush on the result, a map.
struct PaintedParameter {
    std::string_view name = {};  // empty: the operation takes no strokes
    // Parameters of the steps after the strokes. A result with one of these cannot be painted on.
    std::vector<std::string_view> later = {};
};

const LiveForm& liveFormOf(const Operation& operation);
const PaintedParameter& paintedParameterOf(const Operation& operation);

}  // namespace armilla

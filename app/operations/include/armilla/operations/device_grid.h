// SPDX-License-Identifier: GPL-3.0-or-later
// The operation `grid` on samples in device memory: its cells, its kernel and the part of each
// array.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "armilla/core/table.h"
#include "armilla/operations/operation.h"
#include "armilla/ops/grid.h"

namespace armilla {

struct DeviceGridSetup {
    std::vector<Vec3> cells;
    GridKernel kernel;
    // Columns by index; `weight` is -1 if each weight is 1.
    int lon = 0, lat = 0, weight = -1;
    std::vector<int> values;
    double lonUnit = 1.0, latUnit = 1.0;  // radians per unit
    Mat3 targetFromSamples{};
    Frame frame = Frame::Unknown;   // frame of the cells
    int64_t width = 0, height = 0;  // pixels of an image
    int64_t nside = 0;              // not 0: the cells are all pixels of a map in RING order
};

// `columns` has the names and units of the arrays, one column of doubles for each, and one row
// whose numbers have no meaning. Throws Unsupported for parameters that need the numbers of the
// samples (where, flag, specsys, sparse, ordering), and InvalidArgument as `grid`.
DeviceGridSetup deviceGridSetup(const ParameterSet& parameters, const Table& columns,
                                Context& context);

}  // namespace armilla

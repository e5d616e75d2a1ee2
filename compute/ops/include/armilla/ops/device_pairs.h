// SPDX-License-Identifier: GPL-3.0-or-later
// Points in the memory of a CUDA device, for countPairs and correlate. Builds without CUDA throw
// Unsupported.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/table.h"
#include "armilla/device/device_values.h"
#include "armilla/ops/pairs.h"

namespace armilla {

// Columns of a catalog as arrays of a caller on one device.
struct DeviceColumns {
    int device = 0;
    // A cudaStream_t. The arrays are read after the work that this stream holds.
    void* stream = nullptr;
    std::vector<std::string> names;
    std::vector<DeviceValues> values;  // one array for each name, all of one length
};

// skyPoints() of armilla/ops/pairs.h for columns on a device; a copy there, of 48 bytes a point.
// `catalog` has the names, the units and the choice of positions, and rows without a meaning.
// `turn`: rotation into the frame of the other sets. Returns when the copy is complete. Counts of
// these points run on one device, which holds all of them, and give the integers of the same points
// on the host.
SkyPoints skyPoints(const Catalog& catalog, const DeviceColumns& columns, int weight,
                    const std::optional<Mat3>& turn, int64_t* skipped, JobContext& job);

}  // namespace armilla

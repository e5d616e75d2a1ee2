// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces gridding on CUDA in builds without CUDA.
#include "armilla/core/error.h"
#include "grid/grid_backend.h"

namespace armilla {

// NOLINTNEXTLINE(performance-unnecessary-value-param): as with CUDA
std::unique_ptr<GridBackend> makeGridCuda(std::vector<Vec3> /*cells*/, const GridKernel& /*kernel*/,
                                          const Device& /*device*/, const GridTuning& /*tuning*/) {
    throw Unsupported("CUDA: expected a build with CUDA, found one without");
}

}  // namespace armilla

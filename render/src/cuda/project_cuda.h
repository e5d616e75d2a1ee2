// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing of a map's view, one thread per image pixel.
#pragma once

#include <cuda_runtime.h>

#include "armilla/core/color_mapping.h"
#include "armilla/core/view_geometry.h"

namespace armilla::cuda {

inline constexpr int kMaxLevels = 30;

// A map's faces in device memory, level by level, in the layout of MapPyramid.
struct FaceLevels {
    const float* level[kMaxLevels] = {};
    int levels = 0;
    int64_t nside = 1;
};

// Colors for the kernel; device pointers. `table` and `cumulative` have 256 entries each; only
// Scale::Histogram reads the latter.
struct PictureColors {
    PreparedMapping mapping;
    const uchar4* table = nullptr;
    const float* cumulative = nullptr;
    uchar4 bad{}, outside{}, below{}, above{};
    bool ownBelow = false, ownAbove = false;
};

// Fills a surface of RGBA bytes of the view's size, alpha premultiplied, bottom row first as in
// OpenGL. Uses the formulas of renderImage() in double precision. Colors may differ by one table
// entry where the device's logarithms round differently. Throws DeviceError if the launch fails.
void projectToSurface(const ViewGeometry& view, const FaceLevels& faces,
                      const PictureColors& colors, cudaSurfaceObject_t surface,
                      cudaStream_t stream);

}  // namespace armilla::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
// The view of a map as a picture, made by one thread for each image pixel.
#pragma once

#include <cuda_runtime.h>

#include "core/color_mapping.h"
#include "core/view_geometry.h"

namespace armilla::cuda {

inline constexpr int kMaxLevels = 30;

// A map's faces in device memory, level by level, laid out as MapPyramid does.
struct FaceLevels {
    const float* level[kMaxLevels] = {};
    int levels = 0;
    int64_t nside = 1;
};

// Colors for the kernel; device pointers. `table` has 256 entries, `cumulative` too (used by
// Scale::Histogram only).
struct PictureColors {
    PreparedMapping mapping;
    const uchar4* table = nullptr;
    const float* cumulative = nullptr;
    uchar4 bad{}, outside{}, below{}, above{};
    bool ownBelow = false, ownAbove = false;
};

// Fills a surface of RGBA bytes of the view's size, alpha premultiplied, the picture's lowest row
// first as OpenGL has it. The very formulas of renderImage(), in double precision; colors may
// differ by an entry of the table where the device's logarithms round otherwise. Throws DeviceError
// if the launch fails.
void projectToSurface(const ViewGeometry& view, const FaceLevels& faces,
                      const PictureColors& colors, cudaSurfaceObject_t surface,
                      cudaStream_t stream);

}  // namespace armilla::cuda

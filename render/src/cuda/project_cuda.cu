// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/pixel_geometry.h"
#include "armilla/device/cuda/check.h"
#include "cuda/project_cuda.h"

namespace armilla::cuda {

namespace {

// Rows of 32 threads read neighboring cells; eight rows fill a block without crowding registers.
constexpr int kBlockWidth = 32, kBlockHeight = 8;

__device__ float valueAt(const FaceLevels& faces, FacePixel at, int level) {
    const int64_t n = faces.nside >> level;
    return faces.level[level][(at.face * n + (at.y >> level)) * n + (at.x >> level)];
}

__device__ uchar4 colorOf(const PictureColors& colors, float value) {
    const float position = colorPosition(colors.mapping, colors.cumulative, value);
    if (position != position) return colors.bad;
    if (position < 0.0F && colors.ownBelow) return colors.below;
    if (position > 1.0F && colors.ownAbove) return colors.above;
    return colors.table[colorIndex(position)];
}

__device__ uchar4 premultiplied(uchar4 c) {
    const auto scaled = [&](unsigned char v) {
        return static_cast<unsigned char>((v * c.w + 127) / 255);
    };
    return make_uchar4(scaled(c.x), scaled(c.y), scaled(c.z), c.w);
}

__global__ void projectKernel(ViewGeometry view, FaceLevels faces, PictureColors colors,
                              cudaSurfaceObject_t surface) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int j = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (i >= view.width || j >= view.height) return;
    const PlanePoint at = planeFromImage(view, i + 0.5, j + 0.5);
    const PlaneRow row = planeRow(view.projection, at.y);
    uchar4 color = colors.outside;
    Vec3 inView;
    if (directionFromRow(view.projection, view.flip, row, at.x, inView)) {
        const FacePixel pixel = faceFromDirection(faces.nside, view.skyFromView * inView);
        const double footprint =
            view.radiansPerPixel * footprintScale(view.projection, row, at.x, inView);
        const PyramidLevel drawn =
            pyramidLevel(footprint, static_cast<double>(faces.nside), faces.levels);
        float value = valueAt(faces, pixel, drawn.level);
        if (drawn.blend > 0.0F)
            value = blendedValue(value, valueAt(faces, pixel, drawn.level + 1), drawn.blend);
        color = colorOf(colors, value);
    }
    surf2Dwrite(premultiplied(color), surface, i * static_cast<int>(sizeof(uchar4)),
                view.height - 1 - j);
}

}  // namespace

void projectToSurface(const ViewGeometry& view, const FaceLevels& faces,
                      const PictureColors& colors, cudaSurfaceObject_t surface,
                      cudaStream_t stream) {
    const dim3 block(kBlockWidth, kBlockHeight);
    const dim3 grid((static_cast<unsigned>(view.width) + kBlockWidth - 1) / kBlockWidth,
                    (static_cast<unsigned>(view.height) + kBlockHeight - 1) / kBlockHeight);
    projectKernel<<<grid, block, 0, stream>>>(view, faces, colors, surface);
    checkLaunch("drawing the sky");
}

}  // namespace armilla::cuda

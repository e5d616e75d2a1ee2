// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures in device memory, for CUDA code that fills or draws pictures.
#pragma once

#include <memory>
#include <vector>

#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/device_picture.h"

namespace armilla {

// The device memory and events of a picture.
struct DevicePicture::Owner {
    Owner(int device, int64_t faceNside);

    int64_t nside = 1;
    std::vector<size_t> offsets;  // offset of each level in `values`
    cuda::DeviceBuffer<float> values;
    cuda::Event written, drawn;
    // Buffers of sample(). The first call allocates the buffers, which are kept, because allocation
    // and release stall the whole device.
    struct Sampler {
        cuda::Stream stream;
        cuda::DeviceBuffer<float> cells;
        cuda::PinnedBuffer<float> host;
    };
    std::unique_ptr<Sampler> sampler;

    float* level(size_t index) const { return values.data() + offsets[index]; }
    // Must precede work in `stream` that reads the picture.
    void beginDrawing(const cuda::Stream& stream) const { written.holdBack(stream); }
    void endDrawing(const cuda::Stream& stream) { drawn.record(stream); }
};

// The device memory of PictureCells.
struct PictureCells::Owner {
    int64_t mapNside = 1, pictureNside = 1;
    cuda::DeviceBuffer<uint32_t> bad;
    // For NSIDE values that are not powers of two: the pixel under the center of each cell.
    // Computed by the host, because its trigonometric functions round differently from the
    // device's.
    cuda::DeviceBuffer<int64_t> pixels;
};

namespace cuda {

// The input of a picture: samples in RING order, in device memory.
struct PictureSource {
    const double* values = nullptr;
    int exponent = 0;  // values are in units of 2^exponent
    // Values are divided by mask / maskUnit, and bad if that is less than `leastShare`. Null: no
    // division.
    const double* mask = nullptr;
    double maskUnit = 1.0, leastShare = 0.0;
    double level = 0.0;  // added last
    bool single = true;  // the map holds single precision, to which values are rounded first
};
// Queues in `stream` the work that fills all levels, after pending draws of the picture. Throws
// InvalidArgument unless the picture has the cells' NSIDE, and DeviceError.
void fillPicture(const PictureSource& source, const PictureCells& cells, DevicePicture& picture,
                 const Stream& stream);

}  // namespace cuda

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures in device memory, for CUDA code that fills them and draws from them.
#pragma once

#include <memory>
#include <vector>

#include "device/cuda/device_buffer.h"
#include "device/cuda/stream.h"
#include "device/device_picture.h"

namespace armilla {

struct DevicePicture::Owner {
    Owner(int device, int64_t faceNside);

    int64_t nside = 1;
    std::vector<size_t> offsets;  // of the levels
    cuda::DeviceBuffer<float> values;
    cuda::Event written, drawn;
    // What sample() takes; made by the first one, since memory that comes and goes holds up the
    // whole device.
    struct Sampler {
        cuda::Stream stream;
        cuda::DeviceBuffer<float> cells;
        cuda::PinnedBuffer<float> host;
    };
    std::unique_ptr<Sampler> sampler;

    float* level(size_t index) const { return values.data() + offsets[index]; }
    // Around work in a stream that reads the picture.
    void beginDrawing(const cuda::Stream& stream) const { written.holdBack(stream); }
    void endDrawing(const cuda::Stream& stream) { drawn.record(stream); }
};

struct PictureCells::Owner {
    int64_t mapNside = 1, pictureNside = 1;
    cuda::DeviceBuffer<uint32_t> bad;
    // Of NSIDE values that are no power of two: the pixel under the center of each cell. Made by
    // the host, whose functions of angles round otherwise than the device's.
    cuda::DeviceBuffer<int64_t> pixels;
};

namespace cuda {

// What a picture is made of: samples in RING order, in device memory.
struct PictureSource {
    const double* values = nullptr;
    int exponent = 0;  // values are in units of 2^exponent
    // Divided by mask / maskUnit; bad where that is less than `leastShare`. Null: not divided.
    const double* mask = nullptr;
    double maskUnit = 1.0, leastShare = 0.0;
    double level = 0.0;  // added last
    bool single = true;  // the map holds single precision, to which values are rounded first
};
// Puts into `stream` what fills all levels, after those who draw from the picture now. Throws
// InvalidArgument unless the picture has the cells' NSIDE, DeviceError.
void fillPicture(const PictureSource& source, const PictureCells& cells, DevicePicture& picture,
                 const Stream& stream);

}  // namespace cuda

}  // namespace armilla

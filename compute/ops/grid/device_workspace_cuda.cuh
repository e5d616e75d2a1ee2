// SPDX-License-Identifier: GPL-3.0-or-later
// Buffers and temporary storage for gridding on a CUDA device; used only by gridding_cuda.cu.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>

#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda_array.h"

namespace armilla::gridding {

// Reallocates only if the buffer is too small.
template <class T>
void growBuffer(std::unique_ptr<cuda::DeviceBuffer<T>>& buffer, int device, int64_t count) {
    const auto size = static_cast<size_t>(std::max<int64_t>(1, count));
    if (buffer && buffer->size() >= size) return;
    buffer.reset();
    buffer = std::make_unique<cuda::DeviceBuffer<T>>(device, size);
}
inline void growBuffer(std::unique_ptr<CudaArray>& array, int device, int64_t count) {
    const auto size = static_cast<size_t>(std::max<int64_t>(1, count));
    if (array && array->size() >= size) return;
    array.reset();
    array = std::make_unique<CudaArray>(device, size);
}

// Temporary storage in CUB's protocol: one call for its size, one for the work.
using WorkBuffer = std::unique_ptr<cuda::DeviceBuffer<unsigned char>>;
template <class Call>
void withWorkspace(WorkBuffer& workspace, int device, std::string_view what, const Call& call) {
    size_t bytes = 0;
    cuda::check(call(nullptr, bytes), what);
    growBuffer(workspace, device, static_cast<int64_t>(bytes));
    cuda::check(call(workspace->data(), bytes), what);
}
// Runs a CUB call with temporary storage of its own; synchronizes the stream.
template <class Call>
void withWorkspace(int device, const cuda::Stream& stream, std::string_view what,
                   const Call& call) {
    WorkBuffer workspace;
    withWorkspace(workspace, device, what, call);
    stream.synchronize();
}

}  // namespace armilla::gridding

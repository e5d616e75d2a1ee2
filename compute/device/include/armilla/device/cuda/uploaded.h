// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of host tables to the device.
#pragma once

#include <span>
#include <vector>

#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"

namespace armilla::cuda {

// Queues a copy of `from` in `stream`. The host's values must live until the stream is
// synchronized: the copy runs on where a device reads host memory directly. Other streams need an
// event or a wait to see the copy, as for all work of this stream.
template <class T>
void upload(std::span<const T> from, const DeviceBuffer<T>& to, const Stream& stream) {
    ARMILLA_ASSERT(from.size() <= to.size());
    if (from.empty()) return;
    check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice,
                          stream.get()),
          "copying a table to the device");
}

// A copy that is complete for all streams. A plain cudaMemcpy from pageable memory may return
// earlier, and our streams do not synchronize with the default stream.
template <class T>
DeviceBuffer<T> uploaded(int device, const std::vector<T>& from, const Stream& stream) {
    DeviceBuffer<T> to(device, from.size());
    const DeviceScope scope(device);
    upload(std::span<const T>(from), to, stream);
    stream.synchronize();
    return to;
}

}  // namespace armilla::cuda

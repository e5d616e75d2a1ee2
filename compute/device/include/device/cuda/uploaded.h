// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the host on their way to the device.
#pragma once

#include <span>
#include <vector>

#include "device/cuda/device_buffer.h"
#include "device/cuda/stream.h"

namespace armilla::cuda {

// Puts a copy of `from` into `stream`. The host's values stay until the stream was waited for
// (where a device reads the host's memory itself, the copy runs on); work in other streams sees the
// copy behind an event or a wait, as all of this stream.
template <class T>
void upload(std::span<const T> from, const DeviceBuffer<T>& to, const Stream& stream) {
    ARMILLA_ASSERT(from.size() <= to.size());
    if (from.empty()) return;
    check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice,
                          stream.get()),
          "copying a table to the device");
}

// A copy that is there for all streams. A plain cudaMemcpy from memory that is not pinned may
// return before that, and streams of ours do not wait for the default one.
template <class T>
DeviceBuffer<T> uploaded(int device, const std::vector<T>& from, const Stream& stream) {
    DeviceBuffer<T> to(device, from.size());
    const DeviceScope scope(device);
    upload(std::span<const T>(from), to, stream);
    stream.synchronize();
    return to;
}

}  // namespace armilla::cuda

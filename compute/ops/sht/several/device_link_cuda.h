// SPDX-License-Identifier: GPL-3.0-or-later
// A link from one CUDA device to another for Fourier coefficients. There are two buffers on either
// side, so that one is filled while the other is transferred. Even and odd slices alternate between
// the buffers. No function of the transfer waits on the host.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/ops/sht.h"
#include "sht/legendre/legendre_cuda.h"

namespace armilla::cuda {

class DeviceLink {
public:
    // Peer copies if `way` requests them and the devices have access to each other or are one; else
    // copies through pinned host memory.
    DeviceLink(int from, int to, BetweenDevices strategy);

    // Allocates `count` elements in each buffer.
    void reserve(size_t count);
    bool isPeer() const { return !staging_; }
    PairModes* send(size_t slice) const { return send_[slice % 2].data(); }
    PairModes* receive(size_t slice) const { return receive_[slice % 2].data(); }

    // The next four calls are made in this order for each slice. awaitBuffer(): the sender's stream
    // waits until the buffer may be filled. pass(): transfers the buffer's content.
    void awaitBuffer(size_t slice, const Stream& sender);
    void pass(size_t slice, size_t count, const Stream& sender);
    // awaitArrival(): the receiver's stream waits for the content. taken(): marks the buffer as
    // read.
    void awaitArrival(size_t slice, const Stream& taker);
    void taken(size_t slice, const Stream& taker);

    void synchronize() const;
    void await() const noexcept;  // after a failure
    // Starts measuring: seconds() is the time that finished copies have occupied the link since
    // then, and exchangedByteCount() their size.
    void startTimes();
    double seconds() const;
    int64_t exchangedByteCount() const { return exchange_; }
    // Bytes of the buffers of one side.
    size_t bytesOfSide() const;

private:
    // Copies through host memory: first to host memory, then, in a stream of the other device, from
    // host memory.
    struct Staging {
        Stream stream;
        std::array<PinnedBuffer<PairModes>, 2> host;
        std::vector<Event> there;
    };
    template <typename Copy>
    void timed(const Stream& stream, std::vector<Event>& times, const Copy& copy);
    static double sum(const std::vector<Event>& times, size_t count);

    int from_, to_;
    Stream stream_;
    std::array<DeviceBuffer<PairModes>, 2> send_, receive_;
    std::optional<Staging> staging_;
    std::vector<Event> packed_, arrived_, taken_;  // for each buffer
    // Two for each copy: out of a device and, if staged, into the other device.
    std::vector<Event> times_, secondTimes_;
    size_t copies_ = 0;
    int64_t exchange_ = 0;
};

}  // namespace armilla::cuda

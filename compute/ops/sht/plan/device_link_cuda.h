// SPDX-License-Identifier: GPL-3.0-or-later
// The way from one CUDA device to another for Fourier coefficients: two buffers on either side, so
// that one is filled while the other is on its way. Slices go by number, even and odd ones by a
// buffer each; nothing here waits on the host.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/cuda/device_buffer.h"
#include "device/cuda/stream.h"
#include "ops/sht.h"
#include "sht/legendre/legendre_cuda.h"

namespace armilla::cuda {

class DeviceLink {
public:
    // Peer copies where they are asked for and the devices have access to each other, or are one;
    // else by pinned host memory.
    DeviceLink(int from, int to, BetweenDevices way);

    // Room for so many in each buffer.
    void reserve(size_t count);
    bool isPeer() const { return !staging_; }
    PairModes* send(size_t slice) const { return send_[slice % 2].data(); }
    PairModes* receive(size_t slice) const { return receive_[slice % 2].data(); }

    // In this order for each slice. The sender's stream waits until the buffer is free to be
    // filled; what it put there is passed on;
    void awaitRoom(size_t slice, const Stream& sender);
    void pass(size_t slice, size_t count, const Stream& sender);
    // the taker's stream waits until it is there, and says when it has been read.
    void awaitArrival(size_t slice, const Stream& taker);
    void taken(size_t slice, const Stream& taker);

    void synchronize() const;
    void await() const noexcept;  // after a failure
    // Since then, of copies that are done: how long the way was busy, and what went along.
    void startTimes();
    double seconds() const;
    int64_t passedBytes() const { return passed_; }
    // Of the buffers of one side.
    size_t bytesOfSide() const;

private:
    // By way of host memory: first to it, then, in a stream of the other device, from it.
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
    std::vector<Event> packed_, arrived_, taken_;  // of either buffer
    // Two for each copy: out of a device and, where staged, into the other.
    std::vector<Event> times_, secondTimes_;
    size_t copies_ = 0;
    int64_t passed_ = 0;
};

}  // namespace armilla::cuda

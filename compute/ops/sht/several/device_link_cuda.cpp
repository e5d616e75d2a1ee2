// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "sht/several/device_link_cuda.h"

namespace armilla::cuda {

namespace {

// Gives `device` write access to the memory of `other`, if possible.
bool hasAccess(int device, int other) {
    if (device == other) return true;
    int can = 0;
    check(cudaDeviceCanAccessPeer(&can, device, other), "querying access between devices");
    if (can == 0) return false;
    const DeviceScope scope(device);
    const cudaError_t status = cudaDeviceEnablePeerAccess(other, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled || status == cudaSuccess) {
        cudaGetLastError();
        return true;
    }
    if (status == cudaErrorTooManyPeers) {
        cudaGetLastError();
        return false;
    }
    check(status, "access between devices");
    return false;
}

}  // namespace

DeviceLink::DeviceLink(int from, int to, BetweenDevices strategy)
    : from_(from), to_(to), stream_(from, Priority::Low) {
    if (strategy == BetweenDevices::HostMemory || !hasAccess(from, to)) {
        staging_.emplace(Staging{Stream(to, Priority::Low), {}, {}});
        for (int i = 0; i < 2; ++i) staging_->there.emplace_back(from);
    }
    for (int i = 0; i < 2; ++i) {
        packed_.emplace_back(from);
        arrived_.emplace_back(staging_ ? to : from);
        taken_.emplace_back(to);
    }
}

void DeviceLink::reserve(size_t count) {
    for (size_t i = 0; i < 2; ++i) {
        if (send_[i].size() >= count) continue;
        send_[i] = {};
        send_[i] = DeviceBuffer<PairModes>(from_, count);
        receive_[i] = {};
        receive_[i] = DeviceBuffer<PairModes>(to_, count);
        if (!staging_) continue;
        staging_->host[i] = {};
        staging_->host[i] = PinnedBuffer<PairModes>(from_, count);
    }
}

void DeviceLink::awaitBuffer(size_t slice, const Stream& sender) {
    arrived_[slice % 2].holdBack(sender);
}

template <typename Copy>
void DeviceLink::timed(const Stream& stream, std::vector<Event>& times, const Copy& copy) {
    const DeviceScope scope(stream.device());
    while (times.size() < 2 * (copies_ + 1)) times.emplace_back(stream.device(), Event::Timing::On);
    times[2 * copies_].record(stream);
    copy();
    times[2 * copies_ + 1].record(stream);
}

void DeviceLink::pass(size_t slice, size_t count, const Stream& sender) {
    const size_t i = slice % 2, bytes = count * sizeof(PairModes);
    packed_[i].record(sender);
    packed_[i].holdBack(stream_);
    if (!staging_) {
        taken_[i].holdBack(stream_);
        timed(stream_, times_, [&] {
            check(cudaMemcpyPeerAsync(receive_[i].data(), to_, send_[i].data(), from_, bytes,
                                      stream_.get()),
                  "copying between devices");
        });
        arrived_[i].record(stream_);
    } else {
        arrived_[i].holdBack(stream_);
        timed(stream_, times_, [&] {
            check(cudaMemcpyAsync(staging_->host[i].data(), send_[i].data(), bytes,
                                  cudaMemcpyDeviceToHost, stream_.get()),
                  "copying from a device to another");
        });
        staging_->there[i].record(stream_);
        staging_->there[i].holdBack(staging_->stream);
        taken_[i].holdBack(staging_->stream);
        timed(staging_->stream, secondTimes_, [&] {
            check(cudaMemcpyAsync(receive_[i].data(), staging_->host[i].data(), bytes,
                                  cudaMemcpyHostToDevice, staging_->stream.get()),
                  "copying to a device from another");
        });
        arrived_[i].record(staging_->stream);
    }
    ++copies_;
    exchange_ += static_cast<int64_t>(bytes);
}

void DeviceLink::awaitArrival(size_t slice, const Stream& taker) {
    arrived_[slice % 2].holdBack(taker);
}
void DeviceLink::taken(size_t slice, const Stream& taker) {
    taken_[slice % 2].record(taker);
}

void DeviceLink::synchronize() const {
    stream_.synchronize();
    if (staging_) staging_->stream.synchronize();
}
void DeviceLink::await() const noexcept {
    logFailure(cudaStreamSynchronize(stream_.get()), "waiting for a stopped exchange");
    if (staging_)
        logFailure(cudaStreamSynchronize(staging_->stream.get()), "waiting for a stopped exchange");
}

void DeviceLink::startTimes() {
    copies_ = 0;
    exchange_ = 0;
}
double DeviceLink::sum(const std::vector<Event>& times, size_t count) {
    double seconds = 0.0;
    for (size_t i = 0; i < count; ++i) {
        float milliseconds = 0.0F;
        check(cudaEventElapsedTime(&milliseconds, times[2 * i].get(), times[2 * i + 1].get()),
              "timing an exchange");
        seconds += 1e-3 * milliseconds;
    }
    return seconds;
}
double DeviceLink::seconds() const {
    return std::max(sum(times_, copies_), staging_ ? sum(secondTimes_, copies_) : 0.0);
}

size_t DeviceLink::bytesOfSide() const {
    return sizeof(PairModes) * (send_[0].size() + send_[1].size());
}

}  // namespace armilla::cuda

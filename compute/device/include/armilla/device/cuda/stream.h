// SPDX-License-Identifier: GPL-3.0-or-later
// Owners of CUDA streams and events. The default stream is never used, because that stream
// synchronizes with all others.
#pragma once

#include <utility>

#include "armilla/device/cuda/check.h"

namespace armilla::cuda {

// Computations run at low priority and pictures at high priority, so that frames are not delayed.
enum class Priority { Low, High };

// Owner of a non-blocking stream on a device.
class Stream {
public:
    Stream(int device, Priority priority) : device_(device) {
        const DeviceScope scope(device);
        int least = 0, greatest = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for priorities");
        check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking,
                                           priority == Priority::High ? greatest : least),
              "making a stream");
    }
    ~Stream() { reset(); }
    Stream(Stream&& other) noexcept
        : device_(other.device_), stream_(std::exchange(other.stream_, nullptr)) {}
    Stream& operator=(Stream&& other) noexcept {
        if (this != &other) {
            reset();
            device_ = other.device_;
            stream_ = std::exchange(other.stream_, nullptr);
        }
        return *this;
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    cudaStream_t get() const { return stream_; }
    int device() const { return device_; }
    // Waits for all work queued in this stream.
    void synchronize() const { check(cudaStreamSynchronize(stream_), "the work of a stream"); }

private:
    void reset() noexcept {
        if (stream_ != nullptr)
            onDevice(device_, "freeing a stream", [&] { return cudaStreamDestroy(stream_); });
        stream_ = nullptr;
    }
    int device_ = 0;
    cudaStream_t stream_ = nullptr;
};

// Owner of an event.
class Event {
public:
    // Timing costs time, so the default is Off unless elapsed times are needed.
    enum class Timing { Off, On };
    explicit Event(int device, Timing timing = Timing::Off) : device_(device) {
        const DeviceScope scope(device);
        check(cudaEventCreateWithFlags(
                  &event_, timing == Timing::On ? cudaEventDefault : cudaEventDisableTiming),
              "making an event");
    }
    ~Event() { reset(); }
    Event(Event&& other) noexcept
        : device_(other.device_), event_(std::exchange(other.event_, nullptr)) {}
    Event& operator=(Event&& other) noexcept {
        if (this != &other) {
            reset();
            device_ = other.device_;
            event_ = std::exchange(other.event_, nullptr);
        }
        return *this;
    }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    cudaEvent_t get() const { return event_; }
    void record(const Stream& stream) {
        check(cudaEventRecord(event_, stream.get()), "recording an event");
    }
    // Makes `stream` wait for the work recorded here; the host does not wait.
    void holdBack(const Stream& stream) const {
        check(cudaStreamWaitEvent(stream.get(), event_, 0), "waiting for an event");
    }
    void synchronize() const { check(cudaEventSynchronize(event_), "waiting for an event"); }

private:
    void reset() noexcept {
        if (event_ != nullptr)
            onDevice(device_, "freeing an event", [&] { return cudaEventDestroy(event_); });
        event_ = nullptr;
    }
    int device_ = 0;
    cudaEvent_t event_ = nullptr;
};

}  // namespace armilla::cuda

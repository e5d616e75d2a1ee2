// SPDX-License-Identifier: GPL-3.0-or-later
// Direct exchange of arrays between the devices of several processes, one device each, without a
// copy through the host. Uses NCCL, a library of some 250 MB that is loaded at run time, neither
// linked nor shipped.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace armilla {

namespace cuda {
class Stream;
}

// A communicator of devices. Arrays go from device to device in CUDA streams.
class DeviceGroup {
public:
    // Identifies a new group: made by one member and distributed to all others.
    using Id = std::array<std::byte, 128>;
    // Identifies a device uniquely among all machines.
    using DeviceName = std::array<std::byte, 16>;

    // Empty if a supported version of NCCL loads and the environment does not contain
    // ARMILLA_NCCL=off; otherwise the reason in one line. The search runs once.
    static std::string missing();
    // Throw Unsupported without NCCL, and DeviceError.
    static Id newId();
    static DeviceName nameOf(int device);

    // Collective: all members must call this, and the call returns when all have called. A device
    // may be in a group only once. Throws Unsupported, DeviceError.
    DeviceGroup(int device, const Id& id, int rank, int size);
    // Collective unless the group was abandoned: waits for all members.
    ~DeviceGroup();
    DeviceGroup(const DeviceGroup&) = delete;
    DeviceGroup& operator=(const DeviceGroup&) = delete;

    // An array on the device, sent to or received from member `rank`.
    struct Array {
        int rank = 0;
        void* data = nullptr;
        size_t bytes = 0;
    };
    // Queues in the stream: `sends` to other members, each matched by one of their `receives`.
    // Members with neither need not call. A missing counterpart blocks the stream forever. Throws
    // DeviceError.
    void exchange(std::span<const Array> sends, std::span<const Array> receives,
                  const cuda::Stream& stream);
    // Throws DeviceError if NCCL has detected a failed exchange.
    void check() const;
    // For use after a failure, when other members may never reach an exchange. Cancels pending
    // exchanges, so that streams continue. Only the destructor may follow.
    void abandon() noexcept;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Devices of several processes, one each, that send arrays to each other without a copy through the
// host: by NCCL, a library of some 250 MB that is found at run time, neither linked nor carried.
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

class DeviceGroup {
public:
    // Of a group in the making: made by one of its members, given to all others.
    using Id = std::array<std::byte, 128>;
    // What tells a device from all others, also of other machines.
    using DeviceName = std::array<std::byte, 16>;

    // Empty if there is an NCCL of a version that is known here, and the environment does not say
    // ARMILLA_NCCL=off; else why not, as a line. Looks for it once.
    static std::string missing();
    // Throw Unsupported without NCCL, DeviceError.
    static Id newId();
    static DeviceName nameOf(int device);

    // Called by all members at once; returns when all have. No device is in a group twice. Throws
    // Unsupported, DeviceError.
    DeviceGroup(int device, const Id& id, int rank, int size);
    // Waits for the others to get here, unless the group was abandoned.
    ~DeviceGroup();
    DeviceGroup(const DeviceGroup&) = delete;
    DeviceGroup& operator=(const DeviceGroup&) = delete;

    // On the device.
    struct Array {
        int rank = 0;
        void* data = nullptr;
        size_t bytes = 0;
    };
    // Into the stream: `sends` to other members, which name them among their `receives`. Members
    // with neither need not call. A member that calls where another does not waits for ever, in the
    // stream. Throws DeviceError.
    void exchange(std::span<const Array> sends, std::span<const Array> receives,
                  const cuda::Stream& stream);
    // Throws DeviceError if NCCL has noticed that an exchange fails.
    void check() const;
    // After a failure, when others may not come any more: ends what is under way, and with it what
    // waits behind it in streams. Nothing but the destructor follows.
    void abandon() noexcept;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace armilla

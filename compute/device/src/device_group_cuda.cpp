// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/device/device_group.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "armilla/core/environment.h"
#include "armilla/core/error.h"
#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/stream.h"
#include "found_library.h"

namespace armilla {

namespace {

// The used part of NCCL's interface, which is the same in all versions since 2.7. Declared here
// because NCCL's header is not part of the CUDA toolkit.
using Status = int;
constexpr Status kSuccess = 0, kInProgress = 7;
constexpr int kBytes = 0;  // ncclInt8
constexpr int kLeastVersion = 2700;
struct UniqueId {
    char internal[128];
};
static_assert(sizeof(UniqueId) == sizeof(DeviceGroup::Id));
struct Communicator;

struct Library {
    Status (*version)(int*) = nullptr;
    Status (*uniqueId)(UniqueId*) = nullptr;
    Status (*init)(Communicator**, int, UniqueId, int) = nullptr;
    Status (*destroy)(Communicator*) = nullptr;
    Status (*abort)(Communicator*) = nullptr;
    Status (*asyncError)(Communicator*, Status*) = nullptr;
    const char* (*text)(Status) = nullptr;
    Status (*groupStart)() = nullptr;
    Status (*groupEnd)() = nullptr;
    Status (*send)(const void*, size_t, int, int, Communicator*, cudaStream_t) = nullptr;
    Status (*receive)(void*, size_t, int, int, Communicator*, cudaStream_t) = nullptr;
    std::string missing;
};

// Searches the loader's path first, then the default toolkit folder.
Library find() {
    Library found;
    if (!environment().usesNccl) {
        found.missing = "expected NCCL, found ARMILLA_NCCL=off, which disables NCCL";
        return found;
    }
    const FoundLibrary library{"libnccl.so.2", "/usr/local/cuda/lib64/libnccl.so.2"};
    int version = 0;
    if (!library.isThere())
        found.missing = "expected NCCL (libnccl.so.2), found none";
    else if (!library.load("ncclGetVersion", found.version) ||
             !library.load("ncclGetUniqueId", found.uniqueId) ||
             !library.load("ncclCommInitRank", found.init) ||
             !library.load("ncclCommDestroy", found.destroy) ||
             !library.load("ncclCommAbort", found.abort) ||
             !library.load("ncclCommGetAsyncError", found.asyncError) ||
             !library.load("ncclGetErrorString", found.text) ||
             !library.load("ncclGroupStart", found.groupStart) ||
             !library.load("ncclGroupEnd", found.groupEnd) ||
             !library.load("ncclSend", found.send) || !library.load("ncclRecv", found.receive))
        found.missing = "expected all functions of NCCL in its library, found some missing";
    else if (found.version(&version) != kSuccess || version < kLeastVersion)
        found.missing =
            "expected NCCL 2.7 or later, found version number " + std::to_string(version);
    return found;
}

const Library& nccl() {
    static const Library found = find();
    return found;
}

void require() {
    if (!nccl().missing.empty())
        throw Unsupported("arrays from device to device: " + nccl().missing);
}

void checkNccl(Status status, const char* what) {
    if (status != kSuccess)
        throw DeviceError(std::string("NCCL: expected ") + what +
                          " to work, found: " + nccl().text(status));
}

}  // namespace

struct DeviceGroup::Parts {
    int device = 0;
    Communicator* group = nullptr;  // null: abandoned
    void leaveBy(Status (*leave)(Communicator*)) noexcept;
};

std::string DeviceGroup::missing() {
    return nccl().missing;
}

DeviceGroup::Id DeviceGroup::newId() {
    require();
    UniqueId made{};
    checkNccl(nccl().uniqueId(&made), "making the name of a group of devices");
    Id id{};
    std::memcpy(id.data(), &made, sizeof(made));
    return id;
}

DeviceGroup::DeviceName DeviceGroup::nameOf(int device) {
    cudaDeviceProp properties{};
    cuda::check(cudaGetDeviceProperties(&properties, device), "asking for a device's name");
    DeviceName name{};
    static_assert(sizeof(properties.uuid) == sizeof(name));
    std::memcpy(name.data(), &properties.uuid, sizeof(name));
    return name;
}

DeviceGroup::DeviceGroup(int device, const Id& id, int rank, int size)
    : parts_(std::make_unique<Parts>()) {
    require();
    const cuda::DeviceScope scope(device);
    UniqueId made{};
    std::memcpy(&made, id.data(), sizeof(made));
    parts_->device = device;
    checkNccl(nccl().init(&parts_->group, size, made, rank), "a group of devices");
}

// Calls leave(group) and clears `group`.
void DeviceGroup::Parts::leaveBy(Status (*leave)(Communicator*)) noexcept {
    if (group == nullptr) return;
    cuda::onDevice(device, "choosing the device of a group", [&] {
        const Status status = leave(group);
        if (status != kSuccess)
            std::fprintf(stderr, "armilla: NCCL: leaving a group of devices failed: %s\n",
                         nccl().text(status));
        return cudaSuccess;
    });
    group = nullptr;
}

DeviceGroup::~DeviceGroup() {
    parts_->leaveBy(nccl().destroy);
}

void DeviceGroup::abandon() noexcept {
    parts_->leaveBy(nccl().abort);
}

void DeviceGroup::exchange(std::span<const Array> sends, std::span<const Array> receives,
                           const cuda::Stream& stream) {
    if (sends.empty() && receives.empty()) return;
    ARMILLA_ASSERT(parts_->group != nullptr && stream.device() == parts_->device);
    const cuda::DeviceScope scope(parts_->device);
    checkNccl(nccl().groupStart(), "an exchange between devices");
    Status worst = kSuccess;
    for (const Array& each : sends)
        worst = std::max(worst, nccl().send(each.data, each.bytes, kBytes, each.rank, parts_->group,
                                            stream.get()));
    for (const Array& each : receives)
        worst = std::max(worst, nccl().receive(each.data, each.bytes, kBytes, each.rank,
                                               parts_->group, stream.get()));
    worst = std::max(worst, nccl().groupEnd());
    checkNccl(worst, "an exchange between devices");
}

void DeviceGroup::check() const {
    ARMILLA_ASSERT(parts_->group != nullptr);
    Status status = kSuccess;
    checkNccl(nccl().asyncError(parts_->group, &status), "asking how exchanges went");
    if (status != kInProgress) checkNccl(status, "an exchange between devices");
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of CUDA status codes to exceptions.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "armilla/core/error.h"

namespace armilla::cuda {

// Throws OutOfMemory if device memory is short, DeviceError otherwise; `what` names the operation.
// A fault inside a kernel appears at a later call, so the message contains "at or before".
inline void check(cudaError_t status, std::string_view what,
                  SourceLocation where = SourceLocation::here()) {
    if (status == cudaSuccess) return;
    cudaGetLastError();  // clears the error, which would otherwise reappear at an unrelated call
    const std::string reason = cudaGetErrorString(status);
    if (status == cudaErrorMemoryAllocation)
        throw OutOfMemory("CUDA: expected memory for " + std::string(what) + ", found: " + reason,
                          where);
    throw DeviceError(
        "CUDA: expected " + std::string(what) + " to work, found at or before it: " + reason,
        where);
}
// Must follow every kernel launch.
inline void checkLaunch(std::string_view what, SourceLocation where = SourceLocation::here()) {
    check(cudaGetLastError(), what, where);
}
// For destructors, which must not throw.
inline void logFailure(cudaError_t status, const char* what) noexcept {
    // At the end of the process the driver may already be unloaded, and nothing is left to free.
    if (status == cudaSuccess || status == cudaErrorCudartUnloading) return;
    cudaGetLastError();  // clears the error, which would otherwise reappear at the next launch
    std::fprintf(stderr, "armilla: CUDA: %s failed: %s\n", what, cudaGetErrorString(status));
}

// The device that this thread's innermost DeviceScope made current, -1 outside of scopes. Scopes
// never restore a device that no scope chose. Otherwise each thread and rank would create a context
// on device 0, at some hundred megabytes each, without any work on that device.
inline int& chosenDevice() noexcept {
    thread_local int chosen = -1;
    return chosen;
}

// Makes a device current for its lifetime, then restores the device of the enclosing scope.
class DeviceScope {
public:
    explicit DeviceScope(int device) : outer_(chosenDevice()) {
        check(cudaSetDevice(device), "choosing a device");
        chosenDevice() = device;
    }
    ~DeviceScope() {
        if (outer_ >= 0 && outer_ != chosenDevice())
            logFailure(cudaSetDevice(outer_), "restoring the outer device");
        chosenDevice() = outer_;
    }
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

private:
    int outer_;
};

// Calls `release` with the device current; for destructors.
template <class Release>
void onDevice(int device, const char* what, const Release& release) noexcept {
    const int outer = chosenDevice();
    if (outer != device) logFailure(cudaSetDevice(device), "choosing a device");
    logFailure(release(), what);
    if (outer >= 0 && outer != device)
        logFailure(cudaSetDevice(outer), "restoring the outer device");
}

}  // namespace armilla::cuda

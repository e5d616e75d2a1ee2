// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA's status codes as errors.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "core/error.h"

namespace armilla::cuda {

// Throws OutOfMemory for a lack of device memory, DeviceError otherwise; `what` names the
// operation. A fault inside a kernel shows at a later call, so the message says "at or before".
inline void check(cudaError_t status, std::string_view what,
                  SourceLocation where = SourceLocation::here()) {
    if (status == cudaSuccess) return;
    cudaGetLastError();  // errors that are not sticky must not show up again elsewhere
    const std::string reason = cudaGetErrorString(status);
    if (status == cudaErrorMemoryAllocation)
        throw OutOfMemory("CUDA: expected memory for " + std::string(what) + ", found: " + reason,
                          where);
    throw DeviceError(
        "CUDA: expected " + std::string(what) + " to work, found at or before it: " + reason,
        where);
}
// Behind every kernel launch.
inline void checkLaunch(std::string_view what, SourceLocation where = SourceLocation::here()) {
    check(cudaGetLastError(), what, where);
}
// For destructors, which must not throw.
inline void logFailure(cudaError_t status, const char* what) noexcept {
    // At the end of the process the driver may already be gone: nothing is left to free.
    if (status == cudaSuccess || status == cudaErrorCudartUnloading) return;
    cudaGetLastError();  // must not show up again at the next launch
    std::fprintf(stderr, "armilla: CUDA: %s failed: %s\n", what, cudaGetErrorString(status));
}

// The device that the scopes of a thread have made current, -1 outside of them. Nobody goes back
// to a device that nobody chose: choosing it makes a context there, some hundred megabytes of
// device 0 in each thread and each rank that works on another.
inline int& chosenDevice() noexcept {
    thread_local int chosen = -1;
    return chosen;
}

// Makes a device current, and that of the scope around it again at its end.
class DeviceScope {
public:
    explicit DeviceScope(int device) : outer_(chosenDevice()) {
        check(cudaSetDevice(device), "choosing a device");
        chosenDevice() = device;
    }
    ~DeviceScope() {
        if (outer_ >= 0 && outer_ != chosenDevice())
            logFailure(cudaSetDevice(outer_), "going back to the device around");
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
        logFailure(cudaSetDevice(outer), "going back to the device around");
}

}  // namespace armilla::cuda

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
    std::fprintf(stderr, "armilla: CUDA: %s failed: %s\n", what, cudaGetErrorString(status));
}

// Makes a device current, and the caller's again at the end of the scope.
class DeviceScope {
public:
    explicit DeviceScope(int device) {
        check(cudaGetDevice(&callers_), "finding the current device");
        if (callers_ != device) {
            check(cudaSetDevice(device), "choosing a device");
            changed_ = true;
        }
    }
    ~DeviceScope() {
        if (changed_) logFailure(cudaSetDevice(callers_), "going back to the caller's device");
    }
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

private:
    int callers_ = 0;
    bool changed_ = false;
};

// Calls `release` with the device current; for destructors.
template <class Release>
void onDevice(int device, const char* what, const Release& release) noexcept {
    int callers = 0;
    const bool known = cudaGetDevice(&callers) == cudaSuccess;
    if (known && callers != device) logFailure(cudaSetDevice(device), "choosing a device");
    logFailure(release(), what);
    if (known && callers != device)
        logFailure(cudaSetDevice(callers), "going back to the caller's device");
}

}  // namespace armilla::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/device/cuda_devices.h"

#include <cuda_runtime.h>

#include "armilla/device/cuda/check.h"

namespace armilla {

namespace {

std::string versionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Single-precision units per multiprocessor from the CUDA C++ Programming Guide, arithmetic
// instructions. The driver gives the ratio of single to double precision.
double peakFlops(const cudaDeviceProp& properties, int device) {
    int ratio = 0, kiloHertz = 0;
    if (cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device) !=
            cudaSuccess ||
        cudaDeviceGetAttribute(&kiloHertz, cudaDevAttrClockRate, device) != cudaSuccess ||
        ratio <= 0) {
        cudaGetLastError();
        return 0.0;
    }
    const bool few = properties.major < 8 || (properties.major == 8 && properties.minor == 0);
    return 2.0 * properties.multiProcessorCount * (few ? 64.0 : 128.0) / ratio * 1e3 * kiloHertz;
}

}  // namespace

std::vector<Device> cudaDevices(CudaListing listing) {
    std::vector<Device> devices;
    int count = 0, driver = 0, runtime = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError();  // clears the error: "no device" is a valid result
        return devices;
    }
    if (cudaDriverGetVersion(&driver) != cudaSuccess) driver = 0;
    if (cudaRuntimeGetVersion(&runtime) != cudaSuccess) runtime = 0;
    const bool probe = listing == CudaListing::WithFreeMemory;
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties{};
        if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
        Device device;
        device.kind = DeviceKind::Cuda;
        device.index = i;
        device.name = properties.name;
        device.driver =
            "driver for CUDA " + versionText(driver) + ", runtime " + versionText(runtime);
        size_t freeBytes = 0, total = properties.totalGlobalMem;
        if (probe && (cudaSetDevice(i) != cudaSuccess ||
                      cudaMemGetInfo(&freeBytes, &total) != cudaSuccess)) {
            cudaGetLastError();
            continue;
        }
        device.flops = peakFlops(properties, i);
        device.memoryBytes = static_cast<int64_t>(total);
        device.freeBytes = static_cast<int64_t>(freeBytes);
        devices.push_back(std::move(device));
    }
    if (const int outer = cuda::chosenDevice(); probe && outer >= 0) cudaSetDevice(outer);
    return devices;
}

std::vector<std::string> cudaProblems() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) {
        cudaGetLastError();
        return {std::string("CUDA: ") + cudaGetErrorString(status)};
    }
    std::vector<std::string> problems;
    const size_t usable = cudaDevices(CudaListing::WithFreeMemory).size();
    if (usable < static_cast<size_t>(count))
        problems.push_back("CUDA: " + std::to_string(count - static_cast<int>(usable)) +
                           " device(s) present but not usable");
    return problems;
}

}  // namespace armilla

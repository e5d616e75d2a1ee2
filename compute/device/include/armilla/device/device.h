// SPDX-License-Identifier: GPL-3.0-or-later
// Compute devices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace armilla {

// Kinds of compute devices.
enum class DeviceKind { Cpu, Cuda };

// The device kinds, besides the CPU, that an operation has code for.
struct DeviceSupport {
    bool cuda = false;
};

// Identifies a device; a value that owns nothing.
struct Device {
    DeviceKind kind = DeviceKind::Cpu;
    int index = 0;
    std::string name;    // "AMD EPYC ...", "NVIDIA H200"
    std::string driver;  // CUDA: driver and runtime versions
    int64_t memoryBytes = 0;
    int64_t freeBytes = 0;
    // CUDA: peak double-precision operations per second (a multiply-add counts twice); 0 if unknown
    double flops = 0.0;
    // Indices of further CUDA devices, for partitions of batches and of large maps.
    std::vector<int> others;
    // The notation of the command line: "cpu", "cuda:N" or "cuda:N,M".
    std::string label() const;

    // The CPU first, then each usable CUDA device. Never throws; without a driver there is no CUDA
    // device. The query of free memory creates a context on each CUDA device, which takes about a
    // second and device memory.
    static std::vector<Device> available();
    static Device cpu();
    // Parses a device:
    // - "auto": all CUDA devices if `operation` supports CUDA and a device exists, otherwise the
    //   CPU
    // - "cpu"
    // - "cuda": all CUDA devices; the first runs work that is not partitioned
    // - "cuda:N", "cuda:N,M": the numbered devices
    // Devices are queried only if one may be chosen, and no context is created: freeBytes is 0. A
    // named device is returned even without support by the operation, which then refuses the
    // device. Throws InvalidArgument for other text, Unsupported with the reason if the device does
    // not exist.
    static Device fromText(std::string_view text, DeviceSupport operation);
    // Devices that are present but unusable, one line each with the reason ("CUDA: not in this
    // build", "CUDA: driver 470 is older than ..."). Empty if all devices work.
    static std::vector<std::string> unusable();
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// What the program can compute on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace armilla {

enum class DeviceKind { Cpu, Cuda };

// A value: names a device, owns nothing.
struct Device {
    DeviceKind kind = DeviceKind::Cpu;
    int index = 0;
    std::string name;    // "AMD EPYC ...", "NVIDIA H200"
    std::string driver;  // CUDA: driver and runtime versions
    int64_t memoryBytes = 0;
    int64_t freeBytes = 0;
    // "cpu" or "cuda:N": as the command line takes it.
    std::string label() const;

    // The CPU first, then each usable CUDA device. Never throws: no driver means no CUDA device.
    static std::vector<Device> available();
    static Device cpu();
    // "auto" (a usable CUDA device if the operation at hand has CUDA code, else the CPU), "cpu",
    // "cuda", "cuda:N". Throws InvalidArgument for other text, Unsupported, with the reason, if
    // there is no such device.
    static Device fromText(std::string_view text);
    // Devices that are there but cannot be used, a line each with the reason ("CUDA: not in this
    // build", "CUDA: driver 470 is older than ..."). Empty if everything works.
    static std::vector<std::string> unusable();
};

}  // namespace armilla

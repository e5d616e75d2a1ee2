// SPDX-License-Identifier: GPL-3.0-or-later
// What the program can compute on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace armilla {

enum class DeviceKind { Cpu, Cuda };

// What an operation has code for besides the CPU.
struct DeviceSupport {
    bool cuda = false;
};

// A value: names a device, owns nothing.
struct Device {
    DeviceKind kind = DeviceKind::Cpu;
    int index = 0;
    std::string name;    // "AMD EPYC ...", "NVIDIA H200"
    std::string driver;  // CUDA: driver and runtime versions
    int64_t memoryBytes = 0;
    int64_t freeBytes = 0;
    double flops = 0.0;  // CUDA: double precision multiply-adds by the clock, twice; 0: not known
    // Indices of more CUDA devices, which take their share of batches and of large maps.
    std::vector<int> others;
    // "cpu", "cuda:N" or "cuda:N,M": as the command line takes it.
    std::string label() const;

    // The CPU first, then each usable CUDA device. Never throws: no driver means no CUDA device. To
    // know the free memory each CUDA device is given a context: a second or so, and memory there.
    static std::vector<Device> available();
    static Device cpu();
    // "auto" (a CUDA device if the operation at hand, whose support is given, has CUDA code and
    // there is one, else the CPU), "cpu", "cuda", "cuda:N", "cuda:N,M": without a number all CUDA
    // devices, the first for what is not shared. Asks for no CUDA device unless one may be chosen,
    // and makes no context on any: freeBytes is 0 for them. Throws InvalidArgument for other text,
    // Unsupported, with the reason, if there is no such device; a device that is named is returned
    // whatever the operation, which then refuses it itself.
    static Device fromText(std::string_view text, DeviceSupport operation);
    // Devices that are there but cannot be used, a line each with the reason ("CUDA: not in this
    // build", "CUDA: driver 470 is older than ..."). Empty if everything works.
    static std::vector<std::string> unusable();
};

}  // namespace armilla

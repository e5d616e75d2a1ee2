// SPDX-License-Identifier: GPL-3.0-or-later
#include "ops/device.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

#include "core/error.h"
#include "cuda/device_cuda.h"

namespace armilla {

namespace {

std::string cpuName() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "CPU";
}

}  // namespace

std::string Device::label() const {
    return kind == DeviceKind::Cpu ? "cpu" : "cuda:" + std::to_string(index);
}

Device Device::cpu() {
    Device device;
    device.name = cpuName();
    const int64_t page = sysconf(_SC_PAGESIZE);
    device.memoryBytes = page * sysconf(_SC_PHYS_PAGES);
    device.freeBytes = page * sysconf(_SC_AVPHYS_PAGES);
    return device;
}

std::vector<Device> Device::available() {
    std::vector<Device> all{cpu()};
    for (Device& device : cudaDevices(CudaListing::WithFreeMemory))
        all.push_back(std::move(device));
    return all;
}

std::vector<std::string> Device::unusable() {
    return cudaProblems();
}

Device Device::fromText(std::string_view text, DeviceSupport operation) {
    if (text == "cpu") return cpu();
    if (text == "auto" && !operation.cuda) return cpu();
    const std::vector<Device> cuda = cudaDevices(CudaListing::WithoutContext);
    if (text == "auto") return cuda.empty() ? cpu() : cuda.front();
    if (text != "cuda" && !text.starts_with("cuda:"))
        throw InvalidArgument("expected a device auto, cpu, cuda or cuda:N, found '" +
                              std::string(text) + "'");
    int index = 0;
    if (text != "cuda") {
        const std::string_view digits = text.substr(5);
        const auto [end, status] =
            std::from_chars(digits.data(), digits.data() + digits.size(), index);
        if (status != std::errc() || end != digits.data() + digits.size() || index < 0)
            throw InvalidArgument("expected a device number in '" + std::string(text) + "'");
    }
    const auto found = std::find_if(cuda.begin(), cuda.end(),
                                    [&](const Device& device) { return device.index == index; });
    if (found != cuda.end()) return *found;
    std::string reason = "no usable CUDA device " + std::to_string(index);
    for (const std::string& problem : cudaProblems()) reason += "; " + problem;
    throw Unsupported(reason);
}

}  // namespace armilla

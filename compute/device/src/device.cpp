// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/device/device.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

#include "armilla/core/error.h"
#include "armilla/device/cuda_devices.h"

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
    if (kind == DeviceKind::Cpu) return "cpu";
    std::string label = "cuda:" + std::to_string(index);
    for (const int other : others) label += "," + std::to_string(other);
    return label;
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

namespace {

// The numbers of "cuda:N,M"; none for "cuda".
std::vector<int> indicesOf(std::string_view text) {
    std::vector<int> indices;
    if (text == "cuda") return indices;
    for (std::string_view rest = text.substr(4); !rest.empty();) {
        rest.remove_prefix(1);
        int index = 0;
        const auto [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
        rest.remove_prefix(static_cast<size_t>(end - rest.data()));
        const bool twice = std::find(indices.begin(), indices.end(), index) != indices.end();
        if (status != std::errc() || index < 0 || twice || (!rest.empty() && rest[0] != ','))
            throw InvalidArgument("expected device numbers, each once, in '" + std::string(text) +
                                  "'");
        indices.push_back(index);
    }
    return indices;
}

// The first device, with the indices of the rest in `others`.
Device together(const std::vector<Device>& devices) {
    Device all = devices.front();
    for (size_t i = 1; i < devices.size(); ++i) all.others.push_back(devices[i].index);
    return all;
}

}  // namespace

Device Device::fromText(std::string_view text, DeviceSupport operation) {
    if (text == "cpu") return cpu();
    if (text == "auto" && !operation.cuda) return cpu();
    const std::vector<Device> cuda = cudaDevices(CudaListing::WithoutContext);
    if (text == "auto") return cuda.empty() ? cpu() : together(cuda);
    if (text != "cuda" && !text.starts_with("cuda:"))
        throw InvalidArgument("expected a device auto, cpu, cuda or cuda:N, found '" +
                              std::string(text) + "'");
    const std::vector<int> indices = indicesOf(text);
    if (indices.empty() && !cuda.empty()) return together(cuda);
    std::vector<Device> chosen;
    for (const int index : indices.empty() ? std::vector<int>{0} : indices) {
        const auto found = std::find_if(
            cuda.begin(), cuda.end(), [&](const Device& device) { return device.index == index; });
        if (found == cuda.end()) {
            std::string reason = "no usable CUDA device " + std::to_string(index);
            for (const std::string& problem : cudaProblems()) reason += "; " + problem;
            throw Unsupported(reason);
        }
        chosen.push_back(*found);
    }
    return together(chosen);
}

}  // namespace armilla

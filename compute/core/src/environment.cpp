// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/environment.h"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

namespace armilla {

namespace {

// The value of a variable; empty if it is not set.
std::string_view variable(const char* name) {
    const char* const text = std::getenv(name);
    return text == nullptr ? std::string_view() : std::string_view(text);
}

// XDG Base Directory Specification 0.8: an unset, empty or relative variable counts as ~/.cache.
std::string cacheFolderOfProcess() {
    if (const std::string_view xdg = variable("XDG_CACHE_HOME"); xdg.starts_with('/'))
        return std::string(xdg) + "/armilla";
    if (const std::string_view home = variable("HOME"); home.starts_with('/'))
        return std::string(home) + "/.cache/armilla";
    return {};
}

Environment& current() {
    static Environment environment;
    return environment;
}

}  // namespace

Environment environmentOfProcess() {
    Environment result;
    result.cacheFolder = cacheFolderOfProcess();
    if (const std::string_view healpix = variable("HEALPIX"); !healpix.empty())
        result.healpixFolders.insert(result.healpixFolders.begin(), std::string(healpix) + "/data");
    const std::string_view epoch = variable("SOURCE_DATE_EPOCH");
    int64_t seconds = 0;
    if (const auto read = std::from_chars(epoch.data(), epoch.data() + epoch.size(), seconds);
        !epoch.empty() && read.ec == std::errc() && read.ptr == epoch.data() + epoch.size())
        result.writingTime = seconds;
    result.usesSharedMemory = variable("ARMILLA_SHARED_MEMORY") != "off";
    result.usesNccl = variable("ARMILLA_NCCL") != "off";
    return result;
}

void setEnvironment(Environment environment) {
    current() = std::move(environment);
}

const Environment& environment() {
    return current();
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/result_cache.h"

#include <unistd.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <system_error>

namespace armilla {

namespace {

namespace fs = std::filesystem;

// Raised whenever the meaning of a stored table changes; older files are then not found.
constexpr uint64_t kFormat = 0x41524d4c43414331;  // "ARMLCAC1"
static_assert(std::endian::native == std::endian::little,
              "tables are stored as they are in memory");

// XDG Base Directory Specification 0.8: an unset, empty or relative variable counts as ~/.cache.
fs::path cacheFolder() {
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && xdg[0] == '/')
        return fs::path(xdg) / "armilla";
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
        return fs::path(home) / ".cache" / "armilla";
    return {};
}

// FNV-1a, 64 bit, over the words: finds torn and damaged files.
uint64_t checksum(const std::vector<double>& values) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const double value : values) {
        hash ^= std::bit_cast<uint64_t>(value);
        hash *= 0x100000001b3;
    }
    return hash;
}

// Complete or not at all.
void write(const std::string& name, std::initializer_list<std::string_view> parts) {
    const fs::path folder = cacheFolder();
    if (folder.empty()) return;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return;
    const fs::path temporary = folder / (name + "." + std::to_string(getpid()) + ".tmp");
    {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        for (const std::string_view part : parts)
            out.write(part.data(), static_cast<std::streamsize>(part.size()));
        out.close();
        if (out.fail()) {
            fs::remove(temporary, error);
            return;
        }
    }
    fs::rename(temporary, folder / name, error);
    if (error) fs::remove(temporary, error);
}

}  // namespace

std::optional<std::vector<double>> readCached(const std::string& name, size_t count) {
    const fs::path folder = cacheFolder();
    if (folder.empty()) return std::nullopt;
    std::ifstream in(folder / name, std::ios::binary);
    uint64_t head[3] = {};
    if (!in.read(reinterpret_cast<char*>(head), sizeof head)) return std::nullopt;
    if (head[0] != kFormat || head[1] != count) return std::nullopt;
    std::vector<double> values(count);
    const auto bytes = static_cast<std::streamsize>(count * sizeof(double));
    if (!in.read(reinterpret_cast<char*>(values.data()), bytes)) return std::nullopt;
    if (in.peek() != std::ifstream::traits_type::eof() || checksum(values) != head[2])
        return std::nullopt;
    return values;
}

void writeCached(const std::string& name, const std::vector<double>& values) {
    const uint64_t head[3] = {kFormat, values.size(), checksum(values)};
    write(name, {{reinterpret_cast<const char*>(head), sizeof head},
                 {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}});
}

std::optional<std::string> readCachedText(const std::string& name) {
    const fs::path folder = cacheFolder();
    if (folder.empty()) return std::nullopt;
    std::ifstream in(folder / name, std::ios::binary);
    if (!in) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(in), {});
}

void writeCachedText(const std::string& name, const std::string& text) {
    write(name, {text});
}

std::string cachePath(const std::string& name) {
    const fs::path folder = cacheFolder();
    return folder.empty() ? std::string() : (folder / name).string();
}

}  // namespace armilla

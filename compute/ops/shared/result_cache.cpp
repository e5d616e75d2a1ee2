// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/result_cache.h"

#include <unistd.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string_view>
#include <system_error>

#include "armilla/core/environment.h"

namespace armilla {

namespace {

namespace fs = std::filesystem;

// Increased whenever the meaning of a stored table changes; files of older formats are then not
// found.
constexpr uint64_t kFormat = 0x41524d4c43414331;  // "ARMLCAC1"
static_assert(std::endian::native == std::endian::little,
              "tables are stored as they are in memory");

fs::path cacheFolder() {
    return environment().cacheFolder;
}

// FNV-1a, 64 bit, over the words; detects truncated and damaged files.
uint64_t checksum(const std::vector<double>& values) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const double value : values) {
        hash ^= std::bit_cast<uint64_t>(value);
        hash *= 0x100000001b3;
    }
    return hash;
}

// Writes the file completely or not at all.
void write(const std::string& name, std::initializer_list<std::string_view> parts) {
    const fs::path folder = cacheFolder();
    if (folder.empty()) return;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return;
    // Distinguishes processes and calls, because several jobs may write the same table.
    static std::atomic<int> calls{0};
    const fs::path temporary =
        folder / (name + "." + std::to_string(getpid()) + "." + std::to_string(calls++) + ".tmp");
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

// A regular file and its size; none for anything else, because opening a FIFO would wait for a
// writer.
struct Stored {
    std::ifstream in;
    uintmax_t size = 0;
};
std::optional<Stored> stored(const std::string& name) {
    const fs::path path = cacheFolder() / name;
    std::error_code error;
    if (cacheFolder().empty() || !fs::is_regular_file(path, error)) return std::nullopt;
    const uintmax_t size = fs::file_size(path, error);
    if (error) return std::nullopt;
    return Stored{std::ifstream(path, std::ios::binary), size};
}
// Does not throw for read errors, unlike iterators over a stream's buffer.
bool readBytes(std::ifstream& in, void* to, size_t count) {
    return static_cast<bool>(in.read(static_cast<char*>(to), static_cast<std::streamsize>(count)));
}

}  // namespace

std::optional<std::vector<double>> readCached(const std::string& name, size_t count) {
    std::optional<Stored> file = stored(name);
    uint64_t head[3] = {};
    if (!file || file->size != sizeof head + count * sizeof(double)) return std::nullopt;
    if (!readBytes(file->in, head, sizeof head) || head[0] != kFormat || head[1] != count)
        return std::nullopt;
    std::vector<double> values(count);
    if (!readBytes(file->in, values.data(), count * sizeof(double))) return std::nullopt;
    if (checksum(values) != head[2]) return std::nullopt;
    return values;
}

void writeCached(const std::string& name, const std::vector<double>& values) {
    const uint64_t head[3] = {kFormat, values.size(), checksum(values)};
    write(name, {{reinterpret_cast<const char*>(head), sizeof head},
                 {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}});
}

std::optional<std::string> readCachedText(const std::string& name) {
    // limit for texts, which are small; larger files are foreign
    constexpr uintmax_t kMost = 1 << 20;
    std::optional<Stored> file = stored(name);
    if (!file || file->size > kMost) return std::nullopt;
    std::string text(static_cast<size_t>(file->size), '\0');
    if (!readBytes(file->in, text.data(), text.size())) return std::nullopt;
    return text;
}

void writeCachedText(const std::string& name, const std::string& text) {
    write(name, {text});
}

std::string cachePath(const std::string& name) {
    const fs::path folder = cacheFolder();
    return folder.empty() ? std::string() : (folder / name).string();
}

}  // namespace armilla

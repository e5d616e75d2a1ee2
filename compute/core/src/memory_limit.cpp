// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/memory_limit.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"

namespace armilla {

namespace {

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

// MemAvailable of /proc/meminfo: free memory plus caches that can be dropped.
int64_t systemAvailable() {
    std::ifstream file("/proc/meminfo");
    std::string key, unit;
    int64_t kilobytes = 0;
    while (file >> key >> kilobytes) {
        if (key == "MemAvailable:") return kilobytes * 1024;
        std::getline(file, unit);
    }
    return kUnlimited;
}

int64_t firstNumber(const std::string& path) {
    std::ifstream file(path);
    int64_t value = 0;
    return file >> value ? value : kUnlimited;  // "max" does not parse: no limit
}

// Version 2 control groups: memory.max minus memory.current, with file caches counted as free.
int64_t controlGroupAvailable() {
    std::ifstream membership("/proc/self/cgroup");
    std::string line, folder;
    while (std::getline(membership, line))
        if (line.starts_with("0::")) folder = "/sys/fs/cgroup" + line.substr(3);
    if (folder.empty()) return kUnlimited;
    const int64_t limit = firstNumber(folder + "/memory.max");
    const int64_t used = firstNumber(folder + "/memory.current");
    if (limit == kUnlimited || used == kUnlimited) return kUnlimited;
    int64_t cached = 0, value = 0;
    std::ifstream statistics(folder + "/memory.stat");
    std::string key;
    while (statistics >> key >> value)
        if (key == "inactive_file" || key == "active_file") cached += value;
    return std::max<int64_t>(0, limit - used + cached);
}

int64_t addressSpaceAvailable() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
    const int64_t pages = firstNumber("/proc/self/statm");
    if (pages == kUnlimited) return kUnlimited;
    return std::max<int64_t>(0,
                             static_cast<int64_t>(limit.rlim_cur) - pages * sysconf(_SC_PAGESIZE));
}

std::string gigabytes(double bytes) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.3g GB", bytes * 1e-9);
    return text.data();
}

}  // namespace

void refuseSize(int64_t count, size_t bytesEach) {
    const double bytes = static_cast<double>(count) * static_cast<double>(bytesEach);
    throw OutOfMemory("expected an array that fits the memory, found one of " +
                      std::to_string(count) + " elements (" + gigabytes(bytes) + ")");
}

void adviseHugePages(void* data, size_t bytes) {
    constexpr uintptr_t kHugePage = uintptr_t{1} << 21;
    // Only whole pages inside the array.
    const auto at = reinterpret_cast<uintptr_t>(data);
    const size_t before = (kHugePage - at % kHugePage) % kHugePage;
    if (before >= bytes) return;
    const size_t whole = (bytes - before) / kHugePage * kHugePage;
    if (whole > 0) madvise(static_cast<char*>(data) + before, whole, MADV_HUGEPAGE);
}

namespace {

// False if the kernel lacks MADV_POPULATE_WRITE (before Linux 5.14).
bool populate(char* data, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
    return madvise(data, bytes, MADV_POPULATE_WRITE) == 0;
#else
    return static_cast<void>(data), static_cast<void>(bytes), false;
#endif
}

// Writes one byte of each page back unchanged.
void touchEach(char* data, size_t bytes) {
    constexpr size_t kLeastPage = 4096;
    for (size_t at = 0; at < bytes; at += kLeastPage) {
        volatile char* const byte = data + at;
        *byte = *byte;
    }
}

}  // namespace

void touchPages(void* data, size_t bytes, const JobContext& job) {
    constexpr size_t kPiece = size_t{1} << 22, kLarge = 8 * kPiece;
    if (bytes < kLarge) return;
    const size_t before = (kPiece - reinterpret_cast<uintptr_t>(data) % kPiece) % kPiece;
    char* const first = static_cast<char*>(data) + before;
    JobContext quiet(job.stopToken(), {}, job.threads());
    parallelFor(quiet, static_cast<long long>((bytes - before) / kPiece), 1,
                [&](long long piece, long long) {
                    char* const at = first + static_cast<size_t>(piece) * kPiece;
                    if (!populate(at, kPiece)) touchEach(at, kPiece);
                });
}

int64_t availableMemory() {
    return std::min({systemAvailable(), controlGroupAvailable(), addressSpaceAvailable()});
}

void requireMemory(const std::string& what, int64_t bytes) {
    // Small sizes are not checked: the query costs more than reading such a file.
    constexpr int64_t kSmall = 16 << 20;
    if (bytes < kSmall) return;
    const int64_t available = availableMemory();
    if (bytes > available)
        throw OutOfMemory(what + ": expected data that fit the " +
                          gigabytes(static_cast<double>(available)) +
                          " of memory available, found " + gigabytes(static_cast<double>(bytes)));
}

}  // namespace armilla

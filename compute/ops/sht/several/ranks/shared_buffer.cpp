// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a rank is a file without a name (memfd_create(2)), which disappears with the
// processes that hold it, however they end. Other ranks open it among the rank's open files in
// /proc.
#include "sht/several/ranks/shared_buffer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>

#include "armilla/core/environment.h"
#include "armilla/core/new_vector.h"

namespace armilla {

// A rank's description of its part. On another machine the same process and file numbers are
// something else, hence the mark, a random number, in the file's name.
struct SharedBuffer::Place {
    int64_t process = -1, file = -1;
    uint64_t mark = 0;
    int64_t rank = -1;
    bool there() const { return file >= 0; }
    std::string name() const { return "armilla-" + std::to_string(mark); }
};

namespace {

// Marked as not executable: some systems refuse memory files without this flag, and older systems
// do not have it.
Descriptor newFile(const std::string& name) {
    constexpr unsigned int kNoExecution = 8;  // MFD_NOEXEC_SEAL
    const int file = memfd_create(name.c_str(), MFD_CLOEXEC | kNoExecution);
    return Descriptor(file >= 0 ? file : memfd_create(name.c_str(), MFD_CLOEXEC));
}

}  // namespace

SharedBuffer::SharedBuffer(int64_t bytes, int rank, int size)
    : bytes_(bytes), rank_(rank), parts_(static_cast<size_t>(size), nullptr) {}

SharedBuffer::~SharedBuffer() {
    for (std::byte* const part : parts_)
        if (part != nullptr) munmap(part, static_cast<size_t>(bytes_));
}

bool SharedBuffer::makeOwn(Place& place) {
    if (!environment().usesSharedMemory) return false;
    rlimit addresses{};
    if (getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur != RLIM_INFINITY) return false;
    place.process = getpid();
    place.rank = rank_;
    if (getrandom(&place.mark, sizeof place.mark, 0) != sizeof place.mark) return false;
    file_ = newFile(place.name());
    if (!file_.isOpen() || ftruncate(file_.get(), bytes_) != 0) return false;
    place.file = file_.get();
    return true;
}

bool SharedBuffer::map(const Place& place, int rank) {
    if (!place.there() || place.rank != rank) return false;
    const std::string path =
        "/proc/" + std::to_string(place.process) + "/fd/" + std::to_string(place.file);
    std::string target(256, '\0');
    const ssize_t length = readlink(path.c_str(), target.data(), target.size());
    if (length < 0) return false;
    target.resize(static_cast<size_t>(length));
    if (target != "/memfd:" + place.name() + " (deleted)") return false;
    const Descriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!file.isOpen()) return false;
    const auto size = static_cast<size_t>(bytes_);
    void* const mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (mapped == MAP_FAILED) return false;
    adviseHugePages(mapped, size);
    parts_[static_cast<size_t>(rank)] = static_cast<std::byte*>(mapped);
    return true;
}

std::unique_ptr<SharedBuffer> SharedBuffer::make(int64_t bytes, Ranks& ranks, JobContext& job) {
    if (ranks.size() == 1 || bytes == 0) return nullptr;
    std::unique_ptr<SharedBuffer> workspace(new SharedBuffer(bytes, ranks.rank(), ranks.size()));
    Place own;
    if (!workspace->makeOwn(own)) own = {};
    const auto places = ranks.gatherAll(std::span<const Place>(&own, 1), job);
    bool all = true;
    for (size_t rank = 0; rank < places.size(); ++rank)
        all = all && workspace->map(places[rank].at(0), static_cast<int>(rank));
    // Files stay open until here, so that the other ranks can open them.
    const char mine = all ? 1 : 0;
    for (const auto& each : ranks.gatherAll(std::span<const char>(&mine, 1), job))
        all = all && each.at(0) == 1;
    if (!all) return nullptr;
    workspace->file_.close();
    return workspace;
}

void SharedBuffer::meet(Ranks& ranks, JobContext& job) {
    std::atomic_thread_fence(std::memory_order_release);
    ranks.meet(job);
    std::atomic_thread_fence(std::memory_order_acquire);
}

}  // namespace armilla

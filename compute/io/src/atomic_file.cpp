// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>
#include <system_error>

#include "core/error.h"

namespace armilla {

namespace fs = std::filesystem;

namespace {

// The temporary files of living AtomicFiles. Never destroyed, so that a thread which ends the
// process may look at it at any time.
struct Unfinished {
    std::mutex lock;
    std::set<fs::path> paths;
};
Unfinished& unfinished() {
    static auto* instance = new Unfinished;
    return *instance;
}

fs::path followed(const fs::path& path) {
    std::error_code failed;
    if (!fs::is_symlink(fs::symlink_status(path, failed))) return path;
    const fs::path target = fs::weakly_canonical(path, failed);
    return failed ? path : target;
}

}  // namespace

void removeUnfinishedFiles() noexcept {
    Unfinished& all = unfinished();
    const std::lock_guard hold(all.lock);
    std::error_code ignored;
    for (const fs::path& path : all.paths) fs::remove(path, ignored);
}

AtomicFile::AtomicFile(fs::path finalPath, bool overwrite)
    : final_(followed(finalPath)), overwrite_(overwrite) {
    std::error_code ignored;
    const fs::file_status status = fs::status(final_, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw IoError(final_.string() + ": expected the name of a file to write, found " +
                      (fs::is_directory(status) ? "a folder" : "a device or other special file"));
    if (!overwrite && fs::exists(final_, ignored))
        throw IoError(final_.string() +
                      ": expected a new file, found one that exists (--overwrite "
                      "replaces it)");
    fs::path folder = final_.parent_path();
    if (folder.empty()) folder = ".";
    if (!fs::is_directory(folder, ignored))
        throw IoError(final_.string() + ": expected a folder to write to, found none");
    temporary_ =
        folder / ("." + final_.filename().string() + "." + std::to_string(getpid()) + ".part");
    fs::remove(temporary_, ignored);
    Unfinished& all = unfinished();
    const std::lock_guard hold(all.lock);
    all.paths.insert(temporary_);
}

AtomicFile::~AtomicFile() {
    std::error_code ignored;
    if (!committed_) fs::remove(temporary_, ignored);
    Unfinished& all = unfinished();
    const std::lock_guard hold(all.lock);
    all.paths.erase(temporary_);
}

void AtomicFile::commit() {
    const int file = open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = file >= 0 && fsync(file) == 0;
    const int reason = errno;
    if (file >= 0) close(file);
    if (!synced)
        throw IoError(final_.string() +
                      ": expected to write the file, found: " + std::strerror(reason));
    // RENAME_NOREPLACE, so that a file made by another meanwhile is not lost.
    const int status = overwrite_ ? rename(temporary_.c_str(), final_.c_str())
                                  : renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD,
                                              final_.c_str(), RENAME_NOREPLACE);
    if (status != 0)
        throw IoError(final_.string() +
                      ": expected to name the finished file, found: " + std::strerror(errno));
    committed_ = true;
}

void writeFileAtomically(const fs::path& path, std::string_view content, bool overwrite) {
    AtomicFile file(path, overwrite);
    {
        std::ofstream out(file.temporary(), std::ios::binary);
        out.write(content.data(), static_cast<std::streamsize>(content.size()));
        out.close();
        if (!out)
            throw IoError(path.string() + ": expected to write " + std::to_string(content.size()) +
                          " bytes, found: " + std::strerror(errno));
    }
    file.commit();
}

}  // namespace armilla

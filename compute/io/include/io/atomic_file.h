// SPDX-License-Identifier: GPL-3.0-or-later
// A file that appears under its name only when it is complete.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace armilla {

// Write to `temporary()`, then `commit()`: syncs and renames to the final name. Destroyed without
// commit, it removes the temporary file. The temporary lies in the same folder as the final name.
class AtomicFile {
public:
    // Throws IoError if the final name exists and `overwrite` is false, if it names something other
    // than a regular file (a rename would replace a device), or if the folder is not there. A
    // symbolic link is followed: the file it points to is replaced, the link stays.
    AtomicFile(std::filesystem::path finalPath, bool overwrite);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    const std::filesystem::path& temporary() const { return temporary_; }
    // Throws IoError (full disk, ...), leaving the final name as it was.
    void commit();

private:
    std::filesystem::path final_, temporary_;
    bool overwrite_ = false;
    bool committed_ = false;
};

// Throws IoError for a name that promises a packed file (.gz, .fz, ...), since FITS files are
// written as they are.
void requirePlainName(const std::string& path);

// Removes the temporary files of all living AtomicFiles, for a process that is about to end without
// unwinding (a second Ctrl-C). Safe from any thread; not for signal handlers.
void removeUnfinishedFiles() noexcept;

// Writes text or bytes atomically.
void writeFileAtomically(const std::filesystem::path& path, std::string_view content,
                         bool overwrite);

}  // namespace armilla

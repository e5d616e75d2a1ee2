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
    // Throws IoError if the final name exists and `overwrite` is false, or the folder is not there.
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

// Writes text or bytes atomically.
void writeFileAtomically(const std::filesystem::path& path, std::string_view content,
                         bool overwrite);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Files that appear under their final name only when complete.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace armilla {

// Write to `temporary()` or `descriptor()`, then call `commit()`, which syncs and renames to the
// final name. Destruction without commit removes the temporary file. The temporary file lies in the
// folder of the final name, under an unpredictable name. The file is created exclusively; an
// existing file is never opened.
class AtomicFile {
public:
    // Throws IoError in these cases:
    // - the final name exists and `overwrite` is false
    // - the name is something other than a regular file (a rename would replace a device)
    // - the name is too long
    // - the folder does not exist
    // A symbolic link is followed: the target is replaced, the link stays.
    AtomicFile(std::filesystem::path finalPath, bool overwrite);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    const std::filesystem::path& temporary() const { return temporary_; }
    // Open for reading and writing until commit.
    int descriptor() const { return descriptor_; }
    // Throws IoError (full disk, ...); the file at the final name is then unchanged.
    void commit();

private:
    std::filesystem::path final_, temporary_;
    int descriptor_ = -1;
    bool overwrite_ = false;
    bool committed_ = false;
};

// A folder that appears under its final name only when complete. Write into `temporary()`, then
// call `commit()`. Destruction without commit removes the temporary folder.
class AtomicFolder {
public:
    // Returns true for a folder of the format that is written; no other folder is replaced.
    using IsOfFormat = bool (*)(const std::string& path);
    // Throws IoError if the final name exists and `overwrite` is false, or is no such folder.
    AtomicFolder(const std::string& finalPath, bool overwrite, IsOfFormat isOfFormat);
    ~AtomicFolder();
    AtomicFolder(const AtomicFolder&) = delete;
    AtomicFolder& operator=(const AtomicFolder&) = delete;
    const std::filesystem::path& temporary() const { return temporary_; }
    // Syncs the file system and renames. Throws IoError; the folder at the final name is then
    // unchanged.
    void commit();

private:
    std::filesystem::path final_, temporary_;
    bool overwrite_ = false;
};
// The checks of AtomicFolder before the work begins. Throws IoError.
void requireFolderName(const std::string& finalPath, bool overwrite,
                       AtomicFolder::IsOfFormat isOfFormat);

// Throws IoError for a name whose suffix means a compression that the program does not write (.fz,
// .bz2, .Z); .gz is supported.
void requirePlainName(const std::string& path);

// Throws IoError for a name longer than the limit of file systems (255 bytes), before the
// computation starts.
void requireNameLength(const std::string& path);

// Text written in pieces, for files that are too large to hold in memory.
class TextSink {
public:
    TextSink(std::filesystem::path path, bool overwrite);
    void add(std::string_view text);
    // Flushes and commits the file. Throws IoError.
    void commit();

private:
    void flush();
    std::filesystem::path path_;
    AtomicFile file_;
    std::string waiting_;
};

// Removes the temporary files of all living AtomicFiles. For a process that is about to end without
// unwinding (a second Ctrl-C). Safe from any thread, but not in signal handlers.
void removeUnfinishedFiles() noexcept;
// Registers a temporary file of another process for removeUnfinishedFiles, because a killed process
// cannot remove its own. A file that was renamed meanwhile no longer has this name and stays.
void rememberUnfinishedFile(const std::filesystem::path& path);

// True after a file was written to standard output ("-"); no other output may go there.
bool standardOutputHoldsFile() noexcept;

// Writes text or bytes atomically, as AtomicFile does. Throws IoError.
void writeFileAtomically(const std::filesystem::path& path, std::string_view content,
                         bool overwrite);

}  // namespace armilla

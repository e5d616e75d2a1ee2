// SPDX-License-Identifier: GPL-3.0-or-later
// A file that appears under its name only when it is complete.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace armilla {

// Write to `temporary()` or `descriptor()`, then `commit()`: syncs and renames to the final name.
// Destroyed without commit, it removes the temporary file. That lies in the same folder as the
// final name, under a name that nobody can guess; it is made here and never opened if it was there.
class AtomicFile {
public:
    // Throws IoError if the final name exists and `overwrite` is false, if it names something other
    // than a regular file (a rename would replace a device), if it is too long, or if the folder is
    // not there. A symbolic link is followed: the file it points to is replaced, the link stays.
    AtomicFile(std::filesystem::path finalPath, bool overwrite);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    const std::filesystem::path& temporary() const { return temporary_; }
    // Open for reading and writing, until commit.
    int descriptor() const { return descriptor_; }
    // Throws IoError (full disk, ...), leaving the final name as it was.
    void commit();

private:
    std::filesystem::path final_, temporary_;
    int descriptor_ = -1;
    bool overwrite_ = false;
    bool committed_ = false;
};

// Throws IoError for a name that promises a file packed in a way that is not written (.fz, .bz2,
// .Z); .gz is.
void requirePlainName(const std::string& path);

// Throws IoError for a name longer than file systems take (255 bytes), so that it is refused before
// the work.
void requireNameLength(const std::string& path);

// Text that goes out in pieces, for files too large to be held as one.
class TextSink {
public:
    TextSink(std::filesystem::path path, bool overwrite);
    void add(std::string_view text);
    // Throws IoError.
    void commit();

private:
    void flush();
    std::filesystem::path path_;
    AtomicFile file_;
    std::string waiting_;
};

// Removes the temporary files of all living AtomicFiles, for a process that is about to end without
// unwinding (a second Ctrl-C). Safe from any thread; not for signal handlers.
void removeUnfinishedFiles() noexcept;
// Has that remove a temporary file of another process, too: one that is killed cannot. Where it
// has its final name by then, nothing bears this one.
void rememberUnfinishedFile(const std::filesystem::path& path);

// True once a file went to standard output ("-"), where nothing else must then be written.
bool standardOutputHoldsFile() noexcept;

// Writes text or bytes atomically.
void writeFileAtomically(const std::filesystem::path& path, std::string_view content,
                         bool overwrite);

}  // namespace armilla

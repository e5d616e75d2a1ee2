// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/io/atomic_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <random>
#include <set>
#include <system_error>

#include "armilla/core/error.h"

namespace armilla {

namespace fs = std::filesystem;

namespace {

// The temporary files and folders of living AtomicFiles and AtomicFolders. Never destroyed, so that
// a thread that ends the process may read the list at any time.
struct Unfinished {
    std::mutex lock;
    std::set<fs::path> paths;
};
Unfinished& unfinished() {
    static auto* instance = new Unfinished;
    return *instance;
}

// 64 random bits: in a folder with other writers, no other process can predict the name and create
// the file first.
std::string unguessableSuffix() {
    uint64_t bits = 0;
    if (getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits))
        bits = (uint64_t{std::random_device{}()} << 32) | std::random_device{}();
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), ".%016llx.part", static_cast<unsigned long long>(bits));
    return text.data();
}

[[noreturn]] void fail(const fs::path& path, const char* expected, int reason) {
    throw IoError(path.string() + ": expected " + expected + ", found: " + std::strerror(reason));
}

// Returns 0 or an error number.
int sync(const fs::path& path, int flags) {
    const int file = open(path.c_str(), flags | O_CLOEXEC);
    if (file < 0) return errno;
    const int reason = fsync(file) == 0 ? 0 : errno;
    close(file);
    return reason;
}

// The name at the end of a chain of symbolic links, even if no such file exists.
fs::path behindLinks(const fs::path& path) {
    constexpr int kMaxLinks = 40;  // the limit of Linux
    fs::path name = path;
    std::error_code failure;
    for (int i = 0; i < kMaxLinks; ++i) {
        if (!fs::is_symlink(fs::symlink_status(name, failure))) return name;
        const fs::path target = fs::read_symlink(name, failure);
        if (failure) fail(path, "a symbolic link that can be read", failure.value());
        // An absolute target replaces the folder.
        name = name.parent_path() / target;
    }
    fail(path, "a symbolic link that names a file", ELOOP);
}

// The name of a folder without the slashes at its end.
fs::path withoutSlash(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

// Renames unless the new name exists; returns 0 or an error number.
int renameWithoutReplacing(const fs::path& from, const fs::path& to) {
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    // NFS and other file systems do not support the flag; a hard link also fails if the name
    // exists.
    if (link(from.c_str(), to.c_str()) == 0) {
        unlink(from.c_str());
        return 0;
    }
    if (errno == EEXIST) return errno;
    // Without hard links (FAT), a check before the rename is the best available.
    std::error_code ignored;
    if (fs::exists(to, ignored)) return EEXIST;
    return rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

}  // namespace

void requirePlainName(const std::string& path) {
    for (const std::string_view suffix : {".fz", ".bz2", ".Z"})
        if (path.ends_with(suffix))
            throw IoError(
                path + ": expected a name for a FITS file, plain or .fits.gz, found one " +
                "that ends in " + std::string(suffix) + " (such files are read, not written)");
}

void removeUnfinishedFiles() noexcept {
    Unfinished& all = unfinished();
    const std::lock_guard hold(all.lock);
    std::error_code ignored;
    for (const fs::path& path : all.paths) fs::remove_all(path, ignored);
}

void rememberUnfinishedFile(const fs::path& path) {
    Unfinished& all = unfinished();
    const std::lock_guard hold(all.lock);
    all.paths.insert(path);
}

AtomicFile::AtomicFile(fs::path finalPath, bool overwrite)
    : final_(std::move(finalPath)), overwrite_(overwrite) {
    std::error_code ignored;
    if (!overwrite && fs::exists(fs::symlink_status(final_, ignored)))
        throw IoError(final_.string() +
                      ": expected a new file, found one that exists (--overwrite "
                      "replaces it)");
    // A rename over /dev/null would replace the device.
    const fs::file_status status = fs::status(final_, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw IoError(final_.string() + ": expected the name of a file, found " +
                      (fs::is_directory(status) ? "a folder" : "a device or other special file"));
    // Through a link, its target is replaced or created, not the link.
    final_ = behindLinks(final_);
    fs::path folder = final_.parent_path();
    if (folder.empty()) folder = ".";
    if (!fs::is_directory(folder, ignored))
        throw IoError(final_.string() + ": expected a folder to write to, found none");
    requireNameLength(final_.string());
    // The temporary name adds characters, so its stem is cut to stay within the limit of names.
    const std::string stem = "." + final_.filename().string().substr(0, 200);
    Unfinished& all = unfinished();
    const std::lock_guard hold(all.lock);
    for (int tries = 0; descriptor_ < 0; ++tries) {
        temporary_ = folder / (stem + unguessableSuffix());
        descriptor_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ < 0 && (errno != EEXIST || tries > 100))
            fail(final_, "to write the file", errno);
    }
    all.paths.insert(temporary_);
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) close(descriptor_);
    std::error_code ignored;
    if (!committed_) fs::remove(temporary_, ignored);
    Unfinished& all = unfinished();
    const std::lock_guard hold(all.lock);
    all.paths.erase(temporary_);
}

void AtomicFile::commit() {
    struct stat old {};
    // A replaced file keeps its permissions; a new file follows the umask.
    if (overwrite_ && stat(final_.c_str(), &old) == 0 && S_ISREG(old.st_mode))
        chmod(temporary_.c_str(), old.st_mode & 07777);
    if (fsync(descriptor_) != 0) fail(final_, "to write the file", errno);
    const int closed = close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail(final_, "to write the file", errno);
    if (overwrite_) {
        if (rename(temporary_.c_str(), final_.c_str()) != 0)
            fail(final_, "to name the finished file", errno);
    } else if (const int reason = renameWithoutReplacing(temporary_, final_); reason != 0) {
        fail(final_, "to name the finished file", reason);
    }
    committed_ = true;
    // Syncs the folder, so that the name also survives a loss of power. The file exists now, so a
    // failure must be ignored: a folder may be writable but not readable, and some file systems
    // cannot sync one.
    const fs::path folder = final_.parent_path();
    sync(folder.empty() ? fs::path(".") : folder, O_RDONLY | O_DIRECTORY);
}

void requireFolderName(const std::string& finalPath, bool overwrite,
                       AtomicFolder::IsOfFormat isOfFormat) {
    const fs::path name = withoutSlash(finalPath);
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(name, ignored))) {
        if (!overwrite)
            throw IoError(finalPath +
                          ": expected a new folder, found one that exists (--overwrite "
                          "replaces it)");
        if (fs::is_symlink(fs::symlink_status(name, ignored)) || !isOfFormat(name.string()))
            throw IoError(finalPath +
                          ": expected a folder of the same format to replace, found another");
    }
    fs::path parent = name.parent_path();
    if (parent.empty()) parent = ".";
    if (!fs::is_directory(parent, ignored))
        throw IoError(finalPath + ": expected a folder to write to, found none at " +
                      parent.string());
    if (access(parent.c_str(), W_OK | X_OK) != 0)
        throw IoError(finalPath +
                      ": expected a folder to write to, found: " + std::strerror(errno));
    requireNameLength(name.string());
}

AtomicFolder::AtomicFolder(const std::string& finalPath, bool overwrite, IsOfFormat isOfFormat)
    : final_(withoutSlash(finalPath)), overwrite_(overwrite) {
    requireFolderName(finalPath, overwrite, isOfFormat);
    Unfinished& all = unfinished();
    const std::lock_guard hold(all.lock);
    temporary_ = final_.parent_path() /
                 ("." + final_.filename().string().substr(0, 200) + unguessableSuffix());
    if (mkdir(temporary_.c_str(), 0777) != 0) fail(final_, "to write the folder", errno);
    all.paths.insert(temporary_);
}

AtomicFolder::~AtomicFolder() {
    // After a commit, the name is free or that of the replaced folder.
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
    Unfinished& all = unfinished();
    const std::lock_guard hold(all.lock);
    all.paths.erase(temporary_);
}

void AtomicFolder::commit() {
    const int folder = open(temporary_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int synced = folder < 0 ? errno : (syncfs(folder) == 0 ? 0 : errno);
    if (folder >= 0) close(folder);
    if (synced != 0) fail(final_, "to write the folder", synced);
    std::error_code ignored;
    if (overwrite_ && fs::exists(final_, ignored)) {
        // The exchange leaves the old folder under the temporary name.
        if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, final_.c_str(), RENAME_EXCHANGE) == 0)
            return;
        fail(final_, "to replace the folder", errno);
    }
    if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, final_.c_str(), RENAME_NOREPLACE) == 0)
        return;
    if (errno != EINVAL && errno != ENOSYS) fail(final_, "to name the finished folder", errno);
    // rename() replaces only an empty folder.
    if (rename(temporary_.c_str(), final_.c_str()) != 0)
        fail(final_, "to name the finished folder", errno);
}

void requireNameLength(const std::string& path) {
    constexpr size_t kMostBytes = 255;
    const size_t bytes = fs::path(path).filename().string().size();
    if (bytes > kMostBytes)
        throw IoError(path.substr(0, 60) +
                      "...: expected a file name of at most 255 bytes, found " +
                      std::to_string(bytes));
}

TextSink::TextSink(fs::path path, bool overwrite)
    : path_(std::move(path)), file_(path_, overwrite) {}

void TextSink::add(std::string_view text) {
    constexpr size_t kPiece = size_t{1} << 20;
    waiting_ += text;
    if (waiting_.size() >= kPiece) flush();
}

void TextSink::flush() {
    for (size_t done = 0; done < waiting_.size();) {
        const ssize_t put =
            write(file_.descriptor(), waiting_.data() + done, waiting_.size() - done);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) fail(path_, "to write the file", errno);
        done += static_cast<size_t>(put);
    }
    waiting_.clear();
}

void TextSink::commit() {
    flush();
    file_.commit();
}

void writeFileAtomically(const fs::path& path, std::string_view content, bool overwrite) {
    TextSink sink(path, overwrite);
    sink.add(content);
    sink.commit();
}

}  // namespace armilla

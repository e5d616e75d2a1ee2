// SPDX-License-Identifier: GPL-3.0-or-later
#include "unpack_tiles.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "armilla/core/descriptor.h"
#include "armilla/core/error.h"
#include "armilla/core/loaded_module.h"
#include "armilla/core/memory_limit.h"
#include "fits_file.h"
#include "limited_child.h"
#include "tiles_module.h"

namespace armilla {

namespace {

std::filesystem::path temporaryFolder() {
    std::error_code failure;
    const std::filesystem::path base = std::filesystem::temp_directory_path(failure);
    return failure ? std::filesystem::path("/tmp") : base;
}

void writeAll(int file, std::span<const std::byte> bytes, const std::string& path) {
    for (size_t done = 0; done < bytes.size();) {
        const ssize_t put = write(file, bytes.data() + done, bytes.size() - done);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0)
            refuse(path, "disk space to unpack the file in " + temporaryFolder().string(),
                   std::strerror(errno));
        done += static_cast<size_t>(put);
    }
}

// Bytes of one value and the repeat count of a table's ZFORMn; none for invalid forms.
std::optional<int64_t> formBytes(const std::string& form) {
    size_t at = 0;
    int64_t repeat = 0;
    while (at < form.size() && form[at] >= '0' && form[at] <= '9') {
        repeat = 10 * repeat + (form[at++] - '0');
        if (repeat > (int64_t{1} << 40)) return std::nullopt;
    }
    if (at == 0) repeat = 1;
    if (at >= form.size()) return std::nullopt;
    switch (form[at]) {
        case 'L':
        case 'B':
        case 'A': return repeat;
        case 'X': return (repeat + 7) / 8;
        case 'I': return 2 * repeat;
        case 'J':
        case 'E': return 4 * repeat;
        case 'K':
        case 'D':
        case 'C':
        case 'P': return 8 * repeat;
        case 'M':
        case 'Q': return 16 * repeat;
        default: return std::nullopt;
    }
}

// Checks a product of sizes against the maximum for `packed` bytes.
int64_t plausible(const std::string& path, int64_t a, int64_t b, int64_t packed, int64_t ratio) {
    int64_t bytes = 0;
    // One FITS block: the rounding of small files. With more, 8 kB could unpack into a gigabyte.
    constexpr int64_t kSlack = 2880;
    if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &bytes) || bytes / ratio > packed + kSlack)
        refuse(path, "a tile-compressed HDU that its " + std::to_string(packed) + " bytes can hold",
               std::to_string(a) + " times " + std::to_string(b) + " bytes");
    return bytes;
}

int64_t tableBytes(const std::string& path, const FitsHeader& header, int64_t dataBytes) {
    const auto number = [&](const std::string& key) { return header.integer(key).value_or(-1); };
    const int64_t fields = number("TFIELDS"), rowBytes = number("ZNAXIS1");
    const int64_t rows = number("ZNAXIS2"), tileRows = number("ZTILELEN"), tiles = number("NAXIS2");
    if (fields < 1 || fields > 999 || rowBytes < 1 || rows < 0 || tileRows < 1 || tiles < 0)
        refuse(path, "TFIELDS, ZNAXIS1, ZNAXIS2, ZTILELEN of a tile-compressed table",
               "invalid or missing cards");
    if ((rows - 1) / tileRows + 1 != tiles && !(rows == 0 && tiles == 0))
        refuse(path, std::to_string(tiles) + " tiles of ZTILELEN = " + std::to_string(tileRows),
               "ZNAXIS2 = " + std::to_string(rows));
    int64_t sum = 0, descriptors = 0;
    for (int64_t n = 1; n <= fields; ++n) {
        const std::string column = std::to_string(n);
        const std::string form = trimmed(header.text("ZFORM" + column).value_or(""));
        const auto bytes = formBytes(form);
        // Each column of the packed table is a list of bytes for each tile.
        const std::string list = trimmed(header.text("TFORM" + column).value_or(""));
        const bool isList = list.starts_with("1PB") || list.starts_with("1QB") ||
                            list.starts_with("PB") || list.starts_with("QB");
        if (!bytes || !isList)
            refuse(path, "a column of bytes and its ZFORM" + column,
                   inQuotes(list) + ", " + inQuotes(form));
        static constexpr std::array<std::string_view, 4> kStrategies = {"GZIP_1", "GZIP_2",
                                                                        "RICE_1", "NOCOMPRESS"};
        const std::string strategy = trimmed(header.text("ZCTYP" + column).value_or("GZIP_2"));
        if (std::find(kStrategies.begin(), kStrategies.end(), strategy) == kStrategies.end())
            refuse(path, "GZIP_1, GZIP_2, RICE_1 or NOCOMPRESS in ZCTYP" + column,
                   inQuotes(strategy));
        sum += *bytes;
        descriptors += list.find('Q') == std::string::npos ? 8 : 16;
    }
    if (sum != rowBytes || descriptors != number("NAXIS1"))
        refuse(path,
               "columns that fill the rows of ZNAXIS1 = " + std::to_string(rowBytes) +
                   " and NAXIS1 = " + std::to_string(number("NAXIS1")) + " bytes",
               std::to_string(sum) + " and " + std::to_string(descriptors));
    // Deflate compresses at most 1032 to 1.
    const int64_t bytes = plausible(path, rowBytes, rows, dataBytes, 1032);
    // A tile is unpacked in memory.
    plausible(path, rowBytes, std::min(tileRows, rows), dataBytes, 1032);
    const int64_t extra = header.integer("ZPCOUNT").value_or(0);
    return bytes + plausible(path, 1, std::max<int64_t>(extra, 0), dataBytes, 1032);
}

int64_t imageBytes(const std::string& path, const FitsHeader& header, int64_t dataBytes) {
    const int64_t bitpix = header.integer("ZBITPIX").value_or(0);
    const int64_t axes = header.integer("ZNAXIS").value_or(0);
    constexpr std::array<int64_t, 6> kTypes = {8, 16, 32, 64, -32, -64};
    if (axes < 1 || axes > 6 || std::find(kTypes.begin(), kTypes.end(), bitpix) == kTypes.end())
        refuse(path, "ZBITPIX and ZNAXIS of a tile-compressed image", "invalid or missing cards");
    int64_t pixels = 1, tile = 1;
    for (int64_t axis = 1; axis <= axes; ++axis) {
        const std::string n = std::to_string(axis);
        const int64_t size = header.integer("ZNAXIS" + n).value_or(-1);
        const int64_t side = header.integer("ZTILE" + n).value_or(axis == 1 ? size : 1);
        if (size < 1 || side < 1)
            refuse(path, "ZNAXIS" + n + " and ZTILE" + n + " of at least 1", "smaller values");
        // Runs of one value take a few bytes for thousands of pixels (PLIO_1, HCOMPRESS_1).
        pixels = plausible(path, pixels, size, dataBytes, 8192);
        tile = plausible(path, tile, std::min(side, size), dataBytes, 8192);
    }
    return plausible(path, pixels, std::abs(bitpix) / 8, dataBytes, 8 * 8192);
}

// ---- Child process: code here must not throw or touch data of the parent's threads. ----

// The child's report: cfitsio's status and error messages.
using Answer = UnpackAnswer;

[[noreturn]] void childMain(int in, int out, int pipe, const ChildLimits& limits,
                            ArmillaUnpackTiles unpack) {
    confine(limits);
    Answer answer;
    unpack(in, out, answer);
    const ssize_t put = write(pipe, &answer, sizeof answer);
    _exit(put == static_cast<ssize_t>(sizeof answer) ? 0 : 1);
}

// ---- Parent process. ----

// Waits for the child's report; kills the child on a stop of the job or after a timeout.
Answer answerOf(pid_t child, int pipe, int seconds, const std::stop_token& stop,
                const std::string& path) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(seconds);
    Answer answer;
    bool late = false;
    for (;;) {
        pollfd waiting{pipe, POLLIN, 0};
        const int ready = poll(&waiting, 1, 20);
        late = Clock::now() > end;
        if (ready > 0 || late || stop.stop_requested()) break;
    }
    if (late || stop.stop_requested()) kill(child, SIGKILL);
    const bool whole = read(pipe, &answer, sizeof answer) == static_cast<ssize_t>(sizeof answer);
    const int how = endOf(child);
    if (stop.stop_requested()) throw Cancelled();
    if (late)
        refuse(path, "tiles that unpack within " + std::to_string(seconds) + " s", "more work");
    if (!whole)
        refuse(path, "tile-compressed data that unpack",
               WIFSIGNALED(how) ? "damaged ones (signal " + std::to_string(WTERMSIG(how)) + ")"
                                : "damaged ones");
    return answer;
}

}  // namespace

int64_t unpackedBytes(const std::string& path, const FitsHeader& header, int64_t dataBytes) {
    return header.logical("ZTABLE").value_or(false) ? tableBytes(path, header, dataBytes)
                                                    : imageBytes(path, header, dataBytes);
}

int temporaryFile(const std::string& path) {
    const std::string folder = temporaryFolder().string();
    int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) {
        // Some file systems do not support unnamed files.
        std::string name = folder + "/armilla-XXXXXX";
        file = mkostemp(name.data(), O_CLOEXEC);
        if (file >= 0) unlink(name.c_str());
    }
    if (file < 0) refuse(path, "a temporary file in " + folder, std::strerror(errno));
    return file;
}

int unpackTiles(const PackedTiles& packed, const std::stop_token& stop) {
    const int in = packed.source->descriptor();
    Descriptor out(temporaryFile(packed.path));
    struct statvfs room {};
    if (fstatvfs(out.get(), &room) == 0 &&
        packed.bytes / static_cast<int64_t>(room.f_frsize) >= static_cast<int64_t>(room.f_bavail))
        refuse(packed.path,
               "disk space for " + std::to_string(packed.bytes) + " bytes in " +
                   temporaryFolder().string(),
               "less");
    requireMemory(packed.path, packed.bytes / 4);
    // The primary HDU is never compressed; cfitsio appends the rest.
    std::vector<std::byte> piece(size_t{1} << 20);
    for (int64_t at = 0; at < packed.primaryBytes;) {
        const auto want =
            std::min<int64_t>(static_cast<int64_t>(piece.size()), packed.primaryBytes - at);
        const size_t got =
            packed.source->readAt(at, std::span(piece).first(static_cast<size_t>(want)));
        if (got == 0) refuse(packed.path, "a whole primary HDU", "the end of the file");
        writeAll(out.get(), std::span(piece).first(got), packed.path);
        at += static_cast<int64_t>(got);
    }
    // Loaded before the child's limits are derived from the size of this process.
    static const auto unpack =
        reinterpret_cast<ArmillaUnpackTiles>(moduleSymbol(kTilesModule, "armillaUnpackTiles"));
    int pipe[2];
    if (pipe2(pipe, O_CLOEXEC) != 0) refuse(packed.path, "a pipe", std::strerror(errno));
    Descriptor reading(pipe[0]), writing(pipe[1]);
    constexpr int64_t kMegabyte = int64_t{1} << 20;
    ChildLimits limits;
    limits.fileBytes = packed.bytes;
    limits.memoryBytes = addressSpace() + 2 * packed.bytes + 512 * kMegabyte;
    limits.seconds = 60 + static_cast<int>(packed.bytes / (10 * kMegabyte));
    const pid_t child = fork();
    if (child < 0) refuse(packed.path, "a process to unpack the file", std::strerror(errno));
    if (child == 0) childMain(in, out.get(), writing.get(), limits, unpack);
    close(writing.release());
    const Answer answer = answerOf(child, reading.get(), limits.seconds, stop, packed.path);
    if (answer.status != 0)
        refuse(packed.path, "tile-compressed data that unpack", inQuotes(answer.text.data()));
    return out.release();
}

int unpackedCopy(ByteSource& source, const std::string& path, JobContext& job) {
    Descriptor file(temporaryFile(path));
    std::vector<std::byte> piece(size_t{1} << 20);
    for (int64_t at = 0;;) {
        job.poll();
        const size_t got = source.readAt(at, piece);
        writeAll(file.get(), std::span(piece).first(got), path);
        at += static_cast<int64_t>(got);
        if (got < piece.size()) return file.release();
    }
}

}  // namespace armilla

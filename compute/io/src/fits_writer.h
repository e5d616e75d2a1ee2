// SPDX-License-Identifier: GPL-3.0-or-later
// FITS files written in one pass: header, data from several threads, checksums on the fly.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/io/atomic_file.h"

namespace armilla {

// Header cards under construction.
class FitsCards {
public:
    void logical(std::string_view key, bool value, std::string_view comment = {});
    void integer(std::string_view key, int64_t value, std::string_view comment = {});
    // The shortest digits that restore the same double.
    void real(std::string_view key, double value, std::string_view comment = {});
    // Keeps at most 68 characters; characters that FITS does not allow become '?'.
    void text(std::string_view key, std::string_view value, std::string_view comment = {});
    // HISTORY or COMMENT, on as many cards as necessary.
    void commentary(std::string_view key, std::string_view value);
    // A card verbatim, padded or cut to 80 columns.
    void raw(std::string_view card);
    // DATE: the current time in UTC, or the time of SOURCE_DATE_EPOCH if set.
    void date();
    // The first cards of a binary table.
    void table(int64_t rowBytes, int64_t rows, size_t columns,
               std::string_view rowsComment = "rows");
    const std::vector<std::string>& all() const { return cards_; }

private:
    void value(std::string_view key, const std::string& value, std::string_view comment);
    std::vector<std::string> cards_;
};

class FitsWriter {
public:
    // A suffix .gz compresses the file (equal bytes for equal content); "-" is standard output,
    // which receives the file when complete. Throws IoError as AtomicFile, and for suffixes of
    // other compressions (.fz, ...). Named: other processes may also open `temporary()` and write
    // data there; not for "-".
    enum class Access { Own, Named };
    FitsWriter(const std::string& path, bool overwrite, Access access = Access::Own);
    ~FitsWriter();
    FitsWriter(const FitsWriter&) = delete;
    FitsWriter& operator=(const FitsWriter&) = delete;

    // A primary HDU without data.
    void writeEmptyPrimary();
    // Starts an HDU: writes the cards (plus CHECKSUM, DATASUM and END) and reserves space for the
    // data.
    void beginHdu(const FitsCards& cards, int64_t dataBytes);
    // Writes bytes of the data at `offset`; callable from any thread, each byte once. Throws
    // IoError (full disk).
    void writeData(int64_t offset, std::span<const std::byte> bytes);
    // Offset of the current HDU's data, for other writers of `temporary()`.
    int64_t dataOffset() const { return dataOffset_; }
    std::string temporary() const;
    // The temporary file for the compressed data, if any.
    std::string packed() const { return named_ ? file_->temporary().string() : std::string(); }
    // Adds the checksum of data that other processes have written (FilePartWriter).
    void addSum(uint32_t sum);
    // Pads the data with `padding` and fills in the checksums.
    void endHdu(char padding = 0);
    // Compresses if required, syncs and renames to the final name. Throws IoError, Cancelled.
    void commit(const JobContext& job);
    void commit() { commit(JobContext()); }

private:
    int descriptor() const { return plain_ >= 0 ? plain_ : file_->descriptor(); }
    void packInto(int out, const JobContext& job);
    void copyInto(int out, const JobContext& job);
    void writeAt(int64_t offset, const void* bytes, size_t size);
    std::string path_;
    std::optional<AtomicFile> file_;   // none for standard output
    std::optional<AtomicFile> named_;  // plain_ under a name; never renamed to the final name
    // temporary file for data that are compressed or copied at the end
    int plain_ = -1;
    std::string header_;
    int64_t headerOffset_ = 0, dataOffset_ = 0, dataBytes_ = 0;
    std::mutex sumLock_;
    uint32_t dataSum_ = 0;
};

// Text in printable ASCII, as FITS requires. Symbols of units, angles and numbers are replaced (u
// for the Greek mu, ' for arcminutes), other characters by '?'.
std::string fitsText(std::string_view text);

// Stores a value in big-endian order at `at`.
template <class T>
void putBigEndian(T value, std::byte* at) {
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (size_t i = 0; i < sizeof(T); ++i)
        at[i] = std::endian::native == std::endian::little ? bytes[sizeof(T) - 1 - i] : bytes[i];
}

// Throws InvalidArgument "expected WHAT within single (or double) precision, found larger FOUND".
[[noreturn]] void refuseLarger(const std::string& what, bool single, const std::string& found);

// Stores a number of a column of floats (`single`) or doubles. Returns false and stores nothing for
// values beyond the type: infinite, NaN or too large.
inline bool putFinite(double value, bool single, std::byte* at) {
    const double most =
        single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    if (!(std::abs(value) <= most)) return false;
    if (single)
        putBigEndian(static_cast<float>(value), at);
    else
        putBigEndian(value, at);
    return true;
}

// 32-bit ones' complement sum of `bytes`; the first byte lies `offset` bytes after the start of the
// data (FITS 4.0, appendix J).
uint32_t onesComplementSum(std::span<const std::byte> bytes, int64_t offset);
uint32_t onesComplementAdd(uint32_t a, uint32_t b);

// Writes all of `bytes` at `offset` of an open file. Throws IoError with `path`.
void writeFileAt(int file, int64_t offset, std::span<const std::byte> bytes,
                 const std::string& path);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// FITS files written in one pass: header, data from several threads, checksums as they go by.
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

#include "core/job_context.h"
#include "io/atomic_file.h"

namespace armilla {

// Cards of a header in the making.
class FitsCards {
public:
    void logical(std::string_view key, bool value, std::string_view comment = {});
    void integer(std::string_view key, int64_t value, std::string_view comment = {});
    // Shortest digits that read back as the same double.
    void real(std::string_view key, double value, std::string_view comment = {});
    // At most 68 characters are kept; what FITS does not allow becomes '?'.
    void text(std::string_view key, std::string_view value, std::string_view comment = {});
    // HISTORY or COMMENT, over as many cards as the text takes.
    void commentary(std::string_view key, std::string_view value);
    // A card as it is; brought to 80 columns.
    void raw(std::string_view card);
    // DATE: now, in UTC; or the time of SOURCE_DATE_EPOCH where that is set.
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
    // A name that ends in .gz gets the file packed (the same bytes for the same content); "-" is
    // standard output, to which the file goes once it is complete. Throws IoError as AtomicFile,
    // and for names that promise another way of packing (.fz, ...).
    // Named: other processes may open `temporary()`, too, and write data into it; not for "-".
    enum class Access { Own, Named };
    FitsWriter(const std::string& path, bool overwrite, Access access = Access::Own);
    ~FitsWriter();
    FitsWriter(const FitsWriter&) = delete;
    FitsWriter& operator=(const FitsWriter&) = delete;

    // A primary HDU without data.
    void writeEmptyPrimary();
    // Starts an HDU: the cards (CHECKSUM, DATASUM and END are added) and room for the data.
    void beginHdu(const FitsCards& cards, int64_t dataBytes);
    // Bytes of the data at `offset`; from any thread, each byte once. Throws IoError (full disk).
    void writeData(int64_t offset, std::span<const std::byte> bytes);
    // Where the data of the present HDU begin, for those who write into `temporary()`.
    int64_t dataOffset() const { return dataOffset_; }
    std::string temporary() const;
    // Where that is packed into, if it is: another temporary file.
    std::string packed() const { return named_ ? file_->temporary().string() : std::string(); }
    // The sum of what others have written (writeFilePart).
    void addSum(uint32_t sum);
    // Pads the data with `padding` and fills in the checksums.
    void endHdu(char padding = 0);
    // Packs if it is to be packed, syncs and gives the file its final name. Throws IoError,
    // Cancelled.
    void commit(const JobContext& job);
    void commit() { commit(JobContext()); }

private:
    int descriptor() const { return plain_ >= 0 ? plain_ : file_->descriptor(); }
    void packInto(int out, const JobContext& job);
    void copyInto(int out, const JobContext& job);
    void writeAt(int64_t offset, const void* bytes, size_t size);
    std::string path_;
    std::optional<AtomicFile> file_;   // none for standard output
    std::optional<AtomicFile> named_;  // never gets its final name: plain_, with a name
    int plain_ = -1;                   // a temporary file, where it does not become the final one
    std::string header_;
    int64_t headerOffset_ = 0, dataOffset_ = 0, dataBytes_ = 0;
    std::mutex sumLock_;
    uint32_t dataSum_ = 0;
};

// Text as FITS holds it: printable ASCII; signs of units, angles and numbers become what stands for
// them (u for the Greek mu, ' for minutes of arc), anything else '?'.
std::string fitsText(std::string_view text);

// Big-endian bytes of a value at `at`.
template <class T>
void putBigEndian(T value, std::byte* at) {
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (size_t i = 0; i < sizeof(T); ++i)
        at[i] = std::endian::native == std::endian::little ? bytes[sizeof(T) - 1 - i] : bytes[i];
}

// Throws InvalidArgument "expected WHAT within single (or double) precision, found larger FOUND".
[[noreturn]] void refuseLarger(const std::string& what, bool single, const std::string& found);

// A number of a column of floats (`single`) or doubles. False where that does not hold it, since it
// is infinite, NaN or too large; nothing is written then.
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

// 32-bit ones' complement sum of `bytes`, the first of which lies `offset` bytes behind the start
// of the data (FITS 4.0, appendix J).
uint32_t onesComplementSum(std::span<const std::byte> bytes, int64_t offset);
uint32_t onesComplementAdd(uint32_t a, uint32_t b);

// All of `bytes` at `offset` of an open file. Throws IoError naming `path`.
void writeFileAt(int file, int64_t offset, std::span<const std::byte> bytes,
                 const std::string& path);

}  // namespace armilla

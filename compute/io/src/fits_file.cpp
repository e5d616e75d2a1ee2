// SPDX-License-Identifier: GPL-3.0-or-later
#include "fits_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>

#include "armilla/core/error.h"
#include "foreign_file.h"
#include "unpack_tiles.h"

namespace armilla {

namespace {

constexpr int64_t kBlock = 2880;
constexpr int kCardsPerBlock = 36;
// Far above any real header (36,000 cards); limits the scan of a file without END.
constexpr int kMaxHeaderBlocks = 1000;
constexpr int kMaxHdus = 10000;
// Limit for all headers together: a card takes some 200 bytes of memory.
constexpr int64_t kMaxCards = 500000;

// Product and sum of sizes from a header; none on overflow or a negative value.
std::optional<int64_t> product(int64_t a, int64_t b) {
    int64_t result = 0;
    if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &result)) return std::nullopt;
    return result;
}

HduType hduType(const FitsHeader& header, int number) {
    if (number == 0) return HduType::Image;
    const std::string type = upperTrimmed(header.text("XTENSION").value_or(""));
    if (type == "BINTABLE" || type == "A3DTABLE") return HduType::BinaryTable;
    if (type == "TABLE") return HduType::AsciiTable;
    if (type == "IMAGE") return HduType::Image;
    return HduType::Other;
}

// |BITPIX|/8 * GCOUNT * (PCOUNT + NAXIS1 * ... * NAXISn), FITS standard 4.0, equation 2.
std::optional<int64_t> dataBytes(const FitsHeader& header, int number) {
    const auto bitpix = header.integer("BITPIX");
    const auto axes = header.integer("NAXIS");
    if (!bitpix || !axes || *axes < 0 || *axes > 999) return std::nullopt;
    if (*bitpix != 8 && *bitpix != 16 && *bitpix != 32 && *bitpix != 64 && *bitpix != -32 &&
        *bitpix != -64)
        return std::nullopt;
    if (*axes == 0) return 0;
    std::optional<int64_t> count = 1;
    // Random groups (NAXIS1 = 0 in the primary HDU) omit the first axis.
    const bool groups =
        number == 0 && header.integer("NAXIS1") == 0 && header.logical("GROUPS").value_or(false);
    for (int64_t axis = groups ? 2 : 1; axis <= *axes && count; ++axis)
        count = product(*count, header.integer("NAXIS" + std::to_string(axis)).value_or(-1));
    const int64_t parameters = number == 0 && !groups ? 0 : header.integer("PCOUNT").value_or(0);
    const int64_t groupCount = number == 0 && !groups ? 1 : header.integer("GCOUNT").value_or(1);
    int64_t perGroup = 0;
    if (!count || parameters < 0 || __builtin_add_overflow(*count, parameters, &perGroup))
        return std::nullopt;
    auto bytes = product(perGroup, groupCount);
    if (bytes) bytes = product(*bytes, std::abs(*bitpix) / 8);
    // Margin for padding and offset without overflow.
    if (bytes && *bytes > (int64_t{1} << 60)) return std::nullopt;
    return bytes;
}

}  // namespace

void refuse(const std::string& path, const std::string& expected, const std::string& found) {
    throw IoError(path + ": expected " + expected + ", found " + found);
}

FilePath parseFilePath(const std::string& text) {
    std::error_code ignored;
    const size_t open = text.rfind('[');
    if (text.empty() || text.back() != ']' || open == std::string::npos || open == 0 ||
        std::filesystem::exists(text, ignored))
        return {text, std::nullopt};
    return {text.substr(0, open), trimmed(text.substr(open + 1, text.size() - open - 2))};
}

FitsFile::FitsFile(const std::string& path, std::stop_token stop)
    : path_(path), source_(openByteSource(path, stop)), stop_(std::move(stop)) {
    readNext();
}

void FitsFile::unpack(JobContext& job) {
    if (!randomAccess()) source_ = plainByteSource(unpackedCopy(*source_, path_, job), path_);
}

void FitsFile::refuseForeign(std::span<const std::byte> start) const {
    refuse(path_, "a FITS file",
           foreignWords({reinterpret_cast<const char*>(start.data()), start.size()}));
}

std::vector<std::string> FitsFile::readCards(std::span<const std::byte> firstBlock, int64_t& end) {
    std::vector<std::string> cards;
    std::array<std::byte, kBlock> buffer;
    std::span<const std::byte> block = firstBlock;
    for (int count = 1; count <= kMaxHeaderBlocks; ++count) {
        for (size_t at = 0; at + 80 <= block.size(); at += 80) {
            std::string card(reinterpret_cast<const char*>(block.data()) + at, 80);
            if (cardKeyword(card) == "END") {
                end = nextOffset_ + count * kBlock;
                return cards;
            }
            cards.push_back(std::move(card));
            if (++cards_ > kMaxCards)
                refuse(path_, "a file of at most " + std::to_string(kMaxCards) + " header cards",
                       "more");
        }
        if (block.size() < kBlock)
            refuse(path_, "a header that ends with END",
                   "the end of the file (it is truncated or damaged)");
        const size_t got = source_->readAt(nextOffset_ + count * kBlock, buffer);
        block = std::span(buffer).first(got);
    }
    refuse(path_,
           "a header of at most " + std::to_string(kMaxHeaderBlocks * kCardsPerBlock) + " cards",
           "more without END");
}

bool FitsFile::readNext() {
    if (atEnd_) return false;
    const int number = static_cast<int>(hdus_.size());
    std::array<std::byte, kBlock> buffer;
    // readCards receives this block, because a second read would restart a gzip source.
    const std::span<const std::byte> block =
        std::span(buffer).first(source_->readAt(nextOffset_, buffer));
    const std::string_view start(reinterpret_cast<const char*>(block.data()), block.size());
    if (number == 0 && (block.size() < 80 || !start.starts_with("SIMPLE  ="))) refuseForeign(block);
    // Padding or special records may follow the last HDU; FITS allows readers to ignore both.
    if (number >= kMaxHdus || (number > 0 && !start.starts_with("XTENSION="))) {
        atEnd_ = true;
        constexpr std::string_view kPadding{"\0 ", 2};
        hasOtherEnd_ = start.find_first_not_of(kPadding) != std::string_view::npos;
        return false;
    }
    FitsHdu hdu;
    hdu.number = number;
    int64_t end = 0;
    hdu.header = FitsHeader(readCards(block, end));
    hdu.type = hduType(hdu.header, number);
    hdu.dataOffset = end;
    const auto bytes = dataBytes(hdu.header, number);
    if (!bytes)
        refuse(path_,
               "BITPIX, NAXIS, NAXISn, PCOUNT and GCOUNT that give a data size in HDU " +
                   std::to_string(number),
               "cards that do not");
    hdu.dataBytes = *bytes;
    nextOffset_ = end + (*bytes + kBlock - 1) / kBlock * kBlock;
    hdus_.push_back(std::move(hdu));
    return true;
}

const FitsHdu* FitsFile::hdu(int number) {
    if (number < 0) return nullptr;
    while (static_cast<int>(hdus_.size()) <= number)
        if (!readNext()) return nullptr;
    const FitsHdu& found = hdus_[static_cast<size_t>(number)];
    if (found.type == HduType::BinaryTable && !unpacked_ &&
        found.header.logical("ZTABLE").value_or(false)) {
        unpackTiles();
        return hdu(number);
    }
    return &found;
}

void FitsFile::unpackImages() {
    bool packed = false;
    for (int i = 0; !unpacked_ && hdu(i) != nullptr; ++i)
        packed = packed || hdu(i)->header.logical("ZIMAGE").value_or(false);
    if (packed && !unpacked_) unpackTiles();
}

void FitsFile::unpackTiles() {
    const size_t reached = hdus_.size();
    while (readNext()) continue;
    if (source_->descriptor() < 0) {
        JobContext job(stop_, {}, 1);
        unpack(job);
    }
    PackedTiles packed{path_, source_.get(), hdus_.size() > 1 ? hdus_[1].dataOffset : 0, 0, 0};
    const FitsHdu& primary = hdus_.front();
    packed.primaryBytes = primary.dataOffset + (primary.dataBytes + kBlock - 1) / kBlock * kBlock;
    packed.hdus = static_cast<int>(hdus_.size());
    for (const FitsHdu& hdu : hdus_) {
        requireData(hdu);
        const bool tiles = hdu.header.logical("ZTABLE").value_or(false) ||
                           hdu.header.logical("ZIMAGE").value_or(false);
        packed.bytes += tiles ? unpackedBytes(path_, hdu.header, hdu.dataBytes) : hdu.dataBytes;
        // The header, which may grow, and the padding of header and data.
        packed.bytes += 80 * static_cast<int64_t>(hdu.header.cards().size()) + 36 * kBlock;
    }
    source_ = plainByteSource(armilla::unpackTiles(packed, stop_), path_);
    while (hdus_.size() > reached) hdus_.pop_back();
    cards_ = 0;
    nextOffset_ = 0;
    atEnd_ = false;
    unpacked_ = true;
    // Callers hold references to the HDUs read so far, which must now describe the unpacked file.
    std::deque<FitsHdu> known;
    known.swap(hdus_);
    while (hdus_.size() < known.size() && readNext()) continue;
    if (hdus_.size() < known.size())
        refuse(path_, std::to_string(known.size()) + " HDUs in the unpacked file",
               std::to_string(hdus_.size()));
    std::move(hdus_.begin(), hdus_.end(), known.begin());
    hdus_.swap(known);
}

const FitsHdu& FitsFile::selected(const std::string& selector) {
    std::string seen;
    const auto number = parseInteger(selector);
    for (int i = 0; const FitsHdu* candidate = hdu(i); ++i) {
        if (number ? *number == i : upperTrimmed(candidate->name()) == upperTrimmed(selector))
            return *candidate;
        if (i < 20) {
            seen += (i > 0 ? ", " : "") + std::to_string(i);
            if (!candidate->name().empty()) seen += " " + inQuotes(candidate->name());
        } else if (i == 20) {
            seen += ", ...";
        }
    }
    refuse(path_, "an HDU " + inQuotes(selector), "only " + seen);
}

void FitsFile::requireData(const FitsHdu& hdu) const {
    const int64_t limit = source_->sizeLimit();
    if (limit < hdu.dataOffset + hdu.dataBytes)
        refuse(
            path_,
            std::to_string(hdu.dataBytes) + " bytes of data in HDU " + std::to_string(hdu.number),
            std::to_string(std::max<int64_t>(0, limit - hdu.dataOffset)) +
                " at most (the file is truncated)");
}

void FitsFile::readData(const FitsHdu& hdu, int64_t offset, std::span<std::byte> out) {
    const size_t got = source_->readAt(hdu.dataOffset + offset, out);
    if (got < out.size())
        refuse(
            path_,
            std::to_string(hdu.dataBytes) + " bytes of data in HDU " + std::to_string(hdu.number),
            std::to_string(offset + static_cast<int64_t>(got)) + " (the file is truncated)");
}

}  // namespace armilla

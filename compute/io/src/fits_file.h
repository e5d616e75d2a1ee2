// SPDX-License-Identifier: GPL-3.0-or-later
// The HDUs of a FITS file: headers and positions of the data. Every number in a header is checked
// against the file before any allocation that depends on it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "byte_source.h"
#include "fits_header.h"

namespace armilla {

enum class HduType { Image, AsciiTable, BinaryTable, Other };

struct FitsHdu {
    int number = 0;  // 0: the primary HDU
    HduType type = HduType::Image;
    FitsHeader header;
    int64_t dataOffset = 0;
    int64_t dataBytes = 0;  // without padding
    std::string name() const { return header.text("EXTNAME").value_or(""); }
};

// "file.fits[2]" or "file.fits[NAME]" split into file and HDU. A file whose name is the whole text
// takes precedence; no other part of cfitsio's extended file names is supported.
struct FilePath {
    std::string path;
    std::optional<std::string> hdu;  // a number (0: primary) or an EXTNAME
};
FilePath parseFilePath(const std::string& text);

class FitsFile {
public:
    // Throws IoError if the file does not exist or is no FITS file (with the format found). With
    // `stop`, the scan of HDUs in a compressed file throws Cancelled.
    explicit FitsFile(const std::string& path, std::stop_token stop = {});

    // For non-sequential readers: decompresses a gzip file once to a temporary file and verifies
    // its checksum. Throws IoError, Cancelled.
    void unpack(JobContext& job);
    // Unpacks tile-compressed images (ZIMAGE). Throws as `hdu`.
    void unpackImages();

    const std::string& path() const { return path_; }
    // HDU `number`, or null after the last one. Reads no more of the file than necessary. A
    // tile-compressed table is unpacked on access. Earlier results stay valid.
    const FitsHdu* hdu(int number);
    // After hdu() returned none: bytes that are neither an HDU nor padding follow the last HDU.
    bool hasOtherEnd() const { return hasOtherEnd_; }
    // The HDU of a selector. Throws IoError with the list of HDUs.
    const FitsHdu& selected(const std::string& selector);
    // Reads bytes of an HDU's data; throws IoError if the file is truncated.
    void readData(const FitsHdu& hdu, int64_t offset, std::span<std::byte> out);
    bool randomAccess() const { return source_->randomAccess(); }
    // True once compressed tiles were unpacked to a temporary file.
    bool isUnpacked() const { return unpacked_; }
    // Throws IoError if the file is known to end within the data of this HDU.
    void requireData(const FitsHdu& hdu) const;
    // Call after the last data, because the checksum of a gzip file is at its end. Throws IoError
    // if the file is damaged, Cancelled.
    void verifyRest(JobContext& job) { source_->verifyRest(job); }

private:
    bool readNext();
    std::vector<std::string> readCards(std::span<const std::byte> firstBlock, int64_t& end);
    void unpackTiles();
    // `start`: the bytes found in place of a first header.
    [[noreturn]] void refuseForeign(std::span<const std::byte> start) const;

    std::string path_;
    std::unique_ptr<ByteSource> source_;
    std::deque<FitsHdu> hdus_;  // a deque: references stay valid while HDUs are appended
    int64_t nextOffset_ = 0;
    int64_t cards_ = 0;  // number of cards of all headers
    std::stop_token stop_;
    bool atEnd_ = false, hasOtherEnd_ = false, unpacked_ = false;
};

// Throws IoError "PATH: expected ..., found ...".
[[noreturn]] void refuse(const std::string& path, const std::string& expected,
                         const std::string& found);

}  // namespace armilla

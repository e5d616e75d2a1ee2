// SPDX-License-Identifier: GPL-3.0-or-later
// The HDUs of a FITS file: headers and where the data lie. Every number of a header is checked
// against the file before anything is allocated from it.
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

// "file.fits[2]" or "file.fits[NAME]" taken apart. A file that bears the whole text as its name
// comes first; no other part of cfitsio's extended file names means anything.
struct FilePath {
    std::string path;
    std::optional<std::string> hdu;  // a number (0: primary) or an EXTNAME
};
FilePath parseFilePath(const std::string& text);

class FitsFile {
public:
    // Throws IoError: no such file, no FITS file (it says what was found instead).
    // With `stop`, HDUs of a packed file are gone over until it asks to stop (Cancelled).
    explicit FitsFile(const std::string& path, std::stop_token stop = {});

    // For readers that go to and fro: a packed file is unpacked once, to a temporary file, and its
    // checksum tested. Throws IoError, Cancelled.
    void unpack(JobContext& job);
    // Makes tile-compressed images (ZIMAGE) plain ones. Throws as `hdu`.
    void unpackImages();

    const std::string& path() const { return path_; }
    // HDU `number`, or null behind the last one. Reads no further into the file than it needs. A
    // tile-compressed table is unpacked when it is reached. What this returned before stays valid.
    const FitsHdu* hdu(int number);
    // The HDU that a selector names. Throws IoError with the HDUs that are there.
    const FitsHdu& selected(const std::string& selector);
    // Bytes of an HDU's data; throws IoError if the file ends before.
    void readData(const FitsHdu& hdu, int64_t offset, std::span<std::byte> out);
    bool randomAccess() const { return source_->randomAccess(); }
    // Throws IoError if the file is known to end before the data of this HDU do.
    void requireData(const FitsHdu& hdu) const;
    // To be called behind the last data: a packed file's checksum stands at its end. Throws IoError
    // if the file is damaged, Cancelled.
    void verifyRest(JobContext& job) { source_->verifyRest(job); }

private:
    bool readNext();
    std::vector<std::string> readCards(std::span<const std::byte> firstBlock, int64_t& end);
    void unpackTiles();
    // `start`: what was found instead of a first header.
    [[noreturn]] void refuseForeign(std::span<const std::byte> start) const;

    std::string path_;
    std::unique_ptr<ByteSource> source_;
    std::deque<FitsHdu> hdus_;  // a deque: references stay valid while more are read
    int64_t nextOffset_ = 0;
    int64_t cards_ = 0;  // of all headers
    std::stop_token stop_;
    bool atEnd_ = false, unpacked_ = false;
};

// Throws IoError "PATH: expected ..., found ...".
[[noreturn]] void refuse(const std::string& path, const std::string& expected,
                         const std::string& found);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Writing of one process's part into the temporary file of another process
// (armilla/io/file_parts.h).
#pragma once

#include <mutex>
#include <span>

#include "armilla/io/file_parts.h"
#include "fits_writer.h"

namespace armilla {

class FilePartWriter {
public:
    // Opens the temporary file. Throws IoError.
    explicit FilePartWriter(FilePart file);
    ~FilePartWriter();
    FilePartWriter(const FilePartWriter&) = delete;
    FilePartWriter& operator=(const FilePartWriter&) = delete;
    // Writes at `offset` of the data; callable from any thread, each byte once. Throws IoError
    // (full disk).
    void write(int64_t offset, std::span<const std::byte> bytes);
    // Syncs and returns the checksum of the written bytes. Throws IoError.
    uint32_t finish();

private:
    FilePart file_;
    int descriptor_ = -1;
    std::mutex lock_;
    uint32_t sum_ = 0;
};

// The headers of maps and of coefficients, up to the data.
void beginMapHdu(FitsWriter& writer, const MapFilePlan& plan);
void beginAlmHdu(FitsWriter& writer, const AlmFilePlan& plan);

}  // namespace armilla

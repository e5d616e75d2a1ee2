// SPDX-License-Identifier: GPL-3.0-or-later
// What one of several processes writes into the temporary file of another (io/file_parts.h).
#pragma once

#include <mutex>
#include <span>

#include "fits_writer.h"
#include "io/file_parts.h"

namespace armilla {

class FilePartWriter {
public:
    // Throws IoError.
    explicit FilePartWriter(FilePart file);
    ~FilePartWriter();
    FilePartWriter(const FilePartWriter&) = delete;
    FilePartWriter& operator=(const FilePartWriter&) = delete;
    // At `offset` of the data; from any thread, each byte once. Throws IoError (full disk).
    void write(int64_t offset, std::span<const std::byte> bytes);
    // Syncs; returns the checksum of what was written. Throws IoError.
    uint32_t finish();

private:
    FilePart file_;
    int descriptor_ = -1;
    std::mutex lock_;
    uint32_t sum_ = 0;
};

// The headers of the two kinds of files, up to the data.
void beginMapHdu(FitsWriter& writer, const MapFilePlan& plan);
void beginAlmHdu(FitsWriter& writer, const AlmFilePlan& plan);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "byte_source.h"
#include "core/job_context.h"

namespace armilla {

// Writes the file with its tile-compressed tables unpacked (fpack -table) to a temporary file that
// has no name any more, and returns its descriptor. Throws IoError.
int unpackTileCompressedTables(const std::string& path);
// The same of the bytes of a source, in constant memory. `path` serves the messages. Throws also
// Cancelled.
int unpackedCopy(ByteSource& source, const std::string& path, JobContext& job);

}  // namespace armilla

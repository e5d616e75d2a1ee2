// SPDX-License-Identifier: GPL-3.0-or-later
// Encodings of the values in a page, except indices of a dictionary.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "parquet/columns.h"

namespace armilla::parquet {

// Values as the file stores them: numbers and texts of one length in sequence, or texts of
// different lengths. Booleans take a byte.
struct RawValues {
    size_t width = 0;  // bytes of a value; 0: `texts`
    std::span<const std::byte> fixed;
    std::vector<std::string_view> texts;
    // Bytes that `fixed` or `texts` refer to, unless they are those of the page.
    std::vector<std::byte> storage;
};

// Decodes `count` values. Throws IoError for an unsupported encoding and for bytes that do not
// hold these values, OutOfMemory.
RawValues decodeValues(Encoding encoding, const SchemaNode& node, std::span<const std::byte> bytes,
                       size_t count);

}  // namespace armilla::parquet

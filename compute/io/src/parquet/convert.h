// SPDX-License-Identifier: GPL-3.0-or-later
// Values of a file as numbers and texts of a table.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "parquet/encodings.h"

namespace armilla::parquet {

// Converts `to.size()` values of a column with Column::held of the same type. Unsigned
// integers of 64 bits become signed ones of the same bits. Throws IoError for times beyond 64 bits.
void convertValues(const SchemaNode& node, const RawValues& from, std::span<double> to);
void convertValues(const SchemaNode& node, const RawValues& from, std::span<float> to);
void convertValues(const SchemaNode& node, const RawValues& from, std::span<int64_t> to);
void convertValues(const SchemaNode& node, const RawValues& from, std::span<std::string> to);

}  // namespace armilla::parquet

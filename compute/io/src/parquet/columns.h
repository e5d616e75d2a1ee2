// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of a Parquet file: leaves of the schema, and their type in a table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parquet/metadata.h"

namespace armilla::parquet {

// The type of a column in memory. None: not supported.
enum class Held { None, Double, Float, Integer, Text };

struct Column {
    std::string name;  // members of a struct: STRUCT.MEMBER
    std::string unit;  // unit of dates and times; the metadata contain other units
    size_t leaf = 0;   // index in RowGroup::chunks
    Held held = Held::None;
    SchemaNode node;
    // The largest level: number of optional (and repeated) nodes on the path to the leaf.
    int maxDefinition = 0, maxRepetition = 0;
};

// The leaves of the schema. Throws IoError for a schema that contradicts itself.
std::vector<Column> columnsOf(const Metadata& metadata);

}  // namespace armilla::parquet

// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of tables by name.
#pragma once

#include <string_view>

#include "armilla/core/table.h"

namespace armilla::test {

// Throws InvalidArgument with the names of the columns if there is none of this name.
inline const TableColumn& columnOf(const Table& table, std::string_view name) {
    return table.columns[static_cast<size_t>(table.columnIndex(name))];
}

}  // namespace armilla::test

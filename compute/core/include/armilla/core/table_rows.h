// SPDX-License-Identifier: GPL-3.0-or-later
// Selection of table rows.
#pragma once

#include <cstdint>
#include <span>

#include "armilla/core/table.h"

namespace armilla {

// A table of the given rows, in the given order, with the units, frame and history of `table`.
Table rowsOf(const Table& table, std::span<const int64_t> rows);
// Throws IoError if a column of `part` has another type than that of `whole`; both have the same
// columns.
void requireSameTypes(const Table& part, const Table& whole);
// Memory of a row, without the letters of texts.
int64_t rowBytes(const Table& table);
// Appends `count` rows of `from` from row `first` on. Both tables have the same columns; integers
// are missing in `to` as in `from`. Throws as requireSameTypes, and InvalidArgument if a value of
// one table is the mark of missing integers in the other one.
void appendRows(Table& to, const Table& from, int64_t first, int64_t count);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Selection of table rows.
#pragma once

#include <cstdint>
#include <span>

#include "armilla/core/table.h"

namespace armilla {

// A table of the given rows, in the given order, with the units, frame and history of `table`.
Table rowsOf(const Table& table, std::span<const int64_t> rows);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Some rows of a table.
#pragma once

#include <cstdint>
#include <span>

#include "core/table.h"

namespace armilla {

// These rows, in this order, with all that the table says beside them.
Table rowsOf(const Table& table, std::span<const int64_t> rows);

}  // namespace armilla

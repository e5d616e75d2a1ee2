// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace armilla {

// Up to this many rows of a reviewed catalog, markers are made at once; a job makes more. Places
// and markers of 20000 rows take 40 ms.
inline constexpr int64_t kRowsAtOnce = 5000;

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace armilla {

// Up to this many rows of a reviewed catalog, markers are made at once, within some milliseconds; a
// job makes more.
inline constexpr int64_t kRowsAtOnce = 20000;

}  // namespace armilla

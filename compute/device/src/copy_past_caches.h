// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace armilla {

// As std::memcpy, into memory that nobody reads soon: lines that are written as a whole need not be
// read before, a quarter of what a copy from the device costs the host's memory.
void copyPastCaches(void* to, const void* from, size_t bytes);

}  // namespace armilla

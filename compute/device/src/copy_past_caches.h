// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace armilla {

// std::memcpy with non-temporal stores, for data that is not read soon. Full lines are written
// without being read first, which saves a quarter of the host memory traffic of a copy from the
// device.
void copyPastCaches(void* to, const void* from, size_t bytes);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Whether something fits the memory, asked before it is allocated.
#pragma once

#include <cstdint>
#include <string>

namespace armilla {

// Bytes that this process may still take: the least of what the system has available, its control
// group and its own address space leave.
int64_t availableMemory();
// Throws OutOfMemory "WHAT: expected data that fit the N GB of memory available, found M GB"; WHAT
// is a file or an operation. Thread-safe.
void requireMemory(const std::string& what, int64_t bytes);

}  // namespace armilla

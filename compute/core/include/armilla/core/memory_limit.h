// SPDX-License-Identifier: GPL-3.0-or-later
// Memory checks before allocation.
#pragma once

#include <cstdint>
#include <string>

namespace armilla {

// Bytes that this process can still allocate: the least of the system's available memory and the
// remainders of the control group's limit and the address space limit.
int64_t availableMemory();
// Throws OutOfMemory "WHAT: expected data that fit the N GB of memory available, found M GB" if
// `bytes` do not fit; WHAT is a file or an operation. Thread-safe.
void requireMemory(const std::string& what, int64_t bytes);

}  // namespace armilla

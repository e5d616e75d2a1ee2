// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of allocation failures to OutOfMemory.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "armilla/core/error.h"

namespace armilla {

// Returns the result of `read`; std::bad_alloc and std::length_error become OutOfMemory "PATH:
// ...".
template <class Read>
auto orOutOfMemory(const std::string& path, Read read) {
    const std::string line = path + ": expected enough memory for the data, found too little";
    try {
        return read();
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(line);
    } catch (const std::length_error&) {
        throw OutOfMemory(line);
    }
}

}  // namespace armilla

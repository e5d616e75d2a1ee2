// SPDX-License-Identifier: GPL-3.0-or-later
// Names that are still free.
#pragma once

#include <string>

namespace armilla {

// The first of NAME, NAME_2, NAME_3, ... for which `isTaken(name)` is false.
template <class IsTaken>
std::string freeName(const std::string& name, const IsTaken& isTaken) {
    std::string free = name;
    for (int i = 2; isTaken(free); ++i) free = name + "_" + std::to_string(i);
    return free;
}

}  // namespace armilla

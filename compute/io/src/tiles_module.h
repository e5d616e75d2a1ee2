// SPDX-License-Identifier: GPL-3.0-or-later
// The module that unpacks tile-compressed HDUs by cfitsio (tiles_module.cpp). A module, because
// cfitsio and its dependencies take longer to load than most commands run.
#pragma once

#include <array>

namespace armilla {

// cfitsio's status (0: success) and its error messages.
struct UnpackAnswer {
    int status = -1;
    std::array<char, 400> text{};
};

inline constexpr const char* kTilesModule = "armilla-tiles.so";
// Appends the HDUs of `in` after the primary one to `out`, unpacked; both are open files.
using ArmillaUnpackTiles = void (*)(int in, int out, UnpackAnswer& answer);
extern "C" void armillaUnpackTiles(int in, int out, UnpackAnswer& answer);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the command that need Qt (figures, translated help), in a module that is loaded on first
// use. The module uses the rest of the command from the program that loads it.
#pragma once

#include <string_view>

#include "cli/command.h"

namespace armilla::cli {

inline constexpr const char* kDrawModule = "armilla-draw.so";
inline constexpr std::string_view kRenderSummary =
    "draw a map, an image or a catalog, or plot a curve, as a figure";

// Functions of the module. The caller owns the command.
using ArmillaMakeRender = Command* (*)();
using ArmillaLoadTranslation = void (*)();
extern "C" Command* armillaMakeRender();
extern "C" void armillaLoadTranslation();

}  // namespace armilla::cli

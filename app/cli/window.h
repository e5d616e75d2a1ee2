// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace armilla::cli {

// Becomes the window program, `armilla-gui`, with these files; it is looked for beside this
// program, then in PATH. Returns only if that fails: throws Error.
[[noreturn]] void openWindow(const std::vector<std::string>& files);

}  // namespace armilla::cli

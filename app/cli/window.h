// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace armilla::cli {

// Replaces this process by the window program `armilla-gui` with these files, found beside this
// program or in PATH. Returns only by an exception: Error.
[[noreturn]] void openWindow(const std::vector<std::string>& files);

}  // namespace armilla::cli

// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla convert` for files other than maps: catalogs, tables, curves, spectra and images.
#pragma once

#include <memory>

#include "cli/command.h"

namespace armilla::cli {

// Command that passes maps to `maps` and converts the other kinds itself.
std::unique_ptr<Command> convertingLayers(std::unique_ptr<Command> maps);

}  // namespace armilla::cli

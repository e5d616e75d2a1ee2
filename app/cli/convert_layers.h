// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla convert` for what is no map: catalogs, tables, curves, spectra and images.
#pragma once

#include <memory>

#include "cli/command.h"

namespace armilla::cli {

// The command of maps, which stands for files that hold one, and the other kinds beside it.
std::unique_ptr<Command> convertingLayers(std::unique_ptr<Command> maps);

}  // namespace armilla::cli

// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs and outputs of commands that are no operations.
#pragma once

#include <string>

#include "armilla/core/healpix_map.h"
#include "armilla/operations/data.h"
#include "armilla/operations/map_values.h"
#include "cli/run.h"

namespace armilla::cli {

// Refuses an output that cannot be written, before the work.
void checkOutput(const std::string& path, bool overwrite);
// Help of --dl, for commands that write spectra.
inline constexpr const char* kDlHelp = "write D_l = l (l + 1) C_l / (2 pi) instead of C_l, in text";
// Letter of the frame, or null.
Json frameJson(Frame frame);

}  // namespace armilla::cli

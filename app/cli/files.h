// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs and outputs of the commands that are no operations.
#pragma once

#include <string>

#include "cli/run.h"
#include "core/healpix_map.h"
#include "operations/data.h"
#include "operations/map_values.h"

namespace armilla::cli {

// Refuses, before the work, an output that cannot be written.
void checkOutput(const std::string& path, bool overwrite);
// Of commands that write spectra.
inline constexpr const char* kDlHelp = "write D_l = l (l + 1) C_l / (2 pi) instead of C_l, in text";
// The frame's letter, or null.
Json frameJson(Frame frame);

}  // namespace armilla::cli

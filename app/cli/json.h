// SPDX-License-Identifier: GPL-3.0-or-later
// JSON output of --json.
#pragma once

#include "armilla/operations/json.h"

namespace armilla::cli {

using armilla::Json;

}  // namespace armilla::cli

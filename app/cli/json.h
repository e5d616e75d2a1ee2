// SPDX-License-Identifier: GPL-3.0-or-later
// What --json prints.
#pragma once

#include "operations/json.h"

namespace armilla::cli {

using armilla::Json;

}  // namespace armilla::cli

// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of several devices, for callers that include headers of operations but not those of the
// device layer.
#pragma once

#include "armilla/device/side_by_side.h"  // IWYU pragma: export

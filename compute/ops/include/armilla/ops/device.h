// SPDX-License-Identifier: GPL-3.0-or-later
// The device that operations compute on: `Device` for callers that include headers of operations
// but not those of the device layer.
#pragma once

#include "armilla/device/device.h"  // IWYU pragma: export

// SPDX-License-Identifier: GPL-3.0-or-later
// What operations compute on: the value that their parameters name, for those who see operations
// but nothing of the device room.
#pragma once

#include "device/device.h"  // IWYU pragma: export

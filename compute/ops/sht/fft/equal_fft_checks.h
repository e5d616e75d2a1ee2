// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ops/equal_fft.h"

namespace armilla {

// Throws InvalidArgument for rows that no plan is made for, on CPU and devices.
void checkEqualRows(const EqualRows& rows);

}  // namespace armilla

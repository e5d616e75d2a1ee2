// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "armilla/ops/batched_fft.h"

namespace armilla {

// Throws InvalidArgument for rows that neither CPU nor devices can plan.
void checkEqualRows(const EqualRows& rows);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Q and U of samples relative to the meridians of the target.
#pragma once

#include "grid_samples.h"

namespace armilla {

// Rotates each pair of columns named Q and U if the frame of the samples differs from the frame of
// the target: from FK4 or FK5 to ICRS, then to `target`. Without POLCCONV = 'IAU' in the table, U
// is in COSMO convention; a line reports this. Throws InvalidArgument for Q without U.
void turnPolarization(GridTable& samples, const Table& table, Frame target, const Context& context,
                      JobContext& job);

}  // namespace armilla

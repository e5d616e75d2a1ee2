// SPDX-License-Identifier: GPL-3.0-or-later
// Q and U of samples, referred to the meridians of the target.
#pragma once

#include "grid_samples.h"

namespace armilla {

// Turns each pair of columns of Q and U, by their names, where the samples' frame is another than
// the target's: from FK4 or FK5 to ICRS and on to `target`. Without POLCCONV = 'IAU' in the table U
// is in the convention of HEALPix (COSMO); a line says so. Throws InvalidArgument for Q without U.
void turnPolarization(GridTable& samples, const Table& table, Frame target, const Context& context,
                      JobContext& job);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Q and U of samples relative to the meridians of the target.
#pragma once

#include "grid_samples.h"
#include "grid_target.h"

namespace armilla {

// Rotates each pair of columns named Q and U if the frame of the samples differs from the frame of
// the target: from FK4 or FK5 to ICRS, then to `target`. Without POLCCONV = 'IAU' in the table, U
// is in COSMO convention; a line reports this. Throws InvalidArgument for Q without U.
void turnPolarization(GridTable& samples, const Table& table, Frame target, const Context& context,
                      JobContext& job);

// Rotates gridded Q and U from the meridians of ICRS to the meridians of an image in FK4 or FK5.
// `values`: the cells of one channel after another. Does nothing for other targets.
void referToImage(std::vector<double>& values, const GridTable& samples, const GridTarget& target,
                  const Context& context);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The pixels of a map that a filter may see, and what of them it does not.
#pragma once

#include <cstdint>
#include <span>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla::sources {

// Throws InvalidArgument for a mask without a field or in another frame than the map's.
void checkMask(const HealpixMap& mask, Frame frame);
// NaN where the mask, of any nside and ordering, is not above half. `maskFromMap` turns directions
// of the map into the mask's frame.
void cutMask(const HealpixMap& mask, int64_t nside, const Mat3& maskFromMap, std::span<double> ring,
             JobContext& job);

// Takes away monopole and dipole of the finite values, which no filter sees, but the first rings of
// the grid spread to other l: 3e-4 of a monopole. Without enough sky to tell a dipole, the mean.
// Returns the share of the pixels that are finite. The same bits for any number of threads. Throws
// InvalidArgument if there is none.
double removeLargest(int64_t nside, std::span<double> ring, JobContext& job);

}  // namespace armilla::sources

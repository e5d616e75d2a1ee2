// SPDX-License-Identifier: GPL-3.0-or-later
// The pixels of a map that a filter uses, and the removal of components that no filter sees.
#pragma once

#include <cstdint>
#include <span>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla::sources {

// Throws InvalidArgument for a mask without a field or in a frame other than the map's.
void checkMask(const HealpixMap& mask, Frame frame);
// Sets NaN where the mask, of any nside and ordering, is at most one half. `maskFromMap` rotates
// directions of the map into the mask's frame.
void cutMask(const HealpixMap& mask, int64_t nside, const Mat3& maskFromMap, std::span<double> ring,
             JobContext& job);

// Subtracts monopole and dipole of the finite values. No filter sees these components, but the
// first rings of the grid leak them to other l: 3e-4 of a monopole. With too little sky for a
// dipole, subtracts only the mean. Returns the fraction of finite pixels. Bit-identical for any
// number of threads. Throws InvalidArgument without finite pixels.
double removeLargest(int64_t nside, std::span<double> ring, JobContext& job);

}  // namespace armilla::sources

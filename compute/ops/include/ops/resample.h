// SPDX-License-Identifier: GPL-3.0-or-later
// The same sky on other pixels: ordering, resolution, frame, coverage.
#pragma once

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

// Values are moved, never changed. Partial maps stay partial. MultiOrder maps must be flattened
// first. Throws InvalidArgument if nside is no power of two.
HealpixMap reordered(const HealpixMap& map, Ordering ordering, JobContext& job);
// Down: mean of the good children (bad if none is good); up: copies. As healpy.ud_grade with
// pess=False, power=None. Any ordering, partial maps stay partial.
HealpixMap regraded(const HealpixMap& map, int64_t nside, JobContext& job);
// The map in another frame: each pixel takes the bilinear interpolation of the input at its turned
// center, bad pixels left out with the weights renormalized; Q and U turn with the local meridian.
// Error: see DECISIONS.md; for band-limited maps use the harmonics (rotateAlm).
HealpixMap rotatedFrame(const HealpixMap& map, Frame frame, JobContext& job);
// Every pixel of the sky listed, bad where the input has none; and back, only pixels with a good
// value in some field.
HealpixMap toFull(const HealpixMap& map, JobContext& job);
HealpixMap toPartial(const HealpixMap& map, JobContext& job);
// A multi-order map on one order (nside 0: the deepest present, at most `kMaxFlattenNside`).
inline constexpr int64_t kMaxFlattenNside = 2048;
HealpixMap flattened(const HealpixMap& map, int64_t nside, JobContext& job);
// A map with these fields only, in this order.
HealpixMap withFields(const HealpixMap& map, const std::vector<int>& fields);

}  // namespace armilla

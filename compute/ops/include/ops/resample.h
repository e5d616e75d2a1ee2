// SPDX-License-Identifier: GPL-3.0-or-later
// The same sky on other pixels: ordering, resolution, frame, coverage.
#pragma once

#include <optional>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

// All operations keep names, units, the numeric type on disk (except where values are averaged:
// integers then become floating point) and the metadata. They throw InvalidArgument as said,
// OutOfMemory, and Cancelled. Thread-safe. Tests: tst_resample, tst_rotated_frame.

// Values are moved, never changed: there and back gives the same bits. Partial maps stay partial,
// in memory proportional to their pixels. Throws InvalidArgument if nside is no power of two, or
// for multi-order maps, which must be flattened first.
HealpixMap reordered(const HealpixMap& map, Ordering ordering, JobContext& job);

// Down: mean of the good children (bad if none is good); up: copies. As healpy.ud_grade with
// pess=False, power=None. Any ordering, the same result in both; partial maps stay partial, in
// memory proportional to their pixels. Throws InvalidArgument if one nside does not divide the
// other, if a NESTED nside is no power of two, or for multi-order maps.
HealpixMap regraded(const HealpixMap& map, int64_t nside, JobContext& job);

// How children and parents share a field's values. Mean: brightness and other densities. Sum:
// counts and probabilities per pixel, which add up over children and divide among them on the way
// up.
enum class Degrade { Mean, Sum };
// The rule that the field's unit (pix-1, counts, photons, ...) or its name (PROB, COUNTS, HITS,
// N_OBS, ...) asks for.
Degrade degradeRule(const Field& field);
struct RegradeOptions {
    std::optional<Degrade> degrade;  // for all fields; none: by `degradeRule` of each
    bool pessimistic = false;        // down: bad where any child is bad or not listed
};
// As above by these rules. Sums are those of the good children.
HealpixMap regraded(const HealpixMap& map, int64_t nside, const RegradeOptions& options,
                    JobContext& job);

// The map in another frame, on pixels of the same nside. Each pixel takes the four-point
// interpolation of the input at its turned center, bad pixels left out and the weights
// renormalized; it is bad where the input pixel under the turned center is, so masks keep their
// area. Q and U of each polarization pair are carried to the turned center along great circles and
// referred to the new meridian (COSMO convention); other fields are scalars. Partial maps stay
// partial; a listed pixel that holds no turned center, and has no neighbor that does, gives its
// values to the pixel that contains its own center, so that lone pixels are not lost. Besides the
// result that takes a byte for each listed pixel and, from a sixteenth of the sky on, half a byte
// for each of the sky. Error: 0.12 (l / nside)^2 of the rms of a
// component of multipole l, and 0.24 / nside of the slope per radian next to the poles of the
// input, where rings have few pixels; for band-limited maps turn the harmonics instead. Throws
// InvalidArgument for an unknown frame.
HealpixMap rotatedFrame(const HealpixMap& map, Frame frame, JobContext& job);

// Every pixel of the sky listed, bad where the input has none (multi-order maps: flattened); and
// back, only pixels with a good value in some field.
HealpixMap toFull(const HealpixMap& map, JobContext& job);
HealpixMap toPartial(const HealpixMap& map, JobContext& job);

// A multi-order map on one order, NESTED (nside 0: the deepest present, at most
// `kMaxFlattenNside`): larger cells are copied, smaller ones averaged by area over the good ones;
// bad where no cell is. Throws InvalidArgument for other maps, or if nside is no power of two.
inline constexpr int64_t kMaxFlattenNside = 2048;
HealpixMap flattened(const HealpixMap& map, int64_t nside, JobContext& job);
// By these rules: sums divide among the pixels of a larger cell.
HealpixMap flattened(const HealpixMap& map, int64_t nside, const RegradeOptions& options,
                     JobContext& job);

// A map with these fields only, in this order. Throws InvalidArgument if there is none or one does
// not exist.
HealpixMap withFields(const HealpixMap& map, const std::vector<int>& fields);

}  // namespace armilla

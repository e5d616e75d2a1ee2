// SPDX-License-Identifier: GPL-3.0-or-later
// The same sky on other pixels: ordering, resolution, frame, coverage.
#pragma once

#include <optional>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla {

// All operations keep names, units, the numeric type on disk and the metadata. Integers become
// floating point where values are averaged. All throw InvalidArgument for the cases given at each
// function, OutOfMemory, and Cancelled. Thread-safe. Tests: tst_resample, tst_rotated_frame.

// Changes the ordering. Values are moved, never changed: there and back gives the same bits.
// Partial maps stay partial, in memory proportional to their pixels. Throws InvalidArgument if
// nside is no power of two, and for multi-order maps, which must be flattened first.
HealpixMap reordered(const HealpixMap& map, Ordering ordering, JobContext& job);
// The same in the memory of the result and one field.
HealpixMap reordered(HealpixMap&& map, Ordering ordering, JobContext& job);

// Changes the resolution (udgrade) like healpy.ud_grade with pess=False, power=None. Down: the mean
// of the good children, bad if none is good; up: copies. Any ordering, the same result in both.
// Partial maps stay partial, in memory proportional to their pixels. Throws InvalidArgument if one
// nside does not divide the other, if a NESTED nside is no power of two, and for multi-order maps.
HealpixMap udgraded(const HealpixMap& map, int64_t nside, JobContext& job);

// How a resolution change treats a field's values. Mean: brightness and other densities. Sum:
// counts and probabilities per pixel, which add up over children and are divided among children on
// the way up.
enum class Degrade { Mean, Sum };
// The rule of a field, by its unit (pix-1, counts, photons, ...) or its name (PROB, COUNTS, HITS,
// N_OBS, ...).
Degrade degradeRule(const Field& field);
// Options of udgraded() and flattened().
struct UdgradeOptions {
    std::optional<Degrade> degrade;  // one rule for all fields; none: `degradeRule` of each field
    bool pessimistic = false;        // down: bad where any child is bad or not listed
};
// The same with these options. Degrade::Sum adds the good children.
HealpixMap udgraded(const HealpixMap& map, int64_t nside, const UdgradeOptions& options,
                    JobContext& job);

// The map in another frame, on pixels of the same nside. Each pixel takes the four-point
// interpolation of the input at its rotated center, without bad pixels and with renormalized
// weights. A pixel is bad if the input pixel under its rotated center is bad, so masks keep their
// area.
//
// Q and U of each polarization pair are transported to the rotated center along great circles and
// referred to the new meridian (COSMO convention). Other fields are scalars.
//
// Partial maps stay partial. A listed pixel may contain no rotated center and have no neighbor that
// contains one. Such a pixel gives its values to the pixel that contains its own center, so
// isolated pixels are not lost. In addition to the result this takes a byte for each listed pixel.
// From a sixteenth of the sky on it takes half a byte for each pixel of the sky.
//
// Error: 0.12 (l / nside)^2 of the rms of a component of multipole l. Next to the input's poles,
// where rings have few pixels, it is 0.24 / nside of the slope per radian. For band-limited maps
// rotate the harmonics instead (rotateAlm). Throws InvalidArgument for an unknown frame.
HealpixMap rotatedFrame(const HealpixMap& map, Frame frame, JobContext& job);

// toFull(): lists every pixel of the sky, bad where the input has no pixel (multi-order maps:
// flattened). toPartial(): keeps only pixels with a good value in some field.
HealpixMap toFull(const HealpixMap& map, JobContext& job);
HealpixMap toPartial(const HealpixMap& map, JobContext& job);

// A multi-order map on one order, NESTED. `nside` 0: the deepest order present, at most
// `kMaxFlattenNside`. Larger cells are copied, smaller cells averaged by area over the good cells;
// bad where no cell is. Throws InvalidArgument for other maps, and if nside is no power of two.
inline constexpr int64_t kMaxFlattenNside = 2048;
HealpixMap flattened(const HealpixMap& map, int64_t nside, JobContext& job);
// The same with these options: Degrade::Sum divides a larger cell's value among its pixels.
HealpixMap flattened(const HealpixMap& map, int64_t nside, const UdgradeOptions& options,
                     JobContext& job);

// A map with these fields only, in this order. Throws InvalidArgument for an empty list or a field
// that does not exist.
HealpixMap withFields(const HealpixMap& map, const std::vector<int>& fields);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of frame that leave values as they are: for masks, and for pictures of Q and U.
#pragma once

#include <utility>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

// What a pixel of a turned map is made of.
enum class FrameTurn { Interpolated, Nearest };

// As rotatedFrame of ops/resample.h; Nearest: each pixel takes the values of the input pixel that
// holds its turned center, Q and U turned, so that masks and flags stay what they are.
HealpixMap rotatedFrame(const HealpixMap& map, Frame frame, FrameTurn turn, JobContext& job);

// The same pixels, in the map's own frame, with Q and U of each polarization pair referred to the
// meridians of `frame`: Q + iU at the center of a pixel (or cell) takes the factor exp(-2 i a), a
// the angle between the two meridians there. What a picture in `frame` has to show of them. Other
// fields are left as they are. Throws InvalidArgument for an unknown frame. Test:
// tst_rotated_frame.
HealpixMap polarizationReferredTo(HealpixMap map, Frame frame, JobContext& job);

// The same of one element of a map (elementOf() of a pixel): what became of its Q and U. `fields`:
// their indices. Not rounded to the precision of the fields.
std::pair<double, double> polarizationReferredTo(const HealpixMap& map, std::pair<int, int> fields,
                                                 int64_t element, Frame frame);

// Whether a field is Q or U by its name; the other half may be missing, which polarizationPairs()
// of the map tells.
bool isHalfOfPolarization(const Field& field);

}  // namespace armilla

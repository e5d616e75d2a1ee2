// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of frame without interpolation: for masks, and for pictures of Q and U.
#pragma once

#include <utility>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla {

// How the value of a rotated pixel is computed.
enum class FrameTurn { Interpolated, Nearest };

// Interpolated: the result of rotatedFrame in armilla/ops/resample.h. Nearest: each pixel takes the
// values of the input pixel that contains its rotated center, with Q and U rotated. Masks and flags
// keep their values.
HealpixMap rotatedFrame(const HealpixMap& map, Frame frame, FrameTurn turn, JobContext& job);

// The same pixels, in the map's own frame, with Q and U of each polarization pair referred to the
// meridians of `frame`, for pictures in that frame. Q + iU at the center of a pixel (or cell) is
// multiplied by exp(-2 i a), where a is the angle between the two meridians. Other fields stay
// unchanged. Throws InvalidArgument for an unknown frame. Test: tst_rotated_frame.
HealpixMap polarizationReferredTo(HealpixMap map, Frame frame, JobContext& job);

// The same for one element of a map (elementOf() of a pixel): its Q and U in `frame`, not rounded
// to the precision of the fields. `fields`: indices of Q and U.
std::pair<double, double> polarizationReferredTo(const HealpixMap& map, std::pair<int, int> fields,
                                                 int64_t element, Frame frame);

// Whether a field is Q or U by its name. Its partner may be missing; polarizationPairs() of the map
// lists complete pairs.
bool isHalfOfPolarization(const Field& field);

}  // namespace armilla

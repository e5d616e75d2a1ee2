// SPDX-License-Identifier: GPL-3.0-or-later
// Transfer of fields of maps of any ordering and coverage to a device's sums over pixels, and back.
#pragma once

#include "armilla/core/healpix_map.h"
#include "convolve/pixels/direct_cuda.h"

namespace armilla {

// Copies a field of any ordering and coverage to a device in its own precision.
void addField(DirectCuda& to, const HealpixMap& map, int field, const LiveField* pictured,
              JobContext& job);
// Smooths the i-th of the device's fields; the result has the pixels and precision of the map's
// field number `field`.
Field smoothOnDevice(DirectCuda& on, DirectCuda::Request request, const HealpixMap& map, int field,
                     JobContext& job);

// Bits of the pixels that are bad, in RING order; none if all are good.
LiveField liveField(const HealpixMap& map, int field, JobContext& job);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of maps of any ordering and coverage on their way to a device's sums over pixels, and
// back.
#pragma once

#include "convolve/direct_cuda.h"
#include "core/healpix_map.h"

namespace armilla {

// Brings a field of any ordering and coverage to a device in the precision that it has.
void addField(DirectCuda& to, const HealpixMap& map, int field, const LiveField* pictured,
              JobContext& job);
// The sums of the i-th of the fields there, as the map's field number `field` has its values.
Field smoothOnDevice(DirectCuda& on, DirectCuda::Request request, const HealpixMap& map, int field,
                     JobContext& job);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Field that a picture in another frame than that of the map shows.
#pragma once

#include <memory>
#include <string>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla {

struct DrawnField {
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    bool isTurned = false;  // Q or U relative to the meridians of the frame of the picture
    // "U_STOKES in equatorial (ICRS)" if rotated, else the name of the field.
    std::string name;
};
// Name of DrawnField, without making a map.
std::string drawnFieldName(const HealpixMap& map, int field, Frame frame);
// Rotates Q and U, which refer to meridians, if the picture has another frame than the map. All
// other fields are drawn unchanged. Throws InvalidArgument for Q without U or U without Q.
DrawnField drawnField(std::shared_ptr<const HealpixMap> map, int field, Frame frame,
                      JobContext& job);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The field that a picture in another frame than the map's shows.
#pragma once

#include <memory>
#include <string>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

struct DrawnField {
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    bool isTurned = false;  // Q or U, referred to the meridians of the picture's frame
    // "U_STOKES in equatorial (ICRS)" where it is turned, else the name of the field.
    std::string name;
};
// The name of DrawnField, without a map made.
std::string drawnFieldName(const HealpixMap& map, int field, Frame frame);
// Q and U are numbers by the meridian: where the frame of the picture is another than the map's,
// they are turned; all else is drawn as it is. Throws InvalidArgument for Q without U or U without
// Q.
DrawnField drawnField(std::shared_ptr<const HealpixMap> map, int field, Frame frame,
                      JobContext& job);

}  // namespace armilla

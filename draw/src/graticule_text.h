// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of a graticule's labels.
#pragma once

#include <string>

#include "armilla/draw/graticule.h"

namespace armilla {

// Degrees, minutes and seconds as far as the step requires. Latitudes have a sign.
std::string angleText(double angle, double step, bool isLatitude);
// Longitudes as 0 to 360 degrees, or 0 to 24 hours.
std::string longitudeText(double angle, double step, LongitudeUnit unit);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Angles and positions in the notation of users.
#pragma once

#include <string>
#include <string_view>

#include "armilla/core/sky_vector.h"

namespace armilla {

// Radians of "4.7arcmin", "1deg", "30arcsec", "0.01rad" (also "30'" and "30\"", "mas"). Throws
// InvalidArgument with the list of units for a missing or unknown unit, and for a value that is not
// finite.
double parseAngle(std::string_view text);
// The position "LON,LAT", two angles with units: "120.5deg,-30deg". Throws InvalidArgument.
LonLat parsePosition(std::string_view text);
// A typed position: "12:34:56 -01:02:03", "12h34m56s -1d2m3s" (both equatorial), or two numbers in
// degrees in `frame`. The result is in `frame`. Throws InvalidArgument with the accepted forms.
LonLat parseTypedPosition(std::string_view text, Frame frame);
// Sexagesimal, "05h35m17.3s -05d23m28s", with enough digits for `resolution` radians.
std::string formatEquatorial(LonLat position, double resolution);
// Degrees with enough digits for `resolution` radians, such as "209.013".
std::string formatDegrees(double radians, double resolution);
// The angle in the most readable unit: "4.7′", "1.2°", "30″".
std::string formatAngle(double radians);
// The angle in the exact notation of the command line: parseAngle(angleArgument(x)) == x.
std::string angleArgument(double radians);

}  // namespace armilla

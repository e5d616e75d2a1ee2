// SPDX-License-Identifier: GPL-3.0-or-later
// Angles and positions as people write them.
#pragma once

#include <string>
#include <string_view>

#include "core/sky_vector.h"

namespace armilla {

// Radians of "4.7arcmin", "1deg", "30arcsec", "0.01rad" (also "30'" and "30\"", "mas"). A number
// without a unit, an unknown unit, or a value that is not finite throws InvalidArgument, which
// names the units.
double parseAngle(std::string_view text);
// "LON,LAT", each an angle with its unit: "120.5deg,-30deg". Throws InvalidArgument.
LonLat parsePosition(std::string_view text);
// A position typed by a person: "12:34:56 -01:02:03", "12h34m56s -1d2m3s" (both equatorial), or two
// numbers in degrees in `frame`. The result is in `frame`. Throws InvalidArgument with the forms.
LonLat parseTypedPosition(std::string_view text, Frame frame);
// Sexagesimal, "05h35m17.3s -05d23m28s", with enough digits for `resolution` radians.
std::string formatEquatorial(LonLat position, double resolution);
// Degrees with enough digits for `resolution` radians, such as "209.013".
std::string formatDegrees(double radians, double resolution);
// The angle in the unit that reads best: "4.7′", "1.2°", "30″".
std::string formatAngle(double radians);
// The angle as the command line takes it, exactly: parseAngle(angleArgument(x)) == x.
std::string angleArgument(double radians);

}  // namespace armilla

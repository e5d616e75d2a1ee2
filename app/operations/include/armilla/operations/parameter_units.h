// SPDX-License-Identifier: GPL-3.0-or-later
// Units on screen of angles of a fixed number: ParameterFacts::unit then lists one for each, such
// as "arcmin,arcmin,deg".
#pragma once

#include <cstddef>
#include <string_view>

#include "armilla/operations/parameter.h"

namespace armilla {

// The number of angles that the parameter takes; 0 if any number is accepted.
size_t fixedCount(const Parameter& parameter);

// Unit on screen of the value, or of one of several angles.
std::string_view unitAt(const Parameter& parameter, size_t place);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Places in the sky by name, for the search box; and positions as people type them.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

#include "core/sky_vector.h"

namespace armilla {

// Names the search box offers, such as "M 31".
QStringList skyNames();
// ICRS position of a name (case and blanks do not matter), good to an arcminute.
std::optional<LonLat> namedPosition(const QString& name);
// A name of the list, or a position as core/units.h parses it: two numbers are degrees in `frame`.
// The result is in `frame`; names and sexagesimal positions need a known one. Throws
// InvalidArgument.
LonLat searchedPosition(const QString& text, Frame frame);

}  // namespace armilla

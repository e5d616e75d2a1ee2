// SPDX-License-Identifier: GPL-3.0-or-later
// The two maps that a comparison shows if the user names none.
#pragma once

#include <optional>

#include "armilla/session/shown.h"

namespace armilla {

class Document;

// The second is the first that exists of:
// - the live result, or the map compared before;
// - the next map of the list, the sample sky last;
// - the next field of this map. None if the only map has one field.
struct ComparedPair {
    Shown first;
    std::optional<Shown> second;
};
ComparedPair pairToCompare(const Document& document);

}  // namespace armilla

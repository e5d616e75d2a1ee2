// SPDX-License-Identifier: GPL-3.0-or-later
// Directions of data whose frame a file may not name, as a window shows them.
#pragma once

#include "core/sky_vector.h"

namespace armilla {

// frameRotation where both frames are known or equal, else no rotation. For what is shown only: a
// layer of unknown frame lies at its own numbers, and the window says so. A computation refuses
// such a pair, which frameRotation does.
inline Mat3 seenRotation(Frame to, Frame from) {
    const bool known = to != Frame::Unknown && from != Frame::Unknown;
    return known ? frameRotation(to, from) : Mat3{};
}

}  // namespace armilla

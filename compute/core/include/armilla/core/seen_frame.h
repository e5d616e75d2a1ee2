// SPDX-License-Identifier: GPL-3.0-or-later
// Rotations for display of data whose file may not name a frame.
#pragma once

#include "armilla/core/sky_vector.h"

namespace armilla {

// frameRotation if both frames are known or equal, otherwise no rotation. For display only: a layer
// of unknown frame is drawn at its own coordinates, and the window shows a notice. Computations
// must call frameRotation, which refuses such a pair.
inline Mat3 seenRotation(Frame to, Frame from) {
    const bool known = to != Frame::Unknown && from != Frame::Unknown;
    return known ? frameRotation(to, from) : Mat3{};
}

}  // namespace armilla

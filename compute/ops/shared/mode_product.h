// SPDX-License-Identifier: GPL-3.0-or-later
// The share of one coefficient in a cross spectrum, for host and device.
#pragma once

#include "armilla/core/hd.h"

namespace armilla {

// Re(x conj(y)) of the orders m and -m together: 2l + 1 times C_l is the sum over m >= 0.
ARMILLA_HD inline double modeProduct(int m, double realX, double imagX, double realY,
                                     double imagY) {
    return (m == 0 ? 1.0 : 2.0) * (realX * realY + imagX * imagY);
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Angles of the Gauss-Legendre rule, as the recurrences of Wigner's functions use them.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/core/job_context.h"

namespace armilla {

// The argument of a recurrence: x = cos(theta), x - 1 or x + 1, so that angles near a pole lose no
// digits.
enum class WignerForm { Belt, North, South };

struct GaussAngle {
    double y = 0.0;  // argument of the form
    double cosHalf = 0.0, sinHalf = 0.0;
    double weight = 0.0;  // over cos(theta)
    WignerForm form = WignerForm::Belt;
};
// The rule that is exact for polynomials of this degree in cos(theta), from north to south.
std::vector<GaussAngle> gaussAngles(int64_t degree, JobContext& job);

}  // namespace armilla

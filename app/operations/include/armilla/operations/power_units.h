// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of C_l between units.
#pragma once

#include <optional>
#include <string>

namespace armilla {

struct PowerFactor {
    double factor = 1.0;
    bool isScaleAssumed = false;  // plain kelvins were taken as kelvins of the other unit's scale
};
// The factor from one unit of C_l to another; none for units of different kinds. Plain kelvins,
// whose scale is not stated, take the scale of the other unit (CMB or Rayleigh-Jeans).
std::optional<PowerFactor> powerFactor(const std::string& from, const std::string& to);

}  // namespace armilla

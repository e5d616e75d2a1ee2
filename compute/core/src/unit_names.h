// SPDX-License-Identifier: GPL-3.0-or-later
// The names of units, their prefixes and their definitions in base units.
#pragma once

#include <optional>
#include <string_view>

#include "armilla/core/physical_unit.h"

namespace armilla {

// A unit name from text, split into prefix and name.
struct NamedUnit {
    UnitFactor factor;  // canonical names: "Jy" of JY, "K_CMB" of Kcmb; power 1
    double scale = 1.0;
    std::array<double, kUnitBases> powers{};
};

// Exact: prefixes and names in their own case. Any: "JY", "DEGREES", "KM"; before a name, M stays
// mega and m milli.
enum class NameCase { Exact, Any };
std::optional<NamedUnit> namedUnit(std::string_view name, NameCase how);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The names of units, their prefixes and what they are of the base units.
#pragma once

#include <optional>
#include <string_view>

#include "core/physical_unit.h"

namespace armilla {

// A name as text has it, taken apart.
struct NamedUnit {
    UnitFactor factor;  // canonical names: "Jy" of JY, "K_CMB" of Kcmb; power 1
    double scale = 1.0;
    std::array<double, kUnitBases> powers{};
};

// Exact: prefixes and names by their case. AnyCase: "JY", "DEGREES", "KM"; an M before a name
// stays mega, an m milli.
enum class NameCase { Exact, Any };
std::optional<NamedUnit> namedUnit(std::string_view name, NameCase how);

}  // namespace armilla

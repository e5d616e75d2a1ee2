// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/power_units.h"

#include <utility>

#include "armilla/core/physical_unit.h"

namespace armilla {

namespace {

// Gives plain kelvins, whose scale is unknown, the scale of the other unit. Returns whether it did.
bool takeScale(PhysicalUnit& unit, const PhysicalUnit& other) {
    double& plain = unit.powers[static_cast<size_t>(UnitBase::Temperature)];
    for (const UnitBase base : {UnitBase::CmbKelvin, UnitBase::RayleighJeans}) {
        if (plain == 0.0 || other.power(base) != plain || unit.power(base) != 0.0) continue;
        unit.powers[static_cast<size_t>(base)] = std::exchange(plain, 0.0);
        return true;
    }
    return false;
}

}  // namespace

std::optional<PowerFactor> powerFactor(const std::string& from, const std::string& to) {
    if (from == to) return PowerFactor{};
    if (const auto ratio = unitRatio(from, to)) return PowerFactor{*ratio, false};
    auto found = parseUnit(from), wanted = parseUnit(to);
    const bool isScaled =
        found && wanted && (takeScale(*found, *wanted) || takeScale(*wanted, *found));
    if (!isScaled || !isSameKind(*found, *wanted)) return std::nullopt;
    return PowerFactor{found->scale / wanted->scale, true};
}

}  // namespace armilla

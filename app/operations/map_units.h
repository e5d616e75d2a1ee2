// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of a map in another unit.
#pragma once

#include <optional>
#include <string>

#include "core/healpix_map.h"
#include "operations/operation.h"

namespace armilla {

// Whether `unit` is one that fields can be brought to.
bool isConvertibleUnit(const std::string& unit);
// Multiplies each field whose unit converts: by a factor where both are of one kind; between
// K_CMB, K_RJ, Jy/sr, Jy/beam (by BMAJ and BMIN of the map) and Jy/pixel at the frequency (Hz).
// Plain kelvins, whose scale nothing says, take that of `unit` if it is K_CMB or K_RJ, and are
// refused otherwise. Fields that do not convert stay, and a line names them. Throws InvalidArgument
// if no field converts, or without the frequency or the beam that it takes.
void convertUnits(HealpixMap& map, const std::string& unit, std::optional<double> frequency,
                  const Context& context);

}  // namespace armilla

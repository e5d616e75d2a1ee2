// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of the fields of a map to another unit.
#pragma once

#include <optional>
#include <string>

#include "armilla/core/healpix_map.h"
#include "armilla/operations/operation.h"

namespace armilla {

// Whether fields can be converted to `unit`.
bool isConvertibleUnit(const std::string& unit);
// Gives the map the header cards of a round beam of this FWHM (radians). Throws InvalidArgument if
// the map has another beam.
void stateBeam(HealpixMap& map, double fwhm);
// Multiplies each field whose unit converts to `unit`:
// - by a factor if both units are of one kind;
// - at the frequency (Hz) between K_CMB, K_RJ, Jy/sr, Jy/beam (with BMAJ and BMIN of the map),
//   Jy/pixel and Compton y. Fields without a unit become Compton y unchanged, and a line names
//   them.
// Plain kelvins of unknown scale take the scale of `unit` if it is K_CMB or K_RJ, and are refused
// otherwise. Fields that do not convert stay, and a line names them. Throws InvalidArgument if no
// field converts, or if the frequency or beam is missing.
void convertUnits(HealpixMap& map, const std::string& unit, std::optional<double> frequency,
                  const Context& context);

}  // namespace armilla

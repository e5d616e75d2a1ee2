// SPDX-License-Identifier: GPL-3.0-or-later
// Brightness in janskys: K_CMB, K_RJ, Jy/sr, Jy/beam, Jy/pixel.
#pragma once

#include <optional>
#include <string>

namespace armilla {

// Janskys of a source of peak brightness 1: solid angle times what the unit is in Jy/sr at the
// frequency. None where the unit, or the frequency it needs, does not say.
std::optional<double> janskyOf(const std::string& unit, std::optional<double> frequency,
                               double beamSolidAngle, double pixelSolidAngle);
// The remark on a unit of plain kelvins at a frequency, where the scale is not known: a line that
// names the scale taken and what the other would give. Empty for other units.
std::string remarkOnKelvins(const std::string& unit, double frequency);
// A unit of maps as FITS and VOUnits spell it: K of K_CMB and K_RJ, count of counts; empty for
// words that are none; others as they are.
std::string standardUnit(const std::string& unit);
}  // namespace armilla

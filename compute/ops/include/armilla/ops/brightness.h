// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of brightness (K_CMB, K_RJ, Jy/sr, Jy/beam, Jy/pixel, Compton y) to janskys.
#pragma once

#include <optional>
#include <string>

namespace armilla {

// Temperature of the CMB in K: D. J. Fixsen, ApJ 707 (2009) 916, found 2.72548, rounded as by
// astropy, PySM, CLASS and CAMB. Their factors and these agree to rounding; the last digit would
// change those at 857 GHz by 1e-4.
inline constexpr double kCmbTemperature = 2.7255;

// Whether a unit names the Compton parameter y of the thermal Sunyaev-Zel'dovich effect: "y",
// "y_SZ", "ySZ", "Compton", "y_Compton", "Compton_y", in any case.
bool isComptonY(const std::string& unit);
// Whether values in a unit are sums over a pixel, as in Jy/pix.
bool isPerPixel(const std::string& unit);
// Flux density in Jy of a source of peak brightness 1 in `unit`: solid angle times the unit's value
// in Jy/sr. Solid angles in sr, `frequency` in Hz. Returns none for a unit that is no brightness,
// or if the unit needs a frequency and none is given. Compton y is the intensity of the
// nonrelativistic effect (R. A. Sunyaev & Ya. B. Zel'dovich 1972): T_CMB (x coth(x/2) - 4) K_CMB, x
// = h nu / (k T_CMB), which is negative below 217 GHz.
std::optional<double> janskyOf(const std::string& unit, std::optional<double> frequency,
                               double beamSolidAngle, double pixelSolidAngle);
// Remark for a unit of plain kelvins: the line names the scale taken (K_CMB) and the factor for
// K_RJ at `frequency` (Hz). Empty for other units.
std::string remarkOnKelvins(const std::string& unit, double frequency);
// The spelling of a map unit in FITS and VOUnits: K for K_CMB and K_RJ, count for counts. Returns
// an empty text for words that name no unit, and other units unchanged.
std::string standardUnit(const std::string& unit);
}  // namespace armilla

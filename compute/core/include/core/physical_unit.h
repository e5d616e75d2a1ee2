// SPDX-License-Identifier: GPL-3.0-or-later
// Units as text: one parser for the spellings of FITS, CDS, VOUnit, astropy, and older programs.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace armilla {

// The dimensions that a unit is a product of. Temperatures of the CMB and of Rayleigh-Jeans differ
// in kind from plain kelvins, because a frequency stands between them. A steradian is rad^2.
enum class UnitBase {
    Length,         // m
    Mass,           // kg
    Time,           // s
    Current,        // A
    Temperature,    // K
    CmbKelvin,      // K_CMB, thermodynamic
    RayleighJeans,  // K_RJ, brightness and antenna temperatures
    Amount,         // mol
    Luminosity,     // cd
    Angle,          // rad
    Beam,
    Pixel,
    Count,
    Photon,
    Electron,
    Adu,
    Magnitude,
    Channel,
    Bit
};
inline constexpr size_t kUnitBases = static_cast<size_t>(UnitBase::Bit) + 1;

// One name of a unit with its power: "mJy" is prefix "m", name "Jy".
struct UnitFactor {
    std::string prefix, name;
    double power = 1.0;
};

struct PhysicalUnit {
    double scale = 1.0;  // in the product of the bases
    std::array<double, kUnitBases> powers{};
    bool isLogarithm = false;         // "[cm.s-2]", "dex(cm s-2)", "log(K)": of what is inside
    double number = 1.0;              // the number in front: 1e-17 of "10-17 erg/s"
    std::vector<UnitFactor> factors;  // the names, in the order of the text

    double power(UnitBase base) const { return powers[static_cast<size_t>(base)]; }
    bool isDimensionless() const;
};

// The unit that the text spells; a text that names no unit (empty, "none", "---", ...) is
// dimensionless. None for a text that is no unit. Grammars:
//   FITS standard 4.0, section 4.3     "10**-17 erg s-1 cm-2", "Jy/beam", "m(3/2)", "sqrt(Hz)"
//   CDS, Standards for Astronomical Catalogues 3.2   "10-17erg.s-1", "0.1nm", "mK+2", "[cm.s-2]"
//   VOUnit 1.1                         "1e-17erg.s**-1", "Jy.beam**-1"
//   astropy's to_string()              "Jy / beam", "beam-1 Jy", "erg / (s cm2)", "µK", "cm⁻²"
// and the words of programs: K_CMB, Kcmb, K(RJ), JY/BEAM, degrees. Case counts where it tells units
// apart; a word that is no unit by its case is tried in any case. All that follows a solidus
// divides ("W/m2 Hz"), as in astropy; of "Jy/beam km/s" the km multiplies, as in CASA.
std::optional<PhysicalUnit> parseUnit(std::string_view text);
// Whether the text says that there is no unit, or nothing: "", "none", "unknown", "---", ...
bool namesNoUnit(std::string_view text);

// Whether values of one convert to the other by a factor.
bool isSameKind(const PhysicalUnit& a, const PhysicalUnit& b);
// The factor that converts values in `from` to `to`; none for units of two kinds or no unit.
std::optional<double> unitRatio(std::string_view from, std::string_view to);
// Radians in one of a unit of angle; none for others, and for texts that name no unit. Brackets
// count for nothing: nobody takes the logarithm of an angle.
std::optional<double> radiansOfUnit(std::string_view text);
PhysicalUnit raisedUnit(PhysicalUnit unit, double power);
// In the spelling of FITS: "10**-17 erg s-1 cm-2". parseUnit gives the same unit back.
std::string spelledUnit(const PhysicalUnit& unit);

}  // namespace armilla

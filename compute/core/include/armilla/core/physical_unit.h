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

// Base dimensions of units. CMB and Rayleigh-Jeans temperatures differ in kind from plain kelvins,
// because their conversion depends on frequency. A steradian is rad^2.
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

// A parsed unit: scale, powers of the bases, and the factors as written.
struct PhysicalUnit {
    double scale = 1.0;  // relative to the product of the bases
    std::array<double, kUnitBases> powers{};
    // "[cm.s-2]", "dex(cm s-2)", "log(K)": the logarithm of a quantity in this unit
    bool isLogarithm = false;
    double number = 1.0;              // leading number: 1e-17 of "10-17 erg/s"
    std::vector<UnitFactor> factors;  // factors in the order of the text

    double power(UnitBase base) const { return powers[static_cast<size_t>(base)]; }
    bool isDimensionless() const;
};

// Parses the text of a unit. A text that states no unit (empty, "none", "---", ...) is
// dimensionless; an unknown unit gives none. Grammars:
//   FITS standard 4.0, section 4.3     "10**-17 erg s-1 cm-2", "Jy/beam", "m(3/2)", "sqrt(Hz)"
//   CDS, Standards for Astronomical Catalogues 3.2   "10-17erg.s-1", "0.1nm", "mK+2", "[cm.s-2]"
//   VOUnit 1.1                         "1e-17erg.s**-1", "Jy.beam**-1"
//   astropy's to_string()              "Jy / beam", "beam-1 Jy", "erg / (s cm2)", "µK", "cm⁻²"
//   Words of programs                  K_CMB, Kcmb, K(RJ), JY/BEAM, degrees
//
// Case counts if it distinguishes units; a word that is no unit in its own case is tried in any
// case. Every factor after a solidus divides ("W/m2 Hz"), as in astropy; in "Jy/beam km/s" the km
// multiplies, as in CASA.
std::optional<PhysicalUnit> parseUnit(std::string_view text);
// True for a text that states no unit: "", "none", "unknown", "---", ...
bool namesNoUnit(std::string_view text);

// True if a factor alone converts values between the units.
bool isSameKind(const PhysicalUnit& a, const PhysicalUnit& b);
// The factor that converts values in `from` to `to`; none for units of different kinds and unknown
// units.
std::optional<double> unitRatio(std::string_view from, std::string_view to);
// Radians in one unit of angle; none for other units and for texts that state no unit. Brackets are
// ignored, because a logarithm of an angle does not occur.
std::optional<double> radiansOfUnit(std::string_view text);
// The power of a unit, with all factors.
PhysicalUnit raisedUnit(PhysicalUnit unit, double power);
// The unit in FITS spelling: "10**-17 erg s-1 cm-2". parseUnit of the result gives the same unit.
std::string spelledUnit(const PhysicalUnit& unit);

}  // namespace armilla

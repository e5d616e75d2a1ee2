// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit_names.h"

#include <initializer_list>
#include <string>
#include <utility>

#include "armilla/core/ascii_text.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

namespace {

using B = UnitBase;

struct Power {
    UnitBase base = B::Length;
    double power = 0.0;
};
struct UnitRow {
    std::string_view name;
    double scale = 1.0;
    std::array<Power, 4> powers{};
    bool takesPrefix = false;
    std::string_view canonical{};  // if different from `name`
};

constexpr bool kWithPrefix = true;
constexpr double kElectronVolt = 1.602176634e-19;  // J, exact in SI
constexpr double kRydberg = 2.1798723611030e-18;   // J, CODATA 2022
constexpr double kDalton = 1.66053906892e-27;      // kg, CODATA 2022
constexpr double kAstronomicalUnit = 149597870700.0;
constexpr double kParsec = kAstronomicalUnit * 648000.0 / 3.14159265358979323846;
constexpr double kLightYear = 299792458.0 * 365.25 * 86400.0;
// IAU 2015 nominal values; masses by CODATA 2022's constant of gravitation.
constexpr double kSolarMass = 1.3271244e20 / 6.6743e-11, kSolarRadius = 6.957e8;
constexpr double kSolarLuminosity = 3.828e26;
constexpr double kEarthMass = 3.986004e14 / 6.6743e-11, kEarthRadius = 6.3781e6;
constexpr double kJupiterMass = 1.2668653e17 / 6.6743e-11, kJupiterRadius = 7.1492e7;

constexpr std::array<Power, 4> kEnergy{{{B::Mass, 1}, {B::Length, 2}, {B::Time, -2}}};
constexpr std::array<Power, 4> kForce{{{B::Mass, 1}, {B::Length, 1}, {B::Time, -2}}};
constexpr std::array<Power, 4> kPressure{{{B::Mass, 1}, {B::Length, -1}, {B::Time, -2}}};
constexpr std::array<Power, 4> kPowerOfWork{{{B::Mass, 1}, {B::Length, 2}, {B::Time, -3}}};
constexpr std::array<Power, 4> kFluxDensity{{{B::Mass, 1}, {B::Time, -2}}};
constexpr std::array<Power, 4> kInduction{{{B::Mass, 1}, {B::Time, -2}, {B::Current, -1}}};
constexpr std::array<Power, 4> kVoltage{
    {{B::Mass, 1}, {B::Length, 2}, {B::Time, -3}, {B::Current, -1}}};
constexpr std::array<Power, 4> kResistance{
    {{B::Mass, 1}, {B::Length, 2}, {B::Time, -3}, {B::Current, -2}}};
constexpr std::array<Power, 4> kConductance{
    {{B::Mass, -1}, {B::Length, -2}, {B::Time, 3}, {B::Current, 2}}};
constexpr std::array<Power, 4> kCapacity{
    {{B::Mass, -1}, {B::Length, -2}, {B::Time, 4}, {B::Current, 2}}};
constexpr std::array<Power, 4> kInductance{
    {{B::Mass, 1}, {B::Length, 2}, {B::Time, -2}, {B::Current, -2}}};
constexpr std::array<Power, 4> kMagneticFlux{
    {{B::Mass, 1}, {B::Length, 2}, {B::Time, -2}, {B::Current, -1}}};

constexpr std::array<Power, 4> of(UnitBase base, double power = 1.0) {
    return {{{base, power}}};
}

// FITS 4.0, tables 3 to 5; CDS; VOUnit, table 1; and words of other programs.
constexpr UnitRow kNames[] = {
    // Angles.
    {"deg", kDegree, of(B::Angle)},
    {"arcmin", kArcmin, of(B::Angle)},
    {"arcsec", kArcsec, of(B::Angle), kWithPrefix},
    {"mas", 1e-3 * kArcsec, of(B::Angle)},
    {"uas", 1e-6 * kArcsec, of(B::Angle)},
    {"μas", 1e-6 * kArcsec, of(B::Angle), false, "uas"},
    {"µas", 1e-6 * kArcsec, of(B::Angle), false, "uas"},
    {"rad", 1.0, of(B::Angle), kWithPrefix},
    {"sr", 1.0, of(B::Angle, 2)},
    {"hourangle", 15.0 * kDegree, of(B::Angle)},
    {"°", kDegree, of(B::Angle), false, "deg"},
    {"′", kArcmin, of(B::Angle), false, "arcmin"},
    {"″", kArcsec, of(B::Angle), false, "arcsec"},
    {"ʰ", 15.0 * kDegree, of(B::Angle), false, "hourangle"},
    // Brightness.
    {"Jy", 1e-26, kFluxDensity, kWithPrefix},
    {"K", 1.0, of(B::Temperature), kWithPrefix},
    {"K_CMB", 1.0, of(B::CmbKelvin), kWithPrefix},
    {"K_RJ", 1.0, of(B::RayleighJeans), kWithPrefix},
    {"Ta", 1.0, of(B::RayleighJeans), false, "K_RJ"},  // no teraannum
    {"TA", 1.0, of(B::RayleighJeans), false, "K_RJ"},
    {"R", 1e10 / (4.0 * kPi), {{{B::Photon, 1}, {B::Length, -2}, {B::Time, -1}, {B::Angle, -2}}}},
    {"mag", 1.0, of(B::Magnitude), kWithPrefix},
    {"dex", -2.5, of(B::Magnitude)},
    {"dB", -0.25, of(B::Magnitude)},
    // Instruments.
    {"beam", 1.0, of(B::Beam)},
    {"pix", 1.0, of(B::Pixel), kWithPrefix},
    {"pixel", 1.0, of(B::Pixel), kWithPrefix, "pix"},
    {"vox", 1.0, of(B::Pixel), false, "voxel"},
    {"voxel", 1.0, of(B::Pixel)},
    {"ct", 1.0, of(B::Count), kWithPrefix},
    {"count", 1.0, of(B::Count), kWithPrefix, "ct"},
    {"ph", 1.0, of(B::Photon), kWithPrefix},
    {"photon", 1.0, of(B::Photon), kWithPrefix, "ph"},
    {"electron", 1.0, of(B::Electron)},
    {"adu", 1.0, of(B::Adu)},
    {"DN", 1.0, of(B::Adu)},
    {"chan", 1.0, of(B::Channel)},
    {"bin", 1.0, of(B::Channel)},
    {"bit", 1.0, of(B::Bit), kWithPrefix},
    {"byte", 8.0, of(B::Bit), kWithPrefix},
    // Times and frequencies.
    {"s", 1.0, of(B::Time), kWithPrefix},
    {"min", 60.0, of(B::Time)},
    {"h", 3600.0, of(B::Time)},
    {"d", 86400.0, of(B::Time)},
    {"yr", 365.25 * 86400.0, of(B::Time), kWithPrefix},
    {"a", 365.25 * 86400.0, of(B::Time), kWithPrefix},
    {"Hz", 1.0, of(B::Time, -1), kWithPrefix},
    {"Bq", 1.0, of(B::Time, -1), kWithPrefix},
    // Lengths.
    {"m", 1.0, of(B::Length), kWithPrefix},
    {"Angstrom", 1e-10, of(B::Length)},
    {"angstrom", 1e-10, of(B::Length), false, "Angstrom"},
    {"Å", 1e-10, of(B::Length), false, "Angstrom"},
    {"Å", 1e-10, of(B::Length), false, "Angstrom"},
    {"AA", 1e-10, of(B::Length), false, "Angstrom"},
    {"micron", 1e-6, of(B::Length), false, "um"},
    {"AU", kAstronomicalUnit, of(B::Length)},
    {"au", kAstronomicalUnit, of(B::Length), false, "AU"},
    {"pc", kParsec, of(B::Length), kWithPrefix},
    {"lyr", kLightYear, of(B::Length), kWithPrefix},
    {"solRad", kSolarRadius, of(B::Length)},
    {"barn", 1e-28, of(B::Length, 2), kWithPrefix},
    // Masses.
    {"g", 1e-3, of(B::Mass), kWithPrefix},
    {"u", kDalton, of(B::Mass)},
    {"Da", kDalton, of(B::Mass), kWithPrefix, "u"},
    {"solMass", kSolarMass, of(B::Mass)},
    {"earthMass", kEarthMass, of(B::Mass)},
    {"jupiterMass", kJupiterMass, of(B::Mass)},
    {"geoMass", kEarthMass, of(B::Mass), false, "earthMass"},
    {"jovMass", kJupiterMass, of(B::Mass), false, "jupiterMass"},
    {"earthRad", kEarthRadius, of(B::Length)},
    {"jupiterRad", kJupiterRadius, of(B::Length)},
    // Energies and powers.
    {"J", 1.0, kEnergy, kWithPrefix},
    {"erg", 1e-7, kEnergy, kWithPrefix},
    {"eV", kElectronVolt, kEnergy, kWithPrefix},
    {"Ry", kRydberg, kEnergy},
    {"R∞", kRydberg, kEnergy, false, "Ry"},
    {"W", 1.0, kPowerOfWork, kWithPrefix},
    {"solLum", kSolarLuminosity, kPowerOfWork},
    {"N", 1.0, kForce, kWithPrefix},
    {"dyn", 1e-5, kForce, kWithPrefix},
    {"Pa", 1.0, kPressure, kWithPrefix},
    {"bar", 1e5, kPressure, kWithPrefix},
    {"mmHg", 133.322387415, kPressure},
    // Electricity and the rest of SI.
    {"A", 1.0, of(B::Current), kWithPrefix},
    {"C", 1.0, {{{B::Current, 1}, {B::Time, 1}}}, kWithPrefix},
    {"V", 1.0, kVoltage, kWithPrefix},
    {"Ohm", 1.0, kResistance, kWithPrefix},
    {"ohm", 1.0, kResistance, kWithPrefix, "Ohm"},
    {"Ω", 1.0, kResistance, kWithPrefix, "Ohm"},
    {"S", 1.0, kConductance, kWithPrefix},
    {"F", 1.0, kCapacity, kWithPrefix},
    {"H", 1.0, kInductance, kWithPrefix},
    {"Wb", 1.0, kMagneticFlux, kWithPrefix},
    {"T", 1.0, kInduction, kWithPrefix},
    {"G", 1e-4, kInduction, kWithPrefix},
    {"mol", 1.0, of(B::Amount), kWithPrefix},
    {"cd", 1.0, of(B::Luminosity), kWithPrefix},
    {"lm", 1.0, {{{B::Luminosity, 1}, {B::Angle, 2}}}, kWithPrefix},
    {"lx", 1.0, {{{B::Luminosity, 1}, {B::Angle, 2}, {B::Length, -2}}}, kWithPrefix},
    {"%", 1e-2, {}}};

// Words for the names above, in any case.
constexpr std::pair<std::string_view, std::string_view> kWords[] = {{"degree", "deg"},
                                                                    {"degrees", "deg"},
                                                                    {"degs", "deg"},
                                                                    {"radian", "rad"},
                                                                    {"radians", "rad"},
                                                                    {"rads", "rad"},
                                                                    {"arcminute", "arcmin"},
                                                                    {"arcminutes", "arcmin"},
                                                                    {"arcmins", "arcmin"},
                                                                    {"arcsecond", "arcsec"},
                                                                    {"arcseconds", "arcsec"},
                                                                    {"arcsecs", "arcsec"},
                                                                    {"steradian", "sr"},
                                                                    {"steradians", "sr"},
                                                                    {"jansky", "Jy"},
                                                                    {"janskys", "Jy"},
                                                                    {"kelvin", "K"},
                                                                    {"kelvins", "K"},
                                                                    {"kcmb", "K_CMB"},
                                                                    {"k_thermo", "K_CMB"},
                                                                    {"kthermo", "K_CMB"},
                                                                    {"kelvin_cmb", "K_CMB"},
                                                                    {"krj", "K_RJ"},
                                                                    {"k_antenna", "K_RJ"},
                                                                    {"kantenna", "K_RJ"},
                                                                    {"kelvin_rj", "K_RJ"},
                                                                    {"k_mb", "K_RJ"},
                                                                    {"ta", "K_RJ"},
                                                                    {"ta*", "K_RJ"},
                                                                    {"tmb", "K_RJ"},
                                                                    {"beams", "beam"},
                                                                    {"bm", "beam"},
                                                                    {"pixels", "pix"},
                                                                    {"px", "pix"},
                                                                    {"counts", "ct"},
                                                                    {"cts", "ct"},
                                                                    {"hits", "ct"},
                                                                    {"hit", "ct"},
                                                                    {"photons", "ph"},
                                                                    {"electrons", "electron"},
                                                                    {"second", "s"},
                                                                    {"seconds", "s"},
                                                                    {"sec", "s"},
                                                                    {"minute", "min"},
                                                                    {"minutes", "min"},
                                                                    {"hour", "h"},
                                                                    {"hours", "h"},
                                                                    {"hr", "h"},
                                                                    {"hrs", "h"},
                                                                    {"day", "d"},
                                                                    {"days", "d"},
                                                                    {"year", "yr"},
                                                                    {"years", "yr"},
                                                                    {"hertz", "Hz"},
                                                                    {"meter", "m"},
                                                                    {"meters", "m"},
                                                                    {"metre", "m"},
                                                                    {"metres", "m"},
                                                                    {"microns", "micron"},
                                                                    {"angstroms", "Angstrom"},
                                                                    {"parsec", "pc"},
                                                                    {"parsecs", "pc"},
                                                                    {"gram", "g"},
                                                                    {"grams", "g"},
                                                                    {"watt", "W"},
                                                                    {"watts", "W"},
                                                                    {"joule", "J"},
                                                                    {"joules", "J"},
                                                                    {"ergs", "erg"},
                                                                    {"electronvolt", "eV"},
                                                                    {"gauss", "G"},
                                                                    {"tesla", "T"},
                                                                    {"volt", "V"},
                                                                    {"volts", "V"},
                                                                    {"rayleigh", "R"},
                                                                    {"rayleighs", "R"},
                                                                    {"magnitude", "mag"},
                                                                    {"mags", "mag"},
                                                                    {"dn", "DN"},
                                                                    {"channel", "chan"},
                                                                    {"channels", "chan"},
                                                                    {"sun", "solMass"},
                                                                    {"msun", "solMass"},
                                                                    {"m_sun", "solMass"},
                                                                    {"m☉", "solMass"},
                                                                    {"lsun", "solLum"},
                                                                    {"l_sun", "solLum"},
                                                                    {"l☉", "solLum"},
                                                                    {"rsun", "solRad"},
                                                                    {"r_sun", "solRad"},
                                                                    {"r☉", "solRad"},
                                                                    {"mearth", "earthMass"},
                                                                    {"m_earth", "earthMass"},
                                                                    {"mjup", "jupiterMass"},
                                                                    {"m_jup", "jupiterMass"},
                                                                    {"percent", "%"}};

struct Prefix {
    std::string_view text;
    double factor = 1.0;
    std::string_view canonical{};
};
constexpr Prefix kPrefixes[] = {
    {"y", 1e-24}, {"z", 1e-21}, {"a", 1e-18},     {"f", 1e-15},     {"p", 1e-12}, {"n", 1e-9},
    {"u", 1e-6},  {"m", 1e-3},  {"µ", 1e-6, "u"}, {"μ", 1e-6, "u"}, {"c", 1e-2},  {"d", 1e-1},
    {"da", 1e1},  {"h", 1e2},   {"k", 1e3},       {"M", 1e6},       {"G", 1e9},   {"T", 1e12},
    {"P", 1e15},  {"E", 1e18},  {"Z", 1e21},      {"Y", 1e24}};
// Matched in any case, except m and M, which case alone distinguishes.
constexpr Prefix kAnyCasePrefixes[] = {
    {"m", 1e-3},        {"M", 1e6},           {"n", 1e-9},          {"u", 1e-6},
    {"µ", 1e-6, "u"},   {"μ", 1e-6, "u"},     {"c", 1e-2},          {"k", 1e3},
    {"g", 1e9},         {"t", 1e12},          {"nano", 1e-9, "n"},  {"micro", 1e-6, "u"},
    {"mu", 1e-6, "u"},  {"milli", 1e-3, "m"}, {"centi", 1e-2, "c"}, {"kilo", 1e3, "k"},
    {"mega", 1e6, "M"}, {"giga", 1e9, "G"},   {"tera", 1e12, "T"}};

const UnitRow* exactRow(std::string_view name) {
    for (const UnitRow& row : kNames)
        if (row.name == name) return &row;
    return nullptr;
}
const UnitRow* rowInAnyCase(std::string_view name) {
    const std::string word = lowerCase(name);
    for (const auto& [text, stands] : kWords)
        if (text == word) return exactRow(stands);
    for (const UnitRow& row : kNames)
        if (lowerCase(row.name) == word) return &row;
    return nullptr;
}

NamedUnit made(const UnitRow& row, std::string_view prefix, double factor) {
    NamedUnit unit;
    unit.factor = {std::string(prefix),
                   std::string(row.canonical.empty() ? row.name : row.canonical)};
    unit.scale = factor * row.scale;
    for (const Power& power : row.powers)
        if (power.power != 0.0) unit.powers[static_cast<size_t>(power.base)] = power.power;
    return unit;
}

std::optional<NamedUnit> exactUnit(std::string_view name) {
    if (const UnitRow* row = exactRow(name)) return made(*row, "", 1.0);
    for (const Prefix& prefix : kPrefixes) {
        if (!name.starts_with(prefix.text)) continue;
        const UnitRow* row = exactRow(name.substr(prefix.text.size()));
        if (row != nullptr && row->takesPrefix)
            return made(*row, prefix.canonical.empty() ? prefix.text : prefix.canonical,
                        prefix.factor);
    }
    return std::nullopt;
}

}  // namespace

std::optional<NamedUnit> namedUnit(std::string_view name, NameCase how) {
    if (how == NameCase::Exact) return exactUnit(name);
    if (const UnitRow* row = rowInAnyCase(name)) return made(*row, "", 1.0);
    const std::string word = lowerCase(name);
    for (const Prefix& prefix : kAnyCasePrefixes) {
        const bool isByCase = prefix.text == "m" || prefix.text == "M";
        if (isByCase ? !name.starts_with(prefix.text) : !word.starts_with(prefix.text)) continue;
        const UnitRow* row = rowInAnyCase(name.substr(prefix.text.size()));
        if (row == nullptr || !row->takesPrefix) continue;
        std::string_view letter = prefix.canonical.empty() ? prefix.text : prefix.canonical;
        if (letter == "g") letter = "G";
        if (letter == "t") letter = "T";
        return made(*row, letter, prefix.factor);
    }
    return std::nullopt;
}

}  // namespace armilla

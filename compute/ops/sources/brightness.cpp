// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/brightness.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "armilla/core/ascii_text.h"
#include "armilla/core/physical_unit.h"

namespace armilla {

namespace {

// Exact by the definition of the units (CODATA 2018).
constexpr double kPlanckConstant = 6.62607015e-34, kBoltzmann = 1.380649e-23;
constexpr double kLightSpeed = 299792458.0;
constexpr double kJansky = 1e-26;  // W m^-2 Hz^-1

// d(intensity)/d(temperature) of the Rayleigh-Jeans law, in Jy/sr/K.
double janskyPerRayleighJeansKelvin(double frequency) {
    return 2.0 * kBoltzmann * frequency * frequency / (kLightSpeed * kLightSpeed) / kJansky;
}
double reducedFrequency(double frequency) {
    return kPlanckConstant * frequency / (kBoltzmann * kCmbTemperature);
}
// d(intensity)/d(temperature) of black body radiation at the CMB's temperature, in Jy/sr/K.
double janskyPerKelvin(double frequency) {
    const double x = reducedFrequency(frequency);
    return janskyPerRayleighJeansKelvin(frequency) * x * x * std::exp(x) /
           (std::expm1(x) * std::expm1(x));
}

// Change of the CMB's thermodynamic temperature for y = 1, in K.
double kelvinPerComptonY(double frequency) {
    const double x = reducedFrequency(frequency);
    return kCmbTemperature * (x / std::tanh(0.5 * x) - 4.0);
}

}  // namespace

bool isComptonY(const std::string& unit) {
    const std::string word = lowerCase(unit);
    for (const char* name : {"y", "y_sz", "ysz", "compton", "y_compton", "compton_y"})
        if (word == name) return true;
    return false;
}

bool isPerPixel(const std::string& unit) {
    const auto parsed = parseUnit(unit);
    return parsed && !parsed->isLogarithm && parsed->power(UnitBase::Pixel) == -1.0;
}

std::optional<double> janskyOf(const std::string& unit, std::optional<double> frequency,
                               double beamSolidAngle, double pixelSolidAngle) {
    if (isComptonY(unit)) {
        if (!frequency) return std::nullopt;
        return beamSolidAngle * janskyPerKelvin(*frequency) * kelvinPerComptonY(*frequency);
    }
    const auto parsed = parseUnit(unit);
    if (!parsed) return std::nullopt;
    const auto times = [&](const char* brightness) -> std::optional<double> {
        const auto known = parseUnit(brightness);
        if (!isSameKind(*parsed, *known)) return std::nullopt;
        return parsed->scale / known->scale;
    };
    if (const auto f = times("Jy/sr")) return *f * beamSolidAngle;
    if (const auto f = times("Jy/beam")) return *f;
    if (const auto f = times("Jy/pix")) return *f * beamSolidAngle / pixelSolidAngle;
    if (!frequency) return std::nullopt;
    if (const auto f = times("K_RJ"))
        return *f * beamSolidAngle * janskyPerRayleighJeansKelvin(*frequency);
    for (const char* kelvin : {"K_CMB", "K"})
        if (const auto f = times(kelvin)) return *f * beamSolidAngle * janskyPerKelvin(*frequency);
    return std::nullopt;
}

std::string remarkOnKelvins(const std::string& unit, double frequency) {
    const auto parsed = parseUnit(unit), kelvin = parseUnit("K");
    if (!parsed || !isSameKind(*parsed, *kelvin)) return "";
    std::array<char, 200> text{};
    std::snprintf(text.data(), text.size(),
                  "expected K_CMB or K_RJ, found '%s', which is taken as K_CMB; flux densities of "
                  "K_RJ are %.4g times as large (convert --unit K_RJ states that)",
                  unit.c_str(),
                  janskyPerRayleighJeansKelvin(frequency) / janskyPerKelvin(frequency));
    return text.data();
}

std::string standardUnit(const std::string& unit) {
    if (namesNoUnit(unit)) return "";
    auto parsed = parseUnit(unit);
    if (!parsed) return unit;
    bool isOther = false;
    for (UnitFactor& factor : parsed->factors) {
        const bool isKelvin = factor.name == "K_CMB" || factor.name == "K_RJ";
        if (isKelvin) factor.name = "K";
        if (factor.name == "ct") factor.name = "count";
        isOther = isOther || isKelvin || factor.name == "count" || factor.name == "K";
    }
    return isOther ? spelledUnit(*parsed) : unit;
}

}  // namespace armilla

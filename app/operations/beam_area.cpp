// SPDX-License-Identifier: GPL-3.0-or-later
#include "beam_area.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "armilla/core/gaussian.h"
#include "armilla/core/physical_unit.h"
#include "armilla/core/units.h"
#include "armilla/operations/map_beam.h"

namespace armilla {

namespace {

std::string keywordOf(const std::string& card) {
    std::string key = card.substr(0, 8);
    key.erase(key.find_last_not_of(' ') + 1);
    return key;
}

// Number of a header card; none if there is no such card.
std::optional<double> numberOf(const std::vector<std::string>& cards, const char* key) {
    for (const std::string& card : cards) {
        if (keywordOf(card) != key || card.size() < 10 || card[8] != '=') continue;
        const char* begin = card.c_str() + 9;
        char* end = nullptr;
        const double value = std::strtod(begin, &end);
        if (end != begin && std::isfinite(value)) return value;
    }
    return std::nullopt;
}

std::string realCard(const char* key, double value, const char* comment) {
    std::array<char, 100> card{};
    std::snprintf(card.data(), card.size(), "%-8s= %20.12G / %s", key, value, comment);
    std::string text = card.data();
    text.resize(80, ' ');
    return text;
}

std::string sizeOf(const BeamEllipse& beam) {
    return beam.isRound() ? formatAngle(beam.major)
                          : formatAngle(beam.major) + " x " + formatAngle(beam.minor);
}

}  // namespace

std::optional<BeamEllipse> beamOfCards(const std::vector<std::string>& cards) {
    const auto major = numberOf(cards, "BMAJ"), minor = numberOf(cards, "BMIN");
    if (!major || !minor || !(*minor > 0.0) || !(*major >= *minor)) return std::nullopt;
    return BeamEllipse{*major * kDegree, *minor * kDegree,
                       numberOf(cards, "BPA").value_or(0.0) * kDegree};
}

void setBeamCards(std::vector<std::string>& cards, const std::optional<BeamEllipse>& beam) {
    std::erase_if(cards, [](const std::string& card) {
        const std::string key = keywordOf(card);
        return key == "BMAJ" || key == "BMIN" || key == "BPA";
    });
    if (!beam) return;
    cards.push_back(realCard("BMAJ", beam->major / kDegree, "beam, deg"));
    cards.push_back(realCard("BMIN", beam->minor / kDegree, "beam, deg"));
    cards.push_back(realCard("BPA", beam->angle / kDegree, "north through east, deg"));
}

BeamEllipse convolvedBeam(const BeamEllipse& a, const BeamEllipse& b) {
    // Covariances add: the sum of the squared axes, and their difference as a vector at twice the
    // position angle.
    double sum = 0.0, x = 0.0, y = 0.0;
    for (const BeamEllipse& each : {a, b}) {
        sum += each.major * each.major + each.minor * each.minor;
        const double difference = each.major * each.major - each.minor * each.minor;
        x += difference * std::cos(2.0 * each.angle);
        y += difference * std::sin(2.0 * each.angle);
    }
    const double difference = std::hypot(x, y);
    BeamEllipse result{std::sqrt(0.5 * (sum + difference)),
                       std::sqrt(std::max(0.0, 0.5 * (sum - difference))), 0.0};
    if (!result.isRound()) result.angle = 0.5 * std::atan2(y, x);
    return result;
}

std::optional<BeamEllipse> convolvedBeam(const BeamEllipse& beam, const Kernel& kernel,
                                         JobContext& job) {
    constexpr int kMostL = 100000;
    constexpr double kNothing = 1e-13;
    if (kernel.compensated()) return std::nullopt;
    const double variance = beam.area() / (kFwhmOfSigma * kFwhmOfSigma);
    // Multipole where exp(-l (l+1) variance / 2) = kNothing.
    const double ends = std::sqrt(-2.0 * std::log(kNothing) / variance);
    const int lmax = static_cast<int>(
        std::min<double>({ends, static_cast<double>(kernel.lastL().value_or(kMostL + 1)), 1e9}));
    if (lmax > kMostL) return std::nullopt;
    const std::vector<double> window =
        kernel.normalized(KernelNorm::Integral).scalarCoefficients(lmax, job);
    double peak = 0.0;
    for (size_t l = 0; l < window.size(); ++l) {
        const auto x = static_cast<double>(l);
        peak += (2.0 * x + 1.0) * window[l] * std::exp(-0.5 * x * (x + 1.0) * variance);
    }
    peak *= 0.5 * variance;  // 2 pi variance / (4 pi)
    if (!(peak > 0.0)) return std::nullopt;
    BeamEllipse result = beam;
    result.major /= std::sqrt(peak);
    result.minor /= std::sqrt(peak);
    return result;
}

bool isPerBeam(const std::string& unit) {
    const auto parsed = parseUnit(unit);
    return parsed && !parsed->isLogarithm && parsed->power(UnitBase::Beam) != 0.0;
}

double perBeamFactor(const std::string& unit, const BeamEllipse& from, const BeamEllipse& to) {
    if (!isPerBeam(unit)) return 1.0;
    return std::pow(to.area() / from.area(), -parseUnit(unit)->power(UnitBase::Beam));
}

std::string beamLine(const std::vector<std::string>& units, const BeamChange& change,
                     const char* whence) {
    const auto unit = std::find_if(units.begin(), units.end(), isPerBeam);
    if (unit == units.end()) return {};
    if (!change.from || !change.to)
        return "values in " + *unit + " are left as they are, without BMAJ: " +
               (change.from ? std::string("the beam after the kernel is not known")
                            : "the beam of the input is not known (" + std::string(whence) + ")");
    const double factor = perBeamFactor(*unit, *change.from, *change.to);
    if (factor == 1.0) return {};
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%.6g", factor);
    return "values in " + *unit + " are multiplied by " + number.data() +
           ", the area of the beam after (" + sizeOf(*change.to) + ") over before (" +
           sizeOf(*change.from) + ")";
}

void noteBeam(const Context& context, const std::string& name,
              const std::vector<std::string>& units, const BeamChange& change, const char* whence) {
    const std::string line = beamLine(units, change, whence);
    if (!line.empty() && context.note) context.note(name + ": " + line);
}

std::string perBeamText(const HealpixMap& map) {
    const auto beam = beamOfCards(map.metadata().cards);
    const auto& fields = map.fields();
    const bool isUsed = beam && std::any_of(fields.begin(), fields.end(), [](const Field& field) {
                            return isPerBeam(field.unit);
                        });
    return isUsed ? sizeOf(*beam) : std::string();
}

bool smoothingScales(const HealpixMap& map, const std::vector<int>& fields) {
    return beamOfCards(map.metadata().cards) &&
           std::any_of(fields.begin(), fields.end(),
                       [&](int field) { return isPerBeam(map.field(field).unit); });
}

}  // namespace armilla

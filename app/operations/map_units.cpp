// SPDX-License-Identifier: GPL-3.0-or-later
#include "map_units.h"

#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/physical_unit.h"
#include "armilla/core/units.h"
#include "armilla/ops/brightness.h"
#include "beam_area.h"
#include "smooth_beam.h"

namespace armilla {

namespace {

bool isOfKind(const std::string& unit, const char* kind) {
    return unitRatio(unit, kind).has_value();
}

bool isBrightness(const std::string& unit) {
    if (isComptonY(unit)) return true;
    for (const char* kind : {"K", "K_CMB", "K_RJ", "Jy/sr", "Jy/beam", "Jy/pix"})
        if (isOfKind(unit, kind)) return true;
    return false;
}

// Factor between two units of brightness; none if one of them is no brightness.
std::optional<double> brightnessRatio(const std::string& from, const std::string& to,
                                      std::optional<double> frequency, const HealpixMap& map) {
    if (!isBrightness(from) || !isBrightness(to)) return std::nullopt;
    if (isComptonY(from) && isComptonY(to)) return 1.0;
    if (isOfKind(from, "K")) {
        const auto parsed = parseUnit(from), wanted = parseUnit(to);
        if (!isOfKind(to, "K_CMB") && !isOfKind(to, "K_RJ"))
            throw InvalidArgument(
                "expected K_CMB or K_RJ, found '" + from +
                "', a kelvin of unknown scale; state it with --unit K_CMB or K_RJ");
        return parsed->scale / wanted->scale;
    }
    if (isOfKind(to, "K"))
        throw InvalidArgument("expected --unit K_CMB or K_RJ, found '" + to +
                              "', a kelvin of unknown scale");
    for (const std::string& unit : {from, to})
        if ((isOfKind(unit, "K_CMB") || isOfKind(unit, "K_RJ") || isComptonY(unit)) && !frequency)
            throw InvalidArgument("expected --frequency, found none to convert '" + from +
                                  "' to '" + to + "'");
    const auto beam = beamOfCards(map.metadata().cards);
    for (const std::string& unit : {from, to})
        if (isPerBeam(unit) && !beam)
            throw InvalidArgument(
                "expected --map-beam ANGLE, as the map has no BMAJ and BMIN, found none to "
                "convert '" +
                from + "' to '" + to + "'");
    const double beamArea = beam ? kGaussianArea * beam->area() : 1.0;
    const double pixelArea = 4.0 * kPi / static_cast<double>(map.pixelCount());
    return *janskyOf(from, frequency, beamArea, pixelArea) /
           *janskyOf(to, frequency, beamArea, pixelArea);
}

}  // namespace

bool isConvertibleUnit(const std::string& unit) {
    if (isComptonY(unit)) return true;
    const auto parsed = parseUnit(unit);
    return parsed && !parsed->isLogarithm && !namesNoUnit(unit);
}

void stateBeam(HealpixMap& map, double fwhm) {
    // The header has the beam with twelve digits.
    constexpr double kRounding = 1e-9;
    std::vector<std::string>& cards = map.metadata().cards;
    if (const auto beam = beamOfCards(cards);
        beam && (std::abs(beam->major - fwhm) > kRounding * fwhm ||
                 std::abs(beam->minor - fwhm) > kRounding * fwhm))
        throw InvalidArgument("expected a map without another beam beside --map-beam " +
                              formatAngle(fwhm) + ", found BMAJ " + formatAngle(beam->major) +
                              " and BMIN " + formatAngle(beam->minor));
    if (!beamOfCards(cards)) setBeamCards(cards, BeamEllipse{fwhm, fwhm, 0.0});
}

void convertUnits(HealpixMap& map, const std::string& unit, std::optional<double> frequency,
                  const Context& context) {
    std::string left, reason;
    int converted = 0;
    for (int i = 0; i < map.fieldCount(); ++i) {
        Field& field = map.field(i);
        auto ratio = unitRatio(field.unit, unit);
        try {
            if (namesNoUnit(field.unit) && isComptonY(unit)) {
                ratio = 1.0;
                if (context.note)
                    context.note(field.name + ": no unit, taken as the Compton parameter y");
            }
            if (!ratio) ratio = brightnessRatio(field.unit, unit, frequency, map);
        } catch (const InvalidArgument& error) {
            if (reason.empty()) reason = error.message();
        }
        if (!ratio) {
            left += (left.empty() ? "" : ", ") + field.name + " in '" + field.unit + "'";
            continue;
        }
        scaleValues(field.values, *ratio);
        if (*ratio != 1.0 && field.diskType != DiskType::Float64)
            field.diskType = field.isSingle() ? DiskType::Float32 : DiskType::Float64;
        field.unit = unit;
        ++converted;
    }
    if (converted == 0 && !reason.empty()) throw InvalidArgument(reason);
    if (converted == 0)
        throw InvalidArgument("expected fields in a unit that converts to '" + unit + "', found " +
                              left);
    if (!left.empty() && context.note)
        context.note("unchanged: " + left + ", which do not convert to '" + unit + "'" +
                     (reason.empty() ? "" : " (" + reason + ")"));
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "point_filter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/units.h"
#include "operations/map_values.h"
#include "ops/resample.h"
#include "ops/spectrum.h"
#include "transform_parameters.h"

namespace armilla {

namespace {

constexpr std::array<Choice<FilterType>, 3> kTypes{
    {{"matched", FilterType::Matched},
     {"mexican-hat", FilterType::MexicanHat},
     {"top-hat-difference", FilterType::TopHatDifference}}};

std::string_view typeName(FilterType type) {
    for (const auto& choice : kTypes)
        if (choice.value == type) return choice.word;
    return "";
}

// The middle of the finite values, of a few thousand of them.
double middleOf(const std::vector<double>& values) {
    std::vector<double> some;
    for (size_t i = 0; i < values.size(); i += std::max<size_t>(1, values.size() / 8192))
        if (std::isfinite(values[i])) some.push_back(values[i]);
    if (some.empty()) return 0.0;
    const auto middle = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
    std::nth_element(some.begin(), middle, some.end());
    return *middle;
}

}  // namespace

void describePointFilter(Description& d, PointFilterOptions& p) {
    d.angle("fwhm", p.fwhm,
            {.unit = "arcmin",
             .least = kArcsec,
             .most = 60.0 * kDegree,
             .sliderMost = 5.0 * kDegree,
             .label = "FWHM"},
            "width of a Gaussian beam");
    d.choice("type", p.type, kTypes, {}, "of the filter");
    d.integer("order", p.order,
              {.unit = "none",
               .least = 1,
               .most = kMaxMexicanHatOrder,
               .applies = [&p] { return p.type == FilterType::MexicanHat; }},
              "of the Mexican hat");
    d.number("scale", p.scale,
             {.unit = "none",
              .least = kMinFilterScale,
              .most = kMaxFilterScale,
              .sliderMost = 4.0,
              .standard = "that of least noise",
              .applies = [&p] { return p.type != FilterType::Matched; }},
             "of Mexican hat and top hats, in the beam's sigma (FWHM / 2.355)");
    d.flag("pixel-window", p.pixelWindow, {.advanced = true},
           "the sky was averaged over pixels: their window is part of the beam");
    d.integer("lmax", p.lmax,
              {.unit = "none",
               .least = 2,
               .most = kMostLmax,
               .advanced = true,
               .standard = "where the beam has faded, at most 3 nside - 1"},
              "largest l");
    d.number("edge", p.edge, {.unit = "none", .least = 0.0, .most = 1.0, .advanced = true},
             "least share of the filter's response on good sky: bad where it is less");
}

Problems checkPointFilter(const PointFilterOptions& options, const GivenSlots& given) {
    Problems problems;
    const int beams = (options.fwhm ? 1 : 0) + (given.contains("beam") ? 1 : 0);
    if (beams != 1)
        problems.push_back({"", "expected one of --fwhm ANGLE, --beam FILE, found " +
                                    std::string(beams == 0 ? "none" : "both")});
    return problems;
}

std::vector<InputSlot> pointFilterInputs() {
    const auto first = [](const ParameterSet&) { return Columns{Columns::Choice::Named, {"1"}}; };
    return {{.name = "MAP", .kind = DataKind::Map, .help = "the map"},
            {.name = "beam",
             .kind = DataKind::Beam,
             .help = "B_l of the beam, FITS or text",
             .isOption = true,
             .isOptional = true},
            {.name = "background",
             .kind = DataKind::Spectra,
             .help = "C_l of the sky before the beam, or auto: from the map less its bright "
                     "sources (auto)",
             .isOption = true,
             .isOptional = true,
             .literals = "auto"},
            {.name = "noise",
             .kind = DataKind::Map,
             .help = "rms of a pixel in the map's unit, a number or a map of it",
             .isOption = true,
             .isOptional = true,
             .takesNumber = true,
             .columns = first},
            {.name = "mask",
             .kind = DataKind::Map,
             .help = "good where above one half",
             .isOption = true,
             .isOptional = true,
             .columns = first}};
}

std::shared_ptr<const HealpixMap> mapToFilter(Context& context, Inputs& inputs) {
    Input& input = inputs["MAP"];
    HealpixMap map = input.takeMap();
    if (map.coverage() == Coverage::MultiOrder) {
        map = naming(input.name, [&] { return flattened(map, 0, context.job); });
        context.note(input.name + ": cells of several orders, filtered at nside " +
                     std::to_string(map.nside()));
    }
    if (context.precision == StoredPrecision::Double)
        for (const int field : input.fields) widen(map.field(field));
    return std::make_shared<const HealpixMap>(std::move(map));
}

FilterParameters filterParameters(const Context& context, const Inputs& inputs,
                                  const PointFilterOptions& options, const HealpixMap& map) {
    FilterParameters p;
    p.shape = {options.type, options.order, options.scale.value_or(0.0)};
    p.lmax = static_cast<int>(options.lmax.value_or(-1));
    p.leastShare = options.edge;
    std::vector<double> bl;
    if (inputs.has("beam"))
        bl = inputs["beam"].beam().bl[0];
    else if (options.fwhm)
        bl = PointBeam::gaussian(*options.fwhm).bl;
    std::vector<double> window;
    if (options.pixelWindow) {
        JobContext silent(context.job.stopToken(), {}, context.job.threads());
        const auto most = static_cast<int64_t>(bl.size()) - 1;
        window = pixelWindow(map.nside(), static_cast<int>(std::min(most, 4 * map.nside())), silent)
                     .bl[0];
    }
    p.beam = PointBeam::fromWindow(bl, window);
    if (const Input* background = inputs.find("background");
        background != nullptr && background->literal.empty())
        p.background = background->spectra()[SpectrumKind::TT];
    if (const Input* noise = inputs.find("noise"); noise != nullptr) {
        if (!noise->literal.empty()) {
            Parameter number;
            number.kind = ParameterKind::Number;
            p.noise =
                std::get<double>(naming("noise", [&] { return number.parse(noise->literal); }));
        } else {
            p.noiseMap = std::make_shared<const HealpixMap>(noise->map());
        }
    }
    if (const Input* mask = inputs.find("mask"); mask != nullptr)
        p.mask = std::make_shared<const HealpixMap>(mask->map());
    return p;
}

std::string tellFilter(Context& context, const FilteredSky& sky, const FilterParameters& parameters,
                       const std::string& unit) {
    Json& figures = context.figures;
    const double noise = middleOf(sky.rms);
    figures.set("nside", sky.nside);
    figures.set("type", typeName(sky.filter.type));
    figures.set("lmax", sky.filter.lmax());
    figures.set("fwhm_arcmin", parameters.beam.fwhm() / kArcmin);
    figures.set("beam_sr", parameters.beam.solidAngle);
    if (sky.filter.type == FilterType::MexicanHat) figures.set("order", sky.filter.order);
    if (sky.filter.type != FilterType::Matched) figures.set("scale", sky.filter.scale);
    figures.set("expected_noise", sky.filter.noise);
    figures.set("median_noise", noise);
    figures.set("bright_sources", static_cast<int64_t>(sky.bright.size()));
    figures.set("refused_pixels", sky.refused);
    std::string text = std::string(typeName(sky.filter.type));
    std::array<char, 64> number{};
    if (sky.filter.type == FilterType::MexicanHat)
        text += " of order " + std::to_string(sky.filter.order);
    if (sky.filter.type != FilterType::Matched) {
        std::snprintf(number.data(), number.size(), ", scale %.3g", sky.filter.scale);
        text += number.data();
    }
    std::snprintf(number.data(), number.size(), ", noise %.4g", noise);
    text += number.data();
    if (!unit.empty()) text += " " + unit;
    return text;
}

}  // namespace armilla

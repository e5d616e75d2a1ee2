// SPDX-License-Identifier: GPL-3.0-or-later
#include "point_filter.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "armilla/core/nan.h"
#include "armilla/core/order_statistics.h"
#include "armilla/core/physical_unit.h"
#include "armilla/core/units.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/combine_maps.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/sources.h"
#include "armilla/ops/spectrum.h"
#include "ring_image.h"
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

}  // namespace

void describeBeamWidth(Description& d, std::optional<double>& fwhm, double least) {
    d.angle("fwhm", fwhm,
            {.unit = "arcmin",
             .least = least,
             .most = kMostFwhm,
             .sliderMost = 5.0 * kDegree,
             .label = "FWHM"},
            "FWHM of the Gaussian beam");
}

void describePointFilter(Description& d, PointFilterOptions& p) {
    describeBeamWidth(d, p.fwhm, kLeastPlaneFwhm);
    d.choice("type", p.type, kTypes, {}, "kind of filter");
    d.integer("order", p.order,
              {.unit = "none",
               .least = 1,
               .most = kMaxMexicanHatOrder,
               .applies = [&p] { return p.type == FilterType::MexicanHat; }},
              "order of the Mexican hat");
    d.number("scale", p.scale,
             {.unit = "none",
              .least = kMinFilterScale,
              .most = kMaxFilterScale,
              .sliderMost = 4.0,
              .standard = "scale of least noise",
              .applies = [&p] { return p.type != FilterType::Matched; }},
             "scale of Mexican hat and top hats, in sigmas of the beam (FWHM / 2.355)");
    d.flag("pixel-window", p.pixelWindow, {.advanced = true},
           "include the pixel window in the beam, for a sky averaged over pixels");
    d.integer("lmax", p.lmax,
              {.unit = "none",
               .least = 2,
               .most = kMostLmax,
               .advanced = true,
               .standard = "end of the beam, at most 3 nside - 1"},
              "largest multipole l");
    d.number("edge", p.edge, {.unit = "none", .least = 0.0, .most = 1.0, .advanced = true},
             "least share of the filter response on good pixels; results below it are bad");
    d.text("frequency", p.frequency, {.placeholder = "FREQUENCY"},
           "frequency of the map, for flux densities, such as 28.4GHz");
    d.angles(
        "fwhm2", p.fwhm2,
        {.unit = "arcmin", .least = kLeastPlaneFwhm, .most = kMostFwhm, .label = "Further FWHM"},
        "FWHM of the Gaussian beam of each --map2");
    d.words("frequency2", p.frequency2,
            {.label = "Further frequency", .placeholder = "FREQUENCY[,FREQUENCY...]"},
            "frequency of each --map2");
    d.number("index", p.index,
             {.unit = "none", .least = -20.0, .most = 20.0, .label = "Spectral index"},
             "spectral index of the sources in several maps: flux density proportional to "
             "frequency^index");
    d.numbers("response2", p.response2, {.unit = "none", .label = "Further response"},
              "peak in each --map2, in its unit, of a source of peak 1 in MAP; instead of --index");
}

namespace {

void checkSeveral(const PointFilterOptions& o, const GivenSlots& given, Problems& problems) {
    const auto add = [&](const char* name, const char* message) {
        problems.push_back({name, message});
    };
    if (!given.contains("map2")) {
        const char* lonely = !o.fwhm2.empty()          ? "fwhm2"
                             : given.contains("beam2") ? "beam2"
                             : !o.frequency2.empty()   ? "frequency2"
                             : o.index                 ? "index"
                             : !o.response2.empty()    ? "response2"
                                                       : nullptr;
        if (lonely != nullptr) add(lonely, "expected --map2 MAP as well, found none");
        return;
    }
    if (o.fwhm2.empty() == !given.contains("beam2"))
        add("map2", "expected one of --fwhm2 ANGLE and --beam2 FILE as well, found none or both");
    if (o.index.has_value() == !o.response2.empty())
        add("map2",
            "expected one of --index N (with frequencies) and --response2 N as well, found none or "
            "both");
    if (o.index && (o.frequency.empty() || o.frequency2.empty()))
        add("index", "expected --frequency and --frequency2 as well, found none");
    for (const char* name : {"background", "noise"})
        if (given.contains(name))
            add(name,
                "expected no --map2, because the spectrum of several maps is measured, found one");
}

}  // namespace

void checkOneBeam(bool hasFwhm, const GivenSlots& given, Problems& problems) {
    const bool hasFile = given.contains("beam");
    if (hasFwhm == hasFile)
        problems.push_back({"", "expected one of --fwhm ANGLE, --beam FILE, found " +
                                    std::string(hasFwhm ? "both" : "none")});
}

Problems checkPointFilter(const PointFilterOptions& options, const GivenSlots& given) {
    Problems problems;
    checkOneBeam(options.fwhm.has_value(), given, problems);
    const auto unfit = [&](const std::string& text) {
        return "expected a frequency with its unit (Hz, kHz, MHz, GHz, THz), found '" + text + "'";
    };
    if (!options.frequency.empty() && !frequencyOf(options.frequency))
        problems.push_back({"frequency", unfit(options.frequency)});
    for (const std::string& text : options.frequency2)
        if (!frequencyOf(text)) problems.push_back({"frequency2", unfit(text)});
    checkSeveral(options, given, problems);
    return problems;
}

std::optional<double> frequencyOf(const std::string& text) {
    double value = 0.0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc()) return std::nullopt;
    const double hertz =
        value *
        unitRatio(std::string_view(stop, static_cast<size_t>(end - stop)), "Hz").value_or(0.0);
    if (!(hertz > 1e3 && hertz < 1e18)) return std::nullopt;
    return hertz;
}

void noteKelvins(const Context& context, const std::string& name, const std::string& unit,
                 std::optional<double> frequency) {
    const std::string remark = frequency ? remarkOnKelvins(unit, *frequency) : std::string();
    if (!remark.empty() && context.note) context.note(name + ": " + remark);
}

std::vector<InputSlot> pointFilterInputs() {
    const auto first = [](const ParameterSet&) { return Columns{Columns::Choice::Named, {"1"}}; };
    return {{.name = "MAP",
             .kind = DataKind::Map,
             .help = "input map, or FITS image of the sky",
             .orImage = true},
            {.name = "beam",
             .kind = DataKind::Beam,
             .help = "file of B_l of the beam, FITS or text",
             .isOption = true,
             .isOptional = true},
            {.name = "background",
             .kind = DataKind::Spectra,
             .help = "file of C_l of the sky before the beam, or auto: measured from the map "
                     "without bright sources (default auto)",
             .isOption = true,
             .isOptional = true,
             .literals = "auto"},
            {.name = "noise",
             .kind = DataKind::Map,
             .help = "noise rms of a pixel in the unit of the map: a number or a map; default: "
                     "measured from the map",
             .isOption = true,
             .isOptional = true,
             .takesNumber = true,
             .orImage = true,
             .frame = FrameRule::Turned,
             .columns = first},
            {.name = "mask",
             .kind = DataKind::Map,
             .help = "mask: pixels above 0.5 are good; for an image also an image of its pixels",
             .isOption = true,
             .isOptional = true,
             .orImage = true,
             .frame = FrameRule::Turned,
             .columns = first},
            {.name = "map2",
             .kind = DataKind::Map,
             .help = "further map of the same sky at another frequency, filtered together with "
                     "MAP; for an image an image of its pixels",
             .panelLabel = "Further map",
             .isOption = true,
             .isOptional = true,
             .isRepeatable = true,
             .orImage = true,
             .frame = FrameRule::Compared,
             .columns = first},
            {.name = "beam2",
             .kind = DataKind::Beam,
             .help = "file of B_l of the beam of each --map2",
             .panelLabel = "Further beam",
             .isOption = true,
             .isOptional = true,
             .isRepeatable = true}};
}

PointBeam beamOfOption(double fwhm, double enlargement, std::string_view option) {
    const std::string which = "--" + std::string(option) + ": ";
    if (!(fwhm * enlargement >= kLeastFwhm))
        throw UsageError(
            which + "expected " + formatAngle(kLeastFwhm) +
            " or more for a map, an image on rings or beside the beam of a file, found " +
            formatAngle(fwhm));
    if (!(fwhm * enlargement <= kMostFwhm))
        throw UsageError(which + "expected at most " + formatAngle(kMostFwhm / enlargement) +
                         " on tangent planes, 3600 times the narrowest beam, found " +
                         formatAngle(fwhm));
    return PointBeam::onPlane(fwhm, enlargement);
}

PointBeam beamOfMap(const std::vector<double>& bl, const HealpixMap& map, bool withPixel,
                    const JobContext& job) {
    std::vector<double> window;
    if (withPixel) {
        JobContext silent(job.stopToken(), {}, job.threads());
        const auto most = static_cast<int64_t>(bl.size()) - 1;
        window = pixelWindow(map.nside(), static_cast<int>(std::min(most, 4 * map.nside())), silent)
                     .bl[0];
    }
    return PointBeam::fromWindow(bl, window);
}

namespace {

std::shared_ptr<const HealpixMap> mapOf(const Input& input) {
    input.map();  // throws for other kinds
    return std::get<std::shared_ptr<const HealpixMap>>(input.data);
}

std::shared_ptr<const HealpixMap> combined(Context& context, Inputs& inputs,
                                           const PointFilterOptions& o,
                                           const std::vector<const Input*>& others) {
    const Input& first = inputs["MAP"];
    for (const Input* other : others)
        if (isImage(*other))
            throw UsageError("--map2: expected HEALPix maps, as MAP is, found " + other->name +
                             ", which is an image (armilla convert --nside makes a map of it)");
    std::vector<const Input*> all{&first};
    all.insert(all.end(), others.begin(), others.end());
    std::vector<ObservedMap> observed;
    for (const Input* input : all) {
        const HealpixMap& map = input->map();
        observed.push_back({input->name, map.field(input->fields.front()).unit,
                            4.0 * kPi / static_cast<double>(map.pixelCount())});
    }
    const std::vector<PointSignal> signals =
        pointSignals(context, inputs, o, observed, [&](const Input* file, double fwhm, size_t i) {
            const auto of = [&](const std::vector<double>& bl) {
                return beamOfMap(bl, all[i]->map(), o.pixelWindow, context.job);
            };
            if (file != nullptr) return naming(file->name, [&] { return of(file->beam().bl[0]); });
            return of(beamOfOption(fwhm, 1.0, i == 0 ? "fwhm" : "fwhm2").bl);
        });
    std::vector<MapToCombine> maps;
    for (size_t i = 0; i < all.size(); ++i)
        maps.push_back(
            {mapOf(*all[i]), all[i]->fields.front(), signals[i].beam, signals[i].response});
    CombinationParameters parameters;
    parameters.lmax = static_cast<int>(o.lmax.value_or(-1));
    if (const Input* mask = inputs.find("mask")) parameters.mask = mapOf(*mask);
    JobContext working = context.job.part(0.0, kShareOfCombination);
    const CombinedMap result =
        naming(first.name, [&] { return combinedMaps(maps, parameters, context.device, working); });
    tellCombination(context, maps.size(), result.noiseAlone, result.noiseTogether, result.remark);
    return result.map;
}

}  // namespace

std::shared_ptr<const HealpixMap> mapToFilter(Context& context, Inputs& inputs,
                                              const PointFilterOptions& options) {
    Input& input = inputs["MAP"];
    if (const auto others = inputs.several("map2"); !others.empty()) {
        std::shared_ptr<const HealpixMap> map = combined(context, inputs, options, others);
        input.fields = {0};
        return map;
    }
    if (input.fields.empty()) input.fields = {0};
    // The map itself, not a copy, so that a kept plan recognizes it.
    auto held = mapOf(input);
    const bool isFine = context.precision != StoredPrecision::Double ||
                        std::none_of(input.fields.begin(), input.fields.end(),
                                     [&](int field) { return held->field(field).isSingle(); });
    if (held->coverage() != Coverage::MultiOrder && isFine) return held;
    held.reset();  // released, so that the map is moved instead of copied
    HealpixMap map = atOneOrder(input.takeMap(), input.name, "filtered", context.note, context.job);
    if (context.precision == StoredPrecision::Double)
        for (const int field : input.fields) widen(map.field(field), context.job);
    return std::make_shared<const HealpixMap>(std::move(map));
}

namespace {

// B_l of the beam of MAP.
std::vector<double> windowOf(const Inputs& inputs, const PointFilterOptions& options) {
    if (inputs.has("beam")) return inputs["beam"].beam().bl[0];
    return options.fwhm ? beamOfOption(*options.fwhm, 1.0, "fwhm").bl : std::vector<double>();
}

// Parameters of maps and images alike: all but beam, mask and noise map.
FilterParameters commonParameters(const Inputs& inputs, const PointFilterOptions& options) {
    FilterParameters p;
    p.shape = {options.type, options.order, options.scale.value_or(0.0)};
    p.lmax = static_cast<int>(options.lmax.value_or(-1));
    p.leastShare = options.edge;
    if (const Input* background = inputs.find("background");
        background != nullptr && background->literal.empty())
        p.background = background->spectra()[SpectrumKind::TT];
    if (const Input* noise = inputs.find("noise"); noise != nullptr && !noise->literal.empty()) {
        Parameter number;
        number.kind = ParameterKind::Number;
        p.noise = std::get<double>(naming("noise", [&] { return number.parse(noise->literal); }));
    }
    return p;
}

}  // namespace

FilterParameters filterParameters(const Context& context, const Inputs& inputs,
                                  const PointFilterOptions& options, const HealpixMap& map) {
    FilterParameters p = commonParameters(inputs, options);
    if (inputs.has("beam"))
        noteBeamEnd(context, inputs["beam"],
                    static_cast<int>(options.lmax.value_or(3 * map.nside() - 1)));
    const Input* file = inputs.find("beam");
    p.beam = naming(file != nullptr ? file->name : std::string(), [&] {
        return beamOfMap(windowOf(inputs, options), map, options.pixelWindow, context.job);
    });
    if (const Input* noise = inputs.find("noise"); noise != nullptr && noise->literal.empty())
        p.noiseMap = mapOf(*noise);
    if (const Input* mask = inputs.find("mask"); mask != nullptr) p.mask = mapOf(*mask);
    return p;
}

double planeEnlargement(const Inputs& inputs, const PointFilterOptions& options) {
    if (!options.fwhm || inputs.has("beam2")) return 1.0;
    double narrowest = *options.fwhm;
    for (const double fwhm : options.fwhm2) narrowest = std::min(narrowest, fwhm);
    return PointBeam::enlargementOnPlane(narrowest);
}

PointBeam beamOfFile(const Input& file) {
    return naming(file.name, [&] { return PointBeam::fromWindow(file.beam().bl[0], {}); });
}

FilterParameters imageFilterParameters(const Inputs& inputs, const PointFilterOptions& options,
                                       double enlargement) {
    FilterParameters p = commonParameters(inputs, options);
    p.beam = options.fwhm ? beamOfOption(*options.fwhm, enlargement, "fwhm")
                          : beamOfFile(inputs["beam"]);
    return p;
}

std::string tellFilter(Context& context, const FilteredSky& sky, const FilterParameters& parameters,
                       const std::string& unit) {
    if (!sky.remark.empty()) context.note(sky.remark);
    Json& figures = context.figures;
    const double middle = medianOfSome(sky.rms), noise = isGood(middle) ? middle : 0.0;
    if (sky.nside > 0) figures.set("nside", sky.nside);
    figures.set("type", typeName(sky.filter.type));
    figures.set("lmax",
                static_cast<int64_t>(std::llround(sky.filter.lmax() * sky.filter.enlargement)));
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

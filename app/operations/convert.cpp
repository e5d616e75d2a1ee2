// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla convert MAP OUT`: changes ordering, resolution, frame, fields and coverage of a map.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "armilla/operations/choices.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/image_planes.h"
#include "armilla/operations/low_multipoles.h"
#include "armilla/operations/map_values.h"
#include "armilla/operations/mask_weights.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/resample_samples.h"
#include "convert_harmonic.h"
#include "image_to_map.h"
#include "map_units.h"
#include "operation_list.h"
#include "point_filter.h"
#include "transform_parameters.h"

namespace armilla {

namespace {

constexpr std::array<Choice<FrameTurn>, 2> kTurns{
    {{"bilinear", FrameTurn::Interpolated}, {"nearest", FrameTurn::Nearest}}};

constexpr std::array<Choice<Degrade>, 2> kRules{{{"mean", Degrade::Mean}, {"sum", Degrade::Sum}}};

enum class Method { Pixels, Harmonic };
constexpr std::array<Choice<Method>, 2> kMethods{
    {{"pixels", Method::Pixels}, {"harmonic", Method::Harmonic}}};

struct ConvertOptions {
    std::optional<Ordering> ordering;
    std::optional<int64_t> nside;
    std::optional<Frame> frame;
    FrameTurn interpolation = FrameTurn::Interpolated;
    Method method = Method::Pixels;
    std::optional<int64_t> lmax;
    int iterations = 0;
    Weights weights = Weights::None;
    std::vector<std::string> fields;
    bool sparse = false;
    std::optional<Degrade> degrade;
    bool pessimistic = false;
    Remove remove = Remove::None;
    std::string unit, frequency;
    std::optional<double> mapBeam;
};

void describe(Description& d, ConvertOptions& p) {
    d.choice("ordering", p.ordering, kOrderingChoices, {},
             "pixel ordering of the output; default: ordering of the input");
    d.integer(
        "nside", p.nside,
        {.unit = "none", .least = 1.0, .most = static_cast<double>(kMaxNside), .label = "NSIDE"},
        "resolution of the output map; --degrade combines the values; required to convert an image "
        "to a map");
    d.choice("degrade", p.degrade, kRules, {},
             "value of a larger pixel: mean or sum of its children (default by unit: sum for "
             "counts and probabilities per pixel, mean otherwise)");
    d.flag("pessimistic", p.pessimistic, {}, "mark a larger pixel bad if any child is bad");
    d.frame("frame", p.frame, {}, "rotate the map and its polarization to this frame");
    d.choice("interpolation", p.interpolation, kTurns, {},
             "interpolation between pixels for --frame, or between those of an image; nearest "
             "keeps the values of masks");
    const auto isHarmonic = [&p] { return p.method == Method::Harmonic; };
    d.choice("method", p.method, kMethods, {},
             "method of --frame and --nside: between pixels, or with the coefficients a_lm and the "
             "pixel windows of both nsides");
    d.integer("lmax", p.lmax,
              {.unit = "none",
               .least = 0,
               .most = kMostLmax,
               .standard = "3 nside - 1 of the coarser map",
               .applies = isHarmonic},
              "largest l of --method harmonic");
    d.integer("iterations", p.iterations,
              {.unit = "none",
               .least = 0,
               .most = kMaxShtIterations,
               .sliderMost = 10,
               .applies = isHarmonic},
              "Jacobi iterations of --method harmonic after the first pass of the analysis");
    d.choice("weights", p.weights, kWeightsChoices, {.applies = isHarmonic},
             "quadrature weights of --method harmonic");
    d.choice("remove", p.remove, kRemoveChoices, {},
             "subtract the monopole, or monopole and dipole, fitted to the good pixels of each "
             "scalar field");
    d.text("unit", p.unit, {.placeholder = "UNIT"},
           "convert fields to this unit (mK, K_CMB, K_RJ, MJy/sr, Jy/beam, y of Compton, ...); for "
           "plain kelvins, state the scale");
    d.text("frequency", p.frequency,
           {.placeholder = "FREQUENCY", .applies = [&p] { return !p.unit.empty(); }},
           "frequency of the map, such as 143GHz, to convert between temperature, intensity and y "
           "with --unit");
    d.angle("map-beam", p.mapBeam,
            {.unit = "arcmin",
             .least = 0.0,
             .most = kPi,
             .aboveLeast = true,
             .applies = [&p] { return !p.unit.empty(); }},
            "FWHM of the round beam of a map in a unit per beam without BMAJ and BMIN, to convert "
            "with --unit");
    d.words("fields", p.fields, {.standard = "all"},
            "fields of a map, or planes of an image, to keep, in this order");
    d.flag("sparse", p.sparse, {}, "write a partial map of the pixels with a value");
}

// Whether a field holds two values at most, as masks do.
bool looksLikeMask(const Field& field) {
    std::array<double, 2> seen{};
    size_t count = 0;
    for (int64_t i = 0; i < field.size(); ++i) {
        const double value = field.at(i);
        if (!std::isfinite(value) ||
            std::find(seen.begin(), seen.begin() + count, value) != seen.begin() + count)
            continue;
        if (count == seen.size()) return false;
        seen[count++] = value;
    }
    return count == seen.size();
}

// Notes options that have no effect on this map.
void noteIdle(const HealpixMap& map, const ConvertOptions& options, const Context& context) {
    if (!context.note) return;
    const bool joins =
        map.coverage() == Coverage::MultiOrder || (options.nside && *options.nside != map.nside());
    if (!joins && (options.degrade || options.pessimistic))
        context.note(std::string(options.degrade ? "--degrade" : "--pessimistic") +
                     " has no effect at the nside of the map; set another with --nside");
    if (!options.frame && options.interpolation == FrameTurn::Nearest)
        context.note("--interpolation has no effect without --frame");
}

// Requires RING ordering for an nside that is not a power of two.
void requireRing(const HealpixMap& map, Ordering ordering, int64_t nside) {
    const std::string found = "--nside " + std::to_string(nside);
    if (map.coverage() == Coverage::MultiOrder)
        throw InvalidArgument("expected a power of two for cells of several orders, found " +
                              found);
    if (ordering == Ordering::Nested)
        throw InvalidArgument(
            "expected --ordering ring, or a power of two as NESTED requires, found " + found);
}

void noteMasks(const HealpixMap& map, const Context& context, const char* how) {
    if (!context.note) return;
    for (const Field& field : map.fields())
        if (looksLikeMask(field)) context.note(field.name + how);
}

// Frame and nside between pixels.
HealpixMap pixelMap(HealpixMap map, const ConvertOptions& options, Ordering ordering,
                    bool keepsPixels, Context& context) {
    JobContext& job = context.job;
    const UdgradeOptions rules{options.degrade, options.pessimistic};
    if (map.coverage() == Coverage::MultiOrder && !(options.sparse && keepsPixels)) {
        if (!options.nside && map.nside() > kMaxFlattenNside)
            throw InvalidArgument(
                "expected --nside, or --sparse alone to keep the cells, for a map of order " +
                std::to_string(orderOf(map.nside())) + ", found neither");
        map = flattened(map, options.nside.value_or(0), rules, job);
    }
    // The frame comes first: interpolation at the original resolution loses least.
    if (options.frame && *options.frame != map.frame()) {
        requireWholePolarization(map);
        if (options.interpolation == FrameTurn::Interpolated)
            noteMasks(map, context,
                      ": interpolation makes values between its two at their borders; "
                      "--interpolation nearest keeps them");
        map = rotatedFrame(map, *options.frame, options.interpolation, job);
    }
    // Pixels of any nside are in RING ordering only.
    if (options.nside && !isPowerOfTwoNside(*options.nside) && ordering != map.ordering())
        map = reordered(std::move(map), ordering, job);
    if (options.nside && *options.nside != map.nside())
        map = udgraded(map, *options.nside, rules, job);
    return map;
}

// Frame and nside by way of the coefficients.
HealpixMap harmonicMap(const std::string& name, HealpixMap map, const ConvertOptions& options,
                       Context& context) {
    if (options.frame && *options.frame != map.frame() && map.frame() == Frame::Unknown)
        throw InvalidArgument(
            "expected a map that names its frame, to turn it into that of --frame, found none "
            "(--input-frame G|E|C states it)");
    noteMasks(map, context,
              ": harmonics make values around its two at their borders; --method pixels "
              "--interpolation nearest keeps them");
    const HarmonicConversion conversion{options.nside.value_or(nsideOf(map)),
                                        options.frame.value_or(map.frame()),
                                        options.degrade,
                                        options.lmax,
                                        options.iterations,
                                        options.weights};
    return convertedByHarmonics(context, name, std::move(map), conversion);
}

// The map in an ordering, with all pixels or those with a value.
HealpixMap laidOut(HealpixMap map, Ordering ordering, bool sparse, JobContext& job) {
    if (ordering != map.ordering()) map = reordered(std::move(map), ordering, job);
    if (!sparse && map.coverage() == Coverage::Partial) {
        try {
            map = toFull(map, job);
        } catch (const OutOfMemory&) {
            throw InvalidArgument(
                "expected --sparse, to keep a partial map, or --nside, for part of the sky at "
                "nside " +
                std::to_string(map.nside()) +
                ", whose full sky does not fit in memory, found neither");
        }
    }
    if (sparse && map.coverage() == Coverage::Full) map = toPartial(map, job);
    if (map.elementCount() == 0)
        throw InvalidArgument("expected pixels with a value to write, found no good pixel");
    return map;
}

// Notes fields whose values are summed by default.
void noteSums(const HealpixMap& map, const ConvertOptions& options, const Context& context) {
    if (!options.nside || *options.nside == map.nside() || options.degrade) return;
    std::string names;
    for (const Field& field : map.fields())
        if (degradeRule(field) == Degrade::Sum) names += (names.empty() ? "" : ", ") + field.name;
    if (!names.empty() && context.note)
        context.note(names + ": values of joined pixels are summed; --degrade mean averages them");
}

// Whether the pixels of the input are only read once, so that they need no copy.
bool readsInPlace(const ParameterSet& parameters, const GivenSlots&) {
    const auto& options = parameters.as<ConvertOptions>();
    return options.method == Method::Pixels && !options.frame && options.remove == Remove::None;
}

// The conversion of a map whose samples stay where they are.
HealpixMap convertedInPlace(const Input& input, const ConvertOptions& options, Context& context) {
    const HealpixMap& given = input.view->outline;
    std::vector<Field> fields;
    RingMapView map;
    for (const int field : input.fields) {
        fields.push_back(given.field(field));
        map.samples.push_back(input.view->samples.at(static_cast<size_t>(field)));
    }
    HealpixMap outline =
        HealpixMap::partial(given.nside(), given.ordering(), given.frame(), {}, std::move(fields));
    outline.metadata() = given.metadata();
    map.outline = &outline;
    noteIdle(outline, options, context);
    noteSums(outline, options, context);
    const Ordering ordering = options.ordering.value_or(outline.ordering());
    const int64_t nside = options.nside.value_or(outline.nside());
    if (options.nside && !isPowerOfTwoNside(nside)) requireRing(outline, ordering, nside);
    HealpixMap made =
        nside == outline.nside()
            ? reordered(map, ordering, context.job)
            : udgraded(map, nside, {options.degrade, options.pessimistic}, context.job);
    return laidOut(std::move(made), ordering, options.sparse, context.job);
}

HealpixMap converted(const std::string& name, HealpixMap map, const ConvertOptions& options,
                     const std::vector<std::string>& kept, Context& context) {
    JobContext& job = context.job;
    noteIdle(map, options, context);
    noteSums(map, options, context);
    if (options.frame && *options.frame != map.frame()) {
        std::vector<int> turned;
        for (int field = 0; field < map.fieldCount(); ++field)
            if (kept.empty() || std::any_of(kept.begin(), kept.end(), [&](const auto& each) {
                    return map.fieldIndex(each) == field;
                }))
                turned.push_back(field);
        requireNoComponents(map, turned);
    }
    const Ordering ordering = options.ordering.value_or(map.ordering());
    if (options.nside && !isPowerOfTwoNside(*options.nside))
        requireRing(map, ordering, *options.nside);
    const bool keepsPixels = !options.ordering && !options.nside && !options.frame;
    if (options.method == Method::Harmonic)
        map = harmonicMap(name, std::move(map), options, context);
    else
        map = pixelMap(std::move(map), options, ordering, keepsPixels, context);
    if (options.frame && !kept.empty()) {
        std::vector<int> indices;
        for (const std::string& field : kept) indices.push_back(map.fieldIndex(field));
        map = withFields(map, indices);
    }
    return laidOut(std::move(map), ordering, options.sparse, job);
}

// Subtracts the fitted monopole and dipole before anything else changes the pixels.
HealpixMap lessFitted(HealpixMap map, const Inputs& inputs, Remove how, Context& context) {
    map = atOneOrder(std::move(map), inputs["MAP"].name, "fitted", context.note, context.job);
    UnsetVector<double> weights;
    if (inputs.has("mask")) {
        const Input& mask = inputs["mask"];
        compareFrames({inputs["MAP"].name, map.frame()}, {mask.name, mask.map().frame()},
                      context.note);
        weights = naming(mask.name, [&] {
            return maskWeights(mask.map(), map.nside(), map.frame(), context.job);
        });
    }
    context.figures.set("removed", removeFitted(map, how, weights, context.job));
    return map;
}

Problems check(const ConvertOptions& options, const GivenSlots& given) {
    Problems problems;
    if (given.contains("mask") && options.remove == Remove::None)
        problems.push_back({"mask", "expected --remove monopole or dipole beside it, found none"});
    const bool isHarmonic = options.method == Method::Harmonic;
    if (isHarmonic && !options.frame && !options.nside)
        problems.push_back(
            {"method", "expected --frame or --nside beside --method harmonic, found neither"});
    if (isHarmonic && (options.pessimistic || options.interpolation == FrameTurn::Nearest))
        problems.push_back({"method",
                            "expected --method pixels beside --pessimistic and --interpolation "
                            "nearest, found harmonic"});
    if (!isHarmonic && (options.lmax || options.iterations > 0 || options.weights != Weights::None))
        problems.push_back({"method",
                            "expected --method harmonic beside --lmax, --iterations and --weights, "
                            "found pixels"});
    if (!options.unit.empty() && !isConvertibleUnit(options.unit))
        problems.push_back(
            {"unit", "expected a unit such as uK_CMB, found '" + options.unit + "'"});
    if (!options.frequency.empty() && !frequencyOf(options.frequency))
        problems.push_back(
            {"frequency", "expected a frequency with its unit (Hz, kHz, MHz, GHz, THz), found '" +
                              options.frequency + "'"});
    if (!options.frequency.empty() && options.unit.empty())
        problems.push_back({"frequency", "expected --unit UNIT as well, found none"});
    if (options.mapBeam && options.unit.empty())
        problems.push_back({"map-beam", "expected --unit UNIT as well, found none"});
    return problems;
}

// An image on the pixels of --nside and --frame.
HealpixMap mapOf(const Image& image, const ConvertOptions& options,
                 const std::vector<std::string>& planes, Context& context, JobContext& job) {
    if (!options.nside)
        throw InvalidArgument("expected --nside N, to put an image on HEALPix pixels, found none");
    if (options.method == Method::Harmonic)
        throw InvalidArgument("expected --method pixels for an image, found harmonic");
    const ImagePixels wanted{*options.nside, options.frame.value_or(Frame::Unknown),
                             options.interpolation, options.degrade, options.pessimistic};
    if (planes.empty()) return mapOfImage(image, wanted, context, job);
    return mapOfImage(withPlanes(image, planesNamed(image, planes)), wanted, context, job);
}

Outputs run(Context& context, Inputs& inputs, const ConvertOptions& options) {
    Input& input = inputs["MAP"];
    std::vector<std::string> kept = options.fields;
    if (kept.empty() && !input.field.empty() && input.field != "all")
        kept = splitAtCommas(input.field);
    const bool isImage = std::holds_alternative<std::shared_ptr<const Image>>(input.data);
    HealpixMap map = naming(input.name, [&] {
        if (input.view) return convertedInPlace(input, options, context);
        JobContext placing = context.job.part(0.0, 0.9);
        HealpixMap from =
            isImage ? mapOf(input.image(), options, kept, context, placing) : input.takeMap();
        if (options.remove != Remove::None)
            from = lessFitted(std::move(from), inputs, options.remove, context);
        if (isImage && options.sparse) from = toPartial(from, context.job);
        if (isImage)
            return laidOut(std::move(from), options.ordering.value_or(Ordering::Ring),
                           options.sparse, context.job);
        return converted(input.name, std::move(from), options, kept, context);
    });
    Json& figures = context.figures;
    figures.set("nside", map.nside());
    figures.set("ordering",
                map.coverage() == Coverage::MultiOrder ? "NUNIQ" : orderingName(map.ordering()));
    const char frame = frameLetter(map.frame());
    figures.set("frame", frame == 0 ? Json() : Json(std::string(1, frame)));
    figures.set("pixels", map.elementCount());
    Json fields = Json::array();
    for (const Field& field : map.fields()) fields.add(field.name);
    figures.set("fields", std::move(fields));
    if (!options.unit.empty())
        naming(input.name, [&] {
            if (options.mapBeam) stateBeam(map, *options.mapBeam);
            convertUnits(map, options.unit, frequencyOf(options.frequency), context);
        });
    const std::string summary = summaryOf(map);
    return {{"OUT", std::make_shared<const HealpixMap>(std::move(map)), summary}};
}

// A rotation needs Q and U, so all fields are read and the unwanted ones are dropped afterwards.
Columns columnsOf(const ParameterSet& parameters) {
    const auto& options = parameters.as<ConvertOptions>();
    if (options.frame) return {Columns::Choice::All, {}};
    return {Columns::Choice::Named, options.fields};
}

}  // namespace

Operation convertOperation() {
    return define<ConvertOptions>(
        {.id = "convert",
         .title = "Convert",
         .help =
             "change ordering, resolution, frame, unit or coverage of a map, or choose its fields",
         .inputs = {{.name = "MAP",
                     .kind = DataKind::Map,
                     .help = "input map, or with --nside an image of the sky",
                     .orImage = true,
                     .columns = columnsOf,
                     .readsInPlace = readsInPlace},
                    {.name = "mask",
                     .kind = DataKind::Map,
                     .help =
                         "mask of weights from 0 to 1 for the fit of --remove; default: every good "
                         "pixel counts as 1",
                     .isOption = true,
                     .isOptional = true}},
         .outputs =
             {{.name = "OUT", .kind = DataKind::Map, .help = "output map", .continues = "MAP"}},
         .keyParameters = "nside,frame"},
        {.check = check, .run = run});
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla filter MAP OUT`: the brightness of a point source at each pixel.
#include "armilla/operations/common_frame.h"
#include "armilla/operations/kept_filter.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/sources.h"
#include "image_filtering.h"
#include "operation_list.h"
#include "point_filter.h"
#include "transform_parameters.h"

namespace armilla {

namespace {

struct FilterOptions : PointFilterOptions {
    bool flux = false;
};

void describe(Description& d, FilterOptions& p) {
    describePointFilter(d, p);
    d.flag("flux", p.flux, {},
           "write flux densities in Jy, from the unit of the map, the beam and --frequency");
}

Problems check(const FilterOptions& options, const GivenSlots& given) {
    return checkPointFilter(options, given);
}

// Factor from a peak to a flux density in Jy.
double janskyOfPeak(const std::string& unit, const FilterOptions& options, const PointBeam& beam,
                    double pixelArea) {
    const std::optional<double> jansky =
        janskyOf(unit, frequencyOf(options.frequency), beam.solidAngle, pixelArea);
    if (!jansky)
        throw InvalidArgument("expected a unit of brightness" +
                              std::string(options.frequency.empty() ? " (and --frequency)" : "") +
                              " for flux densities, found '" + unit + "'");
    return *jansky;
}

// Multiplies the first field by the flux density in Jy of a source of peak 1.
void toJansky(HealpixMap& map, const FilterOptions& options, const PointBeam& beam,
              Context& context) {
    Field& field = map.field(0);
    const double jansky =
        janskyOfPeak(field.unit, options, beam, 4.0 * kPi / static_cast<double>(map.pixelCount()));
    std::visit(
        [&](auto& values) {
            using T = typename std::decay_t<decltype(values)>::value_type;
            parallelFor(context.job, static_cast<long long>(values.size()), kPixelGrain,
                        [&](long long begin, long long end) {
                            for (long long i = begin; i < end; ++i) {
                                T& value = values[static_cast<size_t>(i)];
                                value = static_cast<T>(static_cast<double>(value) * jansky);
                            }
                        });
        },
        field.values);
    field.unit = "Jy";
    context.figures.set("jansky_of_peak_1", jansky);
}

Outputs runOnImage(Context& context, const Inputs& inputs, const FilterOptions& options) {
    const Input& input = inputs["MAP"];
    const Image& image = input.image();
    FilteredImage filtered = filteredImage(context, inputs, options, context.job);
    FilteredSky& sky = filtered.sky;
    const std::string summary =
        sizeOf(image) + "; " + tellFilter(context, sky, filtered.parameters, image.unit);
    Outputs outputs;
    std::vector<double> snr(sky.filtered.size());
    for (size_t p = 0; p < snr.size(); ++p) snr[p] = sky.filtered[p] / sky.rms[p];
    std::string unit = image.unit;
    if (options.flux) {
        noteKelvins(context, input.name, unit, frequencyOf(options.frequency));
        const double jansky = naming(input.name, [&] {
            return janskyOfPeak(unit, options, filtered.parameters.beam, meanPixelArea(sky));
        });
        for (double& value : sky.filtered) value *= jansky;
        context.figures.set("jansky_of_peak_1", jansky);
        unit = "Jy";
    } else {
        for (size_t p = 0; p < snr.size(); ++p)
            sky.filtered[p] *= ofOwnPixel(sky, static_cast<int64_t>(p));
    }
    outputs.push_back(
        {"OUT", imageLike(context, image, filtered.plane, "", unit, sky.filtered), summary});
    if (context.wanted.contains("snr"))
        outputs.push_back({"snr", imageLike(context, image, filtered.plane, "SNR", "", snr),
                           sizeOf(image) + ", in units of the local noise"});
    return outputs;
}

// The map that mapToFilter() returned, with the one field to filter, as a map that a plan may use
// up.
std::shared_ptr<HealpixMap> ownMap(std::shared_ptr<const HealpixMap> map, Input& input,
                                   int& field) {
    const auto* held = std::get_if<std::shared_ptr<const HealpixMap>>(&input.data);
    const bool isInput = held != nullptr && *held == map;
    HealpixMap made;
    if (isInput) {
        map.reset();  // so that the input is moved instead of copied
        input.fields = {field};
        made = input.takeMap();
    } else {
        made = withFields(*map, {field});
    }
    field = 0;
    return std::make_shared<HealpixMap>(std::move(made));
}

Outputs run(Context& context, Inputs& inputs, const FilterOptions& options) {
    if (isImage(inputs["MAP"])) return runOnImage(context, inputs, options);
    std::shared_ptr<const HealpixMap> map = mapToFilter(context, inputs, options);
    Input& input = inputs["MAP"];
    int field = input.fields.front();
    noteScalars(context, *map, {field}, "");
    JobContext working = context.job.part(inputs.has("map2") ? kShareOfCombination : 0.0, 0.95),
               writing = context.job.part(0.95, 1.0);
    const FilterParameters parameters = filterParameters(context, inputs, options, *map);
    std::optional<FilterPlan> own;
    FilteredSky ownSky;
    KeptFilter* kept = context.keptFilter;
    if (kept == nullptr) {
        std::shared_ptr<HealpixMap> mine = ownMap(std::move(map), input, field);
        map = mine;
        own.emplace(FilterPlan::once(std::move(mine), field, context.device));
    }
    FilterPlan& plan = kept != nullptr ? kept->planFor(map, field, context.device) : *own;
    FilteredSky& sky = kept != nullptr ? kept->sky : ownSky;
    naming(input.name, [&] { plan.execute(parameters, sky, working); });
    own.reset();
    const bool isSkyNeeded = kept != nullptr || context.wanted.contains("snr");
    HealpixMap filtered = isSkyNeeded ? filteredMap(*map, field, sky, writing)
                                      : filteredMap(*map, field, std::move(sky), writing);
    if (options.flux) {
        noteKelvins(context, input.name, filtered.field(0).unit, frequencyOf(options.frequency));
        naming(input.name, [&] { toJansky(filtered, options, parameters.beam, context); });
    }
    const std::string summary =
        summaryOf(filtered) + "; " + tellFilter(context, sky, parameters, map->field(field).unit);
    Outputs outputs;
    outputs.push_back({"OUT", std::make_shared<const HealpixMap>(std::move(filtered)), summary});
    if (context.wanted.contains("snr")) {
        HealpixMap snr = significanceMap(*map, field, sky, writing);
        const std::string words = summaryOf(snr) + ", in units of the local noise";
        outputs.push_back({"snr", std::make_shared<const HealpixMap>(std::move(snr)), words});
    }
    return outputs;
}

}  // namespace

std::optional<FilterArguments> filterArguments(const ParameterSet& parameters, Inputs& inputs,
                                               const Device& device, JobContext& job) {
    const auto& options = parameters.as<FilterOptions>();
    const Input& input = inputs["MAP"];
    if (isImage(input) || inputs.has("map2") || options.flux ||
        input.map().coverage() == Coverage::MultiOrder)
        return std::nullopt;
    Context context{device, job, {}, {}, [](const std::string&) {}};
    bringToOneFrame(*findOperation("filter"), context, inputs);
    FilterArguments arguments;
    arguments.map = mapToFilter(context, inputs, options);
    arguments.field = inputs["MAP"].fields.front();
    arguments.parameters = filterParameters(context, inputs, options, *arguments.map);
    return arguments;
}

Operation filterOperation() {
    return define<FilterOptions>(
        {.id = "filter",
         .title = "Filter for sources",
         .help = "filter a map for point sources: the result is their brightness at each pixel",
         .inputs = pointFilterInputs(),
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Map,
                      .help =
                          "filtered map or image in the unit of MAP; in a map with bad pixels or a "
                          "mask, a second field holds the share of the response on good pixels",
                      .continues = "MAP"},
                     {.name = "snr",
                      .kind = DataKind::Map,
                      .help = "output map of the signal-to-noise ratio: the filtered map divided "
                              "by its local noise",
                      .isOption = true}},
         .devices = kShtSupport,
         .manual =
             "Each pixel of the result is the peak brightness of a point source centered there: "
             "the response of the filter to the beam is 1 at that place. The matched filter, b_l / "
             "C_l, has the least noise. Mexican hats of order 1 to 4 and the difference of two top "
             "hats need no spectrum. All filters remove monopole and dipole.\n\nThe spectrum of "
             "the background is measured twice from the map, the second time without the bright "
             "sources found first. Alternatively --background gives C_l of the sky before the "
             "beam; noise is then added as stated by --noise, or as measured from the map at large "
             "l. Bad and masked pixels are filled smoothly from their edges. The result is bad "
             "where less than --edge of the response falls on good pixels.\n\nThe local noise is "
             "the rms of the result without its bright sources, clipped at 3 sigma, in cells a "
             "dozen beams wide. Within a cell it follows --noise if that is a map.\n\n--map2, once "
             "for each further map of the same sky, selects the matched filter for several "
             "frequencies. It adds the coefficients of all maps with the weights t C^-1 of least "
             "noise. C holds the auto and cross spectra. t is the peak in each map of a source of "
             "peak 1 in MAP, from --index or --response2. The result refers to the beam of MAP, so "
             "the map with the finest beam comes first. Images of several frequencies have the "
             "same pixels; scales beyond a patch come from the first.\n\nAn image on "
             "rings (CAR) that covers 2 % of the sky or more is filtered by harmonic transforms on "
             "its rings; bad and absent pixels count as the mean. All other images are filtered on "
             "tangent planes, by patches; bad pixels count as the plane that is subtracted from "
             "each. One plane is filtered: the first, or that of --field.",
         .keyParameters = "type,fwhm"},
        {.check = check, .run = run});
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla sources MAP CATALOG`: finds point sources in a filtered map and fits them.
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "armilla/core/counted.h"
#include "armilla/core/nan.h"
#include "armilla/io/image_file.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/sources.h"
#include "image_filtering.h"
#include "operation_list.h"
#include "point_filter.h"
#include "stokes.h"
#include "transform_parameters.h"

namespace armilla {

namespace {

constexpr std::array<Choice<SourceFit>, 3> kFits{
    {{"beam", SourceFit::Beam}, {"gaussian", SourceFit::Gaussian}, {"filter", SourceFit::Filter}}};

constexpr std::array<Choice<SourceSign>, 3> kSigns{{{"positive", SourceSign::Positive},
                                                    {"negative", SourceSign::Negative},
                                                    {"both", SourceSign::Both}}};

struct SourcesOptions : PointFilterOptions {
    double threshold = 5.0;
    SourceSign sign = SourceSign::Positive;
    std::optional<SourceFit> fit;
    double deblend = 0.7;
    bool singlePass = false;
    double slope = 2.5;
    std::optional<int64_t> inject;
    int64_t seed = 1;
};

void describe(Description& d, SourcesOptions& p) {
    d.number("threshold", p.threshold,
             {.unit = "none", .least = 2.0, .most = 1e6, .sliderMost = 20.0},
             "least significance of a source, in units of the local noise of the filtered map");
    d.choice("sign", p.sign, kSigns, {},
             "sign of the sources that the catalog holds; sources of the other sign are found and "
             "subtracted as well");
    describePointFilter(d, p);
    d.choice("fit", p.fit, kFits, {.standard = "beam; filter with --map2"},
             "model that PEAK and position are fitted with: beam or elliptical Gaussian in the "
             "map, or filter response in the filtered map");
    d.number("deblend", p.deblend, {.unit = "none", .least = 0.0, .most = 10.0, .advanced = true},
             "least distance of two rows, in FWHM; nearer sources are one row, flagged blended or "
             "extended");
    d.flag("single-pass", p.singlePass, {.advanced = true},
           "search once; by default the brightest sources are subtracted and the map is searched "
           "again");
    d.number("slope", p.slope, {.unit = "none", .least = 0.0, .most = 10.0, .advanced = true},
             "slope q of the source counts dN/dS ~ S^-q, for DEBFLUX");
    d.integer(
        "inject", p.inject, {.unit = "none", .least = 1, .most = 10000000},
        "number of sources to inject and search again; reports completeness, bias and reliability");
    d.integer("seed", p.seed, {.unit = "none", .least = 0, .most = 1e15, .advanced = true},
              "seed of the sources of --inject");
}

Problems check(const SourcesOptions& options, const GivenSlots& given) {
    Problems problems = checkPointFilter(options, given);
    if (given.contains("curves") && !options.inject)
        problems.push_back({"curves", "expected --inject N as well, found none"});
    return problems;
}

TableColumn columnOf(const char* name, const char* description, std::vector<double> values) {
    TableColumn column;
    column.name = name;
    column.description = description;
    column.values = std::move(values);
    return column;
}

Table curvesTable(const Injection& injection) {
    Table table;
    table.name = "INJECTION";
    const Curve& c = injection.completeness;
    table.columns.push_back(columnOf("SNR", "peak over local noise, center of the bin", c.x));
    table.columns.push_back(columnOf("SNR_MIN", "peak over local noise, from", c.xLow));
    table.columns.push_back(columnOf("SNR_MAX", "to", c.xHigh));
    table.columns.push_back(
        columnOf("COMPLETENESS", "share of injected sources found", c.series[0].values));
    table.columns.push_back(columnOf("COMPLETENESS_ERR", "", c.series[0].errors));
    table.columns.push_back(columnOf("BIAS", "median of found / true - 1 of the peak",
                                     injection.bias.series[0].values));
    table.columns.push_back(columnOf("BIAS_ERR", "", injection.bias.series[0].errors));
    table.columns.push_back(columnOf("RELIABILITY",
                                     "1 - maxima of the inverted map / sources of the map",
                                     injection.reliability.series[0].values));
    table.columns.push_back(
        columnOf("RELIABILITY_ERR", "", injection.reliability.series[0].errors));
    return table;
}

Json numbersJson(const std::vector<double>& values) {
    Json array = Json::array();
    for (const double v : values) array.add(v);
    return array;
}

void tellInjection(Context& context, const Injection& injection) {
    Json json = Json::object();
    json.set("injected", injection.injected);
    json.set("found", injection.found);
    json.set("snr_min", numbersJson(injection.completeness.xLow));
    json.set("snr_max", numbersJson(injection.completeness.xHigh));
    for (const Curve* curve : {&injection.completeness, &injection.bias, &injection.reliability}) {
        json.set(curve->name, numbersJson(curve->series[0].values));
        json.set(curve->name + "_error", numbersJson(curve->series[0].errors));
    }
    json.set("peak_error_ratio", injection.peakError);
    json.set("position_error_ratio", injection.positionError);
    context.figures.set("injection", std::move(json));
    context.note("injected " + counted(injection.injected, "source") + ", found " +
                 std::to_string(injection.found));
    context.note("  peak / noise  completeness      bias  reliability");
    for (size_t i = 0; i < injection.completeness.x.size(); ++i) {
        const auto percent = [](double value) {
            std::array<char, 32> text{};
            std::snprintf(text.data(), text.size(), "%.1f %%", 100.0 * value);
            return std::isfinite(value) ? std::string(text.data()) : std::string("-");
        };
        std::array<char, 160> line{};
        std::snprintf(line.data(), line.size(), "%6.2f - %5.2f %13s %9s %12s",
                      injection.completeness.xLow[i], injection.completeness.xHigh[i],
                      percent(injection.completeness.series[0].values[i]).c_str(),
                      percent(injection.bias.series[0].values[i]).c_str(),
                      percent(injection.reliability.series[0].values[i]).c_str());
        context.note(line.data());
    }
}

SourceParameters searchOf(const SourcesOptions& options, const Inputs& inputs) {
    SourceParameters parameters;
    parameters.threshold = options.threshold;
    parameters.separation = options.deblend;
    parameters.iterate = !options.singlePass;
    parameters.sign = options.sign;
    parameters.fit = options.fit.value_or(inputs.has("map2") ? SourceFit::Filter : SourceFit::Beam);
    return parameters;
}

void requireFrame(const std::string& name, Frame frame) {
    if (frame == Frame::Unknown)
        throw InvalidArgument(
            name +
            ": expected a map in a known frame, found none; state it with --input-frame G|C|E");
}

// Notes and figures of a catalog; returns its summary.
std::string tellCatalog(Context& context, const std::string& name, const SourceSearch& search,
                        const FilterParameters& filter, const SourceCatalogParameters& says,
                        int64_t rows, const SourcesOptions& options) {
    const std::string words = tellFilter(context, search.sky, filter, says.unit);
    context.figures.set("sources", rows);
    context.figures.set("expected_false", search.falseExpected);
    if (!options.frequency.empty() &&
        !janskyOf(says.unit, says.frequency, filter.beam.solidAngle, 1.0))
        context.note(name + ": expected a unit of brightness for flux densities, found '" +
                     says.unit + "'");
    return counted(rows, "source") + ", " + std::to_string(search.falseExpected) +
           " of them expected to be false; " + words;
}

// Positions of the sources in the pixels of an image.
SourceCatalogParameters::ImagePlaces placesOf(const Image& image,
                                              const std::vector<Source>& sources) {
    std::vector<Vec3> directions;
    for (const Source& source : sources) directions.push_back(source.direction);
    SourceCatalogParameters::ImagePlaces places{std::vector<double>(sources.size()),
                                                std::vector<double>(sources.size())};
    ImageWcs(image).pixels(directions, places.x, places.y);
    return places;
}

std::vector<PointSource> subtracted(const SourceSearch& search, double fwhm) {
    std::vector<PointSource> away;
    for (const Source& s : search.sources)
        for (const PointSource& point : pointsOf(s, fwhm))
            away.push_back({point.direction, -point.peak});
    return away;
}

Outputs runOnImage(Context& context, const Inputs& inputs, const SourcesOptions& options) {
    const Input& input = inputs["MAP"];
    const Image& image = input.image();
    requireFrame(input.name, image.frame);
    const double share = options.inject ? 0.45 : 1.0;
    JobContext filtering = context.job.part(0.0, 0.7 * share);
    JobContext finding = context.job.part(0.7 * share, share);
    JobContext injecting = context.job.part(share, 1.0);
    FilteredImage filtered = filteredImage(context, inputs, options, filtering);
    SourceParameters parameters = searchOf(options, inputs);
    parameters.filter = filtered.parameters;
    const PointBeam& beam = parameters.filter.beam;
    const SourceSearch search = naming(
        input.name, [&] { return findSources(std::move(filtered.sky), parameters, finding); });
    const SourceCatalogParameters says{image.frame, image.unit, frequencyOf(options.frequency),
                                       options.slope, placesOf(image, search.sources)};
    Catalog catalog = sourceCatalog(search, says, beam);
    if (!inputs.has("map2")) noteKelvins(context, input.name, image.unit, says.frequency);
    const std::string summary =
        tellCatalog(context, input.name, search, parameters.filter, says, catalog.rows(), options);
    Outputs outputs;
    outputs.push_back({"CATALOG", std::make_shared<const Catalog>(std::move(catalog)), summary});
    if (options.inject) {
        Context quiet{
            context.device, context.job, context.precision, {}, [](const std::string&) {}};
        const auto searchWith = [&](std::span<const PointSource> sources, JobContext& searching) {
            std::vector<double> values = filtered.values;
            addSources(search.sky, sources, values, searching);
            // Pixels that were bad without the sources, such as those in areas of one value.
            for (size_t p = 0; p < values.size(); ++p)
                if (!std::isfinite((*search.sky.residual)[p])) values[p] = kNan;
            JobContext first = searching.part(0.0, 0.7), second = searching.part(0.7, 1.0);
            FilteredImage with = filteredImage(quiet, inputs, options, first, &values);
            return findSources(std::move(with.sky), parameters, second);
        };
        const Injection injection = naming(input.name, [&] {
            return injectSources(
                parameters, search,
                {.count = *options.inject, .seed = static_cast<uint64_t>(options.seed)}, searchWith,
                injecting);
        });
        tellInjection(context, injection);
        if (context.wanted.contains("curves"))
            outputs.push_back({"curves", std::make_shared<const Table>(curvesTable(injection)),
                               "completeness, bias and reliability"});
    }
    if (context.wanted.contains("snr")) {
        std::vector<double> snr(search.sky.filtered.size());
        for (size_t p = 0; p < snr.size(); ++p) snr[p] = search.sky.filtered[p] / search.sky.rms[p];
        outputs.push_back({"snr", imageLike(context, image, filtered.plane, "SNR", "", snr),
                           sizeOf(image) + ", in units of the local noise"});
    }
    if (context.wanted.contains("residual")) {
        addSources(search.sky, subtracted(search, beam.fwhm()), filtered.values, context.job);
        outputs.push_back(
            {"residual", imageLike(context, image, filtered.plane, "", image.unit, filtered.values),
             sizeOf(image) + ", without the sources"});
    }
    return outputs;
}

Outputs run(Context& context, Inputs& inputs, const SourcesOptions& options) {
    if (isImage(inputs["MAP"])) return runOnImage(context, inputs, options);
    const std::shared_ptr<const HealpixMap> map = mapToFilter(context, inputs, options);
    const Input& input = inputs["MAP"];
    const int field = input.fields.front();
    noteScalars(context, *map, {field}, "");
    noteConvention(*map, field, context.note);
    const std::string& unit = map->field(field).unit;
    requireFrame(input.name, map->frame());
    SourceParameters parameters = searchOf(options, inputs);
    parameters.filter = filterParameters(context, inputs, options, *map);
    const double begin = inputs.has("map2") ? kShareOfCombination : 0.0, end = 0.97;
    const double middle = options.inject ? 0.5 * (begin + end) : end;
    JobContext searching = context.job.part(begin, middle);
    JobContext injecting = context.job.part(middle, end), writing = context.job.part(end, 1.0);
    FilterPlan plan(map, field, context.device);
    const SourceSearch search =
        naming(input.name, [&] { return findSources(plan, *map, parameters, searching); });
    const SourceCatalogParameters says{
        map->frame(), unit, frequencyOf(options.frequency), options.slope, {}};
    Catalog catalog = sourceCatalog(search, says, parameters.filter.beam);
    if (!inputs.has("map2")) noteKelvins(context, input.name, unit, says.frequency);
    const std::string summary =
        tellCatalog(context, input.name, search, parameters.filter, says, catalog.rows(), options);
    Outputs outputs;
    outputs.push_back({"CATALOG", std::make_shared<const Catalog>(std::move(catalog)), summary});
    if (options.inject) {
        const Injection injection =
            injectSources(*map, field, parameters, search,
                          {.count = *options.inject, .seed = static_cast<uint64_t>(options.seed)},
                          context.device, injecting);
        tellInjection(context, injection);
        if (context.wanted.contains("curves"))
            outputs.push_back({"curves", std::make_shared<const Table>(curvesTable(injection)),
                               "completeness, bias and reliability"});
    }
    if (context.wanted.contains("snr")) {
        HealpixMap snr = significanceMap(*map, field, search.sky, writing);
        const std::string about = summaryOf(snr) + ", in units of the local noise";
        outputs.push_back({"snr", std::make_shared<const HealpixMap>(std::move(snr)), about});
    }
    if (context.wanted.contains("residual")) {
        const std::vector<PointSource> away = subtracted(search, parameters.filter.beam.fwhm());
        HealpixMap left = withSources(*map, field, away, parameters.filter.beam, writing);
        const std::string about = summaryOf(left) + ", without the sources";
        outputs.push_back({"residual", std::make_shared<const HealpixMap>(std::move(left)), about});
    }
    return outputs;
}

}  // namespace

Operation sourcesOperation() {
    return define<SourcesOptions>(
        {.id = "sources",
         .title = "Find sources",
         .help = "find point sources in a map, fit them, and write a catalog",
         .inputs = pointFilterInputs(),
         .outputs = {{.name = "CATALOG",
                      .kind = DataKind::Catalog,
                      .help = "output catalog, the most significant source first (FITS, VOTable, "
                              "CSV, ECSV, DS9 regions)"},
                     {.name = "snr",
                      .kind = DataKind::Map,
                      .help = "output map of the signal-to-noise ratio: the filtered map divided "
                              "by its local noise",
                      .isOption = true},
                     {.name = "residual",
                      .kind = DataKind::Map,
                      .help = "output map without the sources",
                      .isOption = true},
                     {.name = "curves",
                      .kind = DataKind::Table,
                      .help = "output file of completeness, bias and reliability from --inject",
                      .isOption = true}},
         .devices = kShtSupport,
         .manual =
             "The map is filtered as by the command filter. The search takes maxima above the "
             "threshold, the brightest first. It fits and subtracts each before it looks for the "
             "next, so that the response around a bright source is not taken for sources. "
             "Positions and peaks are then fitted to the map itself, with a plane, by generalized "
             "least squares with the covariance of background and noise. With --map2 the search "
             "runs on the combined maps that the command filter describes.\n\nWhere sources lie "
             "within one and a half beams of each other, or one is wider than the beam, several "
             "models compete by chi^2: one beam, two beams, an elliptical Gaussian, and these with "
             "further beams. A further beam must lower chi^2 by the square of --threshold and lie "
             "--deblend beams from the others. Two sources of S/N 20 are two rows from 0.8 beams "
             "on; nearer ones are one row.\n\nColumns. NAME, GLON, GLAT, RA, DEC: position (deg). "
             "POS_ERR: its standard deviation on each axis (arcsec). PEAK, PEAK_ERR: peak "
             "brightness of a point source in this beam, or of an extended source, in the unit of "
             "the map; negative for a negative source. SNR: maximum of the filtered map over its "
             "local noise LOC_RMS, less what the choice of that maximum adds, sqrt(S^2 - 2), with "
             "the sign of PEAK. FLUX, FLUX_ERR (Jy): need a unit of brightness and, for "
             "temperatures, --frequency. DEBFLUX: likeliest flux density under power-law counts. "
             "FWHM_MAJ, FWHM_MIN (deg): axes of an elliptical Gaussian fitted to the map, the beam "
             "included. POS_ANG (deg): position angle of the major axis, east of north in the "
             "frame of the map. Each has an _ERR; all are empty for blended sources and below 5 "
             "sigma. CONTAM: contribution of brighter sources to the filtered map there, as a "
             "share of PEAK. MASK_FRAC: share of the filter response on bad pixels. HPX_PIX: pixel "
             "in RING order; of an image IMG_X, IMG_Y: column and row of the position, 1 at the "
             "center of the first pixel. N_FALSE: expected "
             "number of false sources at this |SNR| or above, "
             "from the inverted map.\n\nFLAGS is a sum: 1 blended (fitted together with another, "
             "or not distinguished from two), 2 near a mask (more than 1 % of the response), 4 "
             "near a brighter source (CONTAM above 0.1), 8 extended (wider than the beam by 3 "
             "sigma: position, PEAK and FLUX are those of the Gaussian, and the Gaussian is "
             "subtracted), 16 not fitted (position and PEAK are those of the maximum).\n\nA "
             "connected area of equal values larger than 30 beams counts as blank if less than "
             "half of all good pixels lie in such areas; a line reports this.\n\nAn image of any "
             "projection is searched and fitted in its own pixels, filtered as by the command "
             "filter.",
         .keyParameters = "threshold,fwhm"},
        {.check = check, .run = run});
}

}  // namespace armilla

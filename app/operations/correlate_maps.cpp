// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla correlate-maps MAP [MAP2] OUT`: the angular correlation function of maps.
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "armilla/core/counted.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/data.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/map_correlation.h"
#include "operation_list.h"

namespace armilla {

namespace {

enum class Strategy { Spectrum, Pairs };
constexpr std::array<Choice<Strategy>, 2> kStrategies{
    {{"spectrum", Strategy::Spectrum}, {"pairs", Strategy::Pairs}}};
constexpr std::array<Choice<MapFluctuations>, 3> kFluctuations{
    {{"values", MapFluctuations::Values},
     {"fluctuations", MapFluctuations::MinusMean},
     {"contrast", MapFluctuations::Contrast}}};
constexpr std::array<Choice<BinSpacing>, 2> kSpacings{
    {{"log", BinSpacing::Log}, {"linear", BinSpacing::Linear}}};

struct CorrelateMapsOptions {
    std::string bins;  // MIN,MAX,N as typed, since its decimals are exact
    BinSpacing spacing = BinSpacing::Linear;
    MapFluctuations of = MapFluctuations::MinusMean;
    Strategy method = Strategy::Spectrum;
    std::optional<int64_t> lmax;
};

void describe(Description& d, CorrelateMapsOptions& p) {
    d.text("bins", p.bins, {.placeholder = "MIN,MAX,N"},
           "angle bins MIN,MAX,N with units, such as 0deg,20deg,40");
    d.choice("spacing", p.spacing, kSpacings, {}, "spacing of the bins of --bins");
    d.choice("of", p.of, kFluctuations, {},
             "quantity to correlate: values, values minus their mean, or that divided by the mean");
    d.choice("method", p.method, kStrategies, {},
             "method: from spectra, or from all pairs of pixels (for low nside)");
    d.integer("lmax", p.lmax,
              {.unit = "none",
               .least = 1,
               .most = 32768,
               .standard = "2 nside",
               .applies = [&p] { return p.method == Strategy::Spectrum; }},
              "largest multipole l of the spectra");
}

Problems check(const CorrelateMapsOptions& options, const GivenSlots& /*given*/) {
    Problems problems;
    try {
        angularBins(options.bins, options.spacing);
    } catch (const InvalidArgument& error) {
        problems.push_back({"bins", error.message()});
    }
    if (options.method == Strategy::Pairs && options.lmax)
        problems.push_back({"lmax", "expected --method spectrum as well, found pairs"});
    return problems;
}

struct Pixels {
    int64_t nside = 0;
    Frame frame = Frame::Unknown;
    std::string unit;
    std::vector<double> values;
};
Pixels pixelsOf(Input& input, const Context& context, JobContext& job) {
    return naming(input.name, [&] {
        HealpixMap map =
            fullRing(atOneOrder(input.takeMap(), input.name, "correlated", context.note, job), job);
        widen(map.field(0), job);
        return Pixels{map.nside(), map.frame(), map.field(0).unit,
                      std::move(std::get<std::vector<double>>(map.field(0).values))};
    });
}
void requireSameNside(const std::string& name, const Pixels& found, const Pixels& first) {
    if (found.nside != first.nside)
        throw InvalidArgument(name + ": expected nside " + std::to_string(first.nside) +
                              ", as the first map has, found " + std::to_string(found.nside));
}

Json numbers(const std::vector<double>& values) {
    Json array = Json::array();
    for (const double value : values) array.add(Json(value));
    return array;
}

Outputs run(Context& context, Inputs& inputs, const CorrelateMapsOptions& options) {
    const AngularBins bins = angularBins(options.bins, options.spacing);
    JobContext reading = context.job.part(0.0, 0.05), working = context.job.part(0.05, 1.0);
    Pixels first = pixelsOf(inputs["MAP"], context, reading);
    std::vector<double> weights;
    if (Input* mask = inputs.find("mask")) {
        Pixels read = pixelsOf(*mask, context, reading);
        requireSameNside(mask->name, read, first);
        weights = std::move(read.values);
    }
    const auto prepared = [&](const std::string& name, std::vector<double> values) {
        WeightedMap map{std::move(values), weights};
        const double mean = naming(name, [&] { return prepareMap(map, first.nside, options.of); });
        return std::pair{std::move(map), mean};
    };
    const auto [map, mean] = prepared(inputs["MAP"].name, std::move(first.values));
    std::string unit = first.unit, secondUnit = first.unit;
    std::optional<WeightedMap> other;
    if (Input* second = inputs.find("MAP2")) {
        Pixels read = pixelsOf(*second, context, reading);
        requireSameNside(second->name, read, first);
        secondUnit = read.unit;
        other = prepared(second->name, std::move(read.values)).first;
    }
    const WeightedMap* const second = other ? &*other : nullptr;
    MapCorrelation result;
    if (options.method == Strategy::Pairs) {
        result = correlatePixels(first.nside, map, second, bins, context.device, working);
    } else {
        result =
            correlateSpectra(first.nside, map, second, bins,
                             static_cast<int>(options.lmax.value_or(-1)), context.device, working);
    }
    unit = options.of == MapFluctuations::Contrast || unit.empty() || secondUnit.empty() ? ""
           : unit == secondUnit ? "(" + unit + ")^2"
                                : unit + " " + secondUnit;
    Table table = result.table();
    table.columns[static_cast<size_t>(table.columnIndex("W"))].unit = unit;
    table.frame = first.frame;
    context.figures.set("nside", first.nside);
    context.figures.set("mean", mean);
    context.figures.set("w", numbers(result.w));
    Output output{"OUT", std::make_shared<const Curve>(result.curve(unit)),
                  counted(bins.count(), "bin") + ", " +
                      (options.method == Strategy::Pairs ? "pairs of pixels" : "through spectra")};
    output.write = [table = std::move(table)](const std::string& path,
                                              const FileWriteOptions& write, JobContext& job) {
        writeTable(table, path, {write.overwrite, write.history, {}}, job);
    };
    return {std::move(output)};
}

}  // namespace

Operation correlateMapsOperation() {
    return define<CorrelateMapsOptions>(
        {.id = "correlate-maps",
         .title = "Correlate maps",
         .help = "estimate the angular correlation function of a map, or of two",
         .inputs = {{.name = "MAP", .kind = DataKind::Map, .help = "input map"},
                    {.name = "MAP2",
                     .kind = DataKind::Map,
                     .help = "second map of the same nside, for the cross correlation",
                     .isOptional = true,
                     .frame = FrameRule::Turned},
                    {.name = "mask",
                     .kind = DataKind::Map,
                     .help = "mask of pixel weights for both maps; 0 leaves a pixel out",
                     .isOption = true,
                     .isOptional = true,
                     .frame = FrameRule::Turned}},
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Curve,
                      .help = "output table with a row for each bin: FITS, VOTable, CSV or ECSV"}},
         .devices = {.cuda = true},
         .keyParameters = "bins"},
        {.check = check, .run = run});
}

}  // namespace armilla

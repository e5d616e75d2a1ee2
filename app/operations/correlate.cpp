// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla correlate DATA OUT`: exact pair counts and the angular correlation function.
#include "armilla/operations/correlate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <memory>
#include <sstream>
#include <utility>

#include "armilla/core/ascii_text.h"
#include "armilla/core/counted.h"
#include "armilla/core/physical_unit.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/data.h"
#include "armilla/operations/device_correlate.h"
#include "armilla/ops/resample.h"
#include "operation_list.h"

namespace armilla {

namespace {

constexpr std::array<Choice<BinSpacing>, 2> kSpacings{
    {{"log", BinSpacing::Log}, {"linear", BinSpacing::Linear}}};
constexpr std::array<Choice<Estimator>, 5> kEstimators{
    {{"landy-szalay", Estimator::LandySzalay, "Landy-Szalay"},
     {"report", Estimator::Report},
     {"davis-peebles", Estimator::DavisPeebles, "Davis-Peebles"},
     {"hamilton", Estimator::Hamilton, "Hamilton"},
     {"natural", Estimator::Natural}}};
constexpr std::array<Choice<CorrelationErrors>, 4> kErrors{
    {{"none", CorrelationErrors::None},
     {"poisson", CorrelationErrors::Poisson, "Poisson"},
     {"jackknife", CorrelationErrors::Jackknife},
     {"bootstrap", CorrelationErrors::Bootstrap}}};

// Error message of a parameter that does not parse; empty if it parses.
template <class Body>
std::string wrongWith(const Body& body) {
    try {
        body();
    } catch (const InvalidArgument& error) {
        return error.message();
    }
    return "";
}

Problems check(const CorrelateOptions& options, const GivenSlots& given) {
    Problems problems;
    if (options.bins.empty() == options.edges.empty())
        problems.push_back({"", std::string("expected one of --bins MIN,MAX,N and --edges FILE, "
                                            "found ") +
                                    (options.bins.empty() ? "none" : "both")});
    if (!options.bins.empty())
        if (const std::string wrong =
                wrongWith([&] { angularBins(options.bins, options.spacing); });
            !wrong.empty())
            problems.push_back({"bins", wrong});
    const bool files = given.contains("random"), mask = given.contains("random-from");
    if (files == mask)
        problems.push_back(
            {"", std::string("expected random points by --random FILE or --random-from MASK, "
                             "found ") +
                     (files ? "both" : "none")});
    if (given.contains("random2") && !given.contains("cross"))
        problems.push_back({"random2", "expected --cross CATALOG as well, found none"});
    if (given.contains("random2") && mask)
        problems.push_back({"random2", "expected --random FILE as well, found --random-from"});
    if (options.lon.empty() != options.lat.empty())
        problems.push_back({options.lon.empty() ? "lon" : "lat",
                            "expected both --lon and --lat or neither, found one"});
    return problems;
}

// Numbers of a text file, separated by blanks and commas. An angle without a unit is in degrees.
// Lines that begin with # and a first line of names are skipped.
std::vector<ExactAngle> edgesFromText(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw IoError("expected a file of bin edges, found none that can be read");
    std::vector<ExactAngle> edges;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        line.resize(std::min(line.size(), line.find('#')));
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            const bool plain = word.find_first_not_of("0123456789.eE+-") == std::string::npos;
            try {
                edges.push_back(exactAngle(plain ? word + "deg" : word));
            } catch (const InvalidArgument&) {
                if (edges.empty() && number == 1) break;  // a line of names
                throw IoError("expected edges of bins, found '" + word + "' in line " +
                              std::to_string(number));
            }
        }
    }
    return edges;
}

// First numeric column of a table. For a table that this operation wrote, the edges of its bins.
std::vector<ExactAngle> edgesFromTable(const std::string& path, JobContext& job) {
    const Table table = readTable(path, {}, job);
    const auto unitOf = [](const TableColumn& column) {
        if (namesNoUnit(column.unit)) return std::string("deg");
        const auto radians = radiansOfUnit(column.unit);
        for (const char* name : {"deg", "arcmin", "arcsec", "mas", "rad"})
            if (radians && *radians == *radiansOfUnit(name)) return std::string(name);
        throw IoError("expected edges in deg, arcmin, arcsec, mas or rad, found column " +
                      column.name + " in '" + column.unit + "'");
    };
    const auto append = [&](std::vector<ExactAngle>& edges, const TableColumn& column,
                            int64_t row) {
        const std::string unit = unitOf(column);
        // The shortest decimal text of the stored number is the exact value; degrees are used as
        // they are.
        edges.push_back(unit == "deg" ? exactAngleOfDegrees(column.number(row))
                                      : exactAngle(column.text(row) + unit));
    };
    std::vector<ExactAngle> edges;
    const auto low = table.find("THETA_MIN"), high = table.find("THETA_MAX");
    if (low && high && table.rows() > 0) {
        const TableColumn &first = table.columns[static_cast<size_t>(*low)],
                          &last = table.columns[static_cast<size_t>(*high)];
        for (int64_t row = 0; row < table.rows(); ++row) append(edges, first, row);
        append(edges, last, table.rows() - 1);
        return edges;
    }
    const auto column =
        std::find_if(table.columns.begin(), table.columns.end(),
                     [](const TableColumn& each) { return !each.isText() && each.width == 1; });
    if (column == table.columns.end())
        throw IoError("expected a column of edges, found no column of numbers");
    for (int64_t row = 0; row < column->rows(); ++row) append(edges, *column, row);
    return edges;
}

AngularBins binsOf(const CorrelateOptions& options, JobContext& job) {
    if (!options.bins.empty()) return angularBins(options.bins, options.spacing);
    return naming(options.edges, [&] {
        const auto format = tableFormatOf(options.edges);
        std::vector<ExactAngle> edges =
            !format || *format == TableFormat::Csv || *format == TableFormat::Text
                ? edgesFromText(options.edges)
                : edgesFromTable(options.edges, job);
        return angularBins(std::move(edges), options.spacing);
    });
}

// Reads catalogs as points, rotated to the frame of the first catalog that names one.
class PointReader {
public:
    PointReader(const CorrelateOptions& options, const DeviceCatalogs& onDevice, Context& context)
        : options_(options), onDevice_(onDevice), context_(context) {}

    // `required`: a missing weight column is an error. Otherwise it is used if present.
    SkyPoints operator()(const Input& input, bool required) {
        return naming(input.name, [&] {
            const Catalog& catalog = input.catalog();
            int weight = -1;
            if (!options_.weight.empty()) {
                if (required)
                    weight = catalog.table.columnIndex(options_.weight);
                else if (const auto found = catalog.table.find(options_.weight))
                    weight = *found;
            }
            int64_t skipped = 0;
            const auto columns = onDevice_.find(&catalog);
            SkyPoints points = columns == onDevice_.end()
                                   ? skyPoints(catalog, weight, &skipped)
                                   : skyPoints(catalog, columns->second, weight,
                                               turnOf(catalog.frame()), &skipped, context_.job);
            if (skipped > 0)
                context_.note(input.name + ": " + std::to_string(skipped) +
                              (weight < 0 ? " rows without a position are skipped"
                                          : " rows without a position, or with a weight of -99, "
                                            "-999 and the like, are skipped"));
            if (points.size() == 0)
                throw InvalidArgument("expected rows with a position, found none");
            if (!points.onDevice) turn(points, catalog.frame());
            return points;
        });
    }
    void turn(SkyPoints& points, Frame frame) { points.turn = turnOf(frame); }

private:
    // The rotation from a frame; none from that of the first catalog. `bringToOneFrame` has refused
    // a mix of known and unknown frames.
    std::optional<Mat3> turnOf(Frame frame) {
        if (frame_ == Frame::Unknown) frame_ = frame;
        if (frame == frame_) return {};
        return frameRotation(frame_, frame);
    }

    const CorrelateOptions& options_;
    const DeviceCatalogs& onDevice_;
    Context& context_;
    Frame frame_ = Frame::Unknown;
};

// A vector as a JSON array of numbers.
template <class Number>
Json numbers(const std::vector<Number>& values) {
    Json array = Json::array();
    for (const Number value : values) array.add(Json(value));
    return array;
}

Json figuresOf(const PairSum& sum) {
    Json figures = Json::object();
    figures.set("pairs", numbers(sum.pairs));
    if (!sum.weighted.empty()) figures.set("weighted", numbers(sum.weighted));
    figures.set("possible", sum.possible);
    return figures;
}

// Notes options that have no effect in this run.
void noteUnused(const Context& context, const Inputs& inputs, const CorrelateOptions& options) {
    const CorrelateOptions standard;
    if (!inputs.has("random-from") && (options.randomFactor != standard.randomFactor ||
                                       options.randomSets != standard.randomSets))
        context.note("--random-factor and --random-sets have no effect without --random-from MASK");
    const bool byPatches = options.errors == CorrelationErrors::Jackknife ||
                           options.errors == CorrelationErrors::Bootstrap;
    if (!byPatches && options.patches != standard.patches)
        context.note("--patches has no effect without --errors jackknife or bootstrap");
}

// Notes how the values of a map of --random-from are interpreted, unless they are all equal.
void noteWeights(const Context& context, const Input& input) {
    if (input.fields.empty()) return;
    const Field& field = input.map().field(input.fields.front());
    double least = std::numeric_limits<double>::infinity(), most = 0.0;
    for (int64_t i = 0; i < field.size(); ++i) {
        const double value = field.at(i);
        if (!std::isfinite(value) || value == 0.0) continue;
        least = std::min(least, value);
        most = std::max(most, value);
    }
    if (!(least < most)) return;
    const std::string name = lowerCase(field.name);
    const bool isSum = degradeRule(field) == Degrade::Sum;
    const bool isProbability = name.starts_with("prob") || field.unit.starts_with("pix") ||
                               field.unit.starts_with("1/pix");
    std::string taken = most <= 1.0 ? "a completeness" : "a density of points";
    if (isSum) taken = isProbability ? "the probability of each pixel" : "counts in each pixel";
    if (!isSum && isProbability) taken = "a probability per area";
    context.note(input.name + ": " + field.name + " taken as " + taken +
                 ", which the random points follow");
}

Outputs runWith(Context& context, const Inputs& inputs, const CorrelateOptions& options,
                const DeviceCatalogs& onDevice) {
    noteUnused(context, inputs, options);
    CorrelationParameters parameters;
    parameters.bins = binsOf(options, context.job);
    parameters.estimator = options.estimator;
    parameters.errors = options.errors;
    parameters.patches = options.patches;
    parameters.resamplings = options.resamplings;
    parameters.seed = static_cast<uint64_t>(options.seed);
    parameters.pairMean = options.pairMean;
    parameters.device = context.device;
    PointReader read(options, onDevice, context);
    CorrelationCatalogs catalogs;
    catalogs.data = read(inputs["DATA"], true);
    if (const Input* second = inputs.find("cross")) catalogs.data2 = read(*second, false);
    for (const Input* input : inputs.several("random"))
        catalogs.random.push_back(read(*input, false));
    for (const Input* input : inputs.several("random2"))
        catalogs.random2.push_back(read(*input, false));
    if (const Input* mask = inputs.find("random-from")) {
        const double count =
            std::round(options.randomFactor * static_cast<double>(catalogs.data.size()));
        if (count < 1.0)
            throw InvalidArgument("--random-factor: expected at least one random point for " +
                                  counted(catalogs.data.size(), "row") + " of data, found none");
        noteWeights(context, *mask);
        for (int set = 0; set < options.randomSets; ++set) {
            SkyPoints points = naming(mask->name, [&] {
                // A MOC has cells and no field; index -1 selects all cells.
                return randomPoints(mask->map(), mask->fields.empty() ? -1 : mask->fields.front(),
                                    static_cast<int64_t>(count),
                                    static_cast<uint64_t>(options.seed), set, context.job);
            });
            read.turn(points, mask->map().frame());
            catalogs.random.push_back(std::move(points));
        }
    }
    Json& figures = context.figures;
    const Correlation result = correlate(catalogs, parameters, context.job);

    int64_t randoms = 0;
    for (const SkyPoints& points : catalogs.random) randoms += points.size();
    figures.set("data", catalogs.data.size());
    if (catalogs.data2) figures.set("data2", catalogs.data2->size());
    figures.set("random_sets", static_cast<int64_t>(catalogs.random.size()));
    figures.set("random", randoms);
    figures.set("bins", parameters.bins.count());
    Json edges = Json::array();
    for (int k = 0; k < parameters.bins.count(); ++k) edges.add(parameters.bins.lowDegrees(k));
    edges.add(parameters.bins.highDegrees(parameters.bins.count() - 1));
    figures.set("edges_deg", std::move(edges));
    figures.set("dd", figuresOf(result.dd));
    figures.set("dr", figuresOf(result.dr));
    if (result.rd) figures.set("rd", figuresOf(*result.rd));
    figures.set("rr", figuresOf(result.rr));
    figures.set("w", numbers(result.w));
    figures.set("w_err", numbers(result.wError));
    if (result.patches > 0) figures.set("patches", result.patches);

    Output output{"OUT", std::make_shared<const Curve>(result.curve()),
                  counted(parameters.bins.count(), "bin") + ", " +
                      counted(catalogs.data.size(), "data point") + ", " +
                      counted(randoms, "random point")};
    Table table = result.table();
    table.frame = options.frame.value_or(inputs["DATA"].catalog().frame());
    output.write = [table = std::move(table), covariance = result.covariance, note = context.note](
                       const std::string& path, const FileWriteOptions& write, JobContext& job) {
        TableWriteOptions out{write.overwrite, write.history};
        const int64_t bins = table.rows();
        if (!covariance.empty()) {
            if (tableFormatOf(path) == TableFormat::Fits)
                out.matrices.push_back({"COVARIANCE", bins, bins, covariance});
            else
                note(path + ": the covariance has a place in FITS files only");
        }
        writeTable(table, path, out, job);
    };
    return {std::move(output)};
}

Outputs run(Context& context, Inputs& inputs, const CorrelateOptions& options) {
    return runWith(context, inputs, options, {});
}

}  // namespace

Outputs correlateOnDevice(Context& context, Inputs& inputs, const ParameterSet& parameters,
                          const DeviceCatalogs& onDevice) {
    bringToOneFrame(*findOperation("correlate"), context, inputs);
    return runWith(context, inputs, parameters.as<CorrelateOptions>(), onDevice);
}

void describe(Description& d, CorrelateOptions& p) {
    d.text("bins", p.bins, {.placeholder = "MIN,MAX,N"},
           "angle bins MIN,MAX,N with units, such as 0.01arcmin,10deg,30");
    d.choice("spacing", p.spacing, kSpacings, {}, "spacing of the bins of --bins");
    d.file("edges", p.edges, {.advanced = true},
           "text file or table of bin edges in degrees, instead of --bins");
    d.choice("estimator", p.estimator, kEstimators, {}, "estimator of w(theta)");
    d.choice("errors", p.errors, kErrors, {},
             "errors of w(theta); jackknife and bootstrap use patches of the sky");
    d.integer(
        "patches", p.patches,
        {.unit = "none",
         .least = 2,
         .most = 10000,
         .applies =
             [&p] {
                 return p.errors == CorrelationErrors::Jackknife ||
                        p.errors == CorrelationErrors::Bootstrap;
             }},
        "number of sky patches, each with equally many random points, for jackknife and bootstrap");
    d.integer("resamplings", p.resamplings,
              {.unit = "none",
               .least = 2,
               .most = 1000000,
               .advanced = true,
               .applies = [&p] { return p.errors == CorrelationErrors::Bootstrap; }},
              "number of bootstrap resamplings");
    d.number("random-factor", p.randomFactor,
             {.unit = "none", .least = 0.0, .most = 1e6, .aboveLeast = true},
             "random points per data point in each set of --random-from");
    d.integer("random-sets", p.randomSets, {.unit = "none", .least = 1, .most = 10000},
              "number of sets of random points of --random-from");
    d.integer("seed", p.seed, {.unit = "none", .least = 0},
              "seed of random points and bootstrap resamplings");
    d.text("lon", p.lon,
           {.standard = "found by UCD or name", .label = "Longitude", .placeholder = "COL"},
           "longitude column of all catalogs");
    d.text("lat", p.lat,
           {.standard = "found by UCD or name", .label = "Latitude", .placeholder = "COL"},
           "latitude column of all catalogs");
    d.text("weight", p.weight, {.standard = "1 for every row", .placeholder = "COL"},
           "weight column of DATA, and of other catalogs that have it; rows with -99, -999 and the "
           "like are skipped, other negative weights are refused");
    d.frame("frame", p.frame, {.advanced = true, .standard = "frame of DATA"},
            "frame that the output names; the angles are the same in each");
    d.flag(
        "pair-mean", p.pairMean, {.advanced = true},
        "compute THETA_MEAN as the mean angle of the DD pairs, with their weights; slower, since "
        "every pair is visited");
}

PowerLaw powerLawOf(const Curve& curve) {
    if (curve.series.empty() || curve.xLow.empty() || curve.series.front().errors.empty())
        throw InvalidArgument("expected w with errors in bins to fit, found none");
    Correlation counted;
    std::vector<ExactAngle> edges;
    for (const double low : curve.xLow) edges.push_back(exactAngleOfDegrees(low));
    edges.push_back(exactAngleOfDegrees(curve.xHigh.back()));
    const auto n = curve.x.size();
    const bool isLinear =
        n > 0 && std::abs(curve.x[n - 1] - 0.5 * (curve.xLow[n - 1] + curve.xHigh[n - 1])) <
                     1e-9 * curve.x[n - 1];
    counted.bins = angularBins(std::move(edges), isLinear ? BinSpacing::Linear : BinSpacing::Log);
    counted.w = curve.series.front().values;
    counted.wError = curve.series.front().errors;
    counted.covariance = curve.covariance;
    return fitPowerLaw(counted, 0.0, 180.0);
}

Operation correlateOperation() {
    // Names of the position columns, if they are given.
    const auto positions = [](const ParameterSet& parameters) {
        const auto& options = parameters.as<CorrelateOptions>();
        Columns columns;
        columns.onlyNamed = true;
        if (!options.weight.empty()) columns.names = {options.weight};
        if (!options.lon.empty()) columns.places = {options.lon, options.lat};
        return columns;
    };
    const auto positionsOfOthers = [positions](const ParameterSet& parameters) {
        Columns columns = positions(parameters);
        columns.orUsualPlaces = true;
        return columns;
    };
    const auto catalog = [&](std::string_view name, std::string_view help, std::string_view label) {
        return InputSlot{.name = name,
                         .kind = DataKind::Catalog,
                         .help = help,
                         .panelLabel = label,
                         .isOption = true,
                         .isOptional = true,
                         .frame = FrameRule::Compared,
                         .columns = positionsOfOthers};
    };
    InputSlot random = catalog(
        "random",
        "catalog of random points; each file is a set, and the counts of all sets are summed",
        "Random points");
    InputSlot random2 = catalog("random2",
                                "catalog of random points for the catalog of --cross, as many sets "
                                "as --random; default: the sets of --random",
                                "Random of second");
    random.isRepeatable = random2.isRepeatable = true;
    return define<CorrelateOptions>(
        {.id = "correlate",
         .title = "Correlate",
         .help = "count pairs of catalogs exactly and estimate their angular correlation function",
         .inputs = {{.name = "DATA",
                     .kind = DataKind::Catalog,
                     .help = "catalog of data points",
                     .columns = positions},
                    catalog("cross", "second catalog, for the cross correlation", "Second catalog"),
                    random,
                    random2,
                    {.name = "random-from",
                     .kind = DataKind::Map,
                     .help = "mask, map or MOC: random points lie on a pixel with a probability "
                             "proportional to its value",
                     .panelLabel = "Randoms within",
                     .isOption = true,
                     .isOptional = true,
                     .frame = FrameRule::Compared,
                     .columns =
                         [](const ParameterSet&) {
                             return Columns{Columns::Choice::All, {}};
                         }}},
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Curve,
                      .help = "output table with a row for each bin: FITS, VOTable, CSV or ECSV"}},
         .devices = {.cuda = true},
         .keyParameters = "bins"},
        {.check = check, .run = run});
}

}  // namespace armilla

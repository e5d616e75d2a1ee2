// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla match CATALOG CATALOG2 OUT`: matches two catalogs by position.
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "armilla/core/counted.h"
#include "armilla/ops/match.h"
#include "catalog_rows.h"
#include "match_partitions.h"
#include "operation_list.h"

namespace armilla {

namespace {

constexpr std::array<Choice<MatchFind>, 4> kFinds{{{"all", MatchFind::All},
                                                   {"best", MatchFind::Best},
                                                   {"best1", MatchFind::Best1},
                                                   {"best2", MatchFind::Best2}}};
constexpr std::array<Choice<MatchJoin>, 4> kJoins{{{"1and2", MatchJoin::Pairs},
                                                   {"all1", MatchJoin::All1},
                                                   {"1not2", MatchJoin::Only1},
                                                   {"2not1", MatchJoin::Only2}}};

struct MatchOptions {
    std::optional<double> radius;
    std::string errors, errors2;
    double sigmas = 3.0;
    MatchFind find = MatchFind::Best;
    MatchJoin join = MatchJoin::Pairs;
    std::string brightness;
    bool magnitudes = false;
    PositionNames positions, positions2;
};

void describe(Description& d, MatchOptions& p) {
    d.angle("radius", p.radius, {.unit = "arcsec", .least = 0.0, .most = kPi},
            "largest separation of a pair");
    d.text("errors", p.errors, {.placeholder = "COLUMN"},
           "column of CATALOG with the position error, one standard deviation on each axis "
           "(POS_ERR); pairs are then matched by their errors");
    d.text("errors2", p.errors2, {.placeholder = "COLUMN"},
           "position error in CATALOG2: a column, or an angle for all rows; default: the column of "
           "--errors");
    d.number("sigmas", p.sigmas,
             {.unit = "none",
              .least = 0.0,
              .most = 1000.0,
              .aboveLeast = true,
              .applies = [&p] { return !p.errors.empty(); }},
             "largest separation in units of the combined error of a pair");
    d.choice("find", p.find, kFinds, {},
             "pairs to keep: all; the best, each row once; the best for each row of the first or "
             "of the second catalog");
    d.choice("join", p.join, kJoins, {},
             "rows to write: pairs, all rows of the first catalog, or the rows of one catalog "
             "without a partner");
    d.text("brightness", p.brightness, {.placeholder = "COLUMN"},
           "brightness column of CATALOG2: P_CHANCE counts rows as bright or brighter; default: "
           "all rows");
    d.flag("magnitudes", p.magnitudes,
           {.advanced = true, .applies = [&p] { return !p.brightness.empty(); }},
           "treat --brightness as magnitudes, which decrease with brightness");
    describePositions(d, p.positions);
    describePositions(d, p.positions2,
                      {"lon2",
                       "column of longitudes (right ascensions) in CATALOG2; default: that of "
                       "--lon if there is one, else by UCD or usual names",
                       "lat2",
                       "column of latitudes (declinations) in CATALOG2; default: that of --lat if "
                       "there is one, else by UCD or usual names"});
}

Problems check(const MatchOptions& p, const GivenSlots& /*given*/) {
    Problems problems;
    if (!p.radius && p.errors.empty())
        problems.push_back({"", "expected --radius ANGLE or --errors COLUMN, found none"});
    if (!p.errors2.empty() && p.errors.empty())
        problems.push_back({"errors2", "expected --errors COLUMN as well, found none"});
    checkPositions(p.positions, problems);
    checkPositions(p.positions2, problems, "lon2", "lat2");
    return problems;
}

std::vector<double> numbersOf(const Input& input, const std::string& name) {
    return naming(input.name, [&] {
        const Table& table = input.table();
        const TableColumn& column = table.columns[static_cast<size_t>(table.columnIndex(name))];
        if (column.isText() || column.width != 1)
            throw InvalidArgument("expected a column of numbers, found " + column.name);
        std::vector<double> values;
        for (int64_t row = 0; row < table.rows(); ++row) values.push_back(column.number(row));
        return values;
    });
}

// A column of angles in radians; a column without a unit is in arc seconds, as position errors
// usually are.
std::vector<double> errorsOf(const Input& input, const std::string& name) {
    const Table& table = input.table();
    if (!table.find(name)) {
        Parameter angle;
        angle.kind = ParameterKind::Angle;
        try {
            const double one = std::get<double>(angle.parse(name));
            return std::vector<double>(static_cast<size_t>(table.rows()), one);
        } catch (const InvalidArgument&) {
            // `name` is not an angle: the error of the missing column lists the columns.
        }
    }
    std::vector<double> values = numbersOf(input, name);
    const TableColumn& column = table.columns[static_cast<size_t>(table.columnIndex(name))];
    const double unit = column.unit.empty() ? kArcsec : angleUnit(column.unit).value_or(0.0);
    if (!(unit > 0.0))
        throw InvalidArgument(input.name + ": expected errors as angles, found column " +
                              column.name + " in '" + column.unit + "'");
    for (double& v : values) v *= unit;
    return values;
}

Outputs run(Context& context, Inputs& inputs, const MatchOptions& p) {
    const Input &first = inputs["CATALOG"], &second = inputs["CATALOG2"];
    MatchParameters parameters{
        .radius = p.radius.value_or(kPi), .sigmas = p.sigmas, .find = p.find};
    if (!p.errors.empty()) {
        parameters.errors1 = errorsOf(first, p.errors);
        parameters.errors2 = errorsOf(second, p.errors2.empty() ? p.errors : p.errors2);
    }
    if (!p.brightness.empty()) {
        parameters.brightness = numbersOf(second, p.brightness);
        for (double& b : parameters.brightness) {
            if (p.magnitudes) b = -b;
            if (std::isnan(b)) b = -std::numeric_limits<double>::infinity();
        }
    }
    const Matches matches = naming(second.name, [&] {
        return matchCatalogs(first.catalog(), second.catalog(), parameters, context.job);
    });
    Catalog result = matchedCatalog(first.catalog(), second.catalog(), matches, p.join);
    if (matches.withoutPlace > 0)
        context.note(counted(matches.withoutPlace, "row") + " without a position");
    context.figures.set("rows", result.rows());
    context.figures.set("pairs", static_cast<int64_t>(matches.pairs.size()));
    context.figures.set("rows1", first.catalog().rows());
    context.figures.set("rows2", second.catalog().rows());
    const std::string summary = setByChance(
        context, result.rows(), static_cast<int64_t>(matches.pairs.size()), matches.byChance);
    Outputs outputs;
    outputs.push_back({"OUT", std::make_shared<const Catalog>(std::move(result)), summary});
    return outputs;
}

Columns columnsOfFirst(const ParameterSet& parameters) {
    return columnsOfPositions(parameters.as<MatchOptions>().positions);
}

Columns columnsOfSecond(const ParameterSet& parameters) {
    const auto& options = parameters.as<MatchOptions>();
    const bool isOwn = !options.positions2.lon.empty();
    Columns columns = columnsOfPositions(isOwn ? options.positions2 : options.positions);
    columns.orUsualPlaces = !isOwn;
    // Rows of the first catalog without a partner have no column of the second one.
    columns.onlyNamed = options.join == MatchJoin::Only1;
    for (const std::string& name : {options.errors, options.errors2, options.brightness})
        if (!name.empty()) columns.names.push_back(name);
    return columns;
}

}  // namespace

std::string setByChance(Context& context, int64_t rows, int64_t pairs, double byChance) {
    context.figures.set("expected_by_chance", byChance);
    std::array<char, 64> chance{};
    std::snprintf(chance.data(), chance.size(), "%.3g", byChance);
    return counted(rows, "row") + ", " + counted(pairs, "pair") + ", " + chance.data() +
           " within reach expected by chance";
}

Operation matchOperation() {
    return define<MatchOptions>(
        {.id = "match",
         .title = "Match catalogs",
         .help = "match two catalogs by position",
         .inputs = {{.name = "CATALOG",
                     .kind = DataKind::Catalog,
                     .help = "first catalog",
                     .columns = columnsOfFirst},
                    {.name = "CATALOG2",
                     .kind = DataKind::Catalog,
                     .help = "second catalog",
                     .frame = FrameRule::Compared,
                     .columns = columnsOfSecond}},
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Catalog,
                      .help = "output catalog: the columns of both, XSEP and P_CHANCE"}},
         .manual =
             "A pair is matched within --radius. With --errors, it is matched within --sigmas "
             "times the root of the sum of both squared errors (standard deviations on each axis; "
             "columns without a unit are arc seconds). This finds 1 - exp(-sigmas^2 / 2) of true "
             "pairs: 98.9 % for 3. Catalogs in different frames are rotated to one.\n\nXSEP is the "
             "separation in arc seconds. XSIG is the separation in units of both errors. P_CHANCE "
             "is the probability that an unrelated row of CATALOG2, as bright or brighter by "
             "--brightness, lies this close: 1 - exp(-n pi r^2), with the density n of such rows "
             "in a "
             "surrounding disc that holds about a hundred rows. With --radius, only the partitions "
             "of a HATS catalog near the rows of the other one are read.",
         .keyParameters = "radius,find"},
        {.check = check, .run = run});
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla select CATALOG OUT`: rows by conditions on columns and by places on the sky.
#include <algorithm>
#include <cmath>

#include "armilla/core/counted.h"
#include "armilla/core/number_text.h"
#include "armilla/core/physical_unit.h"
#include "armilla/core/row_expression.h"
#include "armilla/core/table_rows.h"
#include "armilla/io/region_io.h"
#include "armilla/ops/credible_volume.h"
#include "catalog_rows.h"
#include "credible_map.h"
#include "operation_list.h"

namespace armilla {

namespace {

struct SelectOptions {
    std::string where, region, level, distance;
    std::vector<std::string> columns;
    PositionNames positions;
};

void describe(Description& d, SelectOptions& p) {
    d.text("where", p.where, {.placeholder = "EXPRESSION"},
           "condition on columns of the rows to keep, such as \"SNR > 5 and FLAGS == 0\"");
    d.text("region", p.region, {.placeholder = "REGION"},
           "regions of the rows to keep, in DS9 notation, such as \"circle(120,30,5)\"; in the "
           "frame of the catalog unless they name another");
    d.text("level", p.level, {.placeholder = "LEVEL"},
           "probability of the credible region of --credible, such as 0.9 or 90%");
    d.text("distance", p.distance, {.placeholder = "COLUMN"},
           "column of distances: keep the rows in the credible volume of --credible, a map with "
           "DISTMU, DISTSIGMA and DISTNORM, instead of its region on the sky");
    d.words("columns", p.columns, {.standard = "all"}, "columns to keep, in this order");
    describePositions(d, p.positions);
}

Problems check(const SelectOptions& p, const GivenSlots& given) {
    Problems problems;
    if (given.contains("credible") != !p.level.empty())
        problems.push_back(p.level.empty()
                               ? Problem{"credible", "expected --level P as well, found none"}
                               : Problem{"level", "expected --credible MAP as well, found none"});
    if (!p.level.empty()) checkLevel("level", p.level, problems);
    if (!p.distance.empty() && p.level.empty())
        problems.push_back({"distance", "expected --credible MAP --level P as well, found none"});
    checkPositions(p.positions, problems);
    return problems;
}

std::vector<int64_t> rowsWhere(const Table& table, const SelectOptions& p, JobContext& job) {
    try {
        return RowExpression(p.where, table).rows(job);
    } catch (const ExpressionError& error) {
        throw UsageError("--where: " + error.message());
    } catch (InvalidArgument& error) {
        error.addContext("--where");
        throw;
    }
}

// The rows of `kept` whose value fulfills a condition.
template <typename Condition>
void keepRows(std::vector<char>& kept, const std::vector<double>& values,
              const Condition& condition) {
    for (size_t i = 0; i < kept.size(); ++i)
        if (!condition(values[i])) kept[i] = 0;
}

bool isInside(double value) {
    return value > 0.5;
}

std::vector<double> insideInput(const Catalog& catalog, const Input& input, const Context& context,
                                JobContext& job) {
    return naming(input.name, [&] {
        if (input.literal.empty()) return rowsInside(catalog, input.map(), job);
        std::vector<std::string> notes;
        const std::vector<Region> regions = readRegions(input.literal, &notes);
        for (const std::string& line : notes)
            if (context.note) context.note(input.literal + ": " + line);
        return rowsInRegions(catalog, regions, job);
    });
}

std::vector<double> insideText(const Catalog& catalog, const std::string& text, JobContext& job) {
    std::vector<Region> regions;
    try {
        for (NamedRegion& named : parseNamedRegions(text, catalog.frame()))
            regions.push_back(std::move(named.region));
    } catch (const IoError& error) {
        throw UsageError("--region: " + error.message());
    }
    return rowsInRegions(catalog, regions, job);
}

// The catalog whose positions a condition needs.
const Catalog& placesOf(const Input& input) {
    if (!std::holds_alternative<std::shared_ptr<const Table>>(input.data)) return input.catalog();
    std::string names;
    for (const TableColumn& column : input.table().columns)
        names += (names.empty() ? "" : ", ") + column.name;
    throw InvalidArgument(input.name +
                          ": expected columns of positions (RA and DEC, GLON and GLAT, ..., or "
                          "--lon and --lat) for --inside, --region and --credible, found columns " +
                          names);
}

// Factor from the unit of a column of distances to that of DISTMU.
double distanceRatio(const TableColumn& column, const Field& mu, const Input& input,
                     const Context& context) {
    const std::string unit = namesNoUnit(mu.unit) ? "Mpc" : mu.unit;
    if (namesNoUnit(column.unit)) {
        if (context.note)
            context.note(input.name + ": no unit of " + column.name + ", taken as " + unit);
        return 1.0;
    }
    const auto ratio = unitRatio(column.unit, unit);
    if (!ratio)
        throw InvalidArgument("expected a column of distances in a unit such as " + unit +
                              ", found " + column.name + " in " + column.unit);
    return *ratio;
}

// Marks the rows in the credible volume as kept, drops the others.
void keepVolume(std::vector<char>& kept, const Input& catalogInput, const Input& credible,
                const SelectOptions& p, Context& context, JobContext& job) {
    const Catalog& catalog = placesOf(catalogInput);
    const HealpixMap& map = credible.map();
    const auto fields = distanceFields(map, probabilityField(map).value_or(0));
    if (!fields)
        throw InvalidArgument(credible.name +
                              ": expected the fields DISTMU, DISTSIGMA and DISTNORM for "
                              "--distance, found " +
                              counted(static_cast<size_t>(map.fieldCount()), "field") +
                              " without them");
    const TableColumn& column =
        catalog.table.columns[static_cast<size_t>(catalog.table.columnIndex(p.distance))];
    const double ratio = distanceRatio(column, map.field(fields->mu), catalogInput, context);
    const CredibleVolume volume = naming(
        credible.name, [&] { return CredibleVolume(map, *fields, levelFromText(p.level), job); });
    if (context.note && volume.shareWithout() > 1e-3)
        context.note(credible.name + ": " + numberText(100.0 * volume.shareWithout()) +
                     " % of the probability has no distance and is in no volume");
    context.figures.set("volume", volume.volume());
    const Mat3 turn =
        map.frame() == catalog.frame() ? Mat3{} : frameRotation(map.frame(), catalog.frame());
    for (size_t row = 0; row < kept.size(); ++row) {
        const auto at = directionOfRow(catalog, static_cast<int64_t>(row), turn);
        const auto element = at ? map.elementOf(map.pixelAt(*at)) : std::nullopt;
        if (!element ||
            !volume.contains(*element, ratio * column.number(static_cast<int64_t>(row))))
            kept[row] = 0;
    }
}

Data outputOf(const Input& input, const std::vector<int64_t>& rows,
              const std::vector<std::string>& columns) {
    const auto* catalog = std::get_if<std::shared_ptr<const Catalog>>(&input.data);
    Table table = rowsOf(input.table(), rows);
    if (columns.empty()) {
        if (catalog == nullptr) return std::make_shared<const Table>(std::move(table));
        return std::make_shared<const Catalog>(Catalog{std::move(table), (*catalog)->position});
    }
    std::vector<TableColumn> chosen;
    for (const std::string& name : columns)
        chosen.push_back(table.columns[static_cast<size_t>(table.columnIndex(name))]);
    table.columns = std::move(chosen);
    const auto positions = findPositions(table);
    if (catalog != nullptr && positions) {
        Catalog kept{std::move(table), *positions};
        kept.position.frame = (*catalog)->frame();
        return std::make_shared<const Catalog>(std::move(kept));
    }
    return std::make_shared<const Table>(std::move(table));
}

Outputs run(Context& context, Inputs& inputs, const SelectOptions& p) {
    const Input& input = inputs["CATALOG"];
    const Table& table = input.table();
    JobContext job(context.job.stopToken(), {}, context.job.threads());
    std::vector<char> kept(static_cast<size_t>(table.rows()), 1);
    if (!p.where.empty()) {
        std::fill(kept.begin(), kept.end(), char{0});
        for (const int64_t row : rowsWhere(table, p, job)) kept[static_cast<size_t>(row)] = 1;
    }
    for (const Input* inside : inputs.several("inside"))
        keepRows(kept, insideInput(placesOf(input), *inside, context, job), isInside);
    if (!p.region.empty()) keepRows(kept, insideText(placesOf(input), p.region, job), isInside);
    if (const Input* credible = inputs.find("credible"); credible && !p.distance.empty()) {
        keepVolume(kept, input, *credible, p, context, job);
    } else if (credible) {
        const double level = levelFromText(p.level);
        keepRows(kept,
                 levelsOfRows(placesOf(input), *credible,
                              probabilityField(credible->map()).value_or(0), context, job),
                 [level](double value) { return isInRegion(value, level); });
    }
    std::vector<int64_t> rows;
    for (size_t row = 0; row < kept.size(); ++row)
        if (kept[row] != 0) rows.push_back(static_cast<int64_t>(row));
    context.figures.set("rows", static_cast<int64_t>(rows.size()));
    context.figures.set("rows_read", table.rows());
    const std::string summary =
        counted(rows.size(), "row") + ", " + counted(table.rows(), "row") + " read";
    Outputs outputs;
    outputs.push_back(
        {"OUT", naming(input.name, [&] { return outputOf(input, rows, p.columns); }), summary});
    return outputs;
}

Columns catalogColumns(const ParameterSet& parameters) {
    // Conditions on columns need no positions, so that a table without positions is read as well.
    const Columns named = columnsOfPositions(parameters.as<SelectOptions>().positions);
    return named.places.empty() ? Columns{Columns::Choice::All, {}} : named;
}

}  // namespace

Operation selectOperation() {
    const auto all = [](const ParameterSet&) { return Columns{Columns::Choice::Named, {}}; };
    return define<SelectOptions>(
        {.id = "select",
         .title = "Select rows",
         .help = "keep the rows of a catalog that fulfill conditions on columns and positions",
         .inputs = {{.name = "CATALOG",
                     .kind = DataKind::Catalog,
                     .help = "catalog to select from",
                     .columns = catalogColumns},
                    {.name = "inside",
                     .kind = DataKind::Map,
                     .help = "mask, MOC or file of DS9 regions (.reg) that holds the rows to keep",
                     .isOption = true,
                     .isOptional = true,
                     .isRepeatable = true,
                     .orRegions = true,
                     .frame = FrameRule::Own,
                     .columns = all},
                    {.name = "credible",
                     .kind = DataKind::Map,
                     .help = "probability map whose credible region of --level holds the rows to "
                             "keep",
                     .isOption = true,
                     .isOptional = true,
                     .frame = FrameRule::Compared,
                     .columns = all}},
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Catalog,
                      .help = "output catalog: the rows that fulfill all conditions",
                      .continues = "CATALOG"}},
         .manual =
             "A row is kept if it fulfills every condition given. --where takes column names, "
             "numbers and texts in quotes, + - * / % ^, comparisons, in, and, or, not, and the "
             "functions of calc; a missing value fulfills no comparison. A table without positions "
             "serves if no condition needs them. Rows without a position "
             "are outside every region. The credible region of level P holds the pixels with a "
             "CREDIBLE_LEVEL of at most P, as the command lookup defines it. The credible volume "
             "of level P (--distance) holds the places with the highest probability per volume "
             "that "
             "together have the probability P; along each direction the distance r has the density "
             "DISTNORM r^2 N(r; DISTMU, DISTSIGMA).",
         .keyParameters = "where,level"},
        {.check = check, .run = run});
}

}  // namespace armilla

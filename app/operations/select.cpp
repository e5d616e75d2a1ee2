// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla select CATALOG OUT`: rows by conditions on columns and by places on the sky.
#include <algorithm>
#include <cmath>

#include "armilla/core/counted.h"
#include "armilla/core/row_expression.h"
#include "armilla/core/table_rows.h"
#include "armilla/io/region_io.h"
#include "catalog_rows.h"
#include "credible_map.h"
#include "operation_list.h"

namespace armilla {

namespace {

struct SelectOptions {
    std::string where, region, level;
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

Data outputOf(Catalog catalog, const std::vector<std::string>& columns) {
    if (columns.empty()) return std::make_shared<const Catalog>(std::move(catalog));
    const Frame frame = catalog.frame();
    Table table = std::move(catalog.table);
    std::vector<TableColumn> chosen;
    for (const std::string& name : columns)
        chosen.push_back(table.columns[static_cast<size_t>(table.columnIndex(name))]);
    table.columns = std::move(chosen);
    if (const auto positions = findPositions(table)) {
        Catalog kept{std::move(table), *positions};
        kept.position.frame = frame;
        return std::make_shared<const Catalog>(std::move(kept));
    }
    return std::make_shared<const Table>(std::move(table));
}

Outputs run(Context& context, Inputs& inputs, const SelectOptions& p) {
    const Input& input = inputs["CATALOG"];
    const Catalog& catalog = input.catalog();
    JobContext job(context.job.stopToken(), {}, context.job.threads());
    std::vector<char> kept(static_cast<size_t>(catalog.rows()), 1);
    if (!p.where.empty()) {
        std::fill(kept.begin(), kept.end(), char{0});
        for (const int64_t row : rowsWhere(catalog.table, p, job))
            kept[static_cast<size_t>(row)] = 1;
    }
    for (const Input* inside : inputs.several("inside"))
        keepRows(kept, insideInput(catalog, *inside, context, job), isInside);
    if (!p.region.empty()) keepRows(kept, insideText(catalog, p.region, job), isInside);
    if (const Input* credible = inputs.find("credible")) {
        const double level = levelFromText(p.level);
        keepRows(kept,
                 levelsOfRows(catalog, *credible, probabilityField(credible->map()).value_or(0),
                              context, job),
                 [level](double value) { return isInRegion(value, level); });
    }
    std::vector<int64_t> rows;
    for (size_t row = 0; row < kept.size(); ++row)
        if (kept[row] != 0) rows.push_back(static_cast<int64_t>(row));
    Catalog selected{rowsOf(catalog.table, rows), catalog.position};
    context.figures.set("rows", static_cast<int64_t>(rows.size()));
    context.figures.set("rows_read", catalog.rows());
    const std::string summary =
        counted(rows.size(), "row") + ", " + counted(catalog.rows(), "row") + " read";
    Outputs outputs;
    outputs.push_back({"OUT",
                       naming(input.name, [&] { return outputOf(std::move(selected), p.columns); }),
                       summary});
    return outputs;
}

Columns catalogColumns(const ParameterSet& parameters) {
    return columnsOfPositions(parameters.as<SelectOptions>().positions);
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
             "functions of calc; a missing value fulfills no comparison. Rows without a position "
             "are outside every region. The credible region of level P holds the pixels with a "
             "CREDIBLE_LEVEL of at most P, as the command lookup defines it.",
         .keyParameters = "where,level"},
        {.check = check, .run = run});
}

}  // namespace armilla

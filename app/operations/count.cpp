// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla count CATALOG OUT`: rows of a catalog in each pixel.
#include <cmath>

#include "armilla/core/counted.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/operations/choices.h"
#include "armilla/operations/map_values.h"
#include "catalog_rows.h"
#include "operation_list.h"

namespace armilla {

namespace {

struct CountOptions {
    std::optional<int64_t> nside;
    Ordering ordering = Ordering::Ring;
    std::string weight;
    PositionNames positions;
};

void describe(Description& d, CountOptions& p) {
    d.integer("nside", p.nside,
              {.unit = "none",
               .least = 1,
               .most = static_cast<double>(kMaxNside),
               .required = true,
               .powerOfTwo = true,
               .label = "NSIDE"},
              "resolution of the map, a power of two");
    d.choice("ordering", p.ordering, kOrderingChoices, {}, "pixel ordering of the map");
    d.text("weight", p.weight, {.placeholder = "COLUMN"},
           "column to sum in each pixel; default: count rows");
    describePositions(d, p.positions);
}

Problems check(const CountOptions& p, const GivenSlots& /*given*/) {
    Problems problems;
    checkPositions(p.positions, problems);
    return problems;
}

const TableColumn* weightOf(const Table& table, const std::string& name) {
    if (name.empty()) return nullptr;
    const TableColumn& column = table.columns[static_cast<size_t>(table.columnIndex(name))];
    if (column.isText() || column.width != 1)
        throw InvalidArgument("expected a column of single numbers, found " + column.name);
    return &column;
}

Outputs run(Context& context, Inputs& inputs, const CountOptions& p) {
    const Input& input = inputs["CATALOG"];
    const Catalog& catalog = input.catalog();
    const TableColumn* const weight =
        naming(input.name, [&] { return weightOf(catalog.table, p.weight); });
    Field field;
    field.name = weight == nullptr ? "COUNTS" : weight->name;
    if (weight != nullptr) field.unit = weight->unit;
    field.diskType = weight == nullptr ? DiskType::Int64 : DiskType::Float64;
    auto sums = newVector<double>(pixelCount(*p.nside), context.job);
    int64_t taken = 0, withoutPlace = 0, withoutWeight = 0;
    for (int64_t row = 0; row < catalog.rows(); ++row) {
        if (row % kPixelGrain == 0) context.job.poll();
        const auto at = directionOfRow(catalog, row, Mat3{});
        const double value = weight == nullptr ? 1.0 : weight->number(row);
        if (!at) {
            ++withoutPlace;
        } else if (!std::isfinite(value)) {
            ++withoutWeight;
        } else {
            sums[static_cast<size_t>(pixelFromDirection(*p.nside, p.ordering, *at))] += value;
            ++taken;
        }
    }
    if (withoutPlace > 0 && context.note)
        context.note(counted(withoutPlace, "row") + " without a position: not counted");
    if (withoutWeight > 0 && context.note)
        context.note(counted(withoutWeight, "row") + " without a weight: not counted");
    field.values = std::move(sums);
    HealpixMap map(*p.nside, p.ordering, catalog.frame(), {std::move(field)});
    context.figures.set("nside", map.nside());
    context.figures.set("rows", taken);
    context.figures.set("rows_without_position", withoutPlace);
    const std::string summary = summaryOf(map) + "; " + counted(taken, "row");
    return {{"OUT", std::make_shared<const HealpixMap>(std::move(map)), summary}};
}

Columns catalogColumns(const ParameterSet& parameters) {
    return columnsOfPositions(parameters.as<CountOptions>().positions);
}

}  // namespace

Operation countOperation() {
    return define<CountOptions>(
        {.id = "count",
         .title = "Count rows",
         .help = "count the rows of a catalog, or sum a column, in each pixel of a map",
         .inputs = {{.name = "CATALOG",
                     .kind = DataKind::Catalog,
                     .help = "catalog of positions",
                     .columns = catalogColumns}},
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Map,
                      .help = "output map in the frame of the catalog; empty pixels are 0"}},
         .manual = "Rows without a position, or without a number in --weight, are not counted, and "
                   "their number is reported.",
         .keyParameters = "nside,weight"},
        {.check = check, .run = run});
}

}  // namespace armilla

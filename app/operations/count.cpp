// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla count CATALOG OUT`: rows of a catalog in each pixel.
#include <cmath>

#include "armilla/core/counted.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/one_field.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/operations/choices.h"
#include "armilla/operations/map_values.h"
#include "catalog_rows.h"
#include "operation_list.h"
#include "row_operations.h"

namespace armilla {

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

namespace {

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

}  // namespace

RowCounts::RowCounts(const CountOptions& p, JobContext& job)
    : nside_(*p.nside),
      ordering_(p.ordering),
      weight_(p.weight),
      sums_(newVector<double>(pixelCount(*p.nside), job)) {}

void RowCounts::add(const Input& input, JobContext& job) {
    const Catalog& catalog = input.catalog();
    const TableColumn* const weight =
        naming(input.name, [&] { return weightOf(catalog.table, weight_); });
    field_.name = weight == nullptr ? "COUNTS" : weight->name;
    if (weight != nullptr) field_.unit = weight->unit;
    frame_ = catalog.frame();
    // Pixels on all threads, some rows at a time; sums in the order of the rows.
    constexpr int64_t kRows = int64_t{1} << 20;
    std::vector<int64_t> pixels(static_cast<size_t>(std::min(kRows, catalog.rows())));
    JobContext silent(job.stopToken(), {}, job.threads());
    for (int64_t first = 0; first < catalog.rows(); first += kRows) {
        const int64_t count = std::min(kRows, catalog.rows() - first);
        parallelFor(silent, count, kPixelGrain, [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i) {
                const auto at = directionOfRow(catalog, first + i, Mat3{});
                pixels[static_cast<size_t>(i)] =
                    at ? pixelFromDirection(nside_, ordering_, *at) : -1;
            }
        });
        for (int64_t i = 0; i < count; ++i) {
            const int64_t pixel = pixels[static_cast<size_t>(i)];
            const double value = weight == nullptr ? 1.0 : weight->number(first + i);
            if (pixel < 0) {
                ++withoutPlace_;
            } else if (!std::isfinite(value)) {
                ++withoutWeight_;
            } else {
                sums_[static_cast<size_t>(pixel)] += value;
                ++taken_;
            }
        }
    }
}

Outputs RowCounts::finish(Context& context) {
    if (withoutPlace_ > 0 && context.note)
        context.note(counted(withoutPlace_, "row") + " without a position: not counted");
    if (withoutWeight_ > 0 && context.note)
        context.note(counted(withoutWeight_, "row") + " without a weight: not counted");
    field_.diskType = weight_.empty() ? DiskType::Int64 : DiskType::Float64;
    field_.values = std::move(sums_);
    HealpixMap map(nside_, ordering_, frame_, oneField(std::move(field_)));
    context.figures.set("nside", map.nside());
    context.figures.set("rows", taken_);
    context.figures.set("rows_without_position", withoutPlace_);
    const std::string summary = summaryOf(map) + "; " + counted(taken_, "row");
    return {{"OUT", std::make_shared<const HealpixMap>(std::move(map)), summary}};
}

namespace {

Outputs run(Context& context, Inputs& inputs, const CountOptions& p) {
    RowCounts counts(p, context.job);
    counts.add(inputs["CATALOG"], context.job);
    return counts.finish(context);
}

Columns catalogColumns(const ParameterSet& parameters) {
    const auto& options = parameters.as<CountOptions>();
    Columns columns = columnsOfPositions(options.positions);
    columns.onlyNamed = true;
    if (!options.weight.empty()) columns.names = {options.weight};
    return columns;
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

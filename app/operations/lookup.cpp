// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla lookup MAP CATALOG OUT`: values of a map at the positions of a catalog.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "armilla/core/counted.h"
#include "armilla/core/free_name.h"
#include "armilla/core/nan.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/probability.h"
#include "armilla/operations/image_planes.h"
#include "armilla/operations/map_values.h"
#include "catalog_rows.h"
#include "credible_map.h"
#include "image_sampler.h"
#include "operation_list.h"
#include "ring_image.h"
#include "row_operations.h"
#include "stokes.h"

namespace armilla {

namespace {

constexpr std::array<Choice<Between>, 2> kBetween{
    {{"nearest", Between::Nearest}, {"bilinear", Between::Bilinear}}};

}  // namespace

void describe(Description& d, LookupOptions& p) {
    d.choice("interpolation", p.interpolation, kBetween, {},
             "value at a position: of the pixel that contains it, or weighted between the four "
             "nearest pixels");
    describePositions(d, p.positions);
}

namespace {

Problems check(const LookupOptions& p, const GivenSlots& /*given*/) {
    Problems problems;
    checkPositions(p.positions, problems);
    return problems;
}

std::string nameIn(const Table& table, const std::string& name) {
    return freeName(name, [&](const std::string& word) { return table.find(word).has_value(); });
}

void addColumn(Table& table, const std::string& name, const std::string& unit,
               std::vector<double> values) {
    TableColumn column;
    column.name = nameIn(table, name);
    column.unit = unit;
    column.values = std::move(values);
    table.columns.push_back(std::move(column));
}

void addInside(Table& table, const std::vector<double>& inside) {
    TableColumn column;
    column.name = nameIn(table, "INSIDE");
    column.values = std::vector<int64_t>(inside.begin(), inside.end());
    table.columns.push_back(std::move(column));
}

std::vector<int> fieldsOf(const Input& input) {
    const HealpixMap& map = input.map();
    std::vector<int> fields;
    if (!input.field.empty() && input.field != "all")
        for (const std::string& name : splitAtCommas(input.field))
            fields.push_back(map.fieldIndex(name));
    else if (!input.fields.empty())
        fields = input.fields;
    return fields;
}

// Values of the planes of an image, all or those of --field, as columns of `table`.
void addImageValues(const Input& input, const Catalog& catalog, Between between, Table& table,
                    JobContext& job) {
    const Image& image = input.image();
    const std::vector<int> planes =
        planesNamed(image, splitAtCommas(input.field.empty() ? "all" : input.field));
    const ImageSampler sampler(image, job);
    const Mat3 turn = frameRotation(image.frame, catalog.frame());
    std::vector<std::vector<double>> values(
        planes.size(), std::vector<double>(static_cast<size_t>(catalog.rows()), kNan));
    constexpr int64_t kRows = 4096;
    parallelFor(job, catalog.rows(), kRows, [&](long long begin, long long end) {
        const ImageWcs wcs = sampler.wcs().copy();
        std::vector<Vec3> directions;
        for (long long row = begin; row < end; ++row)
            directions.push_back(
                directionOfRow(catalog, row, turn).value_or(Vec3{kNan, kNan, kNan}));
        std::vector<ImageCell> cells(directions.size());
        sampler.cells(wcs, directions, cells);
        for (size_t i = 0; i < planes.size(); ++i)
            for (long long row = begin; row < end; ++row) {
                const ImageCell& cell = cells[static_cast<size_t>(row - begin)];
                values[i][static_cast<size_t>(row)] = between == Between::Bilinear
                                                          ? sampler.bilinear(cell, planes[i])
                                                          : sampler.nearest(cell, planes[i]);
            }
    });
    for (size_t i = 0; i < planes.size(); ++i) {
        std::string name = image.planes[static_cast<size_t>(planes[i])].name;
        if (name.empty()) name = image.name.empty() ? "VALUE" : image.name;
        addColumn(table, name, image.unit, std::move(values[i]));
    }
}

}  // namespace

LookedUp::LookedUp(const LookupOptions& p, const Input& input, const Context& context,
                   JobContext& job)
    : input_(input), between_(p.interpolation) {
    if (isImage(input)) return;
    const HealpixMap& map = input.map();
    fields_ = naming(input.name, [&] { return fieldsOf(input); });
    isCoverage_ = isMoc(map);
    isMask_ = isCoverage_ || isMask(map, job);
    if (!isCoverage_)
        for (const int field : fields_) noteConvention(map, field, context.note);
    const auto probability = std::find_if(
        fields_.begin(), fields_.end(), [&](int field) { return isProbability(map.field(field)); });
    if (!isMask_ && probability != fields_.end())
        levels_ = levelsOf(input, *probability, context, job);
}

void LookedUp::addTo(Table& table, const Catalog& catalog, JobContext& job) const {
    if (isImage(input_)) {
        naming(input_.name, [&] { addImageValues(input_, catalog, between_, table, job); });
        return;
    }
    const HealpixMap& map = input_.map();
    for (const int field : fields_) {
        if (isCoverage_) break;
        addColumn(table, map.field(field).name, map.field(field).unit,
                  valuesOfRows(
                      catalog, map.frame(), kNan,
                      [&](Vec3 at) {
                          return between_ == Between::Bilinear ? interpolatedValue(map, field, at)
                                                               : map.value(field, map.pixelAt(at));
                      },
                      job));
    }
    if (isMask_)
        addInside(table, rowsInside(catalog, map, job));
    else if (levels_)
        addColumn(table, "CREDIBLE_LEVEL", "", levelsOfRows(catalog, map, *levels_, job));
}

int64_t rowsWithoutPlace(const Catalog& catalog) {
    int64_t without = 0;
    for (int64_t row = 0; row < catalog.rows(); ++row)
        if (!directionOfRow(catalog, row, Mat3{})) ++without;
    return without;
}

std::string setLookedUp(Context& context, const Table& table, size_t before, int64_t rows) {
    std::string names;
    Json added = Json::array();
    for (size_t i = before; i < table.columns.size(); ++i) {
        names += (names.empty() ? "" : ", ") + table.columns[i].name;
        added.add(table.columns[i].name);
    }
    context.figures.set("rows", rows);
    context.figures.set("columns", std::move(added));
    return counted(rows, "row") + "; added " + names;
}

namespace {

Outputs run(Context& context, Inputs& inputs, const LookupOptions& p) {
    const Input &input = inputs["MAP"], &rows = inputs["CATALOG"];
    Catalog result = rows.catalog();
    const Catalog& catalog = rows.catalog();
    JobContext job(context.job.stopToken(), {}, context.job.threads());
    LookedUp(p, input, context, job).addTo(result.table, catalog, job);
    const int64_t without = rowsWithoutPlace(catalog);
    if (without > 0 && context.note) context.note(counted(without, "row") + " without a position");
    const std::string summary =
        setLookedUp(context, result.table, catalog.table.columns.size(), catalog.rows());
    Outputs outputs;
    outputs.push_back({"OUT", std::make_shared<const Catalog>(std::move(result)), summary});
    return outputs;
}

Columns catalogColumns(const ParameterSet& parameters) {
    return columnsOfPositions(parameters.as<LookupOptions>().positions);
}

}  // namespace

Operation lookupOperation() {
    return define<LookupOptions>(
        {.id = "lookup",
         .title = "Look up",
         .help = "add the values of a map at the positions of a catalog as columns",
         .inputs = {{.name = "MAP",
                     .kind = DataKind::Map,
                     .help = "map, mask, MOC, or FITS image of the sky",
                     .orImage = true,
                     .columns =
                         [](const ParameterSet&) {
                             return Columns{Columns::Choice::All, {}};
                         }},
                    {.name = "CATALOG",
                     .kind = DataKind::Catalog,
                     .help = "catalog of positions",
                     .frame = FrameRule::Compared,
                     .columns = catalogColumns}},
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Catalog,
                      .help = "output catalog: the rows of CATALOG with a column for each field"}},
         .manual =
             "Positions are rotated to the frame of the map. A row off the map or on a bad pixel "
             "gets no value (NaN); bilinear weights the good ones of four pixels. All fields "
             "are looked up, or those that --field names; of an image the planes.\n\nA probability "
             "map (field PROB or "
             "PROBDENSITY) adds CREDIBLE_LEVEL: the probability of all pixels whose probability "
             "per area is at least that of the pixel of the row. A row is inside the 90 % region "
             "if its level is at most 0.9. A sum that differs from 1 by more than 0.001 is "
             "normalized, and reported. A MOC, or a mask of 0 and 1, adds INSIDE: 1 or 0.",
         .keyParameters = "interpolation"},
        {.check = check, .run = run});
}

}  // namespace armilla

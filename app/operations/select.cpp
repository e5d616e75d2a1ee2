// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla select CATALOG OUT`: rows by conditions on columns and by places on the sky.
#include <algorithm>
#include <cmath>

#include "armilla/core/counted.h"
#include "armilla/core/number_text.h"
#include "armilla/core/physical_unit.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/row_expression.h"
#include "armilla/core/table_rows.h"
#include "armilla/ops/credible_volume.h"
#include "catalog_rows.h"
#include "credible_map.h"
#include "operation_list.h"
#include "region_options.h"
#include "row_operations.h"

namespace armilla {

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

namespace {

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

// A wrong text is wrong usage here.
std::vector<Region> regionsOfOption(const std::string& text, Frame frame) {
    try {
        return regionsOfText(text, frame);
    } catch (const InvalidArgument& error) {
        throw UsageError(error.message());
    }
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

// Discs around the directions, in `frame`, of pixels that a condition on the values fulfills.
template <typename Condition>
DiscUnion partOfMap(const HealpixMap& map, Frame frame, const Condition& condition,
                    JobContext& job) {
    const Mat3 turn = frame == Frame::Equatorial ? Mat3{} : frameRotation(Frame::Equatorial, frame);
    std::vector<Vec3> directions;
    DiscUnion large;
    const bool isCells = map.coverage() == Coverage::MultiOrder;
    constexpr int kLargeOrder = 6;  // smaller cells are as pixels of this order
    for (int64_t i = 0; i < map.elementCount(); ++i) {
        if (i % kPixelGrain == 0) job.poll();
        if (!condition(i)) continue;
        const auto at = static_cast<size_t>(i);
        const int64_t pixel = map.pixels().empty() ? i : map.pixels()[at];
        if (isCells && map.cellOrders()[at] < kLargeOrder) {
            const int order = map.cellOrders()[at];
            large.push_back(discOfPixel(order, pixel >> 2 * (orderOf(map.nside()) - order)));
            large.back().center = turn * large.back().center;
        } else {
            directions.push_back(turn * (map.ordering() == Ordering::Ring
                                             ? directionFromRing(map.nside(), pixel)
                                             : directionFromNested(map.nside(), pixel)));
        }
    }
    const double margin = maximumPixelRadius(isCells ? int64_t{1} << kLargeOrder : map.nside());
    DiscUnion part = discsAround(directions, margin);
    part.insert(part.end(), large.begin(), large.end());
    return part;
}

}  // namespace

SelectedRows::SelectedRows(const SelectOptions& p, const Inputs& inputs, Context& context,
                           JobContext& job)
    : p_(p), inputs_(inputs), context_(context) {
    for (const Input* inside : inputs.several("inside"))
        regions_.push_back(
            inside->literal.empty() ? std::vector<Region>() : naming(inside->name, [&] {
                return regionsOfFile(inside->literal, context);
            }));
    const Input* credible = inputs.find("credible");
    if (credible == nullptr) return;
    const HealpixMap& map = credible->map();
    if (p.distance.empty()) {
        levels_ = levelsOf(*credible, probabilityField(map).value_or(0), context, job);
        return;
    }
    const auto fields = distanceFields(map, probabilityField(map).value_or(0));
    if (!fields)
        throw InvalidArgument(credible->name +
                              ": expected the fields DISTMU, DISTSIGMA and DISTNORM for "
                              "--distance, found " +
                              counted(static_cast<size_t>(map.fieldCount()), "field") +
                              " without them");
    distances_ = fields->mu;
    volume_ = naming(credible->name,
                     [&] { return CredibleVolume(map, *fields, levelFromText(p.level), job); });
    if (context.note && volume_->shareWithout() > 1e-3)
        context.note(credible->name + ": " + numberText(100.0 * volume_->shareWithout()) +
                     " % of the probability has no distance and is in no volume");
    context.figures.set("volume", volume_->volume());
}

void SelectedRows::keepVolume(std::vector<char>& kept, const Input& input) {
    const Catalog& catalog = placesOf(input);
    const HealpixMap& map = inputs_["credible"].map();
    const TableColumn& column =
        catalog.table.columns[static_cast<size_t>(catalog.table.columnIndex(p_.distance))];
    if (!distanceRatio_)
        distanceRatio_ = distanceRatio(column, map.field(distances_), input, context_);
    const Mat3 turn =
        map.frame() == catalog.frame() ? Mat3{} : frameRotation(map.frame(), catalog.frame());
    for (size_t row = 0; row < kept.size(); ++row) {
        const auto at = directionOfRow(catalog, static_cast<int64_t>(row), turn);
        const auto element = at ? map.elementOf(map.pixelAt(*at)) : std::nullopt;
        if (!element || !volume_->contains(
                            *element, *distanceRatio_ * column.number(static_cast<int64_t>(row))))
            kept[row] = 0;
    }
}

std::vector<int64_t> SelectedRows::operator()(const Input& input, JobContext& job) {
    const Table& table = input.table();
    std::vector<char> kept(static_cast<size_t>(table.rows()), 1);
    if (!p_.where.empty()) {
        std::fill(kept.begin(), kept.end(), char{0});
        for (const int64_t row : rowsWhere(table, p_, job)) kept[static_cast<size_t>(row)] = 1;
    }
    size_t file = 0;
    for (const Input* inside : inputs_.several("inside")) {
        const std::vector<Region>& regions = regions_[file++];
        keepRows(kept,
                 naming(inside->name,
                        [&] {
                            return inside->literal.empty()
                                       ? rowsInside(placesOf(input), inside->map(), job)
                                       : rowsInRegions(placesOf(input), regions, job);
                        }),
                 isInside);
    }
    if (!p_.region.empty()) {
        const Catalog& catalog = placesOf(input);
        keepRows(kept, rowsInRegions(catalog, regionsOfOption(p_.region, catalog.frame()), job),
                 isInside);
    }
    if (volume_) {
        keepVolume(kept, input);
    } else if (levels_) {
        const double level = levelFromText(p_.level);
        keepRows(kept, levelsOfRows(placesOf(input), inputs_["credible"].map(), *levels_, job),
                 [level](double value) { return isInRegion(value, level); });
    }
    std::vector<int64_t> rows;
    for (size_t row = 0; row < kept.size(); ++row)
        if (kept[row] != 0) rows.push_back(static_cast<int64_t>(row));
    return rows;
}

std::vector<std::string> SelectedRows::columns(const Table& outline) const {
    std::vector<std::string> names;
    if (!p_.distance.empty()) names.push_back(p_.distance);
    if (p_.where.empty()) return names;
    JobContext job;
    rowsWhere(outline, p_, job);  // describes errors of the condition
    const RowExpression condition(p_.where, outline);
    for (const int index : condition.columns())
        names.push_back(outline.columns[static_cast<size_t>(index)].name);
    return names;
}

std::vector<DiscUnion> SelectedRows::parts(JobContext& job) const {
    std::vector<DiscUnion> parts;
    const auto addRegions = [&](const std::vector<Region>& regions) {
        DiscUnion part;
        for (const Region& region : regions) {
            if (region.exclude) continue;
            if (region.frame == Frame::Unknown) return;
            const RegionTest test(region, Frame::Equatorial);
            part.push_back({test.center(), test.radius()});
        }
        parts.push_back(std::move(part));
    };
    size_t file = 0;
    for (const Input* inside : inputs_.several("inside")) {
        const std::vector<Region>& regions = regions_[file++];
        if (!inside->literal.empty()) {
            addRegions(regions);
            continue;
        }
        const HealpixMap& map = inside->map();
        const Frame frame =
            isMoc(map) && map.frame() == Frame::Unknown ? Frame::Equatorial : map.frame();
        if (frame == Frame::Unknown) continue;
        parts.push_back(partOfMap(
            map, frame, [&](int64_t i) { return map.field(0).at(i) > 0.5; }, job));
    }
    if (!p_.region.empty()) addRegions(regionsOfOption(p_.region, Frame::Equatorial));
    if (levels_ && inputs_["credible"].map().frame() != Frame::Unknown) {
        const double level = levelFromText(p_.level);
        const HealpixMap& map = inputs_["credible"].map();
        parts.push_back(partOfMap(
            map, map.frame(),
            [&](int64_t i) { return isInRegion(levels_->levels[static_cast<size_t>(i)], level); },
            job));
    }
    return parts;
}

Data selectedRows(const Input& input, const std::vector<int64_t>& rows,
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

std::string setSelected(Context& context, int64_t rows, int64_t read) {
    context.figures.set("rows", rows);
    context.figures.set("rows_read", read);
    return counted(rows, "row") + ", " + counted(read, "row") + " read";
}

namespace {

Outputs run(Context& context, Inputs& inputs, const SelectOptions& p) {
    const Input& input = inputs["CATALOG"];
    JobContext job(context.job.stopToken(), {}, context.job.threads());
    SelectedRows select(p, inputs, context, job);
    const std::vector<int64_t> rows = select(input, job);
    const std::string summary =
        setSelected(context, static_cast<int64_t>(rows.size()), input.table().rows());
    Outputs outputs;
    outputs.push_back(
        {"OUT", naming(input.name, [&] { return selectedRows(input, rows, p.columns); }), summary});
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
                     .panelLabel = "Credible region",
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

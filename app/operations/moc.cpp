// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla moc MOC OUT`: set operations on coverage maps, and their formats.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "armilla/core/counted.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/moc_io.h"
#include "armilla/operations/common_frame.h"
#include "catalog_rows.h"
#include "credible_map.h"
#include "operation_list.h"

namespace armilla {

namespace {

constexpr std::array<Choice<RangeJoin>, 4> kJoins{
    {{"union", RangeJoin::Union},
     {"intersection", RangeJoin::Intersection},
     {"difference", RangeJoin::Difference},
     {"symmetric-difference", RangeJoin::SymmetricDifference}}};
constexpr std::array<Choice<MocForm>, 2> kForms{
    {{"range", MocForm::Range}, {"nuniq", MocForm::Nuniq}}};

struct MocOptions {
    RangeJoin operation = RangeJoin::Union;
    bool complement = false;
    std::optional<int64_t> order;
    std::string credible;
    MocForm form = MocForm::Range;
    PositionNames positions;
};

void describe(Description& d, MocOptions& p) {
    d.choice("operation", p.operation, kJoins, {},
             "operation on the first input with each of --with in turn");
    d.flag("complement", p.complement, {}, "replace the result by its complement");
    d.integer("order", p.order,
              {.unit = "none",
               .least = 0,
               .most = kRangeOrder,
               .standard = "largest order of the inputs"},
              "largest order of the result; finer cells are replaced by the cells that hold them");
    d.text("credible", p.credible, {.placeholder = "LEVEL"},
           "probability of the credible region that replaces each probability map among the "
           "inputs, such as 0.9 or 90%");
    d.choice("serialization", p.form, kForms, {.advanced = true},
             "encoding in FITS files: ranges (MOC 2) or NUNIQ numbers (MOC 1)");
    describePositions(d, p.positions,
                      {"lon",
                       "column of longitudes (right ascensions) of catalogs among the inputs; "
                       "default: by UCD or usual names",
                       "lat",
                       "column of latitudes (declinations) of catalogs among the inputs; default: "
                       "by UCD or usual names"});
}

// Cells of an order that hold at least one row with a position.
SkyRanges rangesOfRows(const Catalog& catalog, int order, JobContext& job) {
    if (catalog.frame() == Frame::Unknown)
        throw InvalidArgument(
            "expected a catalog in a known frame, found none; state it with --input-frame G|C|E");
    const Mat3 turn = frameRotation(Frame::Equatorial, catalog.frame());
    const int shift = 2 * (kRangeOrder - order);
    std::vector<PixelRange> cells;
    for (int64_t row = 0; row < catalog.rows(); ++row) {
        if (row % kPixelGrain == 0) job.poll();
        const LonLat at = catalog.at(row);
        if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) continue;
        const int64_t pixel = nestedFromDirection(int64_t{1} << order, turn * direction(at));
        cells.push_back({pixel << shift, (pixel + 1) << shift});
    }
    if (cells.empty()) throw InvalidArgument("expected rows with a position, found none");
    return normalizedRanges(std::move(cells));
}

// Order of an input: the declared order of a MOC, or the order of the pixels of a map.
int orderOfInput(const Input& input) {
    if (std::holds_alternative<std::shared_ptr<const Catalog>>(input.data)) return 0;
    const HealpixMap& map = input.map();
    if (const auto declared = declaredMocOrder(map)) return *declared;
    int order = 0;
    while ((int64_t{1} << order) < map.nside()) ++order;
    return order;
}

Problems check(const MocOptions& p, const GivenSlots& /*given*/) {
    Problems problems;
    if (!p.credible.empty()) checkLevel("credible", p.credible, problems);
    checkPositions(p.positions, problems);
    return problems;
}

std::optional<int> probabilityFieldOf(const Input& input) {
    if (std::holds_alternative<std::shared_ptr<const Catalog>>(input.data)) return std::nullopt;
    return probabilityField(input.map());
}

// A MOC of a map that is no mask holds the pixels above 0.5, which is seldom meant.
void noteValues(const Input& input, const NoteLine& note) {
    const Field& field = input.map().field(0);
    for (int64_t i = 0; note && i < field.size(); ++i) {
        const double value = field.at(i);
        if (!(value < 0.0 || value > 1.0)) continue;
        note(input.name +
             ": not a mask, its values go beyond 0 to 1; the pixels above 0.5 are taken. Make a "
             "mask of others with 'armilla mask --above' or '--below'");
        return;
    }
}

SkyRanges rangesOfMap(Context& context, const Input& input, const MocOptions& p) {
    const auto probability = probabilityFieldOf(input);
    if (p.credible.empty() || !probability) {
        noteValues(input, context.note);
        return rangesWhere(input.map(), 0, context.job);
    }
    return rangesWhere(
        credibleMask(input, *probability, levelFromText(p.credible), context, context.job), 0,
        context.job);
}

Outputs run(Context& context, Inputs& inputs, const MocOptions& p) {
    if (!p.credible.empty() &&
        std::none_of(inputs.all.begin(), inputs.all.end(), probabilityFieldOf))
        throw InvalidArgument(inputs.all.front().name +
                              ": expected a probability map (field PROB or PROBDENSITY) for "
                              "--credible, found none");
    const auto rangesOf = [&](const Input& input) {
        return naming(input.name, [&] {
            if (!std::holds_alternative<std::shared_ptr<const Catalog>>(input.data))
                return rangesOfMap(context, input, p);
            if (!p.order)
                throw InvalidArgument(
                    "expected --order N for a catalog, whose cells have that order, found none");
            return rangesOfRows(input.catalog(), static_cast<int>(*p.order), context.job);
        });
    };
    SkyRanges ranges = rangesOf(inputs["MOC"]);
    int order = orderOfInput(inputs["MOC"]);
    for (const Input* other : inputs.several("with")) {
        ranges = joinedRanges(ranges, rangesOf(*other), p.operation);
        order = std::max(order, orderOfInput(*other));
    }
    if (p.complement) ranges = complementOf(ranges);
    if (p.order) ranges = coveredAt(ranges, static_cast<int>(*p.order));
    if (p.order) order = static_cast<int>(*p.order);
    const double share = shareOf(ranges);
    context.figures.set("order", order);
    context.figures.set("ranges", static_cast<int64_t>(ranges.size()));
    context.figures.set("cells", static_cast<int64_t>(cellsOf(ranges).size()));
    context.figures.set("share", share);
    std::array<char, 96> words{};
    std::snprintf(words.data(), words.size(), "order %d, %s, %.4g %% of the sky", order,
                  counted(ranges.size(), "range").c_str(), 100.0 * share);
    HealpixMap coverage = coverageOf(ranges, context.job);
    declareMocOrder(coverage, order);
    Output output{"OUT", std::make_shared<const HealpixMap>(std::move(coverage)), words.data()};
    output.write = [ranges, form = p.form, order](
                       const std::string& path, const FileWriteOptions& options, JobContext& job) {
        writeMoc(ranges, path, {options.overwrite, form, order, options.history}, job);
    };
    Outputs outputs;
    outputs.push_back(std::move(output));
    return outputs;
}

}  // namespace

Operation mocOperation() {
    const auto all = [](const ParameterSet& parameters) {
        Columns columns = columnsOfPositions(parameters.as<MocOptions>().positions);
        columns.choice = Columns::Choice::Named;
        columns.onlyNamed = true;
        return columns;
    };
    const auto others = [all](const ParameterSet& parameters) {
        Columns columns = all(parameters);
        columns.orUsualPlaces = true;
        return columns;
    };
    return define<MocOptions>(
        {.id = "moc",
         .title = "Coverage (MOC)",
         .help = "unite, intersect or subtract coverage maps and masks",
         .inputs =
             {{.name = "MOC",
               .kind = DataKind::Map,
               .help =
                   "MOC, mask (good above 0.5), probability map (with --credible), or catalog (the "
                   "cells of --order that hold a row)",
               .orCatalog = true,
               .columns = all},
              {.name = "with",
               .kind = DataKind::Map,
               .help = "MOC, mask or catalog to combine with",
               .panelLabel = "Other mask",
               .isOption = true,
               .isOptional = true,
               .isRepeatable = true,
               .orCatalog = true,
               .columns = others}},
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Map,
                      .help = "output MOC: FITS, .txt (ASCII) or .json",
                      .suffixes = ".fits,.fit,.txt,.json"}},
         .manual =
             "A MOC (IVOA, version 2.0) is a part of the sky made of HEALPix cells of "
             "several orders, in ICRS. FITS with ranges or NUNIQ numbers, ASCII and JSON are "
             "read and written; coverages in time are refused. Masks in other frames or "
             "orderings are looked up at the centers of the ICRS pixels of their nside. With "
             "--order, partly covered cells count as a whole. A catalog requires --order. With "
             "--credible, a probability map stands for the pixels whose CREDIBLE_LEVEL is at "
             "most LEVEL, as the command lookup defines it.",
         .keyParameters = "operation,order"},
        {.check = check, .run = run});
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla mask [MAP] OUT`: makes and combines masks.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "armilla/core/counted.h"
#include "armilla/core/physical_unit.h"
#include "armilla/core/sky_ranges.h"
#include "armilla/operations/choices.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/mask.h"
#include "armilla/ops/mask_strokes.h"
#include "armilla/ops/resample.h"
#include "catalog_rows.h"
#include "credible_map.h"
#include "mask_options.h"
#include "operation_list.h"
#include "region_options.h"
#include "ring_image.h"
#include "stokes.h"

namespace armilla {

void describe(Description& d, MaskOptions& p) {
    d.number("above", p.above, {.unit = "none", .label = "Cut above"},
             "largest good value: pixels of MAP above it are bad");
    d.number("below", p.below, {.unit = "none", .label = "Cut below"},
             "least good value: pixels of MAP below it are bad");
    d.text("credible", p.credible, {.label = "Credible region", .placeholder = "LEVEL"},
           "probability of the credible region of MAP, a probability map, such as 0.9 or 90%; "
           "pixels outside the region are bad");
    d.integer("nside", p.nside,
              {.unit = "none",
               .least = 1,
               .most = static_cast<double>(kMaxNside),
               .powerOfTwo = true,
               .standard = "nside of MAP",
               .label = "NSIDE"},
              "resolution of the mask");
    d.choice("children", p.children, kChildren, {.label = "Larger pixels"},
             "value of a pixel larger than those of MAP or --with: least value of the pixels in it "
             "(with --frame: overlapping it), their mean, or the value at its center");
    d.choice("ordering", p.ordering, kOrderingChoices, {.standard = "ordering of MAP, else ring"},
             "pixel ordering of the mask");
    d.frame("frame", p.frame, {.standard = "frame of MAP, else G"},
            "frame of the mask; MAP is looked up at its pixels");
    d.file("regions", p.regions, {}, "file of DS9 regions: circle, ellipse, box, annulus, polygon");
    d.text("region", p.region, {.placeholder = "REGION"},
           "regions in DS9 notation, such as \"circle(120,30,5)\"; in the frame of the mask unless "
           "they name another");
    d.choice("inside", p.inside, kInside, {.label = "Regions, MOCs"},
             "cut the pixels in regions and MOCs, or keep only these");
    d.angle("latitude", p.latitude,
            {.unit = "deg", .least = 0.0, .most = 0.5 * kPi, .label = "Cut latitude"},
            "cut pixels nearer than this to the Galactic plane");
    d.angle("radius", p.radius, {.unit = "arcmin", .least = 0.0, .most = kPi},
            "radius of the disc cut around each row of --catalog");
    d.angle("fwhm", p.fwhm, {.unit = "arcmin", .least = 0.0, .most = kPi, .label = "FWHM"},
            "beam FWHM that sets the discs of --catalog instead of --radius; their diameter is "
            "--beams times it");
    d.number("beams", p.beams,
             {.unit = "none",
              .least = 0.0,
              .most = 1000.0,
              .applies = [&p] { return p.fwhm.has_value(); }},
             "diameter in FWHM of the discs that --fwhm sets");
    d.choice("combine", p.combine, kJoins, {},
             "combine with the masks of --with: good in all (and) or in any (or)");
    d.text("strokes", p.strokes, {.advanced = true, .placeholder = "STROKES"},
           "brush strokes, such as \"cut G 0.5 120,30 121,30; restore G 0.2 120,30\": frame, "
           "radius and path in degrees");
    d.flag("invert", p.invert, {}, "exchange good and bad, after all cuts");
    d.text(
        "fill-holes", p.fillHoles, {.placeholder = "AREA"},
        "area, such as 1deg2 or 0.01sr: holes smaller than it become good; a hole is made of bad "
        "pixels that touch, also at corners");
    d.angle("shrink", p.shrink, {.unit = "deg", .least = 0.0, .most = kPi},
            "shrink bad areas by this angle");
    d.angle("grow", p.grow,
            {.unit = "deg", .least = 0.0, .most = kPi, .sliderMost = 20.0 * kDegree},
            "grow bad areas by this angle, after --shrink");
    d.angle("apodize", p.apodize,
            {.unit = "deg",
             .least = 0.0,
             .most = kPi,
             .aboveLeast = true,
             .sliderMost = 20.0 * kDegree},
            "apodize: let the mask rise from 0 at bad pixels to 1 at this angle from them");
    d.choice("apodization", p.apodization, kApodizations,
             {.applies = [&p] { return p.apodize.has_value(); }}, "profile of --apodize");
    describePositions(
        d, p.positions,
        {"lon",
         "column of longitudes (right ascensions) in --catalog; default: by UCD or usual names",
         "lat", "column of latitudes (declinations) in --catalog; default: by UCD or usual names"});
}

std::optional<double> solidAngleOf(std::string_view text) {
    double number = 0.0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
    const auto ratio = unitRatio(unit, "sr");
    if (failure != std::errc() || !ratio || !(number > 0.0) || !std::isfinite(number))
        return std::nullopt;
    return number * *ratio;
}

std::vector<int64_t> cellsOfAll(const std::vector<const Input*>& mocs, JobContext& job) {
    SkyRanges all;
    for (const Input* moc : mocs)
        naming(moc->name, [&] {
            // A MOC without a frame is in ICRS.
            HealpixMap stated;
            const HealpixMap* map = &moc->map();
            if (map->frame() == Frame::Unknown) {
                stated = *map;
                stated.setFrame(Frame::Equatorial);
                map = &stated;
            }
            all = joinedRanges(all, rangesWhere(*map, 0, job), RangeJoin::Union);
        });
    std::vector<int64_t> uniq;
    for (const SkyCell& cell : cellsOf(all))
        uniq.push_back((int64_t{4} << (2 * cell.order)) + cell.pixel);
    return uniq;
}

namespace {

Problems check(const MaskOptions& p, const GivenSlots& given) {
    Problems problems;
    if (!p.fillHoles.empty() && !solidAngleOf(p.fillHoles))
        problems.push_back(
            {"fill-holes", "expected an area above 0 with its unit (deg2, arcmin2, sr), found '" +
                               p.fillHoles + "'"});
    if (!given.contains("MAP")) {
        if (!p.nside && !given.contains("with"))
            problems.push_back({"", "expected MAP, --with or --nside, found none"});
        if (p.above || p.below)
            problems.push_back({p.above ? "above" : "below", "expected a MAP as well, found none"});
    }
    if (!p.credible.empty()) {
        checkLevel("credible", p.credible, problems);
        if (!given.contains("MAP") || p.above || p.below)
            problems.push_back(
                {"credible", "expected a MAP, and neither --above nor --below, found " +
                                 std::string(given.contains("MAP") ? "one" : "no MAP")});
    }
    if (given.contains("catalog") && (p.radius.has_value() == p.fwhm.has_value()))
        problems.push_back({"catalog", "expected one of --radius and --fwhm as well, found " +
                                           std::string(p.radius ? "both" : "none")});
    checkPositions(p.positions, problems);
    if (p.positions.lon.size() + p.positions.lat.size() > 0 && !given.contains("catalog"))
        problems.push_back({p.positions.lon.empty() ? "lat" : "lon",
                            "expected --catalog FILE as well, found none"});
    if (!p.strokes.empty()) try {
            parseStrokes(p.strokes);
        } catch (const InvalidArgument& error) {
            problems.push_back({"strokes", error.message()});
        }
    return problems;
}

// Mask of the values of the first field of a map.
HealpixMap asMask(const HealpixMap& map, DiskType type, JobContext& job) {
    return map.coverage() == Coverage::MultiOrder
               ? maskOfWeights(flattened(map, 0, job), 0, job, type)
               : maskOfWeights(map, 0, job, type);
}

// Mask of the credible region of a probability map. Multi-order maps get the pixels of their
// deepest order, or of kMaxFlattenNside, where --children sets the values of larger pixels.
HealpixMap maskOfCredible(const Input& input, const MaskOptions& p, const Context& context,
                          DiskType type, JobContext& job) {
    const HealpixMap& map = input.map();
    const int field =
        input.field.empty() ? probabilityField(map).value_or(0) : map.fieldIndex(input.field);
    HealpixMap inside = credibleMask(input, field, levelFromText(p.credible), context, job);
    const bool isDeep = map.coverage() == Coverage::MultiOrder && map.nside() > kMaxFlattenNside;
    inside = atOneOrder(std::move(inside), input.name, "taken", context.note, job);
    if (!isDeep || p.children == MaskChildren::Mean) return asMask(inside, type, job);
    return maskOfValues(inside, 0, p.children == MaskChildren::All ? 1.0 : 0.5, std::nullopt, job);
}

enum class MaskValues { None, ZeroAndOne, Weights };
// Classifies a field: a mask has good values from 0 to 1, with weights between at soft
// edges. A map with a unit, of counts or of probabilities is no mask.
MaskValues maskValuesOf(const Field& field) {
    bool hasZero = false, hasOne = false, hasMore = false, hasOther = false;
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
            for (size_t e = 0; e < values.size() && !hasOther; ++e) {
                const T value = values[e];
                hasOther = value < 0 || value > 1;
                hasZero = hasZero || value == 0;
                hasOne = hasOne || value == 1;
                hasMore = hasMore || (value > 0 && value < 1);
            }
        },
        field.values);
    if (hasOther) return MaskValues::None;
    if (!hasMore) return hasZero && hasOne ? MaskValues::ZeroAndOne : MaskValues::None;
    const bool isPlain =
        (field.unit.empty() || field.unit == "1") && degradeRule(field) == Degrade::Mean;
    return isPlain ? MaskValues::Weights : MaskValues::None;
}

// Mask of --with in the frame of the first input. A mask of 0 and 1 keeps these values: a pixel is
// good if at least half of its interpolation weights is.
HealpixMap maskInFrame(const NamedFrame& first, const Input& with, const Context& context,
                       DiskType type, JobContext& job) {
    const auto map = mapInFrameOf(first, with, context.note, job);
    const bool isHard = map->frame() != with.map().frame() &&
                        maskValuesOf(with.map().field(0)) == MaskValues::ZeroAndOne;
    return isHard ? maskOfValues(*map, 0, 0.5, std::nullopt, job) : asMask(*map, type, job);
}

// Whether any input beside the masks of --with marks pixels bad. Otherwise the first mask of --with
// is the start of the combination: a sky that is good everywhere would make "or" good everywhere.
bool cutsItself(Inputs& inputs, const MaskOptions& p) {
    return p.latitude || !p.regions.empty() || !p.region.empty() || inputs.find("catalog") ||
           !inputs.several("moc").empty();
}

// Cuts by latitude, coverage or catalog in a known frame require a mask in a known frame.
void requireFrame(const Input& madeOf, const MaskGrid& grid, Inputs& inputs, const MaskOptions& p) {
    if (grid.frame != Frame::Unknown) return;
    const Input* catalog = inputs.find("catalog");
    if (p.latitude || !inputs.several("moc").empty() ||
        (catalog != nullptr && catalog->catalog().frame() != Frame::Unknown))
        throw InvalidArgument(
            madeOf.name +
            ": expected a map in a known frame, found none; state it with --input-frame G|C|E");
}

HealpixMap withoutHoles(HealpixMap mask, const MaskOptions& p, Context& context, JobContext& job) {
    FilledHoles filled = filledHoles(std::move(mask), *solidAngleOf(p.fillHoles), job);
    context.figures.set("holes_filled", filled.holes);
    context.figures.set("pixels_filled", filled.pixels);
    if (context.note)
        context.note("filled " + counted(filled.holes, "hole") + " of " +
                     counted(filled.pixels, "pixel"));
    return std::move(filled.mask);
}

// Type of the computed and stored mask: double if --precision or an input is double, because masks
// may have soft edges.
DiskType typeOfResult(const Context& context, Inputs& inputs) {
    if (context.precision)
        return context.precision == StoredPrecision::Double ? DiskType::Float64 : DiskType::Float32;
    std::vector<const Input*> maps = inputs.several("with");
    if (const Input* map = inputs.find("MAP")) maps.push_back(map);
    const bool isDouble = std::any_of(maps.begin(), maps.end(), [](const Input* input) {
        const int field = input->fields.empty() ? 0 : input->fields.front();
        return input->map().fieldCount() > field &&
               input->map().field(field).diskType == DiskType::Float64;
    });
    return isDouble ? DiskType::Float64 : DiskType::Float32;
}

// The mask that MAP is, or that its values give.
HealpixMap maskOfMap(const Input& input, const MaskOptions& p, Context& context, DiskType type,
                     JobContext& job) {
    if (!p.credible.empty())
        return naming(input.name, [&] { return maskOfCredible(input, p, context, type, job); });
    const HealpixMap* from = &input.map();
    HealpixMap flat;
    int field = input.fields.front();
    if (from->coverage() == Coverage::MultiOrder) {
        flat = atOneOrder(withFields(*from, {field}), input.name, "taken", context.note, job);
        from = &flat;
        field = 0;
    }
    const MaskValues values =
        !p.above && !p.below ? maskValuesOf(from->field(field)) : MaskValues::None;
    const bool isOne = values != MaskValues::None;
    if (isOne && context.note)
        context.note(input.name + (values == MaskValues::Weights
                                       ? ": values from 0 to 1, used as the weights of a mask"
                                       : ": nothing but 0 and 1, used as a mask"));
    if (p.above || p.below) noteConvention(*from, field, context.note);
    return naming(input.name, [&] {
        if (isOne) return maskOfWeights(*from, field, job, type);
        return maskOfValues(*from, field, p.below, p.above, job);
    });
}

// The mask in the resolution, ordering, frame and type of the result.
HealpixMap onGrid(HealpixMap mask, const MaskGrid& grid, MaskChildren children, DiskType type,
                  JobContext& job) {
    if (grid.nside == mask.nside() && grid.ordering == mask.ordering() &&
        grid.frame == mask.frame() && (type != DiskType::Float64 || !mask.field(0).isSingle()))
        return mask;
    if (grid.nside < mask.nside()) return maskOnLargerPixels(mask, grid, children, job, type);
    return joined(wholeMask(grid, 1.0F, job, type), mask, MaskJoin::And, job);
}

// Cuts by latitude, regions, coverage and catalog.
HealpixMap withCuts(HealpixMap mask, const MaskGrid& grid, Context& context, Inputs& inputs,
                    const MaskOptions& p, JobContext& job) {
    const auto cut = [&](const HealpixMap& inside, Inside what) {
        mask = joined(mask, what == Inside::Cut ? invertedMask(inside, job) : inside, MaskJoin::And,
                      job);
    };
    if (p.latitude) mask = withoutLatitudes(std::move(mask), Frame::Galactic, *p.latitude, job);
    if (!p.regions.empty())
        naming(p.regions,
               [&] { cut(maskOfRegions(grid, regionsOfFile(p.regions, context), job), p.inside); });
    if (!p.region.empty())
        cut(maskOfRegions(grid, regionsOfText(p.region, grid.frame), job), p.inside);
    if (const auto mocs = inputs.several("moc"); !mocs.empty())
        cut(maskOfCells(grid, Frame::Equatorial, cellsOfAll(mocs, job), job), p.inside);
    if (const Input* catalog = inputs.find("catalog")) {
        const double radius = p.radius ? *p.radius : 0.5 * p.beams * *p.fwhm;
        naming(catalog->name,
               [&] { cut(maskOfCatalog(grid, catalog->catalog(), radius, job), Inside::Cut); });
    }
    return mask;
}

Outputs run(Context& context, Inputs& inputs, const MaskOptions& p) {
    const Input* map = inputs.find("MAP");
    if (map != nullptr && isImage(*map)) return maskOfImage(context, inputs, p);
    JobContext job(context.job.stopToken(), {}, context.job.threads());
    const DiskType type = typeOfResult(context, inputs);
    HealpixMap mask;
    size_t joinedFirst = 0;
    const std::vector<const Input*> others = inputs.several("with");
    if (map != nullptr) {
        mask = maskOfMap(*map, p, context, type, job);
    } else if (p.nside && (others.empty() || cutsItself(inputs, p))) {
        mask = wholeMask(
            {*p.nside, p.ordering.value_or(Ordering::Ring), p.frame.value_or(Frame::Galactic)},
            1.0F, job, type);
    } else {
        mask = asMask(others.front()->map(), type, job);
        joinedFirst = 1;
    }
    const MaskGrid grid{p.nside.value_or(mask.nside()), p.ordering.value_or(mask.ordering()),
                        p.frame.value_or(mask.frame())};
    mask = onGrid(std::move(mask), grid, p.children, type, job);
    if (map != nullptr || !others.empty())
        requireFrame(map != nullptr ? *map : *others.front(), grid, inputs, p);
    context.job.report(0.2, "mask");
    mask = withCuts(std::move(mask), grid, context, inputs, p, job);
    const NamedFrame own{map != nullptr    ? map->name
                         : joinedFirst > 0 ? others[0]->name
                                           : "the mask",
                         grid.frame};
    for (size_t i = joinedFirst; i < others.size(); ++i)
        mask = naming(others[i]->name, [&] {
            const HealpixMap other = maskInFrame(own, *others[i], context, type, job);
            if (other.nside() <= grid.nside) return joined(mask, other, p.combine, job);
            return joined(mask, maskOnLargerPixels(other, grid, p.children, job, type), p.combine,
                          job);
        });
    if (!p.strokes.empty()) paintStrokes(mask, parseStrokes(p.strokes), job);
    if (p.invert) mask = invertedMask(mask, job);
    if (!p.fillHoles.empty()) mask = withoutHoles(std::move(mask), p, context, job);
    context.job.report(0.4, "mask");
    if (p.shrink || p.grow || p.apodize)
        mask = maskWithEdges(mask, {p.shrink, p.grow, p.apodize, p.apodization}, job, type);
    const double share = goodShare(mask, job);
    context.figures.set("nside", mask.nside());
    context.figures.set("good_share", share);
    std::array<char, 64> percent{};
    std::snprintf(percent.data(), percent.size(), "; %.4g %% of the sky is good", 100.0 * share);
    const std::string summary = summaryOf(mask) + percent.data();
    return {{"OUT", std::make_shared<const HealpixMap>(std::move(mask)), summary}};
}

}  // namespace

Operation maskOperation() {
    const auto first = [](const ParameterSet&) { return Columns{Columns::Choice::Named, {"1"}}; };
    return define<MaskOptions>(
        {.id = "mask",
         .title = "Mask",
         .help = "make a mask from values, credible levels, regions, MOCs, catalogs, latitude and "
                 "other masks",
         .inputs =
             {{.name = "MAP",
               .kind = DataKind::Map,
               .help = "input map, or FITS image of the sky: its bad pixels are bad, and those "
                       "that --above and --below "
                       "exclude; without these options a map of values from 0 to 1 is a mask",
               .isOptional = true,
               .orImage = true,
               .columns =
                   [](const ParameterSet& parameters) {
                       const bool isAll = !parameters.as<MaskOptions>().credible.empty();
                       return Columns{isAll ? Columns::Choice::All : Columns::Choice::One, {}};
                   }},
              {.name = "moc",
               .kind = DataKind::Map,
               .help = "spatial MOC; of several, a pixel in any counts",
               .panelLabel = "MOC",
               .isOption = true,
               .isOptional = true,
               .isRepeatable = true,
               .columns =
                   [](const ParameterSet&) {
                       return Columns{Columns::Choice::Named, {}};
                   }},
              {.name = "catalog",
               .kind = DataKind::Catalog,
               .help = "catalog: a disc around each row is cut",
               .isOption = true,
               .isOptional = true,
               .columns =
                   [](const ParameterSet& parameters) {
                       Columns columns = columnsOfPositions(parameters.as<MaskOptions>().positions);
                       columns.onlyNamed = true;
                       return columns;
                   }},
              {.name = "with",
               .kind = DataKind::Map,
               .help = "mask to combine with, rotated to the frame of the result",
               .panelLabel = "Other mask",
               .isOption = true,
               .isOptional = true,
               .isRepeatable = true,
               .columns = first}},
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Map,
                      .help = "output mask: 1 where the sky is good, 0 where it is bad"}},
         .manual = "The steps are applied in this order: bad pixels and values of MAP; cuts by "
                   "latitude, regions, MOC and catalog; other masks; strokes; --invert; "
                   "--fill-holes; --shrink; --grow; --apodize. A cut affects a pixel if it holds "
                   "the center of the pixel. "
                   "For masks with smaller pixels --children decides. Angles between pixels are "
                   "angles on the sphere.\n\n--credible ranks pixels by probability per area, as "
                   "lookup does: a pixel is inside if the probability of all pixels whose "
                   "probability per area is at least its own does not exceed the level. The "
                   "first field of probabilities is used, or that of --field.\n\nWith x = sqrt((1 "
                   "- cos theta) / (1 - cos angle)), "
                   "apodization c1 is x - sin(2 pi x) / (2 pi), c2 is (1 - cos(pi x)) / 2, and "
                   "gaussian is 1 - exp(-(3 theta / angle)^2 / 2).",
         .keyParameters = "grow,apodize"},
        {.check = check, .run = run});
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla stats MAP OUT`: statistics, histogram and radial profile within regions.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>

#include "armilla/core/counted.h"
#include "armilla/core/units.h"
#include "armilla/operations/image_planes.h"
#include "armilla/operations/map_values.h"
#include "armilla/operations/region_table.h"
#include "armilla/ops/area_statistics.h"
#include "armilla/ops/brightness.h"
#include "armilla/ops/resample.h"
#include "image_sampler.h"
#include "operation_list.h"
#include "region_options.h"
#include "ring_image.h"
#include "stats_parts.h"
#include "stokes.h"

namespace armilla {

void describe(Description& d, StatsOptions& p) {
    d.file("regions", p.regions, {},
           "file of DS9 regions, each a row of the result: circle, ellipse, box, annulus, polygon");
    d.text("region", p.region, {.placeholder = "SHAPE"},
           "regions in DS9 notation, such as \"circle(184.5,-5.8,1)\"; in --frame unless they name "
           "another");
    d.position("center", p.center, {},
               "center of the circle or ring of --radius, or of the profile");
    d.angle("radius", p.radius, {.unit = "deg", .least = 0.0, .most = kPi},
            "radius of a circle around --center");
    d.angle("inner", p.inner, {.unit = "deg", .least = 0.0, .most = kPi},
            "inner radius of a ring, whose outer radius is --radius");
    d.frame("frame", p.frame, {.standard = "frame of MAP"}, "frame of positions, read and written");
    d.integer("bins", p.bins, {.unit = "none", .least = 1, .most = 100000},
              "number of bins of the histogram");
    d.number("min", p.least, {.unit = "none", .standard = "least value"},
             "lower end of the histogram");
    d.number("max", p.most, {.unit = "none", .standard = "largest value"},
             "upper end of the histogram");
    d.angle("step", p.step,
            {.unit = "arcmin",
             .least = 0.0,
             .most = kPi,
             .aboveLeast = true,
             .standard = "size of a pixel"},
            "width of the rings of the profile");
}

std::vector<SkyPart> partsOf(const Context& context, const StatsOptions& p, Frame frame,
                             const HealpixMap* moc) {
    std::vector<SkyPart> parts;
    const SkyPart sky{.name = moc != nullptr ? "mask" : "all"};
    if (!p.regions.empty())
        naming(p.regions, [&] { appendParts(parts, namedRegionsOfFile(p.regions, context), sky); });
    if (!p.region.empty()) {
        const std::vector<NamedRegion> regions = namedRegionsOfText(p.region, frame);
        try {
            appendParts(parts, regions, sky);
        } catch (const InvalidArgument& error) {
            throw InvalidArgument("--region: " + error.message());
        }
    }
    if (p.radius) {
        Region region;
        region.frame = frame;
        region.points = {p.center->in(frame)};
        region.shape = p.inner ? RegionShape::Annulus : RegionShape::Circle;
        region.first = p.inner.value_or(*p.radius);
        region.second = p.inner ? *p.radius : 0.0;
        appendParts(parts, std::vector{NamedRegion{region, ""}}, sky);
    }
    if (parts.empty()) parts.push_back(sky);
    for (SkyPart& part : parts) part.mask = moc;
    return parts;
}

namespace {

// Profiles of all regions on the same rings. With several regions, their numbers follow the names.
// `own`: the frame of the pixels; `pixel`: their size; `profile(i, center, rings)` makes one.
template <class Profile>
Curve profilesBy(Frame own, double pixel, const std::vector<SkyPart>& parts, const StatsOptions& p,
                 Frame frame, const Profile& profile) {
    std::vector<Vec3> centers;
    double reach = 0.0;
    for (size_t i = 0; i < parts.size(); ++i) {
        const std::optional<Vec3> middle = parts[i].center(own);
        if (!middle && !p.center)
            throw InvalidArgument("--profile: expected --center for a region without a center ('" +
                                  parts[i].name + "'), found none");
        centers.push_back(middle ? *middle
                                 : frameRotation(own, frame) * direction(p.center->in(frame)));
        reach = std::max(reach, middle ? RegionTest(*parts[i].region, own).radius() : kPi);
    }
    const ProfileParameters rings{p.step.value_or(std::max(pixel, reach / 1000.0)),
                                  std::max(reach, 0.5 * pixel)};
    Curve all;
    for (size_t i = 0; i < parts.size(); ++i) {
        Curve one = profile(i, centers[i], rings);
        if (parts.size() > 1)
            for (CurveSeries& series : one.series) series.name += "_" + std::to_string(i + 1);
        if (i == 0)
            all = std::move(one);
        else
            for (CurveSeries& series : one.series) all.series.push_back(std::move(series));
    }
    return all;
}

}  // namespace

Curve profilesOf(const HealpixMap& map, const std::vector<PartValues>& values,
                 const std::vector<SkyPart>& parts, const StatsOptions& p, Frame frame,
                 const std::string& unit) {
    const double pixel = std::sqrt(4.0 * kPi / static_cast<double>(map.pixelCount()));
    return profilesBy(map.frame(), pixel, parts, p, frame,
                      [&](size_t i, Vec3 center, const ProfileParameters& rings) {
                          return radialProfile(map, values[i], center, rings, unit);
                      });
}

namespace {

Json jsonOf(const std::vector<SkyPart>& parts, const std::vector<AreaStatistics>& figures,
            const SkyIntegral& integral) {
    Json array = Json::array();
    for (size_t i = 0; i < parts.size(); ++i) {
        Json row = Json::object();
        row.set("name", parts[i].name);
        row.set("pixels", figures[i].pixels);
        row.set("good", figures[i].good);
        row.set("sum", figures[i].sum);
        row.set("integral", integral.of(figures[i]));
        row.set("integral_unit", integral.unit);
        row.set("mean", figures[i].mean);
        row.set("median", figures[i].median);
        row.set("std", figures[i].standardDeviation);
        row.set("min", figures[i].least);
        row.set("max", figures[i].largest);
        array.add(std::move(row));
    }
    return array;
}

}  // namespace

Outputs figuresOutput(Context& context, Frame own, const std::vector<SkyPart>& parts,
                      const std::vector<AreaStatistics>& figures, Frame frame,
                      const std::string& unit, const SkyIntegral& integral) {
    Table table = regionTable(own, parts, figures, frame, unit, integral);
    context.figures.set("regions", jsonOf(parts, figures, integral));
    std::array<char, 128> words{};
    std::snprintf(words.data(), words.size(), "%s; the first: mean %.6g, deviation %.4g",
                  counted(parts.size(), "region").c_str(), figures.front().mean,
                  figures.front().standardDeviation);
    Outputs outputs;
    outputs.push_back({"OUT", std::make_shared<const Table>(std::move(table)), words.data()});
    return outputs;
}

namespace {

Problems check(const StatsOptions& p, const GivenSlots& given) {
    Problems problems;
    if ((p.radius || p.inner) && !p.center)
        problems.push_back(
            {p.radius ? "radius" : "inner", "expected --center as well, found none"});
    if (p.inner && !p.radius)
        problems.push_back({"inner", "expected --radius as well, found none"});
    if (p.inner && p.radius && *p.inner > *p.radius)
        problems.push_back({"inner", "expected at most --radius, found more"});
    if (given.contains("profile") && p.regions.empty() && p.region.empty() && !p.center)
        problems.push_back({"profile", "expected a region or --center as well, found none"});
    if (p.least && p.most && !(*p.least <= *p.most))
        problems.push_back({"max", "expected at least --min, found less"});
    return problems;
}

Curve histogramOf(const std::vector<PartValues>& values, const std::vector<SkyPart>& parts,
                  const StatsOptions& p, const std::string& unit) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const PartValues& part : values)
        for (const double v : part.values) {
            low = std::min(low, v);
            high = std::max(high, v);
        }
    if (!(low <= high)) low = high = 0.0;
    std::vector<std::string> names;
    for (size_t i = 0; i < parts.size(); ++i) names.push_back(std::to_string(i + 1));
    return partHistogram(values, names, p.least.value_or(low), p.most.value_or(high),
                         static_cast<int>(p.bins), unit);
}

// A plane of an image, the first or the one of --field, with its solid angles as weights.
Outputs runOnImage(Context& context, const Inputs& inputs, const StatsOptions& p) {
    const Input& input = inputs["MAP"];
    const Image& image = input.image();
    const Input* moc = inputs.find("moc");
    const Frame frame = p.frame.value_or(image.frame);
    const std::vector<SkyPart> parts =
        partsOf(context, p, frame, moc != nullptr ? &moc->map() : nullptr);
    std::vector<AreaStatistics> figures;
    std::vector<PartValues> kept;
    std::optional<Curve> profile;
    const std::string unit = standardUnit(image.unit);
    naming(input.name, [&] {
        const int plane = planeNamed(image, input.field);
        const ImageSampler sampler(image, context.job);
        const std::vector<double> areas = solidAngles(image, sampler.centers(), context.job);
        const std::vector<double> values = std::visit(
            [&](const auto& all) {
                const auto begin = all.begin() + plane * image.planeSize();
                return std::vector<double>(begin, begin + image.planeSize());
            },
            image.values);
        const SkyPixels pixels{image.frame, sampler.centers(), areas};
        std::vector<AreaValues> all;
        for (const SkyPart& part : parts) {
            all.push_back(areaValues(pixels, values, part, context.job));
            figures.push_back(areaStatistics(pixels, all.back()));
        }
        if (context.wanted.contains("profile"))
            profile = profilesBy(image.frame, sampler.wcs().pixelSize(), parts, p, frame,
                                 [&](size_t i, Vec3 center, const ProfileParameters& rings) {
                                     return radialProfile(pixels, all[i], center, rings, unit);
                                 });
        kept.assign(std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
    });
    Field field;
    field.name = image.name;
    field.unit = image.unit;
    Outputs outputs = figuresOutput(context, image.frame, parts, figures, frame, unit,
                                    integralOf(image.cards, field, context.note));
    if (context.wanted.contains("histogram"))
        outputs.push_back({"histogram",
                           std::make_shared<const Curve>(histogramOf(kept, parts, p, unit)),
                           counted(p.bins, "bin")});
    if (profile) {
        const std::string about = counted(profile->size(), "ring");
        outputs.push_back({"profile", std::make_shared<const Curve>(std::move(*profile)), about});
    }
    return outputs;
}

Outputs run(Context& context, Inputs& inputs, const StatsOptions& p) {
    const Input& input = inputs["MAP"];
    if (isImage(input)) return runOnImage(context, inputs, p);
    HealpixMap flat;
    const HealpixMap* map = input.view ? &input.view->outline : &input.map();
    int field = input.fields.front();
    const auto valuesOf = [&](const SkyPart& part, JobContext& job) {
        if (!input.view) return partValues(*map, field, part, job);
        return partValues({map->nside(), Ordering::Ring, map->frame(), 0,
                           input.view->samples.at(static_cast<size_t>(field))},
                          part, job);
    };
    if (map->coverage() == Coverage::MultiOrder) {
        flat = atOneOrder(withFields(*map, {field}), input.name, "measured", context.note,
                          context.job);
        map = &flat;
        field = 0;
    }
    const Input* moc = inputs.find("moc");
    const Frame frame = p.frame.value_or(map->frame());
    const std::vector<SkyPart> parts =
        partsOf(context, p, frame, moc != nullptr ? &moc->map() : nullptr);
    const std::string unit = standardUnit(map->field(field).unit);
    std::vector<PartValues> values;
    std::vector<AreaStatistics> figures;
    const bool keep = context.wanted.contains("histogram") || context.wanted.contains("profile");
    for (size_t i = 0; i < parts.size(); ++i) {
        const auto count = static_cast<double>(parts.size());
        JobContext share =
            context.job.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
        PartValues found = naming(input.name, [&] { return valuesOf(parts[i], share); });
        if (keep) values.push_back(found);
        figures.push_back(mapStatistics(*map, std::move(found)));
    }
    noteConvention(*map, field, context.note);
    const SkyIntegral integral = integralOf(map->metadata().cards, map->field(field), context.note);
    Outputs outputs = figuresOutput(context, map->frame(), parts, figures, frame, unit, integral);
    if (context.wanted.contains("histogram"))
        outputs.push_back({"histogram",
                           std::make_shared<const Curve>(histogramOf(values, parts, p, unit)),
                           counted(p.bins, "bin")});
    if (context.wanted.contains("profile")) {
        Curve profile = profilesOf(*map, values, parts, p, frame, unit);
        const std::string about = counted(profile.size(), "ring");
        outputs.push_back({"profile", std::make_shared<const Curve>(std::move(profile)), about});
    }
    return outputs;
}

}  // namespace

Operation statsOperation() {
    return define<StatsOptions>(
        {.id = "stats",
         .title = "Region statistics",
         .help = "compute statistics, histogram and radial profile of a map within regions",
         .inputs = {{.name = "MAP",
                     .kind = DataKind::Map,
                     .help = "input map, or FITS image of the sky",
                     .orImage = true,
                     .readsInPlace = [](const ParameterSet&, const GivenSlots&) { return true; }},
                    {.name = "moc",
                     .kind = DataKind::Map,
                     .help = "MOC or mask of the pixels that count",
                     .panelLabel = "MOC",
                     .isOption = true,
                     .isOptional = true,
                     .frame = FrameRule::Compared,
                     .columns =
                         [](const ParameterSet&) {
                             return Columns{Columns::Choice::Named, {}};
                         }}},
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Table,
                      .help = "output table with a row for each region"},
                     {.name = "histogram",
                      .kind = DataKind::Curve,
                      .help = "output file of the histogram, a column for each region",
                      .isOption = true},
                     {.name = "profile",
                      .kind = DataKind::Curve,
                      .help = "output file of the means in rings around the center of each region",
                      .isOption = true}},
         .manual =
             "The regions come from a DS9 file, from --region, and from the circle or ring of "
             "--center, --radius and --inner. An excluding region subtracts from the regions "
             "before it; if all exclude, they subtract from the full sky. Without any region, the "
             "full sky or the area of --moc counts. A pixel belongs to a region that holds its "
             "center; bad pixels are skipped. Pixels of an image count by their solid angles in "
             "MEAN, STD, MEDIAN and percentiles.\n\n"
             "INTEGRAL is SUM times the solid angle of a pixel, such as Jy of a map in Jy/sr. In a "
             "map per beam with BMAJ and BMIN it is SUM divided "
             "by the pixels in a beam, such as Jy of a map in Jy/beam. For counts and "
             "probabilities per pixel it is SUM.\n\nSTD is the standard deviation of the pixels, "
             "P16 "
             "and P84 are percentiles. In the profile, MEAN_ERR is the standard deviation of the "
             "mean under the assumption that pixels are independent; pixels of an image count by "
             "their solid angles.",
         .keyParameters = "region,radius"},
        {.check = check, .run = run});
}

}  // namespace armilla

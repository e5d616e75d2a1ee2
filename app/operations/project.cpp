// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla project MAP OUT.fits`: projects a view to a FITS image with world coordinates.
#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/equatorial_frame.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/units.h"
#include "armilla/draw/image_renderer.h"
#include "armilla/io/image_file.h"
#include "armilla/io/image_io.h"
#include "armilla/operations/drawn_field.h"
#include "armilla/operations/map_values.h"
#include "armilla/operations/view.h"
#include "armilla/ops/frame_turn.h"
#include "image_like.h"
#include "operation_list.h"
#include "stokes.h"

namespace armilla {

namespace {

constexpr std::array<Choice<PixelInterpolation>, 2> kInterpolations{
    {{"nearest", PixelInterpolation::Nearest}, {"bilinear", PixelInterpolation::Bilinear}}};

struct ProjectOptions {
    ViewOptions view;
    PixelInterpolation interpolation = PixelInterpolation::Nearest;
    std::string like;
};

void describe(Description& d, ProjectOptions& p) {
    describe(d, p.view);
    d.choice("interpolation", p.interpolation, kInterpolations, {},
             "interpolation between pixels of the map");
    d.file("like", p.like, {.placeholder = "IMAGE"},
           "image whose pixel grid the output takes, instead of a view");
}

Problems check(const ProjectOptions& p, const GivenSlots& /*given*/) {
    const ViewOptions& view = p.view;
    if (!p.like.empty() && (view.center || view.rotation || view.resolution || view.size ||
                            view.flip || view.projection != Projection::Mollweide))
        return {{"like",
                 "expected no --projection, --center, --rotate, --size, --resolution and --flip "
                 "beside it, found one"}};
    return {};
}

void resolve(ProjectOptions& options, const Inputs& inputs) {
    if (!options.like.empty()) return;  // the image has a frame
    const Frame frame = inputs["MAP"].map().frame();
    if (!options.view.frame && frame != Frame::Unknown) options.view.frame = frame;
}

// Rows of a FITS image run up from the bottom, rows of a picture down from the top.
template <typename T>
std::vector<T> turnedOver(const std::vector<double>& values, int64_t width) {
    std::vector<T> turned(values.size());
    const int64_t rows = static_cast<int64_t>(values.size()) / width;
    for (int64_t y = 0; y < rows; ++y)
        for (int64_t x = 0; x < width; ++x)
            turned[static_cast<size_t>((rows - 1 - y) * width + x)] =
                static_cast<T>(values[static_cast<size_t>(y * width + x)]);
    return turned;
}

// Handles a view without a value: an error if the map has no good pixel, otherwise a note.
void tellOfNothing(const Context& context, const std::string& name, const Field& field) {
    bool isGood = false;
    for (int64_t e = 0; !isGood && e < field.size(); ++e) isGood = std::isfinite(field.at(e));
    if (!isGood)
        throw InvalidArgument(name + ": expected a good pixel in the field " + field.name +
                              ", found none");
    if (context.note) context.note(name + ": no good pixel of " + field.name + " in the view");
}

[[noreturn]] void refuseUnknownFrame(const std::string& name) {
    throw InvalidArgument(name +
                          ": expected a map that names its frame (COORDSYS G, E or C), found "
                          "none; state it with --input-frame G|E|C");
}

double valueAt(const HealpixMap& map, int field, Vec3 at, PixelInterpolation interpolation) {
    return interpolation == PixelInterpolation::Bilinear ? interpolatedValue(map, field, at)
                                                         : map.value(field, map.pixelAt(at));
}

// Values at the pixels of an image, bottom row first. Q and U refer to the meridians of the image,
// also if that is in FK4 or FK5.
std::vector<double> valuesOnGrid(const DrawnField& drawn, const ImageGrid& grid,
                                 PixelInterpolation interpolation, JobContext& job) {
    const HealpixMap& map = *drawn.map;
    const std::vector<Vec3> cells = pixelDirections(grid, job);
    const Mat3 toMap = frameRotation(map.frame(), grid.frame);
    std::optional<ToIcrs> toIcrs;
    if (const auto own = ImageWcs(grid.wcsCards, grid.width, grid.height).equatorial())
        toIcrs.emplace(*own);
    std::optional<std::pair<int, int>> pair;
    for (const auto& [q, u] : map.polarizationPairs())
        if (toIcrs && (q == drawn.field || u == drawn.field)) pair = {q, u};
    std::vector<double> values = newVector<double>(std::ssize(cells), job, kNan);
    parallelFor(
        job, std::ssize(cells), kPixelGrain / 4,
        [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i) {
                const Vec3 cell = cells[static_cast<size_t>(i)];
                double& value = values[static_cast<size_t>(i)];
                if (!std::isfinite(cell.z)) continue;
                const Vec3 at = toMap * cell;
                if (!pair) {
                    value = valueAt(map, drawn.field, at, interpolation);
                    continue;
                }
                double q = valueAt(map, pair->first, at, interpolation),
                       u = valueAt(map, pair->second, at, interpolation);
                turnStokes(toIcrs->northAngle(toIcrs->inverse(cell)), q, u);
                value = drawn.field == pair->first ? q : u;
            }
        },
        "image");
    return values;
}

Outputs runLike(Context& context, const Input& input, const ProjectOptions& options) {
    JobContext turning = context.job.part(0.0, 0.3), drawing = context.job.part(0.3, 1.0);
    const ImageGrid grid = naming(options.like, [&] {
        return gridLike(options.like, options.view.frame, context.statedFrame, turning);
    });
    if (input.map().frame() == Frame::Unknown) refuseUnknownFrame(input.name);
    auto image = std::make_shared<Image>(imageOn(grid));
    const DrawnField drawn = naming(input.name, [&] {
        return drawnField(std::get<std::shared_ptr<const HealpixMap>>(input.data),
                          input.fields.front(), grid.frame, turning);
    });
    std::vector<double> values = naming(
        input.name, [&] { return valuesOnGrid(drawn, grid, options.interpolation, drawing); });
    const auto filled = std::count_if(values.begin(), values.end(),
                                      [](double value) { return !std::isnan(value); });
    const Field& field = drawn.map->field(drawn.field);
    if (filled == 0) tellOfNothing(context, input.name, field);
    const auto own = ImageWcs(grid.wcsCards, grid.width, grid.height).equatorial();
    image->name = own && isHalfOfPolarization(field) ? field.name + " in " + equatorialName(*own)
                                                     : drawn.name;
    if (isHalfOfPolarization(field)) image->cards.push_back(cosmoCard());
    image->unit = field.unit;
    if (field.isSingle() && context.precision != StoredPrecision::Double)
        image->values = std::vector<float>(values.begin(), values.end());
    else
        image->values = std::move(values);
    const double width = pixelSize(grid);
    Json& figures = context.figures;
    figures.set("frame", std::string(1, frameLetter(grid.frame)));
    figures.set("width", grid.width);
    figures.set("height", grid.height);
    figures.set("resolution_deg", width / kDegree);
    figures.set("filled", static_cast<int64_t>(filled));
    if (drawn.isTurned) figures.set("turned", true);
    return {{"OUT", std::shared_ptr<const Image>(image),
             std::to_string(grid.width) + " x " + std::to_string(grid.height) + " pixels of " +
                 formatAngle(width) + ", as " + options.like + ", " +
                 std::string(frameName(grid.frame)) +
                 (drawn.isTurned ? "; Q and U rotated to its meridians" : "")}};
}

Outputs run(Context& context, Inputs& inputs, const ProjectOptions& options) {
    const Input& input = inputs["MAP"];
    if (!options.like.empty()) return runLike(context, input, options);
    const PixelSize size = sizeOf(options.view, {1600, 800}, {1000, 1000});
    const SkyView view =
        naming(input.name, [&] { return viewOf(options.view, input.map().frame(), size); });
    if (view.frame == Frame::Unknown) refuseUnknownFrame(input.name);
    JobContext turning = context.job.part(0.0, 0.3), drawing = context.job.part(0.3, 1.0);
    const DrawnField drawn = naming(input.name, [&] {
        return drawnField(std::get<std::shared_ptr<const HealpixMap>>(input.data),
                          input.fields.front(), view.frame, turning);
    });
    const HealpixMap& map = *drawn.map;
    const int field = drawn.field;
    const std::vector<double> values = naming(input.name, [&] {
        return renderValues(map, field, view.overMap, options.interpolation, drawing);
    });
    int64_t filled = 0;
    for (const double value : values) filled += std::isnan(value) ? 0 : 1;
    if (filled == 0) tellOfNothing(context, input.name, map.field(field));
    const ImageGrid grid = imageGrid(view.geometry, view.frame);
    auto image = std::make_shared<Image>(imageOn(grid));
    image->name = drawn.name;
    image->unit = map.field(field).unit;
    if (isHalfOfPolarization(map.field(field))) image->cards.push_back(cosmoCard());
    const bool isSingle = map.field(field).isSingle();
    if (isSingle && context.precision != StoredPrecision::Double)
        image->values = turnedOver<float>(values, size.width);
    else
        image->values = turnedOver<double>(values, size.width);
    Json& figures = context.figures;
    const ViewGeometry& geometry = view.geometry;
    figures.set("frame", std::string(1, frameLetter(view.frame)));
    figures.set("width", geometry.width);
    figures.set("height", geometry.height);
    figures.set("resolution_deg", geometry.radiansPerPixel / kDegree);
    figures.set("filled", filled);
    if (drawn.isTurned) figures.set("turned", true);
    const std::string projection = factsOf(options.view.projection).word;
    const auto write = [image, view, isSingle, asked = context.precision](
                           const std::string& path, const FileWriteOptions& given,
                           JobContext& job) {
        SkyImage written{view.geometry, view.frame, image->unit, image->name, image->cards, {}};
        std::visit(
            [&](const auto& stored) {
                written.values = turnedOver<double>({stored.begin(), stored.end()}, image->width);
            },
            image->values);
        FileWriteOptions writing = given;
        writing.precision =
            asked.value_or(isSingle ? StoredPrecision::Single : StoredPrecision::Double);
        writeSkyImage(written, path, writing, job);
    };
    return {{"OUT", std::shared_ptr<const Image>(image),
             std::to_string(geometry.width) + " x " + std::to_string(geometry.height) +
                 " pixels of " + formatAngle(geometry.radiansPerPixel) + ", " + projection + ", " +
                 std::string(frameName(view.frame)) +
                 (drawn.isTurned ? "; Q and U rotated to its meridians" : ""),
             write}};
}

// A rotation to another frame needs Q and U.
Columns columnsOf(const ParameterSet& parameters) {
    const auto& options = parameters.as<ProjectOptions>();
    const bool turns = options.view.frame.has_value() || !options.like.empty();
    return {turns ? Columns::Choice::OneWithPartner : Columns::Choice::One, {}};
}

}  // namespace

Operation projectOperation() {
    return define<ProjectOptions>(
        {.id = "project",
         .title = "Project",
         .help = "project a view of a map to a FITS image with world coordinates",
         .inputs =
             {{.name = "MAP", .kind = DataKind::Map, .help = "input map", .columns = columnsOf}},
         .outputs = {{.name = "OUT", .kind = DataKind::Image, .help = "output image, .fits"}},
         .keyParameters = "projection"},
        {.check = check, .resolve = resolve, .run = run});
}

}  // namespace armilla

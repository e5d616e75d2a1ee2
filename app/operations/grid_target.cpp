// SPDX-License-Identifier: GPL-3.0-or-later
#include "grid_target.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/icrs_positions.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/text_positions.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/files.h"
#include "image_like.h"

namespace armilla {

namespace {

// 32768 x 32768 pixels take 4 GiB in single precision; a larger size is a typing error.
constexpr int64_t kMostPixelsAcross = 32768;

ImageGrid imageOf(const GridOptions& options, Frame frame) {
    if (frame == Frame::Unknown)
        throw InvalidArgument(
            "expected the frame of the samples (--samples-frame G, E or C) or of the image "
            "(--frame), found none named");
    if (options.size->width > kMostPixelsAcross || options.size->height > kMostPixelsAcross)
        throw InvalidArgument("expected an image of at most " + std::to_string(kMostPixelsAcross) +
                              " pixels across, found " + std::to_string(options.size->width) +
                              " x " + std::to_string(options.size->height));
    ViewGeometry view;
    view.projection = options.projection.value_or(Projection::Gnomonic);
    view.width = static_cast<int>(options.size->width);
    view.height = static_cast<int>(options.size->height);
    view.radiansPerPixel = *options.resolution;
    view.skyFromView = skyFromViewRotation(options.center->in(frame), 0.0);
    return imageGrid(view, frame);
}

void placeSightlines(GridTarget& target, const Input& input, const NamedFrame& samples,
                     std::optional<StatedFrame> stated, JobContext& job) {
    auto positions = findPositions(input.table());
    std::optional<Table> inDegrees;
    if (!positions && (positions = findTextPositions(input.table()))) {
        inDegrees = input.table();
        naming(input.name, [&] { addDegrees(*inDegrees, *positions); });
    }
    const Table& table = inDegrees ? *inDegrees : input.table();
    if (!positions) {
        std::string names;
        for (const TableColumn& column : table.columns)
            names += (names.empty() ? "" : ", ") + column.name;
        throw InvalidArgument(input.name +
                              ": expected columns of positions (RA and DEC, GLON and GLAT, ...), "
                              "found " +
                              names);
    }
    target.frame = framedAs(positions->frame, {{}, stated, true});
    compareFrames(samples, {input.name, target.frame}, {});  // throws if one frame is unknown
    const TableColumn& lon = table.columns[static_cast<size_t>(positions->lon)];
    const TableColumn& lat = table.columns[static_cast<size_t>(positions->lat)];
    const auto icrs = icrsPlaces(table, *positions, statedEquatorial({{}, stated, true}), job);
    for (int64_t row = 0; row < table.rows(); ++row) {
        const auto at = static_cast<size_t>(row);
        const double l = icrs ? icrs->lon[at] : lon.number(row) * positions->lonUnit;
        const double b = icrs ? icrs->lat[at] : lat.number(row) * positions->latUnit;
        if (std::abs(b) > kHalfPi * (1.0 + 1e-9))
            throw InvalidArgument(
                input.name + ": expected latitudes from -90 to 90 degrees, found " +
                std::to_string(b / kDegree) + " in row " + std::to_string(row + 1));
        target.cells.push_back(direction({l, b}));
        if (!std::isfinite(l) || !std::isfinite(b)) target.cells.back().z = kNan;
    }
}

}  // namespace

GridTarget gridTarget(const GridOptions& options, const Input* sightlines,
                      const NamedFrame& samples, std::optional<StatedFrame> statedFrame,
                      JobContext& job) {
    const Frame samplesFrame = samples.frame;
    GridTarget target;
    if (sightlines != nullptr) {
        placeSightlines(target, *sightlines, samples, statedFrame, job);
    } else if (options.nside) {
        target.nside = *options.nside;
        target.frame = options.frame.value_or(samplesFrame);
        target.cellSize = std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(target.nside)));
        return target;
    } else {
        target.image = options.like.empty()
                           ? imageOf(options, options.frame.value_or(samplesFrame))
                           : gridLike(options.like, options.frame, statedFrame, job);
        target.frame = target.image.frame;
        target.cellSize = pixelSize(target.image);
        target.cells = pixelDirections(target.image, job);
    }
    if (std::none_of(target.cells.begin(), target.cells.end(),
                     [](const Vec3& cell) { return std::isfinite(cell.z); }))
        throw InvalidArgument("expected a target with cells on the sky, found none in " +
                              std::to_string(target.cells.size()) + " cells");
    return target;
}

void fillPixelsNear(GridTarget& target, const std::vector<GridTable>& tables, double radius,
                    JobContext& job) {
    for (const GridTable& table : tables) {
        GridSamples samples = table.samples(0, table.rows);
        samples.targetFromSamples = turnOf(target.frame, table);
        const std::vector<int64_t> near = pixelsNear(samples, target.nside, radius, job);
        if (target.pixels.empty()) {
            target.pixels = near;
            continue;
        }
        std::vector<int64_t> both;
        std::set_union(target.pixels.begin(), target.pixels.end(), near.begin(), near.end(),
                       std::back_inserter(both));
        target.pixels = std::move(both);
    }
    placePixels(target, job);
}

void placePixels(GridTarget& target, JobContext& job) {
    target.cells = newVector<Vec3>(static_cast<int64_t>(target.pixels.size()), job);
    parallelFor(job, static_cast<long long>(target.cells.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    for (long long i = begin; i < end; ++i)
                        target.cells[static_cast<size_t>(i)] =
                            directionFromRing(target.nside, target.pixels[static_cast<size_t>(i)]);
                });
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/stamps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/pixel_queries.h"
#include "core/view_geometry.h"
#include "session/source_review.h"

namespace armilla {
namespace {

constexpr double kBeams = 3.5;         // from the middle of a stamp to its side
constexpr double kPlainPixels = 12.0;  // the same without a beam, in pixels of the map
constexpr double kPlainHalf = 0.5 * kDegree;
constexpr double kLowShare = 0.01;
constexpr int kProfileBeams = 3, kRingsPerBeam = 4;
// Of a disc of more pixels a part is taken, evenly: a hundred in the innermost ring, 3 ms in all.
constexpr int64_t kProfilePixels = 20000;

Mat3 turned(Frame to, Frame from) {
    return to == Frame::Unknown || from == Frame::Unknown || to == from ? Mat3{}
                                                                        : frameRotation(to, from);
}

}  // namespace

std::vector<float> stampValues(const HealpixMap& map, int field, const StampPlace& place,
                               int side) {
    ViewGeometry view;
    view.projection = Projection::Gnomonic;
    view.width = view.height = side;
    view.radiansPerPixel = 2.0 * std::tan(place.halfWidth) / side;
    view.skyFromView =
        turned(map.frame(), place.frame) * skyFromViewRotation(lonLat(place.center), 0.0);
    std::vector<float> values(static_cast<size_t>(side) * static_cast<size_t>(side),
                              std::numeric_limits<float>::quiet_NaN());
    const Field& from = map.field(field);
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            Vec3 at;
            if (!skyFromImage(view, column + 0.5, row + 0.5, at)) continue;
            if (const auto element = map.elementOf(map.pixelAt(at)))
                values[static_cast<size_t>(row * side + column)] =
                    static_cast<float>(from.at(*element));
        }
    return values;
}

QImage stampImage(const std::vector<float>& values, int side, const ColorScale& colors) {
    std::vector<float> good;
    for (const float value : values)
        if (std::isfinite(value)) good.push_back(value);
    ColorScale scale = colors;
    scale.mapping = ColorMapping{};
    if (!good.empty()) {
        const auto low = good.begin() + static_cast<std::ptrdiff_t>(
                                            kLowShare * static_cast<double>(good.size() - 1));
        std::nth_element(good.begin(), low, good.end());
        scale.mapping.low = *low;
        scale.mapping.high = *std::max_element(good.begin(), good.end());
    }
    if (!(scale.mapping.high > scale.mapping.low))
        scale.mapping.high = std::nextafter(scale.mapping.low, INFINITY);
    const ColorTable table = colorTable(scale.colorMap, scale.reversed);
    const ColorPicker pick(scale, table);
    QImage image(side, side, QImage::Format_RGB32);
    for (int row = 0; row < side; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int column = 0; column < side; ++column) {
            const Rgba color = pick(values[static_cast<size_t>(row * side + column)]);
            line[column] = qRgb(color.r, color.g, color.b);
        }
    }
    return image;
}

std::vector<StampSource> stampSources(const Document& document, const SourceReview& review) {
    std::vector<StampSource> sources;
    const auto add = [&](int id, const QString& title, int field) {
        const Layer* layer = document.entry(id);
        if (layer && layer->map)
            sources.push_back(
                {title, layer->map, field, document.colorScale(Shown{id, field, Quantity::Field})});
    };
    const Shown shown = document.shown();
    const int first = review.searchedMap() >= 0 ? review.searchedMap() : shown.entry;
    const int field = review.searchedMap() >= 0 ? review.searchedField() : shown.field;
    add(first, SourceReview::tr("original"), field);
    add(review.significanceMap(), SourceReview::tr("filtered / noise"), 0);
    add(review.residualMap(), SourceReview::tr("residual"), 0);
    for (const Layer& layer : document.entries())
        if (layer.map && !layer.live && layer.id != first && layer.id != review.significanceMap() &&
            layer.id != review.residualMap())
            add(layer.id, layer.name, layer.id == shown.entry ? shown.field : 0);
    return sources;
}

StampPlace stampPlaceOf(const SourceReview& review, int64_t row, const HealpixMap* map) {
    StampPlace place;
    place.center = direction(review.catalog()->at(row));
    place.frame = review.catalog()->frame();
    const double pixels =
        map ? kPlainPixels * std::sqrt(kPi / 3.0) / static_cast<double>(map->nside()) : kPlainHalf;
    place.halfWidth = std::min(0.5, review.beam() ? kBeams * *review.beam() : pixels);
    return place;
}

RadialProfile radialProfile(const HealpixMap& map, int field, Vec3 center, double beam) {
    RadialProfile profile;
    const int rings = kProfileBeams * kRingsPerBeam;
    const double reach = std::min(kProfileBeams * beam, 0.5 * kPi);
    struct Sum {
        double radius = 0.0, value = 0.0, square = 0.0;
        int64_t count = 0;
    };
    std::vector<Sum> sums(static_cast<size_t>(rings));
    double outside = 0.0;
    int64_t outsideCount = 0;
    double peakDistance = reach;  // the nearest good pixel, which a part may leave out
    if (const double middle = map.value(field, map.pixelAt(center)); std::isfinite(middle)) {
        profile.peak = middle;
        peakDistance = 0.0;
    }
    const auto ranges = queryDisc(map.nside(), map.ordering(), center, reach);
    int64_t pixels = 0;
    for (const PixelRange& range : ranges) pixels += range.end - range.begin;
    const int64_t stride = (pixels + kProfilePixels - 1) / kProfilePixels;
    int64_t skip = 0;  // of the next range
    for (const PixelRange& range : ranges) {
        int64_t pixel = range.begin + skip;
        for (; pixel < range.end; pixel += stride) {
            const double value = map.value(field, pixel);
            if (!std::isfinite(value)) continue;
            const double distance =
                angularDistance(center, directionFromPixel(map.nside(), map.ordering(), pixel));
            const auto ring = std::min(static_cast<size_t>(rings - 1),
                                       static_cast<size_t>(distance / reach * rings));
            sums[ring].radius += distance;
            sums[ring].value += value;
            sums[ring].square += value * value;
            ++sums[ring].count;
            if (distance > 2.0 * beam) {
                outside += value;
                ++outsideCount;
            }
            if (distance < peakDistance) {
                peakDistance = distance;
                profile.peak = value;
            }
        }
        skip = pixel - range.end;
    }
    if (outsideCount > 0) profile.background = outside / static_cast<double>(outsideCount);
    profile.peak -= profile.background;
    for (const Sum& sum : sums) {
        if (sum.count == 0) continue;
        const auto n = static_cast<double>(sum.count);
        const double mean = sum.value / n;
        profile.radius.push_back(sum.radius / n);
        profile.mean.push_back(mean);
        // Of the mean, from the scatter in the ring.
        profile.error.push_back(
            std::sqrt(std::max(0.0, sum.square / n - mean * mean) / std::max(1.0, n - 1.0)));
    }
    return profile;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/stamps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "armilla/core/order_statistics.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/seen_frame.h"
#include "armilla/core/view_geometry.h"
#include "armilla/session/source_review.h"

namespace armilla {
namespace {

constexpr double kBeams = 3.5;         // half width of a stamp in beams
constexpr double kPlainPixels = 12.0;  // half width without a beam, in pixels of the map
constexpr double kPlainHalf = 0.5 * kDegree;
constexpr double kLowShare = 0.01;
constexpr size_t kRankedPoints = 10000;
constexpr int kProfileBeams = 3, kRingsPerBeam = 4;
// Limit of pixels for a profile; a larger disc is sampled evenly. The innermost ring has a hundred,
// and the profile takes 3 ms.
constexpr int64_t kProfilePixels = 20000;

// The values of a map at the points of a stamp. On one base face the pixel position is a smooth
// function of the point. For a block of points it is computed at nine points and interpolated by
// parabolas between, in a fifth of the time of computing all.
//
// If a block covers several faces, or a trial point differs by more than a thousandth of a point
// (near the poles), its quarters are tried. Finally each point is computed.
class StampPoints {
public:
    StampPoints(const HealpixMap& map, int field, const ViewGeometry& view)
        : map_(map),
          field_(map.field(field)),
          view_(view),
          values_(static_cast<size_t>(view.width * view.height)) {}

    std::vector<float> take() {
        for (int row = 0; row < view_.height; row += kBlock)
            for (int column = 0; column < view_.width; column += kBlock) fill(row, column, kBlock);
        return std::move(values_);
    }

private:
    static constexpr int kBlock = 16, kLeast = 8;
    static constexpr double kMiss = 1e-3;  // tolerance, in points

    // A position on a base face, in pixels of the map; face -1: not on the sky.
    struct Place {
        int face = -1;
        double x = 0.0, y = 0.0;
    };
    using Nine =
        std::array<Place, 9>;  // pixel positions of a block, row by row, half a block apart
    // A parabola through three equidistant numbers; the argument is in halves of a block from the
    // first one.
    struct Parabola {
        double start, slope, bend;
        Parabola(double a, double b, double c)
            : start(a), slope(2.0 * b - 1.5 * a - 0.5 * c), bend(0.5 * (a + c) - b) {}
        double at(double t) const { return start + t * (slope + t * bend); }
    };
    struct Row {
        Parabola x, y;
        Row(const Nine& nine, double t)
            : x(through(nine, &Place::x, t)), y(through(nine, &Place::y, t)) {}
        static Parabola through(const Nine& nine, double Place::*part, double t) {
            const auto down = [&](size_t i) {
                return Parabola(nine[i].*part, nine[i + 3].*part, nine[i + 6].*part).at(t);
            };
            return {down(0), down(1), down(2)};
        }
    };

    Place placeOf(int row, int column) const {
        Vec3 sky;
        if (!skyFromImage(view_, column + 0.5, row + 0.5, sky)) return {};
        const FacePixel fine = faceFromDirection(kMaxNside, sky);
        const double scale = static_cast<double>(map_.nside()) / static_cast<double>(kMaxNside);
        return {fine.face, scale * (static_cast<double>(fine.x) + 0.5),
                scale * (static_cast<double>(fine.y) + 0.5)};
    }
    bool isSmooth(const Nine& nine, int firstRow, int first, int side) const {
        const int face = nine[0].face, half = side / 2;
        const bool isOne = face >= 0 && std::all_of(nine.begin(), nine.end(), [&](const Place& at) {
                               return at.face == face;
                           });
        if (!isOne) return false;
        const double point = std::max(std::hypot(nine[1].x - nine[0].x, nine[1].y - nine[0].y),
                                      std::hypot(nine[3].x - nine[0].x, nine[3].y - nine[0].y)) /
                             half;
        // A parabola has its largest error between its nodes.
        for (const int row : {half / 2, half + half / 2})
            for (const int column : {half / 2, half + half / 2}) {
                const Place asked = placeOf(firstRow + row, first + column);
                const Row there(nine, static_cast<double>(row) / half);
                const double t = static_cast<double>(column) / half;
                if (asked.face != face ||
                    !(std::hypot(there.x.at(t) - asked.x, there.y.at(t) - asked.y) < kMiss * point))
                    return false;
            }
        return true;
    }
    void fill(int firstRow, int first, int side) {
        if (firstRow >= view_.height || first >= view_.width) return;
        const int half = side / 2;
        Nine nine;
        for (int i = 0; i < 9; ++i)
            nine[static_cast<size_t>(i)] =
                placeOf(firstRow + half * (i / 3), first + half * (i % 3));
        const bool smooth = isSmooth(nine, firstRow, first, side);
        if (!smooth && side > kLeast) {
            for (const int down : {0, half})
                for (const int right : {0, half}) fill(firstRow + down, first + right, half);
            return;
        }
        const int end = std::min(first + side, view_.width);
        for (int row = firstRow; row < std::min(firstRow + side, view_.height); ++row) {
            const Row places(nine, static_cast<double>(row - firstRow) / half);
            float* to = &values_[static_cast<size_t>(row * view_.width)];
            for (int column = first; column < end; ++column) {
                const double t = static_cast<double>(column - first) / half;
                to[column] =
                    smooth ? valueAt({nine[0].face, places.x.at(t), places.y.at(t)}, row, column)
                           : valueAsked(row, column);
            }
        }
    }
    float valueAsked(int row, int column) {
        Vec3 sky;
        if (!skyFromImage(view_, column + 0.5, row + 0.5, sky))
            return std::numeric_limits<float>::quiet_NaN();
        return valueOf(faceFromDirection(map_.nside(), sky));
    }
    // A point beyond the edge of its block's face is on another face.
    float valueAt(const Place& at, int row, int column) {
        const auto nside = static_cast<double>(map_.nside());
        if (!(at.x >= 0.0 && at.x < nside && at.y >= 0.0 && at.y < nside))
            return valueAsked(row, column);
        return valueOf({at.face, static_cast<int64_t>(at.x), static_cast<int64_t>(at.y)});
    }
    // Adjacent points often lie in the same pixel.
    float valueOf(const FacePixel& at) {
        if (at.x == last_.x && at.y == last_.y && at.face == last_.face) return lastValue_;
        last_ = at;
        const auto element = map_.elementOf(pixelFromFace(map_.nside(), map_.ordering(), at));
        lastValue_ = element ? static_cast<float>(field_.at(*element))
                             : std::numeric_limits<float>::quiet_NaN();
        return lastValue_;
    }

    const HealpixMap& map_;
    const Field& field_;
    const ViewGeometry& view_;
    std::vector<float> values_;
    FacePixel last_{-1, 0, 0};
    float lastValue_ = 0.0F;
};

}  // namespace

std::vector<float> stampValues(const HealpixMap& map, int field, const StampPlace& place,
                               int side) {
    ViewGeometry view;
    view.projection = Projection::Gnomonic;
    view.width = view.height = side;
    view.radiansPerPixel = 2.0 * std::tan(place.halfWidth) / side;
    view.skyFromView =
        seenRotation(map.frame(), place.frame) * skyFromViewRotation(lonLat(place.center), 0.0);
    return StampPoints(map, field, view).take();
}

StampShows shownBy(const SourceReview& review, int64_t row) {
    return review.significance().isNegative(row) ? StampShows::Hole : StampShows::Peak;
}

QImage stampImage(const std::vector<float>& values, int side, const ColorScale& colors,
                  StampShows shows) {
    // The percentile of a subsample of points, because several points lie in one pixel. A hole is a
    // peak of the negated values.
    const float sign = shows == StampShows::Hole ? -1.0F : 1.0F;
    const size_t stride = 1 + values.size() / kRankedPoints;
    std::vector<float> good;
    float high = -INFINITY;
    for (size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) continue;
        high = std::max(high, sign * values[i]);
        if (i % stride == 0) good.push_back(sign * values[i]);
    }
    ColorScale scale = colors;
    scale.mapping = ColorMapping{};
    if (std::isfinite(high)) {
        if (good.empty()) good.push_back(high);
        const float low = valueOfRank(
            good, static_cast<size_t>(kLowShare * static_cast<double>(good.size() - 1)));
        scale.mapping.low = std::min(sign * low, sign * high);
        scale.mapping.high = std::max(sign * low, sign * high);
    }
    if (!(scale.mapping.high > scale.mapping.low))
        scale.mapping.high = std::nextafter(scale.mapping.low, INFINITY);
    const ColorTable table = colorTable(scale.colorMap, scale.reversed);
    const ColorPicker pick(scale, table);
    QImage image(side, side, QImage::Format_RGB32);
    for (int row = 0; row < side; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
        const float* from = &values[static_cast<size_t>(row * side)];
        for (int column = 0; column < side; ++column) {
            // Compared as bits, so that NaN equals NaN.
            const bool isSame = column > 0 && std::bit_cast<uint32_t>(from[column]) ==
                                                  std::bit_cast<uint32_t>(from[column - 1]);
            if (isSame) {
                line[column] = line[column - 1];
                continue;
            }
            const Rgba color = pick(from[column]);
            line[column] = qRgb(color.r, color.g, color.b);
        }
    }
    return image;
}

std::vector<StampSource> stampSources(const Document& document, const SourceReview& review) {
    std::vector<StampSource> sources;
    const auto add = [&](LayerId id, const QString& title, int field) {
        const Layer* layer = document.entry(id);
        if (layer && layer->map)
            sources.push_back({title, layer->map, field,
                               document.drawings().colorScale(Shown{id, field, Quantity::Field})});
    };
    const Shown shown = document.view().shown();
    const LayerId first = review.search().map.isValid() ? review.search().map : shown.entry;
    const int field = review.search().map.isValid() ? review.search().field : shown.field;
    add(first, SourceReview::tr("original"), field);
    add(review.search().significance, SourceReview::tr("filtered / noise"), 0);
    add(review.search().residual, SourceReview::tr("residual"), 0);
    for (const Layer& layer : document.entries())
        if (layer.map && !layer.live && layer.id != first &&
            layer.id != review.search().significance && layer.id != review.search().residual)
            add(layer.id, layer.name, layer.id == shown.entry ? shown.field : 0);
    return sources;
}

StampPlace stampPlaceOf(const SourceReview& review, int64_t row, const HealpixMap* map) {
    StampPlace place;
    place.center = direction(review.catalog()->at(row));
    place.frame = review.catalog()->frame();
    const double pixels =
        map ? kPlainPixels * std::sqrt(kPi / 3.0) / static_cast<double>(map->nside()) : kPlainHalf;
    place.halfWidth = std::min(0.5, review.search().beam ? kBeams * *review.search().beam : pixels);
    return place;
}

StampProfile radialProfile(const HealpixMap& map, int field, Vec3 center, double beam) {
    StampProfile profile;
    const int rings = kProfileBeams * kRingsPerBeam;
    const double reach = std::min(kProfileBeams * beam, 0.5 * kPi);
    struct Sum {
        double radius = 0.0, value = 0.0, square = 0.0;
        int64_t count = 0;
    };
    std::vector<Sum> sums(static_cast<size_t>(rings));
    double outside = 0.0;
    int64_t outsideCount = 0;
    double peakDistance = reach;  // distance of the nearest good pixel, which the sampling may skip
    if (const double middle = map.value(field, map.pixelAt(center)); std::isfinite(middle)) {
        profile.peak = middle;
        peakDistance = 0.0;
    }
    const auto ranges = queryDisc(map.nside(), map.ordering(), center, reach);
    int64_t pixels = 0;
    for (const PixelRange& range : ranges) pixels += range.end - range.begin;
    const int64_t stride = (pixels + kProfilePixels - 1) / kProfilePixels;
    int64_t skip = 0;  // first pixel to use in the next range
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
        // Error of the mean, from the scatter in the ring.
        profile.error.push_back(
            std::sqrt(std::max(0.0, sum.square / n - mean * mean) / std::max(1.0, n - 1.0)));
    }
    return profile;
}

}  // namespace armilla

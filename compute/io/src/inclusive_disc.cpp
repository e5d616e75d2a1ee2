// SPDX-License-Identifier: GPL-3.0-or-later
#include "inclusive_disc.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"

namespace armilla {

namespace {

// NESTED: a pixel overlaps if its ancestors may, and if the center of a descendant lies inside or,
// at the finest order, within the descendant's largest radius of the disc.
class NestedOverlap {
public:
    NestedOverlap(Vec3 center, double radius, int64_t factor, int64_t nside)
        : center_(center),
          radius_(radius),
          order_(orderOf(nside)),
          finest_(orderOf(nside * factor)) {
        for (int order = 0; order <= finest_; ++order)
            reach_.push_back(std::min(kPi, radius + maximumPixelRadius(int64_t{1} << order)));
    }
    bool operator()(int64_t pixel) const {
        for (int order = 0; order < order_; ++order)
            if (!mayOverlap(order, pixel >> (2 * (order_ - order)))) return false;
        return overlaps(order_, pixel);
    }

private:
    double distance(int order, int64_t pixel) const {
        return angularDistance(center_, directionFromNested(int64_t{1} << order, pixel));
    }
    bool mayOverlap(int order, int64_t pixel) const {
        return distance(order, pixel) < reach_[static_cast<size_t>(order)];
    }
    bool overlaps(int order, int64_t pixel) const {
        if (!mayOverlap(order, pixel)) return false;
        if (order == finest_ || distance(order, pixel) < radius_) return true;
        for (int64_t child = 4 * pixel; child < 4 * pixel + 4; ++child)
            if (overlaps(order + 1, child)) return true;
        return false;
    }

    Vec3 center_;
    double radius_;
    int order_, finest_;
    std::vector<double> reach_;
};

int64_t ringAtOrAbove(int64_t nside, double z) {
    const auto n = static_cast<double>(nside);
    if (std::abs(z) <= 2.0 / 3.0) return static_cast<int64_t>(n * (2.0 - 1.5 * z));
    const auto ring = static_cast<int64_t>(n * std::sqrt(3.0 * (1.0 - std::abs(z))));
    return z > 0.0 ? ring : 4 * nside - ring - 1;
}

// RING: on each ring, the places within the radius plus the largest radius of a pixel, without
// those at both ends of which no edge reaches the disc. Edges are sampled at `factor` subpixels.
class RingOverlap {
public:
    RingOverlap(Vec3 center, double radius, int64_t factor, int64_t nside)
        : center_(center),
          nside_(nside),
          factor_(factor),
          central_(ringFromDirection(nside, center)),
          near_(radius + maximumPixelRadius(nside * factor)),
          far_(std::min(kPi, radius + maximumPixelRadius(nside))) {}
    std::vector<int64_t> run() {
        if (near_ >= kPi) {
            appendRings(1, 4 * nside_);
            return std::move(pixels_);
        }
        const double theta = std::atan2(std::hypot(center_.x, center_.y), center_.z);
        const double top = theta - near_, bottom = theta + near_;
        int64_t first = ringAtOrAbove(nside_, std::cos(top)) + 1;
        if (top <= 0.0) appendRings(1, first);
        if (factor_ > 1 && top > 0.0) first = std::max<int64_t>(1, first - 1);
        int64_t last = ringAtOrAbove(nside_, std::cos(bottom));
        if (factor_ > 1 && bottom < kPi) last = std::min(4 * nside_ - 1, last + 1);
        for (int64_t ring = first; ring <= last; ++ring) appendPlaces(ring);
        if (bottom >= kPi) appendRings(last + 1, 4 * nside_);
        std::sort(pixels_.begin(), pixels_.end());
        return std::move(pixels_);
    }

private:
    // All pixels of the rings from `begin` to the one before `end`.
    void appendRings(int64_t begin, int64_t end) {
        if (begin >= end) return;
        const int64_t from = detail::firstPixelOfRing(nside_, begin),
                      to = end >= 4 * nside_ ? pixelCount(nside_)
                                             : detail::firstPixelOfRing(nside_, end);
        for (int64_t pixel = from; pixel < to; ++pixel) pixels_.push_back(pixel);
    }
    double halfWidth(int64_t ring) const {
        double z = 0.0, s = 0.0;
        ringHeight(nside_, ring, z, s);
        const double across = std::hypot(center_.x, center_.y);
        const double x = (std::cos(far_) - z * center_.z) / across;
        const double square = s * s - x * x;
        if (square > 0.0) return std::atan2(std::sqrt(square), x);
        // The value of the library for the whole ring, whose ends edgesReach() then cuts.
        return factor_ > 1 ? kPi - 1e-15 : 0.0;
    }
    void appendPlaces(int64_t ring) {
        const double half = halfWidth(ring);
        if (half <= 0.0) return;
        const int64_t count = 4 * detail::quarterLength(nside_, ring),
                      start = detail::firstPixelOfRing(nside_, ring);
        const double shift = 0.5 * static_cast<double>(detail::ringShift(nside_, ring)),
                     scale = static_cast<double>(count) / kTwoPi, phi = lonLat(center_).lon;
        auto low = static_cast<int64_t>(std::floor((phi - half) * scale - shift)) + 1,
             high = static_cast<int64_t>(std::floor((phi + half) * scale - shift));
        const auto pixelAt = [&](int64_t place) {
            return start + ((place % count) + count) % count;
        };
        if (factor_ > 1) {
            while (low <= high && !edgesReach(pixelAt(low))) ++low;
            while (high > low && !edgesReach(pixelAt(high))) --high;
        }
        high = std::min(high, low + count - 1);
        for (int64_t place = low; place <= high; ++place) pixels_.push_back(pixelAt(place));
    }
    bool edgesReach(int64_t pixel) const {
        if (pixel == central_) return true;
        const FacePixel at = faceFromRing(nside_, pixel);
        const double least = std::cos(near_);
        const auto reaches = [&](int64_t right, int64_t up) {
            FacePixel fine = at;
            fine.x = factor_ * at.x + right;
            fine.y = factor_ * at.y + up;
            return dot(directionFromFace(nside_ * factor_, fine), center_) > least;
        };
        const int64_t end = factor_ - 1;
        for (int64_t i = 0; i < end; ++i)
            if (reaches(i, 0) || reaches(end, i) || reaches(end - i, end) || reaches(0, end - i))
                return true;
        return false;
    }

    Vec3 center_;
    int64_t nside_, factor_, central_;
    double near_, far_;
    std::vector<int64_t> pixels_;
};

}  // namespace

std::vector<int64_t> inclusiveDisc(Vec3 center, double radius, int64_t factor, int64_t nside,
                                   Ordering ordering) {
    if (ordering == Ordering::Ring) return RingOverlap(center, radius, factor, nside).run();
    const NestedOverlap overlaps(center, radius, factor, nside);
    // A center farther than this belongs to no pixel that reaches the disc.
    const double reach = std::min(kPi, radius + 2.0 * maximumPixelRadius(nside));
    std::vector<int64_t> pixels;
    for (const PixelRange& range : queryDisc(nside, ordering, center, reach))
        for (int64_t pixel = range.begin; pixel < range.end; ++pixel)
            if (overlaps(pixel)) pixels.push_back(pixel);
    return pixels;
}

}  // namespace armilla

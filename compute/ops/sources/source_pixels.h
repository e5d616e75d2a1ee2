// SPDX-License-Identifier: GPL-3.0-or-later
// Pixels that a search for sources works on: of a HEALPix map in RING order, or of an image.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/filter.h"

namespace armilla::sources {

// Centers and solid angles of pixels, and the pixels around a direction. A value that is cheap to
// copy. The pixels of an image are found by their centers alone, so that the ends of rows, poles
// and rotated axes need no cases.
class SourcePixels {
public:
    // RING pixels of the full sky. Implicit, so that functions of the search take an nside.
    SourcePixels(int64_t nside) : nside_(nside) {}  // NOLINT(google-explicit-constructor)
    // Pixels of an image, row after row of `width`, with these centers (NaN off the sky) and solid
    // angles. Throws InvalidArgument for an image without a pixel on the sky, OutOfMemory,
    // Cancelled.
    SourcePixels(std::vector<Vec3> centers, std::vector<double> areas, int64_t width,
                 JobContext& job);

    bool isImage() const { return image_ != nullptr; }
    int64_t nside() const { return nside_; }  // 0 for an image
    int64_t count() const;
    Vec3 center(int64_t pixel) const {
        return image_ ? image_->centers[static_cast<size_t>(pixel)]
                      : directionFromRing(nside_, pixel);
    }
    double area(int64_t pixel) const {
        return image_ ? image_->areas[static_cast<size_t>(pixel)] : meanArea();
    }
    double meanArea() const;
    // Distance between neighbors, in radians: of an image that along the coarser axis.
    double spacing() const;
    // The pixel that contains a direction: of an image the one with the nearest center; -1: none.
    int64_t at(Vec3 direction) const;
    // Calls visit(pixel) for the pixels with centers within `radius` of a direction.
    template <class Visit>
    void around(Vec3 direction, double radius, Visit&& visit) const {
        if (!image_) {
            for (const PixelRange& range : queryDisc(nside_, Ordering::Ring, direction, radius))
                for (int64_t p = range.begin; p < range.end; ++p) visit(p);
            return;
        }
        // |a - b| = 2 sin(angle / 2) keeps the digits of small angles.
        const double chord = 2.0 * std::sin(0.5 * std::min(radius, kPi));
        for (const auto& [begin, end] : image_->placesNear(direction, radius))
            for (size_t i = begin; i < end; ++i) {
                const int64_t p = image_->order[i];
                const Vec3 apart = image_->centers[static_cast<size_t>(p)] - direction;
                if (dot(apart, apart) <= chord * chord) visit(p);
            }
    }

private:
    // Pixels sorted by the NESTED cells of an nside.
    struct Scattered {
        std::vector<Vec3> centers;
        std::vector<double> areas;
        double spacing = 0.0, meanArea = 0.0;
        int64_t nside = 1;
        std::vector<int64_t> order, cells;
        std::vector<std::pair<size_t, size_t>> placesNear(Vec3 direction, double radius) const;
    };
    int64_t nside_ = 0;
    std::shared_ptr<const Scattered> image_;
};

// The pixels of a filtered sky.
inline SourcePixels pixelsOf(const FilteredSky& sky) {
    return sky.image ? *sky.image : SourcePixels(sky.nside);
}

}  // namespace armilla::sources

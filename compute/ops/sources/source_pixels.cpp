// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/source_pixels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "sources/sky_cells.h"

namespace armilla::sources {

namespace {

// Cells of the index are this many pixels wide: a beam of three pixels lies in a few of them.
constexpr double kCellPixels = 3.0;
constexpr int64_t kFinestIndex = int64_t{1} << 26;

// The nine tenths quantile of the distances between neighbors along the coarser axis. A few places,
// such as the limb of an orthographic projection, have much larger distances.
double spacingOf(const std::vector<Vec3>& centers, int64_t width) {
    const auto count = static_cast<int64_t>(centers.size());
    const int64_t stride = std::max<int64_t>(1, count / 20011);
    std::vector<double> steps;
    for (int64_t p = 0; p < count; p += stride) {
        const Vec3 here = centers[static_cast<size_t>(p)];
        double largest = 0.0;
        for (const int64_t q : {(p + 1) % width == 0 ? p : p + 1, p + width})
            if (q < count && std::isfinite(here.z) &&
                std::isfinite(centers[static_cast<size_t>(q)].z))
                largest = std::max(largest, angularDistance(here, centers[static_cast<size_t>(q)]));
        if (largest > 0.0) steps.push_back(largest);
    }
    if (steps.empty()) return 0.0;
    const auto at = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() * 9 / 10);
    std::nth_element(steps.begin(), at, steps.end());
    return *at;
}

}  // namespace

SourcePixels::SourcePixels(std::vector<Vec3> centers, std::vector<double> areas, int64_t width,
                           JobContext& job) {
    auto image = std::make_shared<Scattered>();
    image->centers = std::move(centers);
    image->areas = std::move(areas);
    image->spacing = spacingOf(image->centers, width);
    int64_t seen = 0;
    double sum = 0.0;
    for (size_t p = 0; p < image->centers.size(); ++p)
        if (std::isfinite(image->centers[p].z)) {
            ++seen;
            sum += image->areas[p];
        }
    if (seen == 0 || !(image->spacing > 0.0))
        throw InvalidArgument("expected an image with two pixels or more on the sky, found none");
    image->meanArea = sum / static_cast<double>(seen);
    image->nside = coarseNside(kCellPixels * image->spacing, kFinestIndex);
    std::vector<std::pair<int64_t, int64_t>> places =
        newVector<std::pair<int64_t, int64_t>>(seen, job);
    size_t next = 0;
    for (size_t p = 0; p < image->centers.size(); ++p) {
        if (p % (size_t{1} << 16) == 0) job.poll();
        if (std::isfinite(image->centers[p].z))
            places[next++] = {nestedFromDirection(image->nside, image->centers[p]),
                              static_cast<int64_t>(p)};
    }
    std::sort(places.begin(), places.end());
    image->cells = newVector<int64_t>(seen, job);
    image->order = newVector<int64_t>(seen, job);
    for (size_t i = 0; i < places.size(); ++i)
        std::tie(image->cells[i], image->order[i]) = places[i];
    image_ = std::move(image);
}

std::vector<std::pair<size_t, size_t>> SourcePixels::Scattered::placesNear(Vec3 direction,
                                                                           double radius) const {
    std::vector<std::pair<size_t, size_t>> places;
    const double reach = std::min(kPi, radius + maximumPixelRadius(nside));
    auto from = cells.begin();
    for (const PixelRange& range : queryDisc(nside, Ordering::Nested, direction, reach)) {
        from = std::lower_bound(from, cells.end(), range.begin);
        const auto to = std::lower_bound(from, cells.end(), range.end);
        if (from != to)
            places.emplace_back(static_cast<size_t>(from - cells.begin()),
                                static_cast<size_t>(to - cells.begin()));
        from = to;
    }
    return places;
}

int64_t SourcePixels::count() const {
    return image_ ? static_cast<int64_t>(image_->centers.size()) : pixelCount(nside_);
}

double SourcePixels::meanArea() const {
    return image_ ? image_->meanArea : 4.0 * kPi / static_cast<double>(pixelCount(nside_));
}

double SourcePixels::spacing() const {
    return image_ ? image_->spacing : std::sqrt(meanArea());
}

int64_t SourcePixels::at(Vec3 direction) const {
    if (!image_) return ringFromDirection(nside_, direction);
    int64_t nearest = -1;
    double least = std::numeric_limits<double>::infinity();
    // Half a diagonal of a square pixel, and a little for pixels that are none.
    around(direction, 0.75 * image_->spacing, [&](int64_t p) {
        const Vec3 apart = center(p) - direction;
        const double distance = dot(apart, apart);
        if (distance < least || (distance == least && p < nearest)) {
            least = distance;
            nearest = p;
        }
    });
    return nearest;
}

}  // namespace armilla::sources

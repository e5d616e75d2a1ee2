// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/image_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/error.h"

namespace armilla {

namespace {

constexpr float kBad = std::numeric_limits<float>::quiet_NaN();
// Number of cells along an image side; the outline on the sky is computed at their corners and
// middles.
constexpr int64_t kMostCells = 32;

// Mean of the good values among up to four.
float meanOf(const ImageMesh::Level& fine, int64_t x, int64_t y) {
    double sum = 0.0;
    int good = 0;
    for (int64_t j = 2 * y; j < std::min(2 * y + 2, fine.height); ++j)
        for (int64_t i = 2 * x; i < std::min(2 * x + 2, fine.width); ++i) {
            const float value = fine.values[static_cast<size_t>(j * fine.width + i)];
            if (!std::isfinite(value)) continue;
            sum += static_cast<double>(value);
            ++good;
        }
    return good > 0 ? static_cast<float>(sum / good) : kBad;
}

std::vector<float> sortedSampleOf(const std::vector<float>& values) {
    constexpr size_t kMost = 1 << 16;
    std::vector<float> sample;
    const size_t stride = (values.size() + kMost - 1) / kMost;
    for (size_t i = 0; i < values.size(); i += stride)
        if (std::isfinite(values[i])) sample.push_back(values[i]);
    std::sort(sample.begin(), sample.end());
    return sample;
}

bool isPlace(Vec3 direction) {
    return std::isfinite(direction.x);
}

// Directions at the corners and middles of cells of whole pixels, between the outer edges of an
// image.
struct Outline {
    std::vector<int64_t> columns, rows;  // first pixels of cells, and one past the end
    std::vector<Vec3> corners, middles;
    int64_t cellsAcross() const { return std::ssize(columns) - 1; }
    int64_t cellsDown() const { return std::ssize(rows) - 1; }
    Vec3 corner(int64_t i, int64_t j) const {
        return corners[static_cast<size_t>(j * std::ssize(columns) + i)];
    }
    bool isOnSky(int64_t i, int64_t j) const {
        return isPlace(middles[static_cast<size_t>(j * cellsAcross() + i)]) &&
               isPlace(corner(i, j)) && isPlace(corner(i + 1, j)) && isPlace(corner(i, j + 1)) &&
               isPlace(corner(i + 1, j + 1));
    }
};

std::vector<int64_t> evenly(int64_t pixels) {
    const int64_t cells = std::clamp<int64_t>(pixels, 1, kMostCells);
    std::vector<int64_t> starts(static_cast<size_t>(cells) + 1);
    for (int64_t i = 0; i <= cells; ++i) starts[static_cast<size_t>(i)] = i * pixels / cells;
    return starts;
}

Outline outlineOf(const ImagePlaces& places, int64_t width, int64_t height) {
    Outline outline{evenly(width), evenly(height), {}, {}};
    const auto lookUp = [&places](const std::vector<double>& x, const std::vector<double>& y) {
        std::vector<Vec3> directions(x.size());
        places.directions(x, y, directions);
        return directions;
    };
    std::vector<double> x, y;
    for (const int64_t row : outline.rows)
        for (const int64_t column : outline.columns) {
            x.push_back(static_cast<double>(column) - 0.5);
            y.push_back(static_cast<double>(row) - 0.5);
        }
    outline.corners = lookUp(x, y);
    x.clear();
    y.clear();
    for (size_t j = 0; j + 1 < outline.rows.size(); ++j)
        for (size_t i = 0; i + 1 < outline.columns.size(); ++i) {
            x.push_back(0.5 * static_cast<double>(outline.columns[i] + outline.columns[i + 1] - 1));
            y.push_back(0.5 * static_cast<double>(outline.rows[j] + outline.rows[j + 1] - 1));
        }
    outline.middles = lookUp(x, y);
    return outline;
}

std::optional<ImageExtent> extentOf(const Outline& outline) {
    Vec3 sum{0.0, 0.0, 0.0};
    const auto forEach = [&outline](const auto& use) {
        for (const auto* nodes : {&outline.corners, &outline.middles})
            for (const Vec3& node : *nodes)
                if (isPlace(node)) use(node);
    };
    forEach([&sum](Vec3 node) { sum = sum + node; });
    if (!(norm(sum) > 1e-6)) return std::nullopt;
    ImageExtent extent{normalized(sum), 0.0};
    forEach([&extent](Vec3 node) {
        extent.radius = std::max(extent.radius, angularDistance(extent.center, node));
    });
    return extent;
}

// Pixels of a row off the sky. If the corners and the middle of a cell lie on the sky, all of its
// pixels do, unless the projection has notches between facets.
std::vector<int64_t> offSkyIn(int64_t row, int64_t cellRow, const ImagePlaces& places,
                              const Outline& outline) {
    std::vector<double> x;
    for (int64_t i = 0; i < outline.cellsAcross(); ++i) {
        if (!places.hasFacets() && outline.isOnSky(i, cellRow)) continue;
        for (int64_t column = outline.columns[static_cast<size_t>(i)];
             column < outline.columns[static_cast<size_t>(i) + 1]; ++column)
            x.push_back(static_cast<double>(column));
    }
    const std::vector<double> y(x.size(), static_cast<double>(row));
    std::vector<Vec3> at(x.size());
    places.directions(x, y, at);
    std::vector<int64_t> offSky;
    for (size_t k = 0; k < at.size(); ++k)
        if (!isPlace(at[k])) offSky.push_back(static_cast<int64_t>(x[k]));
    return offSky;
}

// One flag per pixel; empty if all pixels are on the sky.
std::vector<bool> offSkyOf(const ImagePlaces& places, const Outline& outline, JobContext& job) {
    const int64_t width = outline.columns.back(), height = outline.rows.back();
    // Each thread writes its own list, because flags of vector<bool> have words in common.
    std::vector<std::vector<int64_t>> lists(static_cast<size_t>(height));
    parallelFor(job, height, std::max<int64_t>(1, kPixelGrain / (4 * width)),
                [&](long long begin, long long end) {
                    for (long long row = begin; row < end; ++row) {
                        const auto cell =
                            std::upper_bound(outline.rows.begin(), outline.rows.end(), row);
                        lists[static_cast<size_t>(row)] =
                            offSkyIn(row, cell - outline.rows.begin() - 1, places, outline);
                    }
                });
    std::vector<bool> offSky;
    for (int64_t row = 0; row < height; ++row)
        for (const int64_t column : lists[static_cast<size_t>(row)]) {
            if (offSky.empty()) offSky.resize(static_cast<size_t>(width * height));
            offSky[static_cast<size_t>(row * width + column)] = true;
        }
    return offSky;
}

}  // namespace

std::shared_ptr<const ImageMesh> ImageMesh::build(const Image& image, int plane,
                                                  std::shared_ptr<const ImagePlaces> places,
                                                  JobContext& job) {
    if (plane < 0 || plane >= static_cast<int>(image.planes.size()))
        throw InvalidArgument("expected a plane from 1 to " + std::to_string(image.planes.size()) +
                              ", found " + std::to_string(plane + 1));
    auto mesh = std::make_shared<ImageMesh>();
    mesh->places_ = std::move(places);
    mesh->plane_ = plane;
    mesh->width_ = image.width;
    mesh->height_ = image.height;
    const Outline outline = outlineOf(*mesh->places_, image.width, image.height);
    mesh->extent_ = extentOf(outline);
    mesh->offSky_ = offSkyOf(*mesh->places_, outline, job);
    Level fine{image.width, image.height, {}};
    fine.values.resize(static_cast<size_t>(image.planeSize()));
    parallelFor(
        job, image.height, std::max<int64_t>(1, kPixelGrain / std::max<int64_t>(1, image.width)),
        [&](long long begin, long long end) {
            for (long long y = begin; y < end; ++y)
                for (int64_t x = 0; x < image.width; ++x)
                    fine.values[static_cast<size_t>(y * image.width + x)] =
                        mesh->hasPlace(x, y) ? static_cast<float>(image.at(x, y, plane)) : kBad;
        },
        "preparing the image");
    mesh->sortedSample_ = sortedSampleOf(fine.values);
    mesh->levels_.push_back(std::move(fine));
    while (mesh->levels_.back().width > 1 || mesh->levels_.back().height > 1) {
        job.poll();
        const Level& last = mesh->levels_.back();
        Level next{(last.width + 1) / 2, (last.height + 1) / 2, {}};
        next.values.resize(static_cast<size_t>(next.width * next.height));
        for (int64_t y = 0; y < next.height; ++y)
            for (int64_t x = 0; x < next.width; ++x)
                next.values[static_cast<size_t>(y * next.width + x)] = meanOf(last, x, y);
        mesh->levels_.push_back(std::move(next));
    }
    return mesh;
}

int64_t ImageMesh::memoryBytes() const {
    size_t bytes = offSky_.size() / 8 + sortedSample_.size() * sizeof(float);
    for (const Level& level : levels_) bytes += level.values.size() * sizeof(float);
    return static_cast<int64_t>(bytes);
}

}  // namespace armilla

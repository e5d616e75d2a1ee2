// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/image_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/error.h"

namespace armilla {

namespace {

constexpr float kBad = std::numeric_limits<float>::quiet_NaN();
// A piece of a cell is drawn as two flat triangles once it is this small in the picture: a curve of
// the projection with the radius of the whole sky at this zoom, 400 pixels at least, then leaves
// its chord by 6^2 / (8 * 400) = 0.01 pixels; near the poles of Mollweide's by up to ten times
// that.
constexpr double kPiece = 6.0;
constexpr int kMostHalvings = 9;
// Neighbors that are divided differently meet where one has a bend and the other a straight side:
// triangles reach over their sides by this much of a picture pixel, so that no gap is left.
constexpr double kReach = 0.1;
constexpr int kBand = 32;         // picture rows painted at a time
constexpr double kTorn = 0.25;    // of the picture's width: a cell that wide lies across the seam
constexpr int64_t kCells = 1024;  // at a time

// Mean of the good ones of up to four values.
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

// A corner of a piece: its direction, its place in the picture, its place in the image in shares of
// width and height.
struct Corner {
    Vec3 direction;
    double column = 0.0, row = 0.0;
    double u = 0.0, v = 0.0;
    bool isSeen = false;
};

Corner middleOf(const ViewGeometry& view, const Corner& a, const Corner& b) {
    Corner c;
    c.direction = normalized(a.direction + b.direction);
    c.u = 0.5 * (a.u + b.u);
    c.v = 0.5 * (a.v + b.v);
    c.isSeen = imageFromSky(view, c.direction, c.column, c.row);
    return c;
}

struct Triangle {
    std::array<Corner, 3> corners;
};

class Painter {
public:
    Painter(const ImageMesh& mesh, const ColorScale& scale, const ColorTable& table, double opacity,
            const ViewGeometry& view, MarkerImage& image)
        : mesh_(mesh), colors_(scale, table), opacity_(opacity), view_(view), image_(image) {}

    // The triangles of a cell, smaller where it is large in the picture.
    void divide(const std::array<Corner, 4>& quad, int halvings,
                std::vector<Triangle>& triangles) const {
        const bool isSeen = std::all_of(quad.begin(), quad.end(),
                                        [](const Corner& corner) { return corner.isSeen; });
        double low = 1e300, high = -1e300, top = 1e300, bottom = -1e300;
        for (const Corner& corner : quad) {
            if (!corner.isSeen) continue;
            low = std::min(low, corner.column);
            high = std::max(high, corner.column);
            top = std::min(top, corner.row);
            bottom = std::max(bottom, corner.row);
        }
        if (low > high) return;  // beyond the horizon
        const double extent = std::max(high - low, bottom - top);
        const bool isTorn = !isSeen || high - low > kTorn * view_.width;
        if (isSeen && !isTorn &&
            (high < 0.0 || low > view_.width || bottom < 0.0 || top > view_.height))
            return;
        if ((extent > kPiece || isTorn) && halvings > 0) {
            // 0 1 at the bottom, 3 2 above.
            const Corner down = middleOf(view_, quad[0], quad[1]),
                         right = middleOf(view_, quad[1], quad[2]),
                         up = middleOf(view_, quad[2], quad[3]),
                         left = middleOf(view_, quad[3], quad[0]),
                         middle = middleOf(view_, down, up);
            divide({quad[0], down, middle, left}, halvings - 1, triangles);
            divide({down, quad[1], right, middle}, halvings - 1, triangles);
            divide({middle, right, quad[2], up}, halvings - 1, triangles);
            divide({left, middle, up, quad[3]}, halvings - 1, triangles);
            return;
        }
        if (isTorn) return;
        triangles.push_back({{quad[0], quad[1], quad[2]}});
        triangles.push_back({{quad[0], quad[2], quad[3]}});
    }

    // The pixels of a triangle in picture rows [top, bottom).
    void paint(const Triangle& triangle, int top, int bottom) {
        const auto& [a, b, c] = triangle.corners;
        const double area =
            (b.column - a.column) * (c.row - a.row) - (c.column - a.column) * (b.row - a.row);
        if (area == 0.0 || !std::isfinite(area)) return;
        const auto clampRow = [&](double row) {
            return static_cast<int>(
                std::clamp(row, static_cast<double>(top), static_cast<double>(bottom)));
        };
        const int first = clampRow(std::ceil(std::min({a.row, b.row, c.row}) - kReach - 0.5));
        const int end = clampRow(std::floor(std::max({a.row, b.row, c.row}) + kReach - 0.5) + 1.0);
        const double left = std::min({a.column, b.column, c.column}) - kReach;
        const double right = std::max({a.column, b.column, c.column}) + kReach;
        const int from =
            static_cast<int>(std::clamp(std::ceil(left - 0.5), 0.0, 1.0 * view_.width));
        const int to =
            static_cast<int>(std::clamp(std::floor(right - 0.5) + 1.0, 0.0, 1.0 * view_.width));
        // Image pixels that a picture pixel covers: their level of means.
        const double uv = std::fabs((b.u - a.u) * (c.v - a.v) - (c.u - a.u) * (b.v - a.v));
        const double covered = uv * static_cast<double>(mesh_.width()) *
                               static_cast<double>(mesh_.height()) / std::fabs(area);
        const int level = covered > 1.0
                              ? std::min(mesh_.levels() - 1,
                                         static_cast<int>(std::lround(0.5 * std::log2(covered))))
                              : 0;
        const ImageMesh::Level& values = mesh_.level(level);
        // A pixel painted twice gets the same color. In shares of the triangle's heights:
        const auto reach = [&](const Corner& one, const Corner& other) {
            return -kReach * std::hypot(other.column - one.column, other.row - one.row) /
                   std::fabs(area);
        };
        const double ofS = reach(a, c), ofT = reach(a, b), ofRest = reach(b, c);
        for (int row = first; row < end; ++row)
            for (int column = from; column < to; ++column) {
                const double x = column + 0.5 - a.column, y = row + 0.5 - a.row;
                const double s = (x * (c.row - a.row) - (c.column - a.column) * y) / area;
                const double t = ((b.column - a.column) * y - x * (b.row - a.row)) / area;
                if (s < ofS || t < ofT || 1.0 - s - t < ofRest) continue;
                const double u = a.u + s * (b.u - a.u) + t * (c.u - a.u);
                const double v = a.v + s * (b.v - a.v) + t * (c.v - a.v);
                put(column, row, valueAt(values, u, v));
            }
    }

private:
    static float valueAt(const ImageMesh::Level& level, double u, double v) {
        const auto x = static_cast<int64_t>(u * static_cast<double>(level.width));
        const auto y = static_cast<int64_t>(v * static_cast<double>(level.height));
        return level
            .values[static_cast<size_t>(std::clamp<int64_t>(y, 0, level.height - 1) * level.width +
                                        std::clamp<int64_t>(x, 0, level.width - 1))];
    }
    void put(int column, int row, float value) {
        if (!std::isfinite(value)) return;
        const Rgba color = colors_(value);
        const double alpha = opacity_ * color.a / 255.0;
        const auto part = [&](uint8_t c) { return static_cast<uint8_t>(std::lround(c * alpha)); };
        image_.pixels[static_cast<size_t>(row) * static_cast<size_t>(image_.width) +
                      static_cast<size_t>(column)] = {
            part(color.r), part(color.g), part(color.b),
            static_cast<uint8_t>(std::lround(255.0 * alpha))};
    }

    const ImageMesh& mesh_;
    ColorPicker colors_;
    double opacity_;
    const ViewGeometry& view_;
    MarkerImage& image_;
};

std::vector<float> sortedSampleOf(const std::vector<float>& values) {
    constexpr size_t kMost = 1 << 16;
    std::vector<float> sample;
    const size_t stride = (values.size() + kMost - 1) / kMost;
    for (size_t i = 0; i < values.size(); i += stride)
        if (std::isfinite(values[i])) sample.push_back(values[i]);
    std::sort(sample.begin(), sample.end());
    return sample;
}

}  // namespace

std::shared_ptr<const ImageMesh> ImageMesh::build(const Image& image, int plane,
                                                  std::shared_ptr<const ImageNet> net,
                                                  JobContext& job) {
    if (plane < 0 || plane >= static_cast<int>(image.planes.size()))
        throw InvalidArgument("expected a plane from 1 to " + std::to_string(image.planes.size()) +
                              ", found " + std::to_string(plane + 1));
    auto mesh = std::make_shared<ImageMesh>();
    mesh->net_ = std::move(net);
    mesh->plane_ = plane;
    mesh->width_ = image.width;
    mesh->height_ = image.height;
    Level fine{image.width, image.height, {}};
    fine.values.resize(static_cast<size_t>(image.planeSize()));
    parallelFor(
        job, image.height, std::max<int64_t>(1, kPixelGrain / std::max<int64_t>(1, image.width)),
        [&](long long begin, long long end) {
            for (long long y = begin; y < end; ++y)
                for (int64_t x = 0; x < image.width; ++x)
                    fine.values[static_cast<size_t>(y * image.width + x)] =
                        static_cast<float>(image.at(x, y, plane));
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
    size_t bytes = net_->directions.size() * sizeof(Vec3) + sortedSample_.size() * sizeof(float);
    for (const Level& level : levels_) bytes += level.values.size() * sizeof(float);
    return static_cast<int64_t>(bytes);
}

void paintImage(const ImageMesh& mesh, const ColorScale& scale, double opacity,
                const ViewGeometry& view, MarkerImage& image, JobContext& job) {
    if (image.width != view.width || image.height != view.height) {
        image.width = view.width;
        image.height = view.height;
        image.pixels.assign(static_cast<size_t>(view.width) * static_cast<size_t>(view.height),
                            Rgba{0, 0, 0, 0});
    }
    const ImageNet& net = mesh.net();
    if (net.columns < 2 || net.rows < 2) return;
    const ColorTable table = colorTable(scale.colorMap, scale.reversed);
    Painter painter(mesh, scale, table, opacity, view, image);
    std::vector<Corner> corners(net.directions.size());
    parallelFor(
        job, static_cast<long long>(corners.size()), 4096, [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i) {
                Corner& corner = corners[static_cast<size_t>(i)];
                corner.direction = net.directions[static_cast<size_t>(i)];
                const auto row = i / net.columns;
                corner.u = static_cast<double>(i % net.columns) / (net.columns - 1);
                corner.v = static_cast<double>(row) / (net.rows - 1);
                corner.isSeen = std::isfinite(corner.direction.x) &&
                                imageFromSky(view, corner.direction, corner.column, corner.row);
            }
        });
    const int64_t columns = net.columns - 1, cells = columns * (net.rows - 1);
    const auto ranges = static_cast<size_t>((cells + kCells - 1) / kCells);
    std::vector<std::vector<Triangle>> made(ranges);
    parallelFor(job, static_cast<long long>(ranges), 1, [&](long long begin, long long end) {
        for (long long range = begin; range < end; ++range)
            for (int64_t cell = range * kCells;
                 cell < std::min<int64_t>(cells, (range + 1) * kCells); ++cell) {
                const int64_t x = cell % columns, y = cell / columns;
                const auto corner = [&](int64_t i, int64_t j) -> const Corner& {
                    return corners[static_cast<size_t>(j * net.columns + i)];
                };
                const std::array<Corner, 4> quad{corner(x, y), corner(x + 1, y),
                                                 corner(x + 1, y + 1), corner(x, y + 1)};
                const bool hasPlace = std::all_of(quad.begin(), quad.end(), [](const Corner& each) {
                    return std::isfinite(each.direction.x);
                });
                if (hasPlace) painter.divide(quad, kMostHalvings, made[static_cast<size_t>(range)]);
            }
    });
    // Each thread paints the rows of its own bands.
    const int bands = (view.height + kBand - 1) / kBand;
    std::vector<std::vector<const Triangle*>> inBand(static_cast<size_t>(bands));
    for (const auto& triangles : made) {
        job.poll();
        for (const Triangle& triangle : triangles) {
            const auto& [a, b, c] = triangle.corners;
            const double top = std::min({a.row, b.row, c.row}) - kReach,
                         bottom = std::max({a.row, b.row, c.row}) + kReach;
            if (bottom < 0.0 || top >= view.height) continue;
            for (int band = std::max(0, static_cast<int>(top) / kBand);
                 band < bands && band * kBand <= bottom; ++band)
                inBand[static_cast<size_t>(band)].push_back(&triangle);
        }
    }
    parallelFor(job, bands, 1, [&](long long begin, long long end) {
        for (long long band = begin; band < end; ++band) {
            const int top = static_cast<int>(band) * kBand;
            for (const Triangle* triangle : inBand[static_cast<size_t>(band)])
                painter.paint(*triangle, top, std::min(view.height, top + kBand));
        }
    });
}

}  // namespace armilla

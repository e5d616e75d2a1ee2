// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of images: each picture pixel looks up its position in the image.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "armilla/core/nan.h"
#include "armilla/draw/image_mesh.h"
#include "image_rows.h"

namespace armilla {

namespace {

// Distance in picture pixels of the nodes with exact world coordinates; coordinates between nodes
// are interpolated within blocks of three by three nodes, if accurate enough.
constexpr int kStep = 8;
constexpr int kBlock = 2 * kStep;
constexpr int kNodes = 3;
// Maximum distance, in picture pixels, of a block's middle nodes from the mean of its corners. The
// interpolation error between nodes is a quarter of that: 0.025 pixels.
constexpr double kBend = 0.1;
// Number of values averaged along the long side of a picture pixel's footprint in the image.
constexpr int kMostSamples = 16;

// A position in the image, in pixels; NaN if absent.
struct Spot {
    double x = kNan, y = kNan;
    bool isGood() const { return std::isfinite(x) && std::isfinite(y); }
};
Spot operator-(Spot a, Spot b) {
    return {a.x - b.x, a.y - b.y};
}

// The area of a picture pixel in the image: its sides along columns and rows of the picture.
struct Footprint {
    Spot alongColumns, alongRows;
};

// Sampling of a footprint: a level of means, and a number of samples along the long side.
struct Sampling {
    int level = 0, samples = 1;
    Spot longSide;
};

// Singular values of the footprint: the short one selects the level, and several values of that
// level are averaged along the long one.
Sampling samplingOf(const Footprint& footprint, int levels) {
    const auto [a, b] = footprint;
    Sampling sampling;
    // Eigenvalues of the matrix times its transpose, [[p, q], [q, r]].
    const double p = a.x * a.x + b.x * b.x, q = a.x * a.y + b.x * b.y, r = a.y * a.y + b.y * b.y;
    const double half = 0.5 * (p + r), turn = std::hypot(0.5 * (p - r), q);
    const double longer = std::sqrt(half + turn);
    if (!(longer > 1.0) || !std::isfinite(longer)) return sampling;
    const double shorter = std::fabs(a.x * b.y - a.y * b.x) / longer;
    if (shorter > 1.0)
        sampling.level = std::min(levels - 1, static_cast<int>(std::lround(std::log2(shorter))));
    sampling.samples = static_cast<int>(
        std::clamp<long>(std::lround(longer / std::ldexp(1.0, sampling.level)), 1, kMostSamples));
    if (sampling.samples == 1) return sampling;
    const double angle = 0.5 * std::atan2(2.0 * q, p - r);
    sampling.longSide = {longer * std::cos(angle), longer * std::sin(angle)};
    return sampling;
}

class ImagePainter {
public:
    ImagePainter(const ImageMesh& mesh, const ColorScale& scale, double opacity,
                 const ViewGeometry& view, MarkerImage& image)
        : mesh_(mesh),
          table_(colorTable(scale.colorMap, scale.reversed)),
          colors_(scale, table_),
          opacity_(opacity),
          view_(view),
          image_(image) {}

    // The picture rows [top, top + kBlock).
    void paintBand(int top) const {
        const int blocks = (view_.width + kBlock - 1) / kBlock;
        const std::vector<Node> nodes = nodesOf(top, 2 * blocks + 1);
        for (int i = 0; i < blocks; ++i) {
            Block block;
            for (int row = 0; row < kNodes; ++row)
                for (int column = 0; column < kNodes; ++column)
                    block[static_cast<size_t>(row * kNodes + column)] =
                        nodes[static_cast<size_t>(row * (2 * blocks + 1) + 2 * i + column)];
            paintBlock(block, kBlock * i, top);
        }
    }

private:
    struct Node {
        Spot spot;
        bool isOnSky = false;  // on the sky, in the picture
    };
    using Block = std::array<Node, kNodes * kNodes>;

    // Three rows of nodes.
    std::vector<Node> nodesOf(int top, int columns) const {
        std::vector<Node> nodes(static_cast<size_t>(kNodes * columns));
        std::vector<Vec3> directions(nodes.size(), Vec3{1.0, 0.0, 0.0});
        for (int row = 0; row < kNodes; ++row)
            for (int column = 0; column < columns; ++column) {
                const auto at = static_cast<size_t>(row * columns + column);
                nodes[at].isOnSky =
                    skyFromImage(view_, kStep * column, top + kStep * row, directions[at]);
            }
        std::vector<double> x(nodes.size()), y(nodes.size());
        mesh_.places().pixels(directions, x, y);
        for (size_t i = 0; i < nodes.size(); ++i) nodes[i].spot = {x[i], y[i]};
        return nodes;
    }

    void paintBlock(const Block& block, int left, int top) const {
        const bool isInside =
            std::all_of(block.begin(), block.end(), [](const Node& node) { return node.isOnSky; });
        // Circles that bound the visible part of an image deviate by less than a tenth of a pixel
        // between nodes.
        if (isInside && std::none_of(block.begin(), block.end(),
                                     [](const Node& node) { return node.spot.isGood(); }))
            return;
        if (isInside && !mesh_.places().hasFacets() && isSmooth(block))
            interpolateBlock(block, left, top);
        else
            lookUpBlock(left, top);
    }

    // True if the middle nodes agree with the interpolation of the corners, in picture pixels.
    static bool isSmooth(const Block& block) {
        const auto spot = [&block](int column, int row) {
            return block[static_cast<size_t>(row * kNodes + column)].spot;
        };
        if (!std::all_of(block.begin(), block.end(),
                         [](const Node& node) { return node.spot.isGood(); }))
            return false;
        const Spot a = spot(0, 0), b = spot(2, 0), c = spot(0, 2), d = spot(2, 2);
        const Spot across{(b.x - a.x + d.x - c.x) / (2 * kBlock),
                          (b.y - a.y + d.y - c.y) / (2 * kBlock)};
        const Spot down{(c.x - a.x + d.x - b.x) / (2 * kBlock),
                        (c.y - a.y + d.y - b.y) / (2 * kBlock)};
        const double area = across.x * down.y - across.y * down.x;
        if (!(std::fabs(area) > 0.0)) return false;
        const auto isBent = [&](Spot middle, Spot one, Spot other) {
            const double x = middle.x - 0.5 * (one.x + other.x);
            const double y = middle.y - 0.5 * (one.y + other.y);
            const double columns = (x * down.y - y * down.x) / area;
            const double rows = (across.x * y - across.y * x) / area;
            return !(std::hypot(columns, rows) <= kBend);
        };
        return !isBent(spot(1, 0), a, b) && !isBent(spot(0, 1), a, c) &&
               !isBent(spot(2, 1), b, d) && !isBent(spot(1, 2), c, d) &&
               !isBent(spot(1, 1), a, d) && !isBent(spot(1, 1), b, c);
    }

    void interpolateBlock(const Block& block, int left, int top) const {
        for (int j = 0; j < kNodes - 1; ++j)
            for (int i = 0; i < kNodes - 1; ++i) {
                const auto spot = [&](int column, int row) {
                    return block[static_cast<size_t>((j + row) * kNodes + i + column)].spot;
                };
                interpolateCell({spot(0, 0), spot(1, 0), spot(0, 1), spot(1, 1)}, left + kStep * i,
                                top + kStep * j);
            }
    }

    // Corners: upper left and right, lower left and right.
    void interpolateCell(const std::array<Spot, 4>& corners, int left, int top) const {
        const auto& [a, b, c, d] = corners;
        const Sampling sampling = samplingOf(
            {{(b.x - a.x + d.x - c.x) / (2 * kStep), (b.y - a.y + d.y - c.y) / (2 * kStep)},
             {(c.x - a.x + d.x - b.x) / (2 * kStep), (c.y - a.y + d.y - b.y) / (2 * kStep)}},
            mesh_.levels());
        for (int row = top; row < std::min(view_.height, top + kStep); ++row)
            for (int column = left; column < std::min(view_.width, left + kStep); ++column) {
                const double u = (column - left + 0.5) / kStep, v = (row - top + 0.5) / kStep;
                const auto between = [u, v](double p, double q, double r, double s) {
                    return (1.0 - v) * (p + u * (q - p)) + v * (r + u * (s - r));
                };
                paint(column, row, {between(a.x, b.x, c.x, d.x), between(a.y, b.y, c.y, d.y)},
                      sampling);
            }
    }

    // Exact world coordinates of every pixel, and of the pixels around the block for footprints.
    static constexpr int kAround = kBlock + 2;
    using Spots = std::array<Spot, kAround * kAround>;

    void lookUpBlock(int left, int top) const {
        const int columns = std::min(kBlock, view_.width - left);
        const int rows = std::min(kBlock, view_.height - top);
        std::array<Vec3, kAround * kAround> directions;
        std::array<double, kAround * kAround> x{}, y{};
        std::array<size_t, kAround * kAround> cells{};
        size_t count = 0;
        for (int row = -1; row <= rows; ++row)
            for (int column = -1; column <= columns; ++column)
                if (skyFromImage(view_, left + column + 0.5, top + row + 0.5, directions[count]))
                    cells[count++] = cellOf(column, row);
        if (count == 0) return;
        mesh_.places().pixels({directions.data(), count}, {x.data(), count}, {y.data(), count});
        Spots spots;
        for (size_t i = 0; i < count; ++i) spots[cells[i]] = {x[i], y[i]};
        const Spot right{1.0, 0.0}, down{0.0, 1.0};
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) {
                const Spot spot = spots[cellOf(column, row)];
                if (!isInImage(spot)) continue;
                Sampling sampling = samplingOf(
                    {stepAt(spots, column, row, right), stepAt(spots, column, row, down)},
                    mesh_.levels());
                // Across a cut, even the shortest step may be wrong: no averaging along it.
                sampling.samples = 1;
                paint(left + column, top + row, spot, sampling);
            }
    }

    static size_t cellOf(int column, int row) {
        return static_cast<size_t>((row + 1) * kAround + column + 1);
    }

    // The step from a pixel to its neighbor to the right, or below.
    static Spot stepFrom(const Spots& spots, int column, int row, Spot way) {
        return spots[cellOf(column + static_cast<int>(way.x), row + static_cast<int>(way.y))] -
               spots[cellOf(column, row)];
    }

    // The shortest of the steps around a pixel, because longer ones may cross a cut of the image.
    static Spot stepAt(const Spots& spots, int column, int row, Spot way) {
        Spot shortest{0.0, 0.0};
        double least = std::numeric_limits<double>::infinity();
        const int right = static_cast<int>(way.x), down = static_cast<int>(way.y);
        for (int along = -1; along <= 0; ++along)
            for (int aside = -1; aside <= 1; ++aside) {
                const Spot step = stepFrom(spots, column + along * right + aside * down,
                                           row + along * down + aside * right, way);
                const double length = std::hypot(step.x, step.y);
                if (!(length < least)) continue;
                least = length;
                shortest = step;
            }
        return shortest;
    }

    bool isInImage(Spot spot) const {
        // Borders of facets coincide with borders of images: rounding must not move a position
        // outside.
        constexpr double kSlack = 1e-6;
        return spot.x > -0.5 - kSlack && spot.y > -0.5 - kSlack &&
               spot.x < static_cast<double>(mesh_.width()) - 0.5 + kSlack &&
               spot.y < static_cast<double>(mesh_.height()) - 0.5 + kSlack;
    }

    void paint(int column, int row, Spot spot, const Sampling& sampling) const {
        if (!isInImage(spot)) return;
        if (sampling.samples == 1) return put(column, row, valueAt(spot, sampling.level));
        double sum = 0.0;
        int good = 0;
        for (int i = 0; i < sampling.samples; ++i) {
            const double share = (i + 0.5) / sampling.samples - 0.5;
            const Spot at{spot.x + share * sampling.longSide.x,
                          spot.y + share * sampling.longSide.y};
            if (!isInImage(at)) continue;
            const float value = valueAt(at, sampling.level);
            if (!std::isfinite(value)) continue;
            sum += static_cast<double>(value);
            ++good;
        }
        put(column, row, good > 0 ? static_cast<float>(sum / good) : valueAt(spot, sampling.level));
    }

    float valueAt(Spot spot, int level) const {
        const auto x =
            std::clamp<int64_t>(std::llround(std::floor(spot.x + 0.5)), 0, mesh_.width() - 1);
        const auto y =
            std::clamp<int64_t>(std::llround(std::floor(spot.y + 0.5)), 0, mesh_.height() - 1);
        const float value = valueOf(x, y, level);
        if (std::isfinite(value) || mesh_.hasPlace(x, y)) return value;
        // The pixel's center is off the sky: use the nearest center on the sky.
        float nearest = value;
        double least = std::numeric_limits<double>::infinity();
        for (int64_t j = std::max<int64_t>(0, y - 1); j <= std::min(mesh_.height() - 1, y + 1); ++j)
            for (int64_t i = std::max<int64_t>(0, x - 1); i <= std::min(mesh_.width() - 1, x + 1);
                 ++i) {
                const double distance =
                    std::hypot(static_cast<double>(i) - spot.x, static_cast<double>(j) - spot.y);
                if (!mesh_.hasPlace(i, j) || distance >= least) continue;
                least = distance;
                nearest = valueOf(i, j, level);
            }
        return nearest;
    }

    float valueOf(int64_t x, int64_t y, int level) const {
        const ImageMesh::Level& values = mesh_.level(level);
        return values.values[static_cast<size_t>((y >> level) * values.width + (x >> level))];
    }

    void put(int column, int row, float value) const {
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
    ColorTable table_;
    ColorPicker colors_;
    double opacity_;
    const ViewGeometry& view_;
    MarkerImage& image_;
};

}  // namespace

void paintImage(const ImageMesh& mesh, const ColorScale& scale, double opacity,
                const ViewGeometry& view, MarkerImage& image, JobContext& job) {
    checkView(view);
    if (image.width != view.width || image.height != view.height) {
        image.width = view.width;
        image.height = view.height;
        image.pixels.assign(static_cast<size_t>(view.width) * static_cast<size_t>(view.height),
                            Rgba{0, 0, 0, 0});
    }
    const ImagePainter painter(mesh, scale, opacity, view, image);
    // Each row of blocks has a single writer.
    parallelFor(job, (view.height + kBlock - 1) / kBlock, 1, [&](long long begin, long long end) {
        for (long long band = begin; band < end; ++band)
            painter.paintBand(static_cast<int>(band) * kBlock);
    });
}

}  // namespace armilla

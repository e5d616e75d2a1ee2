// SPDX-License-Identifier: GPL-3.0-or-later
// The density of many markers by CPU threads.
#include "armilla/draw/marker_density.h"

#include <atomic>

namespace armilla {

namespace {

// Weight of a count by its offset from the pixel.
struct Disc {
    int reach = 0;
    std::vector<double> share;  // (2 reach + 1)^2

    explicit Disc(double radius) : reach(densityReach(radius)) {
        for (int y = -reach; y <= reach; ++y)
            for (int x = -reach; x <= reach; ++x)
                share.push_back(densityShare(std::hypot(x, y), radius));
    }
};

struct Sums {
    double density = 0.0, squares = 0.0, covered = 0.0;
};

double densityAt(const MarkerCounts& counts, const Disc& disc, int column, int row) {
    double sum = 0.0;
    const double* share = disc.share.data();
    const auto stride = static_cast<size_t>(counts.width + 2 * counts.margin);
    for (int y = -disc.reach; y <= disc.reach; ++y) {
        const uint32_t* line = counts.pixels.data() +
                               static_cast<size_t>(row + y + counts.margin) * stride +
                               static_cast<size_t>(column + counts.margin - disc.reach);
        for (int x = 0; x <= 2 * disc.reach; ++x) sum += *share++ * *line++;
    }
    return sum;
}

}  // namespace

MarkerCounts::MarkerCounts(int pictureWidth, int pictureHeight, const MarkerStyle& style,
                           double pixelRatio)
    : width(pictureWidth),
      height(pictureHeight),
      margin(densityReach(densityRadius(style, pixelRatio))),
      pixels(static_cast<size_t>(width + 2 * margin) * static_cast<size_t>(height + 2 * margin)) {}

void MarkerCounts::add(double column, double row) {
    const double x = std::floor(column) + margin, y = std::floor(row) + margin;
    if (!(x >= 0.0 && y >= 0.0 && x < width + 2 * margin && y < height + 2 * margin)) return;
    const size_t at =
        static_cast<size_t>(y) * static_cast<size_t>(width + 2 * margin) + static_cast<size_t>(x);
    std::atomic_ref(pixels[at]).fetch_add(1, std::memory_order_relaxed);
}

int64_t MarkerCounts::inPicture() const {
    int64_t sum = 0;
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
            sum +=
                pixels[static_cast<size_t>(row + margin) * static_cast<size_t>(width + 2 * margin) +
                       static_cast<size_t>(column + margin)];
    return sum;
}

void paintDensity(const MarkerCounts& counts, const MarkerStyle& style, double opacity,
                  double pixelRatio, MarkerImage& image, JobContext& job) {
    const Disc disc(densityRadius(style, pixelRatio));
    const auto width = static_cast<size_t>(counts.width),
               height = static_cast<size_t>(counts.height);
    std::vector<float> density(width * height);
    std::vector<Sums> ofRow(height);
    parallelFor(job, counts.height, 8, [&](long long begin, long long end) {
        for (auto row = static_cast<size_t>(begin); row < static_cast<size_t>(end); ++row)
            for (size_t column = 0; column < width; ++column) {
                const double here =
                    densityAt(counts, disc, static_cast<int>(column), static_cast<int>(row));
                density[row * width + column] = static_cast<float>(here);
                if (here <= 0.0) continue;
                ofRow[row].density += here;
                ofRow[row].squares += here * here;
                ofRow[row].covered += 1.0;
            }
    });
    Sums sums;
    for (const Sums& row : ofRow) {
        sums.density += row.density;
        sums.squares += row.squares;
        sums.covered += row.covered;
    }
    const DensityTone tone = DensityTone::of(sums.density, sums.squares, sums.covered);
    parallelFor(job, counts.height, 8, [&](long long begin, long long end) {
        for (size_t i = static_cast<size_t>(begin) * width; i < static_cast<size_t>(end) * width;
             ++i) {
            if (density[i] <= 0.0F) continue;
            const double alpha = opacity * tone.alpha(static_cast<double>(density[i]));
            const auto part = [&](uint8_t c) {
                return static_cast<uint8_t>(std::lround(c * alpha));
            };
            layOver(image.pixels[i], {part(style.color.r), part(style.color.g), part(style.color.b),
                                      static_cast<uint8_t>(std::lround(255.0 * alpha))});
        }
    });
}

}  // namespace armilla

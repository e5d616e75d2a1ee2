// SPDX-License-Identifier: GPL-3.0-or-later
// Markers by CPU threads.
#include <algorithm>
#include <cmath>

#include "armilla/draw/markers.h"

namespace armilla {

namespace {

constexpr int64_t kGrain = 4096;  // markers projected per work item: about 0.5 ms on one CPU core
constexpr int kBand = 32;         // image rows painted at a time
constexpr double kEdge = 1.0;     // logical pixels of the dark edge around a marker

// Signed distance in logical pixels from the border of the ink; negative inside.
double inkDistance(MarkerShape shape, double x, double y, double radius) {
    const double ax = std::fabs(x), ay = std::fabs(y);
    const double line = std::fmax(0.7, 0.09 * radius);  // half the width of a stroke
    switch (shape) {
        case MarkerShape::Circle: return std::fabs(std::hypot(x, y) - (radius - line)) - line;
        case MarkerShape::Disc: return std::hypot(x, y) - radius;
        case MarkerShape::Square:
            return std::fabs(std::fmax(ax, ay) - (0.88 * radius - line)) - line;
        case MarkerShape::Diamond:
            return std::fabs((ax + ay) / std::sqrt(2.0) - (0.80 * radius - line)) - line;
        case MarkerShape::Cross:
            return std::fmax(std::fabs(ax - ay) / std::sqrt(2.0) - line,
                             std::fmax(ax, ay) - 0.8 * radius);
        case MarkerShape::Plus:
            return std::fmax(std::fmin(ax, ay) - line, std::fmax(ax, ay) - radius);
    }
    return 1.0;
}

// Fraction of a pixel inside a border at this distance, in pixels.
double coverage(double distance) {
    return std::clamp(0.5 - distance, 0.0, 1.0);
}

struct Place {
    int32_t column, row;
};
constexpr int32_t kNowhere = -(1 << 24);

// Projects every `stride`-th marker of a run.
void project(const MarkerSet& set, const ViewGeometry& view, MarkerSet::Run run, int64_t stride,
             std::vector<Place>& places, JobContext& job) {
    const int64_t first = (run.begin + stride - 1) / stride, last = (run.end + stride - 1) / stride;
    const size_t before = places.size();
    places.resize(before + static_cast<size_t>(std::max<int64_t>(0, last - first)));
    parallelFor(job, last - first, kGrain, [&](long long begin, long long end) {
        for (long long i = begin; i < end; ++i) {
            Place& place = places[before + static_cast<size_t>(i)];
            place = {kNowhere, kNowhere};
            double column = 0.0, row = 0.0;
            if (!imageFromSky(view, set.direction((first + i) * stride), column, row)) continue;
            if (std::fabs(column) > 1e6 || std::fabs(row) > 1e6) continue;
            place = {static_cast<int32_t>(std::floor(column)),
                     static_cast<int32_t>(std::floor(row))};
        }
    });
}

// Markers of one appearance at one pixel draw only once, which applies to most of a million markers
// on a million pixels.
void dropRepeated(std::vector<Place>& places, int width, int height, int half) {
    const int columns = width + 2 * half;
    std::vector<bool> taken(static_cast<size_t>(columns) * static_cast<size_t>(height + 2 * half));
    std::erase_if(places, [&](const Place& place) {
        if (place.column < -half || place.column >= width + half || place.row < -half ||
            place.row >= height + half)
            return true;
        const auto at = static_cast<size_t>(place.row + half) * static_cast<size_t>(columns) +
                        static_cast<size_t>(place.column + half);
        if (taken[at]) return true;
        taken[at] = true;
        return false;
    });
}

struct Dot {
    int column, row;
    Rgba ink;  // premultiplied
};

std::vector<Dot> dotsOf(const MarkerStyle& style, double opacity, double pixelRatio, double edges) {
    const MarkerStamp stamp = markerStamp(style, pixelRatio);
    std::vector<Dot> dots;
    const int half = stamp.side / 2;
    for (int row = 0; row < stamp.side; ++row)
        for (int column = 0; column < stamp.side; ++column) {
            const auto at = static_cast<size_t>(row * stamp.side + column);
            const double fill = static_cast<double>(stamp.fill[at]) * opacity;
            const double edge = static_cast<double>(stamp.edge[at]) * opacity * edges;
            const double alpha = fill + edge * (1.0 - fill);
            if (alpha < 1.0 / 512.0) continue;
            const auto part = [&](uint8_t c) {
                return static_cast<uint8_t>(std::lround(c * fill));
            };
            dots.push_back({column - half,
                            row - half,
                            {part(style.color.r), part(style.color.g), part(style.color.b),
                             static_cast<uint8_t>(std::lround(255.0 * alpha))}});
        }
    return dots;
}

void countMarkers(const MarkerSet& set, const ViewGeometry& view,
                  const std::vector<MarkerSet::Run>& runs, int64_t stride, MarkerCounts& counts,
                  JobContext& job) {
    for (const MarkerSet::Run& run : runs) {
        const int64_t first = (run.begin + stride - 1) / stride,
                      last = (run.end + stride - 1) / stride;
        parallelFor(job, last - first, kGrain, [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i) {
                double column = 0.0, row = 0.0;
                if (imageFromSky(view, set.direction((first + i) * stride), column, row))
                    counts.add(column, row);
            }
        });
    }
}

}  // namespace

void layOver(Rgba& under, Rgba ink) {
    const unsigned rest = 255U - ink.a;
    const auto mixed = [rest](uint8_t over, uint8_t below) {
        return static_cast<uint8_t>(over + (below * rest + 127U) / 255U);
    };
    under = {mixed(ink.r, under.r), mixed(ink.g, under.g), mixed(ink.b, under.b),
             mixed(ink.a, under.a)};
}

double rimShare(int64_t drawn) {
    constexpr double kFew = 5000.0, kCrowd = 10000.0;
    return std::clamp((kCrowd - static_cast<double>(drawn)) / (kCrowd - kFew), 0.0, 1.0);
}

double markerReach(const MarkerStyle& style) {
    const double radius = 0.5 * style.size, around = kEdge + 0.5;
    // Its sides are closer to the middle than others', and end in tips.
    if (style.shape == MarkerShape::Diamond) return std::sqrt(2.0) * (0.80 * radius + around);
    return radius + around;
}

MarkerInk markerInk(const MarkerStyle& style, double pixelRatio, double column, double row) {
    const double distance =
        inkDistance(style.shape, column / pixelRatio, row / pixelRatio, 0.5 * style.size);
    return {coverage(distance * pixelRatio), 0.55 * coverage((distance - kEdge) * pixelRatio)};
}

MarkerStamp markerStamp(const MarkerStyle& style, double pixelRatio) {
    MarkerStamp stamp;
    const int half = static_cast<int>(std::ceil(markerReach(style) * pixelRatio));
    stamp.side = 2 * half + 1;
    for (int row = -half; row <= half; ++row)
        for (int column = -half; column <= half; ++column) {
            const MarkerInk ink = markerInk(style, pixelRatio, column, row);
            stamp.fill.push_back(static_cast<float>(ink.fill));
            stamp.edge.push_back(static_cast<float>(ink.edge));
        }
    return stamp;
}

void paintMarkers(const MarkerSet& set, const MarkerStyle& style, double opacity,
                  const ViewGeometry& view, double pixelRatio, int64_t most, MarkerImage& image,
                  JobContext& job) {
    if (image.width != view.width || image.height != view.height) {
        image.width = view.width;
        image.height = view.height;
        image.pixels.assign(static_cast<size_t>(view.width) * static_cast<size_t>(view.height),
                            Rgba{0, 0, 0, 0});
    }
    const std::vector<Dot> whole = dotsOf(style, opacity, pixelRatio, 1.0);
    if (whole.empty()) return;
    int half = 0;
    for (const Dot& dot : whole) half = std::max({half, std::abs(dot.column), std::abs(dot.row)});
    const auto runs = set.runsIn(view, half);
    int64_t total = 0;
    for (const auto& run : runs) total += run.end - run.begin;
    const int64_t stride = most > 0 ? std::max<int64_t>(1, (total + most - 1) / most) : 1;
    if (total > kMostSingleMarkers) {
        MarkerCounts counts(view.width, view.height, style, pixelRatio);
        countMarkers(set, view, runs, stride, counts, job);
        paintDensity(counts, style, opacity, pixelRatio, image, job);
        return;
    }
    const std::vector<Dot> dots = dotsOf(style, opacity, pixelRatio, rimShare(total / stride));
    std::vector<Place> places;
    for (const auto& run : runs) {
        job.poll();
        project(set, view, run, stride, places, job);
    }
    dropRepeated(places, view.width, view.height, half);
    // Each thread paints the rows of its own bands, so that every pixel has one writer and the
    // order of the markers is kept.
    const int bands = (view.height + kBand - 1) / kBand;
    std::vector<std::vector<Place>> inBand(static_cast<size_t>(bands));
    for (const Place& place : places)
        for (int band = std::max(0, (place.row - half) / kBand);
             band < bands && band * kBand <= place.row + half; ++band)
            inBand[static_cast<size_t>(band)].push_back(place);
    parallelFor(job, bands, 1, [&](long long begin, long long end) {
        for (long long band = begin; band < end; ++band) {
            const int top = static_cast<int>(band) * kBand;
            const int bottom = std::min(view.height, top + kBand);
            for (const Place& place : inBand[static_cast<size_t>(band)])
                for (const Dot& dot : dots) {
                    const int column = place.column + dot.column, row = place.row + dot.row;
                    if (row < top || row >= bottom || column < 0 || column >= view.width) continue;
                    layOver(
                        image.pixels[static_cast<size_t>(row) * static_cast<size_t>(view.width) +
                                     static_cast<size_t>(column)],
                        dot.ink);
                }
        }
    });
}

}  // namespace armilla

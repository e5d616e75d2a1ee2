// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/polarization_rods.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/order_statistics.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/seen_frame.h"
#include "armilla/core/tangent.h"

namespace armilla {

namespace {

constexpr int64_t kSamples = 4096;  // number of pixels that are sampled from a map

struct Stokes {
    double q = 0.0, u = 0.0;
    int good = 0;
};

// Adds the polarization of the pixel at `place`, rotated to the tangent of the cell's middle. Q and
// U refer to the meridian of the pixel's center, which next to a pole differs from that of another
// position in the pixel. `sign` converts U to COSMO.
void addStokes(const HealpixMap& map, int qField, int uField, double sign, Vec3 place, Vec3 middle,
               const Tangent& base, Stokes& sum) {
    const int64_t pixel = map.pixelAt(place);
    const auto element = map.elementOf(pixel);
    if (!element) return;
    const double q = map.field(qField).at(*element), u = sign * map.field(uField).at(*element);
    if (!std::isfinite(q) || !std::isfinite(u)) return;
    // Parallel transport along the great circle to the middle: the smallest rotation.
    const Vec3 d = directionFromPixel(map.nside(), map.ordering(), pixel);
    const Tangent own = tangentAt(d);
    const double scale = dot(own.north, middle) / (1.0 + dot(d, middle));
    const Vec3 carried = own.north - scale * (d + middle);
    // Sine and cosine of twice the angle of the transported north from the base's north towards
    // east, without the angle. COSMO angles count from south towards east, so the polarization
    // angle decreases by that angle.
    const double east = dot(carried, base.east), north = dot(carried, base.north);
    const double square = east * east + north * north;  // 1 but for rounding
    const double c = (north * north - east * east) / square, s = 2.0 * east * north / square;
    sum.q += q * c + u * s;
    sum.u += u * c - q * s;
    ++sum.good;
}

// The mean of the good values of a field at positions in a cell.
class CellMean {
public:
    CellMean(const HealpixMap* map, int field, Frame from) : map_(map), field_(field) {
        if (map != nullptr) turn_ = seenRotation(map->frame(), from);
    }
    void add(Vec3 place) {
        if (map_ == nullptr) return;
        const double value = map_->value(field_, map_->pixelAt(turn_ * place));
        if (!std::isfinite(value)) return;
        sum_ += value;
        ++good_;
    }
    double take() {
        const double mean = good_ > 0 ? sum_ / good_ : 0.0;
        sum_ = 0.0;
        good_ = 0;
        return mean;
    }

private:
    const HealpixMap* map_;
    int field_;
    Mat3 turn_;
    double sum_ = 0.0;
    int good_ = 0;
};

// Value of the longest rod: nearly the largest of some thousand values.
double longestOf(std::vector<double>& values) {
    constexpr double kShare = 0.99;
    if (values.empty()) return 0.0;
    return valueOfRank(values,
                       static_cast<size_t>(kShare * static_cast<double>(values.size() - 1)));
}

}  // namespace

std::vector<Rod> polarizationRods(const HealpixMap& map, int qField, int uField,
                                  const ViewGeometry& mapView, double spacing, double maxLength,
                                  double maxAmplitude) {
    return polarizationRods(
        map, qField, uField, mapView,
        {.spacing = spacing, .maxLength = maxLength, .maxAmplitude = maxAmplitude});
}

std::vector<Rod> polarizationRods(const HealpixMap& map, int qField, int uField,
                                  const ViewGeometry& mapView, const RodOptions& options) {
    const double spacing = options.spacing;
    if (!(spacing >= 1.0) || !(options.maxAmplitude > 0.0))
        throw InvalidArgument(
            "expected rods at least a pixel apart and a largest amplitude above 0, found " +
            std::to_string(spacing) + " and " + std::to_string(options.maxAmplitude));
    std::vector<Rod> rods;
    const double sign = options.convention == PolarizationConvention::Iau ? -1.0 : 1.0;
    const double cellSide = std::sqrt(kPi / 3.0) / static_cast<double>(map.nside());
    const int places =
        std::clamp(static_cast<int>(std::ceil(spacing * mapView.radiansPerPixel / cellSide)), 1, 4);
    CellMean lengths(options.lengths, options.lengthField, map.frame());
    const int columns = static_cast<int>(mapView.width / spacing);
    const int rows = static_cast<int>(mapView.height / spacing);
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            const ImagePoint at{(i + 0.5) * spacing + 0.5 * (mapView.width - columns * spacing),
                                (j + 0.5) * spacing + 0.5 * (mapView.height - rows * spacing)};
            Vec3 middle;
            if (!skyFromImage(mapView, at.column, at.row, middle)) continue;
            const Tangent base = tangentAt(middle);
            Stokes sum;
            for (int k = 0; k < places * places; ++k) {
                const int line = k / places;
                const double dx = ((k % places) + 0.5) / places - 0.5;
                const double dy = (line + 0.5) / places - 0.5;
                Vec3 d;
                if (!skyFromImage(mapView, at.column + dx * spacing, at.row + dy * spacing, d))
                    continue;
                addStokes(map, qField, uField, sign, d, middle, base, sum);
                lengths.add(d);
            }
            const double own = lengths.take();
            if (sum.good == 0) continue;
            double amplitude = std::hypot(sum.q, sum.u) / sum.good;
            if (options.noise > 0.0) {
                // Several positions may lie in one pixel and have the same noise.
                const double side = spacing * mapView.radiansPerPixel / cellSide;
                const double pixels = std::clamp(side * side, 1.0, static_cast<double>(sum.good));
                const double noise = options.noise / std::sqrt(pixels);
                if (amplitude < options.leastSnr * noise) continue;
                amplitude = debiasedAmplitude(amplitude, noise);
            }
            if (!(amplitude > 0.0) || amplitude < options.leastAmplitude) continue;
            if (options.lengths != nullptr) amplitude = own;
            if (!(amplitude > 0.0)) continue;
            const double angle = 0.5 * std::atan2(sum.u, sum.q);
            const Vec3 along = std::sin(angle) * base.east - std::cos(angle) * base.north;
            // The direction in the picture, from a step of a tenth of a pixel to either side.
            const Vec3 step = (0.1 * mapView.radiansPerPixel) * along;
            ImagePoint a, b;
            if (!imageFromSky(mapView, normalized(middle - step), a.column, a.row) ||
                !imageFromSky(mapView, normalized(middle + step), b.column, b.row))
                continue;
            const double dx = b.column - a.column, dy = b.row - a.row;
            const double length = std::hypot(dx, dy);
            if (!(length > 0.0) || length > 2.0) continue;  // cut by a seam
            const double half =
                0.5 * options.maxLength * std::min(1.0, amplitude / options.maxAmplitude) / length;
            rods.push_back({{at.column - half * dx, at.row - half * dy},
                            {at.column + half * dx, at.row + half * dy}});
        }
    return rods;
}

double debiasedAmplitude(double amplitude, double noise) {
    if (!(amplitude > 0.0)) return 0.0;
    const double ratio = amplitude / noise;
    return amplitude + noise * noise * std::expm1(-ratio * ratio) / (2.0 * amplitude);
}

double typicalAmplitude(const HealpixMap& map, int qField, int uField) {
    std::vector<double> amplitudes;
    const int64_t count = map.elementCount();
    const int64_t step = std::max<int64_t>(1, count / kSamples);
    for (int64_t i = 0; i < count; i += step) {
        const double p = std::hypot(map.field(qField).at(i), map.field(uField).at(i));
        if (std::isfinite(p)) amplitudes.push_back(p);
    }
    return longestOf(amplitudes);
}

double typicalLength(const HealpixMap& map, int field) {
    std::vector<double> lengths;
    const int64_t count = map.elementCount();
    const int64_t step = std::max<int64_t>(1, count / kSamples);
    for (int64_t i = 0; i < count; i += step)
        if (const double value = map.field(field).at(i); value > 0.0 && std::isfinite(value))
            lengths.push_back(value);
    return longestOf(lengths);
}

double pixelNoise(const HealpixMap& map, int qField, int uField) {
    // Median of the absolute value of a standard normal number.
    constexpr double kMiddle = 0.67448975019608171;
    std::vector<double> sizes;
    const int64_t parents = map.pixelCount() / 4;
    const int64_t step = std::max<int64_t>(1, parents / kSamples);
    if (!isPowerOfTwoNside(map.nside()) || map.nside() < 2) return 0.0;
    for (int64_t parent = 0; parent < parents; parent += step)
        for (const int field : {qField, uField}) {
            double sum = 0.0;
            for (int64_t child = 0; child < 4; ++child) {
                const FacePixel at = faceFromNested(map.nside(), 4 * parent + child);
                const double value =
                    map.value(field, pixelFromFace(map.nside(), map.ordering(), at));
                sum += child == 0 || child == 3 ? value : -value;
            }
            if (std::isfinite(sum)) sizes.push_back(std::abs(0.5 * sum));
        }
    if (sizes.size() < 16) return 0.0;
    return upperMedian(sizes) / kMiddle;
}

double roundAmplitude(double most) {
    if (!(most > 0.0) || !std::isfinite(most)) return 0.0;
    const double decade = std::pow(10.0, std::floor(std::log10(most)));
    for (const double step : {5.0, 2.0, 1.0})
        if (step * decade <= most) return step * decade;
    return 0.5 * decade;  // the logarithm was rounded up
}

}  // namespace armilla

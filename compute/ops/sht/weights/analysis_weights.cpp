// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/weights/analysis_weights.h"

#include <algorithm>
#include <variant>

#include "core/error.h"
#include "core/healpix_map.h"
#include "core/new_vector.h"
#include "core/pixel_geometry.h"
#include "ops/quadrature_weights.h"

namespace armilla {

namespace {

// Calls body(pixel, w_p) for all pixels in RING order, rings side by side. The compressed form
// holds of each northern ring and the equator the first half quarter, to which the others of the
// ring and its mirror are alike.
template <typename Body>
void forEachPixelWeight(int64_t nside, const std::vector<double>& compressed, JobContext& job,
                        const Body& body) {
    std::vector<size_t> starts{0};  // of rings 1 .. 2 nside
    for (int64_t ring = 1; ring <= 2 * nside; ++ring) {
        const int64_t q = detail::quarterLength(nside, ring);
        const bool hasMiddle = q % 2 == 0 && detail::ringShift(nside, ring) == 0;
        starts.push_back(starts.back() + static_cast<size_t>((q + 1) / 2 + (hasMiddle ? 1 : 0)));
    }
    ARMILLA_ASSERT(starts.back() == compressed.size());
    const long long grain = std::max<int64_t>(1, kPixelGrain / (4 * nside));
    parallelFor(job, 4 * nside - 1, grain, [&](long long begin, long long end) {
        for (int64_t ring = begin + 1; ring <= end; ++ring) {
            const int64_t north = std::min(ring, 4 * nside - ring);
            const int64_t q = detail::quarterLength(nside, ring);
            const bool isShifted = detail::ringShift(nside, ring) == 1;
            const double* weights = compressed.data() + starts[static_cast<size_t>(north - 1)];
            const auto first = static_cast<size_t>(detail::firstPixelOfRing(nside, ring));
            for (int64_t i = 0; i < 4 * q; ++i) {
                const int64_t place = i % q;
                const int64_t at = std::min(place, isShifted ? q - 1 - place : q - place);
                body(first + static_cast<size_t>(i), 1.0 + weights[at]);
            }
        }
    });
}

}  // namespace

std::vector<double> sampleWeights(const ShtParameters& parameters, const RingGrid& grid,
                                  JobContext& job) {
    std::vector<double> weights;
    for (const Ring& ring : grid.rings) weights.push_back(ring.weight);
    if (parameters.weights != Weights::Ring) return weights;
    const std::vector<double> factors = ringWeights(parameters.nside, job);
    for (size_t r = 0; r < weights.size(); ++r)
        weights[r] *= factors[std::min(r, weights.size() - 1 - r)];
    return weights;
}

std::vector<double> expandedPixelWeights(int64_t nside, const std::vector<double>& compressed,
                                         JobContext& job) {
    std::vector<double> weights = newVector<double>(pixelCount(nside), job);
    forEachPixelWeight(nside, compressed, job, [&](size_t p, double w) { weights[p] = w; });
    return weights;
}

std::vector<double> timesPixelWeights(const ConstMapSamples& map, int64_t nside,
                                      const std::vector<double>& compressed, JobContext& job) {
    std::vector<double> product = newVector<double>(pixelCount(nside), job);
    std::visit(
        [&](const auto& values) {
            forEachPixelWeight(nside, compressed, job,
                               [&](size_t p, double w) { product[p] = w * values[p]; });
        },
        map);
    return product;
}

void multiplyByWeights(const ShtParameters& parameters, const RingGrid& grid,
                       std::span<const MapSamples> maps, JobContext& job) {
    const std::vector<double> weights = sampleWeights(parameters, grid, job);
    const std::vector<double> ofPixels = parameters.weights == Weights::Pixel
                                             ? pixelWeights(parameters.nside, job)
                                             : std::vector<double>();
    const auto timesOwn = [&]<typename Sample>(std::span<Sample> map) {
        const auto multiply = [&](size_t p, double w) { map[p] = static_cast<Sample>(w * map[p]); };
        if (!ofPixels.empty()) forEachPixelWeight(parameters.nside, ofPixels, job, multiply);
        parallelFor(job, static_cast<long long>(grid.rings.size()), 1, [&](long long r, long long) {
            const Ring& ring = grid.rings[static_cast<size_t>(r)];
            for (int64_t j = ring.first; j < ring.first + ring.count; ++j)
                multiply(static_cast<size_t>(j), weights[static_cast<size_t>(r)]);
        });
    };
    for (const MapSamples& map : maps) std::visit(timesOwn, map);
}

}  // namespace armilla

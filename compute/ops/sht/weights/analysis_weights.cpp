// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/weights/analysis_weights.h"

#include <algorithm>
#include <variant>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/quadrature_weights.h"

namespace armilla {

namespace {

// The compressed form holds the first half quarter of each northern ring and of the equator. The
// remaining pixels of the ring and its mirror have the same weights by symmetry.
size_t weightsOfRing(int64_t nside, int64_t ring) {
    const int64_t q = detail::quarterLength(nside, ring);
    const bool hasMiddle = q % 2 == 0 && detail::ringShift(nside, ring) == 0;
    return static_cast<size_t>((q + 1) / 2 + (hasMiddle ? 1 : 0));
}

// Calls body(sample, w_p) for all samples of some northern rings and their mirror rings. Samples
// are numbered contiguously from north to south; rings run in parallel.
template <typename Body>
void forEachPixelWeight(int64_t nside, const RingRuns& northern, std::span<const double> compressed,
                        JobContext& job, const Body& body) {
    struct Place {
        int64_t ring = 0;
        size_t weights = 0, first = 0;
    };
    std::vector<Place> places;
    size_t weight = 0, sample = 0;
    const auto add = [&](int64_t ring, size_t weights) {
        places.push_back({ring, weights, sample});
        sample += static_cast<size_t>(4 * detail::quarterLength(nside, ring));
    };
    for (int i = 0; i < northern.count(); ++i) {
        const int64_t ring = northern.at(i) + 1;
        add(ring, weight);
        weight += weightsOfRing(nside, ring);
    }
    ARMILLA_ASSERT(weight == compressed.size());
    const size_t count = places.size();
    for (size_t i = count; i-- > 0;)
        if (places[i].ring < 2 * nside) add(4 * nside - places[i].ring, places[i].weights);
    const long long grain = std::max<int64_t>(1, kPixelGrain / (4 * nside));
    parallelFor(job, static_cast<long long>(places.size()), grain,
                [&](long long begin, long long end) {
                    for (auto r = static_cast<size_t>(begin); r < static_cast<size_t>(end); ++r) {
                        const auto [ring, weights, first] = places[r];
                        const int64_t q = detail::quarterLength(nside, ring);
                        const bool isShifted = detail::ringShift(nside, ring) == 1;
                        const double* const at = compressed.data() + weights;
                        for (int64_t i = 0; i < 4 * q; ++i) {
                            const int64_t place = i % q;
                            body(first + static_cast<size_t>(i),
                                 1.0 + at[std::min(place, isShifted ? q - 1 - place : q - place)]);
                        }
                    }
                });
}
RingRuns allNorthern(int64_t nside) {
    const RingRange all{0, static_cast<int>(2 * nside)};
    return RingRuns({&all, 1});
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
    forEachPixelWeight(nside, allNorthern(nside), compressed, job,
                       [&](size_t p, double w) { weights[p] = w; });
    return weights;
}

size_t pixelWeightCount(int64_t nside, const RingRuns& rings) {
    size_t count = 0;
    for (int i = 0; i < rings.count(); ++i) count += weightsOfRing(nside, rings.at(i) + 1);
    return count;
}

std::vector<double> pixelWeightsOf(int64_t nside, std::span<const double> compressed,
                                   const RingRuns& rings) {
    std::vector<double> some;
    size_t at = 0;
    for (int ring = 0; ring < 2 * nside; ++ring) {
        const size_t count = weightsOfRing(nside, ring + 1);
        if (rings.has(ring))
            some.insert(some.end(), compressed.begin() + static_cast<std::ptrdiff_t>(at),
                        compressed.begin() + static_cast<std::ptrdiff_t>(at + count));
        at += count;
    }
    return some;
}

std::vector<double> timesPixelWeights(const ConstMapSamples& map, int64_t nside,
                                      const std::vector<double>& compressed, JobContext& job) {
    return timesPixelWeights(map, nside, allNorthern(nside), compressed, job);
}

std::vector<double> timesPixelWeights(const ConstMapSamples& part, int64_t nside,
                                      const RingRuns& rings, std::span<const double> compressed,
                                      JobContext& job) {
    std::vector<double> product = newVector<double>(static_cast<int64_t>(sizeOf(part)), job);
    std::visit(
        [&](const auto& values) {
            forEachPixelWeight(nside, rings, compressed, job,
                               [&](size_t p, double w) { product[p] = w * values[p]; });
        },
        part);
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
        if (!ofPixels.empty())
            forEachPixelWeight(parameters.nside, allNorthern(parameters.nside), ofPixels, job,
                               multiply);
        parallelFor(job, static_cast<long long>(grid.rings.size()), 1, [&](long long r, long long) {
            const Ring& ring = grid.rings[static_cast<size_t>(r)];
            for (int64_t j = ring.first; j < ring.first + ring.count; ++j)
                multiply(static_cast<size_t>(j), weights[static_cast<size_t>(r)]);
        });
    };
    for (const MapSamples& map : maps) std::visit(timesOwn, map);
}

}  // namespace armilla

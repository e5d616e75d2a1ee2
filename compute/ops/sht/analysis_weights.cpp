// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/analysis_weights.h"

#include <healpix_map.h>
#include <weight_utils.h>

#include <algorithm>

#include "ops/quadrature_weights.h"

namespace armilla {

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

std::vector<double> timesPixelWeights(const ConstMapSamples& map, int64_t nside,
                                      const std::vector<double>& compressed) {
    // The HEALPix C++ type, which unpacks the weights.
    Healpix_Map<double> weighted;
    weighted.SetNside(static_cast<int>(nside), RING);
    std::visit([&](const auto& from) { std::copy(from.begin(), from.end(), &weighted[0]); }, map);
    apply_fullweights(weighted, compressed);
    return {&weighted[0], &weighted[0] + weighted.Npix()};
}

void multiplyByWeights(const ShtParameters& parameters, const RingGrid& grid,
                       std::span<const MapSamples> maps, JobContext& job) {
    const std::vector<double> weights = sampleWeights(parameters, grid, job);
    const auto timesOwn = [&]<typename Sample>(std::span<Sample> map) {
        if (parameters.weights == Weights::Pixel) {
            const std::vector<double> product =
                timesPixelWeights(map, parameters.nside, pixelWeights(parameters.nside, job));
            std::copy(product.begin(), product.end(), map.begin());
        }
        parallelFor(job, static_cast<long long>(grid.rings.size()), 1, [&](long long r, long long) {
            const Ring& ring = grid.rings[static_cast<size_t>(r)];
            for (int64_t j = ring.first; j < ring.first + ring.count; ++j) {
                Sample& value = map[static_cast<size_t>(j)];
                value = static_cast<Sample>(weights[static_cast<size_t>(r)] * value);
            }
        });
    };
    for (const MapSamples& map : maps) std::visit(timesOwn, map);
}

}  // namespace armilla

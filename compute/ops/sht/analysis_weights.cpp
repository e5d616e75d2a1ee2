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

}  // namespace armilla

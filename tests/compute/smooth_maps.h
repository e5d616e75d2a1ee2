// SPDX-License-Identifier: GPL-3.0-or-later
// Maps for the tests of smoothing.
#pragma once

#include <memory>
#include <numeric>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/quadrature_weights.h"
#include "armilla/ops/spectrum.h"

namespace armilla::test {

using MapPointer = std::shared_ptr<const HealpixMap>;

inline Field field(const char* name, std::vector<double> values) {
    return {name, "K", DiskType::Float64, std::move(values)};
}
inline MapPointer ringMap(int64_t nside, std::vector<double> values) {
    return std::make_shared<const HealpixMap>(
        nside, Ordering::Ring, Frame::Galactic,
        std::vector<Field>{field("TEMPERATURE", std::move(values))});
}
inline const std::vector<double>& values(const HealpixMap& map, int index = 0) {
    return std::get<std::vector<double>>(map.field(index).values);
}

// The quadrature sum of harmonic smoothing without iterations, written as a convolution: result(x)
// = sum_p w_p map_p K(x.p) 4 pi / Npix, K = sum_l (2l+1)/(4 pi) B_l P_l.
inline std::vector<double> bruteForce(int64_t nside, const std::vector<double>& map,
                                      const std::vector<double>& bl, bool weighted,
                                      JobContext& job) {
    const std::vector<double> ring = ringWeights(nside, job);
    const auto pixels = map.size();
    std::vector<double> result(pixels), term(pixels);
    std::vector<Vec3> center(pixels);
    for (size_t p = 0; p < pixels; ++p) {
        center[p] = directionFromRing(nside, static_cast<int64_t>(p));
        const int64_t r = ringPlaceFromRing(nside, static_cast<int64_t>(p)).ring;
        const auto north = static_cast<size_t>(std::min(r, 4 * nside - r) - 1);
        term[p] = map[p] * (weighted ? ring[north] : 1.0) * 4.0 * kPi / static_cast<double>(pixels);
    }
    for (size_t p = 0; p < pixels; ++p) {
        std::vector<double> angle(pixels);
        for (size_t k = 0; k < pixels; ++k) angle[k] = angularDistance(center[p], center[k]);
        const std::vector<double> kernel = kernelProfile(bl, angle);
        result[p] = std::inner_product(kernel.begin(), kernel.end(), term.begin(), 0.0);
    }
    return result;
}

}  // namespace armilla::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/filter_parameters.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "armilla/ops/sht.h"
#include "sources/good_sky.h"

namespace armilla::sources {

namespace {

void checkNoiseMap(const HealpixMap& other, const HealpixMap& map) {
    if (other.coverage() == Coverage::MultiOrder)
        throw InvalidArgument("expected a noise map of one order, found cells of several");
    if (other.frame() != Frame::Unknown && map.frame() != Frame::Unknown &&
        other.frame() != map.frame())
        throw InvalidArgument("expected a noise map in the map's frame, " +
                              std::string(frameName(map.frame())) + ", found " +
                              std::string(frameName(other.frame())));
}

}  // namespace

void checkFilter(const FilterParameters& p, const HealpixMap& map) {
    if (p.beam.bl.size() < 3 || !(p.beam.solidAngle > 0.0))
        throw InvalidArgument("expected a beam to filter with, found none");
    if (p.noise && !(*p.noise > 0.0 && std::isfinite(*p.noise)))
        throw InvalidArgument("expected noise above 0, found " + std::to_string(*p.noise));
    if (p.noise && p.noiseMap)
        throw InvalidArgument("expected one value of noise or a map of it, found both");
    if (p.noiseMap) checkNoiseMap(*p.noiseMap, map);
    if (p.mask) checkMask(*p.mask, map.frame());
    if (p.noiseMap && p.noiseMap->nside() != map.nside())
        throw InvalidArgument("expected a noise map of nside " + std::to_string(map.nside()) +
                              ", found " + std::to_string(p.noiseMap->nside()));
    if (!(p.leastShare >= 0.0 && p.leastShare <= 1.0))
        throw InvalidArgument("expected a share from 0 to 1, found " +
                              std::to_string(p.leastShare));
    if (p.lmax != -1 && (p.lmax < 2 || p.lmax > kMaxShtLmax))
        throw InvalidArgument("expected lmax from 2 to " + std::to_string(kMaxShtLmax) +
                              ", found " + std::to_string(p.lmax));
    // Beyond this limit, the local noise would be the noise of the whole sky.
    if (map.nside() > kMaxShtNside)
        throw InvalidArgument("expected nside up to " + std::to_string(kMaxShtNside) + ", found " +
                              std::to_string(map.nside()));
}

int lmaxOfFilter(const FilterParameters& p, int64_t nside) {
    if (p.lmax >= 0) return p.lmax;
    const int band = static_cast<int>(3 * nside - 1);
    return std::max(2, std::min(band, static_cast<int>(p.beam.bl.size()) - 1));
}

}  // namespace armilla::sources

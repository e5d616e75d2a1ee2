// SPDX-License-Identifier: GPL-3.0-or-later
// Combination of several maps of one sky into one map for point source filters.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "armilla/ops/filter.h"

namespace armilla {

// One input map of the combination, with the beam of its point sources.
struct MapToCombine {
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    PointBeam beam;
    // Peak of a source in this map, in this map's unit, if its peak in the first map is 1.
    double response = 1.0;
};

// Parameters of combinedMaps().
struct CombinationParameters {
    int lmax = -1;  // -1: the l where the first map's beam has faded, at most its 3 nside - 1
    // Mask in the first map's frame: pixels above one half are good. A pixel that is bad in any map
    // is bad in the result.
    std::shared_ptr<const HealpixMap> mask;
    Weights weights = Weights::Ring;
};

// Result of combinedMaps().
struct CombinedMap {
    // one field, with pixels, frame and unit of the first map
    std::shared_ptr<const HealpixMap> map;
    std::vector<std::vector<double>> weights;  // W_l of each map's a_lm, l = 0 .. lmax
    // Noise of the matched filter of the first map alone, and of all maps, in the first map's unit.
    double noiseAlone = 0.0, noiseTogether = 0.0;
    std::string remark;  // remark for the user on how the map was made; empty: none
};

// The weighted sum of the maps' coefficients with the least background and noise. Sources have the
// beam and the unit of the first map.
//
//   a = sum_i W_i a_i,  W = t_1 C^-1 t / (t^T C^-1 t),  t_i = response_i solidAngle_i b_i,
//
// C is the matrix of auto and cross spectra of everything that is not a source. The matched filter
// of the result is the matched filter of all maps (arXiv:astro-ph/0602507, equation 9, for known
// spectra): its noise is (sum w_l t^T C^-1 t)^-1/2. C is measured twice, the second time without
// the bright sources of the first search. A map has no weight beyond the l where its pixels or its
// beam end. Structure finer than the first map's beam is lost, so the finest map comes first.
// Coefficients of a map in another frame are rotated into the frame of the first (rotateAlm).
//
// Throws InvalidArgument for fewer than two maps, and for multi-order maps. Also for one unknown
// frame among known frames, and for a mask in another frame than the first map's. Test:
// tst_combine_maps.
CombinedMap combinedMaps(std::span<const MapToCombine> maps,
                         const CombinationParameters& parameters, const Device& device,
                         JobContext& job);

// The weights W for one l. `shape`: signal response t of each map; `spectra`: C, row by row. If C
// has no inverse, the first map alone has weight.
std::vector<double> combinationWeights(std::span<const double> shape,
                                       std::span<const double> spectra);

}  // namespace armilla

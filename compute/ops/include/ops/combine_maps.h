// SPDX-License-Identifier: GPL-3.0-or-later
// Several maps of one sky made one, for filters that show point sources.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ops/filter.h"

namespace armilla {

struct MapToCombine {
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    PointBeam beam;
    // The peak in this map, in its unit, of a source whose peak in the first is 1.
    double response = 1.0;
};

struct CombinationParameters {
    int lmax = -1;  // -1: where the beam of the first has faded; at most its 3 nside - 1
    // Good where above half, in the first map's frame; what is bad in any map is bad, too.
    std::shared_ptr<const HealpixMap> mask;
    Weights weights = Weights::Ring;
};

struct CombinedMap {
    std::shared_ptr<const HealpixMap> map;     // pixels, frame and unit of the first, one field
    std::vector<std::vector<double>> weights;  // of each map's a_lm, to lmax
    // Of the matched filter of the first map alone, and of all: in the first map's unit.
    double noiseAlone = 0.0, noiseTogether = 0.0;
    std::string remark;  // what a user should know of the way it was made; empty: nothing
};

// The sum of the maps' coefficients in which sources look as in the first map, by its beam and in
// its unit, with the least background and noise:
//
//     a = sum_i W_i a_i,  W = t_1 C^-1 t / (t^T C^-1 t),  t_i = response_i solidAngle_i b_i,
//
// C being the matrix of auto and cross spectra of what is not a source. The matched filter of the
// result is the matched filter of all maps (arXiv:astro-ph/0602507, equation 9, for known spectra):
// its noise is (sum w_l t^T C^-1 t)^-1/2. C is measured twice, the second time without the bright
// sources that the first has found. Where a map's pixels or beam end, it has no weight. What a
// finer map than the first shows beyond the first one's beam is lost: the finest map comes first.
// Coefficients of a map in another frame are turned into that of the first (rotateAlm).
//
// Throws InvalidArgument for fewer than two maps, one unknown frame among known ones, a mask in
// another frame than the first map's, cells of several orders. Test: tst_combine_maps.
CombinedMap combinedMaps(std::span<const MapToCombine> maps,
                         const CombinationParameters& parameters, const Device& device,
                         JobContext& job);

// W for one l; `shape`: the signal's share in each map; `spectra`: C, row after row. The first
// alone where C has no inverse.
std::vector<double> combinationWeights(std::span<const double> shape,
                                       std::span<const double> spectra);

}  // namespace armilla

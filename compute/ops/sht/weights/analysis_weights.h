// SPDX-License-Identifier: GPL-3.0-or-later
// The weights of an analysis, which all backends share.
#pragma once

#include <span>
#include <vector>

#include "ops/ring_grid.h"
#include "ops/sht.h"
#include "sht/plan/ring_windows.h"

namespace armilla {

// The weight of a sample of each ring of the grid, its area included; with HEALPix ring weights if
// the parameters ask for them.
std::vector<double> sampleWeights(const ShtParameters& parameters, const RingGrid& grid,
                                  JobContext& job);
// Bytes a pixel of weights of pixels: of all pixels, and as they are kept.
inline constexpr int64_t kBytesOfPixelWeights = 9;
// The weight of each pixel in RING order, of those that pixelWeights() gives; and a map times them.
// Throw OutOfMemory, Cancelled.
std::vector<double> expandedPixelWeights(int64_t nside, const std::vector<double>& compressed,
                                         JobContext& job);
std::vector<double> timesPixelWeights(const ConstMapSamples& map, int64_t nside,
                                      const std::vector<double>& compressed, JobContext& job);

// Of those that pixelWeights() gives, the ones of northern rings `begin` .. `end` - 1, the equator
// among them, in the order of rings: those of other rings lie before and behind them.
struct PixelWeightRange {
    size_t begin = 0, end = 0;
};
PixelWeightRange pixelWeightsOf(int64_t nside, RingRange rings);
// Of a part of a map, some northern rings and their images from `rings.begin` on, one behind the
// other; `compressed`: only theirs.
std::vector<double> timesPixelWeights(const ConstMapSamples& part, int64_t nside, RingRange rings,
                                      std::span<const double> compressed, JobContext& job);

// Multiplies `maps` by the weights of all their samples, sampleWeights() and pixel weights.
void multiplyByWeights(const ShtParameters& parameters, const RingGrid& grid,
                       std::span<const MapSamples> maps, JobContext& job);

}  // namespace armilla

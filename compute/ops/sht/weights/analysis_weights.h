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

// Of those that pixelWeights() gives, the ones of some northern rings, the equator among them, in
// the order of rings; and their number.
std::vector<double> pixelWeightsOf(int64_t nside, std::span<const double> compressed,
                                   const RingRuns& rings);
size_t pixelWeightCount(int64_t nside, const RingRuns& rings);
// Of a part of a map, some northern rings and their images from north to south, one behind the
// other; `compressed`: only theirs.
std::vector<double> timesPixelWeights(const ConstMapSamples& part, int64_t nside,
                                      const RingRuns& rings, std::span<const double> compressed,
                                      JobContext& job);

// Multiplies `maps` by the weights of all their samples, sampleWeights() and pixel weights.
void multiplyByWeights(const ShtParameters& parameters, const RingGrid& grid,
                       std::span<const MapSamples> maps, JobContext& job);

}  // namespace armilla

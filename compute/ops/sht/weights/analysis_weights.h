// SPDX-License-Identifier: GPL-3.0-or-later
// The weights of an analysis, common to all backends.
#pragma once

#include <span>
#include <vector>

#include "armilla/ops/ring_grid.h"
#include "armilla/ops/sht.h"
#include "sht/plan/ring_windows.h"

namespace armilla {

// The weight of a sample of each ring of the grid, including the sample's area, with HEALPix ring
// weights if the parameters request them.
std::vector<double> sampleWeights(const ShtParameters& parameters, const RingGrid& grid,
                                  JobContext& job);
// Bytes a pixel of pixel weights: the expanded weights of all pixels plus the compressed form.
inline constexpr int64_t kBytesOfPixelWeights = 9;
// Expands the result of pixelWeights() to the weight of each pixel in RING order, and multiplies a
// map by them. Both throw OutOfMemory, Cancelled.
std::vector<double> expandedPixelWeights(int64_t nside, const std::vector<double>& compressed,
                                         JobContext& job);
std::vector<double> timesPixelWeights(const ConstMapSamples& map, int64_t nside,
                                      const std::vector<double>& compressed, JobContext& job);

// The part of pixelWeights()' result for some northern rings (the equator counts as one), in the
// order of rings; and its size.
std::vector<double> pixelWeightsOf(int64_t nside, std::span<const double> compressed,
                                   const RingRuns& rings);
size_t pixelWeightCount(int64_t nside, const RingRuns& rings);
// A part of a map times its pixel weights. `part`: some northern rings and their mirror rings from
// north to south, stored contiguously. `compressed`: the weights of these rings only.
std::vector<double> timesPixelWeights(const ConstMapSamples& part, int64_t nside,
                                      const RingRuns& rings, std::span<const double> compressed,
                                      JobContext& job);

// Multiplies `maps` by all weights of their samples: sampleWeights() and pixel weights.
void multiplyByWeights(const ShtParameters& parameters, const RingGrid& grid,
                       std::span<const MapSamples> maps, JobContext& job);

}  // namespace armilla

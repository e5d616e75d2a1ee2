// SPDX-License-Identifier: GPL-3.0-or-later
// Coarse cells of the sky: filling of holes, local noise, and searches around a position.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"

namespace armilla::sources {

// Width of the cells of local noise, in FWHM of the beam: 150 beams per cell give an error of 6 %.
inline constexpr double kNoiseCell = 12.0;

// The largest power of two, from 1 to `most`, whose pixels are at least `size` radians wide.
int64_t coarseNside(double size, int64_t most);

// The NESTED pixel of `coarse` (a power of two) that contains a pixel of RING order.
int64_t cellOf(int64_t nside, int64_t ringPixel, int64_t coarse);

// Fills NaN in a NESTED map of a power of two. First from the means of ever larger cells around;
// then each hole is relaxed towards the mean of its neighbors, which removes the step at its edge.
// False if the map has no number at all.
bool fillNested(int64_t nside, std::vector<double>& values, JobContext& job);

// Fills each NaN of a RING map from its surroundings, smoothly on the scale of `size` radians.
// Throws InvalidArgument for a map without good pixels.
void fillHoles(int64_t nside, double size, std::span<double> ring, JobContext& job);

// Robust sigma of the finite values: the value that is 1 sigma for normal deviates, with clipping
// at 3 sigma. NaN for fewer than `least` values. Reorders the values.
double clippedRms(std::span<double> values, size_t least);

// The rms of `ring` around each of its pixels: clipped, in cells of `size` radians, interpolated
// between their centers. NaN in `ring` is ignored.
void localRms(int64_t nside, double size, std::span<const double> ring, std::span<double> rms,
              JobContext& job);

// The nside of these cells; and one rms of all samples, for maps in which no cell has enough
// samples. Throws InvalidArgument for a map without noise.
int64_t noiseCells(int64_t nside, double size);
double rmsOfAll(int64_t nside, int64_t coarse, std::span<const double> ring);

// Index of numbered positions by direction.
class PlaceIndex {
public:
    explicit PlaceIndex(double radius);  // `radius`: typical radius of later queries
    void add(Vec3 direction, int64_t number);
    // Numbers of positions within `radius` (radians).
    std::vector<int64_t> near(Vec3 direction, double radius) const;

private:
    struct Place {
        Vec3 direction;
        int64_t number;
    };
    int64_t nside_;
    std::unordered_map<int64_t, std::vector<Place>> cells_;
};

}  // namespace armilla::sources

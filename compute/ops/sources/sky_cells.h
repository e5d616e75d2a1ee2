// SPDX-License-Identifier: GPL-3.0-or-later
// Coarse cells of the sky: holes filled from around them, local noise, places near a place.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/job_context.h"
#include "core/sky_vector.h"

namespace armilla::sources {

// The power of two whose pixels are at least `size` radians wide, from 1 to `most`.
int64_t coarseNside(double size, int64_t most);

// The NESTED pixel of `coarse` (a power of two) that holds a pixel of RING order.
int64_t cellOf(int64_t nside, int64_t ringPixel, int64_t coarse);

// Fills NaN in a NESTED map of a power of two: first from the means of ever larger cells around,
// then each hole relaxed towards the mean of its neighbors, so that it meets its rim without a
// step. False if there is no number at all.
bool fillNested(int64_t nside, std::vector<double>& values, JobContext& job);

// A value for each NaN of a RING map from its surroundings, smooth on the scale of `size` radians.
// Throws InvalidArgument if nothing is good.
void fillHoles(int64_t nside, double size, std::span<double> ring, JobContext& job);

// The value that is 1 sigma of normal deviates, of the finite values, those beyond 3 sigma left
// out; NaN for fewer than `least` of them. Reorders the values.
double clippedRms(std::span<double> values, size_t least);

// The rms of `ring` around each of its pixels: clipped, in cells of `size` radians, interpolated
// between their centers. NaN in `ring` is left out.
void localRms(int64_t nside, double size, std::span<const double> ring, std::span<double> rms,
              JobContext& job);

// The nside of these cells; and one rms of the samples of all, where no cell has enough of them.
// Throws InvalidArgument for a map without noise.
int64_t noiseCells(int64_t nside, double size);
double rmsOfAll(int64_t nside, int64_t coarse, std::span<const double> ring);

// Numbered places, found again by where they are.
class PlaceIndex {
public:
    explicit PlaceIndex(double radius);  // about that of the queries to come
    void add(Vec3 direction, int64_t number);
    // Those within `radius`.
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

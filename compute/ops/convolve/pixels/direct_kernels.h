// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of direct convolution, compiled for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "convolve/kernel/profile_table.h"

namespace armilla {

// Weights are stored in rows, with this many additional numbers at the end of each row.
inline constexpr size_t kWeightSlack = 16;

// The taps in one source ring of one target pixel, or of a target ring with common taps.
struct WeightRow {
    double delta = 0.0, step = 0.0;  // delta of tap i: delta + i step
    double y0 = 0.0, across = 0.0;   // see ring_pairs.h
    int count = 0;
    size_t at = 0;  // position of its weights
};
// K of each tap of each row.
void tapWeights(const ProfileView& profile, const WeightRow* rows, size_t count, double* weights);

// Caps: one target pixel and its images under quarter turns and the two reflections.
inline constexpr size_t kImages = 16;
// images[i] += sum over rows and taps of weight times source image i.
struct ImageRow {
    const double* source = nullptr;  // value of the first tap; kImages numbers a tap
    const double* weights = nullptr;
    int count = 0;
};
void sumImages(const ImageRow* rows, size_t count, double* images);

// Caps, with series (tap_series.h): kSeriesLanes taps in a vector.
inline constexpr size_t kSeriesLanes = 8;
struct SeriesFit {
    int terms;
    const double *fractions, *chebyshev, *powers;
};
// `values`: rows `stride` apart with g(i - f), g(i + f) for each fraction f. `coefficients`: for
// each vector of taps, of E by powers, then of O: 2 terms kSeriesLanes numbers.
void fitSeries(const SeriesFit& fit, const double* values, size_t stride, size_t vectors,
               double* coefficients);
// Source rings of a target ring; each array has `count` numbers and kWeightSlack more.
struct SeriesSources {
    const double *p, *shiftQ, *half;  // shiftQ: shift times the q of the target
    double q;
    size_t count;
};
// seriesPlace() for all sources, except that unsure reaches are not decided: returns true if there
// are some.
struct SeriesPlaces {
    double *nearest, *fraction, *below, *above;
};
bool placeSeries(const SeriesSources& sources, double place, const SeriesPlaces& to);
// images[i] = sum over rows and taps of weight times source image i. `room`: a buffer of 2
// kSeriesLanes numbers for each vector of a row.
struct SeriesRow {
    const double* source = nullptr;
    ptrdiff_t origin = 0;  // position of the ring's pixel 0 in it: kImages numbers a pixel
    size_t coefficientsAt = 0, vectors = 0;
};
struct SeriesSum {
    const SeriesRow* rows;
    size_t count;
    int terms;
    const double* coefficients;
    ptrdiff_t layer;  // offset of the layer's sources
};
void sumSeries(const SeriesSum& sum, const SeriesPlaces& places, double* workspace, double* images);

// Belt: kBeltRings target rings of one shift with common source rings, kBeltColumns columns at
// once. K is even: the two values at equal distances are added first, once for all target rings.
inline constexpr size_t kBeltRings = 3, kBeltColumns = 32;
struct BeltRow {
    // Values of the nearest pair of taps of the first column; pair i: left[-i] and right[i].
    const double *left = nullptr, *right = nullptr;
    const double* weights = nullptr;  // kBeltRings a pair
    int count = 0;
};
// sums[t stride + c] of target t and column c < `columns`, a multiple of kBeltColumns. `layer`:
// offset of the layer's sources.
void sumBelt(const BeltRow* rows, size_t count, ptrdiff_t layer, size_t columns, double* sums,
             size_t stride);

// A single target pixel: sum over rows and taps of weight times source.
struct PixelRow {
    const double* source = nullptr;
    const double* weights = nullptr;
    int count = 0;
};
double sumPixel(const PixelRow* rows, size_t count);

}  // namespace armilla

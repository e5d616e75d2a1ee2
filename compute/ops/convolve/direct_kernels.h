// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of direct convolution, compiled for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "convolve/profile_table.h"

namespace armilla {

// Weights are stored in rows, with room for this many numbers beyond the end of each.
inline constexpr size_t kWeightSlack = 16;

// The taps of one target pixel, or of a ring that shares them, in one source ring.
struct WeightRow {
    double delta = 0.0, step = 0.0;  // delta of tap i: delta + i step
    double y0 = 0.0, across = 0.0;   // ring_pairs.h
    int count = 0;
    size_t at = 0;  // where its weights go
};
// K of each tap of each row.
void tapWeights(const ProfileView& profile, const WeightRow* rows, size_t count, double* weights);

// Caps: one target pixel and its images under quarter turns and the two reflections.
inline constexpr size_t kImages = 16;
// images[i] += sum over rows and taps of weight times source image i.
struct ImageRow {
    const double* source = nullptr;  // of the first tap: kImages numbers a tap
    const double* weights = nullptr;
    int count = 0;
};
void sumImages(const ImageRow* rows, size_t count, double* images);

// Belt: two target rings that share the loads of their source rings, kBeltColumns columns at once.
inline constexpr size_t kBeltColumns = 16;
struct BeltRow {
    const double* source = nullptr;   // of the first tap of the first column
    const double* weights = nullptr;  // two a tap
    int count = 0;
};
void sumBelt(const BeltRow* rows, size_t count, size_t columns, double* first, double* second);

// A single target pixel: sum over rows and taps of weight times source.
struct PixelRow {
    const double* source = nullptr;
    const double* weights = nullptr;
    int count = 0;
};
double sumPixel(const PixelRow* rows, size_t count);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of positions, and their kernels by the vector instructions of the processor.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "armilla/core/sky_vector.h"

namespace armilla::mask {

// Positions as separate coordinate arrays. Places of the last vector behind the end are farther
// than any position on the unit sphere.
class Places {
public:
    // Lanes of the widest vector of doubles.
    static constexpr size_t kPadding = 8;

    size_t size() const { return count_; }
    Vec3 at(size_t i) const { return {x_[i], y_[i], z_[i]}; }
    const double* x() const { return x_.data(); }
    const double* y() const { return y_.data(); }
    const double* z() const { return z_.data(); }

    // Empties the list and allocates `most` positions with their padding.
    void begin(size_t most) {
        count_ = 0;
        if (x_.size() >= most + kPadding) return;
        for (auto* axis : {&x_, &y_, &z_}) axis->resize(most + kPadding);
    }
    // Only after begin(), at most as often as announced there.
    void add(Vec3 v) {
        x_[count_] = v.x;
        y_[count_] = v.y;
        z_[count_++] = v.z;
    }
    // Adds `count` places of another list from `first` on.
    void add(const Places& from, size_t first, size_t count) {
        for (const auto& [to, source] :
             {std::pair{&x_, &from.x_}, std::pair{&y_, &from.y_}, std::pair{&z_, &from.z_}})
            std::copy_n(source->data() + first, count, to->data() + count_);
        count_ += count;
    }
    void end() {
        for (size_t i = count_; i < count_ + kPadding; ++i) x_[i] = y_[i] = z_[i] = 8.0;
    }

private:
    size_t count_ = 0;
    std::vector<double> x_, y_, z_;
};

struct NearestPlace {
    size_t index = 0;
    double square = 0.0;  // squared chord
};

// Fills `squares` with the squared chords from a point, and returns the nearest place.
NearestPlace measureFrom(Vec3 center, const Places& places, std::vector<double>& squares);

// The condition for places that may be nearest to a point of a disc.
struct NearSelection {
    NearestPlace nearest;  // to the center of the disc
    double most = 0.0;     // largest squared chord from the center
    double wide = 0.0;     // four times the squared radius of the disc
    double slack = 0.0;    // error of a difference of squared chords
};
// Copies the places with squares up to `most` whose bisector plane with the nearest place meets the
// disc.
void keepNearest(const Places& from, const std::vector<double>& squares,
                 const NearSelection& selection, Places& to);

// Pixels of a square without division.
constexpr size_t kLeafPixels = 64;
struct LeafPositions {
    alignas(64) std::array<double, kLeafPixels> x{}, y{}, z{};
};
// The least squared chord of each of the first `count` positions to any of the places.
void leastSquares(const LeafPositions& at, size_t count, const Places& places,
                  std::array<double, kLeafPixels>& least);

}  // namespace armilla::mask

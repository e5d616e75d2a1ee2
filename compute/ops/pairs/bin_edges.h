// SPDX-License-Identifier: GPL-3.0-or-later
// Edges of angular bins in the forms that each precision compares with.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/ops/pairs.h"
#include "pairs/quad.h"

namespace armilla {

// Unit roundoffs.
inline constexpr double kRoundDouble = 0x1p-53;
inline constexpr double kRoundSingle = 0x1p-24;
// Absolute bound on the error of a chord from double coordinates, in units of roundoff:
// - a coordinate has at most 7: 1.2 from degrees to radians and 2 from sin or cos (CUDA; 1 on the
//   host), for both factors, and 0.5 for the product
// - a vector has sqrt(3) times as much, two vectors 24.3
// - a rotation adds 0.5 to a vector: 1
// - the chord adds 2 of its value, which is at most 2: 4
inline constexpr double kChordError = 32.0 * kRoundDouble;
// Bound on the error of a single-precision dot product: 2 roundoffs from the coordinates, one from
// products, two from sums.
inline constexpr double kDotError = 6.0 * kRoundSingle;

// Comparison values for an edge in (0, pi).
struct Edge {
    double halfChord = 0.0;  // sin(edge / 2)
    // a computed squared chord below this is certainly below the edge
    double chordCertain = 0.0;
    // a computed squared chord at or above this is certainly not below the edge
    double chordPossible = 0.0;
    float dot = 0.0F;  // cosine of the edge
    // a computed dot product above this is certainly below the edge
    float dotCertain = 0.0F;
    // a computed dot product at or below this is certainly not below the edge
    float dotPossible = 0.0F;
    double sine = 0.0;                   // sine of the edge
    Quad exactChord = 0, tolerance = 0;  // squared chord; of the supplement beyond 90 degrees
    bool fromAntipode = false;
};

// Counts of pairs below each edge give the bins. No pair is below an edge of 0, and all pairs are
// below a last edge of 180 degrees; the table holds the remaining edges.
class EdgeTable {
public:
    explicit EdgeTable(const AngularBins& bins);

    const std::vector<Edge>& edges() const { return edges_; }
    int count() const { return static_cast<int>(edges_.size()); }
    // True if the angle of the pair is less than the edge by more than 1e-30.
    bool below(int edge, const QuadVector& a, const QuadVector& b) const;
    // Counts per bin from the counts below each of edges() and of all pairs.
    template <class Number>
    std::vector<Number> bins(const Number* below, Number all) const {
        std::vector<Number> at;
        if (startsAtZero_) at.push_back(Number(0));
        at.insert(at.end(), below, below + edges_.size());
        if (endsAtPi_) at.push_back(all);
        std::vector<Number> result(at.size() - 1);
        for (size_t k = 0; k + 1 < at.size(); ++k) result[k] = at[k + 1] - at[k];
        return result;
    }
    bool startsAtZero() const { return startsAtZero_; }
    bool endsAtPi() const { return endsAtPi_; }

private:
    std::vector<Edge> edges_;
    bool startsAtZero_ = false, endsAtPi_ = false;
};

Quad quadOf(ExactAngle angle);

}  // namespace armilla

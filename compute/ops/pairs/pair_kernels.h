// SPDX-License-Identifier: GPL-3.0-or-later
// A leaf of one set against the leaves of a group of another: the vectorized part.
#pragma once

#include <cstdint>
#include <vector>

#include "pairs/bin_edges.h"
#include "pairs/cells.h"

namespace armilla {

// Numbers of pairs below edges, and with weights the sums of products.
struct Tally {
    std::vector<int64_t> at;    // below one edge
    std::vector<int64_t> from;  // below an edge and all later edges; one element more
    std::vector<double> weightAt, weightFrom;

    Tally(int edges, bool weighted)
        : at(static_cast<size_t>(edges)),
          from(static_cast<size_t>(edges) + 1),
          weightAt(weighted ? at.size() : 0),
          weightFrom(weighted ? from.size() : 0) {}
};

struct LeafSweep {
    const Cells* first;
    const Cells* second;
    int leaf;                // leaf of the first set
    int leafBegin, leafEnd;  // leaves of the second set: at most kGroup
    const Edge* edges;
    int edgeBegin, edgeEnd;  // edges that the pairs may straddle
    bool weighted;
};

// A pair of leaves with pairs that vectors leave in doubt: at this edge, or with `all` at this edge
// and each before it down to edgeBegin.
struct LeafDoubt {
    int leaf, edge;
    bool all;
};

// Adds certain pairs to `tally`, and doubtful ones to `doubts`.
void sweepLeaves(const LeafSweep& sweep, Tally& tally, std::vector<LeafDoubt>& doubts);

// Ordered pairs of a leaf's points, including each point with itself, that are certainly or
// possibly below.
struct LeafCount {
    int certain, possible;
};
LeafCount countLeafPairs(const double* a, const double* b, int bCount, const Edge& edge);

// Two different leaves, whose weights are null if there are none.
struct LeafPair {
    const double *a, *aWeights;
    const double *b, *bWeights;
    int bCount;
    const Edge* edges;  // edges that the pairs may straddle
    int edgeCount;      // at most kMostAngleEdges
};
inline constexpr int kMostAngleEdges = 16;
// Sums over pairs: of weights times angles in radians, and of weights.
struct LeafAngles {
    double angles, weights;
    int64_t pairs;
};
// Sums over the pairs below the first edge, between edges, and from the last edge on. Returns
// false, and leaves `sums` undefined, if a pair is in doubt at an edge.
bool sumLeafAngles(const LeafPair& pair, LeafAngles* sums);

}  // namespace armilla

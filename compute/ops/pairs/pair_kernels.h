// SPDX-License-Identifier: GPL-3.0-or-later
// A leaf of one set against the leaves of a group of another: what vectors can decide.
#pragma once

#include <cstdint>
#include <vector>

#include "pairs/bin_edges.h"
#include "pairs/cells.h"

namespace armilla {

// Numbers of pairs below edges, and with weights the sums of products beside them.
struct Tally {
    std::vector<int64_t> at;    // below one edge
    std::vector<int64_t> from;  // below an edge and all after it; one element more
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
    int leaf;                // of the first
    int leafBegin, leafEnd;  // of the second: at most kGroup
    const Edge* edges;
    int edgeBegin, edgeEnd;  // those that the pairs may lie on both sides of
    bool weighted;
};

// A pair of leaves whose pairs below an edge vectors leave in doubt, or with `all` those below
// this edge and each before it down to edgeBegin.
struct LeafDoubt {
    int leaf, edge;
    bool all;
};

// Adds to `tally` what is certain, and to `doubts` the rest.
void sweepLeaves(const LeafSweep& sweep, Tally& tally, std::vector<LeafDoubt>& doubts);

// Ordered pairs of a leaf's points, each with itself too, that are certainly or possibly below.
struct LeafCount {
    int certain, possible;
};
LeafCount countLeafPairs(const double* a, const double* b, int bCount, const Edge& edge);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of one set against the tree of the other: first whole nodes, then whole leaves, then
// pairs.
#include <algorithm>
#include <array>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "pairs/pair_angle.h"
#include "pairs/pair_counts.h"
#include "pairs/pair_kernels.h"

namespace armilla {

namespace {

// Edges [first, last) that a range of chords straddles; all its pairs are below the edges from
// `last` on.
struct EdgeRange {
    int first, last;
};

class GroupCounter {
public:
    GroupCounter(const PairSet& first, const PairSet& second, const EdgeTable& table,
                 MeanAngles mean, const JobContext& job)
        : first_(first.cells),
          second_(second.cells),
          exactFirst_(first.exact),
          exactSecond_(second.exact),
          table_(table),
          job_(job),
          same_(&first == &second),
          tally_(table.count(), first.cells.weighted()),
          pairsFrom_(tally_.from.size()),
          weightFrom_(tally_.weightFrom.size()),
          angles_(mean == MeanAngles::Wanted ? tally_.from.size() : 0),
          angleWeights_(angles_.size()) {}

    // All pairs of a point of the group and a point of the second set; within one set, pairs with
    // this and later groups.
    PairsBelow count(int group) {
        group_ = group;
        if (!second_.nodes().empty() && (table_.count() > 0 || !angles_.empty())) visit(0);
        PairsBelow result;
        result.angles = angles_;
        result.angleWeights = angleWeights_;
        result.below.resize(static_cast<size_t>(table_.count()));
        if (first_.weighted()) result.weight.resize(result.below.size());
        int64_t pairs = 0;
        double weight = 0.0;
        for (size_t k = 0; k < result.below.size(); ++k) {
            pairs += tally_.from[k];
            result.below[k] = pairs + tally_.at[k];
            if (!first_.weighted()) continue;
            weight += tally_.weightFrom[k];
            result.weight[k] = weight + tally_.weightAt[k];
        }
        return result;
    }

private:
    EdgeRange edgesWithin(const ChordRange& range) const {
        const auto& edges = table_.edges();
        const auto first =
            std::upper_bound(edges.begin(), edges.end(), range.least,
                             [](double least, const Edge& edge) { return least < edge.halfChord; });
        const auto last = std::lower_bound(
            first, edges.end(), range.greatest,
            [](const Edge& edge, double greatest) { return edge.halfChord < greatest; });
        return {static_cast<int>(first - edges.begin()), static_cast<int>(last - edges.begin())};
    }
    void addWhole(int edge, int64_t pairs, double weight) {
        tally_.from[static_cast<size_t>(edge)] += pairs;
        if (first_.weighted()) tally_.weightFrom[static_cast<size_t>(edge)] += weight;
    }

    // True if no bin lies between edges edge - 1 and edge.
    bool outside(int edge) const {
        return (edge == 0 && !table_.startsAtZero()) ||
               (edge == table_.count() && !table_.endsAtPi());
    }

    void visit(int index) {
        const GroupNode& node = second_.nodes()[static_cast<size_t>(index)];
        if (same_ && node.lastGroup <= group_) return;
        if (!same_ || node.firstGroup > group_) {
            const EdgeRange range = edgesWithin(chordRange(first_.groupCap(group_), node.cap));
            if (range.first == range.last && (angles_.empty() || outside(range.first))) {
                addWhole(range.first,
                         first_.groupsSize(group_, group_ + 1) *
                             second_.groupsSize(node.firstGroup, node.lastGroup),
                         first_.groupWeight(group_) * second_.nodeWeight(index));
                return;
            }
        }
        if (node.left < 0) {
            job_.poll();
            sweepGroup(node.firstGroup);
            return;
        }
        visit(node.left);
        visit(node.right);
    }

    void sweepGroup(int other) {
        const bool diagonal = same_ && other == group_;
        const int leafBegin = group_ * kGroup,
                  leafEnd = std::min(first_.leaves(), leafBegin + kGroup);
        const int otherBegin = other * kGroup,
                  otherEnd = std::min(second_.leaves(), otherBegin + kGroup);
        const Cap& cap = second_.groupCap(other);
        for (int leaf = leafBegin; leaf < leafEnd; ++leaf) {
            if (!angles_.empty()) {
                for (int i = diagonal ? leaf : otherBegin; i < otherEnd; ++i) addAngles(leaf, i);
                continue;
            }
            const EdgeRange range = edgesWithin(chordRange(first_.leafCap(leaf), cap));
            if (diagonal) {
                // Pairs within the leaf, then pairs with later leaves.
                countOwn(leaf, range);
                const double weight = [&] {
                    double sum = 0.0;
                    for (int i = leaf + 1; i < otherEnd; ++i) sum += second_.leafWeights()[i];
                    return sum;
                }();
                addWhole(range.last, first_.count(leaf) * pointsOf(leaf + 1, otherEnd),
                         first_.leafWeights()[leaf] * weight);
                sweep(leaf, leaf + 1, otherEnd, range);
                continue;
            }
            addWhole(range.last, first_.count(leaf) * second_.groupsSize(other, other + 1),
                     first_.leafWeights()[leaf] * second_.groupWeight(other));
            sweep(leaf, otherBegin, otherEnd, range);
        }
    }
    int64_t pointsOf(int leafBegin, int leafEnd) const {
        int64_t sum = 0;
        for (int leaf = leafBegin; leaf < leafEnd; ++leaf) sum += second_.count(leaf);
        return sum;
    }

    void sweep(int leaf, int begin, int end, EdgeRange range) {
        if (begin == end || range.first == range.last) return;
        doubts_.clear();
        sweepLeaves({&first_, &second_, leaf, begin, end, table_.edges().data(), range.first,
                     range.last, first_.weighted()},
                    tally_, doubts_);
        for (const LeafDoubt& doubt : doubts_)
            countOneByOne(leaf, doubt.leaf, doubt.all ? range.first : doubt.edge, doubt.edge);
    }

    // Pairs of different points of one leaf.
    void countOwn(int leaf, EdgeRange range) {
        const int n = first_.count(leaf);
        if (!first_.weighted()) {
            const int64_t all = int64_t{n} * (n - 1) / 2;
            addWhole(range.last, all, 0.0);
            constexpr int kPasses = 8;
            for (int k = range.last, passes = 0; k-- > range.first; ++passes) {
                if (passes == kPasses && k - range.first >= 3) {
                    countOneByOne(leaf, leaf, range.first, k);
                    return;
                }
                const LeafCount count = countLeafPairs(first_.fine(leaf), first_.fine(leaf), n,
                                                       table_.edges()[static_cast<size_t>(k)]);
                // Ordered pairs, which include each point with itself.
                if (count.certain == count.possible && count.certain >= n)
                    tally_.at[static_cast<size_t>(k)] += (count.certain - n) / 2;
                else
                    countOneByOne(leaf, leaf, k, k);
                if (count.possible == n) return;
            }
            return;
        }
        countOneByOne(leaf, leaf, range.first, range.last - 1);
        addWhole(range.last, int64_t{n} * (n - 1) / 2, productOf(leaf, leaf));
    }

    // Sum of the products of weights of two leaves, or of different points of one leaf.
    double productOf(int leafA, int leafB) const {
        if (!same_ || leafA != leafB)
            return first_.leafWeights()[leafA] * second_.leafWeights()[leafB];
        const double* const w = first_.weights(leafA);
        double sum = 0.0;
        for (int i = 0; i < first_.count(leafA); ++i)
            for (int j = i + 1; j < first_.count(leafA); ++j) sum += w[i] * w[j];
        return sum;
    }

    // Pairs of two leaves, or of different points of one leaf, and their angles.
    void addAngles(int leafA, int leafB) {
        const int64_t n = first_.count(leafA), m = second_.count(leafB);
        const bool own = same_ && leafA == leafB, weighted = first_.weighted();
        const EdgeRange range =
            edgesWithin(chordRange(first_.leafCap(leafA), second_.leafCap(leafB)));
        addWhole(range.last, own ? n * (n - 1) / 2 : n * m,
                 weighted ? productOf(leafA, leafB) : 0.0);
        if (range.first == range.last && outside(range.first)) return;
        std::array<LeafAngles, kMostAngleEdges + 1> inBins;
        const int edges = range.last - range.first;
        if (own || edges > kMostAngleEdges ||
            !sumLeafAngles({first_.fine(leafA), weighted ? first_.weights(leafA) : nullptr,
                            second_.fine(leafB), weighted ? second_.weights(leafB) : nullptr,
                            second_.count(leafB), table_.edges().data() + range.first, edges},
                           inBins.data())) {
            countOneByOne(leafA, leafB, range.first, range.last - 1);
            return;
        }
        job_.poll();
        int64_t pairs = 0;
        double weight = 0.0;
        for (int k = 0; k <= edges; ++k) {
            const LeafAngles& sums = inBins[static_cast<size_t>(k)];
            const auto at = static_cast<size_t>(range.first + k);
            angles_[at] += sums.angles;
            angleWeights_[at] += sums.weights;
            if (k == edges) break;
            tally_.at[at] += pairs += sums.pairs;
            if (weighted) tally_.weightAt[at] += weight += sums.weights;
        }
    }

    // Visits each pair of two leaves (once within one leaf); counts the pair for the edges [first,
    // last] above its angle.
    void countOneByOne(int leafA, int leafB, int first, int last) {
        job_.poll();
        const bool own = same_ && leafA == leafB;
        std::fill(pairsFrom_.begin() + first, pairsFrom_.begin() + last + 2, 0);
        if (first_.weighted())
            std::fill(weightFrom_.begin() + first, weightFrom_.begin() + last + 2, 0.0);
        const double* const a = first_.fine(leafA);
        const double* const b = second_.fine(leafB);
        for (int i = 0; i < first_.count(leafA); ++i)
            for (int j = own ? i + 1 : 0; j < second_.count(leafB); ++j) {
                const double dx = a[i] - b[j], dy = a[kLeaf + i] - b[kLeaf + j],
                             dz = a[2 * kLeaf + i] - b[2 * kLeaf + j];
                const double chord = dx * dx + dy * dy + dz * dz;
                const int from = firstAbove(chord, first, last, [&] {
                    return std::pair{exactFirst_(first_.index(leafA, i)),
                                     exactSecond_(second_.index(leafB, j))};
                });
                const double weight =
                    first_.weighted() ? first_.weights(leafA)[i] * second_.weights(leafB)[j] : 1.0;
                if (!angles_.empty()) {
                    const double x = a[i] + b[j], y = a[kLeaf + i] + b[kLeaf + j],
                                 z = a[2 * kLeaf + i] + b[2 * kLeaf + j];
                    angles_[static_cast<size_t>(from)] +=
                        weight * pairAngle(chord, x * x + y * y + z * z);
                    angleWeights_[static_cast<size_t>(from)] += weight;
                }
                ++pairsFrom_[static_cast<size_t>(from)];
                if (first_.weighted()) weightFrom_[static_cast<size_t>(from)] += weight;
            }
        int64_t pairs = 0;
        double weight = 0.0;
        for (auto k = static_cast<size_t>(first); k < static_cast<size_t>(last + 1); ++k) {
            tally_.at[k] += pairs += pairsFrom_[k];
            if (first_.weighted()) tally_.weightAt[k] += weight += weightFrom_[k];
        }
    }
    // The first of the edges [first, last] that a pair is below; last + 1 if none.
    template <class Vectors>
    int firstAbove(double chord, int first, int last, const Vectors& vectors) const {
        const auto edges = table_.edges().begin();
        // Certainly below this edge, and possibly below some edges before.
        const auto certain =
            std::partition_point(edges + first, edges + last + 1,
                                 [&](const Edge& edge) { return chord >= edge.chordCertain; });
        int from = static_cast<int>(certain - edges);
        while (from > first && chord < edges[from - 1].chordPossible) {
            const auto [a, b] = vectors();
            if (!table_.below(from - 1, a, b)) break;
            --from;
        }
        return from;
    }

    const Cells &first_, &second_;
    const ExactPoints &exactFirst_, &exactSecond_;
    const EdgeTable& table_;
    const JobContext& job_;
    const bool same_;
    Tally tally_;
    std::vector<int64_t> pairsFrom_;  // pairs of two leaves
    std::vector<double> weightFrom_;
    // sums before each edge and after the last; empty unless requested
    std::vector<double> angles_, angleWeights_;
    int group_ = 0;
    std::vector<LeafDoubt> doubts_;
};

}  // namespace

std::vector<PairsBelow> countPairsCpu(const PairSets& sets, std::span<const PairTask> tasks,
                                      const EdgeTable& table, MeanAngles mean, JobContext& job) {
    struct Part {
        int task, group;
    };
    std::vector<Part> parts;
    std::vector<PairsBelow> results(tasks.size());
    for (size_t t = 0; t < tasks.size(); ++t) {
        const Cells& first = sets[static_cast<size_t>(tasks[t].first)]->cells;
        const bool weighted = first.weighted();
        results[t].below.resize(static_cast<size_t>(table.count()));
        if (weighted) results[t].weight.resize(static_cast<size_t>(table.count()));
        if (mean == MeanAngles::Wanted) {
            results[t].angles.resize(static_cast<size_t>(table.count()) + 1);
            results[t].angleWeights.resize(results[t].angles.size());
        }
        for (int group = 0; group < first.groups(); ++group)
            parts.push_back({static_cast<int>(t), group});
    }
    requireMemory("counting pairs",
                  static_cast<int64_t>(parts.size()) *
                      (static_cast<int64_t>(sizeof(PairsBelow)) + 32 * int64_t{table.count()}));
    // Parts are added in a fixed order, so that sums of weights do not depend on the number of
    // threads.
    std::vector<PairsBelow> done(parts.size());
    parallelFor(
        job, static_cast<long long>(parts.size()), 1,
        [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
                const Part& part = parts[static_cast<size_t>(i)];
                const PairTask& task = tasks[static_cast<size_t>(part.task)];
                done[static_cast<size_t>(i)] =
                    GroupCounter(*sets[static_cast<size_t>(task.first)],
                                 *sets[static_cast<size_t>(task.second)], table, mean, job)
                        .count(part.group);
            }
        },
        "counting pairs");
    for (size_t i = 0; i < parts.size(); ++i) {
        PairsBelow& result = results[static_cast<size_t>(parts[i].task)];
        for (size_t k = 0; k < result.below.size(); ++k) {
            result.below[k] += done[i].below[k];
            if (!result.weight.empty()) result.weight[k] += done[i].weight[k];
        }
        for (size_t k = 0; k < result.angles.size(); ++k) {
            result.angles[k] += done[i].angles[k];
            result.angleWeights[k] += done[i].angleWeights[k];
        }
    }
    return results;
}

}  // namespace armilla

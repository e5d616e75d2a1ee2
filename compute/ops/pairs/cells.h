// SPDX-License-Identifier: GPL-3.0-or-later
// Points in cells on the sphere: leaves of kLeaf points, groups of kGroup leaves, and a tree of
// groups.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/ops/pairs.h"
#include "pairs/caps.h"
#include "pairs/quad.h"

namespace armilla {

inline constexpr int kLeaf = 16;   // points per leaf; a multiple of the float vector width
inline constexpr int kGroup = 32;  // leaves
inline constexpr int kGroupPoints = kLeaf * kGroup;

// Storage aligned for vectors; its creator fills it.
template <class T>
class RawArray {
public:
    RawArray() = default;
    explicit RawArray(int64_t count)
        : data_(static_cast<T*>(::operator new(static_cast<size_t>(count) * sizeof(T), kAlign))) {}
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }

private:
    static constexpr std::align_val_t kAlign{64};
    struct Free {
        void operator()(T* p) const { ::operator delete(p, kAlign); }
    };
    std::unique_ptr<T, Free> data_;
};

// Caps of leaves as component arrays, for vector loads.
struct LeafCaps {
    std::vector<double> x, y, z, sinHalf, cosHalf;
};

struct GroupNode {
    Cap cap;
    int firstGroup = 0, lastGroup = 0;  // [first, last)
    int left = -1, right = -1;          // -1: one group
};

// Points in cells, split at the median of the longest side. The arrangement depends only on
// positions and weights, not on the input order.
class Cells {
public:
    // A point on its way to a cell.
    struct Item;
    // With `weighted`, points without weights have weight 1.
    Cells(const SkyPoints& points, bool weighted, JobContext& job);

    int64_t size() const { return size_; }
    int leaves() const { return static_cast<int>(count_.size()); }
    int groups() const { return (leaves() + kGroup - 1) / kGroup; }
    bool weighted() const { return !weights_.empty(); }
    // x of the kLeaf points of a leaf, then y, then z; NaN after the last point.
    const float* single(int leaf) const { return single_.data() + ptrdiff_t{3 * kLeaf} * leaf; }
    const double* fine(int leaf) const { return fine_.data() + ptrdiff_t{3 * kLeaf} * leaf; }
    // 0 after the last point; only if weighted().
    const double* weights(int leaf) const { return weights_.data() + ptrdiff_t{kLeaf} * leaf; }
    int count(int leaf) const { return count_[static_cast<size_t>(leaf)]; }
    const double* counts() const { return countReal_.data(); }
    // Sums of weights.
    const double* leafWeights() const { return leafWeight_.data(); }
    double groupWeight(int group) const { return groupWeight_[static_cast<size_t>(group)]; }
    const LeafCaps& leafCaps() const { return leafCaps_; }
    Cap leafCap(int leaf) const;
    const Cap& groupCap(int group) const { return groupCaps_[static_cast<size_t>(group)]; }
    const std::vector<GroupNode>& nodes() const { return nodes_; }  // the first is the root
    double nodeWeight(int node) const { return nodeWeight_[static_cast<size_t>(node)]; }
    // Number of points in the groups [first, last).
    int64_t groupsSize(int first, int last) const;
    // The input number of a point in a leaf.
    uint32_t index(int leaf, int point) const {
        return order_[static_cast<size_t>(leaf) * kLeaf + static_cast<size_t>(point)];
    }

private:
    void splitIntoGroups(Item* items, const double* weight, JobContext& job);
    void allocate(int64_t leafCount, int groupCount, bool weighted);
    void fillLeaf(int64_t leaf, const Item* items, const double* weight);
    void sumNodes();

    int64_t size_ = 0;
    RawArray<float> single_;
    RawArray<double> fine_;
    std::vector<double> weights_, countReal_, leafWeight_, groupWeight_, nodeWeight_;
    std::vector<int> count_;
    std::vector<uint32_t> order_;
    LeafCaps leafCaps_;
    std::vector<Cap> groupCaps_;
    std::vector<GroupNode> nodes_;
};

// Unit vectors of points, each coordinate within 7 roundoffs of the true value. Throws
// InvalidArgument for latitudes beyond 90 degrees and positions that are not finite.
struct PointVectors {
    std::vector<double> x, y, z;
};
PointVectors pointVectors(const SkyPoints& points, JobContext& job);

// Vectors of points to 113 bits, computed on first use and kept. Thread-safe.
class ExactPoints {
public:
    explicit ExactPoints(const SkyPoints& points);
    QuadVector operator()(uint32_t index) const;

private:
    struct Kept;
    struct FreeKept {
        void operator()(Kept* kept) const;
    };
    QuadVector made(uint32_t index) const;

    const SkyPoints* points_;
    std::optional<QuadRotation> turn_;
    mutable std::once_flag once_;
    mutable std::unique_ptr<Kept, FreeKept> kept_;
};

}  // namespace armilla

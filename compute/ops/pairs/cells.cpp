// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairs/cells.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/nan.h"
#include "pairs/point_vectors.h"
#include "pairs/rotation.h"

namespace armilla {

struct Cells::Item {
    std::array<double, 3> at;
    uint32_t index;
};

namespace {

using Item = Cells::Item;

// A total order except for points that are equal in everything relevant: by one coordinate, then
// the other two, then the weight. Therefore the contents of cells do not depend on the order of
// input.
struct ByAxis {
    size_t axis;
    const double* weight;  // or null
    bool operator()(const Item& a, const Item& b) const {
        if (a.at[axis] != b.at[axis]) return a.at[axis] < b.at[axis];
        for (const size_t other : {(axis + 1) % 3, (axis + 2) % 3})
            if (a.at[other] != b.at[other]) return a.at[other] < b.at[other];
        return weight && weight[a.index] < weight[b.index];
    }
};

size_t longestSide(const Item* begin, const Item* end) {
    std::array<double, 3> low = begin->at, high = begin->at;
    for (const Item* item = begin; item != end; ++item)
        for (size_t c = 0; c < 3; ++c) {
            low[c] = std::min(low[c], item->at[c]);
            high[c] = std::max(high[c], item->at[c]);
        }
    size_t longest = 0;
    for (size_t c = 1; c < 3; ++c)
        if (high[c] - low[c] > high[longest] - low[longest]) longest = c;
    return longest;
}

// A cancellable std::nth_element: passes over many items end every few milliseconds.
void splitAt(Item* begin, Item* middle, Item* end, const ByAxis& less, const JobContext& job) {
    constexpr ptrdiff_t kShort = 1 << 15;
    while (end - begin > kShort) {
        job.poll();
        // The median of nine samples as pivot, so that each pass leaves fewer items.
        std::array<Item, 9> sample;
        for (size_t i = 0; i < sample.size(); ++i)
            sample[i] = begin[(end - begin - 2) * static_cast<ptrdiff_t>(i) / 8];
        std::nth_element(sample.begin(), sample.begin() + 4, sample.end(), less);
        const Item pivot = sample[4];
        Item *i = begin - 1, *j = end;
        for (int64_t swaps = 0;; ++swaps) {
            if (swaps % kShort == kShort - 1) job.poll();
            do ++i;
            while (less(*i, pivot));
            do --j;
            while (less(pivot, *j));
            if (i >= j) break;
            std::swap(*i, *j);
        }
        (middle <= j ? end : begin) = j + 1;
    }
    if (middle != end) std::nth_element(begin, middle, end, less);
}

// Size of the left part of a split: whole blocks.
int64_t leftPart(int64_t count, int64_t block) {
    const int64_t blocks = (count + block - 1) / block;
    return (blocks + 1) / 2 * block;
}

// Splits down to leaves, each sorted. At most kGroupPoints points.
void sortGroup(Item* begin, Item* end, const double* weight) {
    const ByAxis less{longestSide(begin, end), weight};
    if (end - begin <= kLeaf) {
        std::sort(begin, end, less);
        return;
    }
    Item* const middle = begin + leftPart(end - begin, kLeaf);
    std::nth_element(begin, middle, end, less);
    sortGroup(begin, middle, weight);
    sortGroup(middle, end, weight);
}

// Cap of points of leaves [first, last).
Cap capOf(const double* fine, const int* count, int first, int last) {
    Cap cap;
    double x = 0.0, y = 0.0, z = 0.0;
    const auto forEach = [&](const auto& body) {
        for (int leaf = first; leaf < last; ++leaf) {
            const double* const p = fine + ptrdiff_t{3 * kLeaf} * leaf;
            for (int i = 0; i < count[leaf]; ++i) body(p[i], p[kLeaf + i], p[2 * kLeaf + i]);
        }
    };
    forEach([&](double px, double py, double pz) {
        x += px;
        y += py;
        z += pz;
    });
    const double length = std::sqrt(x * x + y * y + z * z);
    if (length > 1e-3) {
        cap.x = x / length;
        cap.y = y / length;
        cap.z = z / length;
    }
    double farthest = 0.0;
    forEach([&](double px, double py, double pz) {
        const double dx = px - cap.x, dy = py - cap.y, dz = pz - cap.z;
        farthest = std::max(farthest, dx * dx + dy * dy + dz * dz);
    });
    return capWithin(cap.x, cap.y, cap.z, farthest);
}

// A cap that contains two caps.
Cap capAround(const Cap& a, const Cap& b) {
    Cap cap;
    const double x = a.x + b.x, y = a.y + b.y, z = a.z + b.z;
    const double length = std::sqrt(x * x + y * y + z * z);
    if (length > 1e-3) {
        cap.x = x / length;
        cap.y = y / length;
        cap.z = z / length;
    }
    for (const Cap* child : {&a, &b}) {
        const double dx = child->x - cap.x, dy = child->y - cap.y, dz = child->z - cap.z;
        const double ss = std::min(1.0, 0.25 * (dx * dx + dy * dy + dz * dz));
        const double s = std::sqrt(ss), c = std::sqrt(1.0 - ss);
        const bool beyond = c * child->cosHalf - s * child->sinHalf <= 0.0;
        const double reach = s * child->cosHalf + c * child->sinHalf + 8.0 * 0x1p-53;
        cap.sinHalf = std::max(cap.sinHalf, beyond ? 1.0 : reach);
    }
    if (cap.sinHalf > 0.9) cap.sinHalf = 1.0;
    cap.cosHalf = std::sqrt(1.0 - cap.sinHalf * cap.sinHalf);
    return cap;
}

Quad degreesOf(double value, double quarter) {
    if (quarter == 90.0) return value;
    if (quarter == 0.0) return Quad(value) * Quad(180) / quadPi();
    return Quad(std::fmod(value, 4.0 * quarter)) * Quad(90) / Quad(quarter);
}

void checkPosition(const SkyPoints& points, size_t i) {
    const double lon = points.lon[i], lat = points.lat[i];
    // A pole in single precision exceeds 90 degrees by rounding; 1e-6 covers that.
    const double most = (points.latQuarter == 0.0 ? kHalfPi : points.latQuarter) * (1.0 + 1e-6);
    if (std::isfinite(lon) && std::fabs(lat) <= most) return;
    throw InvalidArgument(
        "expected longitudes that are finite and latitudes within 90 degrees, "
        "found " +
        std::to_string(lon) + ", " + std::to_string(lat) + " in row " + std::to_string(i + 1));
}

}  // namespace

FineRotation fineRotation(const Mat3& matrix) {
    const QuadRotation exact(matrix);
    FineRotation fine{};
    for (int row = 0; row < 3; ++row) {
        const QuadVector& from = exact.row(row);
        const Quad entries[3] = {from.x, from.y, from.z};
        for (int i = 0; i < 3; ++i) {
            const auto high = static_cast<double>(entries[i]);
            fine.high[3 * row + i] = high;
            fine.low[3 * row + i] = static_cast<double>(entries[i] - Quad(high));
        }
    }
    return fine;
}

PointVectors pointVectors(const SkyPoints& points, JobContext& job) {
    const auto n = static_cast<size_t>(points.size());
    PointVectors v{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
    std::optional<FineRotation> turn;
    if (points.turn) turn = fineRotation(*points.turn);
    parallelFor(job, points.size(), 1 << 12, [&](int64_t begin, int64_t end) {
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
            checkPosition(points, i);
            const Vec3 own =
                pointVector(points.lon[i], points.lonQuarter, points.lat[i], points.latQuarter);
            const Vec3 at = turn ? turned(*turn, own) : own;
            v.x[i] = at.x;
            v.y[i] = at.y;
            v.z[i] = at.z;
        }
    });
    return v;
}

// Splits level by level down to groups; split positions depend only on the sizes.
void Cells::splitIntoGroups(Item* items, const double* weight, JobContext& job) {
    struct Range {
        int64_t begin, end;
        int node;
    };
    std::vector<Range> level{{0, size_, 0}};
    nodes_.push_back({{}, 0, static_cast<int>((size_ + kGroupPoints - 1) / kGroupPoints), -1, -1});
    while (!level.empty()) {
        std::vector<Range> next;
        for (const Range& range : level) {
            if (range.end - range.begin <= kGroupPoints) continue;
            const int64_t middle = range.begin + leftPart(range.end - range.begin, kGroupPoints);
            const int left = static_cast<int>(nodes_.size());
            GroupNode& node = nodes_[static_cast<size_t>(range.node)];
            node.left = left;
            node.right = left + 1;
            const int split = static_cast<int>(middle / kGroupPoints);
            const int first = node.firstGroup, last = node.lastGroup;
            nodes_.push_back({{}, first, split, -1, -1});
            nodes_.push_back({{}, split, last, -1, -1});
            next.push_back({range.begin, middle, left});
            next.push_back({middle, range.end, left + 1});
        }
        parallelFor(job, static_cast<long long>(next.size() / 2), 1,
                    [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) {
                            const Range &a = next[static_cast<size_t>(2 * i)],
                                        &b = next[static_cast<size_t>(2 * i + 1)];
                            const ByAxis less{longestSide(items + a.begin, items + b.end), weight};
                            splitAt(items + a.begin, items + a.end, items + b.end, less, job);
                        }
                    });
        level = std::move(next);
    }
}

void Cells::allocate(int64_t leafCount, int groupCount, bool weighted) {
    // Vector loads read beyond the last leaf.
    const auto padded = static_cast<size_t>(leafCount + 16);
    single_ = RawArray<float>(leafCount * 3 * kLeaf);
    fine_ = RawArray<double>(leafCount * 3 * kLeaf);
    count_.resize(static_cast<size_t>(leafCount));
    order_.resize(static_cast<size_t>(leafCount * kLeaf));
    countReal_.resize(padded);
    leafWeight_.resize(padded);
    if (weighted) weights_.resize(static_cast<size_t>(leafCount * kLeaf));
    for (auto* part :
         {&leafCaps_.x, &leafCaps_.y, &leafCaps_.z, &leafCaps_.sinHalf, &leafCaps_.cosHalf})
        part->resize(padded);
    groupCaps_.resize(static_cast<size_t>(groupCount));
    groupWeight_.resize(static_cast<size_t>(groupCount));
    nodeWeight_.resize(nodes_.size());
}

void Cells::fillLeaf(int64_t leaf, const Item* items, const double* weight) {
    const auto at = static_cast<size_t>(leaf);
    const int64_t first = leaf * kLeaf;
    const int n = static_cast<int>(std::min<int64_t>(kLeaf, size_ - first));
    count_[at] = n;
    countReal_[at] = n;
    double* const fine = fine_.data() + 3 * first;
    float* const single = single_.data() + 3 * first;
    double sum = 0.0;
    for (int i = 0; i < kLeaf; ++i) {
        const Item item = i < n ? items[first + i] : Item{};
        for (int c = 0; c < 3; ++c) {
            const double value = i < n ? item.at[static_cast<size_t>(c)] : kNan;
            fine[c * kLeaf + i] = value;
            single[c * kLeaf + i] = static_cast<float>(value);
        }
        order_[static_cast<size_t>(first + i)] = item.index;
        const double w = i < n ? (weight ? weight[item.index] : 1.0) : 0.0;
        if (!weights_.empty()) weights_[static_cast<size_t>(first + i)] = w;
        sum += w;
    }
    leafWeight_[at] = sum;
    const Cap cap =
        capOf(fine_.data(), count_.data(), static_cast<int>(leaf), static_cast<int>(leaf) + 1);
    leafCaps_.x[at] = cap.x;
    leafCaps_.y[at] = cap.y;
    leafCaps_.z[at] = cap.z;
    leafCaps_.sinHalf[at] = cap.sinHalf;
    leafCaps_.cosHalf[at] = cap.cosHalf;
}

// Weights and caps of groups become those of the nodes above them.
void Cells::sumNodes() {
    // Children follow their parents in the array.
    for (size_t i = nodes_.size(); i-- > 0;) {
        GroupNode& node = nodes_[i];
        nodeWeight_[i] = node.left < 0 ? groupWeight_[static_cast<size_t>(node.firstGroup)]
                                       : nodeWeight_[static_cast<size_t>(node.left)] +
                                             nodeWeight_[static_cast<size_t>(node.right)];
        node.cap = node.left < 0 ? groupCaps_[static_cast<size_t>(node.firstGroup)]
                                 : capAround(nodes_[static_cast<size_t>(node.left)].cap,
                                             nodes_[static_cast<size_t>(node.right)].cap);
    }
}

Cells::Cells(const SkyPoints& points, bool weighted, JobContext& job) : size_(points.size()) {
    if (points.lat.size() != points.lon.size() ||
        (!points.weight.empty() && points.weight.size() != points.lon.size()))
        throw InvalidArgument("expected as many latitudes and weights as longitudes, found " +
                              std::to_string(points.lat.size()) + " and " +
                              std::to_string(points.weight.size()) + " for " +
                              std::to_string(points.lon.size()));
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    if (size_ > kMost)
        throw InvalidArgument("expected at most " + std::to_string(kMost) + " points, found " +
                              std::to_string(size_));
    if (size_ == 0) return;
    requireMemory("cells of " + std::to_string(size_) + " points", size_ * 100);
    const double* const weight = points.weight.empty() ? nullptr : points.weight.data();

    RawArray<Item> itemStore(size_);
    Item* const items = itemStore.data();
    {
        const PointVectors v = pointVectors(points, job);
        parallelFor(job, size_, 1 << 16, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
                const auto at = static_cast<size_t>(i);
                items[i] = {{v.x[at], v.y[at], v.z[at]}, static_cast<uint32_t>(i)};
            }
        });
    }
    splitIntoGroups(items, weight, job);

    const int64_t leafCount = (size_ + kLeaf - 1) / kLeaf;
    const int groupCount = static_cast<int>((leafCount + kGroup - 1) / kGroup);
    allocate(leafCount, groupCount, weighted);
    parallelFor(job, groupCount, 16, [&](int64_t begin, int64_t end) {
        for (int64_t group = begin; group < end; ++group) {
            sortGroup(items + group * kGroupPoints,
                      items + std::min(size_, (group + 1) * kGroupPoints), weight);
            const int64_t first = group * kGroup, last = std::min(leafCount, first + kGroup);
            for (int64_t leaf = first; leaf < last; ++leaf) fillLeaf(leaf, items, weight);
            const auto at = static_cast<size_t>(group);
            groupCaps_[at] =
                capOf(fine_.data(), count_.data(), static_cast<int>(first), static_cast<int>(last));
            for (int64_t leaf = first; leaf < last; ++leaf)
                groupWeight_[at] += leafWeight_[static_cast<size_t>(leaf)];
        }
    });
    sumNodes();
}

Cap Cells::leafCap(int leaf) const {
    const auto at = static_cast<size_t>(leaf);
    return {leafCaps_.x[at], leafCaps_.y[at], leafCaps_.z[at], leafCaps_.sinHalf[at],
            leafCaps_.cosHalf[at]};
}

int64_t Cells::groupsSize(int first, int last) const {
    return std::min(size_, int64_t{last} * kGroupPoints) - int64_t{first} * kGroupPoints;
}

struct ExactPoints::Kept {
    explicit Kept(int64_t count) : vectors(count), states(static_cast<size_t>(count)) {}
    RawArray<QuadVector> vectors;
    std::vector<std::atomic<uint8_t>> states;  // 0: absent, 1: being computed, 2: present
};

void ExactPoints::FreeKept::operator()(Kept* kept) const {
    delete kept;
}

ExactPoints::ExactPoints(const SkyPoints& points) : points_(&points) {
    if (points.turn) turn_.emplace(*points.turn);
}

QuadVector ExactPoints::made(uint32_t index) const {
    const QuadVector v = quadDirection(degreesOf(points_->lon[index], points_->lonQuarter),
                                       degreesOf(points_->lat[index], points_->latQuarter));
    return turn_ ? (*turn_)(v) : v;
}

QuadVector ExactPoints::operator()(uint32_t index) const {
    std::call_once(once_, [&] { kept_.reset(new Kept(points_->size())); });
    std::atomic<uint8_t>& state = kept_->states[index];
    if (state.load(std::memory_order_acquire) == 2) return kept_->vectors.data()[index];
    const QuadVector vector = made(index);
    uint8_t absent = 0;
    if (state.compare_exchange_strong(absent, 1)) {
        kept_->vectors.data()[index] = vector;
        state.store(2, std::memory_order_release);
    }
    return vector;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/sparse_pyramid.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/face_values.h"
#include "armilla/core/pixel_geometry.h"

namespace armilla {

namespace {

// Cells between two tests for a stop: about 1 ms on one CPU core.
constexpr size_t kPollInterval = size_t{1} << 16;

struct Cell {
    int64_t nested = 0;
    float value = 0.0F;
    uint32_t firstChild = 0;
    uint8_t children = 0;
};

// The means of the present cells of each four, in order.
std::vector<Cell> parentsOf(const std::vector<Cell>& cells, JobContext& job) {
    std::vector<Cell> parents;
    size_t polled = 0;
    for (size_t i = 0; i < cells.size();) {
        if (i - polled >= kPollInterval) {
            job.poll();
            polled = i;
        }
        Cell parent{cells[i].nested >> 2, 0.0F, static_cast<uint32_t>(i), 0};
        float child[4] = {badFaceValue(), badFaceValue(), badFaceValue(), badFaceValue()};
        for (; i < cells.size() && cells[i].nested >> 2 == parent.nested; ++i) {
            const auto which = static_cast<size_t>(cells[i].nested & 3);
            child[which] = cells[i].value;
            parent.children = static_cast<uint8_t>(parent.children | 1U << which);
        }
        parent.value = meanOfGood(child[0], child[1], child[2], child[3]);
        parents.push_back(parent);
    }
    return parents;
}

// Number of set bits below this one: the index among siblings.
uint32_t bitsBelow(uint32_t bits, uint32_t bit) {
    return static_cast<uint32_t>(std::popcount(bits & ((1U << bit) - 1U)));
}

}  // namespace

bool SparsePyramid::suits(const HealpixMap& map) {
    return map.coverage() != Coverage::Full &&
           std::has_single_bit(static_cast<uint64_t>(map.nside()));
}

SparsePyramid SparsePyramid::build(const HealpixMap& map, int field, JobContext& job) {
    if (field < 0 || field >= map.fieldCount())
        throw InvalidArgument("expected a field from 0 to " + std::to_string(map.fieldCount() - 1) +
                              ", found " + std::to_string(field));
    if (!suits(map))
        throw InvalidArgument(
            "expected a map of part of the sky, nside a power of two, found nside " +
            std::to_string(map.nside()));
    if (map.elementCount() > std::numeric_limits<uint32_t>::max())
        throw OutOfMemory("expected fewer than 2^32 cells to draw, found " +
                          std::to_string(map.elementCount()));
    SparsePyramid pyramid;
    pyramid.frame_ = map.frame();
    pyramid.deepest_ = orderOf(map.nside());
    pyramid.levels_.resize(static_cast<size_t>(pyramid.deepest_) + 1);
    const bool isMultiOrder = map.coverage() == Coverage::MultiOrder;
    const bool isRing = !isMultiOrder && map.ordering() == Ordering::Ring;
    // The map's own cells, by level.
    std::vector<std::vector<Cell>> own(pyramid.levels_.size());
    const Field& values = map.field(field);
    for (int64_t i = 0; i < map.elementCount(); ++i) {
        const auto element = static_cast<size_t>(i);
        if (element % kPollInterval == 0) job.poll();
        const int64_t pixel = map.pixels()[element];
        const int level = isMultiOrder ? pyramid.deepest_ - map.cellOrders()[element] : 0;
        const int64_t nested = isRing ? nestedFromRing(map.nside(), pixel) : pixel >> (2 * level);
        own[static_cast<size_t>(level)].push_back({nested, faceValue(values.at(i)), 0, 0});
    }
    std::vector<Cell> finer;
    for (size_t level = 0; level < pyramid.levels_.size(); ++level) {
        std::vector<Cell> cells = std::move(own[level]);
        const std::vector<Cell> means = parentsOf(finer, job);
        cells.insert(cells.end(), means.begin(), means.end());
        const auto before = [](const Cell& a, const Cell& b) { return a.nested < b.nested; };
        if (!std::is_sorted(cells.begin(), cells.end(), before))
            std::sort(cells.begin(), cells.end(), before);
        Level& made = pyramid.levels_[level];
        made.values.reserve(cells.size());
        if (level > 0) {
            made.firstChild.reserve(cells.size());
            made.children.reserve(cells.size());
        }
        for (const Cell& cell : cells) {
            made.values.push_back(cell.value);
            if (level == 0) continue;
            made.firstChild.push_back(cell.firstChild);
            made.children.push_back(cell.children);
        }
        finer = std::move(cells);
        job.report(static_cast<double>(level + 1) / static_cast<double>(pyramid.levels_.size()),
                   "averaging");
    }
    for (const Cell& base : finer) pyramid.bases_ |= 1U << static_cast<uint32_t>(base.nested);
    return pyramid;
}

SparsePyramid SparsePyramid::combined(const SparsePyramid& a, const SparsePyramid& b,
                                      const std::function<float(float, float)>& formula,
                                      JobContext& job) {
    SparsePyramid pyramid = a;
    for (size_t level = 0; level < a.levels_.size(); ++level) {
        const size_t count = a.levels_[level].values.size();
        if (a.deepest_ != b.deepest_ || b.levels_[level].values.size() != count)
            throw InvalidArgument("expected two pyramids with equal cells, found different cells");
        for (size_t i = 0; i < count; ++i) {
            if (i % kPollInterval == 0) job.poll();
            pyramid.levels_[level].values[i] =
                formula(a.levels_[level].values[i], b.levels_[level].values[i]);
        }
    }
    return pyramid;
}

float SparsePyramid::value(int64_t nested, int level) const {
    const auto base = static_cast<uint32_t>(nested >> (2 * deepest_));
    if ((bases_ >> base & 1U) == 0) return badFaceValue();
    size_t index = bitsBelow(bases_, base);
    for (int at = deepest_; at > level; --at) {
        const Level& cells = levels_[static_cast<size_t>(at)];
        const uint32_t children = cells.children[index];
        if (children == 0) return cells.values[index];  // represents all cells below it
        const auto child = static_cast<uint32_t>(nested >> (2 * (at - 1)) & 3);
        if ((children >> child & 1U) == 0) return badFaceValue();
        index = cells.firstChild[index] + bitsBelow(children, child);
    }
    return levels_[static_cast<size_t>(level)].values[index];
}

int64_t SparsePyramid::memoryBytes() const {
    size_t bytes = 0;
    for (const Level& level : levels_)
        bytes += level.values.size() * sizeof(float) + level.firstChild.size() * sizeof(uint32_t) +
                 level.children.size();
    return static_cast<int64_t>(bytes);
}

}  // namespace armilla

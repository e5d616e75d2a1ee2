// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/sparse_pyramid.h"

#include <algorithm>
#include <bit>
#include <string>

#include "core/error.h"
#include "core/face_values.h"
#include "core/pixel_geometry.h"

namespace armilla {

namespace {

// Cells between two tests for a stop: about a millisecond.
constexpr size_t kPollInterval = size_t{1} << 16;

struct Cell {
    int64_t nested = 0;
    float value = 0.0F;
    bool isLeaf = false;
};

// The means of what is there of each four, in order.
std::vector<Cell> parentsOf(const std::vector<int64_t>& cells, const std::vector<float>& values,
                            JobContext& job) {
    std::vector<Cell> parents;
    size_t polled = 0;
    for (size_t i = 0; i < cells.size();) {
        if (i - polled >= kPollInterval) {
            job.poll();
            polled = i;
        }
        const int64_t parent = cells[i] >> 2;
        float child[4] = {badFaceValue(), badFaceValue(), badFaceValue(), badFaceValue()};
        for (; i < cells.size() && cells[i] >> 2 == parent; ++i) child[cells[i] & 3] = values[i];
        parents.push_back({parent, meanOfGood(child[0], child[1], child[2], child[3]), false});
    }
    return parents;
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
        own[static_cast<size_t>(level)].push_back({nested, faceValue(values.at(i)), true});
    }
    for (size_t level = 0; level < pyramid.levels_.size(); ++level) {
        std::vector<Cell> cells = std::move(own[level]);
        if (level > 0) {
            const Level& finer = pyramid.levels_[level - 1];
            const std::vector<Cell> means = parentsOf(finer.cells, finer.values, job);
            cells.insert(cells.end(), means.begin(), means.end());
        }
        const auto before = [](const Cell& a, const Cell& b) { return a.nested < b.nested; };
        if (!std::is_sorted(cells.begin(), cells.end(), before))
            std::sort(cells.begin(), cells.end(), before);
        Level& made = pyramid.levels_[level];
        made.cells.reserve(cells.size());
        made.values.reserve(cells.size());
        for (const Cell& cell : cells) {
            made.cells.push_back(cell.nested);
            made.values.push_back(cell.value);
            made.isLeaf.push_back(cell.isLeaf);
        }
        job.report(static_cast<double>(level + 1) / static_cast<double>(pyramid.levels_.size()),
                   "averaging");
    }
    return pyramid;
}

float SparsePyramid::value(int64_t nested, int level) const {
    for (int at = level; at <= deepest_; ++at) {
        const Level& cells = levels_[static_cast<size_t>(at)];
        const int64_t wanted = nested >> (2 * at);
        const auto found = std::lower_bound(cells.cells.begin(), cells.cells.end(), wanted);
        if (found == cells.cells.end() || *found != wanted) continue;
        const auto index = static_cast<size_t>(found - cells.cells.begin());
        // A mean above the level that was asked for says that nothing is there at that level.
        return at == level || cells.isLeaf[index] ? cells.values[index] : badFaceValue();
    }
    return badFaceValue();
}

int64_t SparsePyramid::memoryBytes() const {
    size_t bytes = 0;
    for (const Level& level : levels_)
        bytes += level.cells.size() * (sizeof(int64_t) + sizeof(float)) + level.cells.size() / 8;
    return static_cast<int64_t>(bytes);
}

}  // namespace armilla

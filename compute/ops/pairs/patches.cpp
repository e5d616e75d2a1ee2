// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairs/patches.h"

#include <algorithm>
#include <array>
#include <string>

#include "armilla/core/error.h"
#include "pairs/cells.h"

namespace armilla {

namespace {

using Place = std::array<double, 3>;

size_t longestSide(const Place* begin, const Place* end) {
    Place low = *begin, high = *begin;
    for (const Place* place = begin; place != end; ++place)
        for (size_t c = 0; c < 3; ++c) {
            low[c] = std::min(low[c], (*place)[c]);
            high[c] = std::max(high[c], (*place)[c]);
        }
    size_t longest = 0;
    for (size_t c = 1; c < 3; ++c)
        if (high[c] - low[c] > high[longest] - low[longest]) longest = c;
    return longest;
}

}  // namespace

Patches::Patches(const SkyPoints& points, int count, JobContext& job) : count_(count) {
    if (count < 2 || count > points.size())
        throw InvalidArgument("expected 2 to " + std::to_string(points.size()) +
                              " patches (as many as points), found " + std::to_string(count));
    const PointVectors v = pointVectors(points, job);
    std::vector<Place> places(v.x.size());
    for (size_t i = 0; i < places.size(); ++i) places[i] = {v.x[i], v.y[i], v.z[i]};

    struct Range {
        size_t begin, end;
        int firstPatch, patches, node;
    };
    std::vector<Range> todo{{0, places.size(), 0, count, 0}};
    nodes_.emplace_back();
    while (!todo.empty()) {
        job.poll();
        const Range range = todo.back();
        todo.pop_back();
        Node node;
        node.patch = range.firstPatch;
        if (range.patches > 1) {
            const int leftPatches = range.patches / 2;
            const size_t size = range.end - range.begin;
            const size_t middle = range.begin + size * static_cast<size_t>(leftPatches) /
                                                    static_cast<size_t>(range.patches);
            Place* const first = places.data();
            node.axis = longestSide(first + range.begin, first + range.end);
            const size_t axis = node.axis;
            std::nth_element(first + range.begin, first + middle, first + range.end,
                             [axis](const Place& a, const Place& b) { return a[axis] < b[axis]; });
            node.border = places[middle][axis];
            node.left = static_cast<int>(nodes_.size());
            node.right = node.left + 1;
            nodes_.resize(nodes_.size() + 2);
            todo.push_back({range.begin, middle, range.firstPatch, leftPatches, node.left});
            todo.push_back({middle, range.end, range.firstPatch + leftPatches,
                            range.patches - leftPatches, node.right});
        }
        nodes_[static_cast<size_t>(range.node)] = node;
    }
}

std::vector<SkyPoints> Patches::split(const SkyPoints& points, JobContext& job) const {
    const PointVectors v = pointVectors(points, job);
    std::vector<SkyPoints> parts(static_cast<size_t>(count_));
    for (SkyPoints& part : parts) {
        part.lonQuarter = points.lonQuarter;
        part.latQuarter = points.latQuarter;
        part.turn = points.turn;
    }
    for (size_t i = 0; i < points.lon.size(); ++i) {
        if (i % 65536 == 0) job.poll();
        const Place place{v.x[i], v.y[i], v.z[i]};
        const Node* node = &nodes_.front();
        while (node->left >= 0)
            node = &nodes_[static_cast<size_t>(place[node->axis] < node->border ? node->left
                                                                                : node->right)];
        SkyPoints& part = parts[static_cast<size_t>(node->patch)];
        part.lon.push_back(points.lon[i]);
        part.lat.push_back(points.lat[i]);
        if (!points.weight.empty()) part.weight.push_back(points.weight[i]);
    }
    return parts;
}

}  // namespace armilla

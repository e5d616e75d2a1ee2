// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairs/patches.h"

#include <algorithm>
#include <string>

#include "armilla/core/error.h"
#include "pairs/cells.h"
#include "pairs/device_points.h"

namespace armilla {

namespace {

int longestSide(const Vec3* begin, const Vec3* end) {
    Vec3 low = *begin, high = *begin;
    for (const Vec3* place = begin; place != end; ++place) {
        low = {std::min(low.x, place->x), std::min(low.y, place->y), std::min(low.z, place->z)};
        high = {std::max(high.x, place->x), std::max(high.y, place->y), std::max(high.z, place->z)};
    }
    return longestSide(low, high);
}

PatchTree patchTree(const SkyPoints& points, int count, JobContext& job) {
    const PointVectors v = pointVectors(points, job);
    std::vector<Vec3> places(v.x.size());
    for (size_t i = 0; i < places.size(); ++i) places[i] = {v.x[i], v.y[i], v.z[i]};

    PatchTree tree{count, {{}}};
    std::vector<PatchRange> todo{{0, points.size(), 0, count, 0}};
    while (!todo.empty()) {
        job.poll();
        const PatchRange range = todo.back();
        todo.pop_back();
        tree.nodes[static_cast<size_t>(range.node)].patch = range.firstPatch;
        if (range.patches == 1) continue;
        PatchRange left, right;
        splitRange(range, tree, left, right);
        Vec3 *const begin = places.data() + range.begin, *const end = places.data() + range.end,
                    *const middle = places.data() + left.end;
        const int axis = longestSide(begin, end);
        std::nth_element(begin, middle, end, [axis](const Vec3& a, const Vec3& b) {
            return coordinate(a, axis) < coordinate(b, axis);
        });
        PatchNode& node = tree.nodes[static_cast<size_t>(range.node)];
        node.axis = axis;
        node.border = coordinate(*middle, axis);
        todo.push_back(left);
        todo.push_back(right);
    }
    return tree;
}

}  // namespace

Patches::Patches(const SkyPoints& points, int count, JobContext& job) {
    if (count < 2 || count > points.size())
        throw InvalidArgument("expected 2 to " + std::to_string(points.size()) +
                              " patches (as many as points), found " + std::to_string(count));
    tree_ = points.onDevice ? points.onDevice->patches(count, job) : patchTree(points, count, job);
}

std::vector<SkyPoints> Patches::split(const SkyPoints& points, JobContext& job) const {
    std::vector<SkyPoints> parts(static_cast<size_t>(count()));
    for (SkyPoints& part : parts) {
        part.lonQuarter = points.lonQuarter;
        part.latQuarter = points.latQuarter;
        part.turn = points.turn;
    }
    if (points.onDevice) {
        const auto onDevice = points.onDevice->split(tree_, job);
        for (size_t p = 0; p < parts.size(); ++p) parts[p].onDevice = onDevice[p];
        return parts;
    }
    const PointVectors v = pointVectors(points, job);
    for (size_t i = 0; i < points.lon.size(); ++i) {
        if (i % 65536 == 0) job.poll();
        const int patch = patchOf(tree_.nodes.data(), {v.x[i], v.y[i], v.z[i]});
        SkyPoints& part = parts[static_cast<size_t>(patch)];
        part.lon.push_back(points.lon[i]);
        part.lat.push_back(points.lat[i]);
        if (!points.weight.empty()) part.weight.push_back(points.weight[i]);
    }
    return parts;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The borders of sky patches. Host and device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "armilla/core/hd.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

struct PatchNode {
    int axis = 0;               // 0: x, 1: y, 2: z
    double border = 0.0;        // smaller coordinates: left
    int left = -1, right = -1;  // -1: a patch
    int patch = 0;
};
// The first node is the root.
struct PatchTree {
    int count = 0;
    std::vector<PatchNode> nodes;
};

ARMILLA_HD inline double coordinate(Vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
// The axis along which a box is longest.
ARMILLA_HD inline int longestSide(Vec3 low, Vec3 high) {
    const Vec3 side = high - low;
    const int first = side.y > side.x ? 1 : 0;
    return side.z > coordinate(side, first) ? 2 : first;
}
// The number of the patch of a direction.
ARMILLA_HD inline int patchOf(const PatchNode* nodes, Vec3 v) {
    const PatchNode* node = nodes;
    while (node->left >= 0)
        node = nodes + (coordinate(v, node->axis) < node->border ? node->left : node->right);
    return node->patch;
}

// Consecutive points that become one or several patches.
struct PatchRange {
    int64_t begin = 0, end = 0;
    int firstPatch = 0, patches = 1, node = 0;
};
// Splits a range in proportion to its numbers of patches. `node` receives two new children.
inline void splitRange(const PatchRange& range, PatchTree& tree, PatchRange& left,
                       PatchRange& right) {
    const int leftPatches = range.patches / 2;
    const int64_t middle = range.begin + (range.end - range.begin) * leftPatches / range.patches;
    const int child = static_cast<int>(tree.nodes.size());
    tree.nodes[static_cast<size_t>(range.node)].left = child;
    tree.nodes[static_cast<size_t>(range.node)].right = child + 1;
    tree.nodes.resize(tree.nodes.size() + 2);
    left = {range.begin, middle, range.firstPatch, leftPatches, child};
    right = {middle, range.end, range.firstPatch + leftPatches, range.patches - leftPatches,
             child + 1};
}

}  // namespace armilla

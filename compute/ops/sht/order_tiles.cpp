// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/order_tiles.h"

#include <algorithm>

namespace armilla {

OrderTiles::OrderTiles(std::span<const int> modes, int mmax) {
    runs_.clear();
    size_t offset = 0;
    const int tiles = mmax / kTileModes + 1, pairs = static_cast<int>(modes.size());
    for (int tile = 0; tile < tiles; ++tile) {
        const auto sees = [&](int pair) {
            return modes[static_cast<size_t>(pair)] > tile * kTileModes;
        };
        int first = 0, end = pairs;
        while (first < end && !sees(first)) ++first;
        while (first < end && !sees(end - 1)) --end;
        runs_.push_back({first, end - first, offset});
        offset += static_cast<size_t>(end - first);
    }
    runs_.push_back({0, 0, offset});
}

std::vector<int> OrderTiles::sliceBounds(int slices) const {
    std::vector<int> bounds{0};
    const size_t all = runs_.back().offset;
    for (int tile = 1; tile < count(); ++tile)
        if (offset(tile) * static_cast<size_t>(slices) >= all * bounds.size())
            bounds.push_back(tile);
    bounds.push_back(count());
    return bounds;
}

size_t OrderTiles::sliceSize(int slices) const {
    size_t largest = 0;
    const std::vector<int> bounds = sliceBounds(slices);
    for (size_t i = 1; i < bounds.size(); ++i)
        largest = std::max(largest, offset(bounds[i]) - offset(bounds[i - 1]));
    return largest;
}

}  // namespace armilla

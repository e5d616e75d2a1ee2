// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/storage/order_tiles.h"

#include <algorithm>

#include "armilla/core/error.h"

namespace armilla {

OrderTiles::OrderTiles(std::span<const int> modes, int mmax) {
    runs_.clear();
    size_t offset = 0;
    perHalf_ = mmax / kTileSpan + 1;
    const int pairs = static_cast<int>(modes.size());
    for (int tile = 0; tile < kTileHalves * perHalf_; ++tile) {
        const auto sees = [&](int pair) {
            return modes[static_cast<size_t>(pair)] > leastOrder(tile);
        };
        int first = 0, end = pairs;
        while (first < end && !sees(first)) ++first;
        while (first < end && !sees(end - 1)) --end;
        runs_.push_back({first, end - first, offset});
        offset += static_cast<size_t>(end - first);
    }
    runs_.push_back({0, 0, offset});
}

size_t OrderTiles::largestTile() const {
    size_t largest = 0;
    for (int tile = 0; tile < count(); ++tile)
        largest = std::max(largest, offset(tile + 1) - offset(tile));
    return largest;
}

std::vector<int> OrderTiles::sliceBounds(size_t capacity) const {
    ARMILLA_ASSERT(capacity >= largestTile());
    std::vector<int> bounds{0};
    if (size() > capacity)
        for (int tile = 1; tile < count(); ++tile)
            if (tile == perHalf_ || offset(tile + 1) - offset(bounds.back()) > capacity)
                bounds.push_back(tile);
    bounds.push_back(count());
    return bounds;
}

}  // namespace armilla

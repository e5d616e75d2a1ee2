// SPDX-License-Identifier: GPL-3.0-or-later
// The tiles of a map, as HealSparse files hold them in any format.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/pixel_geometry.h"
#include "column_plan.h"
#include "map_table.h"

namespace armilla {

// The elements of a map in the order of nested pixels.
class NestedElements {
public:
    // Throws OutOfMemory, Cancelled.
    NestedElements(const HealpixMap& map, JobContext& job);

    // Calls `visit(pixel - begin, element)` for the elements at nested pixels from `begin` on,
    // below `end`. A visit that returns false ends the calls.
    template <class Visit>
    void visit(int64_t begin, int64_t end, const Visit& visit) const {
        switch (map_.coverage()) {
            case Coverage::Full:
                for (int64_t p = begin; p < end; ++p)
                    if (!visit(p - begin, map_.ordering() == Ordering::Nested
                                              ? p
                                              : ringFromNested(map_.nside(), p)))
                        return;
                return;
            case Coverage::Partial:
                map_.ordering() == Ordering::Nested ? visitListed(begin, end, visit)
                                                    : visitSorted(begin, end, visit);
                return;
            case Coverage::MultiOrder: visitCells(begin, end, visit); return;
        }
    }

private:
    template <class Visit>
    void visitListed(int64_t begin, int64_t end, const Visit& visit) const {
        const auto pixels = map_.pixels();
        auto at = std::lower_bound(pixels.begin(), pixels.end(), begin);
        for (; at != pixels.end() && *at < end; ++at)
            if (!visit(*at - begin, at - pixels.begin())) return;
    }
    template <class Visit>
    void visitSorted(int64_t begin, int64_t end, const Visit& visit) const {
        auto at = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(begin, int64_t{0}));
        for (; at != sorted_.end() && at->first < end; ++at)
            if (!visit(at->first - begin, at->second)) return;
    }
    template <class Visit>
    void visitCells(int64_t begin, int64_t end, const Visit& visit) const {
        const auto pixels = map_.pixels();
        const int deepest = orderOf(map_.nside());
        auto at = std::upper_bound(pixels.begin(), pixels.end(), begin);
        if (at != pixels.begin()) --at;
        for (; at != pixels.end() && *at < end; ++at) {
            const int64_t cell = at - pixels.begin();
            const int order = map_.cellOrders()[static_cast<size_t>(cell)];
            const int64_t last = std::min(end, *at + (int64_t{1} << (2 * (deepest - order))));
            for (int64_t p = std::max(begin, *at); p < last; ++p)
                if (!visit(p - begin, cell)) return;
        }
    }

    const HealpixMap& map_;
    std::vector<std::pair<int64_t, int64_t>> sorted_;  // nested pixel, element
};

// True for a column of logical values.
inline bool isFlag(const ColumnPlan& column) {
    return column.type == DiskType::Logical;
}

// Columns and tiles of a map. A map of one flag is Kind::Flags, of several flags Kind::Bits.
struct TilePlan {
    int64_t coverNside = 0, tilePixels = 0;
    std::vector<int64_t> covered;  // pixels of the coverage with data, ascending
    std::vector<ColumnPlan> columns;
    size_t primary = 0;
    PixelTiles::Kind kind = PixelTiles::Kind::Numbers;
    int64_t pixelBytes = 0;
};

// Plans columns and covered pixels. Throws InvalidArgument for an empty map, and for an nside that
// is no power of two or beyond 2^17, naming `path`.
TilePlan planTiles(const HealpixMap& map, const NestedElements& elements, const std::string& path,
                   const MapWriteOptions& options, JobContext& job);
// Stores the fields of an element, big-endian; an element of -1: of a pixel without data.
void putPixel(const TilePlan& plan, int64_t element, std::byte* at);
// cov_index_map: the place of a pixel is its NESTED number plus the number of its cover here. Tile
// 0 has no data.
std::vector<int64_t> coverIndex(const TilePlan& plan);
// The bytes of a tile: 0, or 1 plus a place in `covered`.
std::vector<std::byte> tileBytes(const TilePlan& plan, const NestedElements& elements,
                                 int64_t tile);
// True for cards that number the bits of another mask.
bool isBitCard(const std::string& card);

}  // namespace armilla

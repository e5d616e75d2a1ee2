// SPDX-License-Identifier: GPL-3.0-or-later
#include "healsparse_plan.h"

#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "big_endian.h"
#include "map_cards.h"

namespace armilla {

NestedElements::NestedElements(const HealpixMap& map, JobContext& job) : map_(map) {
    const bool isSorted = map.ordering() == Ordering::Nested || map.coverage() != Coverage::Partial;
    if (isSorted) return;
    requireMemory("the pixels in NESTED order", map.elementCount() * 16);
    sorted_.resize(static_cast<size_t>(map.elementCount()));
    parallelFor(job, map.elementCount(), kPixelGrain, [&](long long begin, long long end) {
        for (long long i = begin; i < end; ++i)
            sorted_[static_cast<size_t>(i)] = {
                nestedFromRing(map.nside(), map.pixels()[static_cast<size_t>(i)]), i};
    });
    uint64_t comparisons = 0;
    std::sort(sorted_.begin(), sorted_.end(), [&](const auto& a, const auto& b) {
        // 2^16 comparisons take about 1 ms (one CPU core).
        if ((++comparisons & 0xffff) == 0) job.poll();
        return a < b;
    });
}

namespace {

// The coverage of healsparse's own examples; finer where tiles would exceed 512^2 pixels.
constexpr int64_t kUsualCoverNside = 32;
constexpr int64_t kMaxTileSide = 512;
// At 256, the coverage takes 6 MB.
constexpr int64_t kMaxCoverNside = 256;
constexpr int64_t kMaxWrittenNside = kMaxCoverNside * kMaxTileSide;

void planColumns(const HealpixMap& map, const MapWriteOptions& options, TilePlan& plan,
                 JobContext& job) {
    std::vector<bool> hasBad;
    const auto scanOf = [&](int number, bool negated, const BadValues& sentinel) {
        FieldScan scan = scanField(map.field(number), negated, sentinel, job);
        // Pixels without data take the sentinel, so that every column needs one.
        scan.hasBad = true;
        return scan;
    };
    bool ignored = false;
    for (int i = 0; i < map.fieldCount(); ++i) {
        plan.columns.push_back(planColumn(map, i, options, ignored, scanOf));
        hasBad.push_back(scanField(map.field(i), false, {}, job).hasBad);
    }
    const bool flags = std::all_of(plan.columns.begin(), plan.columns.end(), isFlag);
    plan.kind = flags && plan.columns.size() == 1 ? PixelTiles::Kind::Flags
                : flags                           ? PixelTiles::Kind::Bits
                : plan.columns.size() == 1        ? PixelTiles::Kind::Numbers
                                                  : PixelTiles::Kind::Records;
    for (ColumnPlan& column : plan.columns) plan.pixelBytes += column.bytes;
    if (plan.kind == PixelTiles::Kind::Flags) plan.pixelBytes = 2;
    if (plan.kind == PixelTiles::Kind::Bits) plan.pixelBytes = (map.fieldCount() + 7) / 8;
    // healsparse ignores all fields of a pixel where the primary one is bad. A column of numbers
    // without bad values loses no pixel.
    const auto rank = [&](size_t i) {
        return (isFlag(plan.columns[i]) ? 2 : 0) + (hasBad[i] ? 1 : 0);
    };
    for (size_t i = 1; i < plan.columns.size(); ++i)
        if (rank(i) < rank(plan.primary)) plan.primary = i;
}

// True if a pixel has data in any field; flags have data where set.
bool hasData(const TilePlan& plan, int64_t element) {
    return std::any_of(plan.columns.begin(), plan.columns.end(), [&](const ColumnPlan& column) {
        const double value = column.field->at(element);
        return std::isfinite(value) &&
               !(plan.kind != PixelTiles::Kind::Records && isFlag(column) && value == 0.0);
    });
}

void findCovered(const HealpixMap& map, const NestedElements& elements, TilePlan& plan,
                 JobContext& job) {
    plan.coverNside = std::clamp(map.nside() / kMaxTileSide, kUsualCoverNside, kMaxCoverNside);
    plan.coverNside = std::min(plan.coverNside, map.nside());
    const int64_t side = map.nside() / plan.coverNside;
    plan.tilePixels = side * side;
    const int64_t count = pixelCount(plan.coverNside);
    std::vector<uint8_t> covers(static_cast<size_t>(count), 0);
    parallelFor(job, count, 1, [&](long long begin, long long end) {
        for (long long pixel = begin; pixel < end; ++pixel)
            elements.visit(pixel * plan.tilePixels, (pixel + 1) * plan.tilePixels,
                           [&](int64_t, int64_t element) {
                               if (!hasData(plan, element)) return true;
                               covers[static_cast<size_t>(pixel)] = 1;
                               return false;
                           });
    });
    for (int64_t pixel = 0; pixel < count; ++pixel)
        if (covers[static_cast<size_t>(pixel)] != 0) plan.covered.push_back(pixel);
}

}  // namespace

TilePlan planTiles(const HealpixMap& map, const NestedElements& elements, const std::string& path,
                   const MapWriteOptions& options, JobContext& job) {
    if (!isPowerOfTwoNside(map.nside()) || map.nside() > kMaxWrittenNside)
        throw InvalidArgument(
            path + ": expected a power of two up to " + std::to_string(kMaxWrittenNside) +
            " as NSIDE of a HealSparse file (convert --nside changes it), found " +
            std::to_string(map.nside()));
    if (map.fieldCount() == 0 || map.elementCount() == 0)
        throw InvalidArgument("expected a map with pixels to write, found an empty one");
    TilePlan plan;
    planColumns(map, options, plan, job);
    findCovered(map, elements, plan, job);
    return plan;
}

// Stores the fields of one pixel; NaN without an element.
void putPixel(const TilePlan& plan, int64_t element, std::byte* at) {
    const auto valueOf = [&](const ColumnPlan& column) {
        return element < 0 ? std::nan("") : column.field->at(element);
    };
    const auto isSet = [&](const ColumnPlan& column) {
        const double value = valueOf(column);
        return std::isfinite(value) && value != 0.0;
    };
    if (plan.kind == PixelTiles::Kind::Flags) {
        putBigEndian(static_cast<int16_t>(isSet(plan.columns.front())), at);
        return;
    }
    if (plan.kind == PixelTiles::Kind::Bits) {
        std::fill_n(at, plan.pixelBytes, std::byte{0});
        for (size_t bit = 0; bit < plan.columns.size(); ++bit)
            if (isSet(plan.columns[bit])) at[bit / 8] |= std::byte{1} << (bit % 8);
        return;
    }
    for (const ColumnPlan& column : plan.columns) {
        putValue(column, valueOf(column), at);
        at += column.bytes;
    }
}

std::vector<int64_t> coverIndex(const TilePlan& plan) {
    const int64_t count = pixelCount(plan.coverNside);
    std::vector<int64_t> index(static_cast<size_t>(count));
    for (int64_t pixel = 0, tile = 0; pixel < count; ++pixel) {
        const bool isCovered =
            tile < std::ssize(plan.covered) && plan.covered[static_cast<size_t>(tile)] == pixel;
        const int64_t place = isCovered ? ++tile : 0;
        index[static_cast<size_t>(pixel)] = (place - pixel) * plan.tilePixels;
    }
    return index;
}

std::vector<std::byte> tileBytes(const TilePlan& plan, const NestedElements& elements,
                                 int64_t tile) {
    std::vector<std::byte> bytes(static_cast<size_t>(plan.tilePixels * plan.pixelBytes));
    for (int64_t i = 0; i < plan.tilePixels; ++i)
        putPixel(plan, -1, bytes.data() + i * plan.pixelBytes);
    if (tile == 0) return bytes;
    const int64_t first = plan.covered[static_cast<size_t>(tile - 1)] * plan.tilePixels;
    elements.visit(first, first + plan.tilePixels, [&](int64_t at, int64_t element) {
        putPixel(plan, element, bytes.data() + at * plan.pixelBytes);
        return true;
    });
    return bytes;
}

// True for cards that number the bits of another mask.
bool isBitCard(const std::string& card) {
    const std::string key = cardKeyword(card);
    return key.starts_with("BIT") && key.size() > 3 &&
           key.find_first_not_of("0123456789", 3) == std::string::npos;
}

}  // namespace armilla

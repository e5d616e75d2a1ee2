// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/sky_ranges.h"

#include <algorithm>
#include <bit>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/one_field.h"

namespace armilla {

namespace {

constexpr int64_t kEnd = int64_t{12} << (2 * kRangeOrder);

bool holds(RangeJoin join, bool a, bool b) {
    switch (join) {
        case RangeJoin::Union: return a || b;
        case RangeJoin::Intersection: return a && b;
        case RangeJoin::Difference: return a && !b;
        case RangeJoin::SymmetricDifference: return a != b;
    }
    return false;
}

void append(SkyRanges& ranges, int64_t begin, int64_t end) {
    if (!ranges.empty() && ranges.back().end == begin)
        ranges.back().end = end;
    else
        ranges.push_back({begin, end});
}

// Calls `body` for the largest cells that fill a range, in ascending order.
template <class Body>
void forEachCell(const PixelRange& run, const Body& body) {
    for (int64_t at = run.begin; at < run.end;) {
        const int aligned = at == 0 ? kRangeOrder : std::countr_zero(static_cast<uint64_t>(at)) / 2;
        const int fitting = (std::bit_width(static_cast<uint64_t>(run.end - at)) - 1) / 2;
        const int up = std::min({aligned, fitting, kRangeOrder});
        body(SkyCell{kRangeOrder - up, at >> (2 * up)});
        at += int64_t{1} << (2 * up);
    }
}

}  // namespace

SkyRanges joinedRanges(const SkyRanges& a, const SkyRanges& b, RangeJoin join) {
    SkyRanges result;
    size_t i = 0, j = 0;
    int64_t at = 0;
    // Sweep over range boundaries; between two boundaries membership in both sets is constant.
    while (i < a.size() || j < b.size()) {
        const bool inA = i < a.size() && a[i].begin <= at, inB = j < b.size() && b[j].begin <= at;
        int64_t next = kEnd;
        if (i < a.size()) next = std::min(next, inA ? a[i].end : a[i].begin);
        if (j < b.size()) next = std::min(next, inB ? b[j].end : b[j].begin);
        if (next > at && holds(join, inA, inB)) append(result, at, next);
        at = next;
        if (i < a.size() && a[i].end <= at) ++i;
        if (j < b.size() && b[j].end <= at) ++j;
    }
    return result;
}

SkyRanges complementOf(const SkyRanges& ranges) {
    return joinedRanges({{0, kEnd}}, ranges, RangeJoin::Difference);
}

SkyRanges coveredAt(const SkyRanges& ranges, int order) {
    if (order < 0 || order > kRangeOrder)
        throw InvalidArgument("expected an order from 0 to 29, found " + std::to_string(order));
    const int up = 2 * (kRangeOrder - order);
    SkyRanges result;
    for (const PixelRange& run : ranges) {
        int64_t begin = (run.begin >> up) << up;
        const int64_t end = (((run.end - 1) >> up) + 1) << up;
        if (!result.empty()) begin = std::max(begin, result.back().end);
        if (begin < end) append(result, begin, end);
    }
    return result;
}

int orderOf(const SkyRanges& ranges) {
    int64_t all = 0;
    for (const PixelRange& run : ranges) all |= run.begin | run.end;
    const int zeros = all == 0 ? 2 * kRangeOrder : std::countr_zero(static_cast<uint64_t>(all));
    return kRangeOrder - std::min(zeros / 2, kRangeOrder);
}

SkyRanges normalizedRanges(std::vector<PixelRange> runs) {
    std::sort(runs.begin(), runs.end(),
              [](const PixelRange& a, const PixelRange& b) { return a.begin < b.begin; });
    SkyRanges result;
    for (const PixelRange& run : runs) {
        if (run.begin < 0 || run.end > kEnd || run.begin > run.end)
            throw InvalidArgument("expected runs of pixels of order 29, found " +
                                  std::to_string(run.begin) + " to " + std::to_string(run.end));
        if (run.begin == run.end) continue;
        if (!result.empty() && run.begin <= result.back().end)
            result.back().end = std::max(result.back().end, run.end);
        else
            result.push_back(run);
    }
    return result;
}

SkyRanges rangesWhere(const HealpixMap& map, int field, JobContext& job) {
    if (field < 0 || field >= map.fieldCount())
        throw InvalidArgument("expected a field of the map, found number " +
                              std::to_string(field + 1));
    if (map.frame() == Frame::Unknown)
        throw InvalidArgument(
            "expected a map whose frame is known for a MOC, found none; state it "
            "with --input-frame G|E|C");
    const bool icrs = map.frame() == Frame::Equatorial;
    if (icrs && map.coverage() == Coverage::MultiOrder) {
        const int order = std::countr_zero(static_cast<uint64_t>(map.nside()));
        const int up = 2 * (kRangeOrder - order);
        std::vector<PixelRange> runs;
        for (int64_t i = 0; i < map.elementCount(); ++i) {
            if ((i & 0xffff) == 0) job.poll();
            if (!(map.field(field).at(i) > 0.5)) continue;
            const auto at = static_cast<size_t>(i);
            const int64_t length = int64_t{1} << (2 * (order - map.cellOrders()[at]));
            runs.push_back({map.pixels()[at] << up, (map.pixels()[at] + length) << up});
        }
        return normalizedRanges(std::move(runs));
    }
    int order = 0;
    while ((int64_t{1} << order) < map.nside()) ++order;
    const int64_t nside = int64_t{1} << order, pixels = pixelCount(nside);
    const int up = 2 * (kRangeOrder - order);
    const Mat3 turn = frameRotation(map.frame(), Frame::Equatorial);
    constexpr int64_t kGrain = int64_t{1} << 13;
    std::vector<SkyRanges> parts(static_cast<size_t>((pixels + kGrain - 1) / kGrain));
    const bool same = icrs && map.ordering() == Ordering::Nested && nside == map.nside();
    parallelFor(job, pixels, kGrain, [&](long long begin, long long end) {
        SkyRanges& part = parts[static_cast<size_t>(begin / kGrain)];
        for (long long p = begin; p < end; ++p) {
            const int64_t at = same ? p : map.pixelAt(turn * directionFromNested(nside, p));
            if (map.value(field, at) > 0.5)
                append(part, static_cast<int64_t>(p) << up, static_cast<int64_t>(p + 1) << up);
        }
    });
    SkyRanges result;
    for (const SkyRanges& part : parts)
        for (const PixelRange& run : part) append(result, run.begin, run.end);
    return result;
}

double shareOf(const SkyRanges& ranges) {
    // Integers up to 2^62: the sum is exact.
    int64_t sum = 0;
    for (const PixelRange& run : ranges) sum += run.end - run.begin;
    return static_cast<double>(sum) / static_cast<double>(kEnd);
}

std::vector<SkyCell> cellsOf(const SkyRanges& ranges) {
    std::vector<SkyCell> cells;
    for (const PixelRange& run : ranges)
        forEachCell(run, [&](const SkyCell& cell) { cells.push_back(cell); });
    return cells;
}

HealpixMap coverageOf(const SkyRanges& ranges, JobContext& job) {
    const int deepest = orderOf(ranges);
    std::vector<int64_t> pixels;
    std::vector<uint8_t> orders;
    std::vector<float> values;
    const auto add = [&](const PixelRange& part, float value) {
        forEachCell(part, [&](const SkyCell& cell) {
            pixels.push_back(cell.pixel << (2 * (deepest - cell.order)));
            orders.push_back(static_cast<uint8_t>(cell.order));
            values.push_back(value);
        });
    };
    int64_t at = 0;
    for (const PixelRange& run : ranges) {
        job.poll();
        if (run.begin > at) add({at, run.begin}, 0.0F);
        add(run, 1.0F);
        at = run.end;
    }
    if (at < kEnd) add({at, kEnd}, 0.0F);
    Field field;
    field.name = "COVERAGE";
    field.values = std::move(values);
    return HealpixMap::multiOrder(int64_t{1} << deepest, Frame::Equatorial, std::move(pixels),
                                  std::move(orders), oneField(std::move(field)));
}

}  // namespace armilla

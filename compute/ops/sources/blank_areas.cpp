// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/blank_areas.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <vector>

#include "armilla/core/counted.h"
#include "armilla/core/nan.h"
#include "armilla/core/pixel_queries.h"

namespace armilla::sources {

namespace {

bool areEqual(double a, double b) {
    return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) && std::isfinite(a);
}

// First pixels of runs of equal values along the rings, and the number of good pixels. An area of
// equal values without two adjacent ones in a ring is one pixel wide.
struct Runs {
    std::vector<int64_t> starts;
    int64_t good = 0;
};
Runs runsOf(std::span<const double> ring, JobContext& job) {
    const size_t count = ring.size();
    std::vector<Runs> parts(count / kPixelGrain + 1);
    parallelFor(job, static_cast<long long>(count), kPixelGrain,
                [&](long long begin, long long end) {
                    Runs& part = parts[static_cast<size_t>(begin / kPixelGrain)];
                    for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p) {
                        if (!std::isfinite(ring[p])) continue;
                        ++part.good;
                        if (p + 1 < count && areEqual(ring[p], ring[p + 1]) &&
                            (p == static_cast<size_t>(begin) || !areEqual(ring[p - 1], ring[p])))
                            part.starts.push_back(static_cast<int64_t>(p));
                    }
                });
    Runs all;
    for (const Runs& part : parts) {
        all.starts.insert(all.starts.end(), part.starts.begin(), part.starts.end());
        all.good += part.good;
    }
    return all;
}

// Number of pixels in the area of one value around `start`. enter(p) is true at the first visit of
// p.
template <class Enter>
int64_t flood(int64_t nside, std::span<const double> ring, int64_t start, const Enter& enter,
              JobContext& job) {
    const double value = ring[static_cast<size_t>(start)];
    if (!enter(start)) return 0;
    std::vector<int64_t> open{start};
    int64_t count = 0;
    while (!open.empty()) {
        const int64_t p = open.back();
        open.pop_back();
        if (count++ % (1 << 16) == 0) job.poll();
        for (const int64_t q : neighbors(nside, Ordering::Ring, p))
            if (q >= 0 && areEqual(ring[static_cast<size_t>(q)], value) && enter(q))
                open.push_back(q);
    }
    return count;
}

}  // namespace

void keepRare(std::span<const double> values, int64_t good, std::vector<EqualArea>& areas) {
    constexpr double kRare = 0.01;  // fraction of the good pixels
    std::map<double, int64_t> outside;
    for (const EqualArea& area : areas) outside[values[area.start]] -= area.pixels;
    if (outside.empty()) return;
    for (const double value : values)
        if (std::isfinite(value))
            if (const auto at = outside.find(value); at != outside.end()) ++at->second;
    std::erase_if(areas, [&](const EqualArea& area) {
        return static_cast<double>(outside[values[area.start]]) > kRare * static_cast<double>(good);
    });
}

std::string BlankAreas::remark() const {
    if (areas == 0) return {};
    return counted(pixels, "pixel") + " in " + counted(areas, "area") +
           " of one value, larger than " + std::to_string(static_cast<int>(kBlankBeams)) +
           " beams: taken as blank";
}

BlankAreas removeBlankAreas(int64_t nside, std::span<double> ring, double least, JobContext& job) {
    BlankAreas result;
    const Runs runs = runsOf(ring, job);
    if (runs.starts.empty()) return result;
    std::vector<bool> seen(ring.size(), false);
    std::vector<EqualArea> large;
    for (const int64_t start : runs.starts) {
        const int64_t count = flood(
            nside, ring, start,
            [&](int64_t p) {
                const bool isNew = !seen[static_cast<size_t>(p)];
                seen[static_cast<size_t>(p)] = true;
                return isNew;
            },
            job);
        result.largest = std::max(result.largest, count);
        if (static_cast<double>(count) > least)
            large.push_back({static_cast<size_t>(start), count});
    }
    keepRare(ring, runs.good, large);
    int64_t inLarge = 0;
    for (const EqualArea& area : large) inLarge += area.pixels;
    if (2 * inLarge >= runs.good) return result;
    result.pixels = inLarge;
    result.areas = static_cast<int64_t>(large.size());
    std::vector<int64_t> blank;
    blank.reserve(static_cast<size_t>(inLarge));
    std::fill(seen.begin(), seen.end(), false);
    for (const EqualArea& area : large)
        flood(
            nside, ring, static_cast<int64_t>(area.start),
            [&](int64_t p) {
                if (seen[static_cast<size_t>(p)]) return false;
                seen[static_cast<size_t>(p)] = true;
                blank.push_back(p);
                return true;
            },
            job);
    for (const int64_t p : blank) ring[static_cast<size_t>(p)] = kNan;
    return result;
}

}  // namespace armilla::sources

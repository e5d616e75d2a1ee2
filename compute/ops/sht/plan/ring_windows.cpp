// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/plan/ring_windows.h"

#include <algorithm>
#include <numeric>

namespace armilla {

RingRange northernHalf(const RingGrid& grid) {
    return {0, (static_cast<int>(grid.rings.size()) + 1) / 2};
}

namespace {

// Adds a ring to a window, to its run of that number.
void addRing(RingWindow& window, const RingGrid& grid, int ring, size_t run) {
    const Ring& from = grid.rings[static_cast<size_t>(ring)];
    const int64_t next = window.runs[0].count + window.runs[1].count;
    window.rings.push_back(ring);
    window.grid.rings.push_back(from);
    window.grid.rings.back().first = next;
    if (window.runs[run].count == 0) window.runs[run].first = from.first;
    window.runs[run].count += from.count;
}

}  // namespace

// The images are other rings unless one is its own.
RingWindow ringWindow(const RingGrid& grid, RingRange range) {
    const auto [begin, end] = range;
    const int rings = static_cast<int>(grid.rings.size());
    RingWindow window;
    const int firstImage = std::max(end, rings - end);
    for (int ring = begin; ring < end; ++ring) addRing(window, grid, ring, 0);
    for (int ring = firstImage; ring < rings - begin; ++ring)
        addRing(window, grid, ring, firstImage == end ? 0 : 1);
    return window;
}

std::vector<std::pair<int, int>> mirroredPairs(const RingGrid& grid) {
    std::vector<std::pair<int, int>> pairs;
    int north = 0, south = static_cast<int>(grid.rings.size()) - 1;
    while (north <= south) {
        const Ring& n = grid.rings[static_cast<size_t>(north)];
        const Ring& s = grid.rings[static_cast<size_t>(south)];
        const bool alike = north < south && n.z == -s.z && n.count == s.count && n.phi0 == s.phi0;
        pairs.emplace_back(north, alike ? south : -1);
        ++north;
        if (alike) --south;
    }
    return pairs;
}

RingWindow ringWindow(const RingGrid& grid, std::span<const std::pair<int, int>> pairs,
                      RingRange range) {
    RingWindow window;
    for (int i = range.begin; i < range.end; ++i)
        addRing(window, grid, pairs[static_cast<size_t>(i)].first, 0);
    for (int i = range.end - 1; i >= range.begin; --i)
        if (const int south = pairs[static_cast<size_t>(i)].second; south >= 0)
            addRing(window, grid, south, 1);
    return window;
}

int64_t samplesOf(const RingGrid& grid, RingRange range) {
    const auto [first, second] = ringWindow(grid, range).runs;
    return first.count + second.count;
}

std::vector<RingRange> dividedRings(RingRange range, std::span<const double> shares,
                                    const std::function<double(int ring)>& cost) {
    double all = 0.0;
    for (int ring = range.begin; ring < range.end; ++ring) all += cost(ring);
    all /= std::accumulate(shares.begin(), shares.end(), 0.0);
    std::vector<RingRange> ranges;
    double passed = 0.0, goal = 0.0;
    for (int begin = range.begin, ring = begin; ring < range.end; ++ring) {
        passed += cost(ring);
        const bool last = ranges.size() + 1 == shares.size();
        if (ring + 1 < range.end && (last || passed < goal + all * shares[ranges.size()])) continue;
        goal += all * shares[ranges.size()];
        ranges.push_back({begin, ring + 1});
        begin = ring + 1;
    }
    return ranges;
}

std::vector<RingWindow> ringWindows(const RingGrid& grid, RingRange range, int count) {
    const std::vector<double> shares(static_cast<size_t>(count), 1.0);
    std::vector<RingWindow> windows;
    for (const RingRange part : dividedRings(range, shares, [&](int ring) {
             return static_cast<double>(samplesOf(grid, {ring, ring + 1}));
         }))
        windows.push_back(ringWindow(grid, part));
    return windows;
}

}  // namespace armilla

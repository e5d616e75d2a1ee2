// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/plan/ring_windows.h"

#include <algorithm>
#include <numeric>

namespace armilla {

RingRange northernHalf(const RingGrid& grid) {
    return {0, (static_cast<int>(grid.rings.size()) + 1) / 2};
}

namespace {

// Adds a ring to a window.
void addRing(RingWindow& window, const RingGrid& grid, int ring) {
    const Ring& from = grid.rings[static_cast<size_t>(ring)];
    const int64_t next = window.grid.sampleCount();
    window.rings.push_back(ring);
    window.grid.rings.push_back(from);
    window.grid.rings.back().first = next;
    std::vector<SampleRun>& runs = window.runs;
    if (runs.empty() || runs.back().first + runs.back().count != from.first)
        runs.push_back({from.first, 0});
    runs.back().count += from.count;
}

}  // namespace

RingRuns::RingRuns(std::span<const RingRange> ranges) {
    for (RingRange range : ranges) {
        if (range.begin >= range.end) continue;
        while (!runs_.empty() && range.begin <= runs_.back().end) {
            range = {std::min(range.begin, runs_.back().begin),
                     std::max(range.end, runs_.back().end)};
            runs_.pop_back();
        }
        runs_.push_back({range.begin, range.end, count()});
    }
}

RingRuns RingRuns::part(RingRange places) const {
    std::vector<RingRange> ranges;
    for (const auto& [first, last, place] : runs_)
        ranges.push_back({first + std::clamp(places.begin - place, 0, last - first),
                          first + std::clamp(places.end - place, 0, last - first)});
    return RingRuns(ranges);
}

// The image is another ring unless a ring is its own image.
RingWindow ringWindow(const RingGrid& grid, RingRange range) {
    const auto [begin, end] = range;
    const int rings = static_cast<int>(grid.rings.size());
    RingWindow window;
    for (int ring = begin; ring < end; ++ring) addRing(window, grid, ring);
    for (int ring = std::max(end, rings - end); ring < rings - begin; ++ring)
        addRing(window, grid, ring);
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
                      const RingRuns& numbers) {
    RingWindow window;
    const auto pairAt = [&](int place) { return pairs[static_cast<size_t>(numbers.at(place))]; };
    for (int i = 0; i < numbers.count(); ++i) addRing(window, grid, pairAt(i).first);
    for (int i = numbers.count(); i-- > 0;)
        if (const int south = pairAt(i).second; south >= 0) addRing(window, grid, south);
    return window;
}

int64_t samplesOf(const RingGrid& grid, RingRange range) {
    int64_t sum = 0;
    for (const SampleRun& run : ringWindow(grid, range).runs) sum += run.count;
    return sum;
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
        // A ring at the boundary of two ranges belongs to the range with the larger part of it.
        const auto goesOn = [&] {
            return last || passed + 0.5 * cost(ring + 1) < goal + all * shares[ranges.size()];
        };
        if (ring + 1 < range.end && goesOn()) continue;
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

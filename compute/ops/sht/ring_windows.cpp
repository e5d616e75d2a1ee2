// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/ring_windows.h"

#include <algorithm>

namespace armilla {

namespace {

// Rings begin .. end - 1 of the northern half and their images, which are others unless a ring is
// its own.
RingWindow windowOf(const RingGrid& grid, int begin, int end) {
    const int rings = static_cast<int>(grid.rings.size());
    RingWindow window;
    int64_t next = 0;
    const auto add = [&](int ring, size_t run) {
        const Ring& from = grid.rings[static_cast<size_t>(ring)];
        window.rings.push_back(ring);
        window.grid.rings.push_back(from);
        window.grid.rings.back().first = next;
        next += from.count;
        if (window.runs[run].count == 0) window.runs[run].first = from.first;
        window.runs[run].count += from.count;
    };
    const int firstImage = std::max(end, rings - end);
    for (int ring = begin; ring < end; ++ring) add(ring, 0);
    for (int ring = firstImage; ring < rings - begin; ++ring) add(ring, firstImage == end ? 0 : 1);
    return window;
}

}  // namespace

std::vector<RingWindow> ringWindows(const RingGrid& grid, int count) {
    const int rings = static_cast<int>(grid.rings.size()), half = (rings + 1) / 2;
    const double samples = static_cast<double>(grid.sampleCount());
    std::vector<RingWindow> windows;
    int64_t passed = 0;
    for (int begin = 0, ring = 0; ring < half; ++ring) {
        passed += grid.rings[static_cast<size_t>(ring)].count;
        if (rings - 1 - ring > ring)
            passed += grid.rings[static_cast<size_t>(rings - 1 - ring)].count;
        const auto goal = samples * static_cast<double>(windows.size() + 1) / count;
        if (ring + 1 < half && static_cast<double>(passed) < goal) continue;
        windows.push_back(windowOf(grid, begin, ring + 1));
        begin = ring + 1;
    }
    return windows;
}

}  // namespace armilla

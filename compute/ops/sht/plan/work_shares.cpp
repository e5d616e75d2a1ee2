// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/plan/work_shares.h"

#include <algorithm>
#include <numeric>

namespace armilla {

std::vector<double> orderCosts(std::span<const int> modes, int lmax, int mmax) {
    std::vector<int> seen(modes.begin(), modes.end());
    std::sort(seen.begin(), seen.end());
    std::vector<double> costs;
    for (int m = 0; m <= mmax; ++m) {
        const auto latitudes = seen.end() - std::upper_bound(seen.begin(), seen.end(), m);
        // A degree takes about as long as 32 latitudes to prepare.
        costs.push_back((static_cast<double>(latitudes) + 32.0) * (lmax - m + 1));
    }
    return costs;
}

double pairCost(int rings, int64_t samples, int modes) {
    return rings * (static_cast<double>(samples) + modes);
}

WorkShares::WorkShares(const SharedWork& work, std::span<const double> speeds)
    : ownerOfBlock(work.blocks.size()), ownerOfPair(work.pairs.size()) {
    std::vector<size_t> costliest(work.blocks.size());
    std::iota(costliest.begin(), costliest.end(), size_t{0});
    std::stable_sort(costliest.begin(), costliest.end(),
                     [&](size_t a, size_t b) { return work.blocks[a] > work.blocks[b]; });
    std::vector<double> load(speeds.size(), 0.0);
    for (const size_t block : costliest) {
        size_t owner = 0;
        const auto end = [&](size_t i) { return load[i] + work.blocks[block] / speeds[i]; };
        for (size_t i = 1; i < load.size(); ++i)
            if (end(i) < end(owner)) owner = i;
        load[owner] = end(owner);
        ownerOfBlock[block] = static_cast<int>(owner);
    }
    const int all = static_cast<int>(work.pairs.size());
    std::vector<RingRange> dealt = dividedRings(
        {0, all}, speeds, [&](int pair) { return work.pairs[static_cast<size_t>(pair)]; });
    dealt.resize(speeds.size(), {all, all});
    takePairs(dealt);
}

void WorkShares::takePairs(const std::vector<RingRange>& others) {
    pairs = others;
    for (size_t i = 0; i < pairs.size(); ++i)
        std::fill(ownerOfPair.begin() + pairs[i].begin, ownerOfPair.begin() + pairs[i].end,
                  static_cast<int>(i));
}

}  // namespace armilla

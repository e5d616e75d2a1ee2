// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of pixels of the belt, whose rings share weights, and of runs of pixels anywhere.
#include "convolve/direct_sums.h"

namespace armilla {

// Rings firstRing .. lastRing, whose sources have as many pixels as they, from `firstColumn` on.
template <typename Sample>
void DirectSums::Sums<Sample>::beltTile(int64_t firstRing, int64_t lastRing, int64_t firstColumn,
                                        int64_t columns, Workspace& work) const {
    const int64_t first = low(firstRing), last = high(lastRing);
    // Taps are at most this far from their column.
    int64_t most = 0;
    for (int64_t r = firstRing; r <= lastRing; ++r)
        for (int64_t k = low(r), top = high(r); k <= top; ++k) {
            const RingPair pair = ringPair(ring(r), ring(k), plan.view_.end);
            if (pair.reach < 0.0) continue;
            const TapRun run = tapRun(ring(r), 0, ring(k), pair);
            most = std::max({most, -run.first, run.first + run.count});
        }
    const size_t padded = roundedUp(static_cast<size_t>(columns), kBeltColumns);
    const size_t stride = padded + 2 * static_cast<size_t>(most) + kBeltColumns;
    const size_t layerStride = stride * static_cast<size_t>(last - first + 1);
    double* const source = work.source.of(layers * layerStride);
    for (int64_t k = first; k <= last; ++k)
        fill(k, firstColumn - most, static_cast<int64_t>(stride), 1,
             source + static_cast<size_t>(k - first) * stride, 1, layerStride);
    double* const sums = work.sums.of(2 * layers * padded);
    for (int64_t r = firstRing; r <= lastRing; r += 2) {
        const bool both = r < lastRing;
        // The taps of the two rings in a source ring together; those of one only weigh nothing in
        // the other.
        work.rows.clear();
        work.belt.clear();
        size_t weightsAt = 0;
        for (int64_t k = low(r), top = high(both ? r + 1 : r); k <= top; ++k) {
            int64_t begin = std::numeric_limits<int64_t>::max(), end = 0;
            bool any = false;
            RingPair pairs[2];
            for (int i = 0; i < (both ? 2 : 1); ++i) {
                pairs[i] = ringPair(ring(r + i), ring(k), plan.view_.end);
                if (pairs[i].reach < 0.0) continue;
                const TapRun run = tapRun(ring(r + i), 0, ring(k), pairs[i]);
                if (run.count == 0) continue;
                begin = any ? std::min(begin, run.first) : run.first;
                end = any ? std::max(end, run.first + run.count) : run.first + run.count;
                any = true;
            }
            if (!any) continue;
            const double q = static_cast<double>(ring(k).quarter);
            for (int i = 0; i < 2; ++i) {
                const double place = ring(both ? r + i : r).shift;
                const RingPair& pair = pairs[both ? i : 0];
                work.rows.push_back(
                    {kHalfPi * (place - (static_cast<double>(begin) + ring(k).shift)) / q,
                     -kHalfPi / q, pair.y0, pair.across, static_cast<int>(end - begin), weightsAt});
                weightsAt += roundedUp(static_cast<size_t>(end - begin), kWeightSlack);
            }
            work.belt.push_back({source + static_cast<size_t>(k - first) * stride +
                                     static_cast<size_t>(begin + most),
                                 nullptr, static_cast<int>(end - begin)});
        }
        double* const weights = work.weights.of(weightsAt + 2 * kWeightSlack);
        tapWeights(plan.view_, work.rows.data(), work.rows.size(), weights);
        double* paired = work.paired.of(weightsAt + 2 * kWeightSlack);
        for (size_t b = 0; b < work.belt.size(); ++b) {
            BeltRow& row = work.belt[b];
            row.weights = paired;
            for (int i = 0; i < row.count; ++i) {
                *paired++ = weights[work.rows[2 * b].at + static_cast<size_t>(i)];
                *paired++ = weights[work.rows[2 * b + 1].at + static_cast<size_t>(i)];
            }
        }
        for (size_t layer = 0; layer < layers; ++layer) {
            if (layer > 0)
                for (BeltRow& row : work.belt) row.source += layerStride;
            sumBelt(work.belt.data(), work.belt.size(), padded, sums + 2 * layer * padded,
                    sums + (2 * layer + 1) * padded);
        }
        for (int i = 0; i < (both ? 2 : 1); ++i)
            finish(r + i, firstColumn, columns, sums + static_cast<size_t>(i) * padded, 2 * padded);
    }
}

// Pixel j of the ring of a run, whose sources are work.runSources: taps and weights.
template <typename Sample>
void DirectSums::Sums<Sample>::weighPixel(const HealpixRing& target, int64_t j, int64_t firstSource,
                                          const double* source, Workspace& work) const {
    work.rows.clear();
    work.pixel.clear();
    size_t weightsAt = 0;
    for (size_t i = 0; i < work.runSources.size(); ++i) {
        const RunSource& s = work.runSources[i];
        if (s.pair.reach < 0.0) continue;
        const HealpixRing& from = ring(firstSource + static_cast<int64_t>(i));
        const TapRun taps = tapRun(target, j, from, s.pair);
        if (taps.count == 0) continue;
        work.rows.push_back(
            {taps.delta, taps.step, s.pair.y0, s.pair.across, taps.count, weightsAt});
        work.pixel.push_back(
            {source + s.at + static_cast<size_t>(taps.first - s.begin), nullptr, taps.count});
        weightsAt += roundedUp(static_cast<size_t>(taps.count), kWeightSlack);
    }
    double* const weights = work.weights.of(weightsAt + 2 * kWeightSlack);
    tapWeights(plan.view_, work.rows.data(), work.rows.size(), weights);
    for (size_t i = 0; i < work.rows.size(); ++i) work.pixel[i].weights = weights + work.rows[i].at;
}

// The pixels of a run, one by one; in the belt with the same weights.
template <typename Sample>
void DirectSums::Sums<Sample>::runTile(const PixelRun& run, Workspace& work) const {
    const HealpixRing& target = ring(run.ring);
    const int64_t first = std::max(low(run.ring), range.first);
    const int64_t last = std::min(high(run.ring), range.last);
    work.runSources.clear();
    size_t layerStride = 0;
    for (int64_t k = first; k <= last; ++k) {
        RunSource s;
        s.pair = ringPair(target, ring(k), plan.view_.end);
        if (s.pair.reach >= 0.0) {
            const TapRun one = tapRun(target, run.first, ring(k), s.pair);
            const TapRun other = tapRun(target, run.first + run.count - 1, ring(k), s.pair);
            s.begin = one.first;
            // Those of the last pixel; in the belt the first one's, that far on.
            s.count = std::max(
                {int64_t{0}, other.first + other.count - one.first, run.count - 1 + one.count});
            s.at = layerStride;
            layerStride += static_cast<size_t>(s.count);
        }
        work.runSources.push_back(s);
    }
    double* const source = work.source.of(layers * layerStride + 1);
    for (int64_t k = first; k <= last; ++k) {
        const RunSource& s = work.runSources[static_cast<size_t>(k - first)];
        if (s.count > 0) fill(k, s.begin, s.count, 1, source + s.at, 1, layerStride);
    }
    const bool shared = plan.belt_.first <= run.ring && run.ring <= plan.belt_.last;
    double* const sums = work.sums.of(layers);
    const auto move = [&](ptrdiff_t by) {
        for (PixelRow& row : work.pixel) row.source += by;
    };
    for (int64_t j = run.first; j < run.first + run.count; ++j) {
        if (!shared || j == run.first)
            weighPixel(target, j, first, source, work);
        else
            move(1);
        for (size_t layer = 0; layer < layers; ++layer) {
            if (layer > 0) move(static_cast<ptrdiff_t>(layerStride));
            sums[layer] = sumPixel(work.pixel.data(), work.pixel.size());
        }
        move(-static_cast<ptrdiff_t>((layers - 1) * layerStride));
        finish(run.ring, j, 1, sums, 1);
    }
}

template void DirectSums::Sums<float>::beltTile(int64_t, int64_t, int64_t, int64_t,
                                                Workspace&) const;
template void DirectSums::Sums<double>::beltTile(int64_t, int64_t, int64_t, int64_t,
                                                 Workspace&) const;
template void DirectSums::Sums<float>::runTile(const PixelRun&, Workspace&) const;
template void DirectSums::Sums<double>::runTile(const PixelRun&, Workspace&) const;

}  // namespace armilla

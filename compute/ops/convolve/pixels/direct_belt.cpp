// SPDX-License-Identifier: GPL-3.0-or-later
// Sums for pixels of the belt, whose rings have common weights, and for runs of pixels anywhere.
#include "convolve/pixels/direct_sums.h"

namespace armilla {

// Plans the source rings of targets r, r + 2, r + 4 up to `last`. Their weights are not computed
// yet: work.rows describes them, kBeltRings rows for each of work.belt. Rings from `first` on are
// `stride` apart in `source`, whose pixel 0 is a tile's first column.
template <typename Sample>
size_t DirectSums::Sums<Sample>::planBelt(int64_t r, int64_t last, int64_t first,
                                          const double* source, size_t stride,
                                          Workspace& work) const {
    constexpr auto kRings = static_cast<int64_t>(kBeltRings);
    const double unit = kHalfPi / static_cast<double>(plan.nside_);
    const double shift = ring(r).shift;
    const int64_t lowest = low(r);
    const int64_t highest = high(std::min(r + 2 * (kRings - 1), last - (last - r) % 2));
    size_t weightsAt = 0;
    for (int64_t k = lowest; k <= highest; ++k) {
        const HealpixRing& from = ring(k);
        const double apart = from.shift == shift ? 0.0 : 0.5;
        RingPair pairs[kBeltRings];
        int count = 0;
        for (int64_t t = 0; t < kRings && r + 2 * t <= last; ++t) {
            RingPair& pair = pairs[t];
            pair = ringPair(ring(r + 2 * t), from, plan.view_.end);
            // Slightly wider than the reach, because the profile itself ends the weights.
            if (pair.reach >= 0.0)
                count = std::max(
                    count, static_cast<int>(std::floor(pair.reach / unit - apart + 1e-6)) + 1);
        }
        if (count == 0) continue;
        for (const RingPair& pair : pairs) {
            // For a ring out of reach of one target, y is set beyond the profile's end.
            const bool any = pair.reach >= 0.0;
            work.rows.push_back({apart * unit, unit, any ? pair.y0 : 2.0 * plan.view_.end + 1.0,
                                 pair.across, count, weightsAt});
            weightsAt += roundedUp(static_cast<size_t>(count), kWeightSlack);
        }
        const double* const pixel = source + static_cast<size_t>(k - first) * stride;
        work.belt.push_back({apart > 0.0 && from.shift > 0.0 ? pixel - 1 : pixel,
                             apart > 0.0 && from.shift == 0.0 ? pixel + 1 : pixel, nullptr, count});
    }
    return weightsAt;
}

// Rings firstRing .. lastRing, whose sources have equally many pixels, from `firstColumn` on.
template <typename Sample>
void DirectSums::Sums<Sample>::beltTile(int64_t firstRing, int64_t lastRing, int64_t firstColumn,
                                        int64_t columns, Workspace& work) const {
    // Columns processed at once, so that their sources stay in the cache.
    constexpr int64_t kAtOnce = 8 * static_cast<int64_t>(kBeltColumns);
    const int64_t first = low(firstRing), last = high(lastRing);
    // Taps are at most this far from their column.
    double reach = 0.0;
    for (int64_t r = firstRing; r <= lastRing; ++r)
        for (int64_t k = low(r), top = high(r); k <= top; ++k)
            reach = std::max(reach, ringPair(ring(r), ring(k), plan.view_.end).reach);
    const auto most = static_cast<int64_t>(reach / kHalfPi * static_cast<double>(plan.nside_)) + 2;
    const auto stride = static_cast<size_t>(kAtOnce + 2 * most);
    const size_t layerStride = stride * static_cast<size_t>(last - first + 1);
    double* const source = work.source.of(layers * layerStride);

    // All weights of the tile: group by group, for rings of either shift.
    struct Group {
        int64_t ring;
        size_t begin, end;  // range of work.belt
    };
    std::vector<Group> groups;
    std::vector<size_t> weightsOfGroup;
    work.belt.clear();
    work.paired.clear();
    for (int64_t r = firstRing; r <= lastRing;
         r += r % 2 == firstRing % 2 ? 1 : 2 * static_cast<int64_t>(kBeltRings) - 1) {
        const size_t begin = work.belt.size();
        work.rows.clear();
        const size_t count = planBelt(r, lastRing, first, source + most, stride, work);
        double* const weights = work.weights.of(count + 2 * kWeightSlack);
        tapWeights(plan.view_, work.rows.data(), work.rows.size(), weights);
        const WeightRow* row = work.rows.data();
        for (size_t b = begin; b < work.belt.size(); ++b, row += kBeltRings)
            for (int i = 0; i < work.belt[b].count; ++i) {
                // The middle tap is its own partner.
                const double share = i == 0 && row->delta == 0.0 ? 0.5 : 1.0;
                for (size_t t = 0; t < kBeltRings; ++t)
                    work.paired.push_back(share * weights[row[t].at + static_cast<size_t>(i)]);
            }
        groups.push_back({r, begin, work.belt.size()});
    }
    const double* weights = work.paired.data();
    for (BeltRow& row : work.belt) {
        row.weights = weights;
        weights += static_cast<size_t>(row.count) * kBeltRings;
    }

    double* const sums = work.sums.of(layers * kBeltRings * kAtOnce);
    for (int64_t done = 0; done < columns; done += kAtOnce) {
        const int64_t count = std::min(kAtOnce, columns - done);
        const size_t padded = roundedUp(static_cast<size_t>(count), kBeltColumns);
        for (int64_t k = first; k <= last; ++k)
            fill(k, firstColumn + done - most, static_cast<int64_t>(padded) + 2 * most, 1,
                 source + static_cast<size_t>(k - first) * stride, 1, layerStride);
        for (const Group& group : groups) {
            for (size_t layer = 0; layer < layers; ++layer)
                sumBelt(work.belt.data() + group.begin, group.end - group.begin,
                        static_cast<ptrdiff_t>(layer * layerStride), padded,
                        sums + layer * kBeltRings * kAtOnce, kAtOnce);
            for (size_t t = 0; t < kBeltRings; ++t) {
                const int64_t r = group.ring + 2 * static_cast<int64_t>(t);
                if (r <= lastRing)
                    finish(r, firstColumn + done, count, sums + t * kAtOnce, kBeltRings * kAtOnce);
            }
        }
    }
}

// Taps and weights of pixel j of a run's ring, with the sources in work.runSources.
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

// Computes the pixels of a run, one by one; in the belt with the same weights.
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
            // The last pixel's taps; in the belt the first pixel's taps, shifted by the length of
            // the run.
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

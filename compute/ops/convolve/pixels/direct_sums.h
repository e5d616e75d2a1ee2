// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of the sums over caps, belt and runs of pixels (direct_cpu.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "armilla/core/error.h"
#include "convolve/pixels/direct_cpu.h"
#include "convolve/pixels/direct_kernels.h"
#include "convolve/pixels/growing_buffer.h"

namespace armilla {

// 0 for bad values, in sums of weights and of values.
template <typename Sample>
double goodShare(Sample value) {
    return std::abs(value) <= std::numeric_limits<Sample>::max() ? 1.0 : 0.0;
}

inline int64_t wrapped(int64_t index, int64_t count) {
    if (index < -count || index >= 2 * count) index %= count;
    return index < 0 ? index + count : index >= count ? index - count : index;
}

// Copies `count` values of a ring from `first` on, around its end, times `factor`, to every
// `stride`-th number. Backward if `step` is -1.
template <typename Sample, typename Read>
void unroll(const Sample* ring, int64_t length, int64_t first, int64_t count, int step,
            double factor, double* to, size_t stride, const Read& read) {
    int64_t at = wrapped(first, length);
    while (count > 0) {
        const int64_t run = std::min(count, step > 0 ? length - at : at + 1);
        const Sample* from = ring + at;
        for (int64_t i = 0; i < run; ++i, from += step, to += stride) *to = factor * read(*from);
        count -= run;
        at = step > 0 ? 0 : length - 1;
    }
}

// The result of tapRun() (ring_pairs.h) for pixels of one ring, without its divisions. A billionth
// of a pixel wider, for rounding: pixels on the border are tested one by one.
class Taps {
public:
    Taps() = default;
    Taps(const HealpixRing& target, const HealpixRing& source, const RingPair& pair)
        : any_(pair.reach >= 0.0), whole_(pair.reach >= kPi) {
        const double q = static_cast<double>(target.quarter),
                     p = static_cast<double>(source.quarter);
        ratio_ = p / q;
        shift_ = source.shift;
        half_ = pair.reach / kHalfPi * p + 1e-9;
        unit_ = kHalfPi / (p * q);
        p_ = p;
        q_ = q;
        step_ = -kHalfPi / p;
        all_ = 4 * source.quarter;
    }
    bool any() const { return any_; }
    // The taps of the pixel at `place` = j + shift of the target.
    TapRun at(double place) const {
        TapRun run;
        run.step = step_;
        if (whole_) {
            run.first = -all_ / 2;
            run.count = static_cast<int>(all_);
        } else {
            const double center = place * ratio_ - shift_;
            run.first = -floorOf(half_ - center);
            const int64_t count = floorOf(center + half_) - run.first + 1;
            run.count = static_cast<int>(std::clamp<int64_t>(count, 0, all_));
        }
        run.delta = unit_ * (place * p_ - (static_cast<double>(run.first) + shift_) * q_);
        return run;
    }

private:
    static int64_t floorOf(double x) {
        const auto i = static_cast<int64_t>(x);
        return static_cast<double>(i) > x ? i - 1 : i;
    }
    bool any_ = false, whole_ = false;
    double ratio_ = 0.0, shift_ = 0.0, half_ = 0.0, unit_ = 0.0, p_ = 0.0, q_ = 0.0, step_ = 0.0;
    int64_t all_ = 0;
};

// The stretch of a source ring that a run of pixels reads.
struct RunSource {
    RingPair pair;
    int64_t begin = 0, count = 0;
    size_t at = 0;
};

struct DirectSums::Workspace {
    GrowingBuffer source, weights, sums, values, coefficients, places;
    std::vector<double> paired;
    std::vector<WeightRow> rows;
    std::vector<SeriesRow> series;
    std::vector<SeriesPair> seriesPairs;
    std::vector<ImageRow> images;
    std::vector<BeltRow> belt;
    std::vector<PixelRow> pixel;
    std::vector<RingPair> pairs;
    std::vector<Taps> taps;
    std::vector<RunSource> runSources;
};

// Common data of the three kinds of sums: sources, weights, and results.
template <typename Sample>
struct DirectSums::Sums {
    const DirectSums& plan;
    std::span<const DirectPlane<Sample>> planes;
    RingSpan range;
    int64_t offset;
    std::vector<int> layerOfMask;  // for each plane the layer of its mask; -1: not summed
    size_t layers = 0;             // planes and masks

    Sums(const DirectSums& p, std::span<const DirectPlane<Sample>> of, RingSpan r)
        : plan(p), planes(of), range(r), offset(p.rings_.ring[static_cast<size_t>(r.first)].first) {
        layers = planes.size();
        for (const auto& plane : planes)
            layerOfMask.push_back(plane.normalize ? static_cast<int>(layers++) : -1);
    }
    const HealpixRing& ring(int64_t r) const { return plan.rings_.ring[static_cast<size_t>(r)]; }
    double factor(int64_t r) const { return plan.factor_[static_cast<size_t>(r)]; }
    RingSpan around(int64_t r) const {
        return ringsAround(plan.rings_.theta.data(), plan.rings_.count, r, plan.radius_);
    }
    int64_t low(int64_t r) const { return around(r).first; }
    int64_t high(int64_t r) const { return around(r).last; }

    // Copies `count` samples of each layer from `first` on around ring r; layers are `stride`
    // apart.
    void fill(int64_t r, int64_t first, int64_t count, int step, double* to, size_t each,
              size_t layerStride) const {
        const HealpixRing& from = ring(r);
        const int64_t length = 4 * from.quarter;
        for (size_t p = 0; p < planes.size(); ++p) {
            const Sample* const values = planes[p].values + (from.first - offset);
            unroll(values, length, first, count, step, factor(r), to + p * layerStride, each,
                   [mean = planes[p].mean](Sample value) {
                       return std::abs(value) <= std::numeric_limits<Sample>::max()
                                  ? static_cast<double>(value) - mean
                                  : 0.0;
                   });
            if (layerOfMask[p] >= 0)
                unroll(values, length, first, count, step, factor(r),
                       to + static_cast<size_t>(layerOfMask[p]) * layerStride, each,
                       goodShare<Sample>);
        }
    }
    // The value of a pixel of plane p from its sums, one for each layer, `stride` apart.
    Sample finished(size_t p, Sample input, const double* sums, size_t stride) const {
        constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
        double value = sums[p * stride];
        if (!(std::abs(input) <= std::numeric_limits<Sample>::max())) {
            value = kNan;
        } else if (layerOfMask[p] >= 0) {
            const double share =
                sums[static_cast<size_t>(layerOfMask[p]) * stride] / plan.integral_;
            value = share >= kLeastKernelShare ? value / share : kNan;
        }
        value += planes[p].mean * plan.integral_;
        return static_cast<Sample>(value);
    }
    // Writes `count` pixels of ring r from `index` on.
    void finish(int64_t r, int64_t index, int64_t count, const double* sums, size_t stride) const {
        const auto at = static_cast<size_t>(ring(r).first + index - offset);
        for (size_t p = 0; p < planes.size(); ++p) {
            const Sample* const from = planes[p].values + at;
            Sample* const to = planes[p].result + at;
            for (int64_t i = 0; i < count; ++i) to[i] = finished(p, from[i], sums + i, stride);
        }
    }

    // The stretch of a source ring that a tile of the caps reads.
    struct CapSource {
        int64_t begin = 0, end = 0;
        size_t at = 0;
    };
    // A ring of targets, with the rings within its radius from firstSource on: `pairs` of
    // work.pairs from firstPair on, and as many sources.
    struct CapRing {
        int64_t r, firstSource;
        size_t pairs, firstPair;
        const CapSource* sources;
    };
    bool planSeries(const CapRing& targets, const double* source, Workspace& work) const;
    void capTargetBySeries(int64_t r, int64_t j, size_t layerStride, Workspace& work,
                           double* sums) const;
    void capTargetByTaps(const CapRing& targets, int64_t j, const double* source,
                         size_t layerStride, Workspace& work, double* sums) const;
    void finishImages(int64_t r, int64_t begin, int64_t end, const double* sums) const;
    std::vector<CapSource> findCapSources(int64_t firstRing, int64_t lastRing, int64_t part,
                                          int64_t parts, Workspace& work) const;
    void copyCapSources(const std::vector<CapSource>& sources, int64_t first, double* to,
                        size_t layerStride) const;
    void capTile(int64_t firstRing, int64_t lastRing, int64_t part, int64_t parts,
                 Workspace& work) const;
    size_t planBelt(int64_t r, int64_t last, int64_t first, const double* source, size_t stride,
                    Workspace& work) const;
    void beltTile(int64_t firstRing, int64_t lastRing, int64_t firstColumn, int64_t columns,
                  Workspace& work) const;
    void weighPixel(const HealpixRing& target, int64_t j, int64_t firstSource, const double* source,
                    Workspace& work) const;
    void runTile(const PixelRun& run, Workspace& work) const;
};

}  // namespace armilla

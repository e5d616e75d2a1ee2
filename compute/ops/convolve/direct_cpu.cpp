// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/direct_cpu.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "convolve/direct_kernels.h"
#include "core/error.h"
#include "sht/storage/aligned_array.h"

namespace armilla {

namespace {

// Products in a piece of work: some milliseconds.
constexpr double kProductsOfTile = 6e7;

// Bad values count as zero, in sums of values and in sums of weights.
template <typename Sample>
double goodValue(Sample value) {
    return std::abs(value) <= std::numeric_limits<Sample>::max() ? static_cast<double>(value) : 0.0;
}
template <typename Sample>
double goodShare(Sample value) {
    return std::abs(value) <= std::numeric_limits<Sample>::max() ? 1.0 : 0.0;
}

int64_t wrapped(int64_t index, int64_t count) {
    if (index < -count || index >= 2 * count) index %= count;
    return index < 0 ? index + count : index >= count ? index - count : index;
}

// `count` values of a ring from `first` on around it, times `factor`, to every `stride`-th number.
// Backward if `step` is -1.
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

// What tapRun() (ring_pairs.h) finds for pixels of one ring, without its divisions. A billionth of
// a pixel wider, for their rounding: pixels on the border are tested one by one.
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
    // Of the pixel at `place` = j + shift of the target.
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

// Room that grows and is kept.
class Room {
public:
    double* of(size_t count) {
        if (data_.size() < count) data_ = AlignedArray<double>(count + count / 4);
        return data_.data();
    }

private:
    AlignedArray<double> data_;
};

size_t roundedUp(size_t count, size_t to) {
    return (count + to - 1) / to * to;
}

// Numbers in each of the arrays of placeSeries().
size_t placesOf(size_t rows) {
    return roundedUp(rows + kWeightSlack, kWeightSlack);
}

// Beyond it sums of a target are those of single taps: sineSquareNear() ends.
constexpr double kSeriesReach = 0.99;

}  // namespace

struct DirectSums::Workspace {
    Room source, weights, paired, sums, values, coefficients, places;
    std::vector<WeightRow> rows;
    std::vector<SeriesRow> series;
    std::vector<SeriesPair> seriesPairs;
    std::vector<ImageRow> images;
    std::vector<BeltRow> belt;
    std::vector<PixelRow> pixel;
    std::vector<RingPair> pairs;
    std::vector<Taps> taps;
};

DirectSums::DirectSums(int64_t nside, const ProfileTable& profile,
                       std::span<const double> ringWeights, double integral)
    : nside_(nside),
      rings_(nside),
      view_(profile.view()),
      radius_(profile.radius()),
      integral_(integral),
      factor_(rings_.ring.size(), 4.0 * kPi / static_cast<double>(12 * nside * nside)),
      belt_(beltTargets(rings_, radius_, view_.end)),
      series_(SeriesBasis::serving(
          view_, widestSpacing(rings_, std::min(belt_.first - 1, 2 * nside), radius_))) {
    for (int64_t r = 1; r <= rings_.count && !ringWeights.empty(); ++r)
        factor_[static_cast<size_t>(r)] *=
            ringWeights[static_cast<size_t>(std::min(r, 4 * nside - r)) - 1];
    const double share = std::min(1.0, 0.5 * view_.end);  // of the sphere
    tapsPerPixel_ = std::max(1.0, share * static_cast<double>(12 * nside * nside));
}

// What the three ways share: sources, weights, and results.
template <typename Sample>
struct DirectSums::Sums {
    const DirectSums& plan;
    std::span<const DirectPlane<Sample>> planes;
    RingRange range;
    int64_t offset;
    std::vector<int> layerOfMask;  // of each plane: where its mask is summed, -1: nowhere
    size_t layers = 0;             // planes, and masks

    Sums(const DirectSums& p, std::span<const DirectPlane<Sample>> of, RingRange r)
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

    // `count` samples of each layer from `first` on around ring r; layers `stride` apart.
    void fill(int64_t r, int64_t first, int64_t count, int step, double* to, size_t each,
              size_t layerStride) const {
        const HealpixRing& from = ring(r);
        const int64_t length = 4 * from.quarter;
        for (size_t p = 0; p < planes.size(); ++p) {
            const Sample* const values = planes[p].values + (from.first - offset);
            unroll(values, length, first, count, step, factor(r), to + p * layerStride, each,
                   goodValue<Sample>);
            if (layerOfMask[p] >= 0)
                unroll(values, length, first, count, step, factor(r),
                       to + static_cast<size_t>(layerOfMask[p]) * layerStride, each,
                       goodShare<Sample>);
        }
    }
    // The value of a pixel of plane p from its sums, one a layer, `stride` apart.
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
    bool planSeries(int64_t r, size_t firstPair, const CapSource* sources, const double* source,
                    Workspace& work) const;
    void capTargetBySeries(int64_t r, int64_t j, size_t layerStride, Workspace& work,
                           double* sums) const;
    void finishImages(int64_t r, int64_t begin, int64_t end, const double* sums) const;
    void capTile(int64_t firstRing, int64_t lastRing, int64_t part, int64_t parts,
                 Workspace& work) const;
    void beltTile(int64_t firstRing, int64_t lastRing, int64_t firstColumn, int64_t columns,
                  Workspace& work) const;
    void runTile(const PixelRun& run, Workspace& work) const;
};

// Writes the images of pixels `begin` .. `end` - 1 of ring r: sums of one pixel `stride` apart from
// those of the next. Image by image, which reads and writes memory in runs.
template <typename Sample>
void DirectSums::Sums<Sample>::finishImages(int64_t r, int64_t begin, int64_t end,
                                            const double* sums) const {
    const HealpixRing& target = ring(r);
    const int64_t length = 4 * target.quarter;
    const auto twice = static_cast<int64_t>(2.0 * target.shift);
    for (int image = 0; image < static_cast<int>(kImages); ++image) {
        const int64_t turned = (image & 3) * target.quarter;
        const bool mirrored = (image & 4) != 0, south = (image & 8) != 0;
        const int64_t first = ring(south ? 4 * plan.nside_ - r : r).first - offset;
        for (size_t p = 0; p < planes.size(); ++p) {
            const double* of = sums + image;
            for (int64_t j = begin; j < end; ++j, of += layers * kImages) {
                const auto at = static_cast<size_t>(
                    first + wrapped(mirrored ? turned - j - twice : turned + j, length));
                planes[p].result[at] = finished(p, planes[p].values[at], of, kImages);
            }
        }
    }
}

// The series of a target ring and its sources, if they serve: work.series, one for each source ring
// within reach. `sources` are those from the ring's first one on.
template <typename Sample>
bool DirectSums::Sums<Sample>::planSeries(int64_t r, size_t firstPair, const CapSource* sources,
                                          const double* source, Workspace& work) const {
    const auto terms = static_cast<size_t>(plan.series_.terms());
    if (terms == 0) return false;
    const RingSpan near = around(r);
    work.seriesPairs.clear();
    work.series.clear();
    size_t most = 0, coefficientsAt = 0;
    for (int64_t k = near.first; k <= near.last; ++k) {
        const auto i = static_cast<size_t>(k - near.first);
        const RingPair& pair = work.pairs[firstPair + i];
        if (pair.reach > kSeriesReach) return false;
        if (pair.reach < 0.0 || sources[i].begin == sources[i].end) continue;
        const SeriesPair& made = work.seriesPairs.emplace_back(ring(r), ring(k), pair);
        const size_t padded = roundedUp(static_cast<size_t>(made.taps()), kSeriesLanes);
        most = std::max(most, padded);
        work.series.push_back({source,
                               static_cast<ptrdiff_t>(sources[i].at) -
                                   sources[i].begin * static_cast<ptrdiff_t>(kImages),
                               coefficientsAt, padded / kSeriesLanes});
        coefficientsAt += 2 * terms * padded;
    }
    const size_t rows = work.series.size(), room = most + kWeightSlack;
    double* const values = work.values.of(2 * terms * room + kWeightSlack);
    double* const coefficients = work.coefficients.of(coefficientsAt + 1);
    const SeriesFit fit{plan.series_.terms(), plan.series_.fractions().data(),
                        plan.series_.chebyshev().data(), plan.series_.powers().data()};
    const ProfileView profile = endless(plan.view_);
    // For placeSeries(): p, shift times q, half, and what it finds.
    const size_t each = placesOf(rows);
    double* const places = work.places.of(7 * each);
    std::fill(places, places + 7 * each, 0.0);
    // Sources that fill up vectors are never unsure: their reach is no whole number of pixels.
    std::fill(places + 2 * each, places + 3 * each, 0.25);
    for (size_t i = 0; i < rows; ++i) {
        const SeriesPair& pair = work.seriesPairs[i];
        work.rows.clear();
        for (size_t f = 0; f < 2 * terms; ++f)
            work.rows.push_back({(f % 2 == 0 ? -1.0 : 1.0) * fit.fractions[f / 2] * pair.unit,
                                 pair.unit, pair.y0, pair.across, pair.taps(), f * room});
        tapWeights(profile, work.rows.data(), work.rows.size(), values);
        fitSeries(fit, values, room, work.series[i].vectors,
                  coefficients + work.series[i].coefficientsAt);
        places[i] = pair.p;
        places[each + i] = pair.shift * pair.q;
        places[2 * each + i] = pair.half;
    }
    work.weights.of(2 * most + kWeightSlack);
    return true;
}

// One target of the caps and its images, after planSeries().
template <typename Sample>
void DirectSums::Sums<Sample>::capTargetBySeries(int64_t r, int64_t j, size_t layerStride,
                                                 Workspace& work, double* sums) const {
    const size_t rows = work.series.size(), each = placesOf(rows);
    double* const p = work.places.of(7 * each);
    const HealpixRing& target = ring(r);
    const double place = static_cast<double>(j) + target.shift;
    const SeriesPlaces at{p + 3 * each, p + 4 * each, p + 5 * each, p + 6 * each};
    const SeriesSources sources{p, p + each, p + 2 * each, static_cast<double>(target.quarter),
                                rows};
    if (placeSeries(sources, place, at))
        for (size_t i = 0; i < rows; ++i) {
            const SeriesPlace exact = seriesPlace(work.seriesPairs[i], place, plan.view_.end);
            at.nearest[i] = static_cast<double>(exact.nearest);
            at.fraction[i] = exact.fraction;
            at.below[i] = exact.below;
            at.above[i] = exact.above;
        }
    for (size_t layer = 0; layer < layers; ++layer)
        sumSeries({work.series.data(), rows, plan.series_.terms(), work.coefficients.of(0),
                   static_cast<ptrdiff_t>(layer * layerStride)},
                  at, work.weights.of(0), sums + layer * kImages);
}

// Rings firstRing .. lastRing of the north and their mirrors, of the angles 0 .. pi / 4 the
// part-th of equal parts, and all images of these pixels.
template <typename Sample>
void DirectSums::Sums<Sample>::capTile(int64_t firstRing, int64_t lastRing, int64_t part,
                                       int64_t parts, Workspace& work) const {
    struct Targets {
        int64_t begin, end;
    };
    const auto targets = [&](const HealpixRing& r) {
        // Those up to longitude pi / 4: j + shift <= q / 2.
        const int64_t count = (r.quarter - static_cast<int64_t>(2.0 * r.shift)) / 2 + 1;
        return Targets{count * part / parts, count * (part + 1) / parts};
    };
    const int64_t first = low(firstRing), last = high(lastRing);
    std::vector<CapSource> sources(
        static_cast<size_t>(last - first + 1),
        {std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min(), 0});
    work.pairs.clear();
    work.taps.clear();
    for (int64_t r = firstRing; r <= lastRing; ++r) {
        const Targets t = targets(ring(r));
        for (int64_t k = low(r), top = high(r); k <= top; ++k) {
            const RingPair pair = ringPair(ring(r), ring(k), plan.view_.end);
            work.pairs.push_back(pair);
            const Taps& tapsHere = work.taps.emplace_back(ring(r), ring(k), pair);
            if (pair.reach < 0.0 || t.begin >= t.end) continue;
            CapSource& s = sources[static_cast<size_t>(k - first)];
            // Runs may be empty at both ends and not between them.
            const TapRun one = tapsHere.at(static_cast<double>(t.begin) + ring(r).shift);
            const TapRun other = tapsHere.at(static_cast<double>(t.end - 1) + ring(r).shift);
            s.begin = std::min(s.begin, one.first);
            s.end = std::max(s.end, other.first + other.count);
        }
    }
    size_t taps = 0;
    for (CapSource& s : sources) {
        if (s.begin > s.end) s.begin = s.end = 0;
        s.at = taps * kImages;
        taps += static_cast<size_t>(s.end - s.begin);
    }
    const size_t layerStride = taps * kImages;
    double* const source = work.source.of(layers * layerStride);
    for (int64_t k = first; k <= last; ++k) {
        const CapSource& s = sources[static_cast<size_t>(k - first)];
        const HealpixRing& from = ring(k);
        const auto twice = static_cast<int64_t>(2.0 * from.shift);
        if (s.begin == s.end) continue;
        for (int image = 0; image < static_cast<int>(kImages); ++image) {
            const int64_t turned = (image & 3) * from.quarter;
            const bool mirrored = (image & 4) != 0, south = (image & 8) != 0;
            fill(south ? 4 * plan.nside_ - k : k,
                 mirrored ? turned - s.begin - twice : turned + s.begin, s.end - s.begin,
                 mirrored ? -1 : 1, source + s.at + image, kImages, layerStride);
        }
    }
    size_t pairAt = 0;
    for (int64_t r = firstRing; r <= lastRing; ++r) {
        const HealpixRing& target = ring(r);
        const Targets t = targets(target);
        const RingSpan near = around(r);
        if (t.begin < t.end &&
            planSeries(r, pairAt, sources.data() + (near.first - first), source, work)) {
            const size_t each = layers * kImages;
            double* const sums = work.sums.of(static_cast<size_t>(t.end - t.begin) * each);
            for (int64_t j = t.begin; j < t.end; ++j)
                capTargetBySeries(r, j, layerStride, work,
                                  sums + static_cast<size_t>(j - t.begin) * each);
            finishImages(r, t.begin, t.end, sums);
            pairAt += static_cast<size_t>(near.last - near.first + 1);
            continue;
        }
        for (int64_t j = t.begin; j < t.end; ++j) {
            work.rows.clear();
            work.images.clear();
            size_t weightsAt = 0;
            for (int64_t k = near.first; k <= near.last; ++k) {
                const size_t at = pairAt + static_cast<size_t>(k - near.first);
                if (!work.taps[at].any()) continue;
                const RingPair& pair = work.pairs[at];
                const TapRun run = work.taps[at].at(static_cast<double>(j) + target.shift);
                if (run.count == 0) continue;
                const CapSource& s = sources[static_cast<size_t>(k - first)];
                work.rows.push_back(
                    {run.delta, run.step, pair.y0, pair.across, run.count, weightsAt});
                work.images.push_back(
                    {source + s.at + static_cast<size_t>(run.first - s.begin) * kImages, nullptr,
                     run.count});
                weightsAt += roundedUp(static_cast<size_t>(run.count), kWeightSlack);
            }
            double* const weights = work.weights.of(weightsAt + 2 * kWeightSlack);
            tapWeights(plan.view_, work.rows.data(), work.rows.size(), weights);
            double* const sums = work.sums.of(layers * kImages);
            for (size_t layer = 0; layer < layers; ++layer) {
                for (size_t i = 0; i < work.rows.size(); ++i) {
                    work.images[i].weights = weights + work.rows[i].at;
                    if (layer > 0) work.images[i].source += layerStride;
                }
                sumImages(work.images.data(), work.images.size(), sums + layer * kImages);
            }
            finishImages(r, j, j + 1, sums);
        }
        pairAt += static_cast<size_t>(near.last - near.first + 1);
    }
}

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

// The pixels of a run, one by one.
template <typename Sample>
void DirectSums::Sums<Sample>::runTile(const PixelRun& run, Workspace& work) const {
    const HealpixRing& target = ring(run.ring);
    const int64_t first = std::max(low(run.ring), range.first);
    const int64_t last = std::min(high(run.ring), range.last);
    struct Source {
        RingPair pair;
        int64_t begin = 0, count = 0;
        size_t at = 0;
    };
    std::vector<Source> sources;
    size_t layerStride = 0;
    for (int64_t k = first; k <= last; ++k) {
        Source s;
        s.pair = ringPair(target, ring(k), plan.view_.end);
        if (s.pair.reach >= 0.0) {
            const TapRun one = tapRun(target, run.first, ring(k), s.pair);
            const TapRun other = tapRun(target, run.first + run.count - 1, ring(k), s.pair);
            s.begin = one.first;
            s.count = std::max<int64_t>(0, other.first + other.count - one.first);
            s.at = layerStride;
            layerStride += static_cast<size_t>(s.count);
        }
        sources.push_back(s);
    }
    double* const source = work.source.of(layers * layerStride + 1);
    for (int64_t k = first; k <= last; ++k) {
        const Source& s = sources[static_cast<size_t>(k - first)];
        if (s.count > 0) fill(k, s.begin, s.count, 1, source + s.at, 1, layerStride);
    }
    double* const sums = work.sums.of(layers);
    for (int64_t j = run.first; j < run.first + run.count; ++j) {
        work.rows.clear();
        work.pixel.clear();
        size_t weightsAt = 0;
        for (int64_t k = first; k <= last; ++k) {
            const Source& s = sources[static_cast<size_t>(k - first)];
            if (s.pair.reach < 0.0) continue;
            const TapRun taps = tapRun(target, j, ring(k), s.pair);
            if (taps.count == 0) continue;
            work.rows.push_back(
                {taps.delta, taps.step, s.pair.y0, s.pair.across, taps.count, weightsAt});
            work.pixel.push_back(
                {source + s.at + static_cast<size_t>(taps.first - s.begin), nullptr, taps.count});
            weightsAt += roundedUp(static_cast<size_t>(taps.count), kWeightSlack);
        }
        double* const weights = work.weights.of(weightsAt + 2 * kWeightSlack);
        tapWeights(plan.view_, work.rows.data(), work.rows.size(), weights);
        for (size_t layer = 0; layer < layers; ++layer) {
            for (size_t i = 0; i < work.rows.size(); ++i) {
                work.pixel[i].weights = weights + work.rows[i].at;
                if (layer > 0) work.pixel[i].source += layerStride;
            }
            sums[layer] = sumPixel(work.pixel.data(), work.pixel.size());
        }
        finish(run.ring, j, 1, sums, 1);
    }
}

template <typename Sample>
void DirectSums::execute(std::span<const DirectPlane<Sample>> planes, JobContext& job) const {
    const Sums<Sample> sums(*this, planes, {1, 4 * nside_ - 1});
    struct Tile {
        int64_t firstRing, lastRing, first, count;  // parts, or columns
        bool cap;
    };
    std::vector<Tile> tiles;
    const double pixels = kProductsOfTile / (tapsPerPixel_ * static_cast<double>(sums.layers));
    // Caps: some rings, and of their eighth so much that 16 images make that many pixels.
    const auto capRings = static_cast<int64_t>(std::clamp(pixels / (16.0 * 64.0), 1.0, 24.0));
    for (int64_t r = 1; r < belt_.first && r <= 2 * nside_; r += capRings) {
        const int64_t last = std::min({r + capRings - 1, belt_.first - 1, 2 * nside_});
        const auto each = static_cast<int64_t>(
            std::clamp(pixels / (16.0 * static_cast<double>(capRings)), 1.0, 64.0));
        const int64_t eighth = rings_.ring[static_cast<size_t>(last)].quarter / 2 + 1;
        const int64_t parts = (eighth + each - 1) / each;
        for (int64_t p = 0; p < parts; ++p) tiles.push_back({r, last, p, parts, true});
    }
    const int64_t all = 4 * nside_;
    const int64_t columns =
        std::min(all, static_cast<int64_t>(std::clamp(pixels / 2.0, 64.0, 1024.0)) / 16 * 16);
    const auto beltRings =
        static_cast<int64_t>(std::clamp(pixels / static_cast<double>(columns) / 2.0, 1.0, 16.0)) *
        2;
    for (int64_t r = belt_.first; r <= belt_.last; r += beltRings)
        for (int64_t c = 0; c < all; c += columns)
            tiles.push_back(
                {r, std::min(r + beltRings - 1, belt_.last), c, std::min(columns, all - c), false});
    parallelFor(
        job, static_cast<long long>(tiles.size()), 1,
        [&](long long begin, long long end) {
            thread_local Workspace work;
            for (long long i = begin; i < end; ++i) {
                const Tile& tile = tiles[static_cast<size_t>(i)];
                if (tile.cap)
                    sums.capTile(tile.firstRing, tile.lastRing, tile.first, tile.count, work);
                else
                    sums.beltTile(tile.firstRing, tile.lastRing, tile.first, tile.count, work);
            }
        },
        "convolution");
}

template <typename Sample>
void DirectSums::execute(std::span<const DirectPlane<Sample>> planes, RingRange range,
                         std::span<const PixelRun> runs, JobContext& job) const {
    const Sums<Sample> sums(*this, planes, range);
    const auto each = static_cast<int64_t>(std::clamp(
        0.2 * kProductsOfTile / (tapsPerPixel_ * static_cast<double>(sums.layers)), 1.0, 256.0));
    std::vector<PixelRun> tiles;
    for (const PixelRun& run : runs)
        for (int64_t done = 0; done < run.count; done += each)
            tiles.push_back({run.ring, run.first + done, std::min(each, run.count - done)});
    parallelFor(
        job, static_cast<long long>(tiles.size()), 1,
        [&](long long begin, long long end) {
            thread_local Workspace work;
            for (long long i = begin; i < end; ++i)
                sums.runTile(tiles[static_cast<size_t>(i)], work);
        },
        "convolution");
}

template void DirectSums::execute(std::span<const DirectPlane<float>>, JobContext&) const;
template void DirectSums::execute(std::span<const DirectPlane<double>>, JobContext&) const;
template void DirectSums::execute(std::span<const DirectPlane<float>>, RingRange,
                                  std::span<const PixelRun>, JobContext&) const;
template void DirectSums::execute(std::span<const DirectPlane<double>>, RingRange,
                                  std::span<const PixelRun>, JobContext&) const;

}  // namespace armilla

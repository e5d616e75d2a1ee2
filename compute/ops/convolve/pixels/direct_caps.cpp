// SPDX-License-Identifier: GPL-3.0-or-later
// Sums for pixels of the caps, with their images.
#include "convolve/pixels/direct_sums.h"

namespace armilla {

namespace {

// Numbers in each of the arrays of placeSeries().
size_t placesOf(size_t rows) {
    return roundedUp(rows + kWeightSlack, kWeightSlack);
}

// Beyond this reach sums of a target use single taps, because sineSquareNear() ends there.
constexpr double kSeriesReach = 0.99;

// The pixels of a ring in part number `part` of equal parts of the angles 0 .. pi / 4.
struct CapTargets {
    int64_t begin, end;
    CapTargets(const HealpixRing& ring, int64_t part, int64_t parts) {
        // Up to longitude pi / 4: j + shift <= q / 2.
        const int64_t count = (ring.quarter - static_cast<int64_t>(2.0 * ring.shift)) / 2 + 1;
        begin = count * part / parts;
        end = count * (part + 1) / parts;
    }
};

}  // namespace

// Writes the images of pixels `begin` .. `end` - 1 of ring r; sums of successive pixels are
// `stride` apart. Image by image, so that memory is accessed in runs.
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

// Makes the series of a target ring and its sources in work.series, one for each source ring within
// reach. Returns false if series cannot be used.
template <typename Sample>
bool DirectSums::Sums<Sample>::planSeries(const CapRing& targets, const double* source,
                                          Workspace& work) const {
    const auto terms = static_cast<size_t>(plan.series_.terms());
    if (terms == 0) return false;
    work.seriesPairs.clear();
    work.series.clear();
    size_t most = 0, coefficientsAt = 0;
    for (size_t i = 0; i < targets.pairs; ++i) {
        const RingPair& pair = work.pairs[targets.firstPair + i];
        const CapSource& s = targets.sources[i];
        if (pair.reach > kSeriesReach) return false;
        if (pair.reach < 0.0 || s.begin == s.end) continue;
        const SeriesPair& made = work.seriesPairs.emplace_back(
            ring(targets.r), ring(targets.firstSource + static_cast<int64_t>(i)), pair);
        const size_t padded = roundedUp(static_cast<size_t>(made.taps()), kSeriesLanes);
        most = std::max(most, padded);
        work.series.push_back(
            {source, static_cast<ptrdiff_t>(s.at) - s.begin * static_cast<ptrdiff_t>(kImages),
             coefficientsAt, padded / kSeriesLanes});
        coefficientsAt += 2 * terms * padded;
    }
    const size_t rows = work.series.size(), workspace = most + kWeightSlack;
    double* const values = work.values.of(2 * terms * workspace + kWeightSlack);
    double* const coefficients = work.coefficients.of(coefficientsAt + 1);
    const SeriesFit fit{plan.series_.terms(), plan.series_.fractions().data(),
                        plan.series_.chebyshev().data(), plan.series_.powers().data()};
    const ProfileView profile = endless(plan.view_);
    // Arrays of placeSeries(): p, shift times q, half, and its four results.
    const size_t each = placesOf(rows);
    double* const places = work.places.of(7 * each);
    std::fill(places, places + 7 * each, 0.0);
    // Sources that pad vectors are never unsure: their reach is not an integer number of pixels.
    std::fill(places + 2 * each, places + 3 * each, 0.25);
    for (size_t i = 0; i < rows; ++i) {
        const SeriesPair& pair = work.seriesPairs[i];
        work.rows.clear();
        for (size_t f = 0; f < 2 * terms; ++f)
            work.rows.push_back({(f % 2 == 0 ? -1.0 : 1.0) * fit.fractions[f / 2] * pair.unit,
                                 pair.unit, pair.y0, pair.across, pair.taps(), f * workspace});
        tapWeights(profile, work.rows.data(), work.rows.size(), values);
        fitSeries(fit, values, workspace, work.series[i].vectors,
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

// One target of the caps and its images, by the weights of single taps.
template <typename Sample>
void DirectSums::Sums<Sample>::capTargetByTaps(const CapRing& targets, int64_t j,
                                               const double* source, size_t layerStride,
                                               Workspace& work, double* sums) const {
    work.rows.clear();
    work.images.clear();
    size_t weightsAt = 0;
    const double place = static_cast<double>(j) + ring(targets.r).shift;
    for (size_t i = 0; i < targets.pairs; ++i) {
        const Taps& taps = work.taps[targets.firstPair + i];
        if (!taps.any()) continue;
        const RingPair& pair = work.pairs[targets.firstPair + i];
        const CapSource& s = targets.sources[i];
        const TapRun run = taps.at(place);
        if (run.count == 0) continue;
        work.rows.push_back({run.delta, run.step, pair.y0, pair.across, run.count, weightsAt});
        work.images.push_back({source + s.at + static_cast<size_t>(run.first - s.begin) * kImages,
                               nullptr, run.count});
        weightsAt += roundedUp(static_cast<size_t>(run.count), kWeightSlack);
    }
    double* const weights = work.weights.of(weightsAt + 2 * kWeightSlack);
    tapWeights(plan.view_, work.rows.data(), work.rows.size(), weights);
    for (size_t layer = 0; layer < layers; ++layer) {
        for (size_t i = 0; i < work.rows.size(); ++i) {
            work.images[i].weights = weights + work.rows[i].at;
            if (layer > 0) work.images[i].source += layerStride;
        }
        sumImages(work.images.data(), work.images.size(), sums + layer * kImages);
    }
}

// Makes the pairs of target and source rings of a tile in work.pairs and work.taps. Returns the
// stretch of each source ring from low(firstRing) on that the tile reads.
template <typename Sample>
std::vector<typename DirectSums::Sums<Sample>::CapSource> DirectSums::Sums<Sample>::findCapSources(
    int64_t firstRing, int64_t lastRing, int64_t part, int64_t parts, Workspace& work) const {
    const int64_t first = low(firstRing), last = high(lastRing);
    std::vector<CapSource> sources(
        static_cast<size_t>(last - first + 1),
        {std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min(), 0});
    work.pairs.clear();
    work.taps.clear();
    for (int64_t r = firstRing; r <= lastRing; ++r) {
        const CapTargets t(ring(r), part, parts);
        for (int64_t k = low(r), top = high(r); k <= top; ++k) {
            const RingPair pair = ringPair(ring(r), ring(k), plan.view_.end);
            work.pairs.push_back(pair);
            const Taps& tapsHere = work.taps.emplace_back(ring(r), ring(k), pair);
            if (pair.reach < 0.0 || t.begin >= t.end) continue;
            CapSource& s = sources[static_cast<size_t>(k - first)];
            // Runs may be empty at both ends but not between them.
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
    return sources;
}

// Copies the samples of these stretches, from ring `first` on, and of their images side by side.
template <typename Sample>
void DirectSums::Sums<Sample>::copyCapSources(const std::vector<CapSource>& sources, int64_t first,
                                              double* to, size_t layerStride) const {
    for (size_t i = 0; i < sources.size(); ++i) {
        const CapSource& s = sources[i];
        if (s.begin == s.end) continue;
        const int64_t k = first + static_cast<int64_t>(i);
        const HealpixRing& from = ring(k);
        const auto twice = static_cast<int64_t>(2.0 * from.shift);
        for (int image = 0; image < static_cast<int>(kImages); ++image) {
            const int64_t turned = (image & 3) * from.quarter;
            const bool mirrored = (image & 4) != 0, south = (image & 8) != 0;
            fill(south ? 4 * plan.nside_ - k : k,
                 mirrored ? turned - s.begin - twice : turned + s.begin, s.end - s.begin,
                 mirrored ? -1 : 1, to + s.at + image, kImages, layerStride);
        }
    }
}

// A tile: rings firstRing .. lastRing of the north and their mirrors, part number `part` of equal
// parts of the angles 0 .. pi / 4, and all images of these pixels.
template <typename Sample>
void DirectSums::Sums<Sample>::capTile(int64_t firstRing, int64_t lastRing, int64_t part,
                                       int64_t parts, Workspace& work) const {
    const std::vector<CapSource> sources = findCapSources(firstRing, lastRing, part, parts, work);
    const int64_t first = low(firstRing);
    const CapSource& end = sources.back();
    const size_t layerStride = end.at + static_cast<size_t>(end.end - end.begin) * kImages;
    double* const source = work.source.of(layers * layerStride);
    copyCapSources(sources, first, source, layerStride);
    const size_t each = layers * kImages;
    size_t pairAt = 0;
    for (int64_t r = firstRing; r <= lastRing; ++r) {
        const CapTargets t(ring(r), part, parts);
        const RingSpan near = around(r);
        const CapRing targets{r, near.first, static_cast<size_t>(near.last - near.first + 1),
                              pairAt, sources.data() + (near.first - first)};
        if (t.begin < t.end && planSeries(targets, source, work)) {
            double* const sums = work.sums.of(static_cast<size_t>(t.end - t.begin) * each);
            for (int64_t j = t.begin; j < t.end; ++j)
                capTargetBySeries(r, j, layerStride, work,
                                  sums + static_cast<size_t>(j - t.begin) * each);
            finishImages(r, t.begin, t.end, sums);
        } else {
            double* const sums = work.sums.of(each);
            for (int64_t j = t.begin; j < t.end; ++j) {
                capTargetByTaps(targets, j, source, layerStride, work, sums);
                finishImages(r, j, j + 1, sums);
            }
        }
        pairAt += targets.pairs;
    }
}

template void DirectSums::Sums<float>::capTile(int64_t, int64_t, int64_t, int64_t,
                                               Workspace&) const;
template void DirectSums::Sums<double>::capTile(int64_t, int64_t, int64_t, int64_t,
                                                Workspace&) const;

}  // namespace armilla

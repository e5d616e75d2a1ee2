// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/rows/row_sums.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/ops/batched_fft.h"
#include "convolve/rows/row_kernels.h"

namespace armilla {

namespace {

int64_t wrapped(int64_t index, int64_t length) {
    const int64_t rest = index % length;
    return rest < 0 ? rest + length : rest;
}

// The value of a sample from its sum plus `level`. If normalized, the sum is divided by the sum
// over good samples.
template <typename Sample>
Sample finished(Sample input, double sum, double level, const double* share, double integral) {
    if (!isGood(input)) return std::numeric_limits<Sample>::quiet_NaN();
    sum += level;
    if (share == nullptr) return static_cast<Sample>(sum);
    const double part = *share / integral;
    return part >= kLeastKernelShare ? static_cast<Sample>(sum / part)
                                     : std::numeric_limits<Sample>::quiet_NaN();
}

}  // namespace

std::vector<TapRing> tapRings(const RingGrid& grid) {
    std::vector<TapRing> rings;
    rings.reserve(grid.rings.size());
    for (const Ring& ring : grid.rings)
        rings.push_back({ring.z, ring.sinTheta, std::atan2(ring.sinTheta, ring.z), ring.phi0,
                         ring.weight, ring.count, ring.first});
    return rings;
}

namespace {

// `of(value, weight)` for each sample of the rings.
template <typename Sample, typename Of>
std::vector<double> ofSamples(const DirectPlane<Sample>& plane, std::span<const TapRing> rings,
                              const Of& of, JobContext& job) {
    const int64_t offset = rings.front().first;
    std::vector<double> made =
        newVector<double>(rings.back().first + rings.back().count - offset, job);
    parallelFor(job, static_cast<long long>(rings.size()), 4, [&](long long begin, long long end) {
        for (auto r = static_cast<size_t>(begin); r < static_cast<size_t>(end); ++r)
            for (int64_t i = rings[r].first - offset; i < rings[r].first + rings[r].count - offset;
                 ++i)
                made[static_cast<size_t>(i)] = of(plane.values[i], rings[r].weight);
    });
    return made;
}

}  // namespace

template <typename Sample>
std::vector<double> weightedSamples(const DirectPlane<Sample>& plane,
                                    std::span<const TapRing> rings, JobContext& job) {
    return ofSamples(
        plane, rings,
        [mean = plane.mean](Sample value, double weight) {
            return isGood(value) ? weight * (static_cast<double>(value) - mean) : 0.0;
        },
        job);
}

template <typename Sample>
std::vector<double> weightedShares(const DirectPlane<Sample>& plane, std::span<const TapRing> rings,
                                   JobContext& job) {
    return ofSamples(
        plane, rings, [](Sample value, double weight) { return isGood(value) ? weight : 0.0; },
        job);
}

template <typename Sample>
void finishPlane(const DirectPlane<Sample>& plane, std::span<const double> sums,
                 const double* shares, double integral, JobContext& job) {
    parallelFor(
        job, static_cast<long long>(sums.size()), kPixelGrain, [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i)
                plane.result[i] =
                    finished(plane.values[i], sums[static_cast<size_t>(i)], plane.mean * integral,
                             shares == nullptr ? nullptr : shares + i, integral);
        });
}

template std::vector<double> weightedSamples(const DirectPlane<float>&, std::span<const TapRing>,
                                             JobContext&);
template std::vector<double> weightedSamples(const DirectPlane<double>&, std::span<const TapRing>,
                                             JobContext&);
template std::vector<double> weightedShares(const DirectPlane<float>&, std::span<const TapRing>,
                                            JobContext&);
template std::vector<double> weightedShares(const DirectPlane<double>&, std::span<const TapRing>,
                                            JobContext&);
template void finishPlane(const DirectPlane<float>&, std::span<const double>, const double*, double,
                          JobContext&);
template void finishPlane(const DirectPlane<double>&, std::span<const double>, const double*,
                          double, JobContext&);

struct RowSums::Workspace {
    std::vector<double> weights, sources, sums;
};

template <typename Sample>
struct RowSums::Sums {
    const RowSums& plan;
    std::span<const DirectPlane<Sample>> planes;
    int64_t first, last, offset;   // rings of the planes, and the index of their first sample
    std::vector<int> layerOfMask;  // for each plane the layer of its mask; -1: not summed
    size_t layers;

    Sums(const RowSums& p, std::span<const DirectPlane<Sample>> of, int64_t begin, int64_t end)
        : plan(p), planes(of), first(begin), last(end), offset(ring(begin).first) {
        layers = planes.size();
        for (const auto& plane : planes)
            layerOfMask.push_back(plane.normalize ? static_cast<int>(layers++) : -1);
    }
    const TapRing& ring(int64_t r) const { return plan.rings_[static_cast<size_t>(r)]; }

    // Copies the weighted samples of a ring, and its first `more` samples again.
    void fill(const TapRing& source, size_t more, std::vector<double>& to) const {
        const auto count = static_cast<size_t>(source.count), stride = count + more;
        to.resize(layers * stride);
        for (size_t p = 0; p < planes.size(); ++p) {
            const Sample* const from = planes[p].values + (source.first - offset);
            double* const values = to.data() + p * stride;
            for (size_t i = 0; i < count; ++i)
                values[i] = isGood(from[i])
                                ? source.weight * (static_cast<double>(from[i]) - planes[p].mean)
                                : 0.0;
            std::copy_n(values, more, values + count);
            if (layerOfMask[p] < 0) continue;
            double* const shares = to.data() + static_cast<size_t>(layerOfMask[p]) * stride;
            for (size_t i = 0; i < count; ++i) shares[i] = isGood(from[i]) ? source.weight : 0.0;
            std::copy_n(shares, more, shares + count);
        }
    }

    // The range of a ring's samples that contains all good samples.
    std::pair<int64_t, int64_t> goodSpan(const TapRing& target) const {
        int64_t begin = target.count, end = 0;
        for (const auto& plane : planes) {
            const Sample* const values = plane.values + (target.first - offset);
            for (int64_t j = 0; j < begin; ++j)
                if (isGood(values[j])) begin = j;
            for (int64_t j = target.count; j > std::max(begin, end); --j)
                if (isGood(values[j - 1])) end = j;
        }
        return {begin, end};
    }

    // Adds ring `source` to the samples `begin` .. `end` - 1 of `target`. Targets in equal
    // positions relative to the source's samples have the same weights: g = gcd of both numbers of
    // samples.
    void addRing(const TapRing& target, const TapRing& source, int64_t begin, int64_t end,
                 Workspace& work) const {
        const TapPair pair = tapPair(target, source, plan.kernel_.taps.end);
        if (pair.reach < 0.0) return;
        const int64_t n = target.count, p = source.count;
        const int64_t alike = std::gcd(n, p), apart = n / alike, step = p / alike;
        const auto reach = static_cast<int64_t>(2.0 * pair.reach / kTwoPi * static_cast<double>(p));
        const auto most = static_cast<size_t>(std::min(p, reach + 2));
        const size_t stride = static_cast<size_t>(p) + most;
        fill(source, most, work.sources);
        work.weights.resize(most);
        for (int64_t phase = 0; phase < apart; ++phase) {
            const TapSpan span = tapSpan(target, phase, source, pair);
            size_t low = 0, high = 0;  // range of nonzero taps
            for (size_t i = 0; i < static_cast<size_t>(span.count); ++i) {
                const double value = tapValue(plan.kernel_.taps, pair,
                                              span.delta + static_cast<double>(i) * span.step);
                work.weights[i] = value;
                if (value == 0.0) continue;
                if (high == 0) low = i;
                high = i + 1;
            }
            if (high == 0) continue;
            const double* const weights = work.weights.data() + low;
            const int64_t start = span.first + static_cast<int64_t>(low);
            for (size_t layer = 0; layer < layers; ++layer) {
                const double* const from = work.sources.data() + layer * stride;
                double* const to = work.sums.data() + layer * static_cast<size_t>(n);
                if (apart == 1 && step == 1) {
                    for (int64_t j = begin; j < end;) {
                        const int64_t at = wrapped(start + j, p);
                        const int64_t count = std::min(end - j, p - at);
                        addTaps(weights, high - low, from + at, static_cast<size_t>(count), to + j);
                        j += count;
                    }
                    continue;
                }
                for (int64_t k = 0, j = phase; k < alike; ++k, j += apart)
                    if (j >= begin && j < end)
                        to[j] += sumTaps(weights, high - low, from + wrapped(start + k * step, p));
            }
        }
    }

    void makeRing(int64_t r, Workspace& work, const JobContext& job) const {
        const TapRing& target = ring(r);
        const auto [begin, end] = goodSpan(target);
        work.sums.assign(layers * static_cast<size_t>(target.count), 0.0);
        const TapRows near =
            rowsAround(plan.rings_.data(), static_cast<int64_t>(plan.rings_.size()), target.theta,
                       plan.kernel_.radius);
        if (begin < end)
            for (int64_t k = std::max(first, near.first); k <= std::min(last, near.last - 1); ++k) {
                if (job.stopRequested()) return;
                addRing(target, ring(k), begin, end, work);
            }
        for (size_t p = 0; p < planes.size(); ++p) {
            const double* const sums = work.sums.data() + p * static_cast<size_t>(target.count);
            const double* const shares =
                layerOfMask[p] < 0 ? nullptr
                                   : work.sums.data() + static_cast<size_t>(layerOfMask[p]) *
                                                            static_cast<size_t>(target.count);
            const int64_t at = target.first - offset;
            for (int64_t j = 0; j < target.count; ++j)
                planes[p].result[at + j] = finished(
                    planes[p].values[at + j], sums[j], planes[p].mean * plan.kernel_.integral,
                    shares == nullptr ? nullptr : shares + j, plan.kernel_.integral);
        }
    }
};

RowSums::RowSums(const RingGrid& grid, const RowKernel& kernel)
    : rings_(tapRings(grid)), kernel_(kernel) {}

template <typename Sample>
void RowSums::execute(std::span<const DirectPlane<Sample>> planes, int64_t first, int64_t last,
                      JobContext& job) const {
    const Sums<Sample> sums(*this, planes, first, last);
    parallelFor(
        job, last - first + 1, 1,
        [&](long long begin, long long end) {
            Workspace work;
            for (long long r = begin; r < end; ++r) sums.makeRing(first + r, work, job);
        },
        "convolution");
}
template void RowSums::execute(std::span<const DirectPlane<float>>, int64_t, int64_t,
                               JobContext&) const;
template void RowSums::execute(std::span<const DirectPlane<double>>, int64_t, int64_t,
                               JobContext&) const;

RowModeSums::RowModeSums(const RingGrid& grid, const RowKernel& kernel)
    : rings_(tapRings(grid)), kernel_(kernel) {
    for (const TapRing& ring : rings_)
        if (ring.count != rings_.front().count || ring.phi0 != rings_.front().phi0)
            throw InvalidArgument("expected rings of one length, found several");
}

namespace {

using Complex = std::complex<double>;

// Rings as Fourier modes; sums over rings are products of modes.
class ModeSums {
public:
    ModeSums(const std::vector<TapRing>& rings, const RowKernel& kernel, int64_t first,
             int64_t last, JobContext& job)
        : rings_(rings),
          kernel_(kernel),
          first_(first),
          count_(last - first + 1),
          columns_(rings.front().count),
          modes_(static_cast<size_t>(columns_ / 2 + 1)),
          one_({columns_, 1}, job),
          all_({columns_, count_}, job) {}

    std::vector<Complex> modesOf(std::span<const double> samples, JobContext& job) const {
        std::vector<Complex> modes = newVector<Complex>(count_ * static_cast<int64_t>(modes_), job);
        all_.forward(samples, modes, job);
        return modes;
    }

    // Computes the sums of ring r of the planes, for each of `layers`: conj(K_m) F_m, because
    // result_j = sum_d K_d f_{j + d}.
    void makeRing(long long r, std::span<const std::vector<Complex>> layers,
                  std::span<std::vector<double>> results, const JobContext& job) const {
        JobContext alone({}, {}, 1);
        const TapRing& target = rings_[static_cast<size_t>(first_ + r)];
        std::vector<double> samples(static_cast<size_t>(columns_));
        std::vector<Complex> kernel(modes_), sums(layers.size() * modes_);
        const TapRows near = rowsAround(rings_.data(), static_cast<int64_t>(rings_.size()),
                                        target.theta, kernel_.radius);
        for (int64_t k = std::max(first_, near.first); k < std::min(first_ + count_, near.last);
             ++k) {
            if (job.stopRequested()) return;
            const TapRing& source = rings_[static_cast<size_t>(k)];
            const TapPair pair = tapPair(target, source, kernel_.taps.end);
            if (pair.reach < 0.0) continue;
            const TapSpan span = tapSpan(target, 0, source, pair);
            std::fill(samples.begin(), samples.end(), 0.0);
            for (int64_t i = 0; i < span.count; ++i)
                samples[static_cast<size_t>(wrapped(span.first + i, columns_))] =
                    tapValue(kernel_.taps, pair, span.delta + static_cast<double>(i) * span.step);
            one_.forward(samples, kernel, alone);
            for (size_t layer = 0; layer < layers.size(); ++layer) {
                const Complex* const from =
                    layers[layer].data() + static_cast<size_t>(k - first_) * modes_;
                Complex* const to = sums.data() + layer * modes_;
                for (size_t m = 0; m < modes_; ++m)
                    to[m] += Complex(
                        kernel[m].real() * from[m].real() + kernel[m].imag() * from[m].imag(),
                        kernel[m].real() * from[m].imag() - kernel[m].imag() * from[m].real());
            }
        }
        for (size_t layer = 0; layer < layers.size(); ++layer) {
            one_.backward(std::span(sums).subspan(layer * modes_, modes_), samples, alone);
            for (int64_t j = 0; j < columns_; ++j)
                results[layer][static_cast<size_t>(r * columns_ + j)] =
                    samples[static_cast<size_t>(j)] / static_cast<double>(columns_);
        }
    }

    int64_t rows() const { return count_; }
    int64_t columns() const { return columns_; }

private:
    const std::vector<TapRing>& rings_;
    const RowKernel& kernel_;
    int64_t first_, count_, columns_;
    size_t modes_;
    BatchedFft one_, all_;
};

}  // namespace

void RowModeSums::execute(std::span<const DirectPlane<double>> planes, int64_t first, int64_t last,
                          JobContext& job) const {
    JobContext preparing = job.part(0.0, 0.1), working = job.part(0.1, 1.0);
    const ModeSums sums(rings_, kernel_, first, last, preparing);
    const int64_t size = sums.rows() * sums.columns();
    std::vector<std::vector<Complex>> layers;
    std::vector<std::vector<double>> results;
    const auto held = std::span(rings_).subspan(static_cast<size_t>(first),
                                                static_cast<size_t>(last - first + 1));
    for (const auto& plane : planes) {
        requireMemory("smoothing of rows", (plane.normalize ? 2 : 1) * 24 * size);
        layers.push_back(sums.modesOf(weightedSamples(plane, held, preparing), preparing));
        results.push_back(newVector<double>(size, preparing));
        if (!plane.normalize) continue;
        layers.push_back(sums.modesOf(weightedShares(plane, held, preparing), preparing));
        results.push_back(newVector<double>(size, preparing));
    }
    parallelFor(
        working, sums.rows(), 1,
        [&](long long begin, long long end) {
            for (long long r = begin; r < end; ++r) sums.makeRing(r, layers, results, job);
        },
        "convolution");
    size_t layer = 0;
    for (const auto& plane : planes) {
        const std::vector<double>& made = results[layer++];
        const double* const shares = plane.normalize ? results[layer++].data() : nullptr;
        finishPlane(plane, made, shares, kernel_.integral, working);
    }
}

}  // namespace armilla

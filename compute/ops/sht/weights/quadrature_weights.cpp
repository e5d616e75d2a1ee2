// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/quadrature_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/sht.h"
#include "shared/conjugate_gradients.h"
#include "shared/result_cache.h"

namespace armilla {

namespace {

// Rings are processed in groups, so that the compiler puts a group into vector registers.
constexpr size_t kLanes = 16;

// The linear map from ring values to even Legendre moments, rows scaled by sqrt(2l+1), and its
// transpose. Entries are computed on the fly by P_{l+2}(z) = (a_l z^2 + b_l) P_l - c_l P_{l-2} (two
// steps of the three-term recursion, DLMF 14.10.3).
class EvenLegendre {
public:
    EvenLegendre(int64_t nside, int lmax) : rows_(static_cast<size_t>(lmax / 2 + 1)) {
        const auto rings = static_cast<size_t>(2 * nside);
        z2_.resize((rings + kLanes - 1) / kLanes * kLanes, 0.0);
        for (size_t r = 0; r < rings; ++r) {
            double z = 0.0, s = 0.0;
            ringHeight(nside, static_cast<int64_t>(r + 1), z, s);
            z2_[r] = z * z;
        }
        step_.resize(rows_);
        scale_.resize(rows_);
        for (size_t k = 0; k < rows_; ++k) {
            const double l = 2.0 * static_cast<double>(k);
            scale_[k] = std::sqrt(2.0 * l + 1.0);
            step_[k] = {
                (2 * l + 1) * (2 * l + 3) / ((l + 1) * (l + 2)),
                -((2 * l + 3) * l * l / ((2 * l - 1) * (l + 1) * (l + 2)) + (l + 1) / (l + 2)),
                (2 * l + 3) * l * (l - 1) / ((2 * l - 1) * (l + 1) * (l + 2))};
        }
    }

    size_t rows() const { return rows_; }
    size_t paddedRings() const { return z2_.size(); }
    double scale(size_t row) const { return scale_[row]; }

    // moments[k] = s_k sum_r P_2k(z_r) values[r].
    void moments(const std::vector<double>& values, std::vector<double>& result,
                 JobContext& job) const {
        // Ranges are added in their order: the same bits for any number of threads.
        std::vector<std::vector<double>> sums(
            static_cast<size_t>((groups() + grain() - 1) / grain()));
        parallelFor(job, groups(), grain(), [&](long long begin, long long end) {
            std::vector<double>& sum = sums[static_cast<size_t>(begin / grain())];
            sum.assign(rows_, 0.0);
            for (long long g = begin; g < end; ++g) addMoments(values, g, sum);
        });
        std::fill(result.begin(), result.end(), 0.0);
        for (const std::vector<double>& sum : sums)
            for (size_t k = 0; k < rows_; ++k) result[k] += scale_[k] * sum[k];
    }

    // values[r] = sum_k s_k P_2k(z_r) moments[k].
    void transposed(const std::vector<double>& moments, std::vector<double>& result,
                    JobContext& job) const {
        std::vector<double> scaled(rows_);
        for (size_t k = 0; k < rows_; ++k) scaled[k] = scale_[k] * moments[k];
        parallelFor(job, groups(), grain(), [&](long long begin, long long end) {
            for (long long g = begin; g < end; ++g) evaluate(scaled, g, result);
        });
    }

private:
    struct Step {
        double a, b, c;
    };
    struct Lanes {
        std::array<double, kLanes> z2, before, now;
        void advance(const Step& s) {
            for (size_t i = 0; i < kLanes; ++i) {
                const double next = (s.a * z2[i] + s.b) * now[i] - s.c * before[i];
                before[i] = now[i];
                now[i] = next;
            }
        }
    };

    long long groups() const { return static_cast<long long>(z2_.size() / kLanes); }
    // Ranges of about 2 million products, a few milliseconds.
    long long grain() const {
        return std::max(1LL, static_cast<long long>(2'000'000 / (rows_ * kLanes)));
    }
    Lanes start(long long group) const {
        Lanes lanes;
        const auto first = z2_.begin() + group * static_cast<long long>(kLanes);
        std::copy(first, first + kLanes, lanes.z2.begin());
        lanes.before.fill(0.0);
        lanes.now.fill(1.0);
        return lanes;
    }
    void addMoments(const std::vector<double>& values, long long group,
                    std::vector<double>& sum) const {
        Lanes lanes = start(group);
        const double* v = values.data() + group * static_cast<long long>(kLanes);
        for (size_t k = 0; k < rows_; ++k) {
            std::array<double, 4> part{};
            for (size_t i = 0; i < kLanes; ++i) part[i % 4] += v[i] * lanes.now[i];
            sum[k] += (part[0] + part[1]) + (part[2] + part[3]);
            lanes.advance(step_[k]);
        }
    }
    void evaluate(const std::vector<double>& moments, long long group,
                  std::vector<double>& result) const {
        Lanes lanes = start(group);
        std::array<double, kLanes> sum{};
        for (size_t k = 0; k < rows_; ++k) {
            for (size_t i = 0; i < kLanes; ++i) sum[i] += moments[k] * lanes.now[i];
            lanes.advance(step_[k]);
        }
        std::copy(sum.begin(), sum.end(), result.begin() + group * static_cast<long long>(kLanes));
    }

    size_t rows_;
    std::vector<double> z2_, scale_;
    std::vector<Step> step_;
};

// Pixels of ring r = 1 .. 2 nside and of its mirror.
double pairPixels(int64_t nside, int64_t r) {
    return static_cast<double>(4 * detail::quarterLength(nside, r) * (r == 2 * nside ? 1 : 2));
}

// The smallest y with A y = b (A the even Legendre moments), y_r = n_r (w_r - 1), is A^T x with
// A A^T x = b.
std::vector<double> computeRingWeights(int64_t nside, JobContext& job) {
    const EvenLegendre legendre(nside, ringWeightLmax(nside));
    const auto rings = static_cast<size_t>(2 * nside);
    std::vector<double> pixels(legendre.paddedRings(), 0.0), y = pixels;
    for (size_t r = 0; r < rings; ++r) pixels[r] = pairPixels(nside, static_cast<int64_t>(r + 1));
    std::vector<double> b(legendre.rows());
    legendre.moments(pixels, b, job);
    for (double& value : b) value = -value;
    b[0] += static_cast<double>(12 * nside * nside);
    const auto spread = [&](const std::vector<double>& x, JobContext& own) {
        legendre.transposed(x, y, own);
        std::fill(y.begin() + static_cast<std::ptrdiff_t>(rings), y.end(), 0.0);  // the padding
    };
    const auto apply = [&](const std::vector<double>& x, std::vector<double>& image,
                           JobContext& own) {
        spread(x, own);
        legendre.moments(y, image, own);
    };
    // 50 to 200 steps; rounding in sums over 2 nside rings leaves epsilon sqrt(2 nside) of the
    // largest terms, which may be a thousand times the result.
    spread(conjugateGradients(apply, b, {"ring weights", 1e-15, 2000, 1e-10}, job).x, job);
    std::vector<double> weights(rings);
    for (size_t r = 0; r < rings; ++r) weights[r] = 1.0 + y[r] / pixels[r];
    return weights;
}

}  // namespace

int ringWeightLmax(int64_t nside) {
    // MAX-LPOL of the distributed files; other nside follow the rule below.
    constexpr std::array<std::pair<int64_t, int>, 8> kFiles{
        {{2, 2}, {4, 8}, {32, 100}, {64, 226}, {128, 454}, {512, 1700}, {1024, 3500}, {1, 2}}};
    for (const auto& [fileNside, lmax] : kFiles)
        if (fileNside == nside) return lmax;
    return static_cast<int>(3 * nside / 2 * 2);
}

std::vector<double> ringWeights(int64_t nside, JobContext& job) {
    if (nside < 1 || nside > kMaxShtNside)
        throw InvalidArgument("expected nside from 1 to " + std::to_string(kMaxShtNside) +
                              " for ring weights, found " + std::to_string(nside));
    const std::string name = "ring_weights_" + std::to_string(nside) + ".bin";
    const auto count = static_cast<size_t>(2 * nside);
    if (auto cached = readCached(name, count)) return *std::move(cached);
    std::vector<double> weights = computeRingWeights(nside, job);
    writeCached(name, weights);
    return weights;
}

}  // namespace armilla

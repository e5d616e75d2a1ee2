// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "armilla/core/healpix_map.h"
#include "armilla/core/number_text.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/quadrature_weights.h"
#include "armilla/ops/ring_grid.h"
#include "armilla/ops/sht.h"
#include "shared/conjugate_gradients.h"
#include "shared/healpix_data.h"
#include "shared/new_alm.h"
#include "shared/result_cache.h"
#include "sht/legendre/legendre.h"
#include "sht/plan/ring_transform.h"

namespace armilla {

namespace {

namespace fs = std::filesystem;
using Complex = std::complex<double>;

// The real harmonics that are invariant under the symmetries of the pixels (quarter turns,
// mirrors): even l, m a multiple of 4, and the cosine; for m > 0 sqrt(2) lambda_lm cos(m phi).
// Vectors hold their coefficients by m, then l.
//
// Their Gram matrix over the pixels, times the area of a pixel, is computed without pixels. On a
// ring of 4 q pixels cos(4 j phi) repeats from j to k q + j and k q - j, with the sign (-1)^k on
// rings that are shifted by half a pixel. Cosines below q / 2 are orthogonal.
class SymmetricGram {
public:
    SymmetricGram(int64_t nside, int lmax, const JobContext& job)
        : nside_(nside), lmax_(lmax), orders_(lmax / 4 + 1) {
        RingGrid grid = RingGrid::healpix(nside);
        grid.rings.resize(static_cast<size_t>(2 * nside));
        rings_ = RingLatitudes(grid.rings);
        useful_ = UsefulRings(rings_, lmax_, lmax_, 0);
        modes_ = newVector<double>(static_cast<int64_t>(orders_) * rings_.count, job);
        for (int j = 0; j <= orders_; ++j) starts_.push_back(start(j));
    }

    size_t size() const { return starts_.back(); }
    // The coefficients of a map from the vector x.
    Alm expanded(const std::vector<double>& x, const JobContext& job) const {
        Alm alm = newAlm(lmax_, lmax_, job);
        for (int j = 0; j < orders_; ++j)
            for (size_t i = 0; i < count(j); ++i)
                alm(4 * j + 2 * static_cast<int>(i), 4 * j) =
                    x[starts_[static_cast<size_t>(j)] + i] * (j == 0 ? 1.0 : std::sqrt(0.5));
        return alm;
    }
    void apply(const std::vector<double>& x, std::vector<double>& result, JobContext& job) {
        parallelFor(job, orders_, 1, [&](long long j, long long) { synthesize(int(j), x); });
        constexpr int kTile = 8;  // rings in one cache line
        parallelFor(job, rings_.count / kTile, 4, [&](long long begin, long long end) {
            std::vector<double> one(static_cast<size_t>(orders_)), sums;
            for (int ring = static_cast<int>(begin) * kTile; ring < end * kTile; ++ring)
                couple(ring, one, sums);
        });
        parallelFor(job, orders_, 1, [&](long long j, long long) { accumulate(int(j), result); });
    }

private:
    // Number of coefficients of the orders before the j-th.
    size_t start(int j) const {
        const auto n = static_cast<size_t>(j);
        return n * (static_cast<size_t>(lmax_) / 2 + 2 - n);
    }
    size_t count(int j) const {
        return starts_[static_cast<size_t>(j) + 1] - starts_[static_cast<size_t>(j)];
    }
    double* modesOf(int j) { return modes_.data() + static_cast<ptrdiff_t>(j) * rings_.count; }

    // F_m of the rings; north and south are equal.
    void synthesize(int j, const std::vector<double>& x) {
        const int m = 4 * j, first = useful_.first(m);
        std::fill(modesOf(j), modesOf(j) + std::min(first, rings_.count), 0.0);
        if (first >= rings_.count) return;
        std::vector<Complex> alm(static_cast<size_t>(lmax_ - m + 1));
        for (size_t i = 0; i < count(j); ++i) alm[2 * i] = x[starts_[static_cast<size_t>(j)] + i];
        ScalarSeries series(lmax_);
        series.prepare(m);
        series.setCoefficients(alm);
        AlignedArray<double> planes(static_cast<size_t>(kPlanes) *
                                    static_cast<size_t>(rings_.count));
        series.synthesize(rings_, first, rings_.count - first, planes.data() + first, rings_.count);
        std::copy(planes.data() + first, planes.data() + rings_.count, modesOf(j) + first);
    }
    void accumulate(int j, std::vector<double>& result) {
        const int m = 4 * j, first = useful_.first(m);
        std::vector<Complex> alm(static_cast<size_t>(lmax_ - m + 1));
        if (first < rings_.count) {
            // Only the northern planes are filled: the resulting odd l are not used.
            AlignedArray<double> planes(static_cast<size_t>(kPlanes) *
                                        static_cast<size_t>(rings_.count));
            std::copy(modesOf(j), modesOf(j) + rings_.count, planes.data());
            ScalarSeries series(lmax_);
            series.prepare(m);
            series.accumulate(rings_, first, rings_.count - first, planes.data() + first,
                              rings_.count);
            series.addCoefficients(alm);
        }
        for (size_t i = 0; i < count(j); ++i)
            result[starts_[static_cast<size_t>(j)] + i] = alm[2 * i].real();
    }
    // The sums over the pixels of a ring and its mirror of the products of each F_m cos(m phi) with
    // all F_m cos(m phi).
    void couple(int index, std::vector<double>& one, std::vector<double>& sums) {
        const int64_t ring = index + 1;
        if (ring > 2 * nside_) {  // padding
            for (int j = 0; j < orders_; ++j) modesOf(j)[index] = 0.0;
            return;
        }
        const int64_t q = detail::quarterLength(nside_, ring);
        const bool isShifted = detail::ringShift(nside_, ring) == 1;
        sums.assign(static_cast<size_t>(q / 2 + 1), 0.0);
        const auto forOrders = [&](const auto& body) {
            int64_t place = 0;  // j - k q
            bool odd = false;   // k
            for (int j = 0; j < orders_; ++j) {
                const bool isMirrored = 2 * place > q;
                const double sign = isShifted && odd != isMirrored ? -1.0 : 1.0;
                body(static_cast<size_t>(j), static_cast<size_t>(isMirrored ? q - place : place),
                     j == 0 ? sign : std::sqrt(2.0) * sign);
                if (++place == q) {
                    place = 0;
                    odd = !odd;
                }
            }
        };
        for (int j = 0; j < orders_; ++j) one[static_cast<size_t>(j)] = modesOf(j)[index];
        forOrders([&](size_t j, size_t at, double factor) { sums[at] += factor * one[j]; });
        const double area = 4.0 * kPi / static_cast<double>(pixelCount(nside_));
        const double pixels = static_cast<double>(4 * q * (ring == 2 * nside_ ? 1 : 2)) * area;
        for (size_t at = 0; at < sums.size(); ++at) {
            const bool alternates = 2 * static_cast<int64_t>(at) == q;  // cos = +-1, or 0
            sums[at] *= at == 0 ? pixels : alternates ? (isShifted ? 0.0 : pixels) : 0.5 * pixels;
        }
        forOrders([&](size_t j, size_t at, double factor) { one[j] = factor * sums[at]; });
        for (int j = 0; j < orders_; ++j) modesOf(j)[index] = one[static_cast<size_t>(j)];
    }

    int64_t nside_;
    int lmax_, orders_;
    RingLatitudes rings_;
    UsefulRings useful_;
    std::vector<size_t> starts_;
    std::vector<double> modes_;  // F_m by m, then ring
};

size_t pixelWeightCount(int64_t nside) {
    return static_cast<size_t>(((3 * nside + 1) * (nside + 1)) / 4);
}

// The values of a map with the symmetries of the pixels in the compressed order of HEALPix: the
// first half quarter of each northern ring and of the equator.
std::vector<double> compressed(int64_t nside, const std::vector<double>& map) {
    std::vector<double> result;
    result.reserve(pixelWeightCount(nside));
    for (int64_t ring = 1; ring <= 2 * nside; ++ring) {
        const int64_t q = detail::quarterLength(nside, ring);
        const bool hasMiddle = q % 2 == 0 && detail::ringShift(nside, ring) == 0;
        const auto first = map.begin() + detail::firstPixelOfRing(nside, ring);
        result.insert(result.end(), first, first + (q + 1) / 2 + (hasMiddle ? 1 : 0));
    }
    ARMILLA_ASSERT(result.size() == pixelWeightCount(nside));
    return result;
}

// w - 1 = Y x with Y^T w = sqrt(Npix) at l = 0 and 0 at all other l (in units where Y^T Y is nearly
// 1): the smallest solution.
std::vector<double> computePixelWeights(int64_t nside, JobContext& job) {
    const int lmax = pixelWeightLmax(nside);
    // Checked before the steps begin, because the last step creates a map.
    requireMemory("pixel weights of nside " + std::to_string(nside),
                  8 * pixelCount(nside) + almBytes(lmax, lmax));
    const auto pixels = static_cast<double>(pixelCount(nside));
    JobContext solving = job.part(0.0, 0.98), spreading = job.part(0.98, 1.0);
    SymmetricGram gram(nside, lmax, job);
    std::vector<double> ones(gram.size(), 0.0), b(gram.size());
    ones[0] = std::sqrt(pixels);
    gram.apply(ones, b, solving);
    for (size_t i = 0; i < b.size(); ++i) b[i] = ones[i] - b[i];
    const double first = std::sqrt(std::inner_product(b.begin(), b.end(), b.begin(), 0.0));
    // The monopole over the right-hand side, which is smaller.
    const double unit = std::sqrt(pixels) / first, goal = pixelWeightResidual(nside) * unit;
    constexpr double kMost = 2e-13;  // in units of the monopole; rounding leaves 4e-14, measured
    // Without rounding the number of unknowns is enough.
    const int maxSteps = static_cast<int>(2 * gram.size() + 100);
    const Solution solution = conjugateGradients(
        [&](const std::vector<double>& in, std::vector<double>& out, JobContext& own) {
            gram.apply(in, out, own);
        },
        b, {"pixel weights of nside " + std::to_string(nside), goal, maxSteps, kMost * unit},
        solving);
    std::vector<double> map = newVector<double>(pixelCount(nside), spreading);
    RingTransform(RingGrid::healpix(nside), lmax, lmax, spreading)
        .synthesis(gram.expanded(solution.x, spreading), map, spreading);
    std::vector<double> weights = compressed(nside, map);
    for (double& weight : weights) weight *= std::sqrt(4.0 * kPi / pixels);
    return weights;
}

fs::path installedFile(int64_t nside) {
    char name[64];
    std::snprintf(name, sizeof name, "healpix_full_weights_nside_%04d.fits",
                  static_cast<int>(nside));
    const auto files = healpixDataFiles(name, "full_weights");
    return nside > 8192 || files.empty() ? fs::path() : files.front();
}

// The largest moment of the weighted pixels, relative to the monopole's, with P_0 - 1, P_2, P_4 and
// the harmonic of l = m = 4. These moments are 0 only for pixel weights.
double firstMoments(int64_t nside, const std::vector<double>& compressed) {
    std::array<double, 4> sums{};
    size_t next = 0;
    for (int64_t ring = 1; ring <= 2 * nside; ++ring) {
        const int64_t q = detail::quarterLength(nside, ring);
        const bool isShifted = detail::ringShift(nside, ring) == 1;
        double z = 0.0, s = 0.0;
        ringHeight(nside, ring, z, s);
        const double z2 = z * z, s4 = s * s * s * s;
        for (int64_t j = 0; 2 * j < q + (isShifted ? 0 : 1); ++j) {
            const bool isAlone = isShifted ? 2 * j == q - 1 : j == 0 || 2 * j == q;
            const double pixels = (isAlone ? 4.0 : 8.0) * (ring == 2 * nside ? 1.0 : 2.0);
            const double w = pixels * (1.0 + compressed[next++]);
            const double phi = 0.5 * kPi * (static_cast<double>(j) + (isShifted ? 0.5 : 0.0)) /
                               static_cast<double>(q);
            sums[0] += w - pixels;
            sums[1] += w * (1.5 * z2 - 0.5);
            sums[2] += w * ((4.375 * z2 - 3.75) * z2 + 0.375);
            sums[3] += w * s4 * std::cos(4.0 * phi);
        }
    }
    double largest = 0.0;
    const size_t count = pixelWeightLmax(nside) < 4 ? 2 : sums.size();
    for (size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(sums[i]));
    return largest / static_cast<double>(pixelCount(nside));
}

// The distributed table of `nside`, if installed.
std::optional<std::vector<double>> installedPixelWeights(int64_t nside) {
    const fs::path file = installedFile(nside);
    if (file.empty()) return std::nullopt;
    const std::string what = "pixel weights of nside " + std::to_string(nside);
    std::vector<double> weights = readHealpixData(file, what, static_cast<int>(nside)).first;
    // The files leave 2e-11 at nside 512.
    constexpr double kMost = 1e-7;
    if (weights.size() != pixelWeightCount(nside))
        throw IoError(file.string() + ": expected " + what + ", found " +
                      std::to_string(weights.size()) + " numbers");
    if (const double found = firstMoments(nside, weights); !(found <= kMost))
        throw IoError(file.string() + ": expected " + what +
                      ", found weights that leave the first multipoles " + numberText(found) +
                      " of the monopole");
    return weights;
}

// The name includes lmax if it is not the usual one.
std::string cacheName(int64_t nside) {
    const int lmax = pixelWeightLmax(nside);
    return "pixel_weights_" + std::to_string(nside) +
           (lmax < 3 * nside / 2 * 2 ? "_l" + std::to_string(lmax) : std::string()) + ".bin";
}

}  // namespace

int pixelWeightLmax(int64_t nside) {
    const int lmax = static_cast<int>(3 * nside / 2 * 2);
    return nside == 2 || nside == 4 || nside == 6 ? lmax - 2 : lmax;
}

double pixelWeightResidual(int64_t nside) {
    return nside <= 128 ? 2e-14 : 1e-10;
}

std::string pixelWeightOrigin(int64_t nside) {
    if (const fs::path file = installedFile(nside); !file.empty())
        return "installed in " + file.string();
    const std::string name = cacheName(nside), path = cachePath(name);
    if (path.empty()) return "computed each time, since there is no folder to keep them in";
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return "kept in " + path;
    return "computed each time, since they cannot be kept in " + path;
}

std::vector<double> pixelWeights(int64_t nside, JobContext& job) {
    if (nside < 1 || nside > kMaxShtNside)
        throw InvalidArgument("expected nside from 1 to " + std::to_string(kMaxShtNside) +
                              " for pixel weights, found " + std::to_string(nside));
    if (auto installed = installedPixelWeights(nside)) return *std::move(installed);
    const std::string name = cacheName(nside);
    if (auto cached = readCached(name, pixelWeightCount(nside))) return *std::move(cached);
    std::vector<double> weights = computePixelWeights(nside, job);
    writeCached(name, weights);
    return weights;
}

}  // namespace armilla

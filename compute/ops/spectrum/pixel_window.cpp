// SPDX-License-Identifier: GPL-3.0-or-later
// The pixel window, read from HEALPix data files or computed.
//
// With the addition theorem the sum over m in the definition becomes a mean over pairs of points
// (x, y) of a pixel: w_l^2 = <P_l(x.y)>. For polarization it is <d^l_22(angle between x and y)>,
// whose axes are carried along the great circle from x to y (the convention of the HEALPix files).
// Pixels are small, so P_l is a smooth function of 1 - x.y over all pairs. The distribution of the
// pairs enters through a few Chebyshev moments.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/spectrum.h"
#include "shared/healpix_data.h"
#include "shared/legendre.h"

namespace armilla {

namespace {

// Up to this nside all pixels are summed; for larger nside see `momentsOf`.
constexpr int64_t kExactNside = 32;
constexpr size_t kMoments = 32;

using Moments = std::array<double, kMoments>;

// The point of face 0 or 4 at (x, y) in [0, 1]^2, x to the north-east. K. M. Gorski et al., ApJ 622
// (2005) 759, section 5, for points that are not pixel centers.
Vec3 pointOnFace(int face, double x, double y) {
    const int row = face / 4;             // row of faces
    const double down = row + 2 - x - y;  // 0 at the north pole, 2 on the equator
    double z = 0.0, s = 0.0, length = 1.0;
    if (down < 1.0) {
        length = down;
        const double depth = down * down / 3.0;
        z = 1.0 - depth;
        s = std::sqrt(depth * (2.0 - depth));
    } else {
        z = (2.0 - down) * 2.0 / 3.0;
        s = std::sqrt((1.0 - z) * (1.0 + z));
    }
    const double phi = 0.25 * kPi * ((face < 4 ? 1.0 : 0.0) + (x - y) / length);
    return {s * std::cos(phi), s * std::sin(phi), z};
}

// 1 - x.y, accurate for near points.
double depthBetween(Vec3 x, Vec3 y) {
    const Vec3 chord = x - y;
    return 0.5 * dot(chord, chord);
}

// The distribution of 1 - x.y over the pairs of points within the pixels of one nside.
class PairDistribution {
public:
    PairDistribution(int64_t nside, int lmaxOverNside) : nside_(static_cast<int>(nside)) {
        // A pixel spans up to 2.5 / nside radians, so P_l has phase 1.3 l / nside on either half;
        // coarse pixels are also curved.
        rule_ = gaussLegendre(nside < 16 ? 14 : 4 + (5 * lmaxOverNside + 3) / 4);
        const auto widen = [this](Vec3 x, Vec3 y) {
            maxDepth_ = std::max(maxDepth_, depthBetween(x, y));
        };
        forPixels([&](int face, int column, int row) {
            widen(at(face, column, row, 0, 0), at(face, column, row, 1, 1));
            widen(at(face, column, row, 0, 1), at(face, column, row, 1, 0));
        });
    }

    // The largest 1 - x.y between corners, in units of 1 / nside^2.
    double span() const { return maxDepth_ * nside_ * nside_; }

    // Means of T_n(2 (1 - x.y) nside^2 / span - 1) over all pairs.
    Moments moments(double span, JobContext& job) const {
        const double scale = 2.0 * nside_ * nside_ / span;
        std::vector<Moments> rows(static_cast<size_t>(2 * nside_));
        parallelFor(
            job, 2 * nside_, 1,
            [&](long long begin, long long end) {
                for (long long i = begin; i < end; ++i)
                    rows[static_cast<size_t>(i)] =
                        ofRow(i < nside_ ? 0 : 4, static_cast<int>(i % nside_), scale);
            },
            "pixel window");
        // Two thirds of the sphere are polar faces.
        const double pixels = static_cast<double>(nside_) * nside_;
        Moments sum{};
        for (size_t i = 0; i < rows.size(); ++i)
            for (size_t n = 0; n < kMoments; ++n)
                sum[n] += rows[i][n] * (i < rows.size() / 2 ? 2.0 : 1.0) / (3.0 * pixels);
        return sum;
    }

private:
    template <typename Visit>
    void forPixels(Visit&& visit) const {
        for (const int face : {0, 4})
            for (int row = 0; row < nside_; ++row)
                for (int column = 0; column <= row; ++column) visit(face, column, row);
    }

    // The sum over a row of pixels. Pixels mirrored at the face's diagonal have the same pairs.
    Moments ofRow(int face, int row, double scale) const {
        Moments sum{};
        for (int column = 0; column <= row; ++column)
            addPixel(face, column, row, column == row ? 1.0 : 2.0, scale, sum);
        return sum;
    }

    void addPixel(int face, int column, int row, double share, double scale, Moments& sum) const {
        std::vector<std::pair<Vec3, double>> points;
        const std::vector<double>& node = rule_.node;
        for (size_t i = 0; i < node.size(); ++i)
            for (size_t j = 0; j < node.size(); ++j)
                points.emplace_back(
                    at(face, column, row, 0.5 * (1.0 + node[i]), 0.5 * (1.0 + node[j])),
                    0.25 * rule_.weight[i] * rule_.weight[j]);
        for (size_t i = 0; i < points.size(); ++i)
            for (size_t j = 0; j <= i; ++j) {
                const double weight =
                    share * points[i].second * points[j].second * (i == j ? 1.0 : 2.0);
                const double t = scale * depthBetween(points[i].first, points[j].first) - 1.0;
                double before = t, now = 1.0;
                for (size_t n = 0; n < kMoments; ++n) {
                    sum[n] += weight * now;
                    const double next = 2.0 * t * now - before;
                    before = now;
                    now = next;
                }
            }
    }

    // The point (u, v) in [0, 1]^2 of a pixel.
    Vec3 at(int face, int column, int row, double u, double v) const {
        return pointOnFace(face, (column + u) / nside_, (row + v) / nside_);
    }

    int nside_;
    QuadratureRule rule_;
    double maxDepth_ = 0.0;
};

struct ScaledMoments {
    Moments moments;
    double maxDepth = 0.0;
};

// Beyond kExactNside the distribution, in units of the pixel's size, is a sum of three parts:
// - a constant,
// - a part that falls as 1 / nside (the pixels on the borders between caps and belt),
// - a part that falls as 1 / nside^2 (curvature, poles).
// Three smaller nside give all three (Lagrange interpolation in 1 / nside).
ScaledMoments momentsOf(int64_t nside, int lmax, JobContext& job) {
    const int ratio = static_cast<int>((lmax + nside - 1) / nside);
    if (nside <= kExactNside) {
        const PairDistribution pairs(nside, ratio);
        return {pairs.moments(pairs.span(), job),
                pairs.span() / static_cast<double>(nside * nside)};
    }
    std::vector<PairDistribution> small;
    std::array<double, 3> h{};
    double span = 0.0;
    for (size_t i = 0; i < 3; ++i) {
        small.emplace_back(kExactNside >> i, ratio);
        h[i] = 1.0 / static_cast<double>(kExactNside >> i);
        span = std::max(span, small.back().span());
    }
    const double target = 1.0 / static_cast<double>(nside);
    ScaledMoments result{{}, span * target * target};
    for (size_t i = 0; i < 3; ++i) {
        double factor = 1.0;
        for (size_t j = 0; j < 3; ++j)
            if (j != i) factor *= (target - h[j]) / (h[i] - h[j]);
        JobContext share = job.part(static_cast<double>(i) / 3.0, static_cast<double>(i + 1) / 3.0);
        const Moments moments = small[i].moments(span, share);
        for (size_t k = 0; k < kMoments; ++k) result.moments[k] += factor * moments[k];
    }
    return result;
}

// Weights W_j with <f> = sum_j W_j f(t_j) for polynomials f of degree < kMoments.
Moments nodeWeights(const Moments& moments, const Moments& node) {
    Moments weights{};
    for (size_t j = 0; j < kMoments; ++j) {
        double before = node[j], now = 1.0;
        for (size_t n = 0; n < kMoments; ++n) {
            weights[j] += (n == 0 ? 1.0 : 2.0) / static_cast<double>(kMoments) * moments[n] * now;
            const double next = 2.0 * node[j] * now - before;
            before = now;
            now = next;
        }
    }
    return weights;
}

// Adds weight * d^l_22 at cos = 1 - depth for l = 2 ..: d^l_22 = cos^4(b/2) P^(0,4)_{l-2}(cos b)
// (D. A. Varshalovich et al. 1988, 4.3.4), the Jacobi polynomials by NIST Handbook 18.9.1.
void addSpinTwo(double weight, double depth, std::vector<double>& sum) {
    const double x = 1.0 - depth, half = 1.0 - 0.5 * depth;
    double before = 0.0, now = 1.0;
    for (size_t l = 2; l < sum.size(); ++l) {
        sum[l] += weight * half * half * now;
        const double n = static_cast<double>(l - 2);
        const double next = ((2 * n + 5) * ((2 * n + 6) * (2 * n + 4) * x - 16.0) * now -
                             2 * n * (n + 4) * (2 * n + 6) * before) /
                            (2 * (n + 1) * (n + 5) * (2 * n + 4));
        before = now;
        now = next;
    }
}

std::optional<Beam> installedWindow(int64_t nside, int lmax) {
    char name[40];
    std::snprintf(name, sizeof name, "pixel_window_n%04d.fits", static_cast<int>(nside));
    for (const auto& file : healpixDataFiles(name)) {
        const HealpixNumbers numbers = readHealpixData(file, "a pixel window", 0);
        const std::vector<double>&t = numbers.first, &p = numbers.second;
        const auto count = static_cast<size_t>(lmax) + 1;
        if (t.size() < count || p.size() < count) continue;
        Beam window;
        window.bl[0].assign(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(count));
        window.bl[1].assign(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(count));
        window.bl[2] = window.bl[1];
        return window;
    }
    return std::nullopt;
}

void checkShape(int64_t nside, int lmax) {
    if (!isNside(nside))
        throw InvalidArgument("expected nside from 1 to 2^29 for a pixel window, found " +
                              std::to_string(nside));
    if (lmax < 0 || lmax > 8 * nside)
        throw InvalidArgument("expected lmax from 0 to 8 nside for a pixel window, found " +
                              std::to_string(lmax) + " for nside " + std::to_string(nside));
}

}  // namespace

Beam computedPixelWindow(int64_t nside, int lmax, JobContext& job) {
    checkShape(nside, lmax);
    const ScaledMoments scaled = momentsOf(nside, lmax, job);
    Moments node{};
    for (size_t j = 0; j < kMoments; ++j)
        node[j] = std::cos(kPi * (static_cast<double>(j) + 0.5) / static_cast<double>(kMoments));
    const Moments weight = nodeWeights(scaled.moments, node);
    Beam window;
    for (auto& bl : window.bl) bl.assign(static_cast<size_t>(lmax) + 1, 0.0);
    for (size_t j = 0; j < kMoments; ++j) {
        job.poll();
        const double depth = 0.5 * (node[j] + 1.0) * scaled.maxDepth;
        LegendreSteps p(2.0 * std::asin(std::sqrt(0.5 * std::min(depth, 2.0))));
        for (double& value : window.bl[0]) {
            value += weight[j] * p.value();
            p.advance();
        }
        addSpinTwo(weight[j], depth, window.bl[1]);
    }
    for (auto& bl : window.bl)
        for (double& value : bl) value = std::sqrt(std::max(value, 0.0));
    window.bl[2] = window.bl[1];
    return window;
}

Beam pixelWindow(int64_t nside, int lmax, JobContext& job) {
    checkShape(nside, lmax);
    if (nside <= 8192)
        if (std::optional<Beam> installed = installedWindow(nside, lmax))
            return *std::move(installed);
    return computedPixelWindow(nside, lmax, job);
}

}  // namespace armilla

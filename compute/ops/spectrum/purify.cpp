// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/purify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <vector>

#include "armilla/core/pixel_queries.h"
#include "spectrum/spin_derivatives.h"

namespace armilla {

namespace {

void scaleDegrees(Alm& alm, const std::vector<double>& factors) {
    for (int m = 0; m <= alm.mmax(); ++m)
        for (int l = m; l <= alm.lmax(); ++l) alm(l, m) *= factors[static_cast<size_t>(l)];
}

// The derivative of order s of the mask, a field of spin s: the real and the imaginary part. In
// HEALPix's convention a field of spin s with gradient coefficients a has -a in its harmonics.
std::array<std::vector<double>, 2> derivativeOf(const Alm& mask, int s,
                                                const PurifyTransforms& transforms, int64_t pixels,
                                                JobContext& job) {
    std::array<Alm, 2> alm{mask, Alm(mask.lmax(), mask.mmax())};
    std::vector<double> factors;
    for (int l = 0; l <= mask.lmax(); ++l) factors.push_back(-derivativeFactor(s, l));
    scaleDegrees(alm[0], factors);
    std::array<std::vector<double>, 2> maps;
    for (auto& map : maps) map.resize(static_cast<size_t>(pixels));
    transforms.synthesis(s, alm, maps[0], maps[1], job);
    return maps;
}

}  // namespace

void purify(std::span<Alm, 2> eb, const Alm& mask, std::span<const double> q,
            std::span<const double> u, const PurifyRequest& request, const Device& device,
            JobContext& job) {
    JobContext planning = job.part(0.0, 0.05), working = job.part(0.05, 1.0);
    JobContext planningFirst = planning.part(0.0, 0.5), planningSecond = planning.part(0.5, 1.0);
    const ShtPlan analysis(request.analysis, device, planningFirst);
    ShtParameters of = request.analysis;
    of.lmax = mask.lmax();
    of.mmax = mask.mmax();
    const ShtPlan synthesis(of, device, planningSecond);
    PurifyTransforms transforms;
    transforms.synthesis = [&](int spin, std::span<const Alm, 2> alm, std::span<double> first,
                               std::span<double> second, JobContext& part) {
        synthesis.synthesisSpin(spin, alm, first, second, part);
    };
    transforms.analysis = [&](int spin, const std::vector<double>& first,
                              const std::vector<double>& second, JobContext& part) {
        const std::span<const double> a(first), b(second);
        if (spin > 0) return analysis.analysisSpin(spin, a, b, part);
        JobContext real = part.part(0.0, 0.5), imaginary = part.part(0.5, 1.0);
        std::vector<Alm> alm;
        alm.push_back(analysis.analysis(a, real));
        alm.push_back(analysis.analysis(b, imaginary));
        return alm;
    };
    purify(eb, mask, q, u, request, transforms, working);
}

void purify(std::span<Alm, 2> eb, const Alm& mask, std::span<const double> q,
            std::span<const double> u, const PurifyRequest& request,
            const PurifyTransforms& transforms, JobContext& job) {
    const auto pixels = static_cast<int64_t>(q.size());
    for (const int s : {1, 2}) {
        JobContext deriving = job.part(0.5 * s - 0.5, 0.5 * s - 0.25),
                   analyzing = job.part(0.5 * s - 0.25, 0.5 * s);
        std::array<std::vector<double>, 2> maps =
            derivativeOf(mask, s, transforms, pixels, deriving);
        // (Q + iU) times the conjugate of the derivative has spin 2 - s.
        parallelFor(analyzing, pixels, kPixelGrain, [&](long long begin, long long end) {
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                const double real = maps[0][i], imaginary = maps[1][i];
                maps[0][i] = q[i] * real + u[i] * imaginary;
                maps[1][i] = u[i] * real - q[i] * imaginary;
            }
        });
        std::vector<Alm> alm =
            transforms.analysis(2 - s, std::move(maps[0]), std::move(maps[1]), analyzing);
        std::vector<double> factors;
        for (int l = 0; l <= eb[0].lmax(); ++l) {
            const double factor = l < 2    ? 0.0
                                  : s == 1 ? 2.0 * derivativeFactor(1, l) / derivativeFactor(2, l)
                                           : -1.0 / derivativeFactor(2, l);
            factors.push_back(factor);
        }
        for (size_t i = 0; i < 2; ++i) {
            if (!(i == 0 ? request.e : request.b)) continue;
            scaleDegrees(alm[i], factors);
            std::transform(eb[i].values().begin(), eb[i].values().end(), alm[i].values().begin(),
                           eb[i].values().begin(), std::plus<>());
        }
    }
}

double largestStep(int64_t nside, std::span<const double> weights, JobContext& job) {
    double largest = 0.0;
    std::mutex guard;
    parallelFor(job, static_cast<long long>(weights.size()), 1 << 14,
                [&](long long begin, long long end) {
                    double most = 0.0;
                    for (long long p = begin; p < end; ++p)
                        for (const int64_t n : neighbors(nside, Ordering::Ring, p))
                            if (n >= 0)
                                most = std::max(most, std::abs(weights[static_cast<size_t>(p)] -
                                                               weights[static_cast<size_t>(n)]));
                    const std::lock_guard lock(guard);
                    largest = std::max(largest, most);
                });
    return largest;
}

}  // namespace armilla

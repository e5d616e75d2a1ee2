// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/weights/least_squares.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/new_vector.h"
#include "shared/conjugate_gradients.h"
#include "shared/new_alm.h"

namespace armilla {

namespace {

// Coefficients as a real vector in which the product of two vectors is that of the functions on
// the sphere: m > 0 stands for both signs.
size_t packedSize(const Alm& alm) {
    return 2 * alm.values().size();
}
double scaleOf(int m) {
    return m == 0 ? 1.0 : std::sqrt(2.0);
}
// Calls `body(coefficient, packed pair, scale)` for all coefficients.
template <typename Body>
void forEachCoefficient(std::vector<Alm>& alms, std::vector<double>& packed, JobContext& job,
                        const Body& body) {
    double* next = packed.data();
    for (Alm& alm : alms) {
        parallelFor(job, alm.mmax() + 1, orderGrain(alm.lmax()),
                    [&](long long begin, long long end) {
                        for (int m = static_cast<int>(begin); m < static_cast<int>(end); ++m)
                            for (int l = m; l <= alm.lmax(); ++l)
                                body(alm(l, m), next + 2 * alm.index(l, m), m);
                    });
        next += 2 * alm.values().size();
    }
}
void pack(std::vector<Alm>& alms, std::vector<double>& packed, JobContext& job) {
    forEachCoefficient(alms, packed, job, [](std::complex<double>& a, double* at, int m) {
        at[0] = scaleOf(m) * a.real();
        at[1] = m == 0 ? 0.0 : scaleOf(m) * a.imag();
    });
}
void unpack(std::vector<double>& packed, std::vector<Alm>& alms, JobContext& job) {
    forEachCoefficient(alms, packed, job, [](std::complex<double>& a, double* at, int m) {
        a = {at[0] / scaleOf(m), at[1] / scaleOf(m)};
    });
}

// Where the solution is near it takes 10 to 20 steps; a hundred that gain no digit are a sign that
// the coefficients beyond what the pixels hold are being made up.
IterationLimits limitsOf(const ShtParameters& p, double tolerance) {
    IterationLimits limits{"the least-squares analysis at lmax " + std::to_string(p.lmax),
                           tolerance, kMaxLeastSquaresSteps};
    limits.patience = 100;
    if (p.nside > 0)
        limits.advice =
            ": it converges up to about lmax = 2.5 nside = " + std::to_string(5 * p.nside / 2) +
            ", beyond that weights or a few iterations without a tolerance do";
    return limits;
}

}  // namespace

std::vector<Alm> leastSquares(ShtBackend& backend, int spin, std::span<const ConstMapSamples> maps,
                              double tolerance, JobContext& job) {
    const ShtParameters& p = backend.parameters();
    std::vector<Alm> alms;
    std::vector<std::vector<double>> model;
    std::vector<MapSamples> to;
    std::vector<ConstMapSamples> from;
    for (size_t i = 0; i < maps.size(); ++i) {
        alms.push_back(newAlm(p.lmax, p.mmax, job));
        model.push_back(newVector<double>(backend.grid().sampleCount(), job));
        to.emplace_back(model.back());
        from.emplace_back(model.back());
    }
    JobContext first = job.part(0.0, 0.1), rest = job.part(0.1, 1.0);
    backend.analysis(spin, maps, alms, first);
    std::vector<double> right =
        newVector<double>(static_cast<int64_t>(packedSize(alms[0]) * alms.size()), job);
    JobContext silent(job.stopToken(), {}, job.threads());
    pack(alms, right, silent);
    const auto normal = [&](std::vector<double>& in, std::vector<double>& out, JobContext& part) {
        unpack(in, alms, silent);
        backend.synthesis(spin, alms, to, part);
        backend.analysis(spin, from, alms, part);
        pack(alms, out, silent);
    };
    Solution solution = conjugateGradients(normal, right, limitsOf(p, tolerance), rest);
    unpack(solution.x, alms, silent);
    backend.convergence = {std::max(backend.convergence.steps, solution.steps),
                           std::max(backend.convergence.residual, solution.residual)};
    return alms;
}

}  // namespace armilla

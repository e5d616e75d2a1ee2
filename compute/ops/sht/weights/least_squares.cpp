// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/weights/least_squares.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "armilla/core/new_vector.h"
#include "shared/conjugate_gradients.h"
#include "shared/new_alm.h"

namespace armilla {

namespace {

// Scale of coefficients as a real vector. The scalar product of two vectors is then that of the
// functions on the sphere: m > 0 stands for both signs.
double scaleOf(int m) {
    return m == 0 ? 1.0 : std::sqrt(2.0);
}
// The index of each column's first number in the vector, and the end.
std::vector<size_t> placesOf(const std::vector<AlmColumn>& columns) {
    std::vector<size_t> places{0};
    for (const AlmColumn& column : columns)
        places.push_back(places.back() + 2 * column.values.size());
    return places;
}
// Calls body(column, place) for all columns.
template <typename Body>
void forEachColumn(const std::vector<AlmColumn>& columns, int lmax, JobContext& job,
                   const Body& body) {
    const std::vector<size_t> places = placesOf(columns);
    parallelFor(job, static_cast<long long>(columns.size()), orderGrain(lmax),
                [&](long long begin, long long end) {
                    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                        body(columns[i], places[i]);
                });
}
void pack(const std::vector<AlmColumn>& columns, int lmax, std::vector<double>& packed,
          JobContext& job) {
    forEachColumn(columns, lmax, job, [&](const AlmColumn& column, size_t place) {
        double* at = packed.data() + place;
        for (const std::complex<double>& a : column.values) {
            at[0] = scaleOf(column.m) * a.real();
            at[1] = column.m == 0 ? 0.0 : scaleOf(column.m) * a.imag();
            at += 2;
        }
    });
}
void unpack(const std::vector<double>& packed, const std::vector<AlmColumn>& columns, int lmax,
            JobContext& job) {
    forEachColumn(columns, lmax, job, [&](const AlmColumn& column, size_t place) {
        const double* at = packed.data() + place;
        for (std::complex<double>& a : column.values) {
            a = {at[0] / scaleOf(column.m), at[1] / scaleOf(column.m)};
            at += 2;
        }
    });
}

// A convergent solution takes 10 to 20 steps. A hundred steps that gain no digit indicate that
// coefficients beyond the pixels' information are being determined.
IterationLimits limitsOf(const ShtParameters& p) {
    IterationLimits limits{"the least-squares analysis at lmax " + std::to_string(p.lmax),
                           p.tolerance, kMaxLeastSquaresSteps};
    limits.patience = 100;
    if (p.nside > 0)
        limits.advice =
            "; it converges up to about lmax = 2.5 nside = " + std::to_string(5 * p.nside / 2) +
            "; beyond, use weights or a few iterations instead of a tolerance";
    return limits;
}

}  // namespace

ShtConvergence solveLeastSquares(const LeastSquaresParts& parts, const ShtParameters& parameters,
                                 JobContext& job) {
    const int lmax = parameters.lmax;
    JobContext silent(job.stopToken(), {}, job.threads());
    const std::vector<size_t> places = placesOf(parts.columns());
    std::vector<double> right = newVector<double>(static_cast<int64_t>(places.back()), job);
    pack(parts.columns(), lmax, right, silent);
    const auto normal = [&](std::vector<double>& in, std::vector<double>& out, JobContext& part) {
        unpack(in, parts.columns(), lmax, silent);
        parts.apply(part);
        pack(parts.columns(), lmax, out, silent);
    };
    std::vector<double> ofColumns(places.size() - 1);
    const auto product = [&](const std::vector<double>& u, const std::vector<double>& v,
                             JobContext& part) {
        parallelFor(part, static_cast<long long>(ofColumns.size()), orderGrain(lmax),
                    [&](long long begin, long long end) {
                        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                            ofColumns[i] =
                                std::inner_product(u.data() + places[i], u.data() + places[i + 1],
                                                   v.data() + places[i], 0.0);
                    });
        return parts.sum(ofColumns);
    };
    const Solution solution =
        conjugateGradients(normal, right, limitsOf(parameters), job, product, parts.largest);
    unpack(solution.x, parts.columns(), lmax, silent);
    return {solution.steps, solution.residual};
}

std::vector<Alm> leastSquares(ShtBackend& backend, int spin, std::span<const ConstMapSamples> maps,
                              double tolerance, JobContext& job) {
    ShtParameters p = backend.parameters();
    p.tolerance = tolerance;
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
    LeastSquaresParts parts;
    parts.columns = [&] {
        std::vector<AlmColumn> columns;
        for (Alm& alm : alms)
            for (int m = 0; m <= p.mmax; ++m)
                columns.push_back({m, {&alm(m, m), static_cast<size_t>(p.lmax - m + 1)}});
        return columns;
    };
    parts.apply = [&](JobContext& part) {
        backend.synthesis(spin, alms, to, part);
        backend.analysis(spin, from, alms, part);
    };
    parts.sum = [](std::span<const double> ofColumns) {
        return std::accumulate(ofColumns.begin(), ofColumns.end(), 0.0);
    };
    parts.largest = [](double own) { return own; };
    const ShtConvergence found = solveLeastSquares(parts, p, rest);
    backend.convergence = {std::max(backend.convergence.steps, found.steps),
                           std::max(backend.convergence.residual, found.residual)};
    return alms;
}

}  // namespace armilla

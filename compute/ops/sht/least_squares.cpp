// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/least_squares.h"

#include <cmath>

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
void pack(const std::vector<Alm>& alms, std::vector<double>& packed) {
    size_t next = 0;
    for (const Alm& alm : alms)
        for (int m = 0; m <= alm.mmax(); ++m)
            for (int l = m; l <= alm.lmax(); ++l) {
                packed[next++] = scaleOf(m) * alm(l, m).real();
                packed[next++] = m == 0 ? 0.0 : scaleOf(m) * alm(l, m).imag();
            }
}
void unpack(const std::vector<double>& packed, std::vector<Alm>& alms) {
    size_t next = 0;
    for (Alm& alm : alms)
        for (int m = 0; m <= alm.mmax(); ++m)
            for (int l = m; l <= alm.lmax(); ++l, next += 2)
                alm(l, m) = {packed[next] / scaleOf(m), packed[next + 1] / scaleOf(m)};
}

}  // namespace

std::vector<Alm> leastSquares(ShtBackend& backend, std::span<const std::span<const double>> maps,
                              double tolerance, JobContext& job) {
    const ShtParameters& p = backend.parameters();
    std::vector<Alm> alms;
    std::vector<std::vector<double>> model;
    for (size_t i = 0; i < maps.size(); ++i) {
        alms.push_back(newAlm(p.lmax, p.mmax, job));
        model.push_back(newVector<double>(static_cast<int64_t>(maps[i].size()), job));
    }
    const auto analyze = [&](std::span<const std::span<const double>> of, JobContext& part) {
        for (Alm& alm : alms) std::fill(alm.values().begin(), alm.values().end(), 0.0);
        if (of.size() == 1)
            backend.analysis(of[0], alms[0], part);
        else
            backend.analysisSpin2(of[0], of[1], alms[0], alms[1], part);
    };
    JobContext first = job.part(0.0, 0.1), rest = job.part(0.1, 1.0);
    analyze(maps, first);
    std::vector<double> right(packedSize(alms[0]) * alms.size());
    pack(alms, right);
    const auto normal = [&](const std::vector<double>& in, std::vector<double>& out,
                            JobContext& part) {
        unpack(in, alms);
        if (model.size() == 1)
            backend.synthesis(alms[0], model[0], part);
        else
            backend.synthesisSpin2(alms[0], alms[1], model[0], model[1], part);
        const std::vector<std::span<const double>> views(model.begin(), model.end());
        analyze(views, part);
        pack(alms, out);
    };
    const std::vector<double> solution = conjugateGradients(
        normal, right, {"the least-squares analysis", tolerance, kMaxShtIterations}, rest);
    unpack(solution, alms);
    return alms;
}

}  // namespace armilla

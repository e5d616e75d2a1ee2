// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_coupling.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/ops/coupling.h"

namespace armilla::cli {

namespace {

// By the orthogonality of the 3j symbols X is 1 / (4 pi) for spin 0, 0 for spin 0 with spin 2, and
// half of 1 / (4 pi) for the sum of even and of odd l + l' + L.
double largestError(const CouplingMatrices& x) {
    constexpr double kExact = 1.0 / (4.0 * kPi);
    const auto size = static_cast<size_t>(x.lmax) + 1;
    double worst = 0.0;
    JobContext job;
    const auto compare = [&](const CouplingMatrix& matrix, double exact) {
        const std::vector<double> values = matrix.values(job);
        for (size_t l = 2; l < size; ++l)
            for (size_t other = 2; other < size; ++other)
                worst = std::max(worst, std::abs(values[l * size + other] - exact));
    };
    compare(x.scalar, kExact);
    compare(x.cross[0], 0.0);
    compare(x.plus[0], 0.5 * kExact);
    compare(x.minus[0], 0.5 * kExact);
    return worst;
}

}  // namespace

void benchCoupling(const BenchSettings& settings, BenchHost& host) {
    BenchRow row;
    row.name = "coupling";
    row.nside = settings.nside;
    row.lmax = static_cast<int>(settings.lmax.value_or(2 * settings.nside));
    const double size = row.lmax + 1.0, diagonals = 2.0 * row.lmax + 1.0;
    const std::vector<double> mask(static_cast<size_t>(2 * row.lmax + 1), 1.0);
    CouplingMatrices made;
    measure(row, settings.runs, host, [&](JobContext& job) {
        made = couplingMatrices(mask, row.lmax, {.scalar = true, .polarization = true}, host.device,
                                job);
    });
    row.error = largestError(made) / (diagonals * diagonals / (8.0 * kPi));
    // Four matrices are written once.
    row.limitSeconds = 4.0 * 8.0 * size * size / host.ceiling.bytesPerSecond;
    row.limitBy = "memory";
    host.show(row);
}

}  // namespace armilla::cli

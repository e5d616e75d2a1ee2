// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/kernel/spin_kernel.h"

#include <cmath>

#include "armilla/core/sky_vector.h"
#include "convolve/pixels/direct_kernels.h"

namespace armilla {

std::vector<double> spinProfile(std::span<const double> bl, std::span<const double> angles) {
    // The sum has thousands of terms that cancel to a millionth of the peak and less. Sums in
    // double would leave 1e-13 of the peak, which no smooth profile follows.
    using Long = long double;
    std::vector<double> result;
    for (const double angle : angles) {
        const Long half = std::sin(0.5L * static_cast<Long>(angle));
        const Long y = 2.0L * half * half;  // 1 - cos(angle)
        Long p = 1.0L, step = 0.0L, sum = 0.0L;
        for (size_t l = 2; l < bl.size(); ++l) {
            const Long n = static_cast<Long>(l) - 2.0L;
            if (l > 2) {
                // a P_n = (b x - c) P_{n-1} - e P_{n-2}, and a = b - c - e, because all are 1 at x
                // = 1.
                const Long a = 2.0L * n * (n + 4.0L) * (2.0L * n + 2.0L);
                const Long b = (2.0L * n + 3.0L) * (2.0L * n + 4.0L) * (2.0L * n + 2.0L);
                const Long e = 2.0L * (n - 1.0L) * (n + 3.0L) * (2.0L * n + 4.0L);
                step = (e * step - b * y * p) / a;
                p += step;
            }
            sum += (2.0L * n + 5.0L) * static_cast<Long>(bl[l]) * p;
        }
        result.push_back(static_cast<double>(sum) / (4.0 * kPi));
    }
    return result;
}

void turnWeights(const WeightRow& row, double theta, double otherTheta, const double* kernel,
                 double* real, double* imaginary) {
    const SpinPair pair(theta, otherTheta);
    const double stepC = std::cos(0.5 * row.step), stepS = -std::sin(0.5 * row.step);
    // Half the source's longitude minus half the target's: -delta / 2. Sine and cosine follow a
    // phase recurrence, restarted before roundings matter.
    constexpr int kFresh = 32;
    double c = 0.0, s = 0.0;
    for (int i = 0; i < row.count; ++i) {
        if (i % kFresh == 0) {
            const double half = -0.5 * (row.delta + i * row.step);
            c = std::cos(half);
            s = std::sin(half);
        }
        const SpinTurn turn(pair, c, s);
        real[i] = kernel[i] * turn.real;
        imaginary[i] = kernel[i] * turn.imaginary;
        const double next = c * stepC - s * stepS;
        s = s * stepC + c * stepS;
        c = next;
    }
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// A series of spin s as two series of spin 0. The product of S^{+-}_lm and sin^s(theta) is a sum of
// the 2 s + 1 functions lambda_{l-s,m} .. lambda_{l+s,m} (D. A. Varshalovich et al. 1988, section
// 4.6: the product of two D functions). So
//   sin^s(theta) Q_m = sum_l q_l lambda_lm,  sin^s(theta) U_m = sum_l u_l lambda_lm
// with l up to lmax + s. One recurrence and eight multiply-adds for two l replace two recurrences
// and sixteen multiply-adds. Rounding errors grow by sin^-s(theta), so the method is not used in
// the polar caps.
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace armilla {

// The mixing of one m. Reused from m to m; not shared between threads.
class SpinMixing {
public:
    SpinMixing(int lmax, int spin);
    // `epsilon`: eps_l of scalarEpsilon for l = m .. lmax + spin + 1.
    void prepare(int m, std::span<const double> epsilon);
    // From coefficients in HEALPix's convention, l = m .. lmax, to coefficients of the two series,
    // l = m .. lmax + spin.
    void toScalar(std::span<const std::complex<double>> e, std::span<const std::complex<double>> b,
                  std::span<std::complex<double>> q, std::span<std::complex<double>> u);
    // The transpose; adds to `e` and `b`.
    void fromScalar(std::span<const std::complex<double>> q,
                    std::span<const std::complex<double>> u, std::span<std::complex<double>> e,
                    std::span<std::complex<double>> b);

private:
    // Half the sum and half the difference of the coefficients of S^+ and of S^-; real and
    // imaginary parts separate. Element i is l = m + i - 1; there is one more element on either
    // side.
    struct Halves {
        std::vector<double> sumRe, sumIm, differenceRe, differenceIm;
    };
    // sin(theta) S^{+-t}_l = mid_l S^{+-(t-1)}_l +- (down_l S^{+-(t-1)}_{l-1} - up_l
    // S^{+-(t-1)}_{l+1}), t = 1 .. spin; elements as in Halves.
    struct Lowering {
        std::vector<double> down, mid, up;
    };
    void clear();

    int lmax_ = 0, spin_ = 0, m_ = 0;
    size_t count_ = 0;             // elements l = m .. lmax + spin
    std::vector<Lowering> table_;  // without eps_l and m; element l
    std::vector<Lowering> lowering_;
    Halves now_, next_;
};

}  // namespace armilla

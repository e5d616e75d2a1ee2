// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles of Gaussians and of their Laplacians on the sphere, in closed form.
#pragma once

#include <array>

namespace armilla {

// Up to this sigma the closed form holds for all angles where K is above rounding. For larger sigma
// B_l ends within 60 terms, which are summed instead.
inline constexpr double kWidestClosedForm = 0.15;
// The end of the closed form: 13 sigma at least.
inline constexpr double kClosedFormEnd = 2.0;

// K(theta) = sum_l (2l+1)/(4 pi) x^n e^{-x} / n! P_l(cos theta), x = l(l+1) t, t = sigma^2 / 2, for
// n = `order` of 0 .. 4 and sigma <= kWidestClosedForm.
//
// n = 0 is the heat kernel of the sphere (H. P. McKean 1970, Selberg's formula by analytic
// continuation); its images are below 1e-38 here:
//   e^{t/4} sqrt(2) (4 pi t)^{-3/2}
//     int_theta^pi phi e^{-phi^2 / 4t} / sqrt(cos theta - cos phi) d phi.
// With phi^2 = theta^2 + 4 t s^2 it is
//   K = e^{-theta^2 / 4t} / (4 pi t) H(theta, t),
//   H = e^{t/4} (2 / sqrt(pi))
//     int_0^inf e^{-s^2} / sqrt(sinc((phi + theta)/2) sinc((phi - theta)/2)) ds,
// smooth in both variables: a Gauss-Hermite rule of 16 points leaves rounding.
//
// n > 0: (-t)^n / n! d^n/dt^n of the same, by Leibniz' rule from Laguerre polynomials L_j(theta^2 /
// 4t) and the derivatives of H, taken from its interpolation in t.
class GaussianProfile {
public:
    GaussianProfile(double sigma, int order);
    double operator()(double theta) const;

private:
    static constexpr int kHermite = 8;  // nodes s > 0
    static constexpr int kTimes = 9;    // points of the interpolation in t
    static constexpr int kOrders = 5;   // n = 0 .. 4
    static double smoothPart(double theta, double t);

    double t_;
    int order_;
    std::array<double, kTimes> times_{};
    // (-t)^k / k! d^k/dt^k of the Lagrange polynomials of times_ at t.
    std::array<std::array<double, kTimes>, kOrders> derivative_{};
};

}  // namespace armilla

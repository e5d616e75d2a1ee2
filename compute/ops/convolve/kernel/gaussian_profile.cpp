// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/kernel/gaussian_profile.h"

#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

namespace {

double sinc(double x) {
    return std::abs(x) < 1e-4 ? 1.0 - x * x / 6.0 : std::sin(x) / x;
}

struct HermiteRule {
    double node[8], weight[8];
};
// The nodes s > 0 of the Gauss-Hermite rule of 16 points, with weights for int_0^inf e^{-s^2} ds:
// Newton's method on the orthonormal Hermite functions from the estimates of W. H. Press et al.,
// Numerical Recipes, 4.6.
HermiteRule makeHermite() {
    constexpr int n = 16;
    HermiteRule rule{};
    double z = 0.0, previous[n / 2] = {};
    for (int i = 0; i < n / 2; ++i) {
        if (i == 0)
            z = std::sqrt(2.0 * n + 1) - 1.85575 * std::pow(2.0 * n + 1, -0.16667);
        else if (i == 1)
            z -= 1.14 * std::pow(n, 0.426) / z;
        else if (i == 2)
            z = 1.86 * z - 0.86 * previous[0];
        else if (i == 3)
            z = 1.91 * z - 0.91 * previous[1];
        else
            z = 2.0 * z - previous[i - 2];
        double slope = 1.0;
        for (int step = 0; step < 30; ++step) {
            double p = std::pow(kPi, -0.25), before = 0.0;
            for (int j = 0; j < n; ++j) {
                const double next = z * std::sqrt(2.0 / (j + 1)) * p -
                                    std::sqrt(static_cast<double>(j) / (j + 1)) * before;
                before = p;
                p = next;
            }
            slope = std::sqrt(2.0 * n) * before;
            const double change = p / slope;
            z -= change;
            if (std::abs(change) < 1e-15) break;
        }
        previous[i] = z;
        rule.node[i] = z;
        rule.weight[i] = 2.0 / (slope * slope);
    }
    return rule;
}

// L_0 .. L_n of Laguerre.
void laguerre(double x, int n, double* value) {
    value[0] = 1.0;
    if (n > 0) value[1] = 1.0 - x;
    for (int j = 1; j < n; ++j)
        value[j + 1] = ((2.0 * j + 1.0 - x) * value[j] - j * value[j - 1]) / (j + 1.0);
}

}  // namespace

double GaussianProfile::smoothPart(double theta, double t) {
    static const HermiteRule rule = makeHermite();
    double sum = 0.0;
    for (int i = 0; i < kHermite; ++i) {
        const double square = 4.0 * t * rule.node[i] * rule.node[i];
        const double phi = std::sqrt(theta * theta + square), sum2 = phi + theta;
        sum += rule.weight[i] / std::sqrt(sinc(0.5 * sum2) * sinc(0.5 * square / sum2));
    }
    return std::exp(0.25 * t) * 2.0 / std::sqrt(kPi) * sum;
}

GaussianProfile::GaussianProfile(double sigma, int order) : t_(0.5 * sigma * sigma), order_(order) {
    ARMILLA_ASSERT(sigma > 0.0 && sigma <= kWidestClosedForm && order >= 0 && order < kOrders);
    // Chebyshev points in t/2 .. 3t/2; x is (time - t) / t.
    double x[kTimes];
    for (int i = 0; i < kTimes; ++i) {
        x[i] = 0.5 * std::cos(kPi * (i + 0.5) / kTimes);
        times_[static_cast<size_t>(i)] = t_ * (1.0 + x[i]);
    }
    for (int i = 0; i < kTimes; ++i) {
        // Coefficients of prod_{k != i} (u - x_k) / (x_i - x_k) in powers of u.
        double c[kTimes] = {1.0};
        int degree = 0;
        for (int k = 0; k < kTimes; ++k) {
            if (k == i) continue;
            const double scale = 1.0 / (x[i] - x[k]);
            for (int d = ++degree; d >= 0; --d)
                c[d] = ((d > 0 ? c[d - 1] : 0.0) - (d < degree ? x[k] * c[d] : 0.0)) * scale;
        }
        for (int k = 0; k < kOrders; ++k)
            derivative_[static_cast<size_t>(k)][static_cast<size_t>(i)] = (k & 1) ? -c[k] : c[k];
    }
}

double GaussianProfile::operator()(double theta) const {
    if (theta > kClosedFormEnd) return 0.0;
    const double x = theta * theta / (4.0 * t_);
    const double planar = std::exp(-x) / (4.0 * kPi * t_);
    if (order_ == 0) return planar * smoothPart(theta, t_);
    double polynomial[kOrders];
    laguerre(x, order_, polynomial);
    double h[kOrders] = {};
    h[0] = smoothPart(theta, t_);
    for (int i = 0; i < kTimes; ++i) {
        // Differences from H at t itself, so that rounding in H is the only error.
        const double part = smoothPart(theta, times_[static_cast<size_t>(i)]) - h[0];
        for (int k = 1; k <= order_; ++k)
            h[k] += derivative_[static_cast<size_t>(k)][static_cast<size_t>(i)] * part;
    }
    double sum = 0.0;
    for (int j = 0; j <= order_; ++j) sum += polynomial[j] * h[order_ - j];
    return planar * sum;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Legendre polynomials of an angle, and Gauss-Legendre rules.
#pragma once

#include <cmath>
#include <vector>

#include "armilla/core/sky_vector.h"

namespace armilla {

// Steps through P_0, P_1, ... at one angle. The recursion uses the differences of P_l and P_{l-1},
// with 1 - cos(theta) = 2 sin^2(theta/2) (C. H. Reinsch's form, see F. W. J. Olver et al., NIST
// Handbook, 3.6). Reason: at small angles an error of epsilon in cos(theta) becomes an error of
// l^2 epsilon / 2 in P_l. Beyond pi/2 the parity P_l(-x) = (-1)^l P_l(x) applies.
class LegendreSteps {
public:
    explicit LegendreSteps(double theta)
        : mirrored_(theta > kHalfPi), y_(chord(mirrored_ ? kPi - theta : theta)) {}
    // P_l of the current l, which starts at 0.
    double value() const { return mirrored_ && (l_ & 1) != 0 ? -p_ : p_; }
    void advance() {
        const double l = l_;
        difference_ = (l * difference_ - (2.0 * l + 1.0) * y_ * p_) / (l + 1.0);
        p_ += difference_;
        ++l_;
    }

private:
    static double chord(double theta) {
        const double s = std::sin(0.5 * theta);
        return 2.0 * s * s;
    }
    bool mirrored_;
    double y_;
    int l_ = 0;
    double p_ = 1.0, difference_ = 0.0;
};

struct QuadratureRule {
    std::vector<double> node, weight;
};

// Gauss-Legendre rule of n points on [-1, 1]: Newton's method on P_n from the estimate of NIST
// Handbook 18.16.4; exact to rounding for n up to some thousands.
inline QuadratureRule gaussLegendre(int n) {
    QuadratureRule rule;
    for (int i = 1; i <= n; ++i) {
        double x = std::cos(kPi * (i - 0.25) / (n + 0.5)), slope = 0.0;
        for (int step = 0; step < 10; ++step) {
            double before = 0.0, now = 1.0;
            for (int l = 0; l < n; ++l) {
                const double next = ((2.0 * l + 1.0) * x * now - l * before) / (l + 1.0);
                before = now;
                now = next;
            }
            slope = n * (before - x * now) / (1.0 - x * x);
            const double change = now / slope;
            x -= change;
            if (std::abs(change) < 1e-15) break;
        }
        rule.node.push_back(x);
        rule.weight.push_back(2.0 / ((1.0 - x * x) * slope * slope));
    }
    return rule;
}

}  // namespace armilla

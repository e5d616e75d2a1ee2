// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas of the Legendre sums described in sht/legendre/legendre.h: recurrences, for host and
// device, and tables computed beforehand on the host.
#pragma once

#include <cmath>
#include <cstdint>

#include "armilla/core/hd.h"
#include "armilla/ops/ring_grid.h"

namespace armilla {

// eps_l = sqrt((l^2 - m^2) / (4 l^2 - 1)), for l > m; and 0 for other l.
ARMILLA_HD inline double scalarEpsilonAbove(double l, double m) {
    return std::sqrt((l - m) * (l + m) / ((2.0 * l - 1.0) * (2.0 * l + 1.0)));
}
ARMILLA_HD inline double scalarEpsilon(double l, double m) {
    return l <= m ? 0.0 : scalarEpsilonAbove(l, m);
}

// One step of the scaled recurrence p_{k+1} = (a y + b) p_k - p_{k-1}: a, and b for y = z^2
// (form 0) and y = -sin^2(theta) (form 1).
struct ScalarRecurrence {
    double a, b[2];
};
// `e1` .. `e3`: eps of m + 2k + 1 .. m + 2k + 3; `scale`, `next`: s_k and s_{k+1}.
ARMILLA_HD inline ScalarRecurrence scalarRecurrence(double e1, double e2, double e3, double scale,
                                                    double next) {
    const double a = scale / (e2 * e3 * next);
    const double diagonal = e2 * e2 + e1 * e1;
    return {a, {-diagonal * a, (1.0 - diagonal) * a}};
}

// alpha_l = sqrt((l^2 - m^2)(l^2 - s^2) / (4 l^2 - 1)) / l.
ARMILLA_HD inline double spinAlpha(double l, double m, double s) {
    return std::sqrt((l - m) * (l + m) * (l - s) * (l + s) / ((2.0 * l - 1.0) * (2.0 * l + 1.0))) /
           l;
}

// One step of p_{l+1} = (a y + g) p_l - p_{l-1}, for both helicities: g for y = z (form 0) and
// y = z - 1 (form 1).
struct SpinRecurrence {
    double a, gPlus[2], gMinus[2];
};
// `alphaNext`: alpha_{l+1}; `scale`, `next`: s_k and s_{k+1} of l and l + 1.
ARMILLA_HD inline SpinRecurrence spinRecurrence(double l, double m, double s, double alphaNext,
                                                double scale, double next) {
    const double a = scale / (alphaNext * next);
    const double tilt = m * s / (l * (l + 1.0));
    return {a, {a * tilt, a * (1.0 + tilt)}, {-a * tilt, a * (1.0 - tilt)}};
}

// sin(theta) S^{+-t}_l = m mid S^{+-(t-1)}_l +- (eps_l down S^{+-(t-1)}_{l-1} - eps_{l+1} up
// S^{+-(t-1)}_{l+1}), S^{+-t} the functions of spin +-t >= 1, S^{+-0} = lambda.
struct SpinLowering {
    double down, mid, up;
};
inline SpinLowering spinLowering(double l, double t) {
    return {std::sqrt((l + t - 1.0) * (l + t)) / l,
            std::sqrt((l + t) * (l - t + 1.0)) / (l * (l + 1.0)),
            std::sqrt((l - t + 1.0) * (l - t + 2.0)) / (l + 1.0)};
}

// (lambda_mm / lambda_{m-1,m-1})^2 without its sin^2(theta); lambda_00^2 is 1 / (4 pi).
inline long double sectoralStep(int m) {
    return (2.0L * m + 1.0L) / (2.0L * m);
}
// (2 L + 1)! / (4 pi 4^L (L + k)! (L - k)!), L the larger and k the smaller of m and s: the square
// of S_Lm without its half-angle functions, each of which is to carry a factor sqrt(2).
// `sectoral`: lambda_LL^2 without sin^{2L}(theta).
inline long double spinStartSquare(long double sectoral, int m, int s) {
    const int larger = m > s ? m : s, smaller = m > s ? s : m;
    for (int i = 0; i < smaller; ++i)
        sectoral *= static_cast<long double>(larger - i) / (larger + i + 1);
    return sectoral;
}

// An upper bound of the largest m that contributes to a ring. Beyond it, modes of m are below 1e-17
// of the largest for every l <= lmax. Beyond the turning point m = l sin(theta) by d, lambda_lm
// decays as exp(-(2 sqrt(2) / 3) d^{3/2} / (sqrt(m) cos(theta))) (WKB about a linear turning
// point); 40 is ln(1e17). Spin moves the turning point by at most s cos(theta). The margin is
// evaluated for `m`: a mode contributes only if m is at most the result.
inline double usefulOrder(int lmax, int m, int spin, double sinTheta, double z) {
    const double c = std::fabs(z);
    const double reach = std::cbrt(std::pow(40.0 * 1.07 * std::sqrt(m + 1.0) * c, 2.0));
    return lmax * sinTheta + reach + spin * c + 1.0;
}

// Rings beyond this |z| belong to a polar cap.
inline constexpr double kPolarCap = 0.7;

// Rings with smaller sin(theta) use recurrences of spin s; other rings use two transforms of spin 0
// (sht/legendre/spin_mixing.h), whose rounding errors grow as sin^-s(theta). At this limit both
// have errors of 1e-13 of the rms of F_m for lmax 2048.
inline constexpr double kSpinCapSine = 0.2;

// The angle of a ring. z and sin(theta) describe one angle; the larger is derived from the smaller,
// which is the more accurate.
struct WideLatitude {
    long double z, sinTheta, sinHalf, cosHalf;
};
inline WideLatitude wideLatitude(const Ring& ring) {
    const long double s = static_cast<long double>(ring.sinTheta) + ring.sinThetaLow;
    const long double z =
        std::fabs(ring.z) > kPolarCap
            ? std::copysign(std::sqrt((1 - s) * (1 + s)), static_cast<long double>(ring.z))
            : static_cast<long double>(ring.z);
    const long double theta = std::atan2(s, z);
    return {z, s, std::sin(theta / 2), std::cos(theta / 2)};
}
// The variable of the recurrences, by form: 0 for rings near the equator, 1 for the northern cap,
// where z near 1 would lose precision in the angle.
inline double scalarArgument(const WideLatitude& at, int form) {
    return static_cast<double>(form == 1 ? -at.sinTheta * at.sinTheta : at.z * at.z);
}
inline double spinArgument(const WideLatitude& at, int form) {
    return static_cast<double>(form == 1 ? -2 * at.sinHalf * at.sinHalf : at.z);
}

}  // namespace armilla

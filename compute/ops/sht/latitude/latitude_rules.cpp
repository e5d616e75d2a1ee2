// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/latitude/latitude_rules.h"

#include <cmath>
#include <complex>
#include <limits>

namespace armilla {

namespace {

using Wide = long double;
using WideComplex = std::complex<Wide>;
const Wide kPi = std::acos(Wide{-1});
constexpr Wide kEpsilon = std::numeric_limits<Wide>::epsilon();

// The nodes nearest to a pole are summed term by term. From this node on the series below ends at
// rounding: its terms fall as k! / (2 pi i)^k for node i.
constexpr int64_t kPolarNodes = 32;

// sum_{k > last} cos(2 k theta) / (4 k^2 - 1), by Euler's transform of the series: with z = exp(2 i
// theta), sum_k a_k z^k = sum_j z^j / (1 - z)^{j+1} (Delta^j a)_0. Because 4 a_k = 1 / (k - 1/2) -
// 1 / (k + 1/2), its differences are those of 1 / x.
Wide cosineTail(Wide theta, int64_t last) {
    const auto start = static_cast<Wide>(last + 1);
    const WideComplex z = std::polar(Wide{1}, 2 * theta);
    const WideComplex ratio = -z / (Wide{1} - z);
    Wide x = start - Wide{0.5};
    WideComplex term = std::polar(Wide{1}, 2 * start * theta) / (Wide{1} - z) / (4 * x * (x + 1));
    WideComplex sum = 0;
    for (int j = 0; std::abs(term) > kEpsilon * std::abs(sum); ++j) {
        sum += term;
        term *= ratio * (static_cast<Wide>(j + 2) / (x + static_cast<Wide>(j + 2)));
    }
    return sum.real();
}

// 1 - 2 sum_{k=1}^{last} cos(2 k theta) / (4 k^2 - 1): the integral over cos(theta) of the cosine
// series of a delta function. It follows from int_0^pi cos(k theta) sin(theta) d(theta) = 2 / (1 -
// k^2) for even k. The complete series is pi sin(theta) / 2.
Wide cosineSum(Wide theta, int64_t last, bool polar) {
    if (!polar) return kPi / 2 * std::sin(theta) + 2 * cosineTail(theta, last);
    Wide sum = 1;
    // Clenshaw's recurrence would lose digits at the ends; cosines of reduced angles do not.
    for (int64_t k = 1; k <= last; ++k) {
        const auto twice = static_cast<Wide>(2 * k);
        sum -= 2 * std::cos(twice * theta) / ((twice - 1) * (twice + 1));
    }
    return sum;
}

// P_n(cos(theta)) and P_{n-1}(cos(theta)).
struct LegendrePair {
    Wide value, before;
};

// Recurrence for the differences of successive degrees, which keeps theta's precision near the
// pole: l (P_l - P_{l-1}) = (l - 1) (P_{l-1} - P_{l-2}) - (2 l - 1) (1 - z) P_{l-1}.
LegendrePair legendreByRecurrence(int64_t n, Wide theta) {
    const Wide half = std::sin(theta / 2), height = 2 * half * half;  // 1 - z
    Wide value = 1, before = 1, difference = 0;
    for (int64_t l = 1; l <= n; ++l) {
        before = value;
        difference = (static_cast<Wide>(l - 1) * difference -
                      static_cast<Wide>(2 * l - 1) * height * before) /
                     static_cast<Wide>(l);
        value = before + difference;
    }
    return {value, before};
}

// T. J. Stieltjes' asymptotic series (DLMF 18.15.13): P_n = C_n sum_k h_k cos(a_k) /
// (2 sin(theta))^{k+1/2}, a_k = (n + k + 1/2) theta - (k + 1/2) pi / 2, without C_n; `phase` is
// exp(i a_0).
Wide stieltjesSum(int64_t n, Wide theta, WideComplex phase) {
    const Wide sine = std::sin(theta), width = 2 * sine;
    const WideComplex turn(sine, -std::cos(theta));
    Wide factor = 1, sum = 0;
    for (int k = 0;; ++k) {
        sum += factor * phase.real();
        const Wide order = static_cast<Wide>(k) + Wide{0.5};
        const Wide next = factor * order * order /
                          (static_cast<Wide>(k + 1) * (static_cast<Wide>(n + 1) + order) * width);
        if (next > factor || next < kEpsilon / 8) break;
        factor = next;
        phase *= turn;
    }
    return sum / std::sqrt(width);
}

// C_n = (4 / pi) prod_{j=1}^n j / (j + 1/2) = 2 Gamma(n + 1) / (sqrt(pi) Gamma(n + 3/2)), by the
// series of the ratio at x = n + 3/4 (DLMF 5.11.14) for large n.
Wide stieltjesConstant(int64_t n) {
    const Wide x = static_cast<Wide>(n) + Wide{0.75}, y = 1 / (x * x);
    Wide series = 0;
    for (const Wide c : {Wide{-20898423} / 0x1p33L, Wide{180323} / 0x1p27L, Wide{-671} / 0x1p19L,
                         Wide{21} / 0x1p13L, Wide{-1} / 0x1p6L, Wide{1}})
        series = series * y + c;
    return 2 / std::sqrt(kPi * x) * series;
}

LegendrePair legendreByStieltjes(int64_t n, Wide theta) {
    // One phase for both: its rounding is equivalent to a changed theta.
    const WideComplex phase =
        std::polar(Wide{1}, (static_cast<Wide>(n) + Wide{0.5}) * theta - kPi / 4);
    return {
        stieltjesConstant(n) * stieltjesSum(n, theta, phase),
        stieltjesConstant(n - 1) * stieltjesSum(n - 1, theta, phase * std::polar(Wide{1}, -theta))};
}

LatitudeNode nodeAt(Wide theta, Wide weight) {
    return {std::cos(theta), std::sin(theta), weight};
}

}  // namespace

LatitudeNode clenshawCurtisNode(int64_t rows, int64_t i) {
    const int64_t intervals = rows - 1;
    const Wide theta = kPi * static_cast<Wide>(i) / static_cast<Wide>(intervals);
    Wide sum = cosineSum(theta, intervals / 2, i < kPolarNodes);
    if (intervals % 2 == 0) {  // the last term counts half
        const auto degree = static_cast<Wide>(intervals);
        sum += std::cos(degree * theta) / ((degree - 1) * (degree + 1));
    }
    const Wide share = i == 0 ? Wide{1} : Wide{2};  // an end counts half
    return nodeAt(theta, 2 * kPi * share / static_cast<Wide>(intervals) * sum);
}

LatitudeNode fejerNode(int64_t rows, int64_t i) {
    const Wide theta = kPi * (static_cast<Wide>(i) + Wide{0.5}) / static_cast<Wide>(rows);
    return nodeAt(theta, 4 * kPi / static_cast<Wide>(rows) *
                             cosineSum(theta, (rows - 1) / 2, i < kPolarNodes));
}

LatitudeNode gaussLegendreNode(int64_t rows, int64_t i) {
    const auto legendre = i < kPolarNodes ? legendreByRecurrence : legendreByStieltjes;
    const auto degree = static_cast<Wide>(rows);
    // Newton's iteration. Its start is wrong by less than a fiftieth of the distance of two nodes,
    // so its errors are 1e-2, 1e-5, 1e-11 and 1e-22 of that distance.
    constexpr int kSteps = 4;
    Wide theta = kPi * (static_cast<Wide>(i) + Wide{0.75}) / (degree + Wide{0.5}), slope = 0;
    for (int step = 0; step <= kSteps; ++step) {
        const LegendrePair p = legendre(rows, theta);
        // -d P_n / d theta times sin(theta), which is stationary at a node.
        slope = degree * (p.before - std::cos(theta) * p.value);
        if (step < kSteps) theta += p.value * std::sin(theta) / slope;
    }
    const Wide sine = std::sin(theta);
    return nodeAt(theta, 4 * kPi * sine * sine / (slope * slope));
}

}  // namespace armilla

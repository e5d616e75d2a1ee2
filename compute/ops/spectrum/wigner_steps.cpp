// SPDX-License-Identifier: GPL-3.0-or-later
#include "spectrum/wigner_steps.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace armilla {

WignerRecurrence::WignerRecurrence(const WignerOrders& orders, int lmax)
    : first(std::max(std::abs(orders.m), std::abs(orders.n))), last(lmax) {
    const auto size = static_cast<size_t>(std::max(first, lmax)) + 2;
    alpha.assign(size, 0.0);
    beta.assign(size, 0.0);
    scale.assign(size, 0.0);
    back.assign(size, 0.0);
    for (auto& each : shift) each.assign(size, 0.0);
    const double mm = orders.m * orders.m, nn = orders.n * orders.n, mn = orders.m * orders.n;
    for (size_t i = static_cast<size_t>(first); i < size; ++i) {
        const auto l = static_cast<double>(i);
        if (static_cast<int>(i) > first)
            alpha[i] =
                std::sqrt((l * l - mm) * (l * l - nn) / ((2.0 * l - 1.0) * (2.0 * l + 1.0))) / l;
        if (orders.m * orders.n != 0) beta[i] = mn / (l * (l + 1.0));
    }
    for (size_t i = static_cast<size_t>(first); i + 1 < size; ++i) {
        scale[i] = 1.0 / alpha[i + 1];
        back[i] = alpha[i] / alpha[i + 1];
        shift[static_cast<size_t>(WignerForm::Belt)][i] = -beta[i] / alpha[i + 1];
        shift[static_cast<size_t>(WignerForm::North)][i] = (1.0 - beta[i]) / alpha[i + 1];
        shift[static_cast<size_t>(WignerForm::South)][i] = (-1.0 - beta[i]) / alpha[i + 1];
    }
}

double firstWigner(const WignerOrders& orders, double cosHalf, double sinHalf) {
    int m = orders.m, n = orders.n;
    double sign = 1.0;
    const auto flip = [&] {
        if ((m - n) % 2 != 0) sign = -sign;
    };
    // d_mn = (-1)^(m-n) d_nm = (-1)^(m-n) d_{-m,-n}
    if (std::abs(n) > std::abs(m)) {
        flip();
        std::swap(m, n);
    }
    if (m < 0) {
        flip();
        m = -m;
        n = -n;
    }
    // d^m_mn = (-1)^(m-n) sqrt(binomial(2m, m - n)) cos^(m+n)(theta/2) sin^(m-n)(theta/2)
    flip();
    double square = 0.5 * (2.0 * m + 1.0);
    for (int i = 1; i <= m - n; ++i) square *= static_cast<double>(m + n + i) / i;
    return sign * std::sqrt(square) * std::pow(cosHalf, m + n) * std::pow(sinHalf, m - n);
}

}  // namespace armilla

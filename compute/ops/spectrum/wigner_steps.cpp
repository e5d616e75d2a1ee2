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

}  // namespace armilla

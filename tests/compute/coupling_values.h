// SPDX-License-Identifier: GPL-3.0-or-later
// Values of coupling matrices, wherever they are kept.
#pragma once

#include <array>
#include <vector>

#include "armilla/ops/coupling.h"

namespace armilla::test {

struct CouplingValues {
    CouplingValues(const CouplingMatrices& from, JobContext& job)
        : lmax(from.lmax), scalar(from.scalar.values(job)) {
        for (size_t i = 0; i < cross.size(); ++i) cross[i] = from.cross[i].values(job);
        for (size_t i = 0; i < plus.size(); ++i) {
            plus[i] = from.plus[i].values(job);
            minus[i] = from.minus[i].values(job);
        }
    }
    double at(const std::vector<double>& x, int l, int other) const {
        return x[static_cast<size_t>(l) * static_cast<size_t>(lmax + 1) +
                 static_cast<size_t>(other)];
    }
    int lmax;
    std::vector<double> scalar;
    std::array<std::vector<double>, 2> cross;
    std::array<std::vector<double>, 3> plus, minus;
};

}  // namespace armilla::test

// SPDX-License-Identifier: GPL-3.0-or-later
// Coupling matrices as sums of integrals.
#pragma once

#include <array>
#include <vector>

#include "armilla/ops/coupling.h"

namespace armilla {

// An integral that is added to one or two matrices, times a factor of the row.
struct CouplingTerm {
    WignerOrders rows, columns, kernel;
    std::vector<double> weights;                 // multiply the functions of the kernel
    std::array<std::vector<double>, 2> factors;  // by l, for each matrix
};
struct CouplingSum {
    std::vector<CouplingTerm> terms;
    std::vector<CouplingMatrix*> to;  // one or two, empty before
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Coupling of multipoles by a mask: the matrices of the MASTER method (E. Hivon et al. 2002,
// doi:10.1086/338126) for fields of spin 0 and 2, and for purified E and B.
//
// A mask w with the pseudo-spectrum W_L mixes the multipoles of a spectrum C_l into the
// pseudo-spectrum sum_l' M_ll' C_l'. M_ll' = (2l' + 1) X_ll', and X is half an integral over
// cos(theta) of two Wigner functions d^l, d^l' and the correlation function of the mask.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/ops/device.h"

namespace armilla {

// The two orders of Wigner's functions d^l_mn(theta), |m|, |n| <= 2.
struct WignerOrders {
    int m = 0, n = 0;
    bool operator==(const WignerOrders&) const = default;
};

// X_ll' = 1/2 int xi(theta) d^l_rows d^l'_columns d cos(theta) for l, l' = 0 .. lmax, with
// xi = sum_L weights[L] d^L_kernel. The integrand must be a polynomial in cos(theta), as it is for
// the products of 3j symbols below.
struct CouplingIntegral {
    WignerOrders rows, columns, kernel;
    std::span<const double> weights;
};
// The matrix in row order, (lmax + 1)^2 values, 0 where l or l' is below an order.
//
// Since x d^l_mn is a sum of d^{l-1}, d^l and d^{l+1}, row l + 1 follows from rows l and l - 1.
// The rounding errors of that recurrence grow as a power of the ratio of the last l to the first
// (4.5 at most), so that pairs of rows at l = 4, 8, 16, ... are integrated anew, by the
// Gauss-Legendre rule that is exact for them. The whole takes O(lmax^2 log lmax) steps; products of
// matrices would take O(lmax^3). Errors are absolute: below 1e-12 of the largest |xi| / 2 over
// 2l + 1, and smaller far from the diagonal, where the recurrence sees small values only
// (tests/compute/tst_coupling.cpp). The same bits for any number of threads.
std::vector<double> couplingIntegral(const CouplingIntegral& integral, int lmax, JobContext& job);

// X for the pairs of fields of spin 0 and 2, (lmax + 1)^2 values each, row l of the
// pseudo-spectrum. An index counts the purified fields of a pair (K. M. Smith 2006,
// doi:10.1103/PhysRevD.74.083002); matrices that were not asked for are empty.
struct CouplingMatrices {
    int lmax = -1;
    std::vector<double> scalar;                // spin 0 with spin 0
    std::array<std::vector<double>, 2> cross;  // spin 0 with spin 2
    std::array<std::vector<double>, 3> plus;   // spin 2: EE to EE, EB to EB
    std::array<std::vector<double>, 3> minus;  // spin 2: BB to EE, -BE to EB
    double at(const std::vector<double>& x, int l, int other) const {
        return x[static_cast<size_t>(l) * static_cast<size_t>(lmax + 1) +
                 static_cast<size_t>(other)];
    }
};
struct CouplingRequest {
    bool scalar = true, polarization = false;
    // Polarization: fields as they are, purified fields; one of each only with both.
    bool standard = true, purified = false;
};
// `maskSpectrum`: W_L of the mask, or the cross spectrum of two, from L = 0; beyond its end 0.
// Values above 2 lmax couple nothing. A CUDA device agrees with the CPU to the errors of
// couplingIntegral. Throws OutOfMemory, and of a device also DeviceError.
CouplingMatrices couplingMatrices(std::span<const double> maskSpectrum, int lmax,
                                  const CouplingRequest& request, const Device& device,
                                  JobContext& job);

}  // namespace armilla

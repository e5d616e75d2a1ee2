// SPDX-License-Identifier: GPL-3.0-or-later
// Coupling of multipoles by a mask: the matrices of the MASTER method (E. Hivon et al. 2002,
// doi:10.1086/338126) for fields of spin 0 and 2, and for purified E and B.
//
// A mask w with the pseudo-spectrum W_L mixes the multipoles of a spectrum C_l into the
// pseudo-spectrum sum_l' M_ll' C_l'. M_ll' = (2l' + 1) X_ll', and X is half an integral over
// cos(theta) of two Wigner functions d^l, d^l' and the correlation function of the mask.
#pragma once

#include <array>
#include <memory>
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

struct MultipoleBin {
    int first = 0, last = 0;  // both included
    double mean() const { return 0.5 * (first + last); }
};

class CouplingOnDevice;

// X_ll' for l, l' = 0 .. lmax, in host memory or in that of the device that computed it. A copy
// shares memory on a device. The functions throw Cancelled, OutOfMemory, and of a device also
// DeviceError; their sums have the same bits for any number of threads.
class CouplingMatrix {
public:
    CouplingMatrix() = default;
    // (lmax + 1)^2 values in row order.
    CouplingMatrix(int lmax, std::vector<double> values);
    CouplingMatrix(int lmax, std::shared_ptr<const CouplingOnDevice> values);

    // sum_l factor X_ll' over the rows l of each bin, for l' = 0 .. lmax: bins times lmax + 1
    // values. `factors`: those of the rows of all bins, bin by bin.
    std::vector<double> rowSums(std::span<const MultipoleBin> bins, std::span<const double> factors,
                                JobContext& job) const;
    // sum_ll' left X_ll' right over l in one bin and l' in another: bins times bins values.
    std::vector<double> binSums(std::span<const MultipoleBin> bins, std::span<const double> left,
                                std::span<const double> right, JobContext& job) const;
    // The second step of binSums: sums over l' of the rows that rowSums() returns.
    static std::vector<double> columnSums(std::span<const double> rows,
                                          std::span<const MultipoleBin> bins,
                                          std::span<const double> right, JobContext& job);
    // sum_l' X_ll' right_l'. `right`: from l' = 0 to lmax.
    std::vector<double> product(std::span<const double> right, JobContext& job) const;
    std::vector<double> values(JobContext& job) const;
    bool isOnDevice() const { return onDevice_ != nullptr; }

private:
    int lmax_ = -1;
    std::vector<double> values_;
    std::shared_ptr<const CouplingOnDevice> onDevice_;
};

// X for the pairs of fields of spin 0 and 2, row l of the pseudo-spectrum. An index counts the
// purified fields of a pair (K. M. Smith 2006, doi:10.1103/PhysRevD.74.083002); matrices that were
// not asked for are empty.
struct CouplingMatrices {
    int lmax = -1;
    CouplingMatrix scalar;                // spin 0 with spin 0
    std::array<CouplingMatrix, 2> cross;  // spin 0 with spin 2
    std::array<CouplingMatrix, 3> plus;   // spin 2: EE to EE, EB to EB
    std::array<CouplingMatrix, 3> minus;  // spin 2: BB to EE, -BE to EB
};
struct CouplingRequest {
    bool scalar = true, polarization = false;
    // Polarization: fields as they are, purified fields; one of each only with both.
    bool standard = true, purified = false;
    bool minus = true;  // polarization: also BB to EE and -BE to EB
};
// `maskSpectrum`: W_L of the mask, or the cross spectrum of two, from L = 0; beyond its end 0.
// Values above 2 lmax couple nothing. A CUDA device agrees with the CPU to the errors of
// couplingIntegral, and keeps the matrices in its memory. Several CUDA devices share the matrices:
// plus and minus of a pair of fields go together. Throws OutOfMemory, and of a device also
// DeviceError.
CouplingMatrices couplingMatrices(std::span<const double> maskSpectrum, int lmax,
                                  const CouplingRequest& request, const Device& device,
                                  JobContext& job);

}  // namespace armilla

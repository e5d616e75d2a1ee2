// SPDX-License-Identifier: GPL-3.0-or-later
// Coupling matrices of spins 0 and 2 from the pseudo-spectrum of a mask.
#include "armilla/ops/coupling.h"

#include <algorithm>

#include "armilla/core/sky_vector.h"
#include "spectrum/spin_derivatives.h"

namespace armilla {

namespace {

// A purified coefficient of E or B is that of the masked field and two more terms, in which s = 1,
// 2 derivatives act on the mask: with the factor of spin 2 - s of the harmonic over that of spin 2.
double termFactor(int s, int l) {
    constexpr double kBinomial[] = {1.0, 2.0, 1.0};
    return s == 0 ? 1.0 : kBinomial[s] * derivativeFactor(2 - s, l) / derivativeFactor(2, l);
}

class Couplings {
public:
    Couplings(std::span<const double> mask, int lmax, JobContext& job)
        : mask_(mask.first(std::min(mask.size(), 2 * static_cast<size_t>(lmax) + 1))),
          lmax_(lmax),
          job_(job) {}

    // The term with s derivatives of the first mask and t of the second. The product of the 3j
    // symbols of orders (2 - s, -2, s) and (2 - t, -2, t) is half the integral of d^l_{2-s,2-t},
    // d^l'_{2,2} = d^l'_{-2,-2} and d^L_st. The second symbol with all signs turned carries
    // (-1)^(l+l'+L), which tells E from B.
    std::vector<double> integral(int s, int t, WignerOrders rows, WignerOrders columns,
                                 WignerOrders kernel) const {
        std::vector<double> weights(mask_.size());
        for (size_t i = 0; i < weights.size(); ++i) {
            const auto l = static_cast<double>(i);
            weights[i] = (2.0 * l + 1.0) / (4.0 * kPi) * mask_[i] * derivativeFactor(s, l) *
                         derivativeFactor(t, l);
        }
        return couplingIntegral({rows, columns, kernel, weights}, lmax_, job_);
    }
    // x += termFactor(s) termFactor(t) term, row by row.
    void add(std::vector<double>& x, const std::vector<double>& term, int s, int t,
             double factor) const {
        const auto size = static_cast<size_t>(lmax_) + 1;
        if (x.empty()) x.assign(size * size, 0.0);
        for (size_t l = 2; l < size; ++l) {
            const double f =
                factor * termFactor(s, static_cast<int>(l)) * termFactor(t, static_cast<int>(l));
            for (size_t k = 0; k < size; ++k) x[l * size + k] += f * term[l * size + k];
        }
    }
    // Spin 0 with spin 2, `pure` of the latter: 0 or 1.
    std::vector<double> cross(int pure) const {
        std::vector<double> x;
        for (int s = 0; s <= 2 * pure; ++s)
            add(x, integral(s, 0, {2 - s, 0}, {2, 0}, {s, 0}), s, 0, 1.0);
        return x;
    }
    // Spin 2 with spin 2, `pure` of them purified: the first, or both.
    void polarized(int pure, std::vector<double>& plus, std::vector<double>& minus) const {
        for (int s = 0; s <= (pure >= 1 ? 2 : 0); ++s)
            for (int t = 0; t <= (pure == 2 ? 2 : 0); ++t) {
                const std::vector<double> same = integral(s, t, {2 - s, 2 - t}, {2, 2}, {s, t});
                const std::vector<double> opposite =
                    integral(s, t, {2 - s, t - 2}, {2, -2}, {s, -t});
                add(plus, same, s, t, 0.5);
                add(minus, same, s, t, 0.5);
                add(plus, opposite, s, t, 0.5);
                add(minus, opposite, s, t, -0.5);
            }
    }

private:
    std::span<const double> mask_;
    int lmax_;
    JobContext& job_;
};

}  // namespace

CouplingMatrices couplingMatrices(std::span<const double> maskSpectrum, int lmax,
                                  const CouplingRequest& request, JobContext& job) {
    const Couplings couplings(maskSpectrum, lmax, job);
    CouplingMatrices result;
    result.lmax = lmax;
    if (request.scalar) result.scalar = couplings.integral(0, 0, {0, 0}, {0, 0}, {0, 0});
    if (!request.polarization) return result;
    if (request.standard) {
        result.cross[0] = couplings.cross(0);
        couplings.polarized(0, result.plus[0], result.minus[0]);
    }
    if (request.purified) {
        result.cross[1] = couplings.cross(1);
        for (int pure = request.standard ? 1 : 2; pure <= 2; ++pure)
            couplings.polarized(pure, result.plus[static_cast<size_t>(pure)],
                                result.minus[static_cast<size_t>(pure)]);
    }
    return result;
}

}  // namespace armilla

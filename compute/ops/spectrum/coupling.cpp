// SPDX-License-Identifier: GPL-3.0-or-later
// Coupling matrices of spins 0 and 2 from the pseudo-spectrum of a mask.
#include "armilla/ops/coupling.h"

#include <algorithm>
#include <array>
#include <utility>

#include "armilla/core/new_vector.h"
#include "armilla/core/sky_vector.h"
#include "armilla/device/side_by_side.h"
#include "spectrum/coupling_cuda.h"
#include "spectrum/coupling_terms.h"
#include "spectrum/spin_derivatives.h"

namespace armilla {

namespace {

// A purified coefficient of E or B is that of the masked field and two more terms, in which s = 1,
// 2 derivatives act on the mask: with the factor of spin 2 - s of the harmonic over that of spin 2.
double termFactor(int s, int l) {
    constexpr double kBinomial[] = {1.0, 2.0, 1.0};
    return s == 0 ? 1.0 : kBinomial[s] * derivativeFactor(2 - s, l) / derivativeFactor(2, l);
}

// Terms of the matrices of a mask.
class Couplings {
public:
    Couplings(std::span<const double> mask, int lmax)
        : mask_(mask.first(std::min(mask.size(), 2 * static_cast<size_t>(lmax) + 1))),
          lmax_(lmax) {}

    CouplingSum scalar(CouplingMatrix& x) const {
        return {{term(0, 0, {0, 0}, {0, 0}, {0, 0}, {1.0, 0.0})}, {&x}};
    }
    // Spin 0 with spin 2, `pure` of the latter: 0 or 1.
    CouplingSum cross(int pure, CouplingMatrix& x) const {
        CouplingSum sum{{}, {&x}};
        for (int s = 0; s <= 2 * pure; ++s)
            sum.terms.push_back(term(s, 0, {2 - s, 0}, {2, 0}, {s, 0}, {1.0, 0.0}));
        return sum;
    }
    // Spin 2 with spin 2, `pure` of them purified: the first, or both. `minus` may be null.
    CouplingSum polarized(int pure, CouplingMatrix& plus, CouplingMatrix* minus) const {
        CouplingSum sum{{}, {&plus}};
        if (minus != nullptr) sum.to.push_back(minus);
        for (int s = 0; s <= (pure >= 1 ? 2 : 0); ++s)
            for (int t = 0; t <= (pure == 2 ? 2 : 0); ++t) {
                sum.terms.push_back(term(s, t, {2 - s, 2 - t}, {2, 2}, {s, t}, {0.5, 0.5}));
                sum.terms.push_back(term(s, t, {2 - s, t - 2}, {2, -2}, {s, -t}, {0.5, -0.5}));
            }
        return sum;
    }

private:
    // The term with s derivatives of the first mask and t of the second. The product of the 3j
    // symbols of orders (2 - s, -2, s) and (2 - t, -2, t) is half the integral of d^l_{2-s,2-t},
    // d^l'_{2,2} = d^l'_{-2,-2} and d^L_st. The second symbol with all signs turned carries
    // (-1)^(l+l'+L), which tells E from B.
    CouplingTerm term(int s, int t, WignerOrders rows, WignerOrders columns, WignerOrders kernel,
                      std::array<double, 2> signs) const {
        CouplingTerm made{rows, columns, kernel, std::vector<double>(mask_.size()), {}};
        for (size_t i = 0; i < mask_.size(); ++i) {
            const auto l = static_cast<double>(i);
            made.weights[i] = (2.0 * l + 1.0) / (4.0 * kPi) * mask_[i] * derivativeFactor(s, l) *
                              derivativeFactor(t, l);
        }
        const int least = columns == WignerOrders{} ? 0 : 2;
        for (size_t i = 0; i < 2; ++i)
            for (int l = 0; l <= lmax_; ++l)
                made.factors[i].push_back(
                    l < least ? 0.0 : signs[i] * termFactor(s, l) * termFactor(t, l));
        return made;
    }

    std::span<const double> mask_;
    int lmax_;
};

void sumOnCpu(const CouplingSum& sum, int lmax, JobContext& job) {
    const int64_t size = int64_t{lmax} + 1;
    const auto eachRow = [&](const std::vector<double>& factors, const auto& apply) {
        parallelFor(job, size, 16, [&](long long begin, long long end) {
            for (int64_t l = begin; l < end; ++l)
                for (int64_t k = l * size; k < (l + 1) * size; ++k)
                    apply(factors[static_cast<size_t>(l)], static_cast<size_t>(k));
        });
    };
    std::vector<std::vector<double>> made(sum.to.size());
    for (const CouplingTerm& term : sum.terms) {
        std::vector<double> x =
            couplingIntegral({term.rows, term.columns, term.kernel, term.weights}, lmax, job);
        for (size_t i = 0; i < made.size(); ++i) {
            std::vector<double>& to = made[i];
            if (to.empty() && i + 1 == made.size()) {
                to = std::move(x);
                eachRow(term.factors[i], [&](double factor, size_t k) { to[k] *= factor; });
                continue;
            }
            if (to.empty()) to = newVector<double>(size * size, job);
            eachRow(term.factors[i], [&](double factor, size_t k) { to[k] += factor * x[k]; });
        }
    }
    for (size_t i = 0; i < made.size(); ++i) *sum.to[i] = CouplingMatrix(lmax, std::move(made[i]));
}

// The matrices of a sum stay on one device. The costliest remaining sum goes to the least loaded
// device, so that the bits are those of one device.
void sumOnDevices(std::vector<CouplingSum> sums, int lmax, const Device& device, JobContext& job) {
    std::vector<int> devices{device.index};
    devices.insert(devices.end(), device.others.begin(), device.others.end());
    devices.resize(std::min(devices.size(), sums.size()));
    if (devices.size() <= 1) return couplingSumsOnDevice(sums, lmax, device.index, job);
    std::stable_sort(sums.begin(), sums.end(), [](const CouplingSum& a, const CouplingSum& b) {
        return a.terms.size() > b.terms.size();
    });
    std::vector<std::vector<CouplingSum>> shares(devices.size());
    std::vector<size_t> terms(devices.size());
    for (CouplingSum& sum : sums) {
        const auto least =
            static_cast<size_t>(std::min_element(terms.begin(), terms.end()) - terms.begin());
        terms[least] += sum.terms.size();
        shares[least].push_back(std::move(sum));
    }
    sideBySide(job, devices.size(), [&](size_t i, JobContext& own) {
        couplingSumsOnDevice(shares[i], lmax, devices[i], own);
    });
}

}  // namespace

CouplingMatrices couplingMatrices(std::span<const double> maskSpectrum, int lmax,
                                  const CouplingRequest& request, const Device& device,
                                  JobContext& job) {
    const Couplings couplings(maskSpectrum, lmax);
    CouplingMatrices result;
    result.lmax = lmax;
    std::vector<CouplingSum> sums;
    if (request.scalar) sums.push_back(couplings.scalar(result.scalar));
    const bool standard = request.polarization && request.standard,
               purified = request.polarization && request.purified;
    for (int pure = standard ? 0 : 1; pure <= (purified ? 2 : standard ? 0 : -1); ++pure) {
        const auto at = static_cast<size_t>(pure);
        if (pure < 2) sums.push_back(couplings.cross(pure, result.cross[at]));
        // One purified field occurs beside one that is not.
        if (pure != 1 || standard)
            sums.push_back(couplings.polarized(pure, result.plus[at],
                                               request.minus ? &result.minus[at] : nullptr));
    }
    if (device.kind != DeviceKind::Cpu)
        sumOnDevices(std::move(sums), lmax, device, job);
    else
        for (size_t i = 0; i < sums.size(); ++i) {
            job.report(static_cast<double>(i) / static_cast<double>(sums.size()),
                       "coupling matrices");
            sumOnCpu(sums[i], lmax, job);
        }
    return result;
}

}  // namespace armilla

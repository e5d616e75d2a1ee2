// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/gaussian.h"
#include "armilla/ops/kernel.h"
#include "armilla/ops/spectrum.h"
#include "shared/legendre_sums.h"
#include "shared/shape_checks.h"

namespace armilla {

Beam gaussianBeam(double fwhm, int lmax) {
    checkWindowLmax(lmax);
    if (!(fwhm >= 0.0) || !std::isfinite(fwhm))
        throw InvalidArgument("expected a beam width of 0 or more, found " + std::to_string(fwhm) +
                              " rad");
    const double variance = fwhm * fwhm / (kFwhmOfSigma * kFwhmOfSigma);
    const double polarized = std::exp(2.0 * variance);
    Beam beam;
    for (int l = 0; l <= lmax; ++l) {
        const double value = gaussianBeamAt(l, variance);
        beam.bl[0].push_back(value);
        beam.bl[1].push_back(value * polarized);
    }
    beam.bl[2] = beam.bl[1];
    return beam;
}

Beam beamFromKernel(const RadialKernel& kernel, int lmax, JobContext& job) {
    checkWindowLmax(lmax);
    return Kernel::profile(kernel).normalized(KernelNorm::Integral).coefficients(lmax, job);
}

std::vector<double> kernelProfile(std::span<const double> bl, std::span<const double> angles) {
    for (const double theta : angles)
        if (!(theta >= 0.0 && theta <= kPi * (1.0 + 1e-6)))
            throw InvalidArgument("expected angles from 0 to pi for a kernel profile, found " +
                                  std::to_string(theta) + " rad");
    std::vector<double> c(bl.begin(), bl.end());
    for (size_t l = 0; l < c.size(); ++l)
        c[l] *= (2.0 * static_cast<double>(l) + 1.0) / (4.0 * kPi);
    return legendreSeries(c, angles);
}

}  // namespace armilla

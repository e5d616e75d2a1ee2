// SPDX-License-Identifier: GPL-3.0-or-later
// Angular power spectra, random skies, beams and pixel windows in harmonic space.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/harmonics.h"
#include "core/job_context.h"

namespace armilla {

// C_l = 1/(2l+1) sum_m a_lm conj(b_lm), m over -l..l. One alm gives TT; three give all six.
Spectra powerSpectra(std::span<const Alm> a, std::span<const Alm> b);
inline Spectra powerSpectra(std::span<const Alm> a) {
    return powerSpectra(a, a);
}

// Gaussian alm of these spectra (T, or T, E, B if EE is there), reproducible for a seed on any
// machine and thread count: the random numbers of (l, m) depend on seed, l and m only.
// Throws InvalidArgument if the covariance at some l is not positive semi-definite.
std::vector<Alm> randomAlm(const Spectra& spectra, int lmax, uint64_t seed);

// exp(-l(l+1) sigma^2 / 2), sigma = fwhm / sqrt(8 ln 2); E and B carry the spin-2 factor
// exp(2 sigma^2) as HEALPix and healpy do (A. Challinor et al. 2000).
Beam gaussianBeam(double fwhm, int lmax);
// B_l = 2 pi int K(theta) P_l(cos theta) d cos(theta), normalized to B_0 = 1.
Beam beamFromKernel(const RadialKernel& kernel, int lmax);
// K(theta) = sum_l (2l+1)/(4 pi) B_l P_l(cos theta), at the given angles.
std::vector<double> kernelProfile(std::span<const double> bl, std::span<const double> angles);
// Pixel window of T and of polarization: the HEALPix data files where installed, else computed.
Beam pixelWindow(int64_t nside, int lmax, JobContext& job);
// a_lm *= B_l, for T, E, B by position.
void applyBeam(std::span<Alm> alm, const Beam& beam);
// Removes monopole and dipole fitted outside bad (NaN) pixels of a RING map, in place; returns
// {monopole, dipole x, y, z}.
std::array<double, 4> removeMonopoleDipole(int64_t nside, std::span<double> ringMap);

}  // namespace armilla

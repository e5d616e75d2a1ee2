// SPDX-License-Identifier: GPL-3.0-or-later
// Angular power spectra, random skies, beams and pixel windows in harmonic space.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/harmonics.h"
#include "core/job_context.h"
#include "core/sky_vector.h"
#include "device/device.h"

namespace armilla {

// C_l = 1/(2l+1) sum_m a_lm conj(b_lm), m over -l..l, up to the smaller lmax. One alm gives TT;
// three give TT EE BB TE TB EB, a cross spectrum with the first letter from `a`, as healpy's
// alm2cl. Throws InvalidArgument unless both have one or both have three alm. Coefficients above
// mmax count as zero. Relative rounding error a few epsilon sqrt(l); the same bits for any number
// of threads.
Spectra powerSpectra(std::span<const Alm> a, std::span<const Alm> b, JobContext& job);
inline Spectra powerSpectra(std::span<const Alm> a, JobContext& job) {
    return powerSpectra(a, a, job);
}

// Gaussian alm of these spectra (T, or T, E, B if EE is there), the same bits for a seed and any
// number of threads: the random numbers of (l, m) depend on seed, l and m only (Philox 4x32-10,
// J. K. Salmon et al. 2011, doi:10.1145/2063384.2063405; normal deviates by G. E. P. Box & M. E.
// Muller 1958, whose logarithm, sine and cosine are those of the C library: another one may differ
// in the last bit). <a_lm conj(b_lm)> = C_l^ab; zero beyond the last l of the spectra.
// Throws InvalidArgument if a C_l is not finite or the covariance at some l is not positive
// semi-definite (to 1e-5, the rounding of single precision tables).
std::vector<Alm> randomAlm(const Spectra& spectra, int lmax, uint64_t seed, JobContext& job);

// exp(-l(l+1) sigma^2 / 2), sigma = fwhm / sqrt(8 ln 2); E and B carry the spin-2 factor
// exp(2 sigma^2) as HEALPix and healpy do (A. Challinor et al. 2000). fwhm in radians, >= 0.
Beam gaussianBeam(double fwhm, int lmax);
// B_l = 2 pi int K(theta) P_l(cos theta) d cos(theta), normalized to B_0 = 1, for T, E and B alike
// (a scalar kernel; the spin-2 factor is 1 + O(width^2)). K is linear between the given angles and
// zero outside them; each piece is integrated by Gauss-Legendre rules that resolve P_lmax, so that
// only rounding is left: 1e-11 (tests/compute/tst_spectrum.cpp); the same bits for any number of
// threads. About lmax^2 steps, and 6 lmax for each angle. Throws InvalidArgument for angles
// that do not ascend within [0, pi], values that are not finite, or a kernel whose integral is
// (nearly) zero.
Beam beamFromKernel(const RadialKernel& kernel, int lmax, JobContext& job);
// K(theta) = sum_l (2l+1)/(4 pi) B_l P_l(cos theta), at the given angles (radians).
std::vector<double> kernelProfile(std::span<const double> bl, std::span<const double> angles);
// Pixel window of T and of polarization: the HEALPix data files where installed ($HEALPIX/data,
// /usr/share/healpix/data, /usr/share/healpy/data; up to l = 4 nside), else computed.
Beam pixelWindow(int64_t nside, int lmax, JobContext& job);
// Pixel window by definition: w_l^2 = 4 pi / (2l+1) <sum_m |w_lm(p)|^2>_p, w_lm(p) the mean of
// Y_lm over pixel p (HEALPix facilities manual, "Pixel window functions"); polarization likewise
// with the spin-2 harmonics, w_0 = w_1 = 0 there. The sum over all pixels up to nside 32,
// extrapolated in 1 / nside from there. Within 3e-5 of the HEALPix files up to l = 4 nside from
// nside 4 on (tests/compute/tst_spectrum.cpp). Any nside, lmax up to 8 nside (throws
// InvalidArgument); about 0.2 s on two cores.
Beam computedPixelWindow(int64_t nside, int lmax, JobContext& job);
// a_lm *= B_l, for T, E, B by position; zero beyond the end of B_l.
void applyBeam(std::span<Alm> alm, const Beam& beam, JobContext& job);
// The coefficients of the sky turned by `rotation`, a direction n being at `rotation` n: in place,
// a'_lm = sum_m' D^l_mm' a_lm', with mmax = lmax. E and B turn like T, and Q and U of them with the
// frame. D is factored into turns about z and two quarter turns about y, whose matrices d^l(pi/2)
// are applied as a recursion over m makes them (S. Trapani, J. Navaza 2006,
// doi:10.1107/S0108767306017478). All alm have one lmax. 2/3 lmax^3 steps of three operations, 16
// lmax^2 bytes a field. Rounding below 8 lmax epsilon of the largest value
// (tests/compute/tst_spectrum.cpp); the same bits for any number of threads.
// On a CUDA device it takes 40 lmax^2 bytes there; throws OutOfMemory, DeviceError, Unsupported.
void rotateAlm(std::span<Alm> alm, const Mat3& rotation, const Device& device, JobContext& job);

}  // namespace armilla

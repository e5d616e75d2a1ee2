// SPDX-License-Identifier: GPL-3.0-or-later
// Angular power spectra, random skies, beams and pixel windows in harmonic space.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"
#include "armilla/device/device.h"

namespace armilla {

// C_l = 1/(2l+1) sum_m a_lm conj(b_lm), m over -l..l, up to the smaller lmax. One alm gives TT;
// three give TT EE BB TE TB EB, a cross spectrum with the first letter from `a`, as healpy's
// alm2cl. Coefficients above mmax count as zero. Throws InvalidArgument unless both have one or
// both have three alm. Relative rounding error a few epsilon sqrt(l); the same bits for any number
// of threads.
Spectra powerSpectra(std::span<const Alm> a, std::span<const Alm> b, JobContext& job);
// Auto spectra of one alm, or auto and cross spectra of three.
inline Spectra powerSpectra(std::span<const Alm> a, JobContext& job) {
    return powerSpectra(a, a, job);
}

// One spectrum of the above.
std::vector<double> crossSpectrum(const Alm& a, const Alm& b, JobContext& job);
// The spectra of several pairs in one pass over the coefficients, with the same bits.
struct AlmPair {
    const Alm *first, *second;
};
std::vector<std::vector<double>> crossSpectra(std::span<const AlmPair> pairs, JobContext& job);
// The first of several devices, which computes the spectra of T, Q, U of this nside faster alone
// (ShtPlan::weightedSpectra), or all devices where one does not hold the map.
Device deviceForSpectra(const Device& device, int64_t nside);

// Gaussian alm of these spectra (T, or T, E, B if EE or BB is present): <a_lm conj(b_lm)> = C_l^ab,
// zero beyond the last l of the spectra and for absent spectra. A seed gives the same bits for any
// number of threads: the random numbers of (l, m) depend on seed, l and m only (Philox 4x32-10, J.
// K. Salmon et al. 2011, doi:10.1145/2063384.2063405). Normal deviates are those of G. E. P. Box &
// M. E. Muller 1958. Their logarithm, sine and cosine come from the C library: another library may
// differ in the last bit. Throws InvalidArgument if a C_l is not finite or the covariance at some l
// is not positive semi-definite (to 1e-5, the rounding of single precision tables).
std::vector<Alm> randomAlm(const Spectra& spectra, int lmax, uint64_t seed, JobContext& job);

// exp(-l(l+1) sigma^2 / 2), sigma = fwhm / sqrt(8 ln 2); E and B carry the spin-2 factor
// exp(2 sigma^2) as HEALPix and healpy do (A. Challinor et al. 2000). fwhm in radians, >= 0.
Beam gaussianBeam(double fwhm, int lmax);
// B_l = 2 pi int K(theta) P_l(cos theta) d cos(theta), normalized to B_0 = 1, for T, E and B alike
// (a scalar kernel; the spin-2 factor is 1 + O(width^2)). K is linear between the given angles
// (radians) and zero outside them. Gauss-Legendre rules that resolve P_lmax integrate each piece,
// so only rounding is left: 1e-11 (tests/compute/tst_spectrum.cpp). The same bits for any number of
// threads. About lmax^2 steps, and 6 lmax for each angle. Throws InvalidArgument for angles that do
// not ascend within [0, pi], values that are not finite, and a kernel whose integral is (nearly)
// zero.
Beam beamFromKernel(const RadialKernel& kernel, int lmax, JobContext& job);
// K(theta) = sum_l (2l+1)/(4 pi) B_l P_l(cos theta), at the given angles (radians).
std::vector<double> kernelProfile(std::span<const double> bl, std::span<const double> angles);
// Pixel window of T and of polarization, l = 0 .. lmax. It comes from an installed HEALPix data
// file ($HEALPIX/data, /usr/share/healpix/data, /usr/share/healpy/data; up to l = 4 nside), else
// from computedPixelWindow().
Beam pixelWindow(int64_t nside, int lmax, JobContext& job);
// Pixel window by definition: w_l^2 = 4 pi / (2l+1) <sum_m |w_lm(p)|^2>_p, w_lm(p) the mean of Y_lm
// over pixel p (HEALPix facilities manual, "Pixel window functions"). Polarization uses the spin-2
// harmonics, with w_0 = w_1 = 0. The sum runs over all pixels up to nside 32 and is extrapolated in
// 1 / nside from there. Within 3e-5 of the HEALPix files up to l = 4 nside from nside 4 on
// (tests/compute/tst_spectrum.cpp). Any nside, lmax up to 8 nside (throws InvalidArgument); about
// 0.2 s on two cores.
Beam computedPixelWindow(int64_t nside, int lmax, JobContext& job);
// a_lm *= B_l, for T, E, B by position; zero beyond the end of B_l.
void applyBeam(std::span<Alm> alm, const Beam& beam, JobContext& job);
// The coefficients of the sky rotated by `rotation` (a direction n moves to `rotation` n): in
// place, a'_lm = sum_m' D^l_mm' a_lm'. All alm have one lmax, and mmax = lmax. E and B transform
// like T, and their Q and U rotate with the frame. D is factored into rotations about z and two
// quarter turns about y. The matrices d^l(pi/2) of the quarter turns are applied while a recursion
// over m produces them (S. Trapani, J. Navaza 2006, doi:10.1107/S0108767306017478).
//
// Cost: 2/3 lmax^3 steps of three operations; memory 16 lmax^2 bytes a field, on a CUDA device 40
// lmax^2 bytes. Rounding below 8 lmax epsilon of the largest value
// (tests/compute/tst_spectrum.cpp); the same bits for any number of threads. Throws OutOfMemory,
// DeviceError, Unsupported.
void rotateAlm(std::span<Alm> alm, const Mat3& rotation, const Device& device, JobContext& job);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The latitude part of spherical harmonic transforms on the CPU: for one m, sums over l at many
// rings, and their transposes. SIMD by run-time dispatch (legendre_scalar_simd.cpp,
// legendre_spin_simd.cpp).
//
// Spin 0. With eps_l = sqrt((l^2 - m^2) / (4 l^2 - 1)) the normalized functions lambda_lm obey
//   x lambda_l = eps_{l+1} lambda_{l+1} + eps_l lambda_{l-1},   x = cos(theta).
// All of them follow from q_k = lambda_{m+2k+1} / x, a polynomial in x^2 (K. Ishioka, J. Meteorol.
// Soc. Japan 96 (2018) 241):
//   lambda_{m+2k+1} = x q_k,    lambda_{m+2k} = eps_{m+2k+1} q_k + eps_{m+2k} q_{k-1}.
// So one two-step recurrence serves l and l + 1, and coefficients are mixed once for each m. The
// recurrence is scaled, q_k = s_k p_k, to p_{k+1} = (a_k x^2 + b_k) p_k - p_{k-1}. A step takes two
// multiply-adds, plus four for the sums (real, imaginary; even, odd).
//
// Spin s > 0. S^{+-}_lm(theta) is _{+-s}Y_lm without e^{i m phi}; with
//   alpha_l = sqrt((l^2 - m^2)(l^2 - s^2) / (4 l^2 - 1)) / l,  beta_l = m s / (l (l + 1)),
//   x S^{+-}_l = alpha_{l+1} S^{+-}_{l+1} -+ beta_l S^{+-}_l + alpha_l S^{+-}_{l-1},
//   S^+_lm(pi - theta) = (-1)^{l+m} S^-_lm(theta)
// (D. A. Varshalovich et al. 1988, sections 4.4 and 4.8), scaled in the same way. This recurrence
// is used in the polar caps; elsewhere two series of spin 0 are used (spin_mixing.h).
//
// Values far below the range of doubles (sin^m near the poles) are carried with a power of 2^800,
// and added to sums only once they are within the range. Start values sin^m are formed in
// double-double arithmetic, so that their relative error does not grow with m.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "armilla/ops/ring_grid.h"
#include "sht/legendre/spin_mixing.h"
#include "sht/storage/aligned_array.h"

namespace armilla {

// Rings are processed in groups of this size: four vectors of the widest instruction set.
inline constexpr int kRingGroup = 32;

// Latitudes of the northern rings of ring pairs, from the pole to the equator, padded to a multiple
// of kRingGroup by copies of the last. "High" and "low" are the two parts of a double-double.
struct RingLatitudes {
    RingLatitudes() = default;
    explicit RingLatitudes(std::span<const Ring> northern);
    int count = 0;  // including the padding
    AlignedArray<double> z;
    // The variable of the recurrences. Form 0, near the equator: z^2 (scalar) and z (spin). Form 1,
    // near the poles, where z near 1 would lose the angle: -sin^2(theta) and z - 1. One form for
    // each group of rings.
    AlignedArray<double> scalarArgument, spinArgument;
    std::vector<int> form;
    // Rings up to the last group with a ring in the cap of kSpinCapSine, and their largest
    // sin(theta).
    int spinCap = 0;
    double spinCapSine = 0.0;
    AlignedArray<double> sinHigh, sinLow;
    // sqrt(2) sin(theta / 2), sqrt(2) cos(theta / 2)
    AlignedArray<double> sinHalfHigh, sinHalfLow, cosHalfHigh, cosHalfLow;
};

// Number of modes m = 0 .. with a contribution on a ring for some l <= lmax of this spin or less
// (usefulOrder), at most mmax + 1.
int usefulModes(int lmax, int mmax, int spin, double sinTheta, double z);

// The rings with modes of an m.
class UsefulRings {
public:
    UsefulRings() = default;
    UsefulRings(const RingLatitudes& rings, int lmax, int mmax, int spin);
    // Number of rings, in complete groups, before the first ring with modes of this m.
    int first(int m) const;

private:
    std::vector<int> modes_;  // one for each kRingGroup, by usefulModes
};

// Fourier coefficients F_m of rings, one plane of doubles for each of north real, north imaginary,
// south real, south imaginary; for spin transforms two such quadruples, Q then U.
inline constexpr int kPlanes = 4;

// lambda_mm^2 / sin^{2m}(theta), a product of m factors; continues from the previous m.
class SectoralSquare {
public:
    long double of(int m);

private:
    int at_ = 0;
    long double value_ = 1.0L / (4.0L * 3.14159265358979323846264338327950288L);
};

struct ScalarKernelArguments;
struct ScalarStep {
    double a, b[2];  // p_{k+1} = (a y + b) p_k - p_{k-1}; b by form
};
// Mixed and scaled coefficients of a step, or its analysis sums.
struct ScalarTerms {
    double evenRe, evenIm, oddRe, oddIm;
};
// One m of one or two simultaneous transforms of spin 0. Reused from m to m; not shared between
// threads.
class ScalarSeries {
public:
    explicit ScalarSeries(int lmax, int series = 1);
    // Computes the recurrence of this m.
    void prepare(int m);
    // eps_l for l = m .. lmax + 1.
    std::span<const double> epsilon() const;
    // Coefficients a_lm, l = m .. lmax.
    void setCoefficients(std::span<const std::complex<double>> alm, int series = 0);
    // Adds the analysis sums (of accumulate) to a_lm, l = m .. lmax, and clears them.
    void addCoefficients(std::span<std::complex<double>> alm, int series = 0);

    // Writes F_m / sin^sinPower(theta) for rings [first, first + count), multiples of kRingGroup,
    // into four planes `stride` doubles apart for each series.
    void synthesize(const RingLatitudes& rings, int first, int count, double* planes,
                    ptrdiff_t stride, int sinPower = 0);
    // Adds to the sums: the transpose of synthesize.
    void accumulate(const RingLatitudes& rings, int first, int count, const double* planes,
                    ptrdiff_t stride, int sinPower = 0);

private:
    ScalarKernelArguments arguments(const RingLatitudes& rings, int first, int count,
                                    ptrdiff_t stride, int sinPower);

    int lmax_ = 0, series_ = 1, m_ = 0, steps_ = 0;
    double start_ = 0.0;  // q_0 / sin^m(theta)
    SectoralSquare sectoral_;
    std::vector<double> epsilon_, scale_;
    std::vector<ScalarStep> recurrence_;
    std::vector<ScalarTerms> terms_;
    AlignedArray<double> sums_, states_;
    std::vector<int> begins_;
    // sin^m for the m in powerOf_ (ScalarKernelArguments).
    AlignedArray<double> powers_;
    std::vector<int> powerOf_;
    const RingLatitudes* powersFor_ = nullptr;
};

struct SpinStep {
    double a, gPlus[2], gMinus[2];  // p_{l+1} = (a y + g) p_l - p_{l-1}; g by form
    double plusRe, plusIm, minusRe, minusIm;
};
// One m of a transform of spin s >= 1. Coefficients are the two helicities, A^+_lm of _{+s}Y_lm and
// A^-_lm of _{-s}Y_lm.
class SpinSeries {
public:
    // `rings`: the rings of all later calls.
    SpinSeries(int lmax, int spin, const RingLatitudes& rings);
    void prepare(int m);
    // From gradient (E) and curl (B) coefficients, l = m .. lmax: A^+ = -(E + i B), A^- = -(-1)^s
    // (E - i B), the convention of HEALPix.
    void setCoefficients(std::span<const std::complex<double>> e,
                         std::span<const std::complex<double>> b);
    void addCoefficients(std::span<std::complex<double>> e, std::span<std::complex<double>> b);

    // Q planes, then U planes, 2 kPlanes in all.
    void synthesize(const RingLatitudes& rings, int first, int count, double* planes,
                    ptrdiff_t stride);
    void accumulate(const RingLatitudes& rings, int first, int count, const double* planes,
                    ptrdiff_t stride);

private:
    void prepareCap();

    int lmax_ = 0, spin_ = 0, m_ = 0, firstDegree_ = 0, steps_ = 0;
    double capSine_ = 0.0;  // the largest sin(theta) in the polar cap
    bool inCap_ = false;    // modes of m reach the polar cap
    SpinMixing mixing_;
    ScalarSeries belt_;
    std::vector<std::complex<double>> q_, u_;
    // S^+ starts as startPlus h^sinPower c^cosPower, with the half-angle sine h and cosine c of
    // RingLatitudes; S^- starts with the powers exchanged.
    double startPlus_ = 0.0, startMinus_ = 0.0;
    SectoralSquare sectoral_;
    int sinPower_ = 0, cosPower_ = 0;
    std::vector<double> scale_;
    std::vector<SpinStep> recurrence_;
    AlignedArray<double> sums_, states_;
    std::vector<ScalarTerms> capSums_;  // sums of both helicities
    std::vector<int> begins_;
};

// Doubles in a vector of the instruction set in use, and its name, for example "AVX3".
size_t simdLanes();
const char* simdName();

}  // namespace armilla

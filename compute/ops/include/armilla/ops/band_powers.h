// SPDX-License-Identifier: GPL-3.0-or-later
// Band powers of masked fields: bins, MASTER decoupling, bandpower windows, errors.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/coupling.h"
#include "armilla/ops/ring_grid.h"

namespace armilla {

// All nine spectra of two fields, the first letter from the first one.
inline constexpr std::array<std::string_view, 9> kNinePairNames{"TT", "EE", "BB", "TE", "TB",
                                                                "EB", "ET", "BT", "BE"};
struct SpectrumPair {
    int first, second;  // 0 T, 1 E, 2 B
};
inline constexpr std::array<SpectrumPair, 9> kSpectrumPairs{
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}, {1, 0}, {2, 0}, {2, 1}}};
// The index of a pair of T, E, B.
int spectrumIndex(int first, int second);
// In the order of kNinePairNames; absent ones are empty.
using NineSpectra = std::array<std::vector<double>, 9>;
// (2l+1)^-1 sum_m a_lm conj(b_lm) of all pairs: one, or nine for three coefficients each.
NineSpectra nineSpectra(std::span<const Alm> a, std::span<const Alm> b, JobContext& job);

// l (l + 1) / (2 pi): D_l over C_l.
constexpr double dlFactor(double l) {
    return l * (l + 1.0) / (2.0 * kPi);
}
// Bins of `width` multipoles from l = 2; one that lmax cuts is left out.
std::vector<MultipoleBin> binsOfWidth(int width, int lmax);

struct BandPowerRequest {
    int lmax = 0;
    std::vector<MultipoleBin> bins;
    bool isDl = false;  // band powers of l (l + 1) C_l / (2 pi), else of C_l
    bool decouple = true;
    bool polarization = false;
    bool pureE = false, pureB = false;
    // Windows B_l of T, E and B of the first and of the second field, which are divided out; from
    // l = 0 to lmax, or empty: 1.
    std::array<std::vector<double>, 3> beamA, beamB;
};

// A spectrum is coupled to itself and to one partner at most: EE and BB, EB and BE. -1: none.
int partnerOf(int spectrum);

// The pseudo-spectra that a sky of these spectra has on average, beams included; l = 0 to lmax.
// `matrices`: of the masks; null for the whole sky. Absent spectra count as 0.
NineSpectra coupledSpectra(const CouplingMatrices* matrices, const BandPowerRequest& request,
                           const NineSpectra& sky, JobContext& job);

// Averages of pseudo-spectra in bins, and the same decoupled.
class BandPowers {
public:
    // `matrices` as above; not kept. Throws Unsupported where the condition number of a matrix to
    // be inverted (in the 1-norm) is above kMostCondition.
    BandPowers(const CouplingMatrices* matrices, BandPowerRequest request, JobContext& job);

    // Band powers of pseudo-spectra of weight times field.
    NineSpectra of(const NineSpectra& pseudo) const;
    // Bandpower windows: the average band power is sum_l window(l) C_l, over the spectrum itself
    // and over its partner. Bins times lmax + 1 values in row order, times the sign; no values for
    // no partner.
    struct Window {
        std::span<const double> values;
        double sign = 1.0;
        double operator[](size_t i) const { return sign * values[i]; }
    };
    Window window(int spectrum) const { return viewOf(windows_[static_cast<size_t>(spectrum)]); }
    Window partnerWindow(int spectrum) const {
        return viewOf(partnerWindows_[static_cast<size_t>(spectrum)]);
    }
    // The covariance of band powers of two spectra by that of binned pseudo-spectra, which
    // `binned(x, y)` returns for the two or for their partners: bins times bins.
    using BinnedCovariance = std::function<std::vector<double>(int x, int y)>;
    std::vector<double> covariance(int x, int y, const BinnedCovariance& binned,
                                   JobContext& job) const;
    // The pairs for which covariance(x, y) calls `binned`.
    std::vector<SpectrumPair> covariancePairs(int x, int y) const;

    const BandPowerRequest& request() const { return request_; }
    int binCount() const { return static_cast<int>(request_.bins.size()); }
    // The indices of the spectra: TT alone, or all nine.
    std::vector<int> spectra() const;
    double condition() const { return condition_; }  // the largest; 1 where nothing is inverted
    // The factor of C~_l in the average over its bin; 0 where the beam is 0, as the pixel window of
    // polarization is for l < 2.
    double weight(int spectrum, int l, const MultipoleBin& bin) const;

private:
    using Rows = std::array<std::vector<double>, 9>;  // bins times bins
    // An earlier spectrum with the same responses, up to the sign of those of the partner.
    struct Twin {
        int of = -1;  // none
        double sign = 1.0;
    };
    // Rows of responses or of windows, bins times lmax + 1, and a sign. Several spectra share rows.
    struct SignedRows {
        std::shared_ptr<const std::vector<double>> rows;  // null: none
        double sign = 1.0;
        bool isTimes(double factor, const SignedRows& other) const {
            return rows == other.rows && (rows == nullptr || sign == factor * other.sign);
        }
    };
    using Responses = std::array<SignedRows, 9>;
    static Window viewOf(const SignedRows& of) {
        if (!of.rows) return {};
        return {*of.rows, of.sign};
    }
    // The block of the inverse that multiplies a spectrum, or its partner.
    const std::vector<double>& inverseOf(int spectrum, bool ofPartner) const {
        return (ofPartner ? partner_ : own_)[static_cast<size_t>(spectrum)];
    }
    void makeResponses(const CouplingMatrices* matrices, JobContext& job);
    void decoupleWindows(const std::array<Twin, 9>& twins, JobContext& job);
    std::array<Twin, 9> twinsOf() const;
    void invert(const Rows& own, const Rows& partner, const std::array<Twin, 9>& twins,
                JobContext& job);
    std::vector<double> inBins(const SignedRows& response) const;

    BandPowerRequest request_;
    double condition_ = 1.0;
    Rows own_, partner_;  // blocks of the inverse; empty: the identity, and zero
    Responses windows_, partnerWindows_;
};
inline constexpr double kMostCondition = 1e10;

// Means over the pixels where both weights are above 0, and the share of such pixels.
struct MaskMoments {
    double sky = 0.0;      // f_sky
    double squared = 0.0;  // <w1 w2>
    double fourth = 0.0;   // <w1^2 w2^2>
    // The mean of w1 w2 over the whole sphere.
    double ofSphere() const { return sky * squared; }
};
MaskMoments maskMoments(std::span<const double> first, std::span<const double> second,
                        JobContext& job);
// The same on rings: means weighted by the weights of the rings, and the share of 4 pi.
MaskMoments maskMoments(std::span<const double> first, std::span<const double> second,
                        const RingGrid& rings);

// Spectra of signal plus noise: of the first field, of the second, and across; l = 0 .. lmax.
struct FieldSpectra {
    NineSpectra aa, bb, ab;
};
// Covariance of band powers between all `spectra`, the bins of a spectrum side by side:
// (spectra times bins)^2 values, in row order.
//
// L. Knox 1995: sum (2l + 1) f_sky <w^2>^2 / <w^4> modes in a bin, and none shared by two bins.
// `sky`: at the sky, without beams.
std::vector<double> knoxCovariance(const BandPowers& bands, std::span<const int> spectra,
                                   const FieldSpectra& sky, const MaskMoments& moments);
// By coupling matrices of products of masks, as for spectra that are constant within their width
// (G. Efstathiou 2004, doi:10.1111/j.1365-2966.2004.07530.x). `pseudo`: coupled spectra over the
// mean of the product of the two masks (A. Nicola et al. 2021, doi:10.1088/1475-7516/2021/03/067).
//
// A mask also correlates E and B of one sky. Without purification, <E B*> is i times the mean of
// C_EE and C_BB times the kernel `minus` of the squared mask. This is exact for spectra that are
// constant in l and equal for E and B. Purified fields have no such term.
struct CovarianceMasks {
    // Cross pseudo-spectra of w_a w_a with w_b w_b, and of w_a w_b with itself.
    std::vector<double> same, crossed;
};
// `device` computes the coupling matrices.
std::vector<double> gaussianCovariance(const BandPowers& bands, std::span<const int> spectra,
                                       const FieldSpectra& pseudo, const CovarianceMasks& masks,
                                       const Device& device, JobContext& job);
// The same with matrices of both spectra of CovarianceMasks, by the request below; one object may
// serve as both.
std::vector<double> gaussianCovariance(const BandPowers& bands, std::span<const int> spectra,
                                       const FieldSpectra& pseudo, const CouplingMatrices& same,
                                       const CouplingMatrices& crossed, JobContext& job);
CouplingRequest covarianceCouplings(const BandPowerRequest& request);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/latitude/theta_resampling.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/sky_vector.h"
#include "shared/band_interpolation.h"
#include "shared/legendre_recurrence.h"
#include "sht/fft/column_kernels.h"
#include "sht/latitude/theta_kernels.h"

namespace armilla {

static_assert(kTileModes == 2 * kThetaColumns && kThetaColumns == kFftColumns);

namespace {

using Complex = std::complex<double>;

// The window exp(beta (sqrt(1 - t^2) - 1)), t = x / half width: an "exponential of semicircle" (A.
// H. Barnett et al., SIAM J. Sci. Comput. 41 (2019) C479). For a fine grid of sigma times the
// Nyquist density and w taps its error is about exp(-pi w sqrt(1 - 1 / sigma)). That is 4e-15 for
// 16 taps and sigma 1.75, if beta ends where the images of the band begin.
constexpr double kOversampling = 1.75;
double windowShape(double sigma) {
    return 0.98 * kPi * kThetaTaps * (1.0 - 0.5 / sigma);
}
double window(double t, double beta) {
    const double inside = (1.0 - t) * (1.0 + t);
    return inside <= 0.0 ? 0.0 : std::exp(beta * (std::sqrt(inside) - 1.0));
}
// Integrals of window(t) cos(omega t) over [-1, 1], with t = sin(u): a smooth function of u that
// vanishes at both ends, for which the trapezoidal rule is exact to rounding.
class WindowTransform {
public:
    explicit WindowTransform(double beta) {
        for (int i = 0; i < kPoints; ++i) {
            const double u = 0.5 * kPi * (i + 0.5) / kPoints;
            const double c = std::cos(u);
            place_[i] = std::sin(u);
            weight_[i] = kPi / kPoints * std::exp(beta * (c - 1.0)) * c;
        }
    }
    double operator()(double omega) const {
        double sum = 0.0;
        for (int i = 0; i < kPoints; ++i) sum += weight_[i] * std::cos(omega * place_[i]);
        return sum;
    }

private:
    static constexpr int kPoints = 48;  // points of half the range
    double place_[kPoints], weight_[kPoints];
};

ptrdiff_t circlePoints(int lmax) {
    return 4 * static_cast<ptrdiff_t>(ColumnFft::fastSize((static_cast<size_t>(lmax) + 2) / 2));
}

double* raw(Complex* data) {
    return reinterpret_cast<double*>(data);
}
constexpr ptrdiff_t kMargin = static_cast<ptrdiff_t>(kThetaTaps) * kThetaColumns;

}  // namespace

// Each array holds either grid, with the margins that the window sums need.
ThetaResampling::Workspace::Workspace(const ThetaResampling& resampling)
    : first_(static_cast<size_t>(resampling.fineSize_ * kThetaColumns + 2 * kMargin)),
      second_(first_.size()) {}

int ThetaResampling::sourcePairs(int lmax) {
    return static_cast<int>(circlePoints(lmax) / 4);
}

std::vector<Ring> ThetaResampling::sourceRings() const {
    return midpointRings(static_cast<int>(coarseSize_ / 4));
}

ThetaResampling::ThetaResampling(int lmax, std::span<const Ring> northern)
    : lmax_(lmax),
      coarseSize_(circlePoints(lmax)),
      fineSize_(4 * static_cast<ptrdiff_t>(ColumnFft::fastSize(std::max<size_t>(
                        2 * kThetaTaps,
                        static_cast<size_t>(std::ceil(kOversampling * (lmax + 1.0) / 2.0)))))),
      taps_(northern.size() * kThetaTaps),
      coarse_(static_cast<size_t>(coarseSize_)),
      fine_(static_cast<size_t>(fineSize_)) {
    const double spacing = kTwoPi / static_cast<double>(fineSize_);
    const double halfWidth = 0.5 * kThetaTaps * spacing;
    const double beta = windowShape(static_cast<double>(fineSize_) / (2.0 * lmax + 2.0));
    const WindowTransform transform(beta);
    factor_.resize(2 * static_cast<size_t>(lmax) + 1);
    for (int k = 0; k <= lmax; ++k) {
        const double scale = static_cast<double>(coarseSize_) * halfWidth / spacing *
                             transform(static_cast<double>(k) * halfWidth);
        // The coarse points are midpoints, hence the phase.
        const Complex factor = std::polar(1.0 / scale, -kPi * k / static_cast<double>(coarseSize_));
        factor_[static_cast<size_t>(lmax + k)] = factor;
        factor_[static_cast<size_t>(lmax - k)] = std::conj(factor);
    }
    // Long double: the distance of a ring from the grid point is a small difference of angles.
    const long double step = 2 * std::acos(-1.0L) / static_cast<long double>(fineSize_);
    for (size_t r = 0; r < northern.size(); ++r) {
        const WideLatitude wide = wideLatitude(northern[r]);
        const long double theta = std::atan2(wide.sinTheta, wide.z);
        const long double first = std::ceil(theta / step - 0.5L * kThetaTaps);
        firstTap_.push_back(static_cast<int>(first));
        for (int t = 0; t < kThetaTaps; ++t)
            taps_[r * kThetaTaps + static_cast<size_t>(t)] =
                0.5 *
                window(static_cast<double>((theta / step - first - t) / (0.5L * kThetaTaps)), beta);
    }
}

namespace {

ThetaPlanes planesOf(const ThetaResampling::Planes& planes, ptrdiff_t pairs, int firstPlane,
                     int spin, int side) {
    ThetaPlanes result{{}, {}, planes.stride, pairs, side == 1};
    const int oddFirst = spin & 1;
    for (int c = 0; c < kThetaColumns; ++c) {
        const auto at = [&](int mode) {
            return planes.data +
                   (mode * planes.planesOfMode + firstPlane + 2 * side) * planes.stride;
        };
        result.even[c] = at(2 * c + oddFirst);
        result.odd[c] = at(2 * c + 1 - oddFirst);
    }
    return result;
}

}  // namespace

void ThetaResampling::turnFrequencies(Complex* from, ptrdiff_t fromSize, int fromSign, Complex* to,
                                      ptrdiff_t toSize, int toSign) const {
    // The row of frequency k on a circle on which it has the sign `sign`.
    const auto row = [](ptrdiff_t k, ptrdiff_t size, int sign) {
        const ptrdiff_t at = k * sign;
        return (at < 0 ? at + size : at) * kThetaColumns;
    };
    const auto run = [&](ptrdiff_t first, ptrdiff_t end) {
        turnRows({static_cast<size_t>(end - first), 1, fromSign, toSign, false, false},
                 factor_.data() + lmax_ + first, raw(from + row(first, fromSize, fromSign)),
                 raw(to + row(first, toSize, toSign)));
    };
    run(-lmax_, 0);
    run(0, 1);
    run(1, lmax_ + 1);
}

void ThetaResampling::toFineGrid(const Planes& source, int firstPlane, int spin,
                                 Workspace& work) const {
    Complex* x = work.first_.data() + kMargin;
    Complex* spare = work.second_.data() + kMargin;
    for (int side = 0; side < 2; ++side)
        thetaRowsFromPlanes(planesOf(source, coarseSize_ / 4, firstPlane, spin, side), raw(x));
    if (coarse_.forward(raw(x), raw(spare)) != raw(x)) std::swap(x, spare);
    // Backward is forward with k of the opposite sign.
    Complex* g = spare;
    std::fill(g + (lmax_ + 1) * kThetaColumns, g + (fineSize_ - lmax_) * kThetaColumns,
              Complex(0.0));
    turnFrequencies(x, coarseSize_, 1, g, fineSize_, -1);
    if (fine_.forward(raw(g), raw(x)) != raw(g)) g = x;
    std::copy(g, g + kMargin, g + fineSize_ * kThetaColumns);
    std::copy(g + fineSize_ * kThetaColumns - kMargin, g + fineSize_ * kThetaColumns, g - kMargin);
    work.fine_ = g;
}

void ThetaResampling::gather(int first, int count, int spin, const Workspace& work,
                             ModeTile* modes) const {
    thetaGather(
        {firstTap_.data() + first, taps_.data() + static_cast<ptrdiff_t>(first) * kThetaTaps, count,
         fineSize_, spin & 1},
        reinterpret_cast<const double*>(work.fine_), reinterpret_cast<double*>(modes));
}

void ThetaResampling::spread(const Planes& source, int firstPlane, int spin, Workspace& work,
                             const ModeTile* tiles, int first, int count) const {
    work.fine_ = work.first_.data() + kMargin;
    std::fill(work.fine_, work.fine_ + fineSize_ * kThetaColumns, Complex(0.0));
    thetaScatter(
        {firstTap_.data() + first, taps_.data() + static_cast<ptrdiff_t>(first) * kThetaTaps, count,
         fineSize_, spin & 1},
        reinterpret_cast<const double*>(tiles), raw(work.fine_));
    fromFineGrid(source, firstPlane, spin, work);
}

void ThetaResampling::fromFineGrid(const Planes& source, int firstPlane, int spin,
                                   Workspace& work) const {
    Complex* g = work.fine_;
    Complex* x = work.second_.data() + kMargin;
    if (fine_.forward(raw(g), raw(x)) != raw(g)) std::swap(g, x);
    std::fill(x + (lmax_ + 1) * kThetaColumns, x + (coarseSize_ - lmax_) * kThetaColumns,
              Complex(0.0));
    turnFrequencies(g, fineSize_, -1, x, coarseSize_, 1);
    if (coarse_.forward(raw(x), raw(g)) != raw(x)) x = g;
    for (int side = 0; side < 2; ++side)
        thetaPlanesFromRows(planesOf(source, coarseSize_ / 4, firstPlane, spin, side), raw(x));
}

}  // namespace armilla

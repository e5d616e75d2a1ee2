// SPDX-License-Identifier: GPL-3.0-or-later
// Interpolation in latitude: Legendre sums are formed on few equidistant colatitudes and
// interpolated to the many rings of a HEALPix grid. That costs less than Legendre sums on all
// rings.
//
// Continued over the poles to a full circle, F_m(theta) has the parity (-1)^{m+s} (s the spin) and
// is a trigonometric polynomial of degree lmax. So lmax + 2 midpoints theta_j = pi (j+1/2)/N
// determine it (as in M. Reinecke & D. S. Seljebotn, A&A 554 (2013) A112, and ducc). The next steps
// are an FFT, division by the transform of a window, an FFT to a grid about twice as fine, and a
// sum of 16 window values at each ring (J. A. Fessler & B. P. Sutton, IEEE Trans. Signal Process.
// 51 (2003) 560). An even and an odd m share one transform. The error is that of the window, 1e-14
// of the largest |F_m|.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "armilla/ops/ring_grid.h"
#include "sht/fft/column_fft.h"
#include "sht/storage/aligned_array.h"
#include "sht/storage/order_tiles.h"

namespace armilla {

class ThetaResampling {
public:
    // `northern`: the northern rings of the target pairs.
    ThetaResampling(int lmax, std::span<const Ring> northern);

    // The midpoints of the northern hemisphere.
    std::vector<Ring> sourceRings() const;
    // Number of midpoints of the northern hemisphere for this lmax.
    static int sourcePairs(int lmax);

    class Workspace {
    public:
        explicit Workspace(const ThetaResampling& resampling);

    private:
        friend class ThetaResampling;
        AlignedArray<std::complex<double>> first_, second_;
        std::complex<double>* fine_ = nullptr;  // row 0 of the fine grid, in first_ or second_
    };

    // Planes of the m of a tile: plane p (see kPlanes) of the i-th m is at data + (i * planesOfMode
    // + p) * stride, one row for each ring pair.
    struct Planes {
        double* data;
        ptrdiff_t stride;
        int planesOfMode;
    };
    static constexpr int kPairsAtOnce = 64;

    // Bytes of the tables.
    int64_t bytes() const {
        return static_cast<int64_t>(16 * factor_.size() + 8 * taps_.size() + coarse_.bytes() +
                                    fine_.bytes());
    }

    // From F_m at the source rings (the four planes from `firstPlane` on; `spin` sets the parity)
    // to F_m at the target rings: calls `take(pair, tile)` for each target pair.
    template <typename Take>
    void interpolate(const Planes& source, int firstPlane, int spin, Workspace& work,
                     const Take& take) const {
        toFineGrid(source, firstPlane, spin, work);
        ModeTile modes[kPairsAtOnce];
        for (int first = 0; first < pairs(); first += kPairsAtOnce) {
            const int count = std::min(kPairsAtOnce, pairs() - first);
            gather(first, count, spin, work, modes);
            for (int i = 0; i < count; ++i) take(first + i, modes[i]);
        }
    }
    // The transpose: from `tiles` of the target pairs `first` .. `first + count - 1`; all other
    // pairs are zero.
    void spread(const Planes& source, int firstPlane, int spin, Workspace& work,
                const ModeTile* tiles, int first, int count) const;

private:
    int pairs() const { return static_cast<int>(firstTap_.size()); }
    void toFineGrid(const Planes& source, int firstPlane, int spin, Workspace& work) const;
    void fromFineGrid(const Planes& source, int firstPlane, int spin, Workspace& work) const;
    // The frequencies -lmax .. lmax times factor_, from one circle to another. Sign -1: at the
    // places of the opposite frequencies.
    void turnFrequencies(std::complex<double>* from, ptrdiff_t fromSize, int fromSign,
                         std::complex<double>* to, ptrdiff_t toSize, int toSign) const;
    void gather(int first, int count, int spin, const Workspace& work, ModeTile* modes) const;

    int lmax_ = 0;
    ptrdiff_t coarseSize_ = 0, fineSize_ = 0;   // points on the circle
    std::vector<std::complex<double>> factor_;  // k = -lmax .. lmax
    std::vector<int> firstTap_;                 // one for each target pair
    AlignedArray<double> taps_;
    ColumnFft coarse_, fine_;
};

}  // namespace armilla

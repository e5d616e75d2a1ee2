// SPDX-License-Identifier: GPL-3.0-or-later
// Iso-latitude grids on the sphere, as values: HEALPix, equidistant cylindrical, Gauss-Legendre.
#pragma once

#include <cstdint>
#include <vector>

namespace armilla {

// One ring of samples at equal latitude: sample j at longitude phi0 + 2 pi j / count.
struct Ring {
    double z = 0.0;         // cos(theta)
    double sinTheta = 0.0;  // >= 0; with sinThetaLow to twice the precision of a double
    double sinThetaLow = 0.0;
    double weight = 0.0;  // quadrature weight of one sample; the weights of all samples sum to 4 pi
    double phi0 = 0.0;
    int64_t count = 0;
    int64_t first = 0;  // index of sample 0
};

// Rings from north to south; samples numbered in that order without gaps.
struct RingGrid {
    std::vector<Ring> rings;

    int64_t sampleCount() const;

    // All functions below throw InvalidArgument for sizes out of range: nside from 1 to 2^20, rows
    // and columns from 1 (two rows for Clenshaw-Curtis) to 2^24. They take a microsecond or two a
    // ring. "Exact" means: for functions of colatitude that are polynomials in cos(theta) of that
    // degree, and in longitude for orders below `columns` (tests/compute/tst_latitude_rules.cpp,
    // tst_ring_transform.cpp).
    //
    // HEALPix in RING order, equal weights 4 pi / Npix. Any nside >= 1. K. M. Gorski et al., ApJ
    // 622 (2005) 759.
    static RingGrid healpix(int64_t nside);
    // `rows` colatitudes pi i / (rows - 1), both poles included, `columns` samples each. Weights of
    // C. W. Clenshaw & A. R. Curtis, Numer. Math. 2 (1960) 197: exact for degree < rows.
    static RingGrid clenshawCurtis(int64_t rows, int64_t columns);
    // `rows` colatitudes pi (i + 1/2) / rows, no poles. Weights of the first rule of L. Fejer,
    // Math. Z. 37 (1933) 287: exact for degree < rows.
    static RingGrid fejer(int64_t rows, int64_t columns);
    // `rows` Gauss-Legendre colatitudes (NIST DLMF, 3.5.15): exact for degree < 2 rows.
    static RingGrid gaussLegendre(int64_t rows, int64_t columns);
};

}  // namespace armilla

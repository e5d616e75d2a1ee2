// SPDX-License-Identifier: GPL-3.0-or-later
// Fourier transforms of four interleaved complex columns: the building block of the ring FFTs and
// of the interpolation in latitude. A row of four complex numbers is one vector of AVX-512.
//
// Mixed radix, self-sorting (R. C. Singleton, IEEE Trans. Audio Electroacoust. 17 (1969) 93; P. N.
// Swarztrauber, Parallel Comput. 1 (1984) 45). Radices are 2, 3, 4, 5, 7 and, for small p, any
// other prime p at p / 2 multiply-adds a number. Plans of the thousands of ring lengths of a
// HEALPix map take milliseconds; FFTW needs seconds for them.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "sht/fft/complex_product.h"
#include "sht/storage/aligned_array.h"

namespace armilla {

inline constexpr int kFftColumns = 4;
// Doubles in a row.
inline constexpr int kFftRow = 2 * kFftColumns;

class ColumnFft {
public:
    // `rows`: at least 1.
    explicit ColumnFft(size_t rows);

    size_t rows() const { return rows_; }
    // Bytes of the tables.
    size_t bytes() const { return 8 * (twiddles_.size() + roots_.size()); }
    // Replaces the columns of `data` by their transforms sum_j x_j e^{-2 pi i j k / rows}. `data`
    // and `scratch`: rows() * kFftRow doubles each, aligned to kVectorAlignment. Returns the one
    // that holds the result.
    double* forward(double* data, double* scratch) const;

    // Arithmetic of a transform for each row, in units of one complex multiply-add.
    static double cost(size_t rows);
    // The smallest number of rows at or above `least` with prime factors 2, 3, 5 and 7 only.
    static size_t fastSize(size_t least);

private:
    struct Pass {
        int radix;
        size_t groups, length;  // products of the earlier and of the later radices
        size_t twiddles;        // index of the first: e^{-2 pi i u i groups / rows}, (u, i)
        size_t roots;           // for the generic radix: index of cos, sin (2 pi j / radix)
    };
    size_t rows_;
    std::vector<Pass> passes_;
    std::vector<double> twiddles_, roots_;
    int largestRadix_ = 1;
};

// Distance of the tabulated coarse roots of unity.
inline constexpr size_t kRootsApart = 64;
// Number of additional fine roots, so that a vector of roots may begin at each fine root.
inline constexpr size_t kRootsBeyond = 3;

// The roots of unity e^{-2 pi i k / n}, each the product of two tabulated roots: error 2e-16.
class UnitRoots {
public:
    explicit UnitRoots(size_t n);
    // k < n.
    std::complex<double> operator[](size_t k) const {
        return times(coarse_[k / kFine], fine_[k % kFine]);
    }

    // Real and imaginary parts of the factors: root k is coarse k / kRootsApart times fine
    // k % kRootsApart.
    const double* fine() const { return reinterpret_cast<const double*>(fine_.data()); }
    const double* coarse() const { return reinterpret_cast<const double*>(coarse_.data()); }
    size_t bytes() const { return 16 * (fine_.size() + coarse_.size()); }

private:
    static constexpr size_t kFine = kRootsApart;
    std::vector<std::complex<double>> fine_, coarse_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/fft/column_fft.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/sky_vector.h"
#include "sht/fft/column_kernels.h"

namespace armilla {

namespace {

// The next radix of a transform of `rest` rows.
size_t nextRadix(size_t rest) {
    for (const size_t radix : {4, 2, 3, 5, 7})
        if (rest % radix == 0) return radix;
    for (size_t p = 11; p * p <= rest; p += 2)
        if (rest % p == 0) return p;
    return rest;
}

constexpr size_t kLargestButterfly = 7;

// The angle is measured from the nearest quarter turn. Then the argument of sine and cosine is
// small, and their error is below that of a double.
std::complex<double> unitRoot(size_t k, size_t n) {
    const size_t k8 = 8 * (k % n);
    const size_t turns = (k8 + n) / (2 * n);
    const double angle = kPi / 4.0 *
                         (static_cast<double>(k8) - static_cast<double>(2 * turns * n)) /
                         static_cast<double>(n);
    const double c = std::cos(angle), s = std::sin(angle);
    switch (turns % 4) {
        case 0: return {c, -s};
        case 1: return {-s, -c};
        case 2: return {-c, s};
        default: return {s, c};
    }
}

}  // namespace

UnitRoots::UnitRoots(size_t n) {
    for (size_t k = 0; k < kFine + kRootsBeyond; ++k) fine_.push_back(unitRoot(k, n));
    for (size_t k = 0; k < n; k += kFine) coarse_.push_back(unitRoot(k, n));
}

ColumnFft::ColumnFft(size_t rows) : rows_(rows) {
    if (rows < 1) throw InvalidArgument("expected a transform of at least 1 row, found 0");
    const UnitRoots roots(rows);
    size_t groups = 1, rest = rows;
    while (rest > 1) {
        const size_t radix = nextRadix(rest);
        rest /= radix;
        passes_.push_back({static_cast<int>(radix), groups, rest, twiddles_.size(), roots_.size()});
        size_t next = twiddles_.size();
        twiddles_.resize(next + 2 * (radix - 1) * (rest - 1));
        for (size_t u = 1; u < radix; ++u)
            for (size_t i = 1; i < rest; ++i) {
                const std::complex<double> w = roots[u * i * groups];
                twiddles_[next++] = w.real();
                twiddles_[next++] = w.imag();
            }
        if (radix > kLargestButterfly)
            for (size_t j = 0; j < radix; ++j) {
                const std::complex<double> w = unitRoot(j, radix);
                roots_.insert(roots_.end(), {w.real(), -w.imag()});
            }
        largestRadix_ = std::max(largestRadix_, static_cast<int>(radix));
        groups *= radix;
    }
}

double* ColumnFft::forward(double* data, double* scratch) const {
    // Sums and differences for the pass of a generic radix.
    AlignedArray<double> folded;
    if (largestRadix_ > static_cast<int>(kLargestButterfly))
        folded = AlignedArray<double>(static_cast<size_t>(largestRadix_) * kFftRow);
    double *from = data, *to = scratch;
    for (const Pass& pass : passes_) {
        columnPass({pass.radix, pass.groups, pass.length, twiddles_.data() + pass.twiddles,
                    roots_.data() + pass.roots, folded.data()},
                   from, to);
        std::swap(from, to);
    }
    return from;
}

double ColumnFft::cost(size_t rows) {
    double sum = 0.0;
    for (size_t rest = rows; rest > 1;) {
        const size_t radix = nextRadix(rest);
        // Loads and stores cost about as much as the arithmetic of the small radices. The cost of
        // the generic radix is measured.
        sum += radix <= kLargestButterfly ? 3.0 + static_cast<double>(radix)
                                          : 5.0 + 1.4 * static_cast<double>(radix);
        rest /= radix;
    }
    return sum;
}

size_t ColumnFft::fastSize(size_t least) {
    for (size_t n = std::max<size_t>(1, least);; ++n) {
        size_t rest = n;
        for (const size_t prime : {2, 3, 5, 7})
            while (rest % prime == 0) rest /= prime;
        if (rest == 1) return n;
    }
}

}  // namespace armilla

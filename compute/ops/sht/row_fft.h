// SPDX-License-Identifier: GPL-3.0-or-later
// Complex Fourier transforms of any length, for rings.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/job_context.h"
#include "sht/column_fft.h"

namespace armilla {

// Plans for a set of lengths. A length of four times a product of moderate primes is transformed
// as four columns (column_fft.h); any other as a convolution with a chirp (L. I. Bluestein, IEEE
// Trans. Audio Electroacoust. 18 (1970) 451). Executing is thread-safe, a workspace for each
// thread. Error: a few epsilon of the rms (tests/compute/tst_ring_fft.cpp).
class RowFft {
public:
    // The plans are made by the threads of `job`.
    RowFft(std::span<const size_t> lengths, JobContext& job);

    class Workspace {
    public:
        explicit Workspace(const RowFft& plans);
        // What to transform; `length` numbers.
        std::complex<double>* input() { return first_.data(); }

    private:
        friend class RowFft;
        AlignedArray<std::complex<double>> first_, second_, chirp_, kernel_;
        size_t chirpLength_ = 0;  // that chirp_ and kernel_ are made for
    };
    // sum_j x_j e^{-2 pi i j k / length} of work.input(), which is lost. Returns where it is: in
    // the workspace.
    const std::complex<double>* forward(size_t length, Workspace& work) const;

    // Of the plans.
    int64_t bytes() const;

private:
    struct Direct {
        explicit Direct(size_t length) : columns(length / kFftColumns), roots(length) {}
        ColumnFft columns;
        UnitRoots roots;
    };
    static double directCost(size_t length);
    static size_t convolutionLength(size_t length);
    // Transforms data, with room for as much in `other`; returns which of the two has the result.
    static std::complex<double>* transform(const Direct& plan, std::complex<double>* data,
                                           std::complex<double>* other);
    void makeChirp(size_t length, const Direct& plan, Workspace& work) const;

    // The plan for a length: its own, or that of its convolution, which several may share.
    std::map<size_t, std::unique_ptr<Direct>> direct_;
    std::map<size_t, size_t> convolution_;
    size_t longest_ = 0;
};

}  // namespace armilla

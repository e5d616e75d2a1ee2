// SPDX-License-Identifier: GPL-3.0-or-later
// Complex Fourier transforms of any length, for rings.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "sht/fft/column_fft.h"
#include "sht/fft/fftw_plan.h"
#include "sht/fft/real_input_fft_kernels.h"

namespace armilla {

// Plans for a set of lengths. A multiple of four is transformed as four columns (column_fft.h).
// Columns with a large prime factor are a convolution with a chirp (L. I. Bluestein, IEEE Trans.
// Audio Electroacoust. 18 (1970) 451). A row of any other length is such a convolution itself.
// Executing is thread-safe with a workspace for each thread. Error: a few epsilon of the rms
// (tests/compute/tst_ring_fft.cpp).
class RowFft {
public:
    // The threads of `job` make the plans. For a single length FFTW may transform the rows
    // (BatchedFft::fastest).
    RowFft(std::span<const size_t> lengths, JobContext& job, FftLibrary library = FftLibrary::Own);

    class Workspace {
    public:
        explicit Workspace(const RowFft& plans);
        // The numbers to transform, `length` of them.
        std::complex<double>* input() { return first_.data(); }

    private:
        friend class RowFft;
        AlignedArray<std::complex<double>> first_, second_, chirp_, kernel_;
        size_t chirpLength_ = 0;  // length of chirp_ and kernel_
    };
    // sum_j x_j e^{-2 pi i j k / length} of work.input(), which is overwritten. Returns the result,
    // in the workspace.
    const std::complex<double>* forward(size_t length, Workspace& work) const;

    // Whether half transforms (real_input_fft_kernels.h) of this length are planned.
    bool halves(size_t length) const;
    // The half transform of a row: `length` / 8 rows of four, in the workspace.
    template <typename Sample>
    const std::complex<double>* forwardHalf(size_t length, int half,
                                            const RingPairSamples<Sample>& samples,
                                            Workspace& work) const;

    // Bytes of the plans.
    int64_t bytes() const;
    // Arithmetic of a row, in units of one multiply-add of a row of four complex numbers.
    static double cost(size_t length);

private:
    // Columns of some number of rows as a convolution: c_j = e^{-i pi j^2 / rows}, and the
    // transform of conj(c_j), -rows < j < rows, over `longer` numbers. The second half of that
    // transform mirrors the first.
    struct Chirp {
        size_t longer = 0;
        std::vector<std::complex<double>> factors, kernel;
    };
    static double chirpCost(size_t rows, size_t longer);
    static size_t convolutionLength(size_t length);
    void planColumns(size_t rows);
    void makeChirp(size_t rows, Chirp& chirp) const;
    // Both transform `data`, with the buffer `other` of the same size, and return the one with the
    // result. For a convolution both buffers have the convolution's size.
    double* transformColumns(size_t rows, double* data, double* other) const;
    std::complex<double>* transform(size_t length, std::complex<double>* data,
                                    std::complex<double>* other) const;
    void makeRowChirp(size_t length, Workspace& work) const;

    // By number of rows: columns transformed directly, and as a convolution.
    std::map<size_t, std::unique_ptr<ColumnFft>> columns_;
    std::map<size_t, Chirp> chirps_;
    // By length, for multiples of four.
    std::map<size_t, UnitRoots> roots_;
    // By length, for other lengths: the length of the convolution.
    std::map<size_t, size_t> convolution_;
    size_t longest_ = 0;
    std::optional<FftwPlan> fftw_;  // FFTW's plan of a single length, instead of all these
};

}  // namespace armilla

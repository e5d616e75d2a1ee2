// SPDX-License-Identifier: GPL-3.0-or-later
// Fourier transforms of many rows of one length: rows of ring grids, planes of images, tables.
// Rings of HEALPix maps, of thousands of lengths, have their own (sht/fft/ring_fft.h).
//
// Forward: X_k = sum_j x_j e^{-2 pi i j k / length}; backward: x_j = sum_k X_k e^{2 pi i j k /
// length}. Neither divides by the length. A spectrum of a real row holds k = 0 .. length / 2.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/job_context.h"
#include "device/cuda_array.h"

namespace armilla {

enum class FftLibrary { Own, Fftw, Cufft };

// Where the numbers of `count` rows lie. Columns of a plane of w x h numbers: {h, w, w, 1}.
struct EqualRows {
    int64_t length = 1, count = 1;
    int64_t stride = 1;    // between the numbers of a row
    int64_t distance = 0;  // between the first numbers of rows; 0: the length

    int64_t apart() const { return distance == 0 ? length : distance; }
    // From the first number to the one behind the last.
    int64_t extent() const { return (count - 1) * apart() + (length - 1) * stride + 1; }
};

// On the CPU. Results do not depend on the number of threads, and repeat from run to run: FFTW's
// plans are estimated, not timed. Executing is thread-safe; FFTW's planner is locked. Stops between
// rows. Error: a few epsilon of the rms (tests/compute/tst_equal_fft.cpp).
class EqualFft {
public:
    // The faster of Own and Fftw for rows of this length, as `armilla bench fft` shows it.
    static FftLibrary fastest(int64_t length);
    // Throws InvalidArgument unless length, count, stride and distance are at least 1 and the
    // length at most 2^28, and for Cufft. Plans take milliseconds.
    EqualFft(const EqualRows& rows, JobContext& job, std::optional<FftLibrary> library = {});
    ~EqualFft();
    EqualFft(EqualFft&&) noexcept;
    EqualFft& operator=(EqualFft&&) noexcept;

    const EqualRows& rows() const;
    FftLibrary provider() const;
    // In place; `data` of rows().extent() numbers.
    void forward(std::span<std::complex<double>> data, JobContext& job) const;
    void backward(std::span<std::complex<double>> data, JobContext& job) const;
    // Real rows laid out as rows() without a stride; spectra of length / 2 + 1 numbers, one after
    // the other. `spectra` is lost by backward. Throws InvalidArgument for rows with a stride.
    void forward(std::span<const double> samples, std::span<std::complex<double>> spectra,
                 JobContext& job) const;
    void backward(std::span<std::complex<double>> spectra, std::span<double> samples,
                  JobContext& job) const;

private:
    struct Plan;
    std::unique_ptr<Plan> plan_;
};

class CudaEqualFft;
namespace cuda {
class Stream;
const Stream& streamOf(const CudaEqualFft& fft);
}  // namespace cuda

// On a CUDA device, of arrays in its memory, in a stream of its own (cuda::streamOf in
// sht/fft/equal_fft_stream_cuda.h): calls only put work there, `wait` waits for it. cuFFT is looked
// for when it is first asked about, and is no part of the program: where it is missing real rows go
// by our own kernels, complex ones throw Unsupported.
class CudaEqualFft {
public:
    // Empty if cuFFT can be used, else why not, as a line.
    static std::string cufftMissing();
    // Cufft where it can be used and is the faster for rows of this length, else Own.
    static FftLibrary fastest(int64_t length);
    enum class Values { Real, Complex };
    // Throws as EqualFft; Unsupported for what a library cannot do here: without cuFFT complex
    // rows, and without CUDA all; with Own rows that are not next to each other; OutOfMemory,
    // DeviceError.
    CudaEqualFft(const EqualRows& rows, Values values, int device,
                 std::optional<FftLibrary> library = {});
    ~CudaEqualFft();
    CudaEqualFft(CudaEqualFft&&) noexcept;
    CudaEqualFft& operator=(CudaEqualFft&&) noexcept;

    const EqualRows& rows() const;
    FftLibrary provider() const;
    // Of Complex values, pairs of doubles, in place.
    void forward(CudaArray& data);
    void backward(CudaArray& data);
    // Of Real values; `spectra` of (length / 2 + 1) count pairs of doubles is lost by backward.
    void forward(const CudaArray& samples, CudaArray& spectra);
    void backward(CudaArray& spectra, CudaArray& samples);
    void wait();

private:
    struct Plan;
    friend const cuda::Stream& cuda::streamOf(const CudaEqualFft& fft);
    std::unique_ptr<Plan> plan_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Batched Fourier transforms of many rows of one length: rows of ring grids, planes of images,
// tables. Rings of HEALPix maps, of thousands of lengths, have their own transforms
// (sht/fft/ring_fft.h).
//
// Forward: X_k = sum_j x_j e^{-2 pi i j k / length}; backward: x_j = sum_k X_k e^{2 pi i j k /
// length}. Neither divides by the length. The spectrum of a real row holds k = 0 .. length / 2.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "armilla/core/job_context.h"
#include "armilla/device/cuda_array.h"

namespace armilla {

// The library that transforms: our own kernels, FFTW, or cuFFT on CUDA devices.
enum class FftLibrary { Own, Fftw, Cufft };

// Layout of `count` rows of `length` numbers. Columns of a plane of w x h numbers: {h, w, w, 1}.
struct EqualRows {
    int64_t length = 1, count = 1;
    int64_t stride = 1;    // between successive numbers of a row
    int64_t distance = 0;  // between the first numbers of successive rows; 0: the length

    // Distance between the first numbers of successive rows.
    int64_t apart() const { return distance == 0 ? length : distance; }
    // Size of the array: from the first number to one past the last.
    int64_t extent() const { return (count - 1) * apart() + (length - 1) * stride + 1; }
};

// Batched FFTs on the CPU. Results do not depend on the number of threads, and repeat from run to
// run: FFTW's plans are estimated, not timed. Executing is thread-safe; FFTW's planner is locked.
// Cancellation takes effect between rows. Error: a few epsilon of the rms
// (tests/compute/tst_batched_fft.cpp).
class BatchedFft {
public:
    // The faster of Own and Fftw for rows of this length, measured with `armilla bench fft`.
    static FftLibrary fastest(int64_t length);
    // Plans take milliseconds. Throws InvalidArgument unless length, count, stride and distance are
    // at least 1 and the length at most 2^28, and for Cufft.
    BatchedFft(const EqualRows& rows, JobContext& job, std::optional<FftLibrary> library = {});
    ~BatchedFft();
    BatchedFft(BatchedFft&&) noexcept;
    BatchedFft& operator=(BatchedFft&&) noexcept;

    const EqualRows& rows() const;
    // The library that this plan uses.
    FftLibrary provider() const;
    // Complex transforms in place; `data` holds rows().extent() numbers.
    void forward(std::span<std::complex<double>> data, JobContext& job) const;
    void backward(std::span<std::complex<double>> data, JobContext& job) const;
    // Real rows laid out as rows() with stride 1, and contiguous spectra of length / 2 + 1 numbers
    // a row. backward() overwrites `spectra`. Throws InvalidArgument for rows with another stride.
    void forward(std::span<const double> samples, std::span<std::complex<double>> spectra,
                 JobContext& job) const;
    void backward(std::span<std::complex<double>> spectra, std::span<double> samples,
                  JobContext& job) const;

private:
    struct Plan;
    std::unique_ptr<Plan> plan_;
};

class CudaBatchedFft;
namespace cuda {
class Stream;
// The stream of a plan's work.
const Stream& streamOf(const CudaBatchedFft& fft);
}  // namespace cuda

// Batched FFTs on a CUDA device, of arrays in its memory, on the plan's own stream (cuda::streamOf
// in sht/fft/batched_fft_stream_cuda.h). Calls only enqueue work; `wait` waits for it. cuFFT is
// loaded at run time at the first query and is no part of the program. Without cuFFT our own
// kernels transform real rows, and complex rows throw Unsupported.
class CudaBatchedFft {
public:
    // Empty if cuFFT can be used, else the reason in one line.
    static std::string cufftMissing();
    // Cufft if it is available and faster for rows of this length, else Own.
    static FftLibrary fastest(int64_t length);
    // The numbers of a plan's rows.
    enum class Values { Real, Complex };
    // Throws as BatchedFft. Throws Unsupported for complex rows without cuFFT, for all rows without
    // CUDA, and with Own for rows that are not contiguous. Also throws OutOfMemory, DeviceError.
    CudaBatchedFft(const EqualRows& rows, Values values, int device,
                   std::optional<FftLibrary> library = {});
    ~CudaBatchedFft();
    CudaBatchedFft(CudaBatchedFft&&) noexcept;
    CudaBatchedFft& operator=(CudaBatchedFft&&) noexcept;

    const EqualRows& rows() const;
    // The library that this plan uses.
    FftLibrary provider() const;
    // For Complex values, in place: pairs of doubles.
    void forward(CudaArray& data);
    void backward(CudaArray& data);
    // For Real values. `spectra` holds (length / 2 + 1) count pairs of doubles; backward()
    // overwrites it.
    void forward(const CudaArray& samples, CudaArray& spectra);
    void backward(CudaArray& spectra, CudaArray& samples);
    // Waits until all enqueued work is done. Throws DeviceError.
    void wait();

private:
    struct Plan;
    friend const cuda::Stream& cuda::streamOf(const CudaBatchedFft& fft);
    std::unique_ptr<Plan> plan_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/device/cuda/cufft.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/ops/batched_fft.h"
#include "sht/fft/batched_fft_checks.h"
#include "sht/fft/batched_fft_stream_cuda.h"
#include "sht/fft/ring_fft_cuda.h"

namespace armilla {

namespace {

using cuda::check;
using cuda::CufftPlan;
using cuda::DeviceBuffer;
using cuda::DeviceScope;

// The longest row of our own kernels: the tables of longer rows do not fit into a block's memory.
constexpr int64_t kLongestOwn = int64_t{1} << 18;

// Modes that are their own mirror. In the spectrum of a real row only their real part counts. The
// Nyquist frequency counts once, but the sum of m and -m contains it twice.
__global__ void realModesKernel(double2* spectra, int64_t rows, int length) {
    const int64_t row = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
    if (row >= rows) return;
    double2* const spectrum = spectra + row * (length / 2 + 1);
    spectrum[0].y = 0.0;
    if (length % 2 == 0) {
        spectrum[length / 2].x *= 0.5;
        spectrum[length / 2].y = 0.0;
    }
}

}  // namespace

struct CudaBatchedFft::Plan {
    Plan(const EqualRows& r, Values v, int device, FftLibrary l)
        : rows(r), values(v), provider(l), stream(device, cuda::Priority::Low) {
        const DeviceScope scope(device);
        if (provider == FftLibrary::Own) {
            makeOwn(device);
            return;
        }
        const CufftPlan::Rows all{rows.length, rows.count, rows.stride, rows.apart()};
        if (values == Values::Complex) {
            complexRows = CufftPlan(device, all, CufftPlan::Values::Complex, stream);
            return;
        }
        toSpectra = CufftPlan(device, all, CufftPlan::Values::ToSpectra, stream);
        fromSpectra = CufftPlan(device, all, CufftPlan::Values::FromSpectra, stream);
    }
    // Treats rows as rings, in pairs, with all modes outside the rings: in the spectra.
    void makeOwn(int device) {
        if (values == Values::Complex)
            throw Unsupported("complex FFTs on the device: " + cuda::cufftMissing());
        if (rows.length > kLongestOwn)
            throw Unsupported("expected rows of at most " + std::to_string(kLongestOwn) +
                              " numbers without cuFFT, found " + std::to_string(rows.length));
        const int modes = static_cast<int>(rows.length / 2 + 1);
        std::vector<cuda::PairRings> all;
        for (int64_t row = 0; row < rows.count; row += 2) {
            cuda::PairRings pair;
            pair.north = row * rows.apart();
            pair.south = row + 1 < rows.count ? pair.north + rows.apart() : -1;
            pair.tail = row * modes;
            pair.length = static_cast<int>(rows.length);
            pair.modeLimit = modes - 1;
            pair.turnSteps = 0;
            all.push_back(pair);
        }
        std::vector<int> numbers(all.size());
        for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
        int multiprocessors = 0;
        check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
              "querying multiprocessors");
        const size_t shared = cuda::ringFftSharedBytes(device);
        cuda::allowRingFftSharedBytes(shared);
        const cuda::RingFftStrategy strategy =
            cuda::ringFftStrategy({.length = rows.length,
                                   .longest = rows.length,
                                   .sharing = static_cast<int64_t>(all.size()),
                                   .sharedBytes = shared});
        batch = {strategy, nullptr, static_cast<int>(all.size())};
        pairs = upload(device, all);
        order = upload(device, numbers);
        batch.pairs = order.data();
        weights = upload(device, std::vector<double2>(all.size(), make_double2(1.0, 1.0)));
        roots = DeviceBuffer<double2>(device, size_t{1} << (cuda::kLogRoots - 3));
        cuda::fillRoots(roots.data(), stream.get());
        scratch = DeviceBuffer<double2>(
            device,
            static_cast<size_t>(rows.length * std::min<int64_t>(batch.count, 2 * multiprocessors)));
        fft.weights = weights.data();
        fft.roots = roots.data();
        fft.scratch = scratch.data();
        fft.scratchSize = static_cast<int64_t>(scratch.size());
        fft.multiprocessors = multiprocessors;
    }
    template <typename T>
    DeviceBuffer<T> upload(int device, const std::vector<T>& values) const {
        DeviceBuffer<T> buffer(device, values.size());
        check(cudaMemcpyAsync(buffer.data(), values.data(), values.size() * sizeof(T),
                              cudaMemcpyHostToDevice, stream.get()),
              "copying tables to the device");
        stream.synchronize();
        return buffer;
    }
    void checkSizes(Values expected, int64_t samples, int64_t spectra) const {
        if (expected != values)
            throw InvalidArgument(
                "expected arrays of the planned values, real or complex, found the other kind");
        const int64_t numbers = 2 * (rows.length / 2 + 1) * rows.count;
        if (expected == Values::Complex ? samples != 2 * rows.extent()
                                        : samples != rows.extent() || spectra != numbers)
            throw InvalidArgument(
                "expected arrays of " + std::to_string(rows.count) + " rows of " +
                std::to_string(rows.length) + " numbers and of their spectra, found " +
                std::to_string(samples) + " and " + std::to_string(spectra) + " doubles");
    }

    EqualRows rows;
    Values values;
    FftLibrary provider;
    cuda::Stream stream;
    CufftPlan complexRows, toSpectra, fromSpectra;
    // Tables of our own kernels.
    DeviceBuffer<cuda::PairRings> pairs;
    DeviceBuffer<int> order;
    DeviceBuffer<double2> weights, roots, scratch;
    cuda::RingFftBatch batch;
    cuda::RingFft fft;
};

const cuda::Stream& cuda::streamOf(const CudaBatchedFft& fft) {
    return fft.plan_->stream;
}

std::string CudaBatchedFft::cufftMissing() {
    return cuda::cufftMissing();
}

// Measured by `armilla bench fft`. Our own kernels are built for rings of many lengths, with two
// rings in a complex row. They cost more than cuFFT if all rows have one length.
FftLibrary CudaBatchedFft::fastest(int64_t) {
    return cuda::cufftMissing().empty() ? FftLibrary::Cufft : FftLibrary::Own;
}

CudaBatchedFft::CudaBatchedFft(const EqualRows& rows, Values values, int device,
                               std::optional<FftLibrary> library) {
    checkEqualRows(rows);
    if (values == Values::Real && rows.stride != 1)
        throw InvalidArgument("expected real rows of stride 1, found stride " +
                              std::to_string(rows.stride));
    if (library == FftLibrary::Fftw)
        throw InvalidArgument("expected an FFT library of the device, found FFTW");
    const FftLibrary best = values == Values::Complex ? FftLibrary::Cufft : fastest(rows.length);
    plan_ = std::make_unique<Plan>(rows, values, device, library.value_or(best));
}
CudaBatchedFft::~CudaBatchedFft() = default;
CudaBatchedFft::CudaBatchedFft(CudaBatchedFft&&) noexcept = default;
CudaBatchedFft& CudaBatchedFft::operator=(CudaBatchedFft&&) noexcept = default;

const EqualRows& CudaBatchedFft::rows() const {
    return plan_->rows;
}
FftLibrary CudaBatchedFft::provider() const {
    return plan_->provider;
}

void CudaBatchedFft::forward(CudaArray& data) {
    plan_->checkSizes(Values::Complex, static_cast<int64_t>(data.size()), 0);
    const DeviceScope scope(plan_->stream.device());
    plan_->complexRows.forward(reinterpret_cast<double2*>(data.data()));
}
void CudaBatchedFft::backward(CudaArray& data) {
    plan_->checkSizes(Values::Complex, static_cast<int64_t>(data.size()), 0);
    const DeviceScope scope(plan_->stream.device());
    plan_->complexRows.backward(reinterpret_cast<double2*>(data.data()));
}

void CudaBatchedFft::forward(const CudaArray& samples, CudaArray& spectra) {
    Plan& plan = *plan_;
    plan.checkSizes(Values::Real, static_cast<int64_t>(samples.size()),
                    static_cast<int64_t>(spectra.size()));
    const DeviceScope scope(plan.stream.device());
    auto* const out = reinterpret_cast<double2*>(spectra.data());
    if (plan.provider == FftLibrary::Cufft) return plan.toSpectra.toSpectra(samples.data(), out);
    plan.fft.spectrum = {samples.data(), out, plan.pairs.data()};
    cuda::ringAnalysis(plan.batch, plan.fft, plan.stream.get());
}
void CudaBatchedFft::backward(CudaArray& spectra, CudaArray& samples) {
    Plan& plan = *plan_;
    plan.checkSizes(Values::Real, static_cast<int64_t>(samples.size()),
                    static_cast<int64_t>(spectra.size()));
    const DeviceScope scope(plan.stream.device());
    auto* const in = reinterpret_cast<double2*>(spectra.data());
    if (plan.provider == FftLibrary::Cufft) return plan.fromSpectra.fromSpectra(in, samples.data());
    constexpr int kThreads = 128;
    realModesKernel<<<static_cast<unsigned>((plan.rows.count + kThreads - 1) / kThreads), kThreads,
                      0, plan.stream.get()>>>(in, plan.rows.count,
                                              static_cast<int>(plan.rows.length));
    cuda::checkLaunch("modes of real rows");
    plan.fft.spectrum = {samples.data(), in, plan.pairs.data()};
    cuda::ringSynthesis(plan.batch, plan.fft, plan.stream.get());
}
void CudaBatchedFft::wait() {
    const DeviceScope scope(plan_->stream.device());
    plan_->stream.synchronize();
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/device_smooth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/nan.h"
#include "armilla/core/sky_vector.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda/uploaded.h"
#include "armilla/device/cuda_array.h"
#include "armilla/ops/device_sht.h"
#include "convolve/harmonic/harmonic_request.h"
#include "convolve/sky_values.h"
#include "shared/shape_checks.h"

namespace armilla {

namespace {

constexpr unsigned kThreads = 256;
// Blocks of the kernels over pixels, and so the number of partial sums: the same bits in every run.
constexpr unsigned kBlocks = 2048;

struct Sums {
    double values = 0.0, bad = 0.0;
};

__device__ bool isBad(double value) {
    constexpr double kTolerance = 1e-5;  // the tolerance of the readers of FITS files
    return !isGood(value) || fabs(value - kUnseen) < kTolerance * fabs(kUnseen);
}

// The sums of the threads of a block.
__device__ void addUp(Sums own, Sums* of) {
    __shared__ Sums all[kThreads];
    all[threadIdx.x] = own;
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x >= half) continue;
        all[threadIdx.x].values += all[threadIdx.x + half].values;
        all[threadIdx.x].bad += all[threadIdx.x + half].bad;
    }
    if (threadIdx.x == 0) of[blockIdx.x] = all[0];
}

// Values with 0 at bad pixels, a mask with 1 at good pixels, and partial sums.
template <typename T>
__global__ void splitKernel(const T* from, double* values, double* mask, Sums* sums, size_t count) {
    Sums own;
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<size_t>(gridDim.x) * blockDim.x) {
        const bool bad = isBad(from[i]);
        values[i] = bad ? 0.0 : static_cast<double>(from[i]);
        mask[i] = bad ? 0.0 : 1.0;
        own.values += values[i];
        own.bad += bad ? 1.0 : 0.0;
    }
    addUp(own, sums);
}
// Q and U take part only where both are good; `common` receives the mask of these pixels.
__global__ void joinKernel(double* q, double* u, double* common, const double* ofQ,
                           const double* ofU, size_t count) {
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<size_t>(gridDim.x) * blockDim.x) {
        common[i] = ofQ[i] * ofU[i];
        q[i] *= common[i];
        u[i] *= common[i];
    }
}
__global__ void shiftKernel(double* values, double by, size_t count) {
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<size_t>(gridDim.x) * blockDim.x)
        values[i] -= by;
}

// Coefficients up to `lmax` times B_l (0 from `beams` on), and `monopole` B_0 added to a_00. A
// block in y is an order m of the product, up to `top`.
struct Product {
    const double2* from = nullptr;
    double2* to = nullptr;
    const double* bl = nullptr;
    int beams = 0, lmax = 0, top = 0;
    double monopole = 0.0;
};
__global__ void productKernel(Product p) {
    const auto m = static_cast<int>(blockIdx.y);
    const auto at = [m](int lmax) {
        return static_cast<int64_t>(m) * (2 * int64_t{lmax} + 1 - m) / 2;
    };
    for (int l = m + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); l <= p.top;
         l += static_cast<int>(gridDim.x * blockDim.x)) {
        double2 value = make_double2(0.0, 0.0);
        if (l < p.beams && l <= p.lmax) {
            value = p.from[at(p.lmax) + l];
            if (l == 0) value.x += p.monopole;
            value = make_double2(p.bl[l] * value.x, p.bl[l] * value.y);
        }
        p.to[at(p.top) + l] = value;
    }
}

// The result from the smoothed values: NaN at bad pixels, and divided by the smoothed mask, if
// given, over the integral B_0 of the kernel.
template <typename T>
__global__ void resultKernel(T* to, const double* values, const double* mask,
                             const double* smoothedMask, double b0, size_t count) {
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<size_t>(gridDim.x) * blockDim.x) {
        double value = values[i];
        if (smoothedMask != nullptr) {
            const double share = smoothedMask[i] / b0;
            value = share >= kLeastKernelShare ? value / share : kNan;
        }
        to[i] = static_cast<T>(mask[i] > 0.0 ? value : kNan);
    }
}

HarmonicRequest requestOf(SmoothParameters p, int64_t nside, JobContext& job) {
    if (p.method != SmoothMethod::Auto && p.method != SmoothMethod::Harmonic)
        throw Unsupported(
            "expected method harmonic for maps in device memory, found one that sums over pixels");
    p.method = SmoothMethod::Harmonic;
    return harmonicRequest(p, nside, p.polarization ? 3 : 1, job);
}

}  // namespace

struct DeviceSmoothPlan::State {
    int64_t nside;
    int index;
    HarmonicRequest request;
    DeviceShtPlan analysis;
    std::optional<DeviceShtPlan> own;  // a plan of a smaller band; empty: `analysis`
    cuda::Stream stream;
    cuda::Event reached;
    std::vector<cuda::DeviceBuffer<double>> beams;  // B_l of T, E, B
    std::vector<CudaArray> values, masks, alm, products;
    cuda::DeviceBuffer<Sums> sums;

    State(const SmoothParameters& p, int64_t size, const Device& device, JobContext& job)
        : nside(size),
          index(device.index),
          request(requestOf(p, size, job)),
          analysis({.nside = size,
                    .lmax = request.lmax,
                    .weights = p.weights,
                    .iterations = p.iterations},
                   device),
          stream(index, cuda::Priority::Low),
          reached(index),
          sums(index, kBlocks) {
        const int band = tableBand(size, request.reach, DeviceKind::Cuda);
        if (band < request.lmax) own.emplace(ShtParameters{.nside = size, .lmax = band}, device);
        for (const std::vector<double>& bl : request.beam.bl)
            beams.push_back(cuda::uploaded(index, bl, stream));
    }

    DeviceShtPlan& synthesis() { return own ? *own : analysis; }
    size_t pixels() const { return static_cast<size_t>(12 * nside * nside); }
    bool isDivided(bool anyBad) const {
        return anyBad && request.parameters.masked == Masked::Normalize;
    }

    void make(std::vector<CudaArray>& arrays, size_t number, size_t size) const {
        while (arrays.size() < number) arrays.emplace_back(index, size);
    }
    void makeArrays(size_t components) {
        const auto sizeOf = [](int lmax) {
            return static_cast<size_t>(2 * Alm::count(lmax, lmax));
        };
        make(values, components, pixels());
        make(masks, components == 1 ? 2 : 4, pixels());  // the last one receives a smoothed mask
        make(alm, components, sizeOf(request.lmax));
        make(products, components, sizeOf(synthesis().parameters().lmax));
    }

    Sums sumUp() {
        std::vector<Sums> parts(kBlocks);
        cuda::check(cudaMemcpyAsync(parts.data(), sums.data(), kBlocks * sizeof(Sums),
                                    cudaMemcpyDeviceToHost, stream.get()),
                    "copying sums");
        stream.synchronize();
        Sums all;
        for (const Sums& part : parts) {
            all.values += part.values;
            all.bad += part.bad;
        }
        return all;
    }
    Sums split(const DeviceValues& from, size_t to) {
        const auto launch = [&](const auto* data) {
            splitKernel<<<kBlocks, kThreads, 0, stream.get()>>>(
                data, values[to].data(), masks[to].data(), sums.data(), pixels());
        };
        if (from.isSingle)
            launch(static_cast<const float*>(from.data));
        else
            launch(static_cast<const double*>(from.data));
        cuda::checkLaunch("finding bad pixels");
        return sumUp();
    }
    static DeviceValues viewOf(const CudaArray& array) {
        return {array.data(), array.size(), false};
    }
    // Number `to` of the products: number `from` of the coefficients times a beam.
    void multiply(size_t from, size_t to, const cuda::DeviceBuffer<double>& beam, double monopole) {
        Product p;
        p.from = reinterpret_cast<const double2*>(alm[from].data());
        p.to = reinterpret_cast<double2*>(products[to].data());
        p.bl = beam.data();
        p.beams = std::min(static_cast<int>(beam.size()), request.reach + 1);
        p.lmax = request.lmax;
        p.top = synthesis().parameters().lmax;
        p.monopole = monopole;
        const dim3 blocks(static_cast<unsigned>(p.top) / (4 * kThreads) + 1,
                          static_cast<unsigned>(p.top) + 1);
        productKernel<<<blocks, kThreads, 0, stream.get()>>>(p);
        cuda::checkLaunch("multiplying by a beam");
    }
    // Smooths mask number `of` into the last mask.
    const double* smoothMask(size_t of, JobContext& job) {
        const DeviceValues mask = viewOf(masks[of]), coefficients = viewOf(alm[0]),
                           product = viewOf(products[0]), result = viewOf(masks.back());
        JobContext first = job.part(0.0, 0.5), second = job.part(0.5, 1.0);
        analysis.analysis(0, {&mask, 1}, {&coefficients, 1}, stream.get(), first);
        multiply(0, 0, beams[0], 0.0);
        synthesis().synthesis(0, {&product, 1}, {&result, 1}, stream.get(), second);
        return masks.back().data();
    }
    double integral() const {
        const std::vector<double>& bl = request.beam.bl[0];
        return bl.empty() ? 0.0 : bl[0];
    }
    void finish(size_t component, const double* smoothedMask, const DeviceValues& to) {
        const auto launch = [&](auto* data) {
            resultKernel<<<kBlocks, kThreads, 0, stream.get()>>>(
                data, values[component].data(), masks[component].data(), smoothedMask, integral(),
                pixels());
        };
        if (to.isSingle)
            launch(static_cast<float*>(to.data));
        else
            launch(static_cast<double*>(to.data));
        cuda::checkLaunch("storing a result");
    }
    void requireIntegral() const {
        if (request.compensated || !(std::abs(integral()) > 0.0)) refuseZeroIntegral();
    }

    void smoothScalar(const DeviceValues& from, const DeviceValues& to, JobContext& job) {
        makeArrays(1);
        const Sums found = split(from, 0);
        const bool anyBad = found.bad > 0.0, divides = isDivided(anyBad);
        if (divides) requireIntegral();
        // As on the host, a field without a bad pixel is smoothed about its mean.
        const double mean = anyBad ? 0.0 : found.values / static_cast<double>(pixels());
        if (mean != 0.0) {
            shiftKernel<<<kBlocks, kThreads, 0, stream.get()>>>(values[0].data(), mean, pixels());
            cuda::checkLaunch("subtracting a mean");
        }
        JobContext first = job.part(0.0, divides ? 0.3 : 0.6),
                   second = job.part(divides ? 0.3 : 0.6, divides ? 0.5 : 1.0),
                   third = job.part(0.5, 1.0);
        const DeviceValues map = viewOf(values[0]), coefficients = viewOf(alm[0]),
                           product = viewOf(products[0]);
        analysis.analysis(0, {&map, 1}, {&coefficients, 1}, stream.get(), first);
        multiply(0, 0, beams[0], mean * std::sqrt(4.0 * kPi));
        synthesis().synthesis(0, {&product, 1}, {&map, 1}, stream.get(), second);
        finish(0, divides ? smoothMask(0, third) : nullptr, to);
    }
    void smoothPair(std::span<const DeviceValues, 2> from, std::span<const DeviceValues, 2> to,
                    JobContext& job) {
        makeArrays(2);
        const double bad = split(from[0], 0).bad + split(from[1], 1).bad;
        const bool anyBad = bad > 0.0;
        if (anyBad) {
            joinKernel<<<kBlocks, kThreads, 0, stream.get()>>>(values[0].data(), values[1].data(),
                                                               masks[2].data(), masks[0].data(),
                                                               masks[1].data(), pixels());
            cuda::checkLaunch("joining masks");
        }
        const bool divides = isDivided(anyBad);
        if (divides) requireIntegral();
        JobContext first = job.part(0.0, 0.5), second = job.part(0.5, divides ? 0.8 : 1.0),
                   third = job.part(0.8, 1.0);
        const DeviceValues maps[] = {viewOf(values[0]), viewOf(values[1])},
                           coefficients[] = {viewOf(alm[0]), viewOf(alm[1])},
                           product[] = {viewOf(products[0]), viewOf(products[1])};
        analysis.analysis(2, maps, coefficients, stream.get(), first);
        multiply(0, 0, beams[1], 0.0);
        multiply(1, 1, beams[2], 0.0);
        synthesis().synthesis(2, product, maps, stream.get(), second);
        const double* const smoothedMask = divides ? smoothMask(2, third) : nullptr;
        for (size_t i = 0; i < 2; ++i) finish(i, smoothedMask, to[i]);
    }
    void check(std::span<const DeviceValues> arrays) const {
        for (const DeviceValues& one : arrays) {
            if (one.count != pixels())
                throw InvalidArgument("expected maps of " + std::to_string(pixels()) +
                                      " pixels, found one of " + std::to_string(one.count));
            if (deviceOfMemory(one.data) != index)
                throw InvalidArgument("expected maps in the memory of cuda:" +
                                      std::to_string(index) + ", found one elsewhere");
        }
    }
};

DeviceSmoothPlan::DeviceSmoothPlan(const SmoothParameters& parameters, int64_t nside,
                                   const Device& device, JobContext& job)
    : state_(std::make_unique<State>(parameters, nside, device, job)) {}
DeviceSmoothPlan::~DeviceSmoothPlan() = default;
DeviceSmoothPlan::DeviceSmoothPlan(DeviceSmoothPlan&&) noexcept = default;
DeviceSmoothPlan& DeviceSmoothPlan::operator=(DeviceSmoothPlan&&) noexcept = default;

int DeviceSmoothPlan::device() const {
    return state_->index;
}

void DeviceSmoothPlan::execute(std::span<const DeviceValues> fields,
                               std::span<const DeviceValues> results, void* stream,
                               JobContext& job) {
    State& s = *state_;
    const bool polarized = s.request.parameters.polarization;
    if (fields.empty() || fields.size() != results.size() || (polarized && fields.size() != 3))
        throw InvalidArgument("expected " + std::string(polarized ? "T, Q and U" : "maps") +
                              " and as many results, found " + std::to_string(fields.size()) +
                              " and " + std::to_string(results.size()));
    s.check(fields);
    s.check(results);
    const cuda::DeviceScope scope(s.index);
    cuda::check(cudaEventRecord(s.reached.get(), static_cast<cudaStream_t>(stream)),
                "recording an event");
    s.reached.holdBack(s.stream);
    const double units = polarized ? 3.0 : static_cast<double>(fields.size());
    for (size_t i = 0; i < (polarized ? 1 : fields.size()); ++i) {
        const auto begin = static_cast<double>(i);
        JobContext part = job.part(begin / units, (begin + 1.0) / units);
        s.smoothScalar(fields[i], results[i], part);
    }
    if (polarized) {
        JobContext part = job.part(1.0 / units, 1.0);
        s.smoothPair(std::span<const DeviceValues, 2>(fields.data() + 1, 2),
                     std::span<const DeviceValues, 2>(results.data() + 1, 2), part);
    }
    s.stream.synchronize();
}

}  // namespace armilla

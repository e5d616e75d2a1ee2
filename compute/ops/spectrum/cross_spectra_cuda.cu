// SPDX-License-Identifier: GPL-3.0-or-later
#include "spectrum/cross_spectra_cuda.h"

#include <algorithm>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "shared/alm_window_cuda.cuh"
#include "shared/mode_product.h"

namespace armilla {

namespace cuda {

constexpr int kDegreesOfBlock = 128;
// Orders that one thread sums: enough threads for the device, few partial sums.
constexpr int kOrdersOfThread = 64;

template <int kFields>
struct Coefficients {
    const double2* alm[kFields];
    int lmax, mmax;
};

constexpr int spectrumCount(int fields) {
    return fields == 3 ? 6 : 1;
}

// blockIdx.x counts runs of degrees l, blockIdx.y runs of orders m. `parts`: a row of lmax + 1 sums
// for each run of orders and each spectrum.
template <int kFields>
__global__ void partialSpectraKernel(Coefficients<kFields> of, double* parts) {
    constexpr int kSpectra = spectrumCount(kFields);
    const int l = static_cast<int>(blockIdx.x * kDegreesOfBlock + threadIdx.x);
    if (l > of.lmax) return;
    const int first = static_cast<int>(blockIdx.y) * kOrdersOfThread;
    const int last = min(min(first + kOrdersOfThread - 1, of.mmax), l);
    double sums[kSpectra] = {};
    for (int m = first; m <= last; ++m) {
        const int64_t at = almIndex(of.lmax, l, m);
        double2 x[kFields];
        for (int i = 0; i < kFields; ++i) x[i] = of.alm[i][at];
        const auto add = [&](int spectrum, int i, int k) {
            sums[spectrum] += modeProduct(m, x[i].x, x[i].y, x[k].x, x[k].y);
        };
        for (int i = 0; i < kFields; ++i) add(i, i, i);
        if constexpr (kFields == 3) {
            add(3, 0, 1);
            add(4, 0, 2);
            add(5, 1, 2);
        }
    }
    for (int s = 0; s < kSpectra; ++s)
        parts[(int64_t{blockIdx.y} * kSpectra + s) * (of.lmax + 1) + l] = sums[s];
}

// One thread adds the partial sums of one l of one spectrum.
__global__ void addPartsKernel(const double* parts, int runs, int spectra, int lmax, double* cl) {
    const int l = static_cast<int>(blockIdx.x * kDegreesOfBlock + threadIdx.x);
    if (l > lmax) return;
    const int s = static_cast<int>(blockIdx.y);
    double sum = 0.0;
    for (int run = 0; run < runs; ++run)
        sum += parts[(int64_t{run} * spectra + s) * (lmax + 1) + l];
    cl[int64_t{s} * (lmax + 1) + l] = sum / (2.0 * l + 1.0);
}

}  // namespace cuda

namespace {

template <int kFields>
std::vector<std::vector<double>> spectraOf(std::span<const CudaArray* const> alm, int lmax,
                                           int mmax, int device) {
    constexpr int kSpectra = cuda::spectrumCount(kFields);
    cuda::Coefficients<kFields> of{};
    for (size_t i = 0; i < kFields; ++i)
        of.alm[i] = reinterpret_cast<const double2*>(alm[i]->data());
    of.lmax = lmax;
    of.mmax = mmax;
    const cuda::DeviceScope scope(device);
    const cuda::Stream stream(device, cuda::Priority::Low);
    const auto size = static_cast<size_t>(lmax) + 1;
    const int runs = mmax / cuda::kOrdersOfThread + 1, columns = lmax / cuda::kDegreesOfBlock + 1;
    const cuda::DeviceBuffer<double> parts(device, static_cast<size_t>(runs) * kSpectra * size);
    const cuda::DeviceBuffer<double> cl(device, kSpectra * size);
    cuda::partialSpectraKernel<kFields>
        <<<dim3(static_cast<unsigned>(columns), static_cast<unsigned>(runs)), cuda::kDegreesOfBlock,
           0, stream.get()>>>(of, parts.data());
    cuda::checkLaunch("sums of a spectrum");
    cuda::addPartsKernel<<<dim3(static_cast<unsigned>(columns), kSpectra), cuda::kDegreesOfBlock, 0,
                           stream.get()>>>(parts.data(), runs, kSpectra, lmax, cl.data());
    cuda::checkLaunch("sums of a spectrum");
    std::vector<double> all(cl.size());
    cuda::check(cudaMemcpyAsync(all.data(), cl.data(), all.size() * sizeof(double),
                                cudaMemcpyDeviceToHost, stream.get()),
                "copying spectra from the device");
    stream.synchronize();
    std::vector<std::vector<double>> spectra;
    for (auto first = all.begin(); first != all.end(); first += static_cast<int64_t>(size))
        spectra.emplace_back(first, first + static_cast<int64_t>(size));
    return spectra;
}

}  // namespace

std::vector<std::vector<double>> crossSpectraOnDevice(std::span<const CudaArray* const> alm,
                                                      int lmax, int mmax, int device) {
    ARMILLA_ASSERT(alm.size() == 1 || alm.size() == 3);
    for (const CudaArray* each : alm)
        ARMILLA_ASSERT(each->size() == 2 * static_cast<size_t>(Alm::count(lmax, mmax)));
    return alm.size() == 3 ? spectraOf<3>(alm, lmax, mmax, device)
                           : spectraOf<1>(alm, lmax, mmax, device);
}

}  // namespace armilla

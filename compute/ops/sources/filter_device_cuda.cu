// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/picture_access.h"
#include "armilla/device/cuda/stream.h"
#include "shared/alm_window_cuda.cuh"
#include "sht/plan/ring_transform_stream_cuda.h"
#include "sht/plan/sht_cuda.h"
#include "sources/filter_device.h"

namespace armilla::sources {

namespace {

using cuda::DeviceBuffer;

constexpr int kThreads = 256;
constexpr int64_t kMostBlocks = 132 * 16;
constexpr int kBitsOfWord = 32;

int64_t wordsOf(int64_t pixels) {
    return (pixels + kBitsOfWord - 1) / kBitsOfWord;
}
size_t doublesOf(int lmax) {
    return static_cast<size_t>(2 * Alm::count(lmax, lmax));
}

__global__ void refuseKernel(int64_t pixels, const uint32_t* bad, const double* share, double least,
                             double* values, unsigned long long* refused) {
    const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t p = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; p < pixels;
         p += step) {
        if ((bad[p / kBitsOfWord] >> (p % kBitsOfWord) & 1U) != 0) {
            values[p] = nan("");
        } else if (seesTooLittle(static_cast<float>(share[p]), least)) {
            values[p] = nan("");
            atomicAdd(refused, 1ULL);
        }
    }
}

// One bit per pixel, set where `good` is not finite.
std::vector<uint32_t> badBits(std::span<const double> good, JobContext& job) {
    const auto pixels = static_cast<int64_t>(good.size());
    std::vector<uint32_t> bad(static_cast<size_t>(wordsOf(pixels)));
    JobContext silent(job.stopToken(), {}, job.threads());
    parallelFor(silent, static_cast<long long>(bad.size()), kPixelGrain / kBitsOfWord,
                [&](long long begin, long long end) {
                    for (long long word = begin; word < end; ++word) {
                        const int64_t first = word * kBitsOfWord;
                        const int64_t count = std::min<int64_t>(kBitsOfWord, pixels - first);
                        for (int64_t i = 0; i < count; ++i)
                            if (!std::isfinite(good[static_cast<size_t>(first + i)]))
                                bad[static_cast<size_t>(word)] |= 1U << i;
                    }
                });
    return bad;
}

CudaTransformShape shapeFor(const Device& device, int64_t nside, int lmax) {
    return cudaShapeOf(keptTuning({device, nside, lmax, lmax}).tuning.value_or(ShtTuning{}));
}

}  // namespace

struct FilterDevice::Owner {
    Owner(const Device& on, int64_t nside_, int lmax_)
        : device(on.index),
          nside(nside_),
          pixels(pixelCount(nside)),
          lmax(lmax_),
          sky(on, nside),
          transform(RingGrid::healpix(nside), lmax, lmax, device, shapeFor(on, nside, lmax)),
          alm(device, doublesOf(lmax)),
          filtered(device, doublesOf(lmax)),
          window(device, static_cast<size_t>(lmax) + 1) {}

    struct Holes {
        CudaArray alm, share;
        DeviceBuffer<uint32_t> bad;
        DeviceBuffer<unsigned long long> refused;
    };

    void synthesize(const CudaArray& from, std::span<const double> fl, CudaArray& to,
                    JobContext& job) {
        const cuda::DeviceScope scope(device);
        const cuda::Stream& stream = cuda::streamOf(transform);
        const size_t count = std::min(fl.size(), window.size());
        cuda::check(cudaMemcpyAsync(window.data(), fl.data(), count * sizeof(double),
                                    cudaMemcpyHostToDevice, stream.get()),
                    "copying a filter to the device");
        cuda::applyAlmWindow(from, lmax, window.data(), static_cast<int>(count) - 1, filtered, lmax,
                             stream);
        transform.synthesis(filtered, to, job);
    }

    // Data for pictures.
    struct Pictures {
        CudaArray alm;
        PictureCells cells;
    };

    int device;
    int64_t nside, pixels;
    int lmax;
    SkyDevice sky;
    CudaRingTransform transform;
    CudaArray alm, filtered;
    DeviceBuffer<double> window;
    std::optional<Holes> holes;
    std::optional<Pictures> pictures;
};

FilterDevice::FilterDevice(const Device& device, int64_t nside, int lmax) {
    const cuda::DeviceScope scope(device.index);
    owner_ = std::make_unique<Owner>(device, nside, lmax);
}
FilterDevice::~FilterDevice() = default;
FilterDevice::FilterDevice(FilterDevice&&) noexcept = default;
FilterDevice& FilterDevice::operator=(FilterDevice&&) noexcept = default;

int64_t FilterDevice::bytesFor(int64_t nside, int lmax, bool holes) {
    const int64_t map = 8 * pixelCount(nside), alm = 16 * Alm::count(lmax, lmax);
    // Values and noise, coefficients, coefficients times f_l, and the transform's own half of
    // these.
    return 2 * map + 5 * alm / 2 + (holes ? map + alm : 0);
}

void FilterDevice::setSky(const Alm& alm, JobContext& job) {
    ARMILLA_ASSERT(alm.lmax() == owner_->lmax && alm.mmax() == owner_->lmax);
    owner_->sky.copies().upload(alm, owner_->alm, job);
}

void FilterDevice::setHoles(const Alm& maskAlm, std::span<const double> good, JobContext& job) {
    Owner& o = *owner_;
    ARMILLA_ASSERT(maskAlm.lmax() == o.lmax && static_cast<int64_t>(good.size()) == o.pixels);
    const cuda::DeviceScope scope(o.device);
    if (!o.holes)
        o.holes.emplace(
            Owner::Holes{CudaArray(o.device, doublesOf(o.lmax)),
                         CudaArray(o.device, static_cast<size_t>(o.pixels)),
                         DeviceBuffer<uint32_t>(o.device, static_cast<size_t>(wordsOf(o.pixels))),
                         DeviceBuffer<unsigned long long>(o.device, 1)});
    o.sky.copies().upload(maskAlm, o.holes->alm, job);
    const std::vector<uint32_t> bad = badBits(good, job);
    const cuda::Stream& stream = cuda::streamOf(o.transform);
    cuda::check(cudaMemcpyAsync(o.holes->bad.data(), bad.data(), bad.size() * sizeof(uint32_t),
                                cudaMemcpyHostToDevice, stream.get()),
                "copying bad pixels to the device");
    stream.synchronize();
}

void FilterDevice::filter(std::span<const double> fl, JobContext& job) {
    owner_->synthesize(owner_->alm, fl, owner_->sky.values(), job);
}

int64_t FilterDevice::refuseUnseen(std::span<const double> window, double least, JobContext& job) {
    Owner& o = *owner_;
    ARMILLA_ASSERT(o.holes);
    o.synthesize(o.holes->alm, window, o.holes->share, job);
    const cuda::DeviceScope scope(o.device);
    const cuda::Stream& stream = cuda::streamOf(o.transform);
    unsigned long long refused = 0;
    cuda::check(cudaMemsetAsync(o.holes->refused.data(), 0, sizeof(refused), stream.get()),
                "clearing a count");
    const auto blocks =
        static_cast<unsigned>(std::min<int64_t>((o.pixels + kThreads - 1) / kThreads, kMostBlocks));
    refuseKernel<<<blocks, kThreads, 0, stream.get()>>>(
        o.pixels, o.holes->bad.data(), o.holes->share.data(), least, o.sky.values().data(),
        o.holes->refused.data());
    cuda::checkLaunch("refusing pixels");
    cuda::check(cudaMemcpyAsync(&refused, o.holes->refused.data(), sizeof(refused),
                                cudaMemcpyDeviceToHost, stream.get()),
                "copying from the device");
    stream.synchronize();
    return static_cast<int64_t>(refused);
}

void FilterDevice::getShare(std::span<float> share, JobContext& job) {
    ARMILLA_ASSERT(owner_->holes);
    owner_->sky.copies().download(owner_->holes->share, MapSamples(share), job);
}

void FilterDevice::setPictureSky(const Alm& alm, const std::vector<double>* good, JobContext& job) {
    Owner& o = *owner_;
    ARMILLA_ASSERT(alm.lmax() == o.lmax && alm.mmax() == o.lmax);
    const cuda::DeviceScope scope(o.device);
    const std::vector<uint32_t> bad = good ? badBits(*good, job) : std::vector<uint32_t>();
    o.pictures.reset();
    Owner::Pictures made{CudaArray(o.device, doublesOf(o.lmax)),
                         PictureCells(o.device, o.nside, bad)};
    o.sky.copies().upload(alm, made.alm, job);
    o.pictures.emplace(std::move(made));
}

void FilterDevice::draw(std::span<const double> fl, bool single, DevicePicture& picture,
                        JobContext& job) {
    Owner& o = *owner_;
    ARMILLA_ASSERT(o.pictures);
    o.synthesize(o.pictures->alm, fl, o.sky.values(), job);
    const cuda::DeviceScope scope(o.device);
    cuda::PictureSource source;
    source.values = o.sky.values().data();
    source.single = single;
    cuda::fillPicture(source, o.pictures->cells, picture, cuda::streamOf(o.transform));
}

SkyDevice& FilterDevice::sky() {
    return owner_->sky;
}

}  // namespace armilla::sources

// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/face_neighbors.h"
#include "armilla/core/healpix_map.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda_array.h"
#include "armilla/device/host_copies.h"
#include "sources/cell_grid.h"
#include "sources/sky_cells.h"
#include "sources/sky_device.h"

namespace armilla::sources {

namespace {

using cuda::DeviceBuffer;

constexpr int kCellThreads = 128;
constexpr int kPixelThreads = 256;
constexpr unsigned kMostBlocks = 132 * 16;
// Capacity for maxima in the first attempt.
constexpr unsigned long long kCapacity = 1ULL << 20;

unsigned blocksFor(int64_t count, int threads) {
    return static_cast<unsigned>(
        std::clamp<int64_t>((count + threads - 1) / threads, 1, kMostBlocks));
}

// Integer keys that sort like doubles.
__device__ unsigned long long keyOf(double value) {
    const auto bits = static_cast<unsigned long long>(__double_as_longlong(value));
    return (bits >> 63) != 0 ? ~bits : bits | 0x8000000000000000ULL;
}
__device__ double valueOf(unsigned long long key) {
    const unsigned long long bits = (key >> 63) != 0 ? key & 0x7FFFFFFFFFFFFFFFULL : ~key;
    return __longlong_as_double(static_cast<long long>(bits));
}

// Shared memory of a block.
struct CellWorkspace {
    double sample[kMostSamples];
    unsigned histogram[256];
    unsigned long long prefix;
    unsigned rank;
    double part[3][kCellThreads / 32];
};

// The finite sample of this rank, from 0, or of |sample - center| if `apart`. Radix selection,
// eight bits at a time from the top. All threads of the block must call and get the result.
__device__ double selected(CellWorkspace& workspace, int count, unsigned rank, bool apart,
                           double center) {
    if (threadIdx.x == 0) {
        workspace.prefix = 0;
        workspace.rank = rank;
    }
    for (int shift = 56; shift >= 0; shift -= 8) {
        for (int i = threadIdx.x; i < 256; i += kCellThreads) workspace.histogram[i] = 0;
        __syncthreads();
        const unsigned long long prefix = workspace.prefix;
        for (int i = threadIdx.x; i < count; i += kCellThreads) {
            const double value = apart ? fabs(workspace.sample[i] - center) : workspace.sample[i];
            if (!isfinite(value)) continue;
            const unsigned long long key = keyOf(value);
            if (shift < 56 && (key >> (shift + 8)) != prefix) continue;
            atomicAdd(&workspace.histogram[(key >> shift) & 255], 1U);
        }
        __syncthreads();
        if (threadIdx.x < 32) {
            unsigned own = 0;
            for (int k = 0; k < 8; ++k) own += workspace.histogram[8 * threadIdx.x + k];
            unsigned through = own;
            for (int step = 1; step < 32; step *= 2) {
                const unsigned other = __shfl_up_sync(0xFFFFFFFFU, through, step);
                if (static_cast<int>(threadIdx.x) >= step) through += other;
            }
            unsigned before = through - own;
            const unsigned wanted = workspace.rank;
            __syncwarp();
            if (before <= wanted && wanted < through) {
                int digit = 8 * static_cast<int>(threadIdx.x);
                while (before + workspace.histogram[digit] <= wanted)
                    before += workspace.histogram[digit++];
                workspace.rank = wanted - before;
                workspace.prefix = (prefix << 8) | static_cast<unsigned long long>(digit);
            }
        }
        __syncthreads();
    }
    const double result = valueOf(workspace.prefix);
    __syncthreads();
    return result;
}

struct Sums {
    double count, sum, squares;
};
// Sum over all threads in a fixed order.
__device__ Sums blockSums(CellWorkspace& workspace, Sums own) {
    for (int step = 16; step > 0; step /= 2) {
        own.count += __shfl_down_sync(0xFFFFFFFFU, own.count, step);
        own.sum += __shfl_down_sync(0xFFFFFFFFU, own.sum, step);
        own.squares += __shfl_down_sync(0xFFFFFFFFU, own.squares, step);
    }
    if (threadIdx.x % 32 == 0) {
        workspace.part[0][threadIdx.x / 32] = own.count;
        workspace.part[1][threadIdx.x / 32] = own.sum;
        workspace.part[2][threadIdx.x / 32] = own.squares;
    }
    __syncthreads();
    Sums all{0.0, 0.0, 0.0};
    for (int w = 0; w < kCellThreads / 32; ++w) {
        all.count += workspace.part[0][w];
        all.sum += workspace.part[1][w];
        all.squares += workspace.part[2][w];
    }
    __syncthreads();
    return all;
}

// clippedRms of sky_cells.cpp, one block per cell.
__global__ void cellRmsKernel(int64_t nside, int64_t coarse, const double* values, double* rms) {
    __shared__ CellWorkspace workspace;
    for (int64_t cell = blockIdx.x; cell < 12 * coarse * coarse; cell += gridDim.x) {
        const CellBox box = cellBox(nside, coarse, cell);
        const int count = static_cast<int>(box.samples());
        Sums own{0.0, 0.0, 0.0};
        for (int i = threadIdx.x; i < count; i += kCellThreads) {
            const double value = values[ringFromFace(nside, box.sample(i))];
            workspace.sample[i] = value;
            own.count += isfinite(value) ? 1.0 : 0.0;
        }
        const auto good = static_cast<unsigned>(blockSums(workspace, own).count);
        if (good < kLeastSamples) {
            if (threadIdx.x == 0) rms[cell] = nan("");
            continue;
        }
        double center = selected(workspace, count, good / 2, false, 0.0);
        double scale = selected(workspace, count, good / 2, true, center) / kMedianDistance;
        const bool clips = scale > 0.0;
        for (int pass = 0; pass < (clips ? kClipPasses : 1); ++pass) {
            own = {0.0, 0.0, 0.0};
            for (int i = threadIdx.x; i < count; i += kCellThreads) {
                const double off = workspace.sample[i] - center;
                if (!isfinite(off) || (clips && fabs(off) > kClip * scale)) continue;
                own.count += 1.0;
                own.sum += off;
                own.squares += off * off;
            }
            const Sums all = blockSums(workspace, own);
            if (!clips) {
                scale = sqrt(all.squares / all.count);
                break;
            }
            const double mean = all.sum / all.count;
            const double fresh =
                sqrt(fmax(0.0, all.squares / all.count - mean * mean) / kClippedVariance);
            center += mean;
            const bool settled = fabs(fresh - scale) < kClipSettled * scale;
            scale = fresh;
            if (settled || !(scale > 0.0)) break;
        }
        if (threadIdx.x == 0) rms[cell] = scale;
    }
}

__global__ void spreadKernel(CellGrid grid, double* ring) {
    const int64_t pixels = 12 * grid.nside * grid.nside;
    const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t p = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; p < pixels;
         p += step)
        ring[p] = interpolated(grid, faceFromRing(grid.nside, p));
}

// Few pixels pass the threshold; only these need their neighbors.
__global__ void maximaKernel(int64_t nside, const double* values, const double* rms, double least,
                             int64_t* found, unsigned long long workspace,
                             unsigned long long* count) {
    const int64_t pixels = 12 * nside * nside;
    const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t p = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; p < pixels;
         p += step) {
        const double here = values[p];
        if (!(here >= least * rms[p])) continue;
        const FacePixel at = faceFromRing(nside, p);
        bool highest = true;
        for (int k = 0; k < 8 && highest; ++k) {
            const FacePixel next = neighborOf(nside, at, k);
            if (next.face < 0) continue;
            const int64_t q = ringFromFace(nside, next);
            const double there = values[q];
            highest = !(there > here || (there == here && q < p));
        }
        if (!highest) continue;
        const unsigned long long place = atomicAdd(count, 1ULL);
        if (place < workspace) found[place] = p;
    }
}

}  // namespace

struct SkyDevice::Owner {
    Owner(const Device& on, int64_t nside_)
        : device(on.index),
          nside(nside_),
          pixels(pixelCount(nside_)),
          values(device, static_cast<size_t>(pixels)),
          rms(device, static_cast<size_t>(pixels)),
          stream(device, cuda::Priority::Low),
          begin(device, cuda::Event::Timing::On),
          end(device, cuda::Event::Timing::On),
          copies(device),
          count(device, 1),
          hostCount(device, 1) {}

    int device;
    int64_t nside, pixels;
    CudaArray values, rms;
    cuda::Stream stream;
    cuda::Event begin, end;
    mutable HostCopies copies;
    std::unique_ptr<DeviceBuffer<double>> cells, faces;
    std::unique_ptr<DeviceBuffer<int64_t>> found;
    DeviceBuffer<unsigned long long> count;
    cuda::PinnedBuffer<unsigned long long> hostCount;
    double seconds = 0.0;

    void addTime() {
        end.record(stream);
        end.synchronize();
        float milliseconds = 0.0F;
        cuda::check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "reading a time");
        seconds += 1e-3 * static_cast<double>(milliseconds);
    }
    template <class T>
    void toHost(T* to, const T* from, size_t size) const {
        cuda::check(
            cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDeviceToHost, stream.get()),
            "copying from the device");
        stream.synchronize();
    }
    // Returns the number of maxima; maxima beyond the capacity are not stored.
    unsigned long long find(double least) {
        cuda::check(cudaMemsetAsync(count.data(), 0, sizeof(unsigned long long), stream.get()),
                    "clearing a count");
        begin.record(stream);
        maximaKernel<<<blocksFor(pixels, kPixelThreads), kPixelThreads, 0, stream.get()>>>(
            nside, values.data(), rms.data(), least, found->data(),
            static_cast<unsigned long long>(found->size()), count.data());
        cuda::checkLaunch("finding maxima");
        addTime();
        toHost(hostCount.data(), count.data(), 1);
        return *hostCount.data();
    }
};

SkyDevice::SkyDevice(const Device& device, int64_t nside) {
    const cuda::DeviceScope scope(device.index);
    owner_ = std::make_unique<Owner>(device, nside);
}
SkyDevice::~SkyDevice() = default;
SkyDevice::SkyDevice(SkyDevice&&) noexcept = default;
SkyDevice& SkyDevice::operator=(SkyDevice&&) noexcept = default;

void SkyDevice::setValues(std::span<const double> ring, JobContext& job) {
    owner_->copies.upload(ConstMapSamples(ring), owner_->values, job);
}
void SkyDevice::setRms(std::span<const double> ring, JobContext& job) {
    owner_->copies.upload(ConstMapSamples(ring), owner_->rms, job);
}
void SkyDevice::getValues(std::span<double> ring, JobContext& job) const {
    owner_->copies.download(owner_->values, MapSamples(ring), job);
}
void SkyDevice::getRms(std::span<double> ring, JobContext& job) const {
    owner_->copies.download(owner_->rms, MapSamples(ring), job);
}

void SkyDevice::measureRms(double cellSize, JobContext& job) {
    Owner& o = *owner_;
    const cuda::DeviceScope scope(o.device);
    const int64_t coarse = noiseCells(o.nside, cellSize);
    const auto cells = static_cast<size_t>(pixelCount(coarse));
    if (!o.cells || o.cells->size() != cells)
        o.cells = std::make_unique<DeviceBuffer<double>>(o.device, cells);
    o.seconds = 0.0;
    job.poll();
    o.begin.record(o.stream);
    cellRmsKernel<<<static_cast<unsigned>(std::min<size_t>(cells, 1U << 20)), kCellThreads, 0,
                    o.stream.get()>>>(o.nside, coarse, o.values.data(), o.cells->data());
    cuda::checkLaunch("measuring local noise");
    o.addTime();
    std::vector<double> rms(cells);
    o.toHost(rms.data(), o.cells->data(), cells);
    if (!fillNested(coarse, rms, job)) {
        // Without any cell that has enough samples: all samples together, as on the CPU.
        std::vector<double> ring(static_cast<size_t>(o.pixels));
        o.copies.download(o.values, MapSamples(std::span<double>(ring)), job);
        std::fill(rms.begin(), rms.end(), rmsOfAll(o.nside, coarse, ring));
    }
    const std::vector<double> faces = facesWithEdges(coarse, rms);
    if (!o.faces || o.faces->size() != faces.size())
        o.faces = std::make_unique<DeviceBuffer<double>>(o.device, faces.size());
    cuda::check(cudaMemcpyAsync(o.faces->data(), faces.data(), faces.size() * sizeof(double),
                                cudaMemcpyHostToDevice, o.stream.get()),
                "copying to the device");
    o.begin.record(o.stream);
    spreadKernel<<<blocksFor(o.pixels, kPixelThreads), kPixelThreads, 0, o.stream.get()>>>(
        CellGrid{o.nside, coarse, o.faces->data()}, o.rms.data());
    cuda::checkLaunch("spreading local noise");
    o.addTime();
    job.poll();
}

std::vector<int64_t> SkyDevice::maxima(double least, JobContext& job) {
    Owner& o = *owner_;
    const cuda::DeviceScope scope(o.device);
    job.poll();
    if (!o.found) o.found = std::make_unique<DeviceBuffer<int64_t>>(o.device, kCapacity);
    o.seconds = 0.0;
    unsigned long long count = o.find(least);
    if (count > o.found->size()) {
        o.found.reset();
        o.found = std::make_unique<DeviceBuffer<int64_t>>(o.device, count);
        o.seconds = 0.0;
        count = o.find(least);
    }
    std::vector<int64_t> result(count);
    o.toHost(result.data(), o.found->data(), count);
    // Threads find maxima in any order.
    std::sort(result.begin(), result.end());
    return result;
}

double SkyDevice::deviceSeconds() const {
    return owner_->seconds;
}
CudaArray& SkyDevice::values() {
    return owner_->values;
}
HostCopies& SkyDevice::copies() {
    return owner_->copies;
}

}  // namespace armilla::sources

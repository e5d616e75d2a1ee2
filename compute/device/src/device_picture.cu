// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/device/device_picture.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/face_values.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/device/cuda/picture_access.h"

namespace armilla {

namespace {

// A block processes a tile of 32 by 32 cells of a face, four cells per thread.
constexpr int kTile = 32, kTileStep = 8;
constexpr unsigned kThreads = 256;

struct Cells {
    const int64_t* pixels = nullptr;
    const uint32_t* bad = nullptr;
    int64_t mapNside = 1;
};

__device__ float cellValue(const cuda::PictureSource& from, const Cells& cells, int64_t pixel,
                           double value) {
    if (cells.bad != nullptr && (cells.bad[pixel >> 5] >> (pixel & 31) & 1U) != 0)
        return badFaceValue();
    if (from.exponent != 0) value = ldexp(value, from.exponent);
    if (from.mask != nullptr) {
        const double share = from.mask[pixel] / from.maskUnit;
        if (!(share >= from.leastShare)) return badFaceValue();
        value = value / share;
    }
    if (from.level != 0.0) value += from.level;
    return from.single ? faceValue(static_cast<float>(value)) : faceValue(value);
}

// Levels of a picture; each has half the width of the one before.
struct Levels {
    static constexpr int kMost = 5;  // log2(32): a tile of 32 cells
    float* at[kMost] = {};
    int count = 0;
};

// Computes the coarser levels of a block's tile of a face. The tile has `width` by `width` cells,
// beginning at column x and row y of a level with faces of `nside` cells. Overwrites the tile.
__device__ void coarserLevels(float (*tile)[kTile], int width, int face, int64_t nside, int64_t x,
                              int64_t y, const Levels& to) {
    const auto column = static_cast<int>(threadIdx.x), row = static_cast<int>(threadIdx.y);
    for (int level = 0; level < to.count; ++level) {
        width /= 2, nside /= 2, x /= 2, y /= 2;
        // Up to 16 rows for the 8 thread rows of a block.
        float means[2] = {};
        __syncthreads();
        for (int half = 0; half < 2; ++half)
            if (const int r = row + half * kTileStep; column < width && r < width)
                means[half] =
                    meanOfGood(tile[2 * r][2 * column], tile[2 * r][2 * column + 1],
                               tile[2 * r + 1][2 * column], tile[2 * r + 1][2 * column + 1]);
        __syncthreads();
        for (int half = 0; half < 2; ++half)
            if (const int r = row + half * kTileStep; column < width && r < width) {
                tile[r][column] = means[half];
                to.at[level][(face * nside + y + r) * nside + x + column] = means[half];
            }
    }
}

// Fills the cells of a block's tile and the coarser levels that the tile covers. Cells along a
// diagonal, with the next one at (x + 1, y - 1), are adjacent in a ring, which may begin at x = y.
// A warp reads the cells with x + y = s and x + y = s + 32.
__global__ void __launch_bounds__(kThreads)
    facesKernel(cuda::PictureSource from, Cells cells, int64_t nside, float* faces,
                Levels coarser) {
    constexpr int kDiagonals = 2 * kTile - 1, kEach = kTile / kTileStep;
    __shared__ float tile[kTile][kTile];
    __shared__ int64_t origin[2][kDiagonals];  // pixel - x; index 1 for x < y
    const int64_t left = blockIdx.x * static_cast<int64_t>(kTile);
    const int64_t low = blockIdx.y * static_cast<int64_t>(kTile);
    const auto face = static_cast<int>(blockIdx.z), column = static_cast<int>(threadIdx.x);
    const auto first = static_cast<int>(threadIdx.y);
    const auto width = static_cast<int>(min(nside, int64_t{kTile}));
    if (const int thread = first * kTile + column; thread < 2 * kDiagonals) {
        const bool below = thread < kDiagonals;
        const int diagonal = below ? thread : thread - kDiagonals;
        const int64_t sum = left + low + diagonal, x = (sum + (below ? 1 : -1)) >> 1;
        origin[below ? 0 : 1][diagonal] = ringFromFace(nside, {face, x, sum - x}) - x;
    }
    __syncthreads();
    const auto rowOf = [&](int i) { return (first + i * kTileStep - column) & (kTile - 1); };
    int64_t pixel[kEach];
    double value[kEach];
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
        const int row = rowOf(i);
        if (column >= width || row >= width) continue;
        const int64_t x = left + column, y = low + row;
        pixel[i] = cells.pixels != nullptr ? cells.pixels[(face * nside + y) * nside + x]
                                           : origin[x < y ? 1 : 0][column + row] + x;
        value[i] = from.values[pixel[i]];
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i)
        if (const int row = rowOf(i); column < width && row < width)
            tile[row][column] = cellValue(from, cells, pixel[i], value[i]);
    __syncthreads();
    for (int row = first; row < width; row += kTileStep)
        if (column < width)
            faces[(face * nside + low + row) * nside + left + column] = tile[row][column];
    coarserLevels(tile, width, face, nside, left, low, coarser);
}

// The coarser levels above a level with faces of `nside` cells.
__global__ void coarserKernel(const float* fine, int64_t nside, Levels coarser) {
    __shared__ float tile[kTile][kTile];
    const int64_t left = blockIdx.x * static_cast<int64_t>(kTile);
    const int64_t low = blockIdx.y * static_cast<int64_t>(kTile);
    const auto face = static_cast<int>(blockIdx.z), column = static_cast<int>(threadIdx.x);
    const auto width = static_cast<int>(min(nside, int64_t{kTile}));
    for (int row = static_cast<int>(threadIdx.y); row < width; row += kTileStep)
        if (column < width)
            tile[row][column] = fine[(face * nside + low + row) * nside + left + column];
    coarserLevels(tile, width, face, nside, left, low, coarser);
}

__global__ void sampleKernel(const float* from, size_t stride, float* to, size_t count) {
    const size_t i = blockIdx.x * static_cast<size_t>(kThreads) + threadIdx.x;
    if (i < count) to[i] = from[i * stride];
}

unsigned blocks(int64_t count, int64_t each) {
    return static_cast<unsigned>((count + each - 1) / each);
}

int64_t checkedNside(int64_t nside) {
    if (!isPowerOfTwoNside(nside))
        throw InvalidArgument("expected a power of two as the NSIDE of a picture, found " +
                              std::to_string(nside));
    return nside;
}

}  // namespace

DevicePicture::Owner::Owner(int device, int64_t faceNside)
    : nside(checkedNside(faceNside)), written(device), drawn(device) {
    size_t count = 0;
    for (int64_t n = nside; n >= 1; n /= 2) {
        offsets.push_back(count);
        count += static_cast<size_t>(pixelCount(n));
    }
    values = cuda::DeviceBuffer<float>(device, count);
}

DevicePicture::DevicePicture(int device, int64_t nside) : owner_(new Owner(device, nside)) {}
DevicePicture::~DevicePicture() = default;

int DevicePicture::device() const {
    return owner_->values.device();
}
int64_t DevicePicture::nside() const {
    return owner_->nside;
}
int DevicePicture::levels() const {
    return static_cast<int>(owner_->offsets.size());
}
int64_t DevicePicture::bytesFor(int64_t nside) {
    int64_t count = 0;
    for (int64_t n = nside; n >= 1; n /= 2) count += pixelCount(n);
    return count * static_cast<int64_t>(sizeof(float));
}
bool DevicePicture::isReady() const {
    const cuda::DeviceScope scope(device());
    const cudaError_t status = cudaEventQuery(owner_->written.get());
    if (status == cudaErrorNotReady) {
        cudaGetLastError();
        return false;
    }
    cuda::check(status, "a live picture");
    return true;
}
void DevicePicture::wait() const {
    const cuda::DeviceScope scope(device());
    cuda::check(cudaEventSynchronize(owner_->written.get()), "a live picture");
}
std::vector<float> DevicePicture::download(int level) const {
    const auto index = static_cast<size_t>(level);
    ARMILLA_ASSERT(index < owner_->offsets.size());
    std::vector<float> values(static_cast<size_t>(pixelCount(owner_->nside >> level)));
    const cuda::DeviceScope scope(device());
    const cuda::Stream stream(device(), cuda::Priority::Low);
    owner_->beginDrawing(stream);
    cuda::check(cudaMemcpyAsync(values.data(), owner_->level(index), values.size() * sizeof(float),
                                cudaMemcpyDeviceToHost, stream.get()),
                "copying a picture from the device");
    stream.synchronize();
    return values;
}

std::vector<float> DevicePicture::sample(size_t count) const {
    const auto all = static_cast<size_t>(pixelCount(owner_->nside));
    const size_t stride = std::max<size_t>(1, (all + count - 1) / std::max<size_t>(1, count));
    const size_t cells = (all + stride - 1) / stride;
    const cuda::DeviceScope scope(device());
    auto& kept = owner_->sampler;
    if (!kept || kept->cells.size() < cells)
        kept.reset(new Owner::Sampler{cuda::Stream(device(), cuda::Priority::High),
                                      cuda::DeviceBuffer<float>(device(), cells),
                                      cuda::PinnedBuffer<float>(device(), cells)});
    const cudaStream_t stream = kept->stream.get();
    owner_->beginDrawing(kept->stream);
    sampleKernel<<<blocks(static_cast<int64_t>(cells), kThreads), kThreads, 0, stream>>>(
        owner_->level(0), stride, kept->cells.data(), cells);
    cuda::checkLaunch("sampling a picture");
    cuda::check(cudaMemcpyAsync(kept->host.data(), kept->cells.data(), cells * sizeof(float),
                                cudaMemcpyDeviceToHost, stream),
                "copying a sample from the device");
    kept->stream.synchronize();
    return {kept->host.data(), kept->host.data() + cells};
}

DevicePictures::DevicePictures(int device, int64_t nside) {
    for (auto& picture : pictures_) picture = std::make_shared<DevicePicture>(device, nside);
}
std::shared_ptr<DevicePicture> DevicePictures::next() {
    for (size_t i = 1; i <= pictures_.size(); ++i) {
        const size_t at = (last_ + i) % pictures_.size();
        if (pictures_[at].use_count() > 1) continue;
        // use_count reads without ordering; the fence orders the last owner's accesses before this
        // one's.
        std::atomic_thread_fence(std::memory_order_acquire);
        last_ = at;
        return pictures_[at];
    }
    return nullptr;
}

PictureCells::PictureCells(int device, int64_t mapNside, std::span<const uint32_t> bad)
    : owner_(new Owner) {
    owner_->mapNside = mapNside;
    owner_->pictureNside = pictureNside(mapNside);
    const int64_t n = owner_->pictureNside;
    const cuda::DeviceScope scope(device);
    const cuda::Stream stream(device, cuda::Priority::Low);
    const auto copied = [&]<class T>(std::span<const T> values) {
        cuda::DeviceBuffer<T> buffer(device, values.size());
        cuda::check(cudaMemcpyAsync(buffer.data(), values.data(), values.size_bytes(),
                                    cudaMemcpyHostToDevice, stream.get()),
                    "copying tables to the device");
        stream.synchronize();
        return buffer;
    };
    if (!bad.empty()) {
        ARMILLA_ASSERT(static_cast<int64_t>(bad.size()) >= (pixelCount(mapNside) + 31) / 32);
        owner_->bad = copied(bad);
    }
    if (n == mapNside) return;
    JobContext job;
    std::vector<int64_t> pixels = newVector<int64_t>(pixelCount(n), job);
    parallelFor(job, 12 * n, std::max<int64_t>(1, kPixelGrain / n),
                [&](long long begin, long long end) {
                    for (int64_t row = begin; row < end; ++row)
                        for (int64_t x = 0; x < n; ++x) {
                            const FacePixel cell{static_cast<int>(row / n), x, row % n};
                            pixels[static_cast<size_t>(row * n + x)] =
                                ringFromDirection(mapNside, directionFromFace(n, cell));
                        }
                });
    owner_->pixels = copied(std::span<const int64_t>(pixels));
}
PictureCells::~PictureCells() = default;
PictureCells::PictureCells(PictureCells&&) noexcept = default;
PictureCells& PictureCells::operator=(PictureCells&&) noexcept = default;

int64_t PictureCells::pictureNside() const {
    return owner_->pictureNside;
}
namespace cuda {

void fillPicture(const PictureSource& source, const PictureCells& cells, DevicePicture& picture,
                 const Stream& stream) {
    const PictureCells::Owner& from = cells.owner();
    DevicePicture::Owner& to = picture.owner();
    if (to.nside != from.pictureNside)
        throw InvalidArgument("expected a picture of nside " + std::to_string(from.pictureNside) +
                              ", found " + std::to_string(to.nside));
    const DeviceScope scope(stream.device());
    to.drawn.holdBack(stream);
    const dim3 block(kTile, kTileStep);
    // The levels above a given level that one tile covers.
    const auto above = [&](size_t level) {
        Levels levels;
        while (levels.count < Levels::kMost && level + 1 < to.offsets.size())
            levels.at[levels.count++] = to.level(++level);
        return levels;
    };
    const auto tiles = [](int64_t nside) {
        const unsigned across = blocks(nside, kTile);
        return dim3(across, across, 12);
    };
    facesKernel<<<tiles(to.nside), block, 0, stream.get()>>>(
        source, {from.pixels.data(), from.bad.data(), from.mapNside}, to.nside, to.level(0),
        above(0));
    checkLaunch("filling a picture");
    for (size_t at = Levels::kMost; at + 1 < to.offsets.size(); at += Levels::kMost) {
        const int64_t n = to.nside >> at;
        coarserKernel<<<tiles(n), block, 0, stream.get()>>>(to.level(at), n, above(at));
        checkLaunch("averaging a picture");
    }
    to.written.record(stream);
}

}  // namespace cuda

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/device_picture.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/face_values.h"
#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/new_vector.h"
#include "core/pixel_geometry.h"
#include "device/cuda/picture_access.h"

namespace armilla {

namespace {

// A warp takes 32 cells of a row of a face: their pixels lie side by side in 32 rings, and those of
// the rows above in the same rings, so that a block's reads stay within the first cache.
constexpr int kBlockWidth = 32, kBlockHeight = 8;
constexpr unsigned kThreads = 256;

struct Cells {
    const int64_t* pixels = nullptr;
    const uint32_t* bad = nullptr;
    int64_t mapNside = 1;
};

__device__ float cellValue(const cuda::PictureSource& from, const Cells& cells, int64_t pixel) {
    if (cells.bad != nullptr && (cells.bad[pixel >> 5] >> (pixel & 31) & 1U) != 0)
        return badFaceValue();
    double value = from.values[pixel];
    if (from.exponent != 0) value = ldexp(value, from.exponent);
    if (from.mask != nullptr) {
        const double share = from.mask[pixel] / from.maskUnit;
        if (!(share >= from.leastShare)) return badFaceValue();
        value = value / share;
    }
    return from.single ? faceValue(static_cast<float>(value)) : faceValue(value);
}

// Levels of a picture, each of half the width.
struct Levels {
    static constexpr int kMost = 5;  // of 32 cells
    float* at[kMost] = {};
    int count = 0;
};

// The coarser levels of a tile of a face, which its block holds: cells x and on of rows y and on,
// of a level `nside` wide. The tile is spoilt.
__device__ void coarserLevels(float (*tile)[kBlockWidth + 1], int width, int height, int face,
                              int64_t nside, int64_t x, int64_t y, const Levels& to) {
    const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
    for (int level = 0; level < to.count; ++level) {
        width /= 2, height /= 2, nside /= 2, x /= 2, y /= 2;
        const int column = thread % kBlockWidth, row = thread / kBlockWidth;
        const auto mean = [&](int r) {
            return meanOfGood(tile[2 * r][2 * column], tile[2 * r][2 * column + 1],
                              tile[2 * r + 1][2 * column], tile[2 * r + 1][2 * column + 1]);
        };
        // Up to 16 rows by the eight that a block has.
        float means[2] = {};
        __syncthreads();
        for (int half = 0; half < 2; ++half)
            if (const int r = row + half * kBlockHeight; column < width && r < height)
                means[half] = mean(r);
        __syncthreads();
        for (int half = 0; half < 2; ++half)
            if (const int r = row + half * kBlockHeight; column < width && r < height) {
                tile[r][column] = means[half];
                to.at[level][(face * nside + y + r) * nside + x + column] = means[half];
            }
    }
}

// The cells of the faces and the levels above them that a block's tile has.
__global__ void facesKernel(cuda::PictureSource from, Cells cells, int64_t nside, float* faces,
                            Levels coarser) {
    __shared__ float tile[kBlockHeight][kBlockWidth + 1];
    const int64_t left = blockIdx.x * static_cast<int64_t>(kBlockWidth), x = left + threadIdx.x;
    const int64_t low = blockIdx.y * static_cast<int64_t>(kBlockHeight), y = low + threadIdx.y;
    const auto face = static_cast<int>(blockIdx.z);
    if (x < nside && y < nside) {
        const int64_t cell = (face * nside + y) * nside + x;
        const int64_t pixel =
            cells.pixels != nullptr ? cells.pixels[cell] : ringFromFace(nside, {face, x, y});
        tile[threadIdx.y][threadIdx.x] = faces[cell] = cellValue(from, cells, pixel);
    }
    const auto most = static_cast<int>(min(nside, int64_t{kBlockWidth}));
    coarserLevels(tile, most, min(most, kBlockHeight), face, nside, left, low, coarser);
}

// The levels above one of faces `nside` wide, from tiles of 32 by 32 cells.
__global__ void coarserKernel(const float* fine, int64_t nside, Levels coarser) {
    __shared__ float tile[kBlockWidth][kBlockWidth + 1];
    const int64_t left = blockIdx.x * static_cast<int64_t>(kBlockWidth);
    const int64_t low = blockIdx.y * static_cast<int64_t>(kBlockWidth);
    const auto face = static_cast<int>(blockIdx.z);
    for (int row = static_cast<int>(threadIdx.y); row < kBlockWidth; row += kBlockHeight)
        if (left + threadIdx.x < nside && low + row < nside)
            tile[row][threadIdx.x] = fine[(face * nside + low + row) * nside + left + threadIdx.x];
    const auto most = static_cast<int>(min(nside, int64_t{kBlockWidth}));
    coarserLevels(tile, most, most, face, nside, left, low, coarser);
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
    const dim3 block(kBlockWidth, kBlockHeight);
    // Up to `most` of the levels above one.
    const auto above = [&](size_t level, size_t most) {
        Levels levels;
        while (static_cast<size_t>(levels.count) < most && level + 1 < to.offsets.size())
            levels.at[levels.count++] = to.level(++level);
        return levels;
    };
    const dim3 grid(blocks(to.nside, kBlockWidth), blocks(to.nside, kBlockHeight), 12);
    const Levels first = above(0, 3);  // eight rows
    facesKernel<<<grid, block, 0, stream.get()>>>(
        source, {from.pixels.data(), from.bad.data(), from.mapNside}, to.nside, to.level(0), first);
    checkLaunch("filling a picture");
    for (auto at = static_cast<size_t>(first.count); at + 1 < to.offsets.size();) {
        const int64_t n = to.nside >> at;
        const Levels levels = above(at, Levels::kMost);
        const unsigned tiles = blocks(n, kBlockWidth);
        coarserKernel<<<dim3(tiles, tiles, 12), block, 0, stream.get()>>>(to.level(at), n, levels);
        checkLaunch("averaging a picture");
        at += static_cast<size_t>(levels.count);
    }
    to.written.record(stream);
}

}  // namespace cuda

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles of target cells on a CUDA device; used only by gridding_cuda.cu.
#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#include <span>
#include <vector>

#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "grid/device_workspace_cuda.cuh"
#include "grid/gather_tiles_cuda.cuh"
#include "grid/sample_order.h"

namespace armilla::gridding {

// The median step from a cell to the next, over the whole target; 0 for targets of few cells.
inline double stepOfCells(std::span<const Vec3> cells) {
    constexpr size_t kLooks = 4096, kLeast = 64;
    if (cells.size() < 2) return 0.0;
    const size_t looks = std::min(cells.size() - 1, kLooks);
    std::vector<double> steps;
    for (size_t k = 0; k < looks; ++k) {
        const size_t i = 1 + k * (cells.size() - 1) / looks;
        const double step = norm(cells[i] - cells[i - 1]);
        if (std::isfinite(step)) steps.push_back(step);
    }
    if (steps.size() < kLeast) return 0.0;
    const auto middle = steps.begin() + static_cast<ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    return *middle;
}

// Mean fill of tiles relative to their capacity; below 1, so that few pixels exceed the capacity.
constexpr double kTileFill = 0.8;
// Width of a pixel that holds a tile of `cells` cells.
inline double tileWidth(int cells, double step) {
    return std::sqrt(kTileFill * cells) * step;
}
// The largest tile of up to 8 cells whose disc is at most 2.5 times as wide as a cell's disc. One
// in six of its samples is then near to a cell. 1 if cells are too far apart. Tiles of 16 cells
// were slower, because their sums need too many registers (bench grid-shapes).
inline int cellsOfTile(double step, double radius) {
    if (step == 0.0) return 1;
    for (const int cells : {8, 4})
        // Half the diagonal of a pixel.
        if (std::sqrt(0.5) * tileWidth(cells, step) <= 1.5 * radius) return cells;
    return 1;
}

// Tiles of a target, computed once.
class CellTiles {
public:
    // `d_cells` are `cells` on the device. Synchronizes the stream.
    CellTiles(std::span<const Vec3> cells, const Vec3* d_cells, int most, double radius, int device,
              const cuda::Stream& stream, JobContext& job)
        : count_(static_cast<int64_t>(cells.size())),
          cells_(device, cells.size()),
          places_(device, cells.size()),
          starts_(device, cells.size() + 1) {
        const auto size = static_cast<size_t>(count_);
        const double width = tileWidth(most, stepOfCells(cells));
        const SampleBins pixels =
            sampleBins(cells, radius, job, width > 0.0 ? radius / width : kBinsInRadius);
        const auto none = static_cast<uint32_t>(pixels.keys());
        cuda::DeviceBuffer<uint32_t> keys(device, 2 * size), places(device, size),
            number(device, 1);
        cuda::DeviceBuffer<uint8_t> flags(device, size);
        const unsigned blocks =
            static_cast<unsigned>(std::clamp<int64_t>(count_ / kMostThreads, 1, 8192));
        cellKeysKernel<<<blocks, kMostThreads, 0, stream.get()>>>(d_cells, count_, pixels, none,
                                                                  keys.data(), places.data());
        cuda::checkLaunch("finding the pixels of cells");
        cub::DoubleBuffer<uint32_t> key(keys.data(), keys.data() + size),
            place(places.data(), places_.data());
        const int bits = static_cast<int>(std::bit_width(none));
        withWorkspace(device, stream, "sorting cells", [&](void* workspace, size_t& bytes) {
            return cub::DeviceRadixSort::SortPairs(workspace, bytes, key, place, count_, 0, bits,
                                                   stream.get());
        });
        if (place.Current() != places_.data())
            cuda::check(cudaMemcpyAsync(places_.data(), place.Current(), size * sizeof(uint32_t),
                                        cudaMemcpyDeviceToDevice, stream.get()),
                        "keeping the order of cells");
        tileStartsKernel<<<blocks, kMostThreads, 0, stream.get()>>>(key.Current(), count_, none,
                                                                    most, flags.data());
        cuda::checkLaunch("finding tiles");
        withWorkspace(device, stream, "sorting cells", [&](void* workspace, size_t& bytes) {
            return cub::DeviceSelect::Flagged(workspace, bytes,
                                              thrust::counting_iterator<uint32_t>(0), flags.data(),
                                              starts_.data(), number.data(), count_, stream.get());
        });
        orderCellsKernel<<<blocks, kMostThreads, 0, stream.get()>>>(d_cells, places_.data(), count_,
                                                                    cells_.data());
        cuda::checkLaunch("ordering cells");
        uint32_t starts = 0, last = 0;
        read(number.data(), starts, stream);
        if (starts > 0) read(starts_.data() + starts - 1, last, stream);
        // If some cells are off the sky, the first of these ends the last tile.
        uint32_t lastKey = none;
        read(key.Current() + size - 1, lastKey, stream);
        onSky_ = lastKey == none ? last : count_;
        tiles_ = lastKey == none ? static_cast<int64_t>(starts) - 1 : starts;
        if (lastKey != none) {
            const auto end = static_cast<uint32_t>(count_);
            cuda::check(cudaMemcpyAsync(starts_.data() + starts, &end, sizeof end,
                                        cudaMemcpyHostToDevice, stream.get()),
                        "ending the tiles");
            stream.synchronize();
        }
    }

    int64_t tiles() const { return tiles_; }
    int64_t onSky() const { return onSky_; }  // cells
    Tiles view(int64_t first, int parts) const {
        return {cells_.data(), places_.data(), starts_.data(), first, parts};
    }
    int64_t bytes() const {
        return count_ * static_cast<int64_t>(sizeof(Vec3) + 2 * sizeof(uint32_t));
    }

private:
    static void read(const uint32_t* from, uint32_t& to, const cuda::Stream& stream) {
        cuda::check(cudaMemcpyAsync(&to, from, sizeof to, cudaMemcpyDeviceToHost, stream.get()),
                    "reading the number of tiles");
        stream.synchronize();
    }

    int64_t count_, tiles_ = 0, onSky_ = 0;
    cuda::DeviceBuffer<Vec3> cells_;
    cuda::DeviceBuffer<uint32_t> places_, starts_;
};

}  // namespace armilla::gridding

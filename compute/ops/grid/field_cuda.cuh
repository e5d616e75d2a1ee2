// SPDX-License-Identifier: GPL-3.0-or-later
// Gridding of a field by squares on a CUDA device; used only by gridding_cuda.cu.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <limits>
#include <memory>
#include <vector>

#include "grid/device_workspace_cuda.cuh"
#include "grid/field_lists_cuda.cuh"

namespace armilla::gridding {

// Squares and cell lists of a target, computed once; all work is queued on the stream.
class FieldGrid {
public:
    // `d_cells` are the target's cells on the device.
    FieldGrid(const GridWeights& kernel, const FieldBins& bins, const Vec3* d_cells, int64_t cells,
              int device, const cuda::Stream& stream)
        : kernel_(kernel), bins_(bins), cells_(cells), device_(device), stream_(stream) {
        allowShared(squareKernel, static_cast<size_t>(bins.count()) * 4);
        const size_t placeWorkspace = PlaceWorkspace::bytes(bins.count(), kMostChunk);
        allowShared(placeInFieldKernel, placeWorkspace);
        allowShared(fieldSumsKernel<kSquaringsOfThreeSigma>, sizeof(SumWorkspace));
        allowShared(fieldSumsKernel<0>, sizeof(SumWorkspace));
        int processors = 0, ofEach = 0;
        cuda::check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
                    "asking for the processors of a device");
        cuda::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ofEach, placeInFieldKernel,
                                                                  kPlaceThreads, placeWorkspace),
                    "asking for the blocks of a processor");
        blocksAtOnce_ = std::max(1, processors * ofEach);
        makeLists(d_cells);
        growBuffer(partStart_, device, bins.count() + 1);
        growBuffer(sumStart_, device, bins.count() + 1);
    }

    // The number of cells in reach of the fullest square.
    int mostListed() const { return mostListed_; }
    // True if the sums of that many samples fit 32-bit numbers and the limits of a launch.
    bool holds(int64_t samples) const {
        constexpr int64_t kMostBlocks = 65535;  // limit of a launch's second dimension
        return blocksOfList() <= kMostBlocks &&
               mostSums(samples) <= std::numeric_limits<uint32_t>::max();
    }

    // Finds the square of each sample; the samples must stay valid. `turn` rotates samples to the
    // frame of the cells.
    void count(const RawSamples& samples, Counts* counts) {
        samples_ = samples;
        samples_.turn = bins_.frame * samples.turn;
        chunk_ = chunkOf(samples.count);
        chunks_ = (samples.count + chunk_ - 1) / chunk_;
        growBuffer(squares_, device_, samples.count);
        growBuffer(plane_, device_, samples.count);
        growBuffer(table_, device_, tableSize());
        squareKernel<<<static_cast<unsigned>(chunks_), kFieldThreads,
                       static_cast<size_t>(bins_.count()) * 4, stream_.get()>>>(
            samples_, bins_, chunk_, squares_->data(), plane_->data(), table_->data(), counts);
        cuda::checkLaunch("counting samples by squares");
    }
    // Prefix sum: the first position of each square.
    void sumUp() {
        cuda::check(
            cudaMemsetAsync(table_->data() + tableSize() - 1, 0, sizeof(uint32_t), stream_.get()),
            "ending the counts of squares");
        withWorkspace(
            workspace_, device_, "adding counts of squares", [&](void* workspace, size_t& bytes) {
                return cub::DeviceScan::ExclusiveSum(workspace, bytes, table_->data(),
                                                     table_->data(), tableSize(), stream_.get());
            });
        growBuffer(shares_, device_, shares());
        growBuffer(placed_, device_, samples_.count);
        const int squares = bins_.count();
        countPartsKernel<<<1, kWorkThreads, 0, stream_.get()>>>(
            table_->data(), chunks_, squares, listStart_->data(), partStart_->data(),
            sumStart_->data());
        sharesKernel<<<static_cast<unsigned>(shares() / kFieldThreads + 1), kFieldThreads, 0,
                       stream_.get()>>>(table_->data(), chunks_, squares, listStart_->data(),
                                        partStart_->data(), sumStart_->data(), shares_->data());
        cuda::checkLaunch("sharing squares");
    }
    // Moves samples and their values to their squares.
    void place(const double* values) {
        placeInFieldKernel<<<static_cast<unsigned>(chunks_), kPlaceThreads,
                             PlaceWorkspace::bytes(bins_.count(), chunk_), stream_.get()>>>(
            {plane_->data(), samples_.weights, values, samples_.count}, chunk_, bins_.count(),
            squares_->data(), table_->data(), placed_->data());
        cuda::checkLaunch("placing samples");
    }
    // Upper bound of the number of shares (blocks of sums). 1e9 pairs take 1.1 to 1.4 ms.
    int64_t shares() const { return bins_.count() + samples_.count / kMostOfPart; }
    int64_t sharesOfSlice() const {
        constexpr int64_t kPairs = 1'000'000'000;
        return std::max<int64_t>(1, kPairs / (kMostOfPart * std::max(1, mostListed_)));
    }
    // Sums shares [begin, end).
    void gather(int64_t begin, int64_t end) {
        const int64_t workspace = mostSums(samples_.count);
        growBuffer(sumValues_, device_, workspace);
        growBuffer(sumWeights_, device_, workspace);
        growBuffer(sumCounts_, device_, workspace);
        if (kernel_.squarings == kSquaringsOfThreeSigma)
            launchSums<kSquaringsOfThreeSigma>(begin, end);
        else
            launchSums<0>(begin, end);
    }
    void addUp(const Sums& to) {
        constexpr int kCellsOfBlock = kFieldThreads / 32;
        addSquaresKernel<<<static_cast<unsigned>((cells_ + kCellsOfBlock - 1) / kCellsOfBlock),
                           kFieldThreads, 0, stream_.get()>>>(
            sums(), work(), listStart_->data(),
            {placeStart_->data(), placeSquare_->data(), places_->data()}, cells_, to);
        cuda::checkLaunch("adding the sums of squares");
    }

    int64_t bytes() const {
        int64_t bytes = 0;
        const auto add = [&](const auto&... buffers) {
            ((bytes +=
              buffers ? static_cast<int64_t>(buffers->size() * sizeof *buffers->data()) : 0),
             ...);
        };
        add(squares_, plane_, table_, placed_, workspace_, shares_, partStart_, sumStart_,
            listCells_, listPlots_, axes_, listStart_, placeStart_, placeSquare_, places_,
            sumValues_, sumWeights_, sumCounts_);
        return bytes;
    }

private:
    template <class Kernel>
    static void allowShared(Kernel kernel, size_t bytes) {
        cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(bytes)),
                    "asking for shared memory");
    }
    // Samples per block, chosen so that blocks fill whole waves of the device.
    int chunkOf(int64_t count) const {
        const int64_t rounds =
            (count + kMostChunk * blocksAtOnce_ - 1) / (kMostChunk * blocksAtOnce_);
        const int64_t blocks = std::max<int64_t>(1, rounds) * blocksAtOnce_;
        const int64_t units = (count + blocks * kChunkUnit - 1) / (blocks * kChunkUnit);
        return static_cast<int>(std::clamp<int64_t>(units, 1, kMostChunk / kChunkUnit)) *
               kChunkUnit;
    }
    // Each square has at most one part that is not full.
    int64_t mostSums(int64_t count) const { return listed_ + count / kMostOfPart * mostListed_; }
    int64_t blocksOfList() const { return (mostListed_ + kMostListed - 1) / kMostListed; }
    int64_t tableSize() const { return bins_.count() * chunks_ + 1; }
    FieldWork work() const { return {partStart_->data(), sumStart_->data(), shares_->data()}; }
    FieldSums sums() const { return {sumValues_->data(), sumWeights_->data(), sumCounts_->data()}; }

    template <int kSquarings>
    void launchSums(int64_t begin, int64_t end) {
        const dim3 blocks(static_cast<unsigned>(end - begin),
                          static_cast<unsigned>(blocksOfList()));
        fieldSumsKernel<kSquarings><<<blocks, kSumThreads, sizeof(SumWorkspace), stream_.get()>>>(
            kernel_, bins_, work(), begin, {axes_->data(), listCells_->data(), listPlots_->data()},
            placed_->data(), sums());
        cuda::checkLaunch("gathering by squares");
    }

    unsigned blocksFor(int64_t count) const {
        return static_cast<unsigned>(std::clamp<int64_t>(count / kFieldThreads + 1, 1, 8192));
    }
    // The squares of each cell, and the cells of each square, sorted by square.
    void makeLists(const Vec3* d_cells) {
        cuda::DeviceBuffer<Vec3> turned(device_, static_cast<size_t>(cells_));
        growBuffer(placeStart_, device_, cells_ + 1);
        const unsigned blocks = blocksFor(cells_ + 1);
        countSquaresKernel<<<blocks, kFieldThreads, 0, stream_.get()>>>(
            d_cells, cells_, bins_, turned.data(), placeStart_->data());
        cuda::checkLaunch("counting the squares of cells");
        withWorkspace(
            device_, stream_, "adding numbers of squares", [&](void* workspace, size_t& bytes) {
                return cub::DeviceScan::ExclusiveSum(workspace, bytes, placeStart_->data(),
                                                     placeStart_->data(), cells_ + 1,
                                                     stream_.get());
            });
        uint32_t listed = 0;
        copy(placeStart_->data() + cells_, &listed, 1);
        listed_ = listed;
        const auto size = std::max<size_t>(1, listed);
        growBuffer(placeSquare_, device_, listed_);
        growBuffer(places_, device_, listed_);
        growBuffer(listCells_, device_, listed_);
        growBuffer(listPlots_, device_, listed_);
        growBuffer(listStart_, device_, bins_.count() + 1);
        growBuffer(axes_, device_, bins_.count());
        axesKernel<<<blocksFor(bins_.count()), kFieldThreads, 0, stream_.get()>>>(bins_,
                                                                                  axes_->data());
        cuda::checkLaunch("placing squares");
        cuda::DeviceBuffer<uint32_t> entries(device_, 2 * size), cells(device_, size);
        cuda::DeviceBuffer<uint16_t> sorted(device_, size);
        listSquaresKernel<<<blocks, kFieldThreads, 0, stream_.get()>>>(
            turned.data(), cells_, bins_, placeStart_->data(), placeSquare_->data(), entries.data(),
            cells.data());
        cuda::checkLaunch("listing the squares of cells");
        withWorkspace(device_, stream_, "sorting cells by square",
                      [&](void* workspace, size_t& bytes) {
                          return cub::DeviceRadixSort::SortPairs(
                              workspace, bytes, placeSquare_->data(), sorted.data(), entries.data(),
                              entries.data() + size, listed_, 0, 16, stream_.get());
                      });
        listCellsKernel<<<blocksFor(listed_ + 1), kFieldThreads, 0, stream_.get()>>>(
            kernel_, bins_, sorted.data(), entries.data() + size, listed_, cells.data(),
            turned.data(), axes_->data(), listCells_->data(), listPlots_->data(), places_->data(),
            listStart_->data());
        cuda::checkLaunch("listing the cells of squares");
        std::vector<uint32_t> starts(static_cast<size_t>(bins_.count()) + 1);
        copy(listStart_->data(), starts.data(), starts.size());
        for (size_t b = 0; b + 1 < starts.size(); ++b)
            mostListed_ = std::max(mostListed_, static_cast<int>(starts[b + 1] - starts[b]));
    }
    void copy(const uint32_t* from, uint32_t* to, size_t count) const {
        cuda::check(
            cudaMemcpyAsync(to, from, count * sizeof *to, cudaMemcpyDeviceToHost, stream_.get()),
            "reading lists of squares");
        stream_.synchronize();
    }

    template <class T>
    using GrowingBuffer = std::unique_ptr<cuda::DeviceBuffer<T>>;

    GridWeights kernel_;
    FieldBins bins_;
    int64_t cells_ = 0, listed_ = 0;  // number of cells; entries of all lists
    int mostListed_ = 0;              // cells of the fullest square
    int device_;
    const cuda::Stream& stream_;
    RawSamples samples_;
    int64_t blocksAtOnce_ = 1, chunks_ = 0;
    int chunk_ = kChunkUnit;
    GrowingBuffer<uint16_t> squares_, placeSquare_, listPlots_;
    GrowingBuffer<FieldShare> shares_;
    GrowingBuffer<uint32_t> table_, partStart_, sumStart_;
    GrowingBuffer<uint32_t> listStart_, placeStart_, places_, sumCounts_;
    GrowingBuffer<TileCell<double>> listCells_;
    GrowingBuffer<TileAxes> axes_;
    GrowingBuffer<double2> plane_;
    GrowingBuffer<FieldSample> placed_;
    GrowingBuffer<double> sumValues_, sumWeights_;
    WorkBuffer workspace_;
};

}  // namespace armilla::gridding

// SPDX-License-Identifier: GPL-3.0-or-later
// Gridding on a CUDA device: the algorithms of grid_cpu.cpp and sample_order.cpp with a block of
// threads per cell.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cub/device/device_radix_sort.cuh>
#include <limits>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/map_samples.h"
#include "armilla/core/new_vector.h"
#include "armilla/device/cuda/check.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda_array.h"
#include "armilla/device/host_copies.h"
#include "grid/cell_tiles_cuda.cuh"
#include "grid/device_samples_cuda.cuh"
#include "grid/device_workspace_cuda.cuh"
#include "grid/field_bins.h"
#include "grid/field_cuda.cuh"
#include "grid/gather_tiles_cuda.cuh"
#include "grid/grid_backend.h"
#include "grid/gridding_kernels_cuda.cuh"
#include "grid/sample_order.h"

namespace armilla {

namespace {

using cuda::DeviceBuffer;
using namespace gridding;

// Bins per radius: more than on the CPU, so that lanes with adjacent samples agree on the near
// cells. Still finer bins need another pass of the sort (bench grid-shapes).
constexpr double kDeviceBins = 4.0;
// Lists of cells by square, and their sums, take some 700 bytes a cell.
constexpr int64_t kMostFieldCells = int64_t{1} << 22;

class GridCuda final : public GridBackend {
public:
    GridCuda(std::vector<Vec3> cells, const GridKernel& kernel, const Device& device,
             const GridTuning& tuning)
        : device_(device.index),
          cells_(std::move(cells)),
          kernel_(kernel),
          weights_(gridWeights(kernel)),
          tuning_(tuning),
          stream_(device_, cuda::Priority::Low),
          copies_(device_) {}

    void order(const GridSamples& samples, JobContext& job) override {
        const bool weighted = !samples.weights.empty();
        const auto fill = [&] {
            std::vector<HostCopies::Upload> uploads{{ConstMapSamples(samples.lon), lon_.get()},
                                                    {ConstMapSamples(samples.lat), lat_.get()}};
            if (weighted) uploads.push_back({ConstMapSamples(samples.weights), rawWeights_.get()});
            copies_.upload(uploads, job);
        };
        const RawSamples raw{nullptr,         nullptr,         nullptr,
                             samples.lonUnit, samples.latUnit, samples.targetFromSamples,
                             samples.count()};
        const int64_t refused = orderFilled(raw, weighted, fill, job);
        if (refused >= 0) refusePosition(samples, refused);
    }
    void gridOnDevice(const DeviceGridSamples& samples, std::span<const DeviceValues> values,
                      std::span<const DeviceValues> results, void* stream,
                      JobContext& job) override {
        const cuda::DeviceScope scope(device_);
        cuda::check(cudaEventRecord(given_.get(), static_cast<cudaStream_t>(stream)),
                    "recording an event");
        given_.holdBack(stream_);
        const bool weighted = samples.weights.data != nullptr;
        const auto fill = [&] {
            takeValues(samples.lon, *lon_, stream_);
            takeValues(samples.lat, *lat_, stream_);
            if (weighted) takeValues(samples.weights, *rawWeights_, stream_);
        };
        const RawSamples raw{nullptr,
                             nullptr,
                             nullptr,
                             samples.lonUnit,
                             samples.latUnit,
                             samples.targetFromSamples,
                             static_cast<int64_t>(samples.lon.count)};
        const int64_t refused = orderFilled(raw, weighted, fill, job);
        if (refused >= 0) refuseOnDevice(raw_, refused, stream_);
        const auto channels = static_cast<int64_t>(values.size());
        if (!sky_ || count_ == 0) {
            growBuffer(sumCounts_, device_, cellCount());
            clear(*sumCounts_);
            for (const DeviceValues& result : results)
                divideSums({sumCounts_->data(), sumCounts_->data(), sumCounts_->data(), nullptr,
                            cellCount()},
                           result, stream_);
            stream_.synchronize();
            return;
        }
        const Sums to = startSums(cellCount(), channels, job);
        if (bySquares_ && channels > 1) sortAll(job);
        for (int64_t channel = 0; channel < channels; ++channel) {
            if (channel > 0) stream_.synchronize();
            growBuffer(values_, device_, count_);
            takeValues(values[static_cast<size_t>(channel)], *values_, stream_);
            gatherColumn(1, channel, to, job);
        }
        for (int64_t channel = 0; channel < channels; ++channel) {
            const int64_t offset = channel * to.cells;
            divideSums(
                {to.values + offset, to.weights + offset, to.counts + offset, nullptr, to.cells},
                results[static_cast<size_t>(channel)], stream_);
        }
        steps_[6].record(stream_);
        waitFor(steps_[6], job);
    }

    void execute(std::span<const GridValues> values, GridSums& sums, JobContext& job) override {
        if (!sky_ || count_ == 0) return;
        const cuda::DeviceScope scope(device_);
        const Sums to = startSums(sums.cells, sums.channels, job);
        const bool single = std::all_of(values.begin(), values.end(),
                                        [](const GridValues& c) { return c.width == 1; });
        if (bySquares_ && !single) sortAll(job);
        int64_t channel = 0;
        for (const GridValues& column : values) {
            // The kernels of the previous column may still read the buffer.
            if (channel > 0) stream_.synchronize();
            growBuffer(values_, device_, count_ * column.width);
            std::visit([&](auto from) { copies_.upload(ConstMapSamples(from), *values_, job); },
                       column.values);
            gatherColumn(column.width, channel, to, job);
            channel += column.width;
        }
        steps_[6].record(stream_);
        waitFor(steps_[6], job);
        report.device = {secondsBetween(0), secondsBetween(1), secondsBetween(2),
                         lastSorted_ ? secondsBetween(4) : 0.0,
                         secondsBetween(lastSorted_ ? 5 : 4, 6)};
        fetch(*sumValues_, sums.values, job);
        fetch(*sumWeights_, sums.weights, job);
        if (to.nearest != nullptr) fetch(*sumNearest_, sums.nearest, job);
        std::vector<double> counts = newVector<double>(sums.cells * sums.channels, job);
        fetch(*sumCounts_, counts, job);
        std::copy(counts.begin(), counts.end(), sums.counts.begin());
        report.deviceBytes = deviceBytes();
    }

private:
    // Orders samples that `fill` copies to the buffers of positions and weights. Returns the first
    // refused row, or -1.
    template <class Fill>
    int64_t orderFilled(const RawSamples& given, bool weighted, const Fill& fill, JobContext& job) {
        const cuda::DeviceScope scope(device_);
        // Earlier samples may still be in use.
        stream_.synchronize();
        count_ = given.count;
        planTarget(job);
        report.binNside = bins_->nside;
        sky_ = bins_->rings() > 0;
        if (!sky_ || count_ == 0) {
            report.used = report.bad = 0;
            report.outside = count_;
            return -1;
        }
        growBuffer(lon_, device_, count_);
        growBuffer(lat_, device_, count_);
        growBuffer(counts_, device_, 1);
        if (weighted) growBuffer(rawWeights_, device_, count_);
        uploadCells();
        bySquares_ = takeSquares();
        fill();
        raw_ = given;
        raw_.lon = lon_->data();
        raw_.lat = lat_->data();
        raw_.weights = weighted ? rawWeights_->data() : nullptr;
        // These kernels run while values are copied.
        if (bySquares_)
            countBySquares();
        else
            sortAll(job);
        waitFor(counted_, job);
        const Counts counts = *hostCounts_.data();
        if (counts.refused < static_cast<unsigned long long>(count_)) {
            sky_ = false;
            return static_cast<int64_t>(counts.refused);
        }
        report.bad = static_cast<int64_t>(counts.bad);
        report.outside = static_cast<int64_t>(counts.outside);
        report.used = count_ - report.bad - report.outside;
        return -1;
    }
    // Zero sums of (channels, cells).
    Sums startSums(int64_t cells, int64_t channels, JobContext& job) {
        job.poll();
        const bool nearest = kernel_.kind == GridKernelKind::Nearest;
        const int64_t size = cells * channels;
        for (auto* array : {&sumValues_, &sumWeights_, &sumCounts_})
            growBuffer(*array, device_, size);
        if (nearest) growBuffer(sumNearest_, device_, size);
        clear(*sumValues_);
        clear(*sumWeights_);
        clear(*sumCounts_);
        if (nearest) sumNearest_->fill(std::numeric_limits<double>::infinity());
        return {sumValues_->data(), sumWeights_->data(), sumCounts_->data(),
                nearest ? sumNearest_->data() : nullptr, cells};
    }
    // Adds the values in the buffer to the sums of their channels.
    void gatherColumn(int64_t width, int64_t channel, const Sums& to, JobContext& job) {
        const bool nearest = kernel_.kind == GridKernelKind::Nearest;
        // With several columns, the times of the last one remain.
        steps_[4].record(stream_);
        lastSorted_ = !nearest && width == 1;
        if (nearest)
            launchNearest(width, channel, to, job);
        else if (lastSorted_)
            launchOne(channel, to, job);
        else
            launchChannels(width, channel, to, job);
    }
    void planTarget(JobContext& job) {
        if (bins_) return;
        bins_ =
            sampleBins(cells_, kernel_.radius, job, tuning_.bins != 0 ? tuning_.bins : kDeviceBins);
        const bool fits = weights_.plain && cellCount() <= kMostFieldCells;
        const bool tuned = tuning_.threads != 0 || tuning_.cells != 0 || tuning_.parts != 0 ||
                           tuning_.bins != 0 || tuning_.filter != GridTuning::Filter::Auto;
        using Strategy = GridTuning::Strategy;
        if (fits && (tuning_.strategy == Strategy::Squares ||
                     (tuning_.strategy == Strategy::Auto && !tuned)))
            fieldBins_ = fieldBins(cells_, kernel_.radius, job);
        // Lower bound: each cell is at least in reach of its own square.
        if (fieldBins_) cellsInReach_ = fieldBins_->cells / fieldBins_->count();
    }
    // Builds lists of cells if squares may be suitable; the lists give the exact number in reach.
    // Drops the lists if squares are not suitable.
    bool takeSquares() {
        if (!fieldBins_) return false;
        const auto suit = [&] {
            return tuning_.strategy == GridTuning::Strategy::Squares ||
                   squaresSuit(count_, fieldBins_->count(), cellsInReach_);
        };
        if (!suit()) return false;
        if (!field_) {
            field_.emplace(weights_, *fieldBins_, d_cells_->data(), cellCount(), device_, stream_);
            cellsInReach_ = field_->mostListed();
        }
        if (suit() && field_->holds(count_)) return true;
        field_.reset();
        return false;
    }
    void uploadCells() {
        if (d_cells_) return;
        growBuffer(d_cells_, device_, cellCount());
        cuda::check(cudaMemcpyAsync(d_cells_->data(), cells_.data(), cells_.size() * sizeof(Vec3),
                                    cudaMemcpyHostToDevice, stream_.get()),
                    "copying cells to the device");
    }
    void countBySquares() {
        steps_[0].record(stream_);
        startCounts();
        field_->count(raw_, counts_->data());
        endCounts();
        field_->sumUp();
        steps_[2].record(stream_);
        steps_[3].record(stream_);
    }

    // Sorts by fine bins, for tiles and for many channels.
    void sortAll(JobContext& job) {
        bySquares_ = false;
        for (auto* array : {&x_, &y_, &z_}) growBuffer(*array, device_, count_);
        growBuffer(placed_, device_, count_);
        const bool weighted = raw_.weights != nullptr;
        if (weighted) growBuffer(sortedWeights_, device_, count_);
        for (auto* buffer : {&keys_[0], &keys_[1], &rows_[0], &rows_[1]})
            growBuffer(*buffer, device_, count_);
        growBuffer(ringStart_, device_, bins_->rings() + 1);
        planTiles(job);
        const auto none = static_cast<uint32_t>(bins_->keys());
        steps_[0].record(stream_);
        bin(none);
        sort(*bins_, none);
        steps_[2].record(stream_);
        place(weighted);
        steps_[3].record(stream_);
    }
    void planTiles(JobContext& job) {
        if (together_ != 0) return;
        together_ =
            tuning_.cells != 0 ? tuning_.cells : cellsOfTile(stepOfCells(cells_), kernel_.radius);
        if (together_ > 1)
            tiles_.emplace(cells_, d_cells_->data(), together_, kernel_.radius, device_, stream_,
                           job);
    }

    void startCounts() {
        *hostCounts_.data() = {0, 0, ~0ULL};
        cuda::check(cudaMemcpyAsync(counts_->data(), hostCounts_.data(), sizeof(Counts),
                                    cudaMemcpyHostToDevice, stream_.get()),
                    "starting the counts of samples");
    }
    // The counts are complete after the event `counted_`.
    void endCounts() {
        steps_[1].record(stream_);
        cuda::check(cudaMemcpyAsync(hostCounts_.data(), counts_->data(), sizeof(Counts),
                                    cudaMemcpyDeviceToHost, stream_.get()),
                    "reading the counts of samples");
        counted_.record(stream_);
    }
    void bin(uint32_t none) {
        startCounts();
        keyKernel<<<blocksFor(count_), kThreads, 0, stream_.get()>>>(
            raw_, *bins_, none, keys_[0]->data(), rows_[0]->data(), placed_->data(),
            counts_->data());
        cuda::checkLaunch("binning samples");
        endCounts();
    }
    void sort(const SampleBins& bins, uint32_t none) {
        cub::DoubleBuffer<uint32_t> keys(keys_[0]->data(), keys_[1]->data());
        cub::DoubleBuffer<uint32_t> rows(rows_[0]->data(), rows_[1]->data());
        sortPairs(keys, rows, count_, static_cast<int>(std::bit_width(none)));
        ringStartKernel<<<static_cast<unsigned>(bins.rings() / kThreads + 1), kThreads, 0,
                          stream_.get()>>>(bins, keys.Current(), count_, none, ringStart_->data());
        cuda::checkLaunch("finding rings");
        const uint32_t* binStart = nullptr;
        // A search finds each bin, and saves searches in every block that looks the bin up.
        if (bins.keys() <= count_ / 4) {
            growBuffer(binStart_, device_, bins.keys() + 1);
            binStartKernel<<<blocksFor(bins.keys() + 1), kThreads, 0, stream_.get()>>>(
                keys.Current(), count_, bins.keys(), binStart_->data());
            cuda::checkLaunch("finding bins");
            binStart = binStart_->data();
        }
        samples_ = {{bins, keys.Current(), ringStart_->data(), binStart},
                    rows.Current(),
                    x_->data(),
                    y_->data(),
                    z_->data(),
                    nullptr};
    }
    void sortPairs(cub::DoubleBuffer<uint32_t>& keys, cub::DoubleBuffer<uint32_t>& rows,
                   int64_t count, int bits) {
        withWorkspace(sortWorkspace_, device_, "sorting", [&](void* workspace, size_t& bytes) {
            return cub::DeviceRadixSort::SortPairs(workspace, bytes, keys, rows, count, 0, bits,
                                                   stream_.get());
        });
    }
    void place(bool weighted) {
        double* const weights = weighted ? sortedWeights_->data() : nullptr;
        samples_.weights = weights;
        placeKernel<<<blocksFor(count_), kThreads, 0, stream_.get()>>>(
            placed_->data(), samples_.rows, count_, x_->data(), y_->data(), z_->data(), weights);
        cuda::checkLaunch("placing samples");
    }

    // Threads per cell: in all enough to fill a large device twice, and few enough for the number
    // of samples per row.
    int threadsOfBlock(int64_t blocks) const {
        if (tuning_.threads != 0) return tuning_.threads;
        constexpr int64_t kThreadsOfDevice = int64_t{1} << 19;
        int threads = kLeastThreads;
        while (threads < kMostThreads && threads * blocks < kThreadsOfDevice) threads *= 2;
        return threads;
    }
    // Launches cells or tiles in slices, at most two ahead of the device, so that a stop takes
    // effect soon.
    template <class Launch>
    void inSlices(int64_t all, int64_t ofSlice, JobContext& job, const Launch& launch) {
        int slice = 0;
        for (int64_t first = 0; first < all; first += ofSlice, ++slice) {
            cuda::Event& event = slices_[slice % 2];
            if (slice >= 2) waitFor(event, job);
            launch(first, std::min(all, first + ofSlice));
            cuda::checkLaunch("gathering");
            event.record(stream_);
            job.report(static_cast<double>(first) / static_cast<double>(all), "gathering");
        }
    }
    int64_t cellCount() const { return static_cast<int64_t>(cells_.size()); }
    template <bool kPlain>
    void launchGather(const Sums& to, JobContext& job) {
        constexpr int64_t kSlice = int64_t{1} << 15;
        const int threads = threadsOfBlock(std::min(kSlice, cellCount()));
        inSlices(cellCount(), kSlice, job, [&](int64_t first, int64_t end) {
            const CellRange range{d_cells_->data(), first, end};
            gatherKernel<kPlain><<<static_cast<unsigned>(end - first), threads, 0, stream_.get()>>>(
                weights_, kernel_.radius, samples_, lon_->data(), range, to);
        });
    }
    // Blocks per tile: some thousands in all, so that the device is busy to the end, while a warp
    // has several rounds of samples. A sample is read for about four tiles.
    int partsOfTile() const {
        if (tuning_.parts != 0) return tuning_.parts;
        constexpr int64_t kBlocks = 4096, kSamples = 2048, kMost = 16;
        const int64_t tiles = std::max<int64_t>(1, tiles_->tiles());
        return static_cast<int>(std::clamp<int64_t>(
            std::min(kBlocks / tiles, 4 * count_ / tiles / kSamples), 1, kMost));
    }
    template <bool kPlain, int kSquarings, bool kFilter, int kCells>
    void launchTiles(const Sums& to, JobContext& job) {
        constexpr int64_t kSlice = int64_t{1} << 15;
        constexpr int kTileThreads = 128;
        const int parts = partsOfTile(),
                  threads = tuning_.threads != 0 ? tuning_.threads : kTileThreads;
        Sums sums = to;
        if (parts > 1) {
            growBuffer(partSums_, device_, 3 * parts * cellCount());
            const int64_t each = parts * cellCount();
            double* const workspace = partSums_->data();
            sums = {workspace, workspace + each, workspace + 2 * each, nullptr, cellCount()};
        }
        inSlices(tiles_->tiles(), kSlice, job, [&](int64_t first, int64_t end) {
            gatherTileKernel<kPlain, kSquarings, kFilter, kCells>
                <<<static_cast<unsigned>((end - first) * parts), threads, 0, stream_.get()>>>(
                    weights_, kernel_.radius, samples_, lon_->data(), tiles_->view(first, parts),
                    sums);
        });
        if (parts == 1) return;
        addPartsKernel<<<blocksFor(tiles_->onSky()), kThreads, 0, stream_.get()>>>(
            sums, tiles_->onSky(), parts, tiles_->view(0, parts).places, to);
        cuda::checkLaunch("adding the sums of parts");
    }
    template <bool kPlain, int kSquarings, bool kFilter>
    void launchTiles(const Sums& to, JobContext& job) {
        switch (together_) {
            case 4: return launchTiles<kPlain, kSquarings, kFilter, 4>(to, job);
            case 8: return launchTiles<kPlain, kSquarings, kFilter, 8>(to, job);
            default: return launchTiles<kPlain, kSquarings, kFilter, 16>(to, job);
        }
    }
    template <bool kPlain, int kSquarings>
    void launchTiles(const Sums& to, JobContext& job) {
        if (tuning_.filter == GridTuning::Filter::Off)
            launchTiles<kPlain, kSquarings, false>(to, job);
        else
            launchTiles<kPlain, kSquarings, true>(to, job);
    }
    void launchTiles(const Sums& to, JobContext& job) {
        if (!weights_.plain)
            launchTiles<false, 0>(to, job);
        else if (weights_.squarings == kSquaringsOfThreeSigma)
            launchTiles<true, kSquaringsOfThreeSigma>(to, job);
        else
            launchTiles<true, 0>(to, job);
    }
    void launchOne(int64_t channel, Sums to, JobContext& job) {
        const int64_t offset = channel * to.cells;
        to.values += offset;
        to.weights += offset;
        to.counts += offset;
        if (bySquares_) {
            field_->place(values_->data());
            steps_[5].record(stream_);
            inSlices(field_->shares(), field_->sharesOfSlice(), job,
                     [&](int64_t first, int64_t end) { field_->gather(first, end); });
            field_->addUp(to);
            return;
        }
        // Longitudes are not needed any more; values overwrite the longitudes.
        sortValuesKernel<<<blocksFor(count_), kThreads, 0, stream_.get()>>>(
            values_->data(), samples_.rows, count_, lon_->data());
        cuda::checkLaunch("sorting values");
        steps_[5].record(stream_);
        if (tiles_)
            launchTiles(to, job);
        else
            weights_.plain ? launchGather<true>(to, job) : launchGather<false>(to, job);
    }
    void launchChannels(int64_t width, int64_t channel, const Sums& to, JobContext& job) {
        inSlices(cellCount(), std::max<int64_t>(256, (int64_t{1} << 21) / width), job,
                 [&](int64_t first, int64_t end) {
                     const CellRange range{d_cells_->data(), first, end};
                     gatherChannelsKernel<<<static_cast<unsigned>(range.end - range.first),
                                            kChannelThreads, 0, stream_.get()>>>(
                         weights_, kernel_.radius, samples_, values_->data(), width, channel, range,
                         to);
                 });
    }
    void launchNearest(int64_t width, int64_t channel, const Sums& to, JobContext& job) {
        inSlices(cellCount(), std::max<int64_t>(256, (int64_t{1} << 15) / width), job,
                 [&](int64_t first, int64_t end) {
                     const CellRange range{d_cells_->data(), first, end};
                     nearestKernel<<<static_cast<unsigned>(range.end - range.first), kLeastThreads,
                                     0, stream_.get()>>>(weights_.chord2Max, kernel_.radius,
                                                         samples_, values_->data(), width, channel,
                                                         range, to);
                 });
    }

    static std::vector<cuda::Event> timed(int device, int count) {
        std::vector<cuda::Event> events;
        for (int i = 0; i < count; ++i) events.emplace_back(device, cuda::Event::Timing::On);
        return events;
    }
    double secondsBetween(size_t step, size_t end) const {
        float milliseconds = 0.0F;
        cuda::check(cudaEventElapsedTime(&milliseconds, steps_[step].get(), steps_[end].get()),
                    "timing the device");
        return 1e-3 * milliseconds;
    }
    double secondsBetween(size_t step) const { return secondsBetween(step, step + 1); }
    void waitFor(const cuda::Event& event, const JobContext& job) const {
        for (;;) {
            const cudaError_t status = cudaEventQuery(event.get());
            if (status != cudaErrorNotReady) {
                cuda::check(status, "gridding");
                return;
            }
            if (job.stopRequested()) {
                stream_.synchronize();
                throw Cancelled();
            }
            std::this_thread::yield();
        }
    }
    void clear(CudaArray& array) const {
        cuda::check(cudaMemsetAsync(array.data(), 0, array.size() * sizeof(double), stream_.get()),
                    "clearing sums");
    }
    void fetch(const CudaArray& from, std::vector<double>& to, JobContext& job) {
        copies_.download(from, MapSamples(std::span<double>(to)), job);
    }
    int64_t deviceBytes() const {
        int64_t values = 0;
        for (const auto* array :
             {&lon_, &lat_, &rawWeights_, &x_, &y_, &z_, &sortedWeights_, &values_, &sumValues_,
              &sumWeights_, &sumCounts_, &sumNearest_, &partSums_})
            if (*array) values += static_cast<int64_t>((*array)->size());
        int64_t bytes = 8 * values;
        if (placed_) bytes += static_cast<int64_t>(placed_->size() * sizeof(PlacedSample));
        for (const auto* buffer : {&keys_[0], &keys_[1], &rows_[0], &rows_[1]})
            if (*buffer) bytes += static_cast<int64_t>(4 * (*buffer)->size());
        if (sortWorkspace_) bytes += static_cast<int64_t>(sortWorkspace_->size());
        if (binStart_) bytes += static_cast<int64_t>(4 * binStart_->size());
        if (tiles_) bytes += tiles_->bytes();
        if (field_) bytes += field_->bytes();
        return bytes + cellCount() * static_cast<int64_t>(sizeof(Vec3));
    }

    int device_;
    std::vector<Vec3> cells_;
    GridKernel kernel_;
    GridWeights weights_;
    GridTuning tuning_;
    int64_t count_ = 0;
    std::optional<SampleBins> bins_;
    std::optional<FieldBins> fieldBins_;  // present if the target is a field
    // cells in reach of the fullest square: a lower bound, or counted
    int64_t cellsInReach_ = 0;
    bool sky_ = false, bySquares_ = false;
    RawSamples raw_;
    std::unique_ptr<CudaArray> lon_, lat_, rawWeights_, x_, y_, z_, sortedWeights_, values_;
    std::unique_ptr<DeviceBuffer<PlacedSample>> placed_;
    std::unique_ptr<CudaArray> sumValues_, sumWeights_, sumCounts_, sumNearest_, partSums_;
    std::unique_ptr<DeviceBuffer<uint32_t>> keys_[2], rows_[2];
    WorkBuffer sortWorkspace_;
    std::unique_ptr<DeviceBuffer<int64_t>> ringStart_;
    std::unique_ptr<DeviceBuffer<Counts>> counts_;
    std::unique_ptr<DeviceBuffer<uint32_t>> binStart_;
    std::unique_ptr<DeviceBuffer<Vec3>> d_cells_;  // in the original order
    std::optional<CellTiles> tiles_;               // if tiles have more than one cell
    int together_ = 0;                             // cells per tile
    bool lastSorted_ = false;                      // true if the last column's values were sorted
    // created with the first samples that use squares
    std::optional<FieldGrid> field_;
    Samples samples_;
    // Declared after the buffers: its work must end before the buffers are freed.
    cuda::Stream stream_;
    // Events before binning, sorting and placing and after placing; before values and gathering and
    // after gathering.
    std::vector<cuda::Event> steps_ = timed(device_, 7);
    cuda::PinnedBuffer<Counts> hostCounts_{device_, 1};
    cuda::Event counted_{device_};
    cuda::Event given_{device_};  // the work on arrays of a caller
    cuda::Event slices_[2]{cuda::Event(device_), cuda::Event(device_)};
    HostCopies copies_;
};

}  // namespace

std::unique_ptr<GridBackend> makeGridCuda(std::vector<Vec3> cells, const GridKernel& kernel,
                                          const Device& device, const GridTuning& tuning) {
    return std::make_unique<GridCuda>(std::move(cells), kernel, device, tuning);
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda/uploaded.h"
#include "armilla/device/cuda_array.h"
#include "armilla/device/host_copies.h"
#include "armilla/ops/batched_fft.h"
#include "convolve/rows/row_sums_cuda.h"
#include "sht/fft/batched_fft_stream_cuda.h"

namespace armilla {

namespace {

using cuda::checkLaunch;
using cuda::DeviceBuffer;
using cuda::DeviceScope;

constexpr int kThreads = 128;
// Products in a piece of work between two waits of the host, some 10 ms; and of one thread, below 1
// ms.
constexpr double kProductsOfPiece = 1e9, kProductsOfThread = 1e4;
constexpr int64_t kMostRings = 32768;  // limit of a launch
// Samples of K that are transformed at once: 128 MB with their modes.
constexpr int64_t kSamplesOfBatch = int64_t{1} << 23;

int64_t blocksFor(int64_t count) {
    return (count + kThreads - 1) / kThreads;
}

struct Rows {
    const TapRing* rings;
    int64_t count;   // number of all rings
    int64_t offset;  // the first sample in memory
};

// Adds the rings from .. to to the samples of the rings from `target` on, one ring for each block
// in y.
__global__ void sampleKernel(TapKernel kernel, Rows rows, int64_t target, int64_t from, int64_t to,
                             double radius, const double* values, const double* shares,
                             double* sums, double* shareSums) {
    const TapRing ring = rows.rings[target + blockIdx.y];
    const int64_t j = blockIdx.x * int64_t{kThreads} + threadIdx.x;
    if (j >= ring.count) return;
    const TapRows near = rowsAround(rows.rings, rows.count, ring.theta, radius);
    double sum = 0.0, share = 0.0;
    for (int64_t k = max(from, near.first); k <= min(to, near.last - 1); ++k) {
        const TapRing source = rows.rings[k];
        const TapPair pair = tapPair(ring, source, kernel.end);
        if (pair.reach < 0.0) continue;
        const TapSpan span = tapSpan(ring, j, source, pair);
        int64_t at = span.first % source.count;
        if (at < 0) at += source.count;
        const int64_t begin = source.first - rows.offset;
        for (int64_t i = 0; i < span.count; ++i) {
            const double weight =
                tapValue(kernel, pair, span.delta + static_cast<double>(i) * span.step);
            sum += weight * values[begin + at];
            if (shares != nullptr) share += weight * shares[begin + at];
            if (++at == source.count) at = 0;
        }
    }
    const int64_t place = ring.first - rows.offset + j;
    sums[place] += sum;
    if (shares != nullptr) shareSums[place] += share;
}

// The two rings of a pair.
struct Two {
    int target, source;
};

// K over `columns` of each pair of rings, divided by their number.
__global__ void profileKernel(TapKernel kernel, const TapRing* rings, const Two* pairs,
                              int64_t columns, double* samples) {
    const Two two = pairs[blockIdx.y];
    const int64_t d = blockIdx.x * int64_t{kThreads} + threadIdx.x;
    if (d >= columns) return;
    const TapPair pair = tapPair(rings[two.target], rings[two.source], kernel.end);
    const int64_t nearest = 2 * d > columns ? d - columns : d;
    const double n = static_cast<double>(columns);
    samples[blockIdx.y * columns + d] =
        pair.reach < 0.0 ? 0.0
                         : tapValue(kernel, pair, kTwoPi * (static_cast<double>(nearest) / n)) / n;
}

// A run: pairs begin .. end - 1 of a batch have one target.
struct Run {
    int target, begin, end;
};

// sums_m += conj(K_m) F_m over the pairs of each run.
__global__ void productKernel(const Run* runs, const Two* pairs, const double2* kernels,
                              const double2* modes, int64_t count, int64_t firstRing,
                              double2* sums) {
    const Run run = runs[blockIdx.y];
    const int64_t m = blockIdx.x * int64_t{kThreads} + threadIdx.x;
    if (m >= count) return;
    double2& to = sums[(run.target - firstRing) * count + m];
    double2 sum = to;
    for (int p = run.begin; p < run.end; ++p) {
        const double2 k = kernels[p * count + m];
        const double2 f = modes[(pairs[p].source - firstRing) * count + m];
        sum.x += k.x * f.x + k.y * f.y;
        sum.y += k.x * f.y - k.y * f.x;
    }
    to = sum;
}

}  // namespace

struct RowSumsCuda::State {
    State(int on, const RingGrid& grid, const RowKernel& of, Strategy how)
        : device(on),
          strategy(how),
          rings(tapRings(grid)),
          kernel(of),
          stream(on, cuda::Priority::Low),
          copies(on) {
        onDevice = uploaded(device, rings, stream);
        if (kernel.table != nullptr) {
            segments = uploaded(device, kernel.table->segments(), stream);
            buckets = uploaded(device, kernel.table->buckets(), stream);
        }
        taps = kernel.taps;
        taps.profile.segments = segments.data();
        taps.profile.firstOfBucket = buckets.data();
        if (strategy == Strategy::Samples) return;
        for (const TapRing& ring : rings)
            if (ring.count != rings.front().count || ring.phi0 != rings.front().phi0)
                throw InvalidArgument("expected rings of one length, found several");
    }

    // Approximate number of taps of a sample of ring r in a nearby ring.
    double tapsInRow(const TapRing& ring) const {
        const auto count = static_cast<double>(ring.count);
        return std::min(count, count * kernel.radius / (kPi * std::max(ring.s, 1e-9)) + 2.0);
    }
    TapRows near(int64_t r) const {
        return rowsAround(rings.data(), static_cast<int64_t>(rings.size()),
                          rings[static_cast<size_t>(r)].theta, kernel.radius);
    }

    // Targets in pieces, and for each the sources in pieces.
    void sumSamples(int64_t first, int64_t last, const CudaArray& values, const CudaArray* shares,
                    CudaArray& sums, CudaArray* shareSums, JobContext& job) {
        const DeviceScope scope(device);
        const Rows rows{onDevice.data(), static_cast<int64_t>(rings.size()),
                        rings[static_cast<size_t>(first)].first};
        for (int64_t r = first; r <= last;) {
            int64_t end = r, widest = 0;
            double products = 0.0, most = 1.0;
            while (end <= last && end - r < kMostRings && products < kProductsOfPiece) {
                const TapRing& ring = rings[static_cast<size_t>(end)];
                const TapRows around = near(end);
                most = std::max(most, tapsInRow(ring));
                products += static_cast<double>(ring.count) * tapsInRow(ring) *
                            static_cast<double>(around.last - around.first);
                widest = std::max(widest, ring.count);
                ++end;
            }
            const int64_t from = std::max(first, near(r).first);
            const int64_t to = std::min(last, near(end - 1).last - 1);
            const auto step = std::max<int64_t>(1, static_cast<int64_t>(kProductsOfThread / most));
            const dim3 blocks(static_cast<unsigned>(blocksFor(widest)),
                              static_cast<unsigned>(end - r));
            for (int64_t k = from; k <= to; k += step) {
                sampleKernel<<<blocks, kThreads, 0, stream.get()>>>(
                    taps, rows, r, k, std::min(to, k + step - 1), kernel.radius, values.data(),
                    shares ? shares->data() : nullptr, sums.data(),
                    shareSums ? shareSums->data() : nullptr);
                checkLaunch("sums over rows");
            }
            stream.synchronize();
            job.report(static_cast<double>(end - first) / static_cast<double>(last - first + 1),
                       "convolution");
            r = end;
        }
    }

    // The pairs of rings within reach of each other, target by target.
    std::vector<Two> pairsOf(int64_t first, int64_t last) const {
        std::vector<Two> pairs;
        for (int64_t r = first; r <= last; ++r) {
            const TapRows around = near(r);
            for (int64_t k = std::max(first, around.first); k <= std::min(last, around.last - 1);
                 ++k)
                pairs.push_back({static_cast<int>(r), static_cast<int>(k)});
        }
        return pairs;
    }

    void sumModes(int64_t first, int64_t last, std::span<const CudaArray> layers,
                  std::span<CudaArray> sums, JobContext& job) {
        const int64_t columns = rings.front().count, modes = columns / 2 + 1;
        const int64_t count = last - first + 1;
        CudaBatchedFft all({.length = columns, .count = count}, CudaBatchedFft::Values::Real,
                           device);
        std::vector<CudaArray> spectra, products;
        for (const CudaArray& layer : layers) {
            spectra.emplace_back(device, static_cast<size_t>(2 * count * modes));
            products.emplace_back(device, static_cast<size_t>(2 * count * modes));
            products.back().fill(0.0);
            all.forward(layer, spectra.back());
            all.wait();
        }
        const std::vector<Two> pairs = pairsOf(first, last);
        const auto batch = static_cast<int64_t>(
            std::clamp<int64_t>(kSamplesOfBatch / columns, 1,
                                std::min<int64_t>(kMostRings, static_cast<int64_t>(pairs.size()))));
        CudaBatchedFft some({.length = columns, .count = batch}, CudaBatchedFft::Values::Real,
                            device);
        const cuda::Stream& on = cuda::streamOf(some);
        CudaArray samples(device, static_cast<size_t>(batch * columns));
        CudaArray kernels(device, static_cast<size_t>(2 * batch * modes));
        samples.fill(0.0);
        const DeviceScope scope(device);
        // No allocation between batches, which would block the whole device.
        const DeviceBuffer<Two> d_pairs(device, static_cast<size_t>(batch));
        const DeviceBuffer<Run> d_runs(device, static_cast<size_t>(batch));
        for (size_t at = 0; at < pairs.size(); at += static_cast<size_t>(batch)) {
            const std::span<const Two> now = std::span(pairs).subspan(
                at, std::min(pairs.size() - at, static_cast<size_t>(batch)));
            std::vector<Run> runs;
            for (size_t i = 0; i < now.size(); ++i)
                if (runs.empty() || runs.back().target != now[i].target)
                    runs.push_back({now[i].target, static_cast<int>(i), static_cast<int>(i) + 1});
                else
                    ++runs.back().end;
            upload(now, d_pairs, on);
            upload(std::span<const Run>(runs), d_runs, on);
            profileKernel<<<dim3(static_cast<unsigned>(blocksFor(columns)),
                                 static_cast<unsigned>(now.size())),
                            kThreads, 0, on.get()>>>(taps, onDevice.data(), d_pairs.data(), columns,
                                                     samples.data());
            checkLaunch("samples of a kernel");
            some.forward(samples, kernels);
            for (size_t layer = 0; layer < layers.size(); ++layer) {
                productKernel<<<dim3(static_cast<unsigned>(blocksFor(modes)),
                                     static_cast<unsigned>(runs.size())),
                                kThreads, 0, on.get()>>>(
                    d_runs.data(), d_pairs.data(), reinterpret_cast<const double2*>(kernels.data()),
                    reinterpret_cast<const double2*>(spectra[layer].data()), modes, first,
                    reinterpret_cast<double2*>(products[layer].data()));
                checkLaunch("products of modes");
            }
            some.wait();
            job.report(static_cast<double>(at) / static_cast<double>(pairs.size()), "convolution");
        }
        for (size_t layer = 0; layer < layers.size(); ++layer) {
            all.backward(products[layer], sums[layer]);
            all.wait();
        }
    }

    template <typename Sample>
    void smooth(const DirectPlane<Sample>& plane, int64_t first, int64_t last, JobContext& job) {
        const auto held = std::span(rings).subspan(static_cast<size_t>(first),
                                                   static_cast<size_t>(last - first + 1));
        JobContext bringing = job.part(0.0, 0.1), working = job.part(0.1, 0.9);
        JobContext writing = job.part(0.9, 1.0);
        std::vector<CudaArray> layers, sums;
        const auto add = [&](const std::vector<double>& values) {
            layers.emplace_back(device, values.size());
            copies.upload(std::span<const double>(values), layers.back(), bringing);
            sums.emplace_back(device, values.size());
            sums.back().fill(0.0);
        };
        add(weightedSamples(plane, held, bringing));
        if (plane.normalize) add(weightedShares(plane, held, bringing));
        if (strategy == Strategy::Modes)
            sumModes(first, last, layers, sums, working);
        else
            sumSamples(first, last, layers[0], plane.normalize ? &layers[1] : nullptr, sums[0],
                       plane.normalize ? &sums[1] : nullptr, working);
        std::vector<std::vector<double>> made;
        for (const CudaArray& sum : sums) {
            made.push_back(newVector<double>(static_cast<int64_t>(sum.size()), writing));
            copies.download(sum, std::span<double>(made.back()), writing);
        }
        finishPlane(plane, made[0], plane.normalize ? made[1].data() : nullptr, kernel.integral,
                    writing);
    }

    int device;
    Strategy strategy;
    std::vector<TapRing> rings;
    RowKernel kernel;
    TapKernel taps;  // with its tables on the device
    DeviceBuffer<TapRing> onDevice;
    DeviceBuffer<double> segments;
    DeviceBuffer<int> buckets;
    cuda::Stream stream;
    HostCopies copies;
};

RowSumsCuda::RowSumsCuda(int device, const RingGrid& grid, const RowKernel& kernel,
                         Strategy strategy)
    : state_(std::make_unique<State>(device, grid, kernel, strategy)) {}
RowSumsCuda::~RowSumsCuda() = default;
RowSumsCuda::RowSumsCuda(RowSumsCuda&&) noexcept = default;
RowSumsCuda& RowSumsCuda::operator=(RowSumsCuda&&) noexcept = default;

template <typename Sample>
void RowSumsCuda::execute(std::span<const DirectPlane<Sample>> planes, int64_t first, int64_t last,
                          JobContext& job) {
    for (size_t p = 0; p < planes.size(); ++p) {
        JobContext part = job.part(static_cast<double>(p) / static_cast<double>(planes.size()),
                                   static_cast<double>(p + 1) / static_cast<double>(planes.size()));
        state_->smooth(planes[p], first, last, part);
    }
}
template void RowSumsCuda::execute(std::span<const DirectPlane<float>>, int64_t, int64_t,
                                   JobContext&);
template void RowSumsCuda::execute(std::span<const DirectPlane<double>>, int64_t, int64_t,
                                   JobContext&);

}  // namespace armilla

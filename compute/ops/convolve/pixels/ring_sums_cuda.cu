// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/ring_sums_cuda.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/device/cuda/check.h"

namespace armilla {

namespace {

using rings::Group;
using rings::kTargets;
constexpr int kThreads = rings::kSumThreads;
// Limit of weights on the device at once, in doubles.
constexpr int64_t kWeightBytes = int64_t{1} << 24;
// Limit of the number of sources of all groups in a slice; few slices would exceed it.
constexpr int64_t kCountBytes = int64_t{1} << 17;
// Rings in scratch memory for each multiprocessor; each belongs to one block.
constexpr int64_t kScratchRings = 4;

template <class Sample>
__global__ void widenKernel(const Sample* values, double* to, int64_t count) {
    const int64_t p = blockIdx.x * static_cast<int64_t>(kThreads) + threadIdx.x;
    if (p < count) to[p] = static_cast<double>(values[p]);
}

}  // namespace

RingSumsCuda::RingSumsCuda(int device, const HealpixRings& rings, const std::vector<double>& factor,
                           const cuda::Stream& stream, size_t maps)
    : device_(device), rings_(rings), held_(maps, nullptr), copied_(device) {
    const cuda::DeviceScope scope(device);
    for (size_t map = 0; map < maps; ++map)
        work_.emplace_back(device, static_cast<size_t>(12 * rings.nside * rings.nside));
    cuda::check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device),
                "querying multiprocessors");
    const auto pairs = static_cast<size_t>(2 * rings.nside);
    const auto resident = [&](const auto& from) {
        using T = typename std::decay_t<decltype(from)>::value_type;
        cuda::DeviceBuffer<T> to(device, from.size());
        cuda::check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T),
                                    cudaMemcpyHostToDevice, stream.get()),
                    "copying a table to the device");
        stream.synchronize();
        return to;
    };
    std::vector<double2> weights;
    for (size_t i = 0; i < pairs; ++i)
        weights.push_back(make_double2(factor[i + 1], i + 1 < pairs ? factor[i + 1] : 0.0));
    fftWeights_ = resident(weights);
    ring_ = resident(rings_.ring);
    theta_ = resident(rings_.theta);
    roots_ = cuda::DeviceBuffer<double2>(device, size_t{1} << (cuda::kLogRoots - 3));
    cuda::fillRoots(roots_.data(), stream.get());
    scratch_ = cuda::DeviceBuffer<double2>(
        device, static_cast<size_t>(kScratchRings * multiprocessors_ * 4 * rings.nside));
    makeBatches(stream);
    for (Layout* layout : {&sources_, &targets_}) {
        layout->tails.resize(maps);
        layout->limit.assign(pairs, -1);
        layout->host = cuda::PinnedBuffer<cuda::PairRings>(device, pairs);
        layout->rings = cuda::DeviceBuffer<cuda::PairRings>(device, pairs);
    }
    hostGroups_ = cuda::PinnedBuffer<Group>(device, pairs);
    deviceGroups_ = cuda::DeviceBuffer<Group>(device, pairs);
    stream.synchronize();
}

// Pairs of one kind and size go together, the longest first, as in the transforms.
void RingSumsCuda::makeBatches(const cuda::Stream& stream) {
    const size_t sharedBytes = cuda::ringFftSharedBytes(device_);
    cuda::allowRingFftSharedBytes(sharedBytes);
    std::map<std::pair<cuda::RingFftKind, int>, std::vector<int>> kinds;
    const auto pairs = static_cast<int>(2 * rings_.nside);
    const auto lengthOf = [&](int pair) {
        return 4 * rings_.ring[static_cast<size_t>(pair) + 1].quarter;
    };
    std::map<int64_t, int64_t> sharing;
    for (int i = 0; i < pairs; ++i) ++sharing[lengthOf(i)];
    for (int i = pairs - 1; i >= 0; --i) {
        const cuda::RingFftStrategy strategy = cuda::ringFftStrategy(
            {lengthOf(i), 4 * rings_.nside, sharing.at(lengthOf(i)), sharedBytes});
        kinds[{strategy.kind, strategy.logSize}].push_back(i);
    }
    std::vector<int> all;
    for (const auto& [kind, list] : kinds) all.insert(all.end(), list.begin(), list.end());
    batchPairs_ = cuda::DeviceBuffer<int>(device_, all.size());
    cuda::check(cudaMemcpyAsync(batchPairs_.data(), all.data(), all.size() * sizeof(int),
                                cudaMemcpyHostToDevice, stream.get()),
                "copying a table to the device");
    stream.synchronize();
    const int* at = batchPairs_.data();
    for (const auto& [kind, list] : kinds) {
        int64_t longest = 0;
        for (const int i : list) longest = std::max(longest, lengthOf(i));
        batches_.push_back({{kind.first, kind.second, static_cast<int>(longest)},
                            at,
                            static_cast<int>(list.size())});
        at += list.size();
    }
}

// Groups and slices of a request, and the modes that its sources and targets need.
void RingSumsCuda::plan(const Request& request) {
    groups_.clear();
    slices_.clear();
    int64_t weights = 0, counts = 0;
    const std::vector<RingBlock> blocks =
        ringBlocks(rings_, request.radius, request.profile.end, request.lastL);
    needed_ = sourceModes(rings_, blocks);
    for (const RingBlock& block : blocks) {
        Group group = rings::groupOf(block);
        for (int64_t k = block.targets.first; k <= block.targets.last; ++k)
            targets_.limit[static_cast<size_t>(k) - 1] = group.modes - 1;
        const int64_t size = static_cast<int64_t>(group.sources()) * group.terms * kTargets;
        if (slices_.empty() || slices_.back().folded != block.folded ||
            weights + size > kWeightBytes) {
            Slice slice;
            slice.first = static_cast<int>(groups_.size());
            slice.folded = block.folded;
            slices_.push_back(slice);
            weights = counts = 0;
        }
        Slice& slice = slices_.back();
        ++slice.count;
        slice.mostModes = std::max(slice.mostModes, group.modes);
        slice.mostWeights = std::max(slice.mostWeights, size);
        group.weightsAt = weights;
        group.countsAt = counts;
        weights += size;
        counts += group.sources();
        slice.counts = counts;
        const auto grow = [&](auto& workspace, int64_t need, int64_t least) {
            if (static_cast<size_t>(need) <= workspace.size()) return;
            workspace = {};
            workspace = std::decay_t<decltype(workspace)>(
                device_, static_cast<size_t>(std::max(need, least)));
        };
        grow(weights_, weights, kWeightBytes);
        grow(counts_, counts, kCountBytes);
        groups_.push_back(group);
    }
}

// Sets the positions of each pair's modes.
void RingSumsCuda::place(Layout& layout) const {
    layout.tailModes = 0;
    for (size_t i = 0; i < layout.limit.size(); ++i) {
        const HealpixRing& north = rings_.ring[i + 1];
        cuda::PairRings at;
        at.north = north.first;
        at.length = static_cast<int>(4 * north.quarter);
        const auto workspace = [&](int64_t first) {
            return static_cast<int>((first + at.length) / 2 - (first + 1) / 2);
        };
        at.inRing = workspace(at.north);
        if (i + 1 < layout.limit.size()) {
            at.south = rings_.ring[static_cast<size_t>(4 * rings_.nside) - i - 1].first;
            at.inRing = std::min(at.inRing, workspace(at.south));
        }
        at.modeLimit = layout.limit[i];
        at.tail = layout.tailModes;
        at.turnSteps = static_cast<int>(2.0 * north.shift);
        at.turn = make_double2(2.0 * north.shift / at.length, 0.0);
        layout.tailModes += 2 * at.modesInTail();
        layout.host.data()[i] = at;
    }
    // With a margin, so that few new widths need another allocation.
    for (cuda::DeviceBuffer<double2>& tails : layout.tails)
        if (static_cast<size_t>(layout.tailModes) > tails.size()) {
            tails = {};  // waits for the device
            tails = cuda::DeviceBuffer<double2>(
                device_, static_cast<size_t>(layout.tailModes + layout.tailModes / 8));
        }
}

void RingSumsCuda::bring(Layout& layout, const cuda::Stream& on) {
    cuda::check(cudaMemcpyAsync(layout.rings.data(), layout.host.data(),
                                layout.limit.size() * sizeof(cuda::PairRings),
                                cudaMemcpyHostToDevice, on.get()),
                "copying a table to the device");
}

cuda::RingFft RingSumsCuda::ringFft(const Layout& layout, size_t map, double* values) const {
    cuda::RingFft fft;
    fft.spectrum = {values, layout.tails[map].data(), layout.rings.data()};
    fft.weights = fftWeights_.data();
    fft.roots = roots_.data();
    fft.scratch = scratch_.data();
    fft.scratchSize = static_cast<int64_t>(scratch_.size());
    fft.multiprocessors = multiprocessors_;
    return fft;
}

void RingSumsCuda::reserve(const Request& request) {
    copied_.synchronize();
    plan(request);
    place(targets_);
    // Also if an earlier allocation of the tails failed.
    bool wider = std::any_of(sources_.tails.begin(), sources_.tails.end(), [&](const auto& tails) {
        return tails.size() < static_cast<size_t>(sources_.tailModes);
    });
    wider = widenModes(sources_.limit, needed_, rings_.nside) || wider;
    if (!wider) return;
    std::fill(held_.begin(), held_.end(), nullptr);
    place(sources_);
}

template <class Sample>
void RingSumsCuda::analyze(const Sample* values, size_t map, const cuda::Stream& on) {
    const int64_t pixels = 12 * rings_.nside * rings_.nside;
    widenKernel<<<static_cast<unsigned>((pixels + kThreads - 1) / kThreads), kThreads, 0,
                  on.get()>>>(values, work_[map].data(), pixels);
    cuda::checkLaunch("copying a map");
    const cuda::RingFft fft = ringFft(sources_, map, work_[map].data());
    for (const cuda::RingFftBatch& batch : batches_) cuda::ringAnalysis(batch, fft, on.get());
    held_[map] = values;
}

template <bool kFolded, rings::Part kPart>
void RingSumsCuda::makeWeights(const Slice& slice, const ProfileView& profile,
                               const cuda::Stream& on) {
    cuda::check(cudaMemsetAsync(counts_.data(), 0, static_cast<size_t>(slice.counts) * sizeof(int),
                                on.get()),
                "counting weights");
    const dim3 fill(static_cast<unsigned>(
                        std::min<int64_t>((slice.mostWeights + kThreads - 1) / kThreads, 1024)),
                    static_cast<unsigned>(slice.count));
    rings::weightsKernel<kFolded, kPart>
        <<<fill, kThreads, 0, on.get()>>>(deviceGroups_.data() + slice.first, ring_.data(),
                                          theta_.data(), profile, weights_.data(), counts_.data());
    cuda::checkLaunch("weights of rings");
}

template <bool kFolded, rings::Part kPart>
void RingSumsCuda::addSums(const Slice& slice, const Strategy& strategy,
                           std::span<CudaArray* const> to, const cuda::Stream& on) {
    const dim3 blocks(static_cast<unsigned>((slice.mostModes + kThreads - 1) / kThreads),
                      static_cast<unsigned>(slice.count));
    rings::ringSumsKernel<kFolded, kPart><<<blocks, kThreads, 0, on.get()>>>(
        deviceGroups_.data() + slice.first, rings_.nside, weights_.data(), counts_.data(),
        ringFft(sources_, strategy.from, work_[strategy.from].data()).spectrum,
        ringFft(targets_, strategy.to, to[strategy.to]->data()).spectrum, strategy.turn);
    cuda::checkLaunch("sums over rings");
}

template <class Sample, class Sum>
void RingSumsCuda::execute(const Request& request, std::span<const Sample* const> values,
                           std::span<CudaArray* const> to, const Sum& sum, const cuda::Stream& on,
                           JobContext* job) {
    const cuda::DeviceScope scope(device_);
    const auto wait = [&] {
        if (job == nullptr) return;
        on.synchronize();
        job->poll();
    };
    reserve(request);
    bring(targets_, on);
    std::copy(groups_.begin(), groups_.end(), hostGroups_.data());
    cuda::check(cudaMemcpyAsync(deviceGroups_.data(), hostGroups_.data(),
                                groups_.size() * sizeof(Group), cudaMemcpyHostToDevice, on.get()),
                "copying a table to the device");
    for (size_t map = 0; map < values.size(); ++map)
        if (held_[map] != values[map]) {
            bring(sources_, on);
            analyze(values[map], map, on);
        }
    copied_.record(on);
    wait();
    for (const Slice& slice : slices_) {
        if (slice.folded)
            sum(slice, std::true_type());
        else
            sum(slice, std::false_type());
        wait();
    }
    for (size_t map = 0; map < to.size(); ++map) {
        const cuda::RingFft fft = ringFft(targets_, map, to[map]->data());
        for (const cuda::RingFftBatch& batch : batches_) cuda::ringSynthesis(batch, fft, on.get());
    }
    wait();
}

template <class Sample>
void RingSumsCuda::execute(const Request& request, const Sample* values, CudaArray& to,
                           const cuda::Stream& on, JobContext* job) {
    using rings::Part;
    CudaArray* const all[] = {&to};
    const auto sum = [&](const Slice& slice, auto folded) {
        makeWeights<folded(), Part::Radial>(slice, request.profile, on);
        addSums<folded(), Part::Radial>(slice, {}, all, on);
    };
    execute<Sample>(request, {&values, 1}, all, sum, on, job);
}

void RingSumsCuda::execute(const Request& request, const Polarized& maps, const cuda::Stream& on,
                           JobContext* job) {
    using rings::Part;
    const double* const values[] = {maps.q, maps.u};
    CudaArray* const to[] = {maps.toQ, maps.toU};
    const auto sum = [&](const Slice& slice, auto folded) {
        makeWeights<folded(), Part::Even>(slice, request.profile, on);
        addSums<folded(), Part::Even>(slice, {0, 0}, to, on);
        addSums<folded(), Part::Even>(slice, {1, 1}, to, on);
        makeWeights<folded(), Part::Odd>(slice, request.profile, on);
        addSums<folded(), Part::Odd>(slice, {1, 0, 1.0}, to, on);
        addSums<folded(), Part::Odd>(slice, {0, 1, -1.0}, to, on);
    };
    execute<double>(request, values, to, sum, on, job);
}

int64_t RingSumsCuda::deviceBytes() const {
    size_t bytes = 0;
    for (const CudaArray& work : work_) bytes += 8 * work.size();
    const auto add = [&](const auto& buffer) { bytes += buffer.size() * sizeof(*buffer.data()); };
    for (const Layout* layout : {&sources_, &targets_}) {
        add(layout->rings);
        for (const auto& tails : layout->tails) add(tails);
    }
    add(ring_);
    add(theta_);
    add(fftWeights_);
    add(roots_);
    add(scratch_);
    add(batchPairs_);
    add(deviceGroups_);
    add(weights_);
    add(counts_);
    return static_cast<int64_t>(bytes);
}

template void RingSumsCuda::execute(const Request&, const float*, CudaArray&, const cuda::Stream&,
                                    JobContext*);
template void RingSumsCuda::execute(const Request&, const double*, CudaArray&, const cuda::Stream&,
                                    JobContext*);

}  // namespace armilla

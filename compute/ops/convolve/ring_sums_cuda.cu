// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/ring_sums_cuda.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "device/cuda/check.h"

namespace armilla {

namespace {

using Group = RingSumsCuda::Group;
constexpr int kTargets = RingSumsCuda::kTargets, kTerms = RingSumsCuda::kTerms;
constexpr int kThreads = 128;
// Source rings whose weights a block holds at once.
constexpr int kSources = 8;
// Doubles of weights on the device at once.
constexpr int64_t kWeightRoom = int64_t{1} << 24;
// Blocks that have room for a ring in scratch memory, for each multiprocessor.
constexpr int64_t kScratchRings = 4;

template <class Sample>
__global__ void widenKernel(const Sample* values, double* to, int64_t count) {
    const int64_t p = blockIdx.x * static_cast<int64_t>(kThreads) + threadIdx.x;
    if (p < count) to[p] = static_cast<double>(values[p]);
}

// Samples of K at t pi / modes, as weights of cos(m t pi / modes): of a source a run of terms, each
// of all targets. A row of blocks for each group.
__global__ void weightsKernel(const Group* groups, const HealpixRing* ring, ProfileView profile,
                              double* weights) {
    const Group group = groups[blockIdx.y];
    const int sources = group.lastSource - group.firstSource + 1;
    const int64_t all = static_cast<int64_t>(sources) * group.terms * kTargets;
    const double step = kPi / group.modes;
    for (int64_t e = blockIdx.x * static_cast<int64_t>(kThreads) + threadIdx.x; e < all;
         e += static_cast<int64_t>(gridDim.x) * kThreads) {
        const int target = static_cast<int>(e % kTargets);
        const int t = static_cast<int>(e / kTargets % group.terms);
        const int source = static_cast<int>(e / (static_cast<int64_t>(kTargets) * group.terms));
        double w = 0.0;
        if (target < group.count && t <= group.modes) {
            const HealpixRing a = ring[group.first + target], b = ring[group.firstSource + source];
            const double dz = a.z - b.z, ds = a.s - b.s;
            const double y0 = 0.5 * (dz * dz + ds * ds), half = 0.5 * t * step;
            double square = 0.0;
            if (half <= 0.4995) {
                square = sineSquareNear(half);
            } else {
                const double s = sin(half);
                square = s * s;
            }
            // Of samples all around the ring those at delta and -delta are one term; the first and
            // the last, at 0 and pi, have no partner.
            const double share = t == 0 || t == group.modes ? 0.5 : 1.0;
            w = share / group.modes * profile(y0 + 2.0 * a.s * b.s * square);
        }
        weights[group.weightsAt + e] = w;
    }
}

// S_m(r) = sum_r' k_m(r, r') F_m(r') for the rings of a group and their mirrors: a thread for each
// m, a row of blocks for each group. k_m is a sum of cosines, which the thread keeps.
__global__ void __launch_bounds__(kThreads, 3)
    ringSumsKernel(const Group* groups, int64_t nside, const double* weights,
                   cuda::RingSpectrum from, cuda::RingSpectrum to) {
    __shared__ double room[kSources * kTerms * kTargets];
    const Group group = groups[blockIdx.y];
    const int thread = static_cast<int>(threadIdx.x);
    const int m = static_cast<int>(blockIdx.x) * kThreads + thread;
    if (static_cast<int>(blockIdx.x) * kThreads >= group.modes) return;
    const int mode = min(m, group.modes - 1);
    double sum[kTargets][4];
#pragma unroll
    for (auto& target : sum)
#pragma unroll
        for (double& s : target) s = 0.0;
    for (int chunk = 0; chunk < group.terms; chunk += kTerms) {
        double cosine[kTerms];
        {
            // From one exact start by turns of the exact step: 20 steps lose 20 roundings.
            const int64_t period = 2 * static_cast<int64_t>(group.modes);
            double c = 0.0, s = 0.0, stepC = 0.0, stepS = 0.0;
            sincospi(static_cast<double>(static_cast<int64_t>(mode) * chunk % period) / group.modes,
                     &s, &c);
            sincospi(static_cast<double>(mode) / group.modes, &stepS, &stepC);
#pragma unroll
            for (int t = 0; t < kTerms; ++t) {
                cosine[t] = c;
                const double next = c * stepC - s * stepS;
                s = s * stepC + c * stepS;
                c = next;
            }
        }
        for (int first = group.firstSource; first <= group.lastSource; first += kSources) {
            const int sources = min(kSources, group.lastSource - first + 1);
            __syncthreads();
            for (int e = thread; e < sources * kTerms * kTargets; e += kThreads) {
                const int source = e / (kTerms * kTargets), rest = e % (kTerms * kTargets);
                room[e] = weights[group.weightsAt +
                                  (static_cast<int64_t>(first - group.firstSource + source) *
                                       group.terms +
                                   chunk) *
                                      kTargets +
                                  rest];
            }
            __syncthreads();
            for (int i = 0; i < sources; ++i) {
                const int k = first + i;
                const bool below = k > 2 * nside;
                const int pair = below ? static_cast<int>(4 * nside) - k - 1 : k - 1;
                const cuda::PairRings place = from.rings[pair];
                const bool alone = place.south < 0;
                const double2 north = *from.mode(place, below, mode);
                const double2 south = alone ? north : *from.mode(place, !below, mode);
                const double* const w = room + i * kTerms * kTargets;
                double kernel[kTargets];
#pragma unroll
                for (double& value : kernel) value = 0.0;
#pragma unroll
                for (int t = 0; t < kTerms; ++t)
#pragma unroll
                    for (int target = 0; target < kTargets; ++target)
                        kernel[target] = fma(w[t * kTargets + target], cosine[t], kernel[target]);
#pragma unroll
                for (int target = 0; target < kTargets; ++target) {
                    sum[target][0] = fma(kernel[target], north.x, sum[target][0]);
                    sum[target][1] = fma(kernel[target], north.y, sum[target][1]);
                    sum[target][2] = fma(kernel[target], south.x, sum[target][2]);
                    sum[target][3] = fma(kernel[target], south.y, sum[target][3]);
                }
            }
        }
    }
    if (m >= group.modes) return;
#pragma unroll
    for (int target = 0; target < kTargets; ++target) {
        if (target >= group.count) break;
        const cuda::PairRings place = to.rings[group.first + target - 1];
        *to.mode(place, false, m) = make_double2(sum[target][0], sum[target][1]);
        if (place.south >= 0)
            *to.mode(place, true, m) = make_double2(sum[target][2], sum[target][3]);
    }
}

int roundedUp(int n, int step) {
    return (n + step - 1) / step * step;
}

}  // namespace

RingSumsCuda::RingSumsCuda(int device, const HealpixRings& rings, const std::vector<double>& factor,
                           const cuda::Stream& stream)
    : device_(device),
      rings_(rings),
      work_(device, static_cast<size_t>(12 * rings.nside * rings.nside)),
      copied_(device) {
    const cuda::DeviceScope scope(device);
    cuda::check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device),
                "asking for multiprocessors");
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
    roots_ = cuda::DeviceBuffer<double2>(device, size_t{1} << (cuda::kLogRoots - 3));
    cuda::fillRoots(roots_.data(), stream.get());
    scratch_ = cuda::DeviceBuffer<double2>(
        device, static_cast<size_t>(kScratchRings * multiprocessors_ * 4 * rings.nside));
    makeBatches(stream);
    for (Layout* layout : {&sources_, &targets_}) {
        layout->limit.assign(pairs, -1);
        layout->host = cuda::PinnedBuffer<cuda::PairRings>(device, pairs);
        layout->rings = cuda::DeviceBuffer<cuda::PairRings>(device, pairs);
    }
    hostGroups_ = cuda::PinnedBuffer<Group>(device, pairs);
    deviceGroups_ = cuda::DeviceBuffer<Group>(device, pairs);
    stream.synchronize();
}

// As the transforms do: pairs of one kind and size go together, the longest first.
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
        const cuda::RingFftBatch batch = cuda::ringFftBatch(
            {lengthOf(i), 4 * rings_.nside, sharing.at(lengthOf(i)), sharedBytes});
        kinds[{batch.kind, batch.logSize}].push_back(i);
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
        batches_.push_back({kind.first, kind.second, static_cast<int>(longest), at,
                            static_cast<int>(list.size())});
        at += list.size();
    }
}

// Groups and slices of a request, and the modes that its sources and targets need.
void RingSumsCuda::plan(const Request& request) {
    const int64_t nside = rings_.nside;
    const auto at = [&](int64_t r) -> const HealpixRing& {
        return rings_.ring[static_cast<size_t>(r)];
    };
    groups_.clear();
    slices_.clear();
    needed_.assign(static_cast<size_t>(2 * nside), -1);
    int64_t room = 0;
    for (int64_t r = 1; r <= 2 * nside;) {
        // Near the pole rings differ much in their modes.
        const int64_t last = std::min({r + kTargets - 1, 2 * nside, r < 8 ? r : 2 * r});
        const RingSpan first = ringsAround(rings_.theta.data(), rings_.count, r, request.radius);
        const RingSpan other = ringsAround(rings_.theta.data(), rings_.count, last, request.radius);
        Group group;
        group.first = static_cast<int>(r);
        group.count = static_cast<int>(last - r + 1);
        group.firstSource = static_cast<int>(first.first);
        group.lastSource = static_cast<int>(other.last);
        const double widest = at(std::min(other.last, 2 * nside)).s;
        group.modes = lastMode(request.lastL, at(last).s, widest) + 1;
        // The longest reach, between the shortest rings; those behind the pole come first.
        const double narrow = at(r).s * std::min(at(first.first).s, at(other.last).s);
        const double square = 0.5 * request.profile.end / narrow;
        const double reach = square < 1.0 ? 2.0 * std::asin(std::sqrt(square)) : kPi;
        group.terms = roundedUp(
            std::min(static_cast<int>(reach / kPi * group.modes) + 2, group.modes + 1), kTerms);
        for (int64_t k = group.firstSource; k <= group.lastSource; ++k) {
            int& limit = needed_[static_cast<size_t>(std::min(k, 4 * nside - k) - 1)];
            limit = std::max(limit, group.modes - 1);
        }
        for (int64_t k = r; k <= last; ++k)
            targets_.limit[static_cast<size_t>(k) - 1] = group.modes - 1;
        const int sources = group.lastSource - group.firstSource + 1;
        const int64_t size = static_cast<int64_t>(sources) * group.terms * kTargets;
        if (slices_.empty() || room + size > kWeightRoom) {
            slices_.push_back({static_cast<int>(groups_.size()), 0, 0, 0, 0});
            room = 0;
        }
        Slice& slice = slices_.back();
        ++slice.count;
        slice.mostModes = std::max(slice.mostModes, group.modes);
        slice.mostTerms = std::max(slice.mostTerms, group.terms);
        slice.mostSources = std::max(slice.mostSources, sources);
        group.weightsAt = room;
        room += size;
        if (static_cast<size_t>(room) > weights_.size()) {
            weights_ = {};
            weights_ = cuda::DeviceBuffer<double>(device_,
                                                  static_cast<size_t>(std::max(room, kWeightRoom)));
        }
        groups_.push_back(group);
        r = last + 1;
    }
}

// Where the modes of each pair lie.
void RingSumsCuda::place(Layout& layout) const {
    layout.tailModes = 0;
    for (size_t i = 0; i < layout.limit.size(); ++i) {
        const HealpixRing& north = rings_.ring[i + 1];
        cuda::PairRings at;
        at.north = north.first;
        at.length = static_cast<int>(4 * north.quarter);
        const auto room = [&](int64_t first) {
            return static_cast<int>((first + at.length) / 2 - (first + 1) / 2);
        };
        at.inRing = room(at.north);
        if (i + 1 < layout.limit.size()) {
            at.south = rings_.ring[static_cast<size_t>(4 * rings_.nside) - i - 1].first;
            at.inRing = std::min(at.inRing, room(at.south));
        }
        at.modeLimit = layout.limit[i];
        at.tail = layout.tailModes;
        at.turnSteps = static_cast<int>(2.0 * north.shift);
        at.turn = make_double2(2.0 * north.shift / at.length, 0.0);
        layout.tailModes += 2 * at.modesInTail();
        layout.host.data()[i] = at;
    }
    // With some more room, so that few new widths come back to this.
    if (static_cast<size_t>(layout.tailModes) > layout.tails.size()) {
        layout.tails = {};  // waits for the device
        layout.tails = cuda::DeviceBuffer<double2>(
            device_, static_cast<size_t>(layout.tailModes + layout.tailModes / 8));
    }
}

void RingSumsCuda::bring(Layout& layout, const cuda::Stream& on) {
    cuda::check(cudaMemcpyAsync(layout.rings.data(), layout.host.data(),
                                layout.limit.size() * sizeof(cuda::PairRings),
                                cudaMemcpyHostToDevice, on.get()),
                "copying a table to the device");
}

cuda::RingFft RingSumsCuda::ringFft(const Layout& layout, double* map) const {
    cuda::RingFft fft;
    fft.spectrum = {map, layout.tails.data(), layout.rings.data()};
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
    bool wider = false;
    for (size_t i = 0; i < needed_.size(); ++i) {
        wider = wider || needed_[i] > sources_.limit[i];
        sources_.limit[i] = std::max(sources_.limit[i], needed_[i]);
    }
    if (!wider) return;
    held_ = nullptr;
    place(sources_);
}

template <class Sample>
void RingSumsCuda::analyze(const Sample* values, const cuda::Stream& on) {
    const int64_t pixels = 12 * rings_.nside * rings_.nside;
    bring(sources_, on);
    widenKernel<<<static_cast<unsigned>((pixels + kThreads - 1) / kThreads), kThreads, 0,
                  on.get()>>>(values, work_.data(), pixels);
    cuda::checkLaunch("copying a map");
    const cuda::RingFft fft = ringFft(sources_, work_.data());
    for (const cuda::RingFftBatch& batch : batches_) cuda::ringAnalysis(batch, fft, on.get());
    held_ = values;
}

template <class Sample>
void RingSumsCuda::execute(const Request& request, const Sample* values, CudaArray& to,
                           const cuda::Stream& on, JobContext* job) {
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
    if (held_ != values) analyze(values, on);
    copied_.record(on);
    wait();
    const cuda::RingSpectrum from = ringFft(sources_, work_.data()).spectrum;
    const cuda::RingFft fft = ringFft(targets_, to.data());
    for (const Slice& slice : slices_) {
        const Group* const groups = deviceGroups_.data() + slice.first;
        const int64_t weights =
            static_cast<int64_t>(slice.mostSources) * slice.mostTerms * kTargets;
        const auto count = static_cast<unsigned>(slice.count);
        const dim3 fill(
            static_cast<unsigned>(std::min<int64_t>((weights + kThreads - 1) / kThreads, 1024)),
            count);
        weightsKernel<<<fill, kThreads, 0, on.get()>>>(groups, ring_.data(), request.profile,
                                                       weights_.data());
        const dim3 blocks(static_cast<unsigned>((slice.mostModes + kThreads - 1) / kThreads),
                          count);
        ringSumsKernel<<<blocks, kThreads, 0, on.get()>>>(groups, rings_.nside, weights_.data(),
                                                          from, fft.spectrum);
        cuda::checkLaunch("sums over rings");
        wait();
    }
    for (const cuda::RingFftBatch& batch : batches_) cuda::ringSynthesis(batch, fft, on.get());
    wait();
}

int64_t RingSumsCuda::deviceBytes() const {
    size_t bytes = 8 * work_.size();
    const auto add = [&](const auto& buffer) { bytes += buffer.size() * sizeof(*buffer.data()); };
    for (const Layout* layout : {&sources_, &targets_}) {
        add(layout->rings);
        add(layout->tails);
    }
    add(ring_);
    add(fftWeights_);
    add(roots_);
    add(scratch_);
    add(batchPairs_);
    add(deviceGroups_);
    add(weights_);
    return static_cast<int64_t>(bytes);
}

template void RingSumsCuda::execute(const Request&, const float*, CudaArray&, const cuda::Stream&,
                                    JobContext*);
template void RingSumsCuda::execute(const Request&, const double*, CudaArray&, const cuda::Stream&,
                                    JobContext*);

}  // namespace armilla

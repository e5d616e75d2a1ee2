// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "armilla/core/error.h"
#include "armilla/device/cuda/device_buffer.h"
#include "armilla/device/cuda/picture_access.h"
#include "armilla/device/cuda/stream.h"
#include "armilla/device/cuda/uploaded.h"
#include "armilla/device/cuda_array.h"
#include "armilla/device/host_copies.h"
#include "armilla/ops/convolve.h"
#include "convolve/pixels/direct_belt.cuh"
#include "convolve/pixels/direct_caps.cuh"
#include "convolve/pixels/direct_cuda.h"
#include "convolve/pixels/ring_sums_cuda.h"

namespace armilla {

namespace {

constexpr int kThreads = 128;
// Staging buffers for tables of kernels, for several requests in progress at once.
constexpr size_t kStages = 4;
constexpr size_t kTableDoubles = 1 << 18, kTableInts = 1 << 17;
// Products in a piece of work between two waits of the host: some 10 ms.
constexpr double kProductsOfPiece = 5e10;
constexpr size_t kUploadPiece = 1 << 22;
// Limits of the belt's tables: 34 MB. If a kernel is so wide that not even one group of rings fits,
// some 5 degrees at nside 2048, the belt is summed like the caps.
constexpr size_t kBeltWeights = 1 << 22, kBeltCounts = 1 << 18;

// result /= mask / unit, NaN where that is less than `least`; NaN where the field is bad. `good`
// null: no pixel is bad. `level` is added.
template <class Sample>
__global__ void finishKernel(double* result, const double* mask, double unit, double least,
                             double level, const Sample* good, int64_t count) {
    const int64_t p = blockIdx.x * static_cast<int64_t>(kThreads) + threadIdx.x;
    if (p >= count) return;
    double value = result[p];
    if (mask != nullptr) {
        const double share = mask[p] / unit;
        value = share >= least ? value / share : nan("");
    }
    if (level != 0.0) value += level;
    result[p] = good == nullptr || good[p] != Sample(0) ? value : nan("");
}

}  // namespace

struct DirectCuda::State {
    template <class Sample>
    struct Samples {
        cuda::DeviceBuffer<Sample> values, good;
        // The same as eighths (cap_images.h).
        cuda::DeviceBuffer<Sample> valueImages, goodImages;
    };
    struct Held {
        std::variant<Samples<float>, Samples<double>> samples;
        bool bad = false;
        bool single = true;
        double mean = 0.0;  // subtracted from the samples
        std::optional<PictureCells> cells;
    };
    struct Stage {
        cuda::PinnedBuffer<double> hostDoubles;
        cuda::PinnedBuffer<int> hostInts;
        cuda::DeviceBuffer<double> doubles;
        cuda::DeviceBuffer<int> ints;
        cuda::Event used;
    };
    // A stream, and further streams for concurrent work.
    struct Lane {
        Lane(int device, cuda::Priority priority)
            : main(device, priority),
              caps(device, priority),
              poles(device, priority),
              forked(device),
              capsDone(device),
              polesDone(device) {}
        cuda::Stream main, caps, poles;
        cuda::Event forked, capsDone, polesDone;
    };
    // Events at the ends of the parts of the sums.
    struct Marks {
        std::vector<std::string> names;
        std::vector<cuda::Event> events;
    };

    State(int on, int64_t nside)
        : device(on),
          rings(nside),
          around(on, static_cast<size_t>(4 * nside)),
          beltWeights(on, kBeltWeights),
          beltCounts(on, kBeltCounts),
          slow(on, cuda::Priority::Low),
          live(on, cuda::Priority::High),
          done(on),
          copies(on) {
        int bytes = 0;
        cuda::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, on),
                    "querying the shared memory of a device");
        sharedBytes = static_cast<size_t>(bytes);
    }

    direct::Grid grid() const {
        return {rings.nside,   ring.data(),    theta.data(),
                factor.data(), eighths.data(), around.data()};
    }

    // The profile with its tables in device memory, valid for work in `on`.
    ProfileView viewOf(const ProfileTable& profile, const cuda::Stream& on) {
        ProfileView view = profile.view();
        if (view.rate > 0.0) return view;
        if (profile.segments().size() > kTableDoubles || profile.buckets().size() > kTableInts)
            throw Unsupported("method direct: expected a kernel of up to " +
                              std::to_string(kTableDoubles) + " numbers in its table, found " +
                              std::to_string(profile.segments().size()));
        if (stages.empty())
            for (size_t i = 0; i < kStages; ++i)
                stages.push_back({cuda::PinnedBuffer<double>(device, kTableDoubles),
                                  cuda::PinnedBuffer<int>(device, kTableInts),
                                  cuda::DeviceBuffer<double>(device, kTableDoubles),
                                  cuda::DeviceBuffer<int>(device, kTableInts),
                                  cuda::Event(device)});
        Stage& stage = stages[nextStage++ % kStages];
        stage.used.synchronize();  // the stage's request four requests ago
        std::copy(profile.segments().begin(), profile.segments().end(), stage.hostDoubles.data());
        std::copy(profile.buckets().begin(), profile.buckets().end(), stage.hostInts.data());
        cuda::check(cudaMemcpyAsync(stage.doubles.data(), stage.hostDoubles.data(),
                                    profile.segments().size() * sizeof(double),
                                    cudaMemcpyHostToDevice, on.get()),
                    "copying a kernel to the device");
        cuda::check(cudaMemcpyAsync(stage.ints.data(), stage.hostInts.data(),
                                    profile.buckets().size() * sizeof(int), cudaMemcpyHostToDevice,
                                    on.get()),
                    "copying a kernel to the device");
        stage.used.record(on);
        view.segments = stage.doubles.data();
        view.firstOfBucket = stage.ints.data();
        return view;
    }
    // Converts a map in RING order to eighths.
    template <class Sample>
    cuda::DeviceBuffer<Sample> asEighths(const cuda::DeviceBuffer<Sample>& values) const {
        const auto rows = static_cast<unsigned>(2 * rings.nside);
        const int longest = eighthCount(rings.ring[static_cast<size_t>(rings.nside) + 1]);
        cuda::DeviceBuffer<Sample> images(
            device, static_cast<size_t>(eighthOffsets(rings).back()) * kEighthImages);
        const dim3 blocks(static_cast<unsigned>(longest / 32 + 1), rows);
        direct::eighthsKernel<<<blocks, dim3(32, 8), 0, slow.main.get()>>>(grid(), values.data(),
                                                                           images.data());
        cuda::checkLaunch("laying out eighths");
        slow.main.synchronize();
        return images;
    }
    // Limits of a belt of targets: sums of two values in a source ring, source rings of a group,
    // and bytes of shared memory of a block. The longest reach is that of the shortest source ring;
    // the number of source rings is largest at the equator.
    struct BeltWorkspace {
        int pairs = 0, rows = 0;
        size_t bytes = 0;
        size_t weights() const { return static_cast<size_t>(rows) * pairs * direct::kRings; }
    };
    template <class Sample>
    BeltWorkspace beltWorkspace(const RingSpan& belt, double radius, double end) const {
        using namespace direct;
        const RingSpan span = ringsAround(rings.theta.data(), rings.count, belt.first, radius);
        const double s = rings.ring[static_cast<size_t>(span.first)].s;
        const double reach = 2.0 * std::asin(std::min(1.0, std::sqrt(0.5 * end) / s));
        const RingSpan most = ringsAround(rings.theta.data(), rings.count, 2 * rings.nside, radius);
        BeltWorkspace workspace;
        workspace.pairs = static_cast<int>(reach / kHalfPi * static_cast<double>(rings.nside)) + 2;
        workspace.rows = static_cast<int>(most.last - most.first) + kRings + 2;
        workspace.bytes = static_cast<size_t>(BeltStages<Sample>(workspace.pairs).bytes());
        return workspace;
    }

    // Sums for the caps' rings `first` .. `last` and their mirrors.
    template <class Sample>
    void capSums(const ProfileView& view, RingSpan span, const Sample* images, CudaArray& to,
                 const cuda::Stream& on) {
        using namespace direct;
        // Shifted rings have one target less.
        const auto longest =
            static_cast<int>(rings.ring[static_cast<size_t>(span.last)].quarter / 2 + 1);
        const dim3 blocks(static_cast<unsigned>((longest + kCapTargets - 1) / kCapTargets),
                          static_cast<unsigned>((span.last - span.first + kCapWarps) / kCapWarps));
        capKernel<<<blocks, dim3(32, kCapWarps), 0, on.get()>>>(grid(), view, span.first, span.last,
                                                                images, to.data());
        cuda::checkLaunch("convolving caps");
    }
    template <class Sample>
    void polarSums(const ProfileView& view, RingSpan span, const Sample* values, CudaArray& to,
                   const cuda::Stream& on) {
        using namespace direct;
        // Shifted rings have one target less.
        const auto longest =
            static_cast<int>(rings.ring[static_cast<size_t>(span.last)].quarter / 2 + 1);
        const dim3 blocks(static_cast<unsigned>((longest + kPolarThreads - 1) / kPolarThreads),
                          static_cast<unsigned>(span.last - span.first + 1));
        polarKernel<<<blocks, kPolarThreads, 0, on.get()>>>(grid(), view, span.first, values,
                                                            to.data());
        cuda::checkLaunch("convolving at the poles");
    }
    template <class Sample>
    void beltSums(const ProfileView& view, const BeltWorkspace& workspace, RingSpan span,
                  const Sample* values, CudaArray& to, const cuda::Stream& on) {
        using namespace direct;
        const BeltTable table{span.first,     span.last,          workspace.pairs,
                              workspace.rows, beltWeights.data(), beltCounts.data()};
        const auto groups = static_cast<unsigned>((span.last - span.first + kRings) / kRings);
        beltTableKernel<<<dim3(static_cast<unsigned>(workspace.rows), groups), 64, 0, on.get()>>>(
            grid(), view, table);
        cuda::checkLaunch("weights of the belt");
        const dim3 blocks(
            static_cast<unsigned>((4 * rings.nside + kBlockColumns - 1) / kBlockColumns), groups);
        beltKernel<<<blocks, kBeltThreads, workspace.bytes, on.get()>>>(grid(), table, values,
                                                                        to.data());
        cuda::checkLaunch("convolving the belt");
    }

    // Writes the sums of `values` (or of the mask), which also exist as eighths, to `to`. With a
    // job: in pieces with waits between them. Otherwise caps and belt run concurrently, or with
    // `marks` one after another.
    template <class Sample>
    void sums(const ProfileTable& profile, const ProfileView& view, const Sample* values,
              const Sample* images, CudaArray& to, Lane& lane, JobContext* job, Marks* marks) {
        const int64_t nside = rings.nside;
        const double radius = profile.radius();
        RingSpan belt = beltTargets(rings, radius, view.end);
        BeltWorkspace workspace;
        if (belt.first <= belt.last) {
            workspace = beltWorkspace<Sample>(belt, radius, view.end);
            // The belt of kernels this wide is summed like the caps.
            if (workspace.bytes > sharedBytes || workspace.weights() > kBeltWeights)
                belt = {2 * nside + 1, 2 * nside};
        }
        const double products = 0.5 * view.end * static_cast<double>(pixelCount(nside));
        const auto ringsOfPiece = static_cast<int64_t>(std::clamp(
            kProductsOfPiece / (std::max(1.0, products) * 4.0 * static_cast<double>(nside)), 1.0,
            32768.0));
        const int64_t most = job != nullptr ? ringsOfPiece : 32768;
        const cuda::Stream& on = lane.main;
        const bool together = job == nullptr && marks == nullptr;
        const cuda::Stream& forCaps = together ? lane.caps : on;
        const cuda::Stream& forPoles = together ? lane.poles : on;
        const auto wait = [&] {
            if (job == nullptr) return;
            on.synchronize();
            job->poll();
        };
        const auto mark = [&](const char* name) {
            if (marks == nullptr) return;
            marks->names.emplace_back(name);
            marks->events.emplace_back(device, cuda::Event::Timing::On);
            marks->events.back().record(on);
        };
        mark("begin");
        direct::spansKernel<<<static_cast<unsigned>(4 * nside / 64 + 1), 64, 0, on.get()>>>(
            theta.data(), rings.count, radius, around.data());
        cuda::checkLaunch("rings within reach");
        mark("spans");
        lane.forked.record(on);
        lane.forked.holdBack(forCaps);
        lane.forked.holdBack(forPoles);
        const int64_t capLast = std::min(belt.first - 1, 2 * nside);
        const int64_t byImages = firstByImages(rings, capLast, radius, view.end);
        for (int64_t r = 1; r < byImages;) {
            const int64_t last = std::min(byImages, r + most) - 1;
            polarSums(view, {r, last}, values, to, forPoles);
            wait();
            r = last + 1;
        }
        mark("poles");
        for (int64_t r = byImages; r <= capLast;) {
            const int64_t last = std::min(capLast, r + most - 1);
            capSums(view, {r, last}, images, to, forCaps);
            wait();
            r = last + 1;
        }
        mark("caps");
        if (belt.first <= belt.last && workspace.bytes > 48 * 1024)
            cuda::check(cudaFuncSetAttribute(direct::beltKernel<Sample>,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(workspace.bytes)),
                        "shared memory for a kernel this wide");
        for (int64_t r = belt.first; r <= belt.last;) {
            const auto groups =
                std::min({static_cast<int64_t>(kBeltWeights / workspace.weights()),
                          static_cast<int64_t>(kBeltCounts / static_cast<size_t>(workspace.rows)),
                          (most + direct::kRings - 1) / direct::kRings});
            const int64_t last = std::min(belt.last, r + direct::kRings * groups - 1);
            beltSums(view, workspace, {r, last}, values, to, on);
            wait();
            r = last + 1;
        }
        mark("belt");
        lane.capsDone.record(forCaps);
        lane.capsDone.holdBack(on);
        lane.polesDone.record(forPoles);
        lane.polesDone.holdBack(on);
    }
    // The field's sums and, if requested, those of its mask.
    void both(const Request& request, Lane& lane, JobContext* job, Marks* marks = nullptr) {
        const ProfileView view = viewOf(*request.profile, lane.main);
        const Held& held = fields[request.field];
        std::visit(
            [&](const auto& samples) {
                const auto make = [&](const auto* values, const auto* images, CudaArray& to) {
                    if (request.lastL > 0)
                        ringSums().execute({view, request.profile->radius(), request.lastL}, values,
                                           to, lane.main, job);
                    else
                        sums(*request.profile, view, values, images, to, lane, job, marks);
                };
                make(samples.values.data(), samples.valueImages.data(), *result);
                if (request.normalize && held.bad)
                    make(samples.good.data(), samples.goodImages.data(), *mask);
            },
            held.samples);
    }
    RingSumsCuda& ringSums() {
        if (!byRings) byRings.emplace(device, rings, factors, slow.main);
        return *byRings;
    }

    int device;
    size_t sharedBytes = 0;
    HealpixRings rings;
    cuda::DeviceBuffer<HealpixRing> ring;
    cuda::DeviceBuffer<double> theta, factor;
    cuda::DeviceBuffer<int64_t> eighths;
    cuda::DeviceBuffer<RingSpan> around;  // spans of the current request
    cuda::DeviceBuffer<double> beltWeights;
    cuda::DeviceBuffer<int> beltCounts;
    Lane slow, live;
    cuda::Event done;  // end of the last request: the next one reuses its arrays
    HostCopies copies;
    std::vector<Held> fields;
    std::optional<CudaArray> result, mask;
    std::vector<double> factors;  // factor of each ring's samples
    std::optional<RingSumsCuda> byRings;
    std::vector<Stage> stages;
    size_t nextStage = 0;
};

DirectCuda::DirectCuda(int device, int64_t nside, std::span<const double> ringWeights)
    : state_(std::make_unique<State>(device, nside)) {
    State& s = *state_;
    s.factors = ringFactors(s.rings, ringWeights);
    s.ring = uploaded(device, s.rings.ring, s.slow.main);
    s.theta = uploaded(device, s.rings.theta, s.slow.main);
    s.factor = uploaded(device, s.factors, s.slow.main);
    s.eighths = uploaded(device, eighthOffsets(s.rings), s.slow.main);
    s.result.emplace(device, static_cast<size_t>(pixelCount(nside)));
}

DirectCuda::~DirectCuda() {
    // No work may still use the memory that is freed now.
    if (state_)
        cuda::onDevice(state_->device, "ending direct convolution",
                       [this] { return cudaEventSynchronize(state_->done.get()); });
}

void DirectCuda::add(const ConstMapSamples& samples, const LiveField* pictured, JobContext& job,
                     double mean) {
    State& s = *state_;
    State::Held held;
    held.mean = mean;
    const auto pixels = static_cast<size_t>(pixelCount(s.rings.nside));
    ARMILLA_ASSERT(sizeOf(samples) == pixels);
    const cuda::DeviceScope scope(s.device);
    std::visit(
        [&](const auto& values) {
            using Sample =
                std::remove_const_t<typename std::decay_t<decltype(values)>::element_type>;
            State::Samples<Sample> made;
            made.values = cuda::DeviceBuffer<Sample>(s.device, pixels);
            constexpr Sample kLargest = std::numeric_limits<Sample>::max();
            const auto bring = [&](cuda::DeviceBuffer<Sample>& to, const auto& of) {
                cuda::PinnedBuffer<Sample> piece(s.device, std::min(pixels, kUploadPiece));
                for (size_t at = 0; at < pixels; at += kUploadPiece) {
                    job.poll();
                    const size_t count = std::min(kUploadPiece, pixels - at);
                    for (size_t i = 0; i < count; ++i) piece.data()[i] = of(values[at + i]);
                    cuda::check(
                        cudaMemcpyAsync(to.data() + at, piece.data(), count * sizeof(Sample),
                                        cudaMemcpyHostToDevice, s.slow.main.get()),
                        "copying a map to the device");
                    s.slow.main.synchronize();
                }
            };
            bring(made.values, [&](Sample v) {
                const bool good = std::abs(v) <= kLargest;
                held.bad = held.bad || !good;
                return good ? static_cast<Sample>(static_cast<double>(v) - mean) : Sample(0);
            });
            if (held.bad) {
                made.good = cuda::DeviceBuffer<Sample>(s.device, pixels);
                bring(made.good,
                      [&](Sample v) { return std::abs(v) <= kLargest ? Sample(1) : Sample(0); });
                if (!s.mask) s.mask.emplace(s.device, pixels);
            }
            made.valueImages = s.asEighths(made.values);
            if (held.bad) made.goodImages = s.asEighths(made.good);
            held.single = std::is_same_v<Sample, float>;
            held.samples = std::move(made);
        },
        samples);
    if (pictured != nullptr) held.cells.emplace(s.device, s.rings.nside, pictured->bad);
    s.fields.push_back(std::move(held));
}

size_t DirectCuda::fieldCount() const {
    return state_->fields.size();
}
bool DirectCuda::hasBad(size_t field) const {
    return state_->fields.at(field).bad;
}

void DirectCuda::execute(const Request& request, const MapSamples& result, JobContext& job) {
    State& s = *state_;
    const cuda::DeviceScope scope(s.device);
    const State::Held& held = s.fields.at(request.field);
    s.done.holdBack(s.slow.main);
    s.both(request, s.slow, &job);
    if (held.bad || held.mean != 0.0) {
        const int64_t pixels = pixelCount(s.rings.nside);
        std::visit(
            [&](const auto& samples) {
                finishKernel<<<static_cast<unsigned>((pixels + kThreads - 1) / kThreads), kThreads,
                               0, s.slow.main.get()>>>(
                    s.result->data(), request.normalize && held.bad ? s.mask->data() : nullptr,
                    request.integral, kLeastKernelShare, held.mean * request.integral,
                    held.bad ? samples.good.data() : nullptr, pixels);
                cuda::checkLaunch("finishing a convolution");
            },
            held.samples);
    }
    s.slow.main.synchronize();
    s.copies.download(*s.result, result, job);
    s.done.record(s.slow.main);
}

void DirectCuda::prepare(const Request& request) {
    State& s = *state_;
    const cuda::DeviceScope scope(s.device);
    if (request.lastL > 0)
        s.ringSums().reserve({request.profile->view(), request.profile->radius(), request.lastL});
}

void DirectCuda::enqueue(const Request& request, DevicePicture& picture) {
    State& s = *state_;
    const cuda::DeviceScope scope(s.device);
    const State::Held& held = s.fields.at(request.field);
    ARMILLA_ASSERT(held.cells.has_value());
    s.done.holdBack(s.live.main);
    s.both(request, s.live, nullptr);
    cuda::PictureSource source;
    source.values = s.result->data();
    source.single = held.single;
    source.level = held.mean * request.integral;
    if (request.normalize && held.bad) {
        source.mask = s.mask->data();
        source.maskUnit = request.integral;
        source.leastShare = kLeastKernelShare;
    }
    cuda::fillPicture(source, *held.cells, picture, s.live.main);
    s.done.record(s.live.main);
}

double DirectCuda::measure(const Request& request, int runs) {
    State& s = *state_;
    const cuda::DeviceScope scope(s.device);
    cuda::Event begin(s.device, cuda::Event::Timing::On), end(s.device, cuda::Event::Timing::On);
    std::vector<double> times;
    for (int run = 0; run < runs; ++run) {
        s.done.holdBack(s.slow.main);
        begin.record(s.slow.main);
        s.both(request, s.slow, nullptr);
        end.record(s.slow.main);
        s.done.record(s.slow.main);
        end.synchronize();
        float milliseconds = 0.0F;
        cuda::check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()),
                    "measuring a convolution");
        times.push_back(milliseconds);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

std::vector<std::pair<std::string, double>> DirectCuda::parts(const Request& request, int runs) {
    State& s = *state_;
    const cuda::DeviceScope scope(s.device);
    std::vector<std::pair<std::string, double>> result;
    std::vector<std::vector<double>> times;
    for (int run = 0; run < runs && request.lastL == 0; ++run) {
        State::Marks marks;
        s.done.holdBack(s.slow.main);
        s.both(request, s.slow, nullptr, &marks);
        s.done.record(s.slow.main);
        s.slow.main.synchronize();
        for (size_t i = 1; i < marks.events.size(); ++i) {
            float milliseconds = 0.0F;
            cuda::check(cudaEventElapsedTime(&milliseconds, marks.events[i - 1].get(),
                                             marks.events[i].get()),
                        "measuring a convolution");
            if (run == 0) {
                result.emplace_back(marks.names[i], 0.0);
                times.emplace_back();
            }
            times[i - 1].push_back(milliseconds);
        }
    }
    for (size_t i = 0; i < times.size(); ++i) {
        std::sort(times[i].begin(), times[i].end());
        result[i].second = times[i][times[i].size() / 2];
    }
    return result;
}

int64_t DirectCuda::pictureNside() const {
    return PictureCells::pictureNside(state_->rings.nside);
}

int64_t DirectCuda::deviceBytes() const {
    const State& s = *state_;
    int64_t bytes = 8 * static_cast<int64_t>(s.result->size() + (s.mask ? s.mask->size() : 0)) +
                    (s.byRings ? s.byRings->deviceBytes() : 0);
    for (const auto& held : s.fields)
        std::visit(
            [&](const auto& samples) {
                bytes +=
                    static_cast<int64_t>((samples.values.size() + samples.good.size() +
                                          samples.valueImages.size() + samples.goodImages.size()) *
                                         sizeof(*samples.values.data()));
            },
            held.samples);
    return bytes;
}

}  // namespace armilla

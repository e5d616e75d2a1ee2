// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/device_sht.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/nan.h"
#include "armilla/device/cuda/stream.h"
#include "shared/map_groups.h"
#include "shared/shape_checks.h"
#include "sht/plan/cuda_fields.h"
#include "sht/plan/ring_transform_stream_cuda.h"
#include "sht/plan/sht_backend.h"

namespace armilla {

namespace {

// Maps of spin 0 over one recurrence (CudaTransformShape::mapsAtOnce).
constexpr size_t kMapsAtOnce = 4;
// The transforms read and write pairs of doubles.
constexpr uintptr_t kAlignment = 16;
constexpr unsigned kThreads = 256;

// The relative tolerance of UNSEEN is that of the readers of FITS files.
__device__ bool isBad(double value) {
    constexpr double kTolerance = 1e-5;
    return !isGood(value) || fabs(value - kUnseen) < kTolerance * fabs(kUnseen);
}
template <typename T>
struct Pair;
template <>
struct Pair<double> {
    using Type = double2;
};
template <>
struct Pair<float> {
    using Type = float2;
};
// Pair number i; `aligned`: the address is a multiple of the size of a pair.
template <typename T>
__device__ double2 pairAt(const T* from, size_t i, bool aligned) {
    if (!aligned) return make_double2(from[2 * i], from[2 * i + 1]);
    const auto pair = reinterpret_cast<const typename Pair<T>::Type*>(from)[i];
    return make_double2(pair.x, pair.y);
}
template <typename T>
__global__ void goodSamplesKernel(double2* to, const T* from, size_t pairs, bool aligned) {
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < pairs;
         i += static_cast<size_t>(gridDim.x) * blockDim.x) {
        const double2 pair = pairAt(from, i, aligned);
        to[i] = make_double2(isBad(pair.x) ? 0.0 : pair.x, isBad(pair.y) ? 0.0 : pair.y);
    }
}
template <typename To, typename From>
__global__ void convertKernel(To* to, const From* from, size_t count) {
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<size_t>(gridDim.x) * blockDim.x)
        to[i] = static_cast<To>(from[i]);
}
unsigned blocksFor(size_t count) {
    return static_cast<unsigned>(std::clamp<size_t>((count + kThreads - 1) / kThreads, 1, 8192));
}

bool isUsable(const DeviceValues& values) {
    return !values.isSingle && reinterpret_cast<uintptr_t>(values.data) % kAlignment == 0;
}

ShtParameters checkedParameters(const ShtParameters& given, const Device& device) {
    if (given.nside < 1 || given.nside > kMaxShtNside)
        throw InvalidArgument("expected nside from 1 to " + std::to_string(kMaxShtNside) +
                              " for a harmonic transform, found " + std::to_string(given.nside));
    if (device.kind != DeviceKind::Cuda)
        throw Unsupported("expected a CUDA device for arrays in device memory, found " +
                          device.label());
    ShtParameters p = completedParameters(given);
    if (p.tolerance > 0.0)
        throw Unsupported(
            "expected iterations of the analysis for arrays in device memory, found a tolerance");
    requireCudaDevice(device.index);
    if (!p.tuning) p.tuning = keptTuning({device, p.nside, p.lmax, p.mmax}).tuning;
    return p;
}

}  // namespace

struct DeviceShtPlan::State {
    ShtParameters parameters;
    int device = 0;
    RingGrid grid;
    CudaFields fields;
    cuda::Event reached;
    std::vector<CudaArray> alm, maps;  // one for each component of a group
    CudaTimes times;

    State(const ShtParameters& p, int index)
        : parameters(p),
          device(index),
          grid(RingGrid::healpix(p.nside)),
          fields(parameters, grid, index),
          reached(index) {
        fields.note = [this] {
            times.note(fields.transform(), fields.bytes() + bytesOf({&alm, &maps}));
        };
    }

    size_t samples() const { return static_cast<size_t>(grid.sampleCount()); }
    size_t almValues() const {
        return static_cast<size_t>(2 * Alm::count(parameters.lmax, parameters.mmax));
    }
    const cuda::Stream& stream() { return cuda::streamOf(fields.transform()); }
    // Work of this plan begins after that of the caller's stream.
    void begin(void* callers) {
        const cuda::DeviceScope scope(device);
        cuda::check(cudaEventRecord(reached.get(), static_cast<cudaStream_t>(callers)),
                    "recording an event");
        reached.holdBack(stream());
        times = {};
    }
    void make(std::vector<CudaArray>& arrays, size_t number, size_t values) const {
        while (arrays.size() < number) arrays.emplace_back(device, values);
    }

    // Calls kernel(values of their type) for double or single precision.
    template <typename Use>
    static void withType(const DeviceValues& values, const Use& use) {
        if (values.isSingle)
            use(static_cast<float*>(values.data));
        else
            use(static_cast<double*>(values.data));
    }
    template <typename T>
    static bool isPaired(const T* values) {
        return reinterpret_cast<uintptr_t>(values) % (2 * sizeof(T)) == 0;
    }
    // Maps have 12 nside^2 samples, so all arrays consist of pairs.
    void takeSamples(const DeviceValues& from, double* to) {
        withType(from, [&](const auto* values) {
            goodSamplesKernel<<<blocksFor(from.count / 2), kThreads, 0, stream().get()>>>(
                reinterpret_cast<double2*>(to), values, from.count / 2, isPaired(values));
        });
        cuda::checkLaunch("copying samples");
    }
    // The coefficients themselves, or a copy in `own`.
    double* coefficientsOf(const DeviceValues& from, double* own) {
        if (isUsable(from)) return static_cast<double*>(from.data);
        withType(from, [&](const auto* values) {
            convertKernel<<<blocksFor(from.count), kThreads, 0, stream().get()>>>(own, values,
                                                                                  from.count);
        });
        cuda::checkLaunch("copying coefficients");
        return own;
    }
    void give(const double* from, const DeviceValues& to) {
        withType(to, [&](auto* values) {
            convertKernel<<<blocksFor(to.count), kThreads, 0, stream().get()>>>(values, from,
                                                                                to.count);
        });
        cuda::checkLaunch("copying a result");
    }
    // The addresses that receive results: the caller's where the transforms can use them.
    std::vector<double*> resultsOf(std::span<const DeviceValues> out, std::vector<CudaArray>& own,
                                   size_t values) const {
        std::vector<double*> addresses;
        for (size_t i = 0; i < out.size(); ++i) {
            const bool isDirect = isUsable(out[i]);
            if (!isDirect) make(own, i + 1, values);
            addresses.push_back(isDirect ? static_cast<double*>(out[i].data) : own[i].data());
        }
        return addresses;
    }
    // Copies the results that are not in the caller's arrays, and waits for the copies. The
    // transforms have waited for their own work.
    void finish(std::span<double* const> results, std::span<const DeviceValues> out) {
        bool isCopied = false;
        for (size_t i = 0; i < out.size(); ++i) {
            if (results[i] == out[i].data) continue;
            give(results[i], out[i]);
            isCopied = true;
        }
        if (isCopied) stream().synchronize();
    }

    void synthesize(int spin, std::span<const DeviceValues> from, std::span<const DeviceValues> to,
                    JobContext& job) {
        const cuda::DeviceScope scope(device);
        if (!std::all_of(from.begin(), from.end(), isUsable)) make(alm, from.size(), almValues());
        std::vector<double*> coefficients;
        for (size_t i = 0; i < from.size(); ++i)
            coefficients.push_back(
                coefficientsOf(from[i], i < alm.size() ? alm[i].data() : nullptr));
        const std::vector<double*> results = resultsOf(to, maps, samples());
        fields.synthesize(spin, coefficients, results, job);
        finish(results, to);
    }
    void analyze(int spin, std::span<const DeviceValues> from, std::span<const DeviceValues> to,
                 JobContext& job) {
        const cuda::DeviceScope scope(device);
        make(maps, from.size(), samples());
        for (size_t i = 0; i < from.size(); ++i) takeSamples(from[i], maps[i].data());
        const std::vector<double*> results = resultsOf(to, alm, almValues());
        for (double* const result : results)
            cuda::check(cudaMemsetAsync(result, 0, almValues() * sizeof(double), stream().get()),
                        "clearing coefficients");
        // Products and differences of maps run in streams of the maps.
        if (parameters.iterations > 0 || fields.hasPixelWeights()) stream().synchronize();
        fields.analyze(spin, std::span(maps).first(from.size()), results, job);
        finish(results, to);
    }

    void check(std::span<const DeviceValues> arrays, size_t count, const char* noun) const {
        for (const DeviceValues& one : arrays) {
            if (one.count != count)
                throw InvalidArgument("expected " + std::to_string(count) + " " + noun +
                                      ", found " + std::to_string(one.count));
            const size_t bytes = one.isSingle ? sizeof(float) : sizeof(double);
            if (reinterpret_cast<uintptr_t>(one.data) % bytes != 0)
                throw InvalidArgument("expected an aligned array, found one that is not");
            if (const int found = deviceOfMemory(one.data); found != device)
                throw InvalidArgument("expected arrays in the memory of cuda:" +
                                      std::to_string(device) + ", found one in that of " +
                                      (found < 0 ? "the host" : "cuda:" + std::to_string(found)));
        }
    }
    void check(int spin, std::span<const DeviceValues> ofAlm,
               std::span<const DeviceValues> ofMaps) const {
        if (spin != 0) checkSpin(spin);
        checkNumbers(ofAlm.size(), ofMaps.size());
        if (ofMaps.empty() || ofMaps.size() % componentsOf(spin) != 0)
            throw InvalidArgument("expected " + std::to_string(componentsOf(spin)) +
                                  " components for each field of spin " + std::to_string(spin) +
                                  ", found " + std::to_string(ofMaps.size()));
        check(ofAlm, almValues(), "values of coefficients");
        check(ofMaps, samples(), "pixels");
    }
    size_t atOnce(int spin) const { return spin == 0 ? kMapsAtOnce : 2; }
};

DeviceShtPlan::DeviceShtPlan(const ShtParameters& parameters, const Device& device)
    : state_(std::make_unique<State>(checkedParameters(parameters, device), device.index)) {}
DeviceShtPlan::~DeviceShtPlan() = default;
DeviceShtPlan::DeviceShtPlan(DeviceShtPlan&&) noexcept = default;
DeviceShtPlan& DeviceShtPlan::operator=(DeviceShtPlan&&) noexcept = default;

const ShtParameters& DeviceShtPlan::parameters() const {
    return state_->parameters;
}
int DeviceShtPlan::device() const {
    return state_->device;
}
ShtSteps DeviceShtPlan::steps() const {
    return state_->times.steps;
}

void DeviceShtPlan::synthesis(int spin, std::span<const DeviceValues> alm,
                              std::span<const DeviceValues> maps, void* stream, JobContext& job) {
    state_->check(spin, alm, maps);
    state_->begin(stream);
    forEachGroup(
        maps.size(), state_->atOnce(spin), job, [&](size_t first, size_t count, JobContext& part) {
            state_->synthesize(spin, alm.subspan(first, count), maps.subspan(first, count), part);
        });
}

void DeviceShtPlan::analysis(int spin, std::span<const DeviceValues> maps,
                             std::span<const DeviceValues> alm, void* stream, JobContext& job) {
    state_->check(spin, alm, maps);
    JobContext weights = job.part(0.0, 0.02), rest = job.part(0.02, 1.0);
    HostCopies copies(state_->device);
    state_->fields.prepareWeights(copies, weights);
    state_->begin(stream);
    forEachGroup(
        maps.size(), state_->atOnce(spin), rest, [&](size_t first, size_t count, JobContext& part) {
            state_->analyze(spin, maps.subspan(first, count), alm.subspan(first, count), part);
        });
}

// Parts of the progress are proportional to the flops: 6 for spin 0, 10 to 24 for spin 2.
void DeviceShtPlan::synthesisPolarized(std::span<const DeviceValues, 3> teb,
                                       std::span<const DeviceValues, 3> tqu, void* stream,
                                       JobContext& job) {
    JobContext first = job.part(0.0, 0.3), second = job.part(0.3, 1.0);
    synthesis(0, teb.first(1), tqu.first(1), stream, first);
    const CudaTimes before = state_->times;
    synthesis(2, teb.subspan(1), tqu.subspan(1), stream, second);
    state_->times.steps += before.steps;
}

void DeviceShtPlan::analysisPolarized(std::span<const DeviceValues, 3> tqu,
                                      std::span<const DeviceValues, 3> teb, void* stream,
                                      JobContext& job) {
    JobContext first = job.part(0.0, 0.3), second = job.part(0.3, 1.0);
    analysis(0, tqu.first(1), teb.first(1), stream, first);
    const CudaTimes before = state_->times;
    analysis(2, tqu.subspan(1), teb.subspan(1), stream, second);
    state_->times.steps += before.steps;
}

}  // namespace armilla

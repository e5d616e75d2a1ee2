// SPDX-License-Identifier: GPL-3.0-or-later
// Resolves requests for smoothing and passes them to the class that serves them.
#include "armilla/ops/convolve.h"

#include <new>
#include <string>
#include <utility>

#include "armilla/core/error.h"
#include "convolve/harmonic/harmonic_maps.h"
#include "convolve/harmonic/kept_analyses.h"
#include "convolve/kernel/smooth_request.h"
#include "convolve/live/live_pictures.h"
#include "convolve/method_choice.h"
#include "convolve/pixels/pixel_smoothing.h"
#include "convolve/resolved_smoothing.h"
#include "convolve/smooth_input.h"

namespace armilla {

struct SmoothPlan::State {
    explicit State(SmoothInput of, const std::shared_ptr<KeptTransforms>& shared = nullptr)
        : input(std::move(of)), kept(input, shared) {}

    SmoothInput input;
    KeptAnalyses kept;
    PixelSmoothing pixels{input};
    LivePictures pictures{input, kept, pixels};
    LastResolved resolved;
    SmoothReport report;

    void check(const SmoothParameters& asked) const {
        input.requireMap();
        checkParameters(asked, input.map().nside(), input.fields().size());
    }
    const ResolvedSmoothing& resolve(const SmoothParameters& asked, JobContext& job) {
        return resolved.of(asked, input.map().nside(), input.device(), job);
    }
    // Keeps the report of a result.
    HealpixMap reported(SmoothedMap made) {
        report = made.report;
        return std::move(made.map);
    }
    // A function that may run out of memory.
    template <class Function>
    auto withinMemory(const Function& function) {
        try {
            return function();
        } catch (const std::bad_alloc&) {
            throw OutOfMemory("not enough memory to smooth a map of nside " +
                              std::to_string(input.map().nside()));
        }
    }
};

SmoothPlan::SmoothPlan(std::shared_ptr<const HealpixMap> map, std::vector<int> fields,
                       const Device& device)
    : state_(std::make_unique<State>(SmoothInput(std::move(map), std::move(fields), device))) {}

SmoothPlan::SmoothPlan(HealpixMap map, std::vector<int> fields, const Device& device)
    : state_(std::make_unique<State>(SmoothInput(std::move(map), std::move(fields), device))) {}

SmoothPlan::SmoothPlan(std::shared_ptr<const HealpixMap> map, std::vector<int> fields,
                       const Device& device, const std::shared_ptr<KeptTransforms>& transforms)
    : state_(std::make_unique<State>(SmoothInput(std::move(map), std::move(fields), device),
                                     transforms)) {}

SmoothPlan::~SmoothPlan() = default;
SmoothPlan::SmoothPlan(SmoothPlan&&) noexcept = default;
SmoothPlan& SmoothPlan::operator=(SmoothPlan&&) noexcept = default;

const SmoothReport& SmoothPlan::report() const {
    return state_->report;
}

int64_t SmoothPlan::memoryBytes() const {
    return state_->kept.memoryBytes();
}

int64_t SmoothPlan::pictureNside() const {
    return PictureCells::pictureNside(state_->input.map().nside());
}

HealpixMap SmoothPlan::execute(const SmoothParameters& asked, JobContext& job) {
    State& state = *state_;
    return state.withinMemory([&] {
        state.check(asked);
        state.input.flatten(job);
        const ResolvedSmoothing& request = state.resolve(asked, job);
        return state.reported(request.onPixels()
                                  ? state.pixels.execute(request, job)
                                  : smoothHarmonic(state.input, request, state.kept, job));
    });
}

HealpixMap SmoothPlan::executeAround(const SmoothParameters& asked, Vec3 center, double radius,
                                     JobContext& job) {
    State& state = *state_;
    return state.withinMemory([&] {
        state.check(asked);
        SmoothParameters p = asked;
        if (p.method == SmoothMethod::Auto) p.method = SmoothMethod::Direct;
        if (!isOnPixels(p.method) || p.polarization)
            throw Unsupported(
                "expected method direct or ring, without polarization, for a part of the "
                "sky, found " +
                std::string(p.polarization ? "polarization" : nameOf(p.method)));
        state.input.flatten(job);
        return state.reported(state.pixels.around(state.resolve(p, job), center, radius, job));
    });
}

std::optional<double> SmoothPlan::secondsAround(const SmoothParameters& p, double radius,
                                                JobContext& job) const {
    const int64_t nside = state_->input.map().nside();
    const Kernel kernel = kernelOf(p);
    if (p.method == SmoothMethod::Harmonic || p.method == SmoothMethod::Ring || p.polarization ||
        p.iterations > 0 || p.weights == Weights::Pixel || p.lmax >= 0 || !kernel.hasProfile() ||
        reachesBeyond(kernel, SampleLattice::healpix(nside), job))
        return {};
    return directSecondsAround(radiusOf(p, job), radius, nside, job.threads());
}

HealpixMap SmoothPlan::preview(const SmoothParameters& parameters, int64_t nside, JobContext& job) {
    State& state = *state_;
    return state.withinMemory([&] {
        state.check(parameters);
        state.input.flatten(job);
        return state.reported(smoothPreview(state.input, parameters, nside, state.kept, job));
    });
}

void SmoothPlan::prepare(const SmoothParameters& parameters, JobContext& job) {
    State& state = *state_;
    if (!state.input.onCuda())
        throw Unsupported("expected a CUDA device for a live picture, found the CPU");
    state.withinMemory([&] {
        state.check(parameters);
        state.input.flatten(job);
        state.pictures.prepare(state.resolve(parameters, job), job);
    });
}

bool SmoothPlan::isPrepared(const SmoothParameters& parameters) const {
    JobContext job({}, {}, 1);
    return state_->pictures.isPrepared(state_->resolve(parameters, job));
}

void SmoothPlan::enqueue(const SmoothParameters& parameters, size_t field, DevicePicture& picture) {
    State& state = *state_;
    state.check(parameters);
    state.input.requireField(field);
    JobContext job({}, {}, 1);
    const ResolvedSmoothing& request = state.resolve(parameters, job);
    state.pictures.enqueue(request, field, picture);
    state.report = request.report();
}

bool SmoothPlan::enqueueSum(const SmoothParameters& parameters, size_t field,
                            DevicePicture& picture) {
    State& state = *state_;
    state.check(parameters);
    state.input.requireField(field);
    std::vector<double> weights = state.pictures.sumWeights(parameters, field);
    if (weights.empty()) return false;
    JobContext job({}, {}, 1);
    const ResolvedSmoothing& request = state.resolve(parameters, job);
    state.pictures.enqueueSum(request, field, std::move(weights), picture);
    state.report = request.report();
    return true;
}

bool SmoothPlan::growSeries(const SmoothParameters& parameters, size_t field, JobContext& job) try {
    state_->check(parameters);
    state_->input.requireField(field);
    state_->input.flatten(job);
    return state_->pictures.growSeries(parameters, field, job);
} catch (const OutOfMemory&) {
    return false;  // then each width needs a synthesis
} catch (const std::bad_alloc&) {
    return false;
}

std::vector<std::pair<std::string, double>> SmoothPlan::liveParts(
    const SmoothParameters& parameters, size_t field, int runs) {
    JobContext job({}, {}, 1);
    return state_->pictures.parts(state_->resolve(parameters, job), field, runs);
}

}  // namespace armilla

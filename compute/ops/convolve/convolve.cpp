// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the arguments of smoothing, chooses the method and keeps what a next call can use again.
#include "ops/convolve.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <span>

#include "convolve/direct_cuda.h"
#include "convolve/harmonic_request.h"
#include "convolve/method_choice.h"
#include "convolve/smooth_around.h"
#include "convolve/smooth_direct.h"
#include "convolve/smooth_fields.h"
#include "convolve/smooth_harmonic.h"
#include "convolve/smooth_live.h"
#include "convolve/smooth_polarized.h"
#include "convolve/smooth_request.h"
#include "core/error.h"
#include "core/memory_limit.h"
#include "core/new_vector.h"
#include "ops/quadrature_weights.h"
#include "ops/resample.h"
#include "shared/new_alm.h"

namespace armilla {

namespace {

// Throws OutOfMemory unless an analysis of `fields` maps at `key` fits: values, and coefficients.
// Masks are counted once it is known that there are bad pixels.
void requireAnalysisMemory(const AnalysisKey& key, size_t fields) {
    requireMemory("smoothing at nside " + std::to_string(key.nside),
                  static_cast<int64_t>(fields) *
                      (8 * armilla::pixelCount(key.nside) + almBytes(key.lmax, key.lmax)));
}

[[noreturn]] void refuseMemory(const HealpixMap& map) {
    throw OutOfMemory("not enough memory to smooth a map of nside " + std::to_string(map.nside()));
}

}  // namespace

struct SmoothPlan::State {
    Device device;
    std::shared_ptr<const HealpixMap> map;
    std::vector<int> fields;
    std::optional<Analysis> full;
    struct Coarse {
        Analysis analysis;
        std::vector<std::vector<float>> good;  // share of good pixels of each field
    };
    std::map<int64_t, Coarse> coarse;     // by nside of the preview; together a third of `full`
    std::optional<ShtPlan> synthesis;     // the last one
    std::unique_ptr<LiveSmoothing> live;  // of `full`
    std::unique_ptr<DirectCuda> directCuda;
    Weights directWeights = Weights::None;
    bool directPictured = false;
    SmoothReport report;

    // Multi-order maps become maps of one order at the first use.
    void flatten(JobContext& job) {
        if (map->coverage() == Coverage::MultiOrder)
            map = std::make_shared<const HealpixMap>(flattened(*map, 0, job));
    }

    // True if an analysis at hand serves these parameters up to `lmax`. With iterations the band
    // limit takes part in the result, so it must be the same; on a CUDA device, where the whole
    // band takes milliseconds, too, so that a picture and a file have the same bits.
    bool serves(const Analysis& have, const AnalysisKey& want, Masked masked) const {
        const AnalysisKey& key = have.key;
        const bool wider = want.iterations == 0 && device.kind == DeviceKind::Cpu;
        const bool band = wider ? key.lmax >= want.lmax : key.lmax == want.lmax;
        return key.nside == want.nside && band && key.iterations == want.iterations &&
               key.weights == want.weights && key.polarization == want.polarization &&
               (have.masksMade || masked == Masked::Ignore);
    }

    int analysisBand(int reach, int lmax) const {
        return device.kind == DeviceKind::Cpu ? reach : lmax;
    }

    // `key` has the band that is needed, `lmax` is the whole one.
    const Analysis& fullAnalysis(AnalysisKey key, int lmax, Masked masked, JobContext& job) {
        if (full && serves(*full, key, masked)) return *full;
        // A kernel narrower than the last: likely not the last one to come.
        if (full && key.iterations == 0) key.lmax = lmax;
        live.reset();
        full.reset();
        synthesis.reset();
        requireAnalysisMemory(key, fields.size());
        JobContext reading = job.part(0.0, 0.05), working = job.part(0.05, 1.0);
        SkyFields sky;
        for (const int field : fields) addField(sky, ringValues(*map, field, reading), reading);
        full = analyze(std::move(sky), key, masked == Masked::Normalize, device, working);
        return *full;
    }

    const Coarse& coarseAnalysis(const AnalysisKey& key, Masked masked, JobContext& job) {
        const auto have = coarse.find(key.nside);
        if (have != coarse.end() && serves(have->second.analysis, key, masked)) return have->second;
        coarse.erase(key.nside);
        requireAnalysisMemory(key, fields.size());
        JobContext reading = job.part(0.0, 0.5), working = job.part(0.5, 1.0);
        SkyFields sky;
        std::vector<std::vector<float>> good;
        for (const int field : fields) {
            const CoarseSums sums = coarseSums(*map, field, key.nside, reading);
            addCoarseField(sky, sums, reading);
            good.emplace_back(sums.good);
            for (float& share : good.back()) share /= static_cast<float>(sums.each);
        }
        Analysis made = analyze(std::move(sky), key, masked == Masked::Normalize, device, working);
        return coarse.insert({key.nside, {std::move(made), std::move(good)}}).first->second;
    }

    // With l up to `lmax` or a little beyond: in steps of the band, so that one plan serves
    // neighboring widths, the same whatever was asked before.
    const ShtPlan& synthesisPlan(int64_t nside, int lmax, JobContext& job) {
        lmax = tableBand(nside, lmax, device.kind);
        if (!synthesis || synthesis->parameters().nside != nside ||
            synthesis->parameters().lmax != lmax) {
            synthesis.reset();  // the old one makes room first
            synthesis.emplace(ShtParameters{.nside = nside, .lmax = lmax}, device, job);
        }
        return *synthesis;
    }

    // What a live request takes of the plan.
    struct Band {
        Beam beam;
        int lmax = 0, reach = 0, tables = 0;
        std::optional<Applied> applied;
    };
    Band bandFor(const SmoothParameters& p, JobContext& job) const {
        Band band;
        band.lmax = p.lmax < 0 ? static_cast<int>(3 * map->nside() - 1) : p.lmax;
        band.applied = appliedKernel(p, p.truncate);
        band.beam = beamOf(*band.applied, band.lmax, job);
        band.reach = p.iterations > 0 ? band.lmax : std::min(band.lmax, reachOf(band.beam));
        band.tables = tableBand(map->nside(), band.reach, device.kind);
        return band;
    }
    AnalysisKey liveKey(const SmoothParameters& p, const Band& band) const {
        return {map->nside(), band.lmax, p.iterations, p.weights, p.polarization};
    }
    bool isPrepared(const SmoothParameters& p, const Band& band) const {
        return full && serves(*full, liveKey(p, band), p.masked) && live->isPrepared(band.tables);
    }

    // The fields on the device, with the weights asked for; once with what pictures take, for good.
    DirectCuda& directFields(Weights weights, bool pictured, JobContext& job) {
        if (!directCuda || directWeights != weights || (pictured && !directPictured)) {
            directCuda.reset();
            std::vector<double> ring;
            if (weights == Weights::Ring) ring = ringWeights(map->nside(), job);
            auto made = std::make_unique<DirectCuda>(device.index, map->nside(), ring);
            for (const int field : fields) {
                std::optional<LiveField> shown;
                if (pictured) shown = liveField(*map, field, job);
                const bool inRings =
                    map->coverage() == Coverage::Full && map->ordering() == Ordering::Ring;
                const auto add = [&](const ConstMapSamples& samples) {
                    made->add(samples, shown ? &*shown : nullptr, job);
                };
                if (inRings)
                    std::visit([&](const auto& values) { add(std::span(values)); },
                               map->field(field).values);
                else if (const std::vector<double> values = ringValues(*map, field, job);
                         map->field(field).isSingle())
                    add(std::span<const float>(std::vector<float>(values.begin(), values.end())));
                else
                    add(std::span<const double>(values));
            }
            directCuda = std::move(made);
            directWeights = weights;
            directPictured = pictured;
        }
        return *directCuda;
    }
    // Where the B_l end of a kernel that is applied by rings; 0: it is not.
    static int lastLOf(const SmoothParameters& p) {
        return p.method == SmoothMethod::Ring ? std::max(1, *kernelOf(p).lastL()) : 0;
    }
    std::vector<Field> directOnDevice(const SmoothParameters& p, const Kernel& kernel,
                                      JobContext& job) {
        JobContext bringing = job.part(0.0, 0.4), summing = job.part(0.4, 1.0);
        DirectCuda& on = directFields(p.weights, directPictured, bringing);
        const ProfileTable profile(kernel, kernel.support());
        std::vector<Field> result;
        std::vector<double> ring = newVector<double>(map->pixelCount(), job);
        for (size_t i = 0; i < fields.size(); ++i) {
            const bool normalize = p.masked == Masked::Normalize;
            if (normalize && on.hasBad(i) && kernel.compensated()) refuseZeroIntegral();
            on.execute({&profile, kernel.integral(), normalize, i, lastLOf(p)},
                       std::span<double>(ring), summing);
            result.push_back(fieldFromRing(*map, map->field(fields[i]), ring, summing));
        }
        return result;
    }

    // Auto resolved: what only harmonics do goes there.
    SmoothParameters withMethod(const SmoothParameters& p, JobContext& job) const {
        SmoothParameters result = p;
        if (p.method != SmoothMethod::Auto) return result;
        result.method = SmoothMethod::Harmonic;
        const bool wholeBand = p.lmax < 0 || p.lmax == 3 * map->nside() - 1;
        if (!wholeBand || p.iterations > 0 || p.polarization || p.weights == Weights::Pixel ||
            p.truncate > 0.0 || map->nside() < kLeastNsideOfChoice)
            return result;
        // A band-limited kernel takes as long to look at as to apply, and on a device, where each
        // frame asks again, so does a table.
        const Kernel kernel = kernelOf(p);
        const bool quick = kernel.gaussianWidth().has_value() ||
                           (device.kind == DeviceKind::Cpu && kernel.support() < kPi);
        if (!quick) return result;
        result.method =
            chosenMethod(kernel, radiusOf(p, job), map->nside(), device, job.threads(), job);
        return result;
    }
    void checkOnPixels(const SmoothParameters& p) const {
        if (p.polarization) checkPolarized(p);
        if (p.iterations > 0)
            throw InvalidArgument("expected no iterations for method " +
                                  std::string(nameOf(p.method)) + ", found " +
                                  std::to_string(p.iterations));
        if (p.weights == Weights::Pixel)
            throw Unsupported("method " + std::string(nameOf(p.method)) +
                              ": expected weights ring or none, found pixel");
        if (p.method == SmoothMethod::Ring) {
            const Kernel kernel = kernelOf(p);
            const double edge = p.truncate > 0.0 ? edgeAt(kernel, p.truncate) : 0.0;
            if (!kernel.lastL() || edge > kLargestEdge)
                throw Unsupported(
                    "method ring: expected a kernel without edges or corners; method direct takes "
                    "any");
        }
    }
    // Polarization is summed over pixels on the CPU, with one smooth beam of E and B.
    void checkPolarized(const SmoothParameters& p) const {
        const std::string way = "method " + std::string(nameOf(p.method));
        if (device.kind != DeviceKind::Cpu)
            throw Unsupported(way +
                              ": expected the CPU for polarization, found a CUDA device; method "
                              "harmonic serves both");
        const Kernel kernel = kernelOf(p);
        if (!kernel.lastL())
            throw Unsupported(way +
                              ": expected a kernel without edges or corners for polarization; "
                              "method harmonic takes any");
        JobContext job({}, {}, 1);
        const Beam beam = kernel.coefficients(*kernel.lastL(), job);
        if (!beam.bl[2].empty() && beam.bl[1] != beam.bl[2])
            throw Unsupported(way +
                              ": expected one beam for E and B, found two; method harmonic takes "
                              "them");
    }
    std::vector<Field> polarizedOnPixels(const SmoothParameters& p, const Applied& applied,
                                         JobContext& job) const {
        const Kernel whole = kernelOf(p).normalized(applied.norm);
        const Beam beam = whole.coefficients(*whole.lastL(), job);
        std::optional<int> lastL;
        if (p.method == SmoothMethod::Ring) lastL = lastLOf(p);
        return smoothPolarized(*map, fields,
                               {applied.kernel, beam.bl[beam.bl[1].empty() ? 0 : 1],
                                whole.gaussianWidth(), whole.scale(), lastL},
                               p.weights, p.masked == Masked::Normalize, job);
    }
    // The kernel cut at the radius that is asked for or chosen.
    static Applied directKernel(const SmoothParameters& p, JobContext& job) {
        const double radius = radiusOf(p, job);
        if (!(radius > 0.0))
            throw InvalidArgument("expected a kernel of some width for method " +
                                  std::string(nameOf(p.method)) + ", found none");
        return appliedKernel(p, radius);
    }
    void enqueueDirect(const SmoothParameters& p, size_t field, DevicePicture& picture,
                       JobContext& job) {
        checkOnPixels(p);
        const Applied applied = directKernel(p, job);
        const bool normalize = p.masked == Masked::Normalize;
        if (normalize && directCuda->hasBad(field) && applied.kernel.compensated())
            refuseZeroIntegral();
        const ProfileTable profile(applied.kernel, applied.kernel.support());
        directCuda->enqueue({&profile, applied.kernel.integral(), normalize, field, lastLOf(p)},
                            picture);
        report = {p.method, 0, applied.radius, applied.norm, 0.0};
    }

    HealpixMap onPixels(const SmoothParameters& p, JobContext& job) {
        checkOnPixels(p);
        const Applied applied = directKernel(p, job);
        std::vector<Field> made =
            p.polarization                    ? polarizedOnPixels(p, applied, job)
            : device.kind == DeviceKind::Cuda ? directOnDevice(p, applied.kernel, job)
            : p.method == SmoothMethod::Ring
                ? smoothByRings(*map, fields, applied.kernel, *kernelOf(p).lastL(), p.weights,
                                p.masked, job)
                : smoothDirect(*map, fields, applied.kernel, p.weights, p.masked, job);
        const Kernel kernel = kernelOf(p);
        report = {p.method,
                  0,
                  applied.radius,
                  applied.norm,
                  errorOnPixels(kernel, applied.radius, map->nside(), p.weights, job),
                  narrowForPixels(kernel, map->nside(), job)};
        HealpixMap result = mapLike(*map, std::move(made));
        job.report(1.0, "smoothing");
        return result;
    }
};

HarmonicRequest harmonicRequest(const SmoothParameters& asked, int64_t nside, size_t fields,
                                JobContext& job) {
    return SmoothPlan::harmonicRequest(asked, nside, fields, job);
}

// By a plan for a map of one pixel: nothing but its nside counts.
HarmonicRequest SmoothPlan::harmonicRequest(const SmoothParameters& asked, int64_t nside,
                                            size_t fields, JobContext& job) {
    State state;
    state.device = Device::cpu();
    state.map = std::make_shared<const HealpixMap>(
        HealpixMap::partial(nside, Ordering::Ring, Frame::Unknown, {0},
                            {{"", "", DiskType::Float32, std::vector<float>(1)}}));
    checkParameters(asked, *state.map, fields);
    HarmonicRequest request;
    request.parameters = state.withMethod(asked, job);
    if (isOnPixels(request.parameters.method)) return request;
    State::Band band = state.bandFor(request.parameters, job);
    request.lmax = band.lmax;
    request.reach = band.reach;
    request.tables = band.tables;
    request.compensated = band.applied->kernel.compensated();
    request.report = {SmoothMethod::Harmonic, band.lmax, band.applied->radius, band.applied->norm,
                      0.0};
    request.beam = std::move(band.beam);
    return request;
}

SmoothPlan::SmoothPlan(std::shared_ptr<const HealpixMap> map, std::vector<int> fields,
                       const Device& device)
    : state_(std::make_unique<State>()) {
    if (!map) throw InvalidArgument("expected a map to smooth, found none");
    if (fields.empty()) throw InvalidArgument("expected a field to smooth, found none");
    for (const int field : fields)
        if (field < 0 || field >= map->fieldCount())
            throw InvalidArgument("expected fields from 0 to " +
                                  std::to_string(map->fieldCount() - 1) + ", found " +
                                  std::to_string(field));
    state_->device = device;
    state_->map = std::move(map);
    state_->fields = std::move(fields);
}

SmoothPlan::~SmoothPlan() = default;
SmoothPlan::SmoothPlan(SmoothPlan&&) noexcept = default;
SmoothPlan& SmoothPlan::operator=(SmoothPlan&&) noexcept = default;

const SmoothReport& SmoothPlan::report() const {
    return state_->report;
}

int64_t SmoothPlan::memoryBytes() const {
    int64_t bytes = 0;
    const auto add = [&bytes](const Analysis& analysis) {
        const auto kept = static_cast<int64_t>(analysis.alm.size() + analysis.mask.size());
        bytes += kept * almBytes(analysis.key.lmax, analysis.key.lmax);
    };
    if (state_->full) add(*state_->full);
    for (const auto& [nside, coarse] : state_->coarse) {
        add(coarse.analysis);
        for (const auto& good : coarse.good)
            bytes += static_cast<int64_t>(good.size() * sizeof(float));
    }
    return bytes;
}

HealpixMap SmoothPlan::execute(const SmoothParameters& asked, JobContext& job) try {
    State& state = *state_;
    checkParameters(asked, *state.map, state.fields.size());
    state.flatten(job);
    const SmoothParameters parameters = state.withMethod(asked, job);
    const HealpixMap& map = *state.map;
    if (isOnPixels(parameters.method)) return state.onPixels(parameters, job);
    const int lmax = parameters.lmax < 0 ? static_cast<int>(3 * map.nside() - 1) : parameters.lmax;
    const Applied applied = appliedKernel(parameters, parameters.truncate);
    const Beam beam = beamOf(applied, lmax, job);
    // Iterations act on the whole band; without them what the kernel removes need not be computed.
    const int reach = parameters.iterations > 0 ? lmax : std::min(lmax, reachOf(beam));
    const bool polarized = parameters.polarization;
    JobContext analysisShare = job.part(0.0, 0.6);
    JobContext planning = job.part(0.6, 0.62), synthesisShare = job.part(0.62, 0.95);
    JobContext writing = job.part(0.95, 1.0);
    const Analysis& analysis =
        state.fullAnalysis({map.nside(), state.analysisBand(reach, lmax), parameters.iterations,
                            parameters.weights, polarized},
                           lmax, parameters.masked, analysisShare);
    if (!analysis.mask.empty() && parameters.masked == Masked::Normalize &&
        applied.kernel.compensated())
        refuseZeroIntegral();
    const std::vector<std::vector<double>> values =
        smoothed(analysis, beam, reach, parameters.masked,
                 state.synthesisPlan(map.nside(), reach, planning), synthesisShare);
    JobContext silent(job.stopToken(), {}, job.threads());
    state.report = {SmoothMethod::Harmonic, lmax, applied.radius, applied.norm,
                    harmonicError(analysis, beam, silent)};
    std::vector<Field> fields;
    for (size_t i = 0; i < values.size(); ++i)
        fields.push_back(fieldFromRing(map, map.field(state.fields[i]), values[i], writing));
    HealpixMap result = mapLike(map, std::move(fields));
    writing.report(1.0, "smoothing");
    return result;
} catch (const std::bad_alloc&) {
    refuseMemory(*state_->map);
}

HealpixMap SmoothPlan::executeAround(const SmoothParameters& asked, Vec3 center, double radius,
                                     JobContext& job) try {
    State& state = *state_;
    checkParameters(asked, *state.map, state.fields.size());
    SmoothParameters p = asked;
    if (p.method == SmoothMethod::Auto) p.method = SmoothMethod::Direct;
    if (!isOnPixels(p.method) || p.polarization)
        throw Unsupported(
            "expected method direct or ring, without polarization, for a part of the "
            "sky, found " +
            std::string(p.polarization ? "polarization" : nameOf(p.method)));
    state.checkOnPixels(p);
    state.flatten(job);
    const Applied applied = State::directKernel(p, job);
    std::optional<int> lastL;
    if (p.method == SmoothMethod::Ring) lastL = State::lastLOf(p);
    HealpixMap result = smoothAround(*state.map, state.fields, {center, radius},
                                     {&applied.kernel, lastL, p.weights, p.masked}, job);
    state.report = {p.method, 0, applied.radius, applied.norm, 0.0};
    return result;
} catch (const std::bad_alloc&) {
    refuseMemory(*state_->map);
}

std::optional<double> SmoothPlan::secondsAround(const SmoothParameters& p, double radius,
                                                JobContext& job) const {
    const int64_t nside = state_->map->nside();
    const Kernel kernel = kernelOf(p);
    if (p.method == SmoothMethod::Harmonic || p.method == SmoothMethod::Ring || p.polarization ||
        p.iterations > 0 || p.weights == Weights::Pixel || p.lmax >= 0 || !kernel.hasProfile() ||
        (p.method == SmoothMethod::Auto && narrowForPixels(kernel, nside, job)))
        return {};
    return directSecondsAround(radiusOf(p, job), radius, nside, job.threads());
}

bool SmoothPlan::isPrepared(const SmoothParameters& parameters) const {
    const State& state = *state_;
    JobContext job({}, {}, 1);
    if (isOnPixels(state.withMethod(parameters, job).method))
        return state.directCuda && state.directPictured &&
               state.directWeights == parameters.weights;
    return state.live && state.isPrepared(parameters, state.bandFor(parameters, job));
}

void SmoothPlan::prepare(const SmoothParameters& parameters, JobContext& job) try {
    State& state = *state_;
    if (state.device.kind != DeviceKind::Cuda)
        throw Unsupported("expected a CUDA device for a live picture, found the CPU");
    checkParameters(parameters, *state.map, state.fields.size());
    state.flatten(job);
    if (const SmoothParameters p = state.withMethod(parameters, job); isOnPixels(p.method)) {
        state.checkOnPixels(p);
        DirectCuda& fields = state.directFields(p.weights, true, job);
        const Applied applied = state.directKernel(p, job);
        const ProfileTable profile(applied.kernel, applied.kernel.support());
        fields.prepare({&profile, applied.kernel.integral(), false, 0, state.lastLOf(p)});
        return;
    }
    const State::Band band = state.bandFor(parameters, job);
    JobContext analyzing = job.part(0.0, 0.6), copying = job.part(0.6, 0.9);
    const Analysis& analysis = state.fullAnalysis(state.liveKey(parameters, band), band.lmax,
                                                  parameters.masked, analyzing);
    if (!state.live) {
        std::vector<LiveField> fields;
        for (const int field : state.fields)
            fields.push_back(liveField(*state.map, field, copying));
        state.live = std::make_unique<LiveSmoothing>(analysis, fields, state.device, copying);
    }
    state.live->prepare(band.tables, job);
} catch (const std::bad_alloc&) {
    refuseMemory(*state_->map);
}

std::vector<std::pair<std::string, double>> SmoothPlan::liveParts(
    const SmoothParameters& parameters, size_t field, int runs) {
    State& state = *state_;
    JobContext job({}, {}, 1);
    const SmoothParameters p = state.withMethod(parameters, job);
    if (p.method != SmoothMethod::Direct) return {};
    if (!isPrepared(parameters) || field >= state.fields.size())
        throw InvalidArgument("expected a live request that is prepared, found one that is not");
    const Applied applied = State::directKernel(p, job);
    const ProfileTable profile(applied.kernel, applied.kernel.support());
    return state.directCuda->parts({&profile, applied.kernel.integral(), false, field, 0}, runs);
}

int64_t SmoothPlan::pictureNside() const {
    return PictureCells::pictureNside(state_->map->nside());
}

void SmoothPlan::enqueue(const SmoothParameters& parameters, size_t field, DevicePicture& picture) {
    State& state = *state_;
    checkParameters(parameters, *state.map, state.fields.size());
    if (field >= state.fields.size())
        throw InvalidArgument("expected a field from 0 to " +
                              std::to_string(state.fields.size() - 1) + ", found " +
                              std::to_string(field));
    JobContext job({}, {}, 1);
    if (const SmoothParameters p = state.withMethod(parameters, job); isOnPixels(p.method)) {
        if (!isPrepared(parameters))
            throw InvalidArgument(
                "expected a live request that is prepared, found one that is not");
        return state.enqueueDirect(p, field, picture, job);
    }
    const State::Band band = state.bandFor(parameters, job);
    if (!state.live || !state.isPrepared(parameters, band))
        throw InvalidArgument("expected a live request that is prepared, found one that is not");
    if (parameters.masked == Masked::Normalize && state.full->maskOfField[field] >= 0)
        if (band.applied->kernel.compensated()) refuseZeroIntegral();
    state.live->enqueue({&band.beam, band.reach, band.tables, parameters.masked, field}, picture);
    state.report = {SmoothMethod::Harmonic, band.lmax, band.applied->radius, band.applied->norm,
                    0.0};
}

HealpixMap SmoothPlan::preview(const SmoothParameters& parameters, int64_t nside,
                               JobContext& job) try {
    State& state = *state_;
    checkParameters(parameters, *state.map, state.fields.size());
    state.flatten(job);
    const HealpixMap& map = *state.map;
    if (nside < 1 || nside > map.nside())
        throw InvalidArgument("expected nside from 1 to " + std::to_string(map.nside()) +
                              " for a preview, found " + std::to_string(nside));
    // On the grid of the preview if the pixels fall together, else on the map's own.
    const bool divides = map.nside() % nside == 0;
    const int64_t grid = divides ? nside : map.nside();
    const int limit = parameters.lmax < 0 ? static_cast<int>(3 * map.nside() - 1) : parameters.lmax;
    const int lmax = std::min(limit, static_cast<int>(2 * nside));
    const Applied applied = appliedKernel(parameters, parameters.truncate);
    const Beam beam = beamOf(applied, lmax, job);
    // Ring weights in place of pixel weights, which take long to compute.
    const Weights weights =
        parameters.weights == Weights::Pixel ? Weights::Ring : parameters.weights;
    const AnalysisKey key{grid, lmax, 0, weights, parameters.polarization};
    JobContext first = job.part(0.0, 0.7), planning = job.part(0.7, 0.72);
    JobContext second = job.part(0.72, 1.0);
    const State::Coarse* coarse =
        divides ? &state.coarseAnalysis(key, parameters.masked, first) : nullptr;
    const Analysis& analysis =
        coarse ? coarse->analysis : state.fullAnalysis(key, lmax, parameters.masked, first);
    const int reach = std::min(lmax, reachOf(beam));
    if (!analysis.mask.empty() && parameters.masked == Masked::Normalize &&
        applied.kernel.compensated())
        refuseZeroIntegral();
    std::vector<std::vector<double>> values =
        smoothed(analysis, beam, reach, parameters.masked,
                 state.synthesisPlan(nside, reach, planning), second);
    std::vector<Field> fields;
    for (size_t i = 0; i < values.size(); ++i) {
        if (coarse)
            for (size_t p = 0; p < values[i].size(); ++p)
                if (coarse->good[i][p] <= 0.5F)
                    values[i][p] = std::numeric_limits<double>::quiet_NaN();
        fields.push_back(previewField(map.field(state.fields[i]), std::move(values[i])));
    }
    state.report = {SmoothMethod::Harmonic, lmax, applied.radius, applied.norm, 0.0};
    HealpixMap result(nside, Ordering::Ring, map.frame(), std::move(fields));
    result.metadata() = map.metadata();
    return result;
} catch (const std::bad_alloc&) {
    refuseMemory(*state_->map);
}

}  // namespace armilla

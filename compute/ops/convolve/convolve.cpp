// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the arguments of smoothing, chooses the method and keeps data that a later call can reuse.
#include "armilla/ops/convolve.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <span>

#include "armilla/core/error.h"
#include "armilla/core/gaussian.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/quadrature_weights.h"
#include "armilla/ops/resample.h"
#include "convolve/harmonic/smooth_harmonic.h"
#include "convolve/kernel/smooth_request.h"
#include "convolve/live/gaussian_series.h"
#include "convolve/live/smooth_live.h"
#include "convolve/method_choice.h"
#include "convolve/pixels/device_fields.h"
#include "convolve/pixels/direct_cuda.h"
#include "convolve/pixels/smooth_around.h"
#include "convolve/pixels/smooth_direct.h"
#include "convolve/pixels/smooth_polarized.h"
#include "convolve/resolved_smoothing.h"
#include "convolve/smooth_fields.h"
#include "shared/new_alm.h"

namespace armilla {

namespace {

// Throws OutOfMemory unless an analysis of `fields` maps at `key` fits: values and coefficients.
// Masks are counted later, if there are bad pixels.
void requireAnalysisMemory(const AnalysisKey& key, size_t fields) {
    requireMemory("smoothing at nside " + std::to_string(key.nside),
                  static_cast<int64_t>(fields) *
                      (8 * armilla::pixelCount(key.nside) + almBytes(key.lmax, key.lmax)));
}

// For any order of the pixels.
std::optional<double> meanOf(const Field& field, JobContext& job) {
    return std::visit([&](const auto& values) { return meanOfWhole(std::span(values), job); },
                      field.values);
}

[[noreturn]] void refuseUnprepared() {
    throw InvalidArgument(
        "expected a prepared live request, found one that is not; call prepare() first");
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
        std::vector<std::vector<float>> good;  // fraction of good pixels, for each field
    };
    std::map<int64_t, Coarse> coarse;     // by nside of the preview; together a third of `full`
    std::optional<ShtPlan> synthesis;     // the plan of the last synthesis
    std::unique_ptr<LiveSmoothing> live;  // device data of `full`
    std::unique_ptr<DirectCuda> directCuda;
    Weights directWeights = Weights::None;
    bool directPictured = false;
    std::vector<std::optional<double>> means;  // for each field, none where a pixel is bad
    LastResolved resolved;
    SmoothReport report;

    // Flattens a multi-order map to one order at the first use.
    void flatten(JobContext& job) {
        if (map->coverage() == Coverage::MultiOrder)
            map = std::make_shared<const HealpixMap>(flattened(*map, 0, job));
    }

    // Whether an existing analysis can be used for these parameters up to `lmax`. With iterations
    // the band limit affects the result, so it must be equal. On a CUDA device, where the full band
    // takes milliseconds, it must also be equal, so that a picture and a file have the same bits.
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

    // `key` has the required band, `lmax` is the full band.
    const Analysis& fullAnalysis(AnalysisKey key, int lmax, Masked masked, JobContext& job) {
        if (full && serves(*full, key, masked)) return *full;
        // This kernel is narrower than the last one, so even narrower ones are likely: takes the
        // full band.
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

    // A plan with l up to `lmax` or slightly more. The band is quantized, so that one plan serves
    // neighboring widths and does not depend on earlier requests.
    const ShtPlan& synthesisPlan(int64_t nside, int lmax, JobContext& job) {
        lmax = tableBand(nside, lmax, device.kind);
        if (!synthesis || synthesis->parameters().nside != nside ||
            synthesis->parameters().lmax != lmax) {
            synthesis.reset();  // frees the old plan first
            synthesis.emplace(ShtParameters{.nside = nside, .lmax = lmax}, device, job);
        }
        return *synthesis;
    }

    const ResolvedSmoothing& resolve(const SmoothParameters& asked, JobContext& job) {
        return resolved.of(asked, map->nside(), device, job);
    }
    AnalysisKey liveKey(const ResolvedSmoothing& request) const {
        const SmoothParameters& p = request.parameters;
        return {map->nside(), request.lmax, p.iterations, p.weights, p.polarization};
    }
    bool isPrepared(const ResolvedSmoothing& request) const {
        const SmoothParameters& p = request.parameters;
        if (request.onPixels())
            return !p.polarization && directCuda && directPictured && directWeights == p.weights;
        return live && full && serves(*full, liveKey(request), p.masked) &&
               live->isPrepared(request.tables);
    }

    // Whether sums of stored maps serve the request: a plain Gaussian with the full band.
    bool mayBeSum(const SmoothParameters& p) const {
        const bool isGaussian = !p.beam && !p.kernel && !p.shape && p.fwhm > 0.0;
        const bool isWhole = p.lmax < 0 || p.lmax == wholeBand();
        return device.kind == DeviceKind::Cuda && isGaussian && isWhole && p.truncate == 0.0 &&
               !p.polarization && p.iterations == 0;
    }
    int wholeBand() const { return static_cast<int>(3 * map->nside() - 1); }
    AnalysisKey wholeKey(const SmoothParameters& p) const {
        return {map->nside(), wholeBand(), 0, p.weights, false};
    }
    // Also required: the field is not divided by its smoothed mask.
    bool isSummed(const SmoothParameters& p, size_t field) const {
        return p.masked == Masked::Ignore || full->maskOfField[field] < 0;
    }
    LiveSmoothing& liveOf(const Analysis& analysis, JobContext& job) {
        if (!live) {
            std::vector<LiveField> shown;
            for (const int field : fields) shown.push_back(liveField(*map, field, job));
            live = std::make_unique<LiveSmoothing>(analysis, shown, device, job);
        }
        return *live;
    }
    const std::vector<std::optional<double>>& meansOfFields(JobContext& job) {
        if (means.empty())
            for (const int field : fields)
                means.push_back(map->coverage() == Coverage::Full ? meanOf(map->field(field), job)
                                                                  : std::nullopt);
        return means;
    }
    void requireField(size_t field) const {
        if (field >= fields.size())
            throw InvalidArgument("expected a field from 0 to " +
                                  std::to_string(fields.size() - 1) + ", found " +
                                  std::to_string(field));
    }

    // The fields on the device, with the requested weights. Once loaded with the data for pictures,
    // they keep these data.
    DirectCuda& directFields(Weights weights, bool pictured, JobContext& job) {
        if (!directCuda || directWeights != weights || (pictured && !directPictured)) {
            directCuda.reset();
            std::vector<double> ring;
            if (weights == Weights::Ring) ring = ringWeights(map->nside(), job);
            auto made = std::make_unique<DirectCuda>(device.index, map->nside(), ring);
            for (const int field : fields) {
                std::optional<LiveField> shown;
                if (pictured) shown = liveField(*map, field, job);
                addField(*made, *map, field, shown ? &*shown : nullptr, job);
            }
            directCuda = std::move(made);
            directWeights = weights;
            directPictured = pictured;
        }
        return *directCuda;
    }
    // The request for the sums of a field on the device.
    DirectCuda::Request sumsOf(const ResolvedSmoothing& request, size_t field) const {
        const bool normalize = request.parameters.masked == Masked::Normalize;
        if (normalize && directCuda->hasBad(field) && request.compensated()) refuseZeroIntegral();
        return {&*request.profile, request.integral, normalize, field, request.lastL};
    }
    std::vector<Field> directOnDevice(const ResolvedSmoothing& request, JobContext& job) {
        JobContext bringing = job.part(0.0, 0.4), summing = job.part(0.4, 1.0);
        DirectCuda& on = directFields(request.parameters.weights, directPictured, bringing);
        std::vector<Field> result;
        for (size_t i = 0; i < fields.size(); ++i)
            result.push_back(smoothOnDevice(on, sumsOf(request, i), *map, fields[i], summing));
        return result;
    }
    std::vector<Field> polarizedOnPixels(const ResolvedSmoothing& request, JobContext& job) {
        directCuda.reset();  // frees the memory of earlier pictures
        const SmoothParameters& p = request.parameters;
        const Kernel whole = kernelOf(p).normalized(request.applied.norm);
        const Beam beam = whole.coefficients(*whole.lastL(), job);
        std::optional<int> lastL;
        if (request.lastL > 0) lastL = request.lastL;
        return smoothPolarized(*map, fields,
                               {request.applied.kernel, beam.bl[beam.bl[1].empty() ? 0 : 1],
                                whole.gaussianWidth(), whole.scale(), lastL},
                               p.weights, p.masked == Masked::Normalize, device, job);
    }
    HealpixMap onPixels(const ResolvedSmoothing& request, JobContext& job) {
        const SmoothParameters& p = request.parameters;
        const Kernel& cut = request.applied.kernel;
        std::vector<Field> made =
            p.polarization                    ? polarizedOnPixels(request, job)
            : device.kind == DeviceKind::Cuda ? directOnDevice(request, job)
            : p.method == SmoothMethod::Ring
                ? smoothByRings(*map, fields, cut, request.lastL, p.weights, p.masked, job)
                : smoothDirect(*map, fields, cut, p.weights, p.masked, job);
        const Kernel kernel = kernelOf(p).normalized(request.applied.norm);
        report = request.report();
        report.estimatedError =
            errorOnPixels(kernel, request.applied.radius, *map, fields, p.weights, job);
        HealpixMap result = mapLike(*map, std::move(made));
        job.report(1.0, "smoothing");
        return result;
    }
};

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
    checkParameters(asked, state.map->nside(), state.fields.size());
    state.flatten(job);
    const ResolvedSmoothing& request = state.resolve(asked, job);
    const SmoothParameters& parameters = request.parameters;
    const HealpixMap& map = *state.map;
    if (request.onPixels()) return state.onPixels(request, job);
    const int lmax = request.lmax, reach = request.reach;
    JobContext analysisShare = job.part(0.0, 0.6);
    JobContext planning = job.part(0.6, 0.62), synthesisShare = job.part(0.62, 0.95);
    JobContext writing = job.part(0.95, 1.0);
    const int band = state.analysisBand(reach, lmax);
    const Analysis& analysis = state.fullAnalysis(
        {map.nside(), band, parameters.iterations, parameters.weights, parameters.polarization},
        lmax, parameters.masked, analysisShare);
    if (!analysis.mask.empty() && parameters.masked == Masked::Normalize && request.compensated())
        refuseZeroIntegral();
    const std::vector<std::vector<double>> values =
        smoothed(analysis, request.beam, reach, parameters.masked,
                 state.synthesisPlan(map.nside(), reach, planning), synthesisShare);
    JobContext silent(job.stopToken(), {}, job.threads());
    state.report = request.report();
    state.report.estimatedError = harmonicError(analysis, request.beam, band, lmax, silent);
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
    checkParameters(asked, state.map->nside(), state.fields.size());
    SmoothParameters p = asked;
    if (p.method == SmoothMethod::Auto) p.method = SmoothMethod::Direct;
    if (!isOnPixels(p.method) || p.polarization)
        throw Unsupported(
            "expected method direct or ring, without polarization, for a part of the "
            "sky, found " +
            std::string(p.polarization ? "polarization" : nameOf(p.method)));
    state.flatten(job);
    const ResolvedSmoothing& request = state.resolve(p, job);
    std::optional<int> lastL;
    if (request.lastL > 0) lastL = request.lastL;
    HealpixMap result = smoothAround(
        *state.map, state.fields, {center, radius},
        {&request.applied.kernel, lastL, p.weights, p.masked, state.meansOfFields(job)}, job);
    state.report = request.report();
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
        reachesBeyond(kernel, SampleLattice::healpix(nside), job))
        return {};
    return directSecondsAround(radiusOf(p, job), radius, nside, job.threads());
}

bool SmoothPlan::isPrepared(const SmoothParameters& parameters) const {
    JobContext job({}, {}, 1);
    return state_->isPrepared(state_->resolve(parameters, job));
}

void SmoothPlan::prepare(const SmoothParameters& parameters, JobContext& job) try {
    State& state = *state_;
    if (state.device.kind != DeviceKind::Cuda)
        throw Unsupported("expected a CUDA device for a live picture, found the CPU");
    checkParameters(parameters, state.map->nside(), state.fields.size());
    state.flatten(job);
    const ResolvedSmoothing& request = state.resolve(parameters, job);
    if (request.onPixels()) {
        // These methods smooth Q and U together, but a picture has one field.
        if (parameters.polarization)
            throw Unsupported("method " + std::string(nameOf(request.parameters.method)) +
                              ": expected no polarization for a live picture, found it; use "
                              "--method harmonic");
        state.directFields(request.parameters.weights, true, job)
            .prepare({&*request.profile, request.integral, false, 0, request.lastL});
        return;
    }
    JobContext analyzing = job.part(0.0, 0.6), copying = job.part(0.6, 0.9);
    const Analysis& analysis =
        state.fullAnalysis(state.liveKey(request), request.lmax, parameters.masked, analyzing);
    state.liveOf(analysis, copying).prepare(request.tables, job);
} catch (const std::bad_alloc&) {
    refuseMemory(*state_->map);
}

bool SmoothPlan::growSeries(const SmoothParameters& parameters, size_t field, JobContext& job) try {
    State& state = *state_;
    checkParameters(parameters, state.map->nside(), state.fields.size());
    state.requireField(field);
    state.flatten(job);
    if (!state.mayBeSum(parameters)) return false;
    const Analysis& analysis =
        state.fullAnalysis(state.wholeKey(parameters), state.wholeBand(), parameters.masked, job);
    if (!state.isSummed(parameters, field)) return false;
    const int band = tableBand(state.map->nside(), state.wholeBand(), state.device.kind);
    return state.liveOf(analysis, job).growSeries(field, band, job);
} catch (const OutOfMemory&) {
    return false;  // then each width needs a synthesis
} catch (const std::bad_alloc&) {
    return false;
}

bool SmoothPlan::enqueueSum(const SmoothParameters& parameters, size_t field,
                            DevicePicture& picture) {
    State& state = *state_;
    checkParameters(parameters, state.map->nside(), state.fields.size());
    state.requireField(field);
    if (!state.mayBeSum(parameters) || !state.live || !state.full ||
        !state.serves(*state.full, state.wholeKey(parameters), parameters.masked) ||
        !state.isSummed(parameters, field))
        return false;
    std::vector<double> weights = gaussianSeries(parameters.fwhm / kFwhmOfSigma, state.wholeBand(),
                                                 state.live->seriesTerms(field));
    if (weights.empty()) return false;
    JobContext job({}, {}, 1);
    const ResolvedSmoothing& request = state.resolve(parameters, job);
    const double integral = request.onPixels() ? request.integral : request.beam.bl[0][0];
    for (double& weight : weights) weight *= integral;
    state.live->enqueueSum(field, weights, picture);
    state.report = request.report();
    return true;
}

std::vector<std::pair<std::string, double>> SmoothPlan::liveParts(
    const SmoothParameters& parameters, size_t field, int runs) {
    State& state = *state_;
    JobContext job({}, {}, 1);
    const ResolvedSmoothing& request = state.resolve(parameters, job);
    if (request.parameters.method != SmoothMethod::Direct) return {};
    if (!state.isPrepared(request) || field >= state.fields.size()) refuseUnprepared();
    return state.directCuda->parts({&*request.profile, request.integral, false, field, 0}, runs);
}

int64_t SmoothPlan::pictureNside() const {
    return PictureCells::pictureNside(state_->map->nside());
}

void SmoothPlan::enqueue(const SmoothParameters& parameters, size_t field, DevicePicture& picture) {
    State& state = *state_;
    checkParameters(parameters, state.map->nside(), state.fields.size());
    state.requireField(field);
    JobContext job({}, {}, 1);
    const ResolvedSmoothing& request = state.resolve(parameters, job);
    if (!state.isPrepared(request)) refuseUnprepared();
    if (request.onPixels()) {
        state.directCuda->enqueue(state.sumsOf(request, field), picture);
    } else {
        if (parameters.masked == Masked::Normalize && state.full->maskOfField[field] >= 0 &&
            request.compensated())
            refuseZeroIntegral();
        state.live->enqueue(
            {&request.beam, request.reach, request.tables, parameters.masked, field}, picture);
    }
    state.report = request.report();
}

HealpixMap SmoothPlan::preview(const SmoothParameters& parameters, int64_t nside,
                               JobContext& job) try {
    State& state = *state_;
    checkParameters(parameters, state.map->nside(), state.fields.size());
    state.flatten(job);
    const HealpixMap& map = *state.map;
    if (nside < 1 || nside > map.nside())
        throw InvalidArgument("expected nside from 1 to " + std::to_string(map.nside()) +
                              " for a preview, found " + std::to_string(nside));
    // On the preview's grid if its pixels are unions of the map's pixels, else on the map's own
    // grid.
    const bool divides = map.nside() % nside == 0;
    const int64_t grid = divides ? nside : map.nside();
    const int limit = parameters.lmax < 0 ? static_cast<int>(3 * map.nside() - 1) : parameters.lmax;
    const int lmax = std::min(limit, static_cast<int>(2 * nside));
    const Applied applied = appliedKernel(parameters, parameters.truncate);
    const Beam beam = beamOf(applied, lmax, job);
    // Ring weights instead of pixel weights, which take long to compute.
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

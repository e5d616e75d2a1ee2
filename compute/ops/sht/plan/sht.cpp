// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the arguments of the transforms and chooses the backend; the numerics are in the backends.
#include "armilla/ops/sht.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/number_text.h"
#include "shared/map_groups.h"
#include "shared/new_alm.h"
#include "shared/shape_checks.h"
#include "sht/plan/sht_backend.h"
#include "sht/weights/analysis_weights.h"
#include "sht/weights/least_squares.h"

namespace armilla {

namespace {

void checkNside(int64_t nside) {
    if (nside < 1 || nside > kMaxShtNside)
        throw InvalidArgument("expected nside from 1 to " + std::to_string(kMaxShtNside) +
                              " for a harmonic transform, found " + std::to_string(nside));
}

void checkGrid(const RingGrid& grid, const ShtParameters& p) {
    if (p.nside != 0 || p.weights != Weights::None)
        throw InvalidArgument(
            "expected no nside and no HEALPix weights for a grid of rings, found some");
    int64_t next = 0;
    double above = 2.0;
    for (const Ring& ring : grid.rings) {
        if (ring.count < 1 || ring.first != next || !(ring.z < above) || !(ring.z >= -1.0))
            throw InvalidArgument("expected rings from north to south without gaps, found ring " +
                                  std::to_string(&ring - grid.rings.data()) + " out of order");
        const double circle = ring.z * ring.z + ring.sinTheta * ring.sinTheta;
        if (!(std::abs(circle - 1.0) <= 1e-12) || !(ring.sinTheta >= 0.0) ||
            !std::isfinite(ring.weight) || !std::isfinite(ring.phi0))
            throw InvalidArgument(
                "expected rings of finite weight and phi0, with z and sinTheta of one "
                "colatitude, found other values in ring " +
                std::to_string(&ring - grid.rings.data()));
        next += ring.count;
        above = ring.z;
    }
    if (next == 0) throw InvalidArgument("expected a grid with rings, found none");
}

std::string nameOf(const ShtParameters& p) {
    return p.nside > 0 ? "nside " + std::to_string(p.nside) : std::string("a grid of rings");
}

template <typename Samples>
void checkMaps(const ShtBackend& backend, std::span<const Samples> maps) {
    const auto expected = static_cast<size_t>(backend.grid().sampleCount());
    for (const Samples& map : maps) {
        if (sizeOf(map) != expected)
            throw InvalidArgument("expected a map of " + std::to_string(expected) + " pixels (" +
                                  nameOf(backend.parameters()) + "), found " +
                                  std::to_string(sizeOf(map)));
        if (map.index() != maps[0].index())
            throw InvalidArgument("expected maps of one precision, found single and double");
    }
}

void checkAlm(const ShtParameters& p, std::span<const Alm> alms) {
    for (const Alm& alm : alms) checkAlm(alm, p.lmax, p.mmax);
}

// Throws OutOfMemory unless an analysis of `maps` maps fits: new coefficients, and the backend's
// additional memory. The threads' memory is small compared with it.
void requireAnalysisMemory(const ShtBackend& backend, size_t maps, size_t atOnce, size_t newAlms) {
    const ShtParameters& p = backend.parameters();
    const bool solves = p.tolerance > 0.0;
    // A least-squares solution takes five vectors, and the current model map.
    const size_t coefficients = newAlms + (solves ? 5 * atOnce : 0);
    const int64_t models =
        solves ? static_cast<int64_t>(8 * atOnce) * backend.grid().sampleCount() : 0;
    requireMemory("harmonic analysis of " + nameOf(p) + ", lmax " + std::to_string(p.lmax),
                  static_cast<int64_t>(coefficients) * almBytes(p.lmax, p.mmax) + models +
                      backend.analysisBytes(solves ? atOnce : maps));
}

// Reports memory that runs out inside `body` as an OutOfMemory of the program.
template <typename Body>
auto guarded(const ShtParameters& p, Body&& body) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("not enough memory for a harmonic transform of " + nameOf(p) + ", lmax " +
                          std::to_string(p.lmax));
    }
}

// The stored tuning, if none is given.
KeptTuning tuningFor(const ShtParameters& given, const Device& device) {
    if (given.tuning || given.nside == 0) return {given.tuning, {}};
    return keptTuning({device, given.nside, given.lmax, given.mmax});
}

// `given`: the parameters without the tuning of each device.
std::unique_ptr<ShtBackend> makeBackend(const ShtParameters& given, const RingGrid& grid,
                                        const Device& device, std::string& tuningProblem,
                                        JobContext& job) {
    const auto tuned = [&](const Device& one) {
        const KeptTuning kept = tuningFor(given, one);
        if (!kept.problem.empty())
            tuningProblem += (tuningProblem.empty() ? "" : "; ") + kept.problem;
        ShtParameters p = given;
        p.tuning = kept.tuning;
        return p;
    };
    const ShtParameters p = tuned(device);
    const RingFfts ffts = p.tuning.value_or(ShtTuning{}).ringFfts;
    const bool cpu = device.kind == DeviceKind::Cpu;
    if (ffts == (cpu ? RingFfts::OnCuda : RingFfts::OnCpu))
        return makeMixedBackend(p, grid, device, job);
    if (cpu) return makeCpuBackend(p, grid, job);
    std::vector<CudaPart> parts{{device.index, device.flops, p}};
    for (const int index : device.others) {
        const Device other = Device::fromText("cuda:" + std::to_string(index), kShtSupport);
        parts.push_back({index, other.flops, tuned(other)});
    }
    // Some drivers do not report the speed.
    const bool known = std::all_of(parts.begin(), parts.end(),
                                   [](const CudaPart& part) { return part.speed > 0.0; });
    for (CudaPart& part : parts)
        if (!known) part.speed = 1.0;
    return makeCudaBackend(parts, grid);
}

}  // namespace

ShtParameters completedParameters(ShtParameters p) {
    if (p.lmax == -1 && p.nside > 0) p.lmax = static_cast<int>(3 * p.nside - 1);
    checkLmax(p.lmax);
    if (p.mmax == -1) p.mmax = p.lmax;
    if (p.mmax < 0 || p.mmax > p.lmax)
        throw InvalidArgument("expected mmax from 0 to lmax = " + std::to_string(p.lmax) +
                              ", found " + std::to_string(p.mmax));
    if (p.iterations < 0 || p.iterations > kMaxShtIterations)
        throw InvalidArgument("expected from 0 to " + std::to_string(kMaxShtIterations) +
                              " iterations, found " + std::to_string(p.iterations));
    if (p.deviceBytes < 0)
        throw InvalidArgument("expected device memory of 0 or more bytes, found " +
                              std::to_string(p.deviceBytes));
    if (p.tolerance != 0.0 && !(p.tolerance >= kMinShtTolerance && p.tolerance < 1.0))
        throw InvalidArgument("expected a tolerance from " + numberText(kMinShtTolerance) +
                              " to below 1, or 0 for none, found " + numberText(p.tolerance));
    if (p.tolerance > 0.0 && p.iterations > 0)
        throw InvalidArgument("expected iterations or a tolerance, found both");
    return p;
}

ShtPlan::ShtPlan(const ShtParameters& parameters, const Device& device) {
    JobContext job;
    *this = ShtPlan(parameters, device, job);
}

ShtPlan::ShtPlan(const ShtParameters& parameters, const Device& device, JobContext& job) {
    checkNside(parameters.nside);
    const ShtParameters p = completedParameters(parameters);
    backend_ = guarded(
        p, [&] { return makeBackend(p, RingGrid::healpix(p.nside), device, tuningProblem_, job); });
}

ShtPlan::ShtPlan(const RingGrid& grid, const ShtParameters& parameters, const Device& device,
                 JobContext& job) {
    checkGrid(grid, parameters);
    const ShtParameters p = completedParameters(parameters);
    backend_ = guarded(p, [&] { return makeBackend(p, grid, device, tuningProblem_, job); });
}

ShtPlan::~ShtPlan() = default;
ShtPlan::ShtPlan(ShtPlan&&) noexcept = default;
ShtPlan& ShtPlan::operator=(ShtPlan&&) noexcept = default;

const ShtParameters& ShtPlan::parameters() const {
    return backend_->parameters();
}
std::string_view ShtPlan::backendName() const {
    return backend_->name();
}
bool ShtPlan::clearsBadSamples() const {
    return backend_->clearsBadSamples();
}
std::string ShtPlan::remark() const {
    const std::string backend = backend_->remark();
    return tuningProblem_ + (tuningProblem_.empty() || backend.empty() ? "" : "; ") + backend;
}
ShtSteps ShtPlan::steps() const {
    ShtSteps all = backend_->stepsBefore;
    return all += backend_->steps();
}
ShtConvergence ShtPlan::convergence() const {
    return backend_->convergence;
}

void ShtPlan::synthesis(const Alm& alm, MapSamples map, JobContext& job) const {
    synthesis({&alm, 1}, {&map, 1}, job);
}

void ShtPlan::synthesis(std::span<const Alm> alm, std::span<const MapSamples> maps,
                        JobContext& job) const {
    if (maps.empty()) throw InvalidArgument("expected maps to synthesize, found none");
    checkNumbers(alm.size(), maps.size());
    checkAlm(parameters(), alm);
    checkMaps(*backend_, maps);
    backend_->startCall();
    guarded(parameters(), [&] { backend_->synthesis(0, alm, maps, job); });
}

namespace {

// Analyzes one or more maps, or pairs of components.
void analyze(ShtBackend& backend, int spin, std::span<const ConstMapSamples> maps,
             std::span<Alm> alm, JobContext& job) {
    const double tolerance = backend.parameters().tolerance;
    if (tolerance == 0.0) {
        backend.analysis(spin, maps, alm, job);
        return;
    }
    forEachGroup(maps.size(), componentsOf(spin), job,
                 [&](size_t first, size_t count, JobContext& part) {
                     std::vector<Alm> found =
                         leastSquares(backend, spin, maps.subspan(first, count), tolerance, part);
                     std::move(found.begin(), found.end(), alm.subspan(first).begin());
                 });
}

std::vector<Alm> newAlms(const ShtParameters& p, size_t count, const JobContext& job) {
    // Concurrent: one thread takes as long to fill new memory as a CUDA device takes for a
    // transform.
    std::vector<Alm> alm(count);
    JobContext quiet(job.stopToken(), {}, job.threads());
    parallelFor(quiet, static_cast<long long>(count), 1, [&](long long i, long long) {
        alm[static_cast<size_t>(i)] = newAlm(p.lmax, p.mmax, quiet);
    });
    return alm;
}

// Coefficients whose memory a separate thread brings in while other work runs. The backend waits
// for them before it writes; for other backends this class waits at once.
class ResultsBeside {
public:
    ResultsBeside(ShtBackend& backend, std::vector<Alm>& alm, size_t count, JobContext& job)
        : backend_(backend) {
        alm.resize(count);
        // Least squares start with the coefficients.
        if (!backend.waitsForResults() || backend.parameters().tolerance > 0.0) {
            alm = newAlms(backend.parameters(), count, job);
            return;
        }
        thread_ =
            std::jthread([this, &alm, count, stop = job.stopToken(), threads = job.threads()] {
                try {
                    const JobContext own(stop, {}, threads);
                    // Moved element by element, because spans of `alm` exist.
                    std::vector<Alm> made = newAlms(backend_.parameters(), count, own);
                    std::move(made.begin(), made.end(), alm.begin());
                } catch (...) {
                    failure_ = std::current_exception();
                }
            });
        backend.results = [this] { wait(); };
    }
    ~ResultsBeside() { backend_.results = nullptr; }
    ResultsBeside(const ResultsBeside&) = delete;
    ResultsBeside& operator=(const ResultsBeside&) = delete;

private:
    void wait() {
        if (thread_.joinable()) thread_.join();
        if (failure_) std::rethrow_exception(failure_);
    }
    ShtBackend& backend_;
    std::exception_ptr failure_;
    std::jthread thread_;  // declared last: joined before the other members are destroyed
};

// The samples of a map less a constant, which the backend subtracts where it can; else a copy.
class LevelledMap {
public:
    LevelledMap(const ShtBackend& backend, ConstMapSamples map, double level, JobContext& job)
        : samples_(map) {
        if (level == 0.0) return;
        if (backend.subtractsLevel())
            left_ = level;
        else
            std::visit([&](const auto& from) { samples_ = copyLess(level, from, job); }, map);
    }
    LevelledMap(const LevelledMap&) = delete;
    LevelledMap& operator=(const LevelledMap&) = delete;
    const ConstMapSamples& samples() const { return samples_; }
    void analyze(ShtBackend& backend, Alm& alm, JobContext& job) const {
        if (left_ != 0.0)
            backend.analysisLess(left_, samples_, alm, job);
        else
            armilla::analyze(backend, 0, {&samples_, 1}, {&alm, 1}, job);
    }

private:
    template <typename Sample>
    std::span<const Sample> copyLess(double level, std::span<const Sample> from, JobContext& job) {
        JobContext silent(job.stopToken(), {}, job.threads());
        std::vector<Sample> to = newVector<Sample>(static_cast<int64_t>(from.size()), silent);
        parallelFor(silent, static_cast<long long>(to.size()), kPixelGrain,
                    [&](long long begin, long long end) {
                        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                            to[i] = static_cast<Sample>(static_cast<double>(from[i]) - level);
                    });
        return own_.emplace<std::vector<Sample>>(std::move(to));
    }

    double left_ = 0.0;  // for the backend to subtract
    std::variant<std::vector<float>, std::vector<double>> own_;
    ConstMapSamples samples_;
};

// T, and E with B: two fields, transformed together if the backend gains by that.
void analyzePolarized(ShtBackend& backend, const LevelledMap& t,
                      std::span<const ConstMapSamples, 2> qu, std::span<Alm, 3> teb,
                      JobContext& job) {
    const FieldToAnalyze fields[] = {{2, qu, teb.subspan(1)}, {0, {&t.samples(), 1}, teb.first(1)}};
    if (backend.parameters().tolerance == 0.0 && backend.analyzeFields(fields, job)) return;
    JobContext first = job.part(0.0, 0.3), second = job.part(0.3, 1.0);
    t.analyze(backend, teb[0], first);
    backend.stepsBefore = backend.steps();
    analyze(backend, 2, qu, teb.subspan(1), second);
}

}  // namespace

Alm ShtPlan::analysis(ConstMapSamples map, JobContext& job, double level) const {
    checkMaps<ConstMapSamples>(*backend_, {&map, 1});
    requireAnalysisMemory(*backend_, 1, 1, 1);
    backend_->startCall();
    return guarded(parameters(), [&] {
        const LevelledMap levelled(*backend_, map, level, job);
        std::vector<Alm> alm;
        const ResultsBeside results(*backend_, alm, 1, job);
        levelled.analyze(*backend_, alm[0], job);
        return std::move(alm[0]);
    });
}

std::vector<Alm> ShtPlan::analysis(std::span<const ConstMapSamples> maps, JobContext& job) const {
    checkMaps(*backend_, maps);
    requireAnalysisMemory(*backend_, maps.size(), 1, maps.size());
    if (maps.empty()) throw InvalidArgument("expected maps to analyze, found none");
    backend_->startCall();
    return guarded(parameters(), [&] {
        std::vector<Alm> alm;
        const ResultsBeside results(*backend_, alm, maps.size(), job);
        analyze(*backend_, 0, maps, alm, job);
        return alm;
    });
}

void ShtPlan::analysis(std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                       JobContext& job) const {
    if (maps.empty()) throw InvalidArgument("expected maps to analyze, found none");
    checkNumbers(alm.size(), maps.size());
    checkMaps(*backend_, maps);
    checkAlm(parameters(), alm);
    requireAnalysisMemory(*backend_, maps.size(), 1, 0);
    backend_->startCall();
    guarded(parameters(), [&] { analyze(*backend_, 0, maps, alm, job); });
}

void ShtPlan::synthesisPolarized(std::span<const Alm, 3> teb, MapSamples t, MapSamples q,
                                 MapSamples u, JobContext& job) const {
    const MapSamples maps[] = {t, q, u};
    checkAlm(parameters(), teb);
    checkMaps<MapSamples>(*backend_, maps);
    backend_->startCall();
    // Parts of the progress bar are proportional to the flops: 6 for spin 0, 10 to 24 for spin 2.
    guarded(parameters(), [&] {
        const std::span<const MapSamples, 3> all(maps);
        const FieldToSynthesize fields[] = {{0, teb.first(1), all.first(1)},
                                            {2, teb.subspan(1), all.subspan(1)}};
        if (backend_->synthesizeFields(fields, job)) return;
        JobContext first = job.part(0.0, 0.3), second = job.part(0.3, 1.0);
        backend_->synthesis(0, teb.first(1), all.first(1), first);
        backend_->stepsBefore = backend_->steps();
        backend_->synthesis(2, teb.subspan(1), all.subspan(1), second);
    });
}

std::vector<Alm> ShtPlan::analysisPolarized(ConstMapSamples t, ConstMapSamples q, ConstMapSamples u,
                                            JobContext& job, double level) const {
    const ConstMapSamples maps[] = {t, q, u};
    checkMaps<ConstMapSamples>(*backend_, maps);
    requireAnalysisMemory(*backend_, 3, 2, 3);
    backend_->startCall();
    return guarded(parameters(), [&] {
        const LevelledMap levelled(*backend_, t, level, job);
        std::vector<Alm> teb;
        const ResultsBeside results(*backend_, teb, 3, job);
        analyzePolarized(*backend_, levelled, std::span(maps).subspan<1>(), std::span<Alm, 3>(teb),
                         job);
        return teb;
    });
}

void ShtPlan::analysisPolarized(ConstMapSamples t, ConstMapSamples q, ConstMapSamples u,
                                std::span<Alm, 3> teb, JobContext& job) const {
    const ConstMapSamples maps[] = {t, q, u};
    checkMaps<ConstMapSamples>(*backend_, maps);
    checkAlm(parameters(), teb);
    requireAnalysisMemory(*backend_, 3, 2, 0);
    backend_->startCall();
    guarded(parameters(), [&] {
        analyzePolarized(*backend_, LevelledMap(*backend_, t, 0.0, job),
                         std::span(maps).subspan<1>(), teb, job);
    });
}

std::optional<std::vector<std::vector<double>>> ShtPlan::weightedSpectra(
    std::span<const ConstMapSamples> maps, std::span<const double> weights, JobContext& job) const {
    if (maps.size() != 1 && maps.size() != 3)
        throw InvalidArgument("expected T, or T, Q and U for spectra, found " +
                              std::to_string(maps.size()) + " maps");
    checkMaps(*backend_, maps);
    if (!weights.empty() && static_cast<int64_t>(weights.size()) != backend_->grid().sampleCount())
        throw InvalidArgument("expected " + std::to_string(backend_->grid().sampleCount()) +
                              " weights, found " + std::to_string(weights.size()));
    if (parameters().tolerance > 0.0) return {};
    backend_->startCall();
    return guarded(parameters(), [&]() -> std::optional<std::vector<std::vector<double>>> {
        std::vector<std::vector<double>> cl;
        if (!backend_->weightedSpectra(maps, weights, cl, job)) return {};
        return cl;
    });
}

void ShtPlan::synthesisSpin(int spin, std::span<const Alm, 2> gradientAndCurl, MapSamples first,
                            MapSamples second, JobContext& job) const {
    const MapSamples maps[] = {first, second};
    checkSpin(spin);
    checkAlm(parameters(), gradientAndCurl);
    checkMaps<MapSamples>(*backend_, maps);
    backend_->startCall();
    guarded(parameters(), [&] { backend_->synthesis(spin, gradientAndCurl, maps, job); });
}

std::vector<Alm> ShtPlan::analysisSpin(int spin, ConstMapSamples first, ConstMapSamples second,
                                       JobContext& job) const {
    const ConstMapSamples maps[] = {first, second};
    checkSpin(spin);
    checkMaps<ConstMapSamples>(*backend_, maps);
    requireAnalysisMemory(*backend_, 2, 2, 2);
    backend_->startCall();
    return guarded(parameters(), [&] {
        std::vector<Alm> alm;
        const ResultsBeside results(*backend_, alm, 2, job);
        analyze(*backend_, spin, maps, alm, job);
        return alm;
    });
}

// Checks the numbers of a batch of fields of spin 0 or more.
void ShtPlan::checkField(int spin, size_t alms, size_t maps) const {
    if (spin != 0) checkSpin(spin);
    checkNumbers(alms, maps);
    if (maps == 0 || maps % componentsOf(spin) != 0)
        throw InvalidArgument("expected " + std::to_string(componentsOf(spin)) +
                              " components for each field of spin " + std::to_string(spin) +
                              ", found " + std::to_string(maps));
}

void ShtPlan::synthesisSpin(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                            JobContext& job) const {
    checkSpin(spin);
    checkField(spin, alm.size(), maps.size());
    checkAlm(parameters(), alm);
    checkMaps(*backend_, maps);
    backend_->startCall();
    guarded(parameters(), [&] { backend_->synthesis(spin, alm, maps, job); });
}

void ShtPlan::analysisSpin(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                           JobContext& job) const {
    checkSpin(spin);
    checkField(spin, alm.size(), maps.size());
    checkMaps(*backend_, maps);
    checkAlm(parameters(), alm);
    requireAnalysisMemory(*backend_, maps.size(), 2, 0);
    backend_->startCall();
    guarded(parameters(), [&] { analyze(*backend_, spin, maps, alm, job); });
}

void ShtPlan::adjointSynthesis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                               JobContext& job) const {
    checkField(spin, alm.size(), maps.size());
    checkMaps(*backend_, maps);
    checkAlm(parameters(), alm);
    requireAnalysisMemory(*backend_, maps.size(), componentsOf(spin), 0);
    backend_->startCall();
    guarded(parameters(), [&] { backend_->adjoint(spin, maps, alm, job); });
}

void ShtPlan::adjointAnalysis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                              JobContext& job) const {
    checkField(spin, alm.size(), maps.size());
    checkAlm(parameters(), alm);
    checkMaps(*backend_, maps);
    backend_->startCall();
    guarded(parameters(), [&] {
        JobContext first = job.part(0.0, 0.9), second = job.part(0.9, 1.0);
        backend_->synthesis(spin, alm, maps, first);
        multiplyByWeights(parameters(), backend_->grid(), maps, second);
    });
}

namespace {

bool hasPoles(const RingGrid& grid) {
    return grid.rings.front().sinTheta == 0.0 || grid.rings.back().sinTheta == 0.0;
}

// The derivatives are a field of spin 1 whose gradient coefficients are sqrt(l (l + 1)) a_lm.
void timesDerivative(Alm& alm, JobContext& job) {
    parallelFor(job, alm.mmax() + 1, orderGrain(alm.lmax()), [&](long long begin, long long end) {
        for (int m = static_cast<int>(begin); m < static_cast<int>(end); ++m)
            for (int l = m; l <= alm.lmax(); ++l) alm(l, m) *= std::sqrt(l * (l + 1.0));
    });
}

}  // namespace

Alm ShtPlan::adjointGradient(ConstMapSamples dTheta, ConstMapSamples dPhi, JobContext& job) const {
    const ConstMapSamples maps[] = {dTheta, dPhi};
    checkMaps<ConstMapSamples>(*backend_, maps);
    requireAnalysisMemory(*backend_, 2, 2, 2);
    backend_->startCall();
    return guarded(parameters(), [&] {
        std::vector<Alm> alm = newAlms(parameters(), 2, job);
        backend_->adjoint(1, maps, alm, job);
        timesDerivative(alm[0], job);
        return std::move(alm[0]);
    });
}

void ShtPlan::synthesisGradient(const Alm& alm, MapSamples map, MapSamples dTheta, MapSamples dPhi,
                                JobContext& job) const {
    const MapSamples maps[] = {map, dTheta, dPhi};
    checkAlm(parameters(), {&alm, 1});
    checkMaps<MapSamples>(*backend_, maps);
    backend_->startCall();
    guarded(parameters(), [&] {
        JobContext first = job.part(0.0, 0.3), second = job.part(0.3, 1.0);
        backend_->synthesis(0, {&alm, 1}, {maps, 1}, first);
        if (!hasPoles(backend_->grid())) {
            backend_->gradient(alm, dTheta, dPhi, second);
            return;
        }
        std::vector<Alm> gradientAndCurl = newAlms(parameters(), 2, job);
        gradientAndCurl[0] = alm;
        timesDerivative(gradientAndCurl[0], second);
        backend_->synthesis(1, gradientAndCurl, {maps + 1, 2}, second);
    });
}

}  // namespace armilla

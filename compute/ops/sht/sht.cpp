// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the arguments of the transforms and chooses the backend; the numerics are in the backends.
#include "ops/sht.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/memory_limit.h"
#include "shared/new_alm.h"
#include "sht/least_squares.h"
#include "sht/sht_backend.h"

namespace armilla {

namespace {

void checkNside(int64_t nside) {
    if (nside < 1 || nside > kMaxShtNside)
        throw InvalidArgument("expected nside from 1 to " + std::to_string(kMaxShtNside) +
                              " for a harmonic transform, found " + std::to_string(nside));
}

void checkGrid(const RingGrid& grid, const ShtParameters& p) {
    if (p.nside != 0 || p.weights != Weights::None)
        throw InvalidArgument("expected no nside and no HEALPix weights with a grid of rings");
    int64_t next = 0;
    double above = 2.0;
    for (const Ring& ring : grid.rings) {
        if (ring.count < 1 || ring.first != next || !(ring.z < above) || !(ring.z >= -1.0))
            throw InvalidArgument("expected rings from north to south without gaps, found ring " +
                                  std::to_string(&ring - grid.rings.data()) + " out of order");
        next += ring.count;
        above = ring.z;
    }
    if (next == 0) throw InvalidArgument("expected a grid with rings, found none");
}

ShtParameters completed(ShtParameters p) {
    if (p.lmax == -1 && p.nside > 0) p.lmax = static_cast<int>(3 * p.nside - 1);
    if (p.lmax < 0 || p.lmax > kMaxShtLmax)
        throw InvalidArgument("expected lmax from 0 to " + std::to_string(kMaxShtLmax) +
                              ", found " + std::to_string(p.lmax));
    if (p.mmax == -1) p.mmax = p.lmax;
    if (p.mmax < 0 || p.mmax > p.lmax)
        throw InvalidArgument("expected mmax from 0 to lmax = " + std::to_string(p.lmax) +
                              ", found " + std::to_string(p.mmax));
    if (p.iterations < 0 || p.iterations > kMaxShtIterations)
        throw InvalidArgument("expected from 0 to " + std::to_string(kMaxShtIterations) +
                              " iterations, found " + std::to_string(p.iterations));
    if (!(p.tolerance >= 0.0 && p.tolerance < 1.0))
        throw InvalidArgument("expected a tolerance of at least 0 and below 1, found " +
                              std::to_string(p.tolerance));
    if (p.tolerance > 0.0 && p.iterations > 0)
        throw InvalidArgument("expected iterations or a tolerance, found both");
    return p;
}

std::string nameOf(const ShtParameters& p) {
    return p.nside > 0 ? "nside " + std::to_string(p.nside) : std::string("a grid of rings");
}

void checkMap(const ShtBackend& backend, size_t size) {
    const auto expected = static_cast<size_t>(backend.grid().sampleCount());
    if (size != expected)
        throw InvalidArgument("expected a map of " + std::to_string(expected) + " pixels (" +
                              nameOf(backend.parameters()) + "), found " + std::to_string(size));
}

void checkSpin(int spin) {
    if (spin < 1 || spin > kMaxSpin)
        throw InvalidArgument("expected a spin from 1 to " + std::to_string(kMaxSpin) + ", found " +
                              std::to_string(spin));
}

void checkAlm(const ShtParameters& p, const Alm& alm) {
    if (alm.lmax() != p.lmax || alm.mmax() != p.mmax)
        throw InvalidArgument("expected alm of lmax " + std::to_string(p.lmax) + ", mmax " +
                              std::to_string(p.mmax) + ", found lmax " +
                              std::to_string(alm.lmax()) + ", mmax " + std::to_string(alm.mmax()));
}

// Throws OutOfMemory unless an analysis of `fields` maps, one or two at a time, fits: coefficients,
// residuals of the iterations, products with pixel weights, what the backend takes and does not
// hold yet. What threads take is small beside that.
void requireAnalysisMemory(const ShtBackend& backend, int fields) {
    const ShtParameters& p = backend.parameters();
    const bool solves = p.tolerance > 0.0;
    const int64_t atOnce = std::min(fields, 2);
    const int64_t maps =
        (solves || p.iterations > 0 ? 1 : 0) + (p.weights == Weights::Pixel ? 1 : 0);
    // The five vectors of a solution.
    const int64_t coefficients = fields + (solves ? 5 * atOnce : 0);
    requireMemory("harmonic analysis of " + nameOf(p) + ", lmax " + std::to_string(p.lmax),
                  coefficients * almBytes(p.lmax, p.mmax) +
                      atOnce * maps * 8 * backend.grid().sampleCount() +
                      backend.analysisBytes(static_cast<int>(atOnce)));
}

// Memory that runs out inside `body` is reported in the program's own terms.
template <typename Body>
auto guarded(const ShtParameters& p, Body&& body) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("not enough memory for a harmonic transform of " + nameOf(p) + ", lmax " +
                          std::to_string(p.lmax));
    }
}

std::unique_ptr<ShtBackend> makeBackend(const ShtParameters& p, const RingGrid& grid,
                                        const Device& device, JobContext& job) {
    return device.kind == DeviceKind::Cuda ? makeCudaBackend(p, grid, device.index)
                                           : makeCpuBackend(p, grid, job);
}

}  // namespace

ShtPlan::ShtPlan(const ShtParameters& parameters, const Device& device) {
    JobContext job;
    *this = ShtPlan(parameters, device, job);
}

ShtPlan::ShtPlan(const ShtParameters& parameters, const Device& device, JobContext& job) {
    checkNside(parameters.nside);
    const ShtParameters p = completed(parameters);
    backend_ = guarded(p, [&] { return makeBackend(p, RingGrid::healpix(p.nside), device, job); });
}

ShtPlan::ShtPlan(const RingGrid& grid, const ShtParameters& parameters, const Device& device,
                 JobContext& job) {
    checkGrid(grid, parameters);
    const ShtParameters p = completed(parameters);
    backend_ = guarded(p, [&] { return makeBackend(p, grid, device, job); });
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
ShtSteps ShtPlan::steps() const {
    return backend_->steps();
}

void ShtPlan::synthesis(const Alm& alm, std::span<double> map, JobContext& job) const {
    checkAlm(parameters(), alm);
    checkMap(*backend_, map.size());
    guarded(parameters(), [&] { backend_->synthesis(alm, map, job); });
}

Alm ShtPlan::analysis(std::span<const double> map, JobContext& job) const {
    const ShtParameters& p = parameters();
    checkMap(*backend_, map.size());
    requireAnalysisMemory(*backend_, 1);
    return guarded(p, [&] {
        if (p.tolerance > 0.0) {
            const std::span<const double> maps[] = {map};
            return std::move(leastSquares(*backend_, 0, maps, p.tolerance, job)[0]);
        }
        Alm alm = newAlm(p.lmax, p.mmax, job);
        backend_->analysis(map, alm, job);
        return alm;
    });
}

void ShtPlan::synthesisPolarized(std::span<const Alm, 3> teb, std::span<double> t,
                                 std::span<double> q, std::span<double> u, JobContext& job) const {
    for (const Alm& alm : teb) checkAlm(parameters(), alm);
    for (const size_t size : {t.size(), q.size(), u.size()}) checkMap(*backend_, size);
    // Shares of the progress bar follow the flops: 6 for spin 0, 24 for spin 2.
    guarded(parameters(), [&] {
        JobContext first = job.part(0.0, 0.2);
        backend_->synthesis(teb[0], t, first);
        JobContext second = job.part(0.2, 1.0);
        backend_->synthesisSpin(2, teb[1], teb[2], q, u, second);
    });
}

std::vector<Alm> ShtPlan::analysisPolarized(std::span<const double> t, std::span<const double> q,
                                            std::span<const double> u, JobContext& job) const {
    const ShtParameters& p = parameters();
    for (const size_t size : {t.size(), q.size(), u.size()}) checkMap(*backend_, size);
    requireAnalysisMemory(*backend_, 3);
    return guarded(p, [&] {
        std::vector<Alm> teb;
        JobContext first = job.part(0.0, 0.2), second = job.part(0.2, 1.0);
        if (p.tolerance > 0.0) {
            const std::span<const double> scalar[] = {t}, vector[] = {q, u};
            teb = leastSquares(*backend_, 0, scalar, p.tolerance, first);
            for (Alm& alm : leastSquares(*backend_, 2, vector, p.tolerance, second))
                teb.push_back(std::move(alm));
            return teb;
        }
        for (int i = 0; i < 3; ++i) teb.push_back(newAlm(p.lmax, p.mmax, job));
        backend_->analysis(t, teb[0], first);
        backend_->analysisSpin(2, q, u, teb[1], teb[2], second);
        return teb;
    });
}

void ShtPlan::synthesisSpin(int spin, const Alm& gradient, const Alm& curl, std::span<double> first,
                            std::span<double> second, JobContext& job) const {
    checkSpin(spin);
    for (const Alm* alm : {&gradient, &curl}) checkAlm(parameters(), *alm);
    for (const size_t size : {first.size(), second.size()}) checkMap(*backend_, size);
    guarded(parameters(),
            [&] { backend_->synthesisSpin(spin, gradient, curl, first, second, job); });
}

std::vector<Alm> ShtPlan::analysisSpin(int spin, std::span<const double> first,
                                       std::span<const double> second, JobContext& job) const {
    checkSpin(spin);
    const ShtParameters& p = parameters();
    for (const size_t size : {first.size(), second.size()}) checkMap(*backend_, size);
    requireAnalysisMemory(*backend_, 2);
    return guarded(p, [&] {
        if (p.tolerance > 0.0) {
            const std::span<const double> maps[] = {first, second};
            return leastSquares(*backend_, spin, maps, p.tolerance, job);
        }
        std::vector<Alm> alm;
        for (int i = 0; i < 2; ++i) alm.push_back(newAlm(p.lmax, p.mmax, job));
        backend_->analysisSpin(spin, first, second, alm[0], alm[1], job);
        return alm;
    });
}

void ShtPlan::synthesisGradient(const Alm& alm, std::span<double> map, std::span<double> dTheta,
                                std::span<double> dPhi, JobContext& job) const {
    checkAlm(parameters(), alm);
    for (const size_t size : {map.size(), dTheta.size(), dPhi.size()}) checkMap(*backend_, size);
    guarded(parameters(), [&] {
        JobContext first = job.part(0.0, 0.3);
        backend_->synthesis(alm, map, first);
        JobContext second = job.part(0.3, 1.0);
        backend_->gradient(alm, dTheta, dPhi, second);
    });
}

}  // namespace armilla

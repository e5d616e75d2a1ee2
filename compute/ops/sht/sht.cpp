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

ShtParameters completed(ShtParameters p) {
    if (p.nside < 1 || p.nside > kMaxShtNside)
        throw InvalidArgument("expected nside from 1 to " + std::to_string(kMaxShtNside) +
                              " for a harmonic transform, found " + std::to_string(p.nside));
    if (p.lmax == -1) p.lmax = static_cast<int>(3 * p.nside - 1);
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

void checkMap(const ShtParameters& p, size_t size) {
    const auto expected = static_cast<size_t>(12 * p.nside * p.nside);
    if (size != expected)
        throw InvalidArgument("expected a map of " + std::to_string(expected) + " pixels (nside " +
                              std::to_string(p.nside) + "), found " + std::to_string(size));
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
    requireMemory("harmonic analysis of nside " + std::to_string(p.nside) + ", lmax " +
                      std::to_string(p.lmax),
                  coefficients * almBytes(p.lmax, p.mmax) + atOnce * maps * 96 * p.nside * p.nside +
                      backend.analysisBytes(static_cast<int>(atOnce)));
}

// Memory that runs out inside `body` is reported in the program's own terms.
template <typename Body>
auto guarded(const ShtParameters& p, Body&& body) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("not enough memory for a harmonic transform of nside " +
                          std::to_string(p.nside) + ", lmax " + std::to_string(p.lmax));
    }
}

}  // namespace

ShtPlan::ShtPlan(const ShtParameters& parameters, const Device& device) {
    JobContext job;
    *this = ShtPlan(parameters, device, job);
}

ShtPlan::ShtPlan(const ShtParameters& parameters, const Device& device, JobContext& job) {
    const ShtParameters p = completed(parameters);
    backend_ = guarded(p, [&] {
        return device.kind == DeviceKind::Cuda ? makeCudaBackend(p, device.index)
                                               : makeCpuBackend(p, job);
    });
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
    checkMap(parameters(), map.size());
    guarded(parameters(), [&] { backend_->synthesis(alm, map, job); });
}

Alm ShtPlan::analysis(std::span<const double> map, JobContext& job) const {
    const ShtParameters& p = parameters();
    checkMap(p, map.size());
    requireAnalysisMemory(*backend_, 1);
    return guarded(p, [&] {
        if (p.tolerance > 0.0) {
            const std::span<const double> maps[] = {map};
            return std::move(leastSquares(*backend_, maps, p.tolerance, job)[0]);
        }
        Alm alm = newAlm(p.lmax, p.mmax, job);
        backend_->analysis(map, alm, job);
        return alm;
    });
}

void ShtPlan::synthesisPolarized(std::span<const Alm, 3> teb, std::span<double> t,
                                 std::span<double> q, std::span<double> u, JobContext& job) const {
    for (const Alm& alm : teb) checkAlm(parameters(), alm);
    for (const size_t size : {t.size(), q.size(), u.size()}) checkMap(parameters(), size);
    // Shares of the progress bar follow the flops: 6 for spin 0, 24 for spin 2.
    guarded(parameters(), [&] {
        JobContext first = job.part(0.0, 0.2);
        backend_->synthesis(teb[0], t, first);
        JobContext second = job.part(0.2, 1.0);
        backend_->synthesisSpin2(teb[1], teb[2], q, u, second);
    });
}

std::vector<Alm> ShtPlan::analysisPolarized(std::span<const double> t, std::span<const double> q,
                                            std::span<const double> u, JobContext& job) const {
    const ShtParameters& p = parameters();
    for (const size_t size : {t.size(), q.size(), u.size()}) checkMap(p, size);
    requireAnalysisMemory(*backend_, 3);
    return guarded(p, [&] {
        std::vector<Alm> teb;
        JobContext first = job.part(0.0, 0.2), second = job.part(0.2, 1.0);
        if (p.tolerance > 0.0) {
            const std::span<const double> scalar[] = {t}, vector[] = {q, u};
            teb = leastSquares(*backend_, scalar, p.tolerance, first);
            for (Alm& alm : leastSquares(*backend_, vector, p.tolerance, second))
                teb.push_back(std::move(alm));
            return teb;
        }
        for (int i = 0; i < 3; ++i) teb.push_back(newAlm(p.lmax, p.mmax, job));
        backend_->analysis(t, teb[0], first);
        backend_->analysisSpin2(q, u, teb[1], teb[2], second);
        return teb;
    });
}

void ShtPlan::synthesisGradient(const Alm& alm, std::span<double> map, std::span<double> dTheta,
                                std::span<double> dPhi, JobContext& job) const {
    checkAlm(parameters(), alm);
    for (const size_t size : {map.size(), dTheta.size(), dPhi.size()}) checkMap(parameters(), size);
    guarded(parameters(), [&] {
        JobContext first = job.part(0.0, 0.3);
        backend_->synthesis(alm, map, first);
        JobContext second = job.part(0.3, 1.0);
        backend_->gradient(alm, dTheta, dPhi, second);
    });
}

}  // namespace armilla

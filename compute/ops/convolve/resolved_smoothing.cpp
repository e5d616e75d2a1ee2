// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/resolved_smoothing.h"

#include <algorithm>
#include <string>
#include <utility>

#include "armilla/core/error.h"
#include "convolve/harmonic/harmonic_request.h"
#include "convolve/harmonic/smooth_harmonic.h"
#include "convolve/method_choice.h"

namespace armilla {

namespace {

// Resolves Auto: requests that only the harmonic method supports use it.
SmoothMethod methodOf(const SmoothParameters& p, int64_t nside, const Device& device,
                      JobContext& job) {
    if (p.method != SmoothMethod::Auto) return p.method;
    const bool wholeBand = p.lmax < 0 || p.lmax == 3 * nside - 1;
    if (!wholeBand || p.iterations > 0 || p.polarization || p.weights == Weights::Pixel ||
        p.truncate > 0.0 || nside < kLeastNsideOfChoice)
        return SmoothMethod::Harmonic;
    // Examining a band-limited kernel takes as long as applying it. So does a profile table, which
    // a live picture on a device would need for each frame.
    const Kernel kernel = kernelOf(p);
    const bool quick = kernel.gaussianWidth().has_value() ||
                       (device.kind == DeviceKind::Cpu && kernel.support() < kPi);
    if (!quick) return SmoothMethod::Harmonic;
    return chosenMethod(kernel, radiusOf(p, job), nside, device, job.threads(), job);
}

// Sums over pixels smooth polarization only with one smooth beam for E and B.
void checkPolarized(const SmoothParameters& p) {
    const std::string strategy = "method " + std::string(nameOf(p.method));
    const Kernel kernel = kernelOf(p);
    if (!kernel.lastL())
        throw Unsupported(strategy +
                          ": expected a kernel without edges or corners for polarization; "
                          "use --method harmonic");
    JobContext job({}, {}, 1);
    const Beam beam = kernel.coefficients(*kernel.lastL(), job);
    if (!beam.bl[2].empty() && beam.bl[1] != beam.bl[2])
        throw Unsupported(strategy +
                          ": expected one beam for E and B, found two; use --method harmonic");
}

void checkOnPixels(const SmoothParameters& p) {
    if (p.polarization) checkPolarized(p);
    const std::string strategy = "method " + std::string(nameOf(p.method));
    if (p.iterations > 0)
        throw InvalidArgument("expected no iterations for " + strategy + ", found " +
                              std::to_string(p.iterations));
    if (p.weights == Weights::Pixel)
        throw Unsupported(strategy + ": expected weights ring or none, found pixel");
    if (p.method != SmoothMethod::Ring) return;
    const Kernel kernel = kernelOf(p);
    const double edge = p.truncate > 0.0 ? edgeAt(kernel, p.truncate) : 0.0;
    if (!kernel.lastL() || edge > kLargestEdge)
        throw Unsupported(
            "method ring: expected a kernel without edges or corners; use --method direct");
}

ResolvedSmoothing resolvedOnPixels(SmoothParameters p, int64_t nside, const Device& device,
                                   JobContext& job) {
    checkOnPixels(p);
    const double radius = radiusOf(p, job);
    if (!(radius > 0.0))
        throw InvalidArgument("expected a kernel of a width above 0 for method " +
                              std::string(nameOf(p.method)) + ", found width 0");
    refuseNarrow(appliedKernel(p, 0.0).kernel, SampleLattice::healpix(nside), nameOf(p.method),
                 kHarmonicInstead, job);
    Applied applied = appliedKernel(p, radius);
    ResolvedSmoothing made(std::move(p), std::move(applied));
    const Kernel& kernel = made.applied.kernel;
    made.integral = kernel.integral();
    if (made.parameters.method == SmoothMethod::Ring)
        made.lastL = std::max(1, *kernelOf(made.parameters).lastL());
    if (device.kind == DeviceKind::Cuda) made.profile.emplace(kernel, kernel.support());
    return made;
}

}  // namespace

bool ResolvedSmoothing::compensated() const {
    if (!compensated_) compensated_ = applied.kernel.compensated();
    return *compensated_;
}

SmoothReport ResolvedSmoothing::report() const {
    return {parameters.method, lmax, applied.radius, applied.norm, 0.0};
}

ResolvedSmoothing resolvedSmoothing(const SmoothParameters& asked, int64_t nside,
                                    const Device& device, JobContext& job) {
    SmoothParameters p = asked;
    p.method = methodOf(asked, nside, device, job);
    if (isOnPixels(p.method)) return resolvedOnPixels(std::move(p), nside, device, job);
    ResolvedSmoothing made(std::move(p), appliedKernel(asked, asked.truncate));
    made.lmax = asked.lmax < 0 ? static_cast<int>(3 * nside - 1) : asked.lmax;
    if (asked.polarization)
        made.beam = beamOf(made.applied, made.lmax, job);
    else
        made.beam.bl[0] = scalarBeamOf(made.applied, made.lmax, job);
    // Iterations act on the full band; without iterations, degrees that the kernel removes are not
    // computed.
    made.reach = asked.iterations > 0 ? made.lmax : std::min(made.lmax, reachOf(made.beam));
    made.tables = tableBand(nside, made.reach, device.kind);
    return made;
}

const ResolvedSmoothing& LastResolved::of(const SmoothParameters& asked, int64_t nside,
                                          const Device& device, JobContext& job) {
    const int threads = device.kind == DeviceKind::Cpu ? job.threads() : 0;
    if (!kept_ || kept_->nside != nside || kept_->threads != threads || kept_->asked != asked) {
        kept_.reset();
        kept_.emplace(Kept{asked, nside, threads, resolvedSmoothing(asked, nside, device, job)});
    }
    return kept_->made;
}

HarmonicRequest harmonicRequest(const SmoothParameters& asked, int64_t nside, size_t fields,
                                JobContext& job) {
    checkParameters(asked, nside, fields);
    ResolvedSmoothing made = resolvedSmoothing(asked, nside, Device::cpu(), job);
    HarmonicRequest request;
    request.parameters = made.parameters;
    if (made.onPixels()) return request;
    request.lmax = made.lmax;
    request.reach = made.reach;
    request.tables = made.tables;
    request.compensated = made.compensated();
    request.report = made.report();
    request.beam = std::move(made.beam);
    return request;
}

}  // namespace armilla

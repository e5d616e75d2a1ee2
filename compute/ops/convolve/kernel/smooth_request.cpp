// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/kernel/smooth_request.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "armilla/core/error.h"

namespace armilla {

void checkParameters(const SmoothParameters& p) {
    if ((p.beam ? 1 : 0) + (p.kernel ? 1 : 0) + (p.shape ? 1 : 0) > 1)
        throw InvalidArgument("expected a beam or a radial kernel, found both");
    if (!(p.truncate >= 0.0))
        throw InvalidArgument("expected a radius of 0 or more to end the kernel at, found " +
                              std::to_string(p.truncate) + " rad");
    if (p.beam && p.beam->bl[0].empty())
        throw InvalidArgument("expected a beam B_l from l = 0, found none");
    if (p.lmax < -1)
        throw InvalidArgument("expected lmax of 0 or more, found " + std::to_string(p.lmax));
}

void checkParameters(const SmoothParameters& p, int64_t nside, size_t fields) {
    checkParameters(p);
    if (p.polarization && fields != 3)
        throw InvalidArgument("expected three fields T, Q, U for polarization, found " +
                              std::to_string(fields));
    if (nside > kMaxShtNside)
        throw InvalidArgument("expected nside up to " + std::to_string(kMaxShtNside) +
                              " for smoothing, found " + std::to_string(nside));
}

Kernel kernelOf(const SmoothParameters& p) {
    if (p.shape) return *p.shape;
    if (p.kernel) return Kernel::profile(*p.kernel);
    return p.beam ? Kernel::harmonic(*p.beam) : Kernel::gaussian(p.fwhm);
}

// The complete kernel determines whether there is an integral to divide by: a truncated compensated
// kernel has a small one.
Applied appliedKernel(const SmoothParameters& p, double radius) {
    Applied result{kernelOf(p)};
    const bool divide = p.kernel && !result.kernel.compensated();
    result.norm = p.norm.value_or(divide ? KernelNorm::Integral : KernelNorm::None);
    if (result.norm == KernelNorm::Integral) result.kernel = result.kernel.normalized(result.norm);
    if (radius > 0.0) {
        const Kernel cut = result.kernel.truncated(radius);
        result.kernel = result.kernel.compensated()
                            ? cut
                            : cut.scaled(result.kernel.integral() / cut.integral());
        result.radius = std::min(radius, cut.support());
    }
    result.kernel = result.kernel.normalized(result.norm);
    return result;
}

Beam beamOf(const Applied& applied, int lmax, const JobContext& job) {
    JobContext silent(job.stopToken(), {}, job.threads());
    return applied.kernel.coefficients(lmax, silent);
}

std::vector<double> scalarBeamOf(const Applied& applied, int lmax, const JobContext& job) {
    JobContext silent(job.stopToken(), {}, job.threads());
    return applied.kernel.scalarCoefficients(lmax, silent);
}

bool isOnPixels(SmoothMethod method) {
    return method == SmoothMethod::Direct || method == SmoothMethod::Ring;
}

std::string_view nameOf(SmoothMethod method) {
    switch (method) {
        case SmoothMethod::Auto: return "auto";
        case SmoothMethod::Harmonic: return "harmonic";
        case SmoothMethod::Ring: return "ring";
        case SmoothMethod::Direct: return "direct";
    }
    return "";
}

double edgeAt(const Kernel& kernel, double radius) {
    if (!kernel.hasProfile() || !(radius < kernel.support())) return 0.0;
    return std::abs(kernel.at(std::vector<double>{radius}).front()) / kernel.peak();
}

// The part of a kernel that the methods on pixels drop, relative to int |K|.
// - It is smaller for a compensated kernel, because a mean far above the map's rms would be
//   visible.
// - It is smaller for ring sums, because the modes of an edge have no end in m. The modes beyond
//   the last one leave a part of the edge, near it and on the rings that it crosses. The edge
//   itself is a fraction of the peak.
// - 1e-10 (6.8 sigma of a Gaussian) is 1 / 600 of the rounding of single precision, and 1 / 3000 of
//   the part that direct sums drop.
// Devices agree to rounding wherever the edge is (ring_blocks.h).
double radiusOf(const SmoothParameters& p, JobContext& job) {
    const Kernel kernel = kernelOf(p);
    if (p.truncate > 0.0) return std::min(p.truncate, kernel.support());
    const bool rings = p.method == SmoothMethod::Ring;
    const double radius =
        kernel.truncationRadius(rings || kernel.compensated() ? 1e-10 : 3e-7, {}, job);
    return rings && edgeAt(kernel, radius) > kSmallEdge ? kernel.support() : radius;
}

int reachOf(const Beam& beam) {
    double largest = 0.0;
    for (const auto& bl : beam.bl)
        for (const double value : bl) largest = std::max(largest, std::abs(value));
    size_t reach = 0;
    for (const auto& bl : beam.bl)
        for (size_t l = bl.size(); l-- > reach;)
            if (std::abs(bl[l]) > 1e-13 * largest) {
                reach = l;
                break;
            }
    return static_cast<int>(reach);
}

}  // namespace armilla

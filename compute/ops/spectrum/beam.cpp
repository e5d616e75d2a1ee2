// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/error.h"
#include "ops/spectrum.h"
#include "shared/legendre.h"
#include "shared/shape_checks.h"

namespace armilla {

namespace {

void checkKernel(const RadialKernel& kernel) {
    const size_t n = kernel.angle.size();
    if (n < 2 || kernel.value.size() != n)
        throw InvalidArgument(
            "expected a radial kernel of two or more angles with a value each, found " +
            std::to_string(n) + " angles and " + std::to_string(kernel.value.size()) + " values");
    for (size_t i = 0; i < n; ++i) {
        if (!std::isfinite(kernel.value[i]))
            throw InvalidArgument("expected finite values in a radial kernel, found none at row " +
                                  std::to_string(i + 1));
        // A file in degrees may put 180 degrees a rounding beyond pi.
        const bool inRange = kernel.angle[i] >= 0.0 && kernel.angle[i] <= kPi * (1.0 + 1e-6);
        if (!inRange || (i > 0 && kernel.angle[i] <= kernel.angle[i - 1]))
            throw InvalidArgument(
                "expected the angles of a radial kernel to ascend from 0 to at most 180 degrees, "
                "found otherwise at row " +
                std::to_string(i + 1));
    }
}

// A node of the quadrature over a kernel: B_l is the sum of weight P_l(cos theta).
struct KernelNode {
    double theta = 0.0, weight = 0.0;
};

std::vector<KernelNode> kernelNodes(const RadialKernel& kernel, int lmax, const JobContext& job) {
    // On an interval of half width h P_l oscillates with phase w = l h; a rule of n points
    // integrates the plane wave of phase w with an error of about (e w / 4n)^(2n): 6 + 1.25 w
    // leaves 1e-14. Pieces are cut to phases that short rules serve.
    constexpr double kMaxPhase = 40.0;
    std::map<int, QuadratureRule> rules;
    std::vector<KernelNode> nodes;
    for (size_t i = 0; i + 1 < kernel.angle.size(); ++i) {
        const double low = kernel.angle[i], width = std::min(kernel.angle[i + 1], kPi) - low;
        const double phase = (lmax + 1.0) * 0.5 * width;
        const auto cuts = static_cast<int>(std::ceil(phase / kMaxPhase));
        const int n = 6 + static_cast<int>(std::ceil(1.25 * phase / cuts));
        const auto [rule, isNew] = rules.try_emplace(n);
        if (isNew) rule->second = gaussLegendre(n);
        job.poll();
        for (int cut = 0; cut < cuts; ++cut)
            for (size_t k = 0; k < rule->second.node.size(); ++k) {
                const double share = (cut + 0.5 * (1.0 + rule->second.node[k])) / cuts;
                const double theta = low + share * width;
                const double value = (1.0 - share) * kernel.value[i] + share * kernel.value[i + 1];
                nodes.push_back(
                    {theta, kPi * width / cuts * rule->second.weight[k] * std::sin(theta) * value});
            }
    }
    return nodes;
}

// Sums of weight P_l(cos theta), l = 0 .. lmax. Parts of fixed size are added in their order, so
// that the bits do not depend on the threads.
std::vector<double> legendreMoments(const std::vector<KernelNode>& nodes, int lmax,
                                    JobContext& job) {
    constexpr long long kBatch = 64;                                  // parts that wait to be added
    const long long grain = std::max(1LL, 1'000'000LL / (lmax + 1));  // some milliseconds
    const auto count = static_cast<long long>(nodes.size());
    std::vector<double> total(static_cast<size_t>(lmax) + 1, 0.0);
    std::vector<std::vector<double>> sums(kBatch);
    for (long long first = 0; first < count; first += kBatch * grain) {
        const long long here = std::min(count - first, kBatch * grain);
        parallelFor(job, here, grain, [&](long long begin, long long end) {
            std::vector<double>& sum = sums[static_cast<size_t>(begin / grain)];
            sum.assign(total.size(), 0.0);
            for (long long i = first + begin; i < first + end; ++i) {
                const KernelNode& node = nodes[static_cast<size_t>(i)];
                LegendreSteps p(node.theta);
                for (double& s : sum) {
                    s += node.weight * p.value();
                    p.advance();
                }
            }
        });
        for (long long part = 0; part * grain < here; ++part)
            for (size_t l = 0; l < total.size(); ++l)
                total[l] += sums[static_cast<size_t>(part)][l];
        job.report(static_cast<double>(first + here) / static_cast<double>(count), "kernel");
    }
    return total;
}

}  // namespace

Beam gaussianBeam(double fwhm, int lmax) {
    checkLmax(lmax);
    if (!(fwhm >= 0.0) || !std::isfinite(fwhm))
        throw InvalidArgument("expected a beam width of 0 or more, found " + std::to_string(fwhm) +
                              " rad");
    const double variance = fwhm * fwhm / (8.0 * std::log(2.0));
    const double polarized = std::exp(2.0 * variance);
    Beam beam;
    for (int l = 0; l <= lmax; ++l) {
        const double value = std::exp(-0.5 * l * (l + 1.0) * variance);
        beam.bl[0].push_back(value);
        beam.bl[1].push_back(value * polarized);
    }
    beam.bl[2] = beam.bl[1];
    return beam;
}

Beam beamFromKernel(const RadialKernel& kernel, int lmax, JobContext& job) {
    checkLmax(lmax);
    checkKernel(kernel);
    const std::vector<KernelNode> nodes = kernelNodes(kernel, lmax, job);
    double size = 0.0;
    for (const KernelNode& node : nodes) size += std::abs(node.weight);
    std::vector<double> bl = legendreMoments(nodes, lmax, job);
    // Below this the sum is rounding, and the normalization would be noise.
    if (!(std::abs(bl[0]) > 1e-10 * size))
        throw InvalidArgument("expected a radial kernel with an integral other than zero");
    const double total = bl[0];
    for (double& b : bl) b /= total;
    Beam beam;
    beam.bl.fill(bl);
    return beam;
}

std::vector<double> kernelProfile(std::span<const double> bl, std::span<const double> angles) {
    std::vector<double> profile;
    profile.reserve(angles.size());
    for (const double theta : angles) {
        if (!(theta >= 0.0 && theta <= kPi * (1.0 + 1e-6)))
            throw InvalidArgument("expected angles from 0 to pi for a kernel profile, found " +
                                  std::to_string(theta) + " rad");
        LegendreSteps p(std::min(theta, kPi));
        double sum = 0.0;
        for (size_t l = 0; l < bl.size(); ++l) {
            sum += (2.0 * static_cast<double>(l) + 1.0) * bl[l] * p.value();
            p.advance();
        }
        profile.push_back(sum / (4.0 * kPi));
    }
    return profile;
}

}  // namespace armilla

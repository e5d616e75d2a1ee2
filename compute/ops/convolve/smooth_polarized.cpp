// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/smooth_polarized.h"

#include <atomic>
#include <cmath>
#include <limits>

#include "convolve/direct_cpu.h"
#include "convolve/ring_cpu.h"
#include "convolve/sky_values.h"
#include "convolve/smooth_direct.h"
#include "convolve/spin_kernel.h"
#include "convolve/spin_rings.h"
#include "convolve/spin_sums.h"
#include "core/memory_limit.h"
#include "core/new_vector.h"
#include "ops/quadrature_weights.h"

namespace armilla {

std::vector<Field> smoothPolarized(const HealpixMap& map, std::span<const int> fields,
                                   const PolarizedKernel& kernel, Weights weights, bool normalize,
                                   JobContext& job) {
    const int64_t nside = map.nside(), pixels = armilla::pixelCount(nside);
    JobContext first = job.part(0.0, 0.3), planning = job.part(0.3, 0.32);
    JobContext working = job.part(0.32, 0.9), masking = job.part(0.9, 0.97);
    JobContext writing = job.part(0.97, 1.0);
    const Masked masked = normalize ? Masked::Normalize : Masked::Ignore;
    const auto one = fields.subspan(0, 1);
    std::vector<Field> result =
        kernel.lastL
            ? smoothByRings(map, one, kernel.applied, *kernel.lastL, weights, masked, first)
            : smoothDirect(map, one, kernel.applied, weights, masked, first);
    requireMemory("smoothing at nside " + std::to_string(nside), 6 * 8 * pixels);
    std::vector<double> q = ringValues(map, fields[1], planning);
    std::vector<double> u = ringValues(map, fields[2], planning);
    std::vector<double> good = newVector<double>(pixels, planning, 1.0);
    std::atomic<bool> anyBad{false};
    parallelFor(planning, pixels, kPixelGrain, [&](long long begin, long long end) {
        for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
            if (std::isnan(q[p]) || std::isnan(u[p])) {
                q[p] = u[p] = good[p] = 0.0;
                anyBad = true;
            }
    });
    if (anyBad && normalize && kernel.applied.compensated()) refuseZeroIntegral();
    std::vector<double> ring;
    if (weights == Weights::Ring) ring = ringWeights(nside, planning);
    const double radius = kernel.applied.support();
    const ProfileTable spin(ProfileSource{[&](std::span<const double> angles) {
                                              return spinProfile(kernel.bl, angles);
                                          },
                                          kernel.gaussianWidth,
                                          {},
                                          kernel.scale},
                            radius);
    std::vector<double> toQ = newVector<double>(pixels, planning);
    std::vector<double> toU = newVector<double>(pixels, planning);
    const SpinSums::Maps maps{q, u, toQ, toU};
    if (kernel.lastL)
        SpinRings(nside, spin, *kernel.lastL, ring, planning).execute(maps, working);
    else
        SpinSums(nside, spin, ring).execute(maps, working);
    if (anyBad && normalize) {
        std::vector<double> share = newVector<double>(pixels, masking, 1.0);
        const double integral = kernel.applied.integral();
        const DirectPlane<double> plane{good.data(), share.data(), false};
        const ProfileTable profile(kernel.applied, radius);
        const std::span<const DirectPlane<double>> planes(&plane, 1);
        if (kernel.lastL)
            RingSums(nside, profile, *kernel.lastL, ring, integral, planning)
                .execute(planes, masking);
        else
            DirectSums(nside, profile, ring, integral).execute(planes, masking);
        parallelFor(masking, pixels, kPixelGrain, [&](long long begin, long long end) {
            constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
            for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p) {
                const double part = share[p] / integral;
                const bool known = part >= kLeastKernelShare;
                toQ[p] = known ? toQ[p] / part : kNan;
                toU[p] = known ? toU[p] / part : kNan;
            }
        });
    }
    result.push_back(fieldFromRing(map, map.field(fields[1]), toQ, writing));
    result.push_back(fieldFromRing(map, map.field(fields[2]), toU, writing));
    return result;
}

}  // namespace armilla

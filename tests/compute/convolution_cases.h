// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels and maps for the tests of convolution on pixels.
#pragma once

#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/kernel.h"
#include "armilla/ops/spectrum.h"

namespace armilla::test {

struct KernelCase {
    const char* name;
    Kernel kernel;
    KernelNorm norm;
};
// One kernel of each kind, of widths about `scale`.
inline std::vector<KernelCase> kernelCases(double scale) {
    const double sigmas = std::sqrt(8 * std::log(2.0));
    RadialKernel table;
    for (int i = 0; i <= 20; ++i) {
        table.angle.push_back(0.1 * i * scale);
        table.value.push_back(std::cos(0.15 * i) + 0.1 * (i % 3));
    }
    return {{"gaussian", Kernel::gaussian(scale * sigmas), KernelNorm::None},
            {"wide gaussian", Kernel::gaussian(3 * scale * sigmas), KernelNorm::None},
            {"top-hat", Kernel::topHat(2.1 * scale), KernelNorm::Integral},
            {"profile", Kernel::profile(table), KernelNorm::Peak},
            {"mexican hat", Kernel::mexicanHat(2, scale), KernelNorm::None},
            {"difference",
             Kernel::difference(Kernel::gaussian(scale * sigmas),
                                Kernel::gaussian(2 * scale * sigmas), 0.5),
             KernelNorm::Integral},
            {"B_l", Kernel::harmonic(gaussianBeam(scale * sigmas, static_cast<int>(9 / scale))),
             KernelNorm::None}};
}

// White noise with a mean.
inline std::vector<double> noiseMap(int64_t nside, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> map(static_cast<size_t>(12 * nside * nside));
    for (double& value : map) value = normal(random) + 0.5;
    return map;
}
// Bad stretches and single bad pixels.
inline void spoilPixels(std::vector<double>& map) {
    for (size_t p = 3; p < map.size(); p += 17) map[p] = std::nan("");
    for (size_t p = map.size() / 3; p < map.size() / 2; ++p) map[p] = std::nan("");
}

// The result of `make`; none for a kernel that is refused because it is too narrow for its samples
// (tst_mean).
template <typename Make>
auto unlessNarrow(const Make& make) -> std::optional<decltype(make())> {
    try {
        return make();
    } catch (const NarrowKernel&) {
        return {};
    }
}
// A full-sky map is summed after subtraction of its mean; the remainders of map and result satisfy
// the definition of the sum.
inline void takeMeanOut(std::vector<double>& map, std::vector<double>& found, double integral) {
    double mean = 0.0;
    for (const double value : map) mean += value / static_cast<double>(map.size());
    if (std::isnan(mean)) return;
    for (double& value : map) value -= mean;
    for (double& value : found) value -= mean * integral;
}

}  // namespace armilla::test

// SPDX-License-Identifier: GPL-3.0-or-later
// A program of another project: the monopole of a map of ones is sqrt(4 pi).
#include <armilla/core/healpix_map.h>
#include <armilla/ops/sht.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
    using namespace armilla;
    const std::vector<double> ones(static_cast<size_t>(pixelCount(64)), 1.0);
    JobContext job;
    const ShtPlan plan({.nside = 64, .lmax = 128}, Device::cpu(), job);
    const double monopole = plan.analysis(std::span(ones), job)(0, 0).real();
    std::printf("a_00 = %.15f\n", monopole);
    return std::abs(monopole - std::sqrt(4.0 * M_PI)) < 1e-12 ? 0 : 1;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/legendre_sums.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/sky_vector.h"

namespace armilla {

namespace {

// Angles of one block, which the compiler vectorizes.
constexpr size_t kLanes = 8;

// l / (l+1) and (2l+1) / (l+1) of the recursion of LegendreSteps.
struct Steps {
    std::vector<double> back, forth;
};
Steps stepsTo(size_t count) {
    Steps s;
    for (size_t i = 0; i < count; ++i) {
        const auto l = static_cast<double>(i);
        s.back.push_back(l / (l + 1.0));
        s.forth.push_back((2.0 * l + 1.0) / (l + 1.0));
    }
    return s;
}

struct Lanes {
    double y[kLanes], sign[kLanes], p[kLanes], difference[kLanes];

    Lanes(std::span<const double> angles, size_t first) {
        for (size_t i = 0; i < kLanes; ++i) {
            const double theta = angles[std::min(first + i, angles.size() - 1)];
            const bool mirrored = theta > kHalfPi;
            const double s = std::sin(0.5 * (mirrored ? kPi - theta : theta));
            y[i] = 2.0 * s * s;
            sign[i] = mirrored ? -1.0 : 1.0;
            p[i] = 1.0;
            difference[i] = 0.0;
        }
    }
    void advance(double back, double forth) {
        for (size_t i = 0; i < kLanes; ++i) {
            difference[i] = back * difference[i] - forth * y[i] * p[i];
            p[i] += difference[i];
        }
    }
};

}  // namespace

std::vector<double> legendreSeries(std::span<const double> c, std::span<const double> angles) {
    std::vector<double> result(angles.size(), 0.0);
    const Steps steps = stepsTo(c.size());
    for (size_t first = 0; first < angles.size(); first += kLanes) {
        Lanes lanes(angles, first);
        // Even and odd l separately: odd terms change sign with the hemisphere.
        double sums[2][kLanes] = {};
        for (size_t l = 0; l < c.size(); ++l) {
            double* const sum = sums[l & 1];
            for (size_t i = 0; i < kLanes; ++i) sum[i] += c[l] * lanes.p[i];
            lanes.advance(steps.back[l], steps.forth[l]);
        }
        for (size_t i = 0; i < std::min(kLanes, angles.size() - first); ++i)
            result[first + i] = sums[0][i] + lanes.sign[i] * sums[1][i];
    }
    return result;
}

std::vector<double> legendreMoments(std::span<const double> angles, std::span<const double> weights,
                                    int lmax, JobContext& job) {
    const auto size = static_cast<size_t>(lmax) + 1;
    std::vector<double> total(size, 0.0);
    if (angles.empty()) return total;
    const Steps steps = stepsTo(size);
    // Parts of fixed size, some milliseconds each on one CPU core, are added in order; at most 64,
    // and as many as 128 MiB hold, wait for their turn.
    const long long batch = std::clamp((16LL << 20) / (lmax + 1), 8LL, 64LL);
    const long long blocks = static_cast<long long>((angles.size() + kLanes - 1) / kLanes);
    const long long grain = std::max(1LL, 250'000LL / (lmax + 1));
    std::vector<std::vector<double>> sums(static_cast<size_t>(batch));
    for (long long done = 0; done < blocks; done += batch * grain) {
        const long long here = std::min(blocks - done, batch * grain);
        parallelFor(job, here, grain, [&](long long begin, long long end) {
            std::vector<double>& sum = sums[static_cast<size_t>(begin / grain)];
            sum.assign(size, 0.0);
            for (long long block = done + begin; block < done + end; ++block) {
                const size_t first = static_cast<size_t>(block) * kLanes;
                Lanes lanes(angles, first);
                double weight[2][kLanes] = {};
                for (size_t i = 0; i < std::min(kLanes, angles.size() - first); ++i) {
                    weight[0][i] = weights[first + i];
                    weight[1][i] = lanes.sign[i] * weights[first + i];
                }
                for (size_t l = 0; l < size; ++l) {
                    const double* const w = weight[l & 1];
                    double s = 0.0;
                    for (size_t i = 0; i < kLanes; ++i) s += w[i] * lanes.p[i];
                    sum[l] += s;
                    lanes.advance(steps.back[l], steps.forth[l]);
                }
            }
        });
        for (long long part = 0; part * grain < here; ++part)
            for (size_t l = 0; l < size; ++l) total[l] += sums[static_cast<size_t>(part)][l];
    }
    return total;
}

}  // namespace armilla

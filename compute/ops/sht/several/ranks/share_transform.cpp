// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/several/ranks/share_transform.h"

#include <time.h>

#include <algorithm>
#include <utility>

#include "armilla/core/error.h"
#include "shared/legendre_recurrence.h"
#include "shared/new_alm.h"
#include "sht/plan/ring_passes.h"

namespace armilla {

RankRings::RankRings(const RingGrid& grid, int lmax, int mmax, std::span<const RingRuns> pairs,
                     int rank) {
    part.fftLibrary = RingFft::libraryFor(grid);
    for (const RingTransform::RingPair& pair : RingTransform::pairsOf(grid, lmax, mmax)) {
        part.northern.push_back(grid.rings[static_cast<size_t>(pair.north)]);
        part.modes.push_back(pair.modes);
    }
    part.pairs = pairs[static_cast<size_t>(rank)];
    const std::vector<std::pair<int, int>> all = mirroredPairs(grid);
    for (const RingRuns& each : pairs) {
        RingWindow window = ringWindow(grid, all, each);
        if (static_cast<int>(runs.size()) == rank) part.grid = std::move(window.grid);
        rings.push_back(std::move(window.rings));
        runs.push_back(std::move(window.runs));
    }
    hasPoles = grid.rings.front().sinTheta == 0.0 || grid.rings.back().sinTheta == 0.0;
}

ShareTransform::ShareTransform(RankRings own, std::vector<RingRuns> pairs,
                               std::vector<int> ownerOfOrder, int lmax, int rank)
    : own_(std::move(own)), pairs_(std::move(pairs)), ownerOfOrder_(std::move(ownerOfOrder)) {
    double all = 0.0;
    for (size_t m = 0; m < ownerOfOrder_.size(); ++m) {
        const double degrees = lmax + 1.0 - static_cast<double>(m);
        all += degrees;
        if (ownerOfOrder_[m] == rank) steps_.share += degrees;
    }
    steps_.share /= all;
}

void ShareTransform::refusePoles() const {
    if (own_.hasPoles)
        throw InvalidArgument("expected a grid without poles for the gradient, found one with");
}

void ShareTransform::checkMap(size_t samples) const {
    if (samples != static_cast<size_t>(ownGrid().sampleCount()))
        throw InvalidArgument("expected a map of " + std::to_string(ownGrid().sampleCount()) +
                              " samples, found " + std::to_string(samples));
}

void clearShares(std::span<AlmShare> alms, const JobContext& job) {
    constexpr long long kGrain = 1 << 16;
    JobContext silent(job.stopToken(), {}, job.threads());
    for (AlmShare& alm : alms)
        parallelFor(silent, static_cast<long long>(alm.values().size()), kGrain,
                    [&](long long begin, long long end) {
                        std::fill(alm.values().begin() + begin, alm.values().begin() + end,
                                  std::complex<double>(0.0));
                    });
}

// Works like RingTransform::gradient, for own orders.
AlmShare derivativeOf(const AlmShare& alm, GradientPart part, JobContext& job) {
    const std::vector<int> orders(alm.orders().begin(), alm.orders().end());
    const int lmax = alm.lmax();
    AlmShare image(lmax + 1, orders, job);
    parallelFor(job, static_cast<long long>(orders.size()), orderGrain(lmax),
                [&](long long begin, long long end) {
                    for (long long i = begin; i < end; ++i) {
                        const int m = orders[static_cast<size_t>(i)];
                        const auto from = alm.of(m);
                        const auto to = image.of(m);
                        const auto at = [&](int l) {
                            return l < m || l > lmax ? std::complex<double>(0.0)
                                                     : from[static_cast<size_t>(l - m)];
                        };
                        for (int l = m; l <= lmax + 1; ++l)
                            to[static_cast<size_t>(l - m)] =
                                part == GradientPart::Theta
                                    ? (l - 1.0) * scalarEpsilon(l, m) * at(l - 1) -
                                          (l + 2.0) * scalarEpsilon(l + 1, m) * at(l + 1)
                                    : std::complex<double>(0.0, m) * at(l);
                    }
                });
    return image;
}

double StepClock::processorSeconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void StepClock::stop(double& seconds, double& processor) const {
    seconds += secondsSince(start_);
    processor += processorSeconds() - processor_;
}

}  // namespace armilla

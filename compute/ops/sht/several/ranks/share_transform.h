// SPDX-License-Identifier: GPL-3.0-or-later
// A rank's share of a transform: the interface for DistributedSht, independent of the ranks'
// devices.
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "armilla/ops/distributed_sht.h"
#include "sht/plan/ring_transform.h"
#include "sht/plan/ring_transform_cuda.h"
#include "sht/plan/ring_windows.h"

namespace armilla {

// The rings of one rank in a partition of pairs of rings.
struct RankRings {
    RankRings(const RingGrid& grid, int lmax, int mmax, std::span<const RingRuns> pairs, int rank);
    RingPart part;  // with the modes of all pairs
    // For all ranks: numbers of rings in the complete grid, and the runs of their samples.
    std::vector<std::vector<int>> rings;
    std::vector<std::vector<SampleRun>> runs;
    bool hasPoles = false;  // whether the complete grid has poles
};

// Whether an adjoint adds its sums to the coefficients or replaces them.
enum class Before { Added, Replaced };

class ShareTransform {
public:
    virtual ~ShareTransform() = default;
    ShareTransform(const ShareTransform&) = delete;
    ShareTransform& operator=(const ShareTransform&) = delete;

    // One or two maps of spin 0, or the two maps of a spin.
    virtual void synthesis(int spin, std::span<const AlmShare> alm,
                           std::span<const MapSamples> maps, JobContext& job) = 0;
    virtual void gradient(const AlmShare& alm, MapSamples dTheta, MapSamples dPhi,
                          JobContext& job) = 0;
    // `weights`: one for each own ring.
    virtual void adjoint(int spin, std::span<const ConstMapSamples> maps,
                         std::span<const double> weights, std::span<AlmShare> alm, Before before,
                         JobContext& job) = 0;

    // Frees memory kept from one transform for the next, except memory shared with other ranks.
    virtual void release() {}

    const RingGrid& ownGrid() const { return own_.part.grid; }
    // For each rank.
    const std::vector<std::vector<int>>& rings() const { return own_.rings; }
    const std::vector<std::vector<SampleRun>>& runs() const { return own_.runs; }
    // The pairs of rings of each rank, the rank of each order.
    const std::vector<RingRuns>& pairs() const { return pairs_; }
    const std::vector<int>& ownerOfOrder() const { return ownerOfOrder_; }
    const RankSteps& steps() const { return steps_; }

protected:
    ShareTransform(RankRings own, std::vector<RingRuns> pairs, std::vector<int> ownerOfOrder,
                   int lmax, int rank);
    void refusePoles() const;  // for a gradient
    void checkMap(size_t samples) const;

    RankRings own_;
    RankSteps steps_;

private:
    std::vector<RingRuns> pairs_;
    std::vector<int> ownerOfOrder_;
};

void clearShares(std::span<AlmShare> alms, const JobContext& job);

// The coefficients of sin(theta) d/dtheta, and of d/dphi, up to degree lmax + 1.
AlmShare derivativeOf(const AlmShare& alm, GradientPart part, JobContext& job);

// Measures from its construction; `stop` adds the times to a step.
class StepClock {
public:
    void stop(double& seconds, double& processor) const;

private:
    static double processorSeconds();
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double processor_ = processorSeconds();
};

}  // namespace armilla

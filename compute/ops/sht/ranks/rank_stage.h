// SPDX-License-Identifier: GPL-3.0-or-later
// What one rank does of a transform that goes by rows (row_shares.h), on the CPU or on a CUDA
// device; StagedTransform calls it, and brings the rows from rank to rank. A device may be behind
// the calls: what is sent is asked for by `sent`, which waits for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/error.h"
#include "device/device_group.h"
#include "ops/distributed_sht.h"
#include "sht/plan/ring_transform_cuda.h"
#include "sht/ranks/row_shares.h"
#include "sht/ranks/share_transform.h"

namespace armilla {

// A transform of one map of spin 0, or the two of a spin.
struct StagedCall {
    int spin = 0;
    std::optional<GradientPart> derivative{};  // over sin(theta), in a synthesis
    const SeenFrom* seen = nullptr;
    const RowMessages* messages = nullptr;
    Before before = Before::Added;  // of an analysis
    int components() const { return spin == 0 ? 1 : 2; }
};

// Exchanges have numbers; buffers of even and odd ones are apart, so that one is filled while the
// other is on its way. What a call is given lives until its `finish`.
class RankStage {
public:
    virtual ~RankStage() = default;
    RankStage(const RankStage&) = delete;
    RankStage& operator=(const RankStage&) = delete;

    // The rows that some pairs of rings are made of.
    virtual RingRuns rowsFor(const RingRuns& pairs) const = 0;
    // Room for so many RowModes a message, before calls of so many components.
    virtual void reserve(int64_t count) = 0;

    // A synthesis: for each exchange the sums of an own slice, if there is one, and what other
    // slices' rows are to the own rings.
    virtual void startSynthesis(const StagedCall& call, std::span<const AlmShare> alm,
                                std::span<const MapSamples> maps, JobContext& job) = 0;
    virtual void sumOrders(size_t slice, JobContext& job) = 0;
    virtual void takeRows(size_t step, JobContext& job) = 0;
    virtual void finishSynthesis(JobContext& job) = 0;
    // An analysis: for each exchange rows of own rings to whom their orders are, and the sums of an
    // own slice of what has come.
    virtual void startAnalysis(const StagedCall& call, std::span<const ConstMapSamples> maps,
                               std::span<const double> weights, std::span<AlmShare> alm,
                               JobContext& job) = 0;
    virtual void sendRows(size_t step, JobContext& job) = 0;
    virtual void sumRows(size_t slice, JobContext& job) = 0;
    virtual void finishAnalysis(JobContext& job) = 0;

    // Messages of an exchange one after the other; those to send, once they are there, and the
    // place for those that come, once it is free.
    virtual const RowModes* sent(size_t step) = 0;
    virtual RowModes* toReceive(size_t step) = 0;
    // In the place of the two, of a stage that was given a group of devices: both ways, among what
    // the device has to do.
    virtual void passRows(size_t /*step*/) { ARMILLA_ASSERT(false); }
    // After a failure: nothing is at work any longer on what a call was given.
    virtual void abandon() noexcept {}

    // Of the calls so far; the time of the exchanges is not in them.
    const RankSteps& steps() const { return steps_; }

protected:
    RankStage() = default;
    RankSteps steps_;
};

std::unique_ptr<RankStage> makeCpuRankStage(const RankRings& own, int lmax, int mmax,
                                            const RowShares& shares, int rank, JobContext& job);
// `group`: of the devices of all ranks, or null. Throws Unsupported in builds without CUDA.
std::unique_ptr<RankStage> makeCudaRankStage(const RingGrid& grid, int lmax, int mmax,
                                             const RowShares& shares, int rank, int device,
                                             std::shared_ptr<DeviceGroup> group);

}  // namespace armilla

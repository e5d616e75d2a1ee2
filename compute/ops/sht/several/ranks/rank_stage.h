// SPDX-License-Identifier: GPL-3.0-or-later
// The work of one rank in a transform that exchanges rows (row_shares.h), on the CPU or on a CUDA
// device. StagedTransform calls it and sends the rows from rank to rank. A device may lag behind
// the calls: `sent` returns the rows to send, and waits for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "armilla/core/error.h"
#include "armilla/device/device_group.h"
#include "armilla/ops/distributed_sht.h"
#include "sht/plan/ring_transform_cuda.h"
#include "sht/several/ranks/row_shares.h"
#include "sht/several/ranks/share_transform.h"

namespace armilla {

// A transform of one map of spin 0, or the two maps of a spin.
struct StagedCall {
    int spin = 0;
    std::optional<GradientPart> derivative{};  // synthesis: divided by sin(theta)
    const SeenFrom* seen = nullptr;
    const RowMessages* messages = nullptr;
    Before before = Before::Added;  // analysis only
    int components() const { return spin == 0 ? 1 : 2; }
};

// Exchanges are numbered. Even and odd exchanges have separate buffers, so that one is filled while
// the other is transferred. Arguments of a call must stay valid until its `finish`.
class RankStage {
public:
    virtual ~RankStage() = default;
    RankStage(const RankStage&) = delete;
    RankStage& operator=(const RankStage&) = delete;

    // The rows from which some pairs of rings are computed.
    virtual RingRuns rowsFor(const RingRuns& pairs) const = 0;
    // Allocates buffers for `count` RowModes a message, before calls of that size.
    virtual void reserve(int64_t count) = 0;

    // A synthesis. For each exchange: sumOrders() computes an own slice, if there is one;
    // takeRows() adds the rows of other slices to the own rings.
    virtual void startSynthesis(const StagedCall& call, std::span<const AlmShare> alm,
                                std::span<const MapSamples> maps, JobContext& job) = 0;
    virtual void sumOrders(size_t slice, JobContext& job) = 0;
    virtual void takeRows(size_t step, JobContext& job) = 0;
    virtual void finishSynthesis(JobContext& job) = 0;
    // An analysis. For each exchange: sendRows() prepares rows of own rings for the owners of their
    // orders; sumRows() computes the sums of an own slice from the received rows.
    virtual void startAnalysis(const StagedCall& call, std::span<const ConstMapSamples> maps,
                               std::span<const double> weights, std::span<AlmShare> alm,
                               JobContext& job) = 0;
    virtual void sendRows(size_t step, JobContext& job) = 0;
    virtual void sumRows(size_t slice, JobContext& job) = 0;
    virtual void finishAnalysis(JobContext& job) = 0;

    // The contiguous messages of an exchange: sent() waits until they are complete; toReceive()
    // waits until the receive buffer is free.
    virtual const RowModes* sent(size_t step) = 0;
    virtual RowModes* toReceive(size_t step) = 0;
    // Replaces the two calls for a stage with a group of devices: enqueues both directions of the
    // exchange on the device.
    virtual void passRows(size_t /*step*/) { ARMILLA_ASSERT(false); }
    // After a failure: waits until no work uses a call's arguments any longer.
    virtual void abandon() noexcept {}

    // Steps of all calls so far, without the time of the exchanges.
    const RankSteps& steps() const { return steps_; }

protected:
    RankStage() = default;
    RankSteps steps_;
};

std::unique_ptr<RankStage> makeCpuRankStage(const RankRings& own, int lmax, int mmax,
                                            const RowShares& shares, int rank, JobContext& job);
// `group`: the devices of all ranks, or null. Throws Unsupported in builds without CUDA.
std::unique_ptr<RankStage> makeCudaRankStage(const RingGrid& grid, int lmax, int mmax,
                                             const RowShares& shares, int rank, int device,
                                             std::shared_ptr<DeviceGroup> group);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// A transform over ranks of which some compute on devices: rows of F_m pass (row_shares.h), one
// exchange beside the work of the next slice; what a rank does of it is its RankStage. They pass by
// the devices where each rank has one of its own and these can (device/device_group.h).
//
// An order is summed, and a ring is transformed, on one rank, in the blocks of one process: the
// bits of one device where all ranks have one of a kind, those of the CPU where none has.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "device/device_group.h"
#include "ops/device.h"
#include "sht/ranks/rank_stage.h"
#include "sht/ranks/share_transform.h"

namespace armilla {

class StagedTransform final : public ShareTransform {
public:
    // `device`: of this rank. `powers`: of all ranks.
    StagedTransform(const RingGrid& grid, int lmax, int mmax, const Device& device,
                    std::span<const RankPower> powers, Ranks& ranks, JobContext& job,
                    const std::vector<RingRuns>* pairs = nullptr);

    void synthesis(int spin, std::span<const AlmShare> alm, std::span<const MapSamples> maps,
                   JobContext& job) override;
    void gradient(const AlmShare& alm, MapSamples dTheta, MapSamples dPhi,
                  JobContext& job) override;
    void adjoint(int spin, std::span<const ConstMapSamples> maps, std::span<const double> weights,
                 std::span<AlmShare> alm, Before before, JobContext& job) override;

private:
    struct Messages {
        SeenFrom seen;
        RowMessages synthesis, analysis;
    };
    StagedTransform(const RingGrid& grid, int lmax, int mmax, std::unique_ptr<RowShares> shares,
                    const Device& device, Ranks& ranks, JobContext& job);
    const Messages& messagesFor(int spin);
    void synthesize(const StagedCall& call, std::span<const AlmShare> alm,
                    std::span<const MapSamples> maps, JobContext& job);
    void accumulate(const StagedCall& call, std::span<const ConstMapSamples> maps,
                    std::span<const double> weights, std::span<AlmShare> alm, JobContext& job);
    void pass(const StagedCall& call, size_t step, JobContext& job);
    // Exchanges by the host go beside the next slice's sums; one of devices is among their work.
    size_t stepsBehind() const { return group_ == nullptr ? 1 : 0; }
    template <typename Body>
    void guarded(const Body& body);

    RingGrid grid_;
    int lmax_ = 0, mmax_ = 0;
    std::unique_ptr<RowShares> shares_;  // where the stage finds it
    Ranks& ranks_;
    std::shared_ptr<DeviceGroup> group_;  // null: what passes goes by the host
    std::unique_ptr<RankStage> stage_;    // null: this rank has no share
    double exchange_ = 0.0;
    std::map<int, Messages> messages_;  // of each spin
};

// The power of every rank, of which this one has `device` and so many threads. Called by all.
std::vector<RankPower> powersOfRanks(const Device& device, int threads, Ranks& ranks,
                                     JobContext& job);

}  // namespace armilla

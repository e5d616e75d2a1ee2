// SPDX-License-Identifier: GPL-3.0-or-later
// A transform over ranks of which some compute on devices. Ranks exchange rows of F_m
// (row_shares.h); an exchange overlaps with the work of the next slice. A RankStage does the work
// of one rank. If each rank has its own device and the devices can exchange directly, rows pass
// between devices (armilla/device/device_group.h).
//
// An order is summed, and a ring is transformed, on one rank, in the blocks of one process. So the
// bits are those of one device if all ranks have devices of one kind, and those of the CPU if no
// rank has a device.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "armilla/device/device_group.h"
#include "armilla/ops/device.h"
#include "sht/several/ranks/rank_stage.h"
#include "sht/several/ranks/share_transform.h"

namespace armilla {

class StagedTransform final : public ShareTransform {
public:
    // `device`: the device of this rank. `powers`: one for each rank.
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
    // Exchanges through the host overlap with the next slice's sums; exchanges of devices are part
    // of their own work.
    size_t stepsBehind() const { return group_ == nullptr ? 1 : 0; }
    template <typename Body>
    void guarded(const Body& body);

    RingGrid grid_;
    int lmax_ = 0, mmax_ = 0;
    std::unique_ptr<RowShares> shares_;  // on the heap: the stage refers to it
    Ranks& ranks_;
    std::shared_ptr<DeviceGroup> group_;  // null: the exchange goes through the host
    std::unique_ptr<RankStage> stage_;    // null: this rank has no share
    double exchange_ = 0.0;
    std::map<int, Messages> messages_;  // for each spin
};

// The power of every rank; this rank has `device` and `threads` threads. All ranks call it.
std::vector<RankPower> powersOfRanks(const Device& device, int threads, Ranks& ranks,
                                     JobContext& job);

}  // namespace armilla

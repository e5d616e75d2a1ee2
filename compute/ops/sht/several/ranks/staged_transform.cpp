// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/several/ranks/staged_transform.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "armilla/core/error.h"
#include "shared/map_groups.h"
#include "shared/shape_checks.h"
#include "sht/plan/ring_passes.h"
#include "sht/plan/sht_backend.h"

namespace armilla {

namespace {

// The speed of a core in the unit of a device's speed, operations a second: transforms of one map
// on 64 cores take 4.6 times as long as on an H100, which has 33e12 by its clock (a multiply-add
// counts twice).
constexpr double kSpeedOfCore = 1.1e11;
// For a device whose driver does not report a speed.
constexpr double kSpeedOfDevice = 1e13;

// A rank's description of its device.
struct DeviceCard {
    bool joins = false;
    DeviceGroup::DeviceName name{};
};

// Called by all ranks, each of which has a device. Returns null if the devices cannot exchange
// directly.
std::shared_ptr<DeviceGroup> groupOfDevices(const Device& device, Ranks& ranks, JobContext& job) {
    const auto count = static_cast<size_t>(ranks.size());
    DeviceCard own;
    if (count > 1 && DeviceGroup::missing().empty())
        own = {true, DeviceGroup::nameOf(device.index)};
    std::set<DeviceGroup::DeviceName> names;
    for (const auto& each : ranks.gatherAll(std::span<const DeviceCard>(&own, 1), job))
        if (each.at(0).joins) names.insert(each.at(0).name);
    if (names.size() < count) return nullptr;
    DeviceGroup::Id id{};
    if (ranks.rank() == 0) id = DeviceGroup::newId();
    id = ranks.gatherAll(std::span<const DeviceGroup::Id>(&id, 1), job).at(0).at(0);
    return std::make_shared<DeviceGroup>(device.index, id, ranks.rank(), static_cast<int>(count));
}

}  // namespace

std::vector<RankPower> powersOfRanks(const Device& device, int threads, Ranks& ranks,
                                     JobContext& job) {
    const bool cuda = device.kind == DeviceKind::Cuda;
    const double own[] = {cuda ? 1.0 : 0.0, !cuda                ? kSpeedOfCore * threads
                                            : device.flops > 0.0 ? device.flops
                                                                 : kSpeedOfDevice};
    std::vector<RankPower> powers;
    for (const auto& each : ranks.gatherAll(std::span<const double>(own), job))
        powers.push_back({each.at(0) != 0.0, each.at(1)});
    return powers;
}

StagedTransform::StagedTransform(const RingGrid& grid, int lmax, int mmax, const Device& device,
                                 std::span<const RankPower> powers, Ranks& ranks, JobContext& job,
                                 const std::vector<RingRuns>* pairs)
    : StagedTransform(grid, lmax, mmax,
                      std::make_unique<RowShares>(grid, lmax, mmax, powers, pairs), device, ranks,
                      job) {}

StagedTransform::StagedTransform(const RingGrid& grid, int lmax, int mmax,
                                 std::unique_ptr<RowShares> shares, const Device& device,
                                 Ranks& ranks, JobContext& job)
    : ShareTransform(RankRings(grid, lmax, mmax, shares->pairs, ranks.rank()), shares->pairs,
                     shares->ownerOfOrder, lmax, ranks.rank()),
      grid_(grid),
      lmax_(lmax),
      mmax_(mmax),
      shares_(std::move(shares)),
      ranks_(ranks) {
    if (shares_->devicesAlone)
        group_ = ranks.devices([&] { return groupOfDevices(device, ranks, job); });
    if (!shares_->works(static_cast<size_t>(ranks.rank()))) return;
    stage_ = device.kind == DeviceKind::Cuda
                 ? makeCudaRankStage(grid, lmax, mmax, *shares_, ranks.rank(), device.index, group_)
                 : makeCpuRankStage(own_, lmax, mmax, *shares_, ranks.rank(), job);
}

const StagedTransform::Messages& StagedTransform::messagesFor(int spin) {
    const auto found = messages_.find(spin);
    if (found != messages_.end()) return found->second;
    Messages all{SeenFrom(grid_, lmax_, mmax_, spin, *shares_), {}, {}};
    const auto own = static_cast<size_t>(ranks_.rank());
    const RowShares& s = *shares_;
    for (size_t other = 0; other < s.pairs.size(); ++other) {
        for (RowMessages* messages : {&all.synthesis, &all.analysis}) {
            messages->sends.emplace_back();
            messages->takes.emplace_back();
        }
        if (other == own || stage_ == nullptr || !s.works(other)) continue;
        // From the rank of the orders to the rank of the rings, and back.
        all.synthesis.sends.back() =
            RowExchange(s.slices[own], all.seen.rows, stage_->rowsFor(s.pairs[other]));
        all.synthesis.takes.back() =
            RowExchange(s.slices[other], all.seen.rows, stage_->rowsFor(s.pairs[own]));
        all.analysis.sends.back() = RowExchange(s.slices[other], all.seen.pairs, s.pairs[own]);
        all.analysis.takes.back() = RowExchange(s.slices[own], all.seen.pairs, s.pairs[other]);
    }
    if (stage_ != nullptr) try {
            stage_->reserve(static_cast<int64_t>(componentsOf(spin)) *
                            std::max(all.synthesis.most(), all.analysis.most()));
        } catch (...) {
            messages_.clear();  // buffers may be missing after a failed attempt
            throw;
        }
    return messages_.emplace(spin, std::move(all)).first->second;
}

// Ensures that no work uses the caller's arrays after a call has ended, by an exception, too.
template <typename Body>
void StagedTransform::guarded(const Body& body) {
    try {
        body();
    } catch (...) {
        // This comes first: an exchange without its partner rank would block all later work.
        if (group_ != nullptr) group_->abandon();
        if (stage_ != nullptr) stage_->abandon();
        throw;
    }
    const double share = steps_.share;
    if (stage_ != nullptr) steps_ = stage_->steps();
    steps_.exchange = exchange_;
    steps_.share = share;
}

void StagedTransform::pass(const StagedCall& call, size_t step, JobContext& job) {
    const RowModes* from = nullptr;
    RowModes* to = nullptr;
    if (group_ != nullptr) {
        const auto start = std::chrono::steady_clock::now();
        ranks_.meet(job);  // no rank has left: every sent message is received
        group_->check();
        if (stage_ != nullptr) stage_->passRows(step);
        exchange_ += secondsSince(start);
        return;
    }
    if (stage_ != nullptr) {
        from = stage_->sent(step);
        to = stage_->toReceive(step);
    }
    const auto start = std::chrono::steady_clock::now();
    std::vector<Ranks::ConstBytes> sends;
    std::vector<Ranks::Bytes> receives;
    for (size_t other = 0; other < shares_->pairs.size(); ++other) {
        const auto sizeOf = [&](const std::vector<RowExchange>& rows) {
            return static_cast<size_t>(call.components() * rows[other].count(step));
        };
        const size_t out = sizeOf(call.messages->sends), in = sizeOf(call.messages->takes);
        sends.push_back(std::as_bytes(std::span(from, out)));
        receives.push_back(std::as_writable_bytes(std::span(to, in)));
        if (out > 0) from += out;
        if (in > 0) to += in;
    }
    ranks_.exchange(sends, receives, job);
    exchange_ += secondsSince(start);
}

void StagedTransform::synthesize(const StagedCall& call, std::span<const AlmShare> alm,
                                 std::span<const MapSamples> maps, JobContext& job) {
    const size_t steps = shares_->steps();
    const auto own = static_cast<size_t>(ranks_.rank());
    guarded([&] {
        JobContext silent(job.stopToken(), {}, job.threads());
        if (stage_ != nullptr) stage_->startSynthesis(call, alm, maps, silent);
        const size_t behind = stepsBehind();
        for (size_t step = 0; step < steps + behind; ++step) {
            job.report(0.8 * static_cast<double>(step) / static_cast<double>(steps + behind),
                       "Legendre sums");
            if (step < shares_->slices[own].size()) stage_->sumOrders(step, silent);
            if (step < behind) continue;
            pass(call, step - behind, silent);
            if (stage_ != nullptr) stage_->takeRows(step - behind, silent);
        }
        job.report(0.8, "ring FFTs");
        if (stage_ != nullptr) stage_->finishSynthesis(silent);
        job.report(1.0, "ring FFTs");
    });
}

void StagedTransform::accumulate(const StagedCall& call, std::span<const ConstMapSamples> maps,
                                 std::span<const double> weights, std::span<AlmShare> alm,
                                 JobContext& job) {
    const size_t steps = shares_->steps();
    const auto own = static_cast<size_t>(ranks_.rank());
    guarded([&] {
        JobContext silent(job.stopToken(), {}, job.threads());
        job.report(0.0, "ring FFTs");
        const size_t behind = stepsBehind();
        if (stage_ != nullptr) stage_->startAnalysis(call, maps, weights, alm, silent);
        for (size_t step = 0; stage_ != nullptr && step < behind; ++step)
            stage_->sendRows(step, silent);
        for (size_t step = 0; step < steps; ++step) {
            job.report(0.2 + 0.8 * static_cast<double>(step) / static_cast<double>(steps),
                       "Legendre sums");
            if (stage_ != nullptr && step + behind < steps) stage_->sendRows(step + behind, silent);
            pass(call, step, silent);
            if (step < shares_->slices[own].size()) stage_->sumRows(step, silent);
        }
        if (stage_ != nullptr) stage_->finishAnalysis(silent);
        job.report(1.0, "Legendre sums");
    });
}

void StagedTransform::synthesis(int spin, std::span<const AlmShare> alm,
                                std::span<const MapSamples> maps, JobContext& job) {
    checkNumbers(alm.size(), maps.size());
    for (const MapSamples& map : maps) checkMap(sizeOf(map));
    const Messages& messages = messagesFor(spin);
    forEachGroup(maps.size(), componentsOf(spin), job,
                 [&](size_t first, size_t count, JobContext& part) {
                     synthesize({spin, {}, &messages.seen, &messages.synthesis},
                                alm.subspan(first, count), maps.subspan(first, count), part);
                 });
}

void StagedTransform::gradient(const AlmShare& alm, MapSamples dTheta, MapSamples dPhi,
                               JobContext& job) {
    checkMap(sizeOf(dTheta));
    checkMap(sizeOf(dPhi));
    refusePoles();
    const Messages& messages = messagesFor(0);
    const MapSamples maps[] = {dTheta, dPhi};
    const GradientPart parts[] = {GradientPart::Theta, GradientPart::Phi};
    forEachGroup(2, 1, job, [&](size_t i, size_t, JobContext& part) {
        synthesize({0, parts[i], &messages.seen, &messages.synthesis}, {&alm, 1}, {&maps[i], 1},
                   part);
    });
}

void StagedTransform::adjoint(int spin, std::span<const ConstMapSamples> maps,
                              std::span<const double> weights, std::span<AlmShare> alm,
                              Before before, JobContext& job) {
    checkNumbers(alm.size(), maps.size());
    for (const ConstMapSamples& map : maps) checkMap(sizeOf(map));
    const Messages& messages = messagesFor(spin);
    forEachGroup(
        maps.size(), componentsOf(spin), job, [&](size_t first, size_t count, JobContext& part) {
            accumulate({spin, {}, &messages.seen, &messages.analysis, before},
                       maps.subspan(first, count), weights, alm.subspan(first, count), part);
        });
}

}  // namespace armilla

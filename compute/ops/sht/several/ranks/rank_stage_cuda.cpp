// SPDX-License-Identifier: GPL-3.0-or-later
// The stage of a rank with a CUDA device: CudaRingTransform's plan of a share, as in
// order_shares_cuda.cpp. Rows go from device to device, on the stream that produces and consumes
// them, or through pinned host memory. Then the host waits for the rows to send while the device
// computes the next slice.
#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/device/host_copies.h"
#include "sht/plan/ring_transform_plan_cuda.h"
#include "sht/several/ranks/rank_stage.h"

namespace armilla {

namespace {

using cuda::check;
using cuda::DeviceBuffer;
using cuda::DeviceScope;
using cuda::Event;
using cuda::kBandRows;
using cuda::ModeRows;
using cuda::PairModes;
using cuda::PinnedBuffer;

static_assert(sizeof(RowModes) == sizeof(PairModes));

CudaOrderShare shareOf(const RowShares& shares, int rank) {
    const auto own = static_cast<size_t>(rank);
    return {shares.pairs[own], shares.slices[own]};
}

CudaTransformShape shapeOf(const RowShares& shares) {
    CudaTransformShape shape;
    shape.interpolates = shares.devicesAlone;
    return shape;
}

// Coefficients as pairs of doubles; those of a share are in the order of their columns.
ConstMapSamples doublesOf(const AlmShare& alm) {
    return std::span(reinterpret_cast<const double*>(alm.values().data()), 2 * alm.values().size());
}
MapSamples doublesOf(AlmShare& alm) {
    return std::span(reinterpret_cast<double*>(alm.values().data()), 2 * alm.values().size());
}

}  // namespace

class CudaRankStage final : public RankStage {
public:
    CudaRankStage(const RingGrid& grid, int lmax, int mmax, const RowShares& shares, int rank,
                  int device, std::shared_ptr<DeviceGroup> group)
        : shares_(shares),
          group_(std::move(group)),
          own_(static_cast<size_t>(rank)),
          share_(shareOf(shares, rank)),
          plan_(grid, lmax, mmax, device, shapeOf(shares), &share_),
          copies_(device),
          received_(device),
          begin_(device, Event::Timing::On),
          middle_(device, Event::Timing::On),
          end_(device, Event::Timing::On) {
        ARMILLA_ASSERT(plan_.interpolates == shares.interpolates);
        for (auto* events : {&packed_, &arrived_})
            for (int i = 0; i < 2; ++i) events->emplace_back(device);
    }

    RingRuns rowsFor(const RingRuns& pairs) const override { return plan_.rowsFor(pairs); }
    void reserve(int64_t count) override {
        const auto size = static_cast<size_t>(count);
        if (workspace_ >= size) return;
        workspace_ = 0;  // while there is no buffer
        for (size_t i = 0; i < 2; ++i) {
            for (auto* buffers : {&send_, &receive_}) {
                (*buffers)[i] = {};
                (*buffers)[i] = DeviceBuffer<PairModes>(plan_.device, size);
            }
            if (group_ != nullptr) continue;
            for (auto* buffers : {&toSend_, &come_}) {
                (*buffers)[i] = {};
                (*buffers)[i] = PinnedBuffer<PairModes>(plan_.device, size);
            }
        }
        workspace_ = size;
    }

    void startSynthesis(const StagedCall& call, std::span<const AlmShare> alm,
                        std::span<const MapSamples> maps, JobContext& job) override {
        const DeviceScope scope(plan_.device);
        start(call);
        results_.assign(maps.begin(), maps.end());
        upload(alm, job);
        begin_.record(plan_.stream);
    }
    void sumOrders(size_t slice, JobContext& job) override {
        job.poll();
        const DeviceScope scope(plan_.device);
        const cuda::Stream& stream = plan_.transferStream;
        plan_.sumOrders(*tables_, slice, call_.spin, views_, source());
        const std::vector<RowExchange>& sends = call_.messages->sends;
        clearMessage(slice);
        for (size_t to = 0; to < sends.size(); ++to) {
            if (sends[to].count(slice) == 0) continue;
            for (int c = 0; c < call_.components(); ++c)
                for (const auto& [begin, end, place] : sends[to].rows)
                    cuda::copyRows({{plan_.modes[static_cast<size_t>(c)][slice % 2].data(),
                                     plan_.rows(), nullptr},
                                    rowsOf(sends, to, slice, c, send_, begin),
                                    tables_->slices[slice],
                                    plan_.mmax,
                                    tables_->firstRows.data(),
                                    begin,
                                    end},
                                   stream.get());
        }
        sendMessage(slice);
        for (int c = 0; c < call_.components(); ++c)
            for (const RingRuns::Run& run : plan_.own)
                cuda::latitudesToRings(plan_.ofRun(toRings(slice, c), run), stream.get());
        plan_.transferred[slice].record(stream);
    }
    void takeRows(size_t step, JobContext& job) override {
        job.poll();
        const DeviceScope scope(plan_.device);
        bringMessage(step);
        const std::vector<RowExchange>& takes = call_.messages->takes;
        for (size_t from = 0; from < takes.size(); ++from) {
            if (takes[from].count(step) == 0) continue;
            for (int c = 0; c < call_.components(); ++c) {
                cuda::LatitudeTransfer t = toRings(0, c);
                t.slice.orders = shares_.slices[from][step];
                for (const RingRuns::Run& run : plan_.own) {
                    t.modes = rowsOf(takes, from, step, c, receive_, plan_.rowsFor(run).begin);
                    cuda::latitudesToRings(plan_.ofRun(t, run), plan_.transferStream.get());
                }
            }
        }
    }
    void finishSynthesis(JobContext& job) override {
        const DeviceScope scope(plan_.device);
        received_.record(plan_.transferStream);
        received_.holdBack(plan_.stream);
        middle_.record(plan_.stream);
        for (int c = 0; c < call_.components(); ++c)
            for (size_t piece = 0; piece < plan_.ringPieces(); ++piece) {
                job.poll();
                plan_.ringsToSamples(piece, plan_.ringFft(*tables_, c, mapOf(c)));
            }
        end_.record(plan_.stream);
        plan_.stream.synchronize();
        if (group_ != nullptr) group_->check();
        note(steps_.legendre, steps_.fft);
        std::vector<HostCopies::Download> all;
        for (size_t c = 0; c < results_.size(); ++c) all.push_back({&maps_[c], results_[c], 0});
        copies_.download(all, job);
    }

    void startAnalysis(const StagedCall& call, std::span<const ConstMapSamples> maps,
                       std::span<const double> weights, std::span<AlmShare> alm,
                       JobContext& job) override {
        const DeviceScope scope(plan_.device);
        start(call);
        sums_ = alm;
        std::vector<HostCopies::Upload> all;
        for (size_t c = 0; c < maps.size(); ++c) all.push_back({maps[c], &maps_[c], 0});
        copies_.upload(all, job);
        if (call.before == Before::Replaced)
            clearCoefficients();
        else
            upload(alm, job);
        plan_.setWeights(weights);
        begin_.record(plan_.stream);
        for (int c = 0; c < call_.components(); ++c)
            for (size_t piece = 0; piece < plan_.ringPieces(); ++piece) {
                job.poll();
                plan_.samplesToRings(piece, plan_.ringFft(*tables_, c, mapOf(c)));
            }
        middle_.record(plan_.stream);
        plan_.started.record(plan_.stream);
        plan_.started.holdBack(plan_.transferStream);
    }
    void sendRows(size_t step, JobContext& job) override {
        job.poll();
        const DeviceScope scope(plan_.device);
        const std::vector<RowExchange>& sends = call_.messages->sends;
        clearMessage(step);
        for (size_t to = 0; to < sends.size(); ++to) {
            if (sends[to].count(step) == 0) continue;
            for (int c = 0; c < call_.components(); ++c) {
                cuda::LatitudeTransfer t = fromRings(0, c);
                t.slice.orders = shares_.slices[to][step];
                for (const RingRuns::Run& run : plan_.own) {
                    t.modes = rowsOf(sends, to, step, c, send_, run.begin);
                    cuda::ringsToRows(plan_.ofRun(t, run), plan_.transferStream.get());
                }
            }
        }
        sendMessage(step);
    }
    void sumRows(size_t slice, JobContext& job) override {
        job.poll();
        const DeviceScope scope(plan_.device);
        const cuda::Stream& stream = plan_.transferStream;
        bringMessage(slice);
        const auto awaitModes = [&] {
            if (slice > 1) plan_.summed[slice - 2].holdBack(stream);
        };
        if (!plan_.interpolates) awaitModes();
        const std::vector<RowExchange>& takes = call_.messages->takes;
        for (int c = 0; c < call_.components(); ++c) {
            const ModeRows to = allRings(slice, c);
            cuda::LatitudeTransfer t = fromRings(slice, c);
            t.modes = to;
            for (const RingRuns::Run& run : plan_.own)
                cuda::ringsToRows(plan_.ofRun(t, run), stream.get());
            for (size_t from = 0; from < takes.size(); ++from) {
                if (takes[from].count(slice) == 0) continue;
                for (const auto& [begin, end, place] : takes[from].rows)
                    cuda::copyRows(
                        {rowsOf(takes, from, slice, c, receive_, begin), to, tables_->slices[slice],
                         plan_.mmax, tables_->firstPairs.data(), begin, end},
                        stream.get());
            }
        }
        if (plan_.interpolates) {
            awaitModes();
            for (int c = 0; c < call_.components(); ++c) {
                cuda::LatitudeTransfer t = fromRings(slice, c);
                t.ringPairs = static_cast<int>(plan_.northern.size());
                cuda::rowsToLatitudes(t, {allRings(slice, c), tables_->firstPairs.data()},
                                      stream.get());
            }
        }
        plan_.transferred[slice].record(stream);
        plan_.sumLatitudes(*tables_, slice, call_.spin, views_);
    }
    void finishAnalysis(JobContext& job) override {
        const DeviceScope scope(plan_.device);
        end_.record(plan_.stream);
        plan_.stream.synchronize();
        plan_.transferStream.synchronize();
        if (group_ != nullptr) group_->check();
        note(steps_.fft, steps_.legendre);
        std::vector<HostCopies::Download> all;
        for (size_t c = 0; plan_.coefficients > 0 && c < sums_.size(); ++c)
            all.push_back({&alm_[c], doublesOf(sums_[c]), 0});
        copies_.download(all, job);
    }

    const RowModes* sent(size_t step) override {
        if (messageOf(step) == 0) return nullptr;
        packed_[step % 2].synchronize();
        return reinterpret_cast<const RowModes*>(toSend_[step % 2].data());
    }
    RowModes* toReceive(size_t step) override {
        // The buffer of the exchange before the last has been copied to the device.
        arrived_[step % 2].synchronize();
        return reinterpret_cast<RowModes*>(come_[step % 2].data());
    }
    void passRows(size_t step) override {
        using Arrays = std::vector<DeviceGroup::Array>;
        const auto arraysOf = [&](const std::vector<RowExchange>& rows,
                                  const DeviceBuffer<PairModes>& buffer) {
            Arrays arrays;
            PairModes* next = buffer.data();
            for (size_t other = 0; other < rows.size(); ++other) {
                const auto count =
                    static_cast<size_t>(call_.components() * rows[other].count(step));
                if (count > 0)
                    arrays.push_back({static_cast<int>(other), next, count * sizeof(PairModes)});
                next += count;
            }
            return arrays;
        };
        const Arrays sends = arraysOf(call_.messages->sends, send_[step % 2]);
        const Arrays receives = arraysOf(call_.messages->takes, receive_[step % 2]);
        // At most two exchanges ahead of the device, so that cancellation takes effect.
        packed_[step % 2].synchronize();
        group_->exchange(sends, receives, plan_.transferStream);
        packed_[step % 2].record(plan_.transferStream);
        for (const DeviceGroup::Array& each : sends)
            steps_.bytesSent += static_cast<int64_t>(each.bytes);
        steps_.exchangedBy = ExchangedBy::Devices;
    }
    void abandon() noexcept override { plan_.awaitAll(); }

private:
    double* mapOf(int component) { return maps_[static_cast<size_t>(component)].data(); }
    cuda::ScalarSource source() const {
        if (!call_.derivative) return cuda::ScalarSource::Plain;
        return *call_.derivative == GradientPart::Theta ? cuda::ScalarSource::ThetaDerivative
                                                        : cuda::ScalarSource::PhiDerivative;
    }

    void start(const StagedCall& call) {
        call_ = call;
        const auto count = static_cast<size_t>(call.components());
        tables_ = &plan_.tablesFor(call.spin, call.components());
        ARMILLA_ASSERT(!shares_.devicesAlone || (tables_->h_firstRow == call.seen->rows &&
                                                 tables_->h_firstPair == call.seen->pairs));
        // A rank without orders has no slice; this empty slice stands for those of other ranks.
        if (tables_->slices.empty()) tables_->slices.push_back({0, 1, 0});
        plan_.makeEvents(*tables_);
        while (maps_.size() < count)
            maps_.emplace_back(plan_.device, static_cast<size_t>(plan_.samples));
        while (alm_.size() < count)
            alm_.emplace_back(plan_.device, static_cast<size_t>(2 * plan_.coefficients));
        views_.clear();
        for (size_t c = 0; c < count; ++c) views_.push_back(plan_.view(alm_[c]));
        const size_t slots = shares_.slices[own_].empty()
                                 ? 0
                                 : static_cast<size_t>(shares_.slices[own_].front().slots);
        for (size_t c = 0; plan_.interpolates && c < count; ++c)
            if (ringModes_[c].size() < slots * plan_.northern.size())
                ringModes_[c] =
                    DeviceBuffer<PairModes>(plan_.device, slots * plan_.northern.size());
        // Positions of the rows of these messages.
        for (const auto* rows : {&call.messages->sends, &call.messages->takes}) {
            auto& tables = places_[rows];
            if (!tables.empty()) continue;
            std::vector<DeviceBuffer<int64_t>> made;
            for (const RowExchange& each : *rows)
                made.push_back(uploaded(plan_.device, each.at, plan_.stream));
            tables = std::move(made);
        }
        steps_.deviceBytes = std::max(steps_.deviceBytes, deviceBytes());
    }
    void upload(std::span<const AlmShare> alm, JobContext& job) {
        std::vector<HostCopies::Upload> all;
        for (size_t c = 0; plan_.coefficients > 0 && c < alm.size(); ++c)
            all.push_back({doublesOf(alm[c]), &alm_[c], 0});
        copies_.upload(all, job);
    }
    void clearCoefficients() {
        for (int c = 0; plan_.coefficients > 0 && c < call_.components(); ++c) {
            const CudaArray& alm = alm_[static_cast<size_t>(c)];
            check(cudaMemsetAsync(alm.data(), 0, alm.size() * sizeof(double), plan_.stream.get()),
                  "clearing coefficients");
        }
    }
    int64_t deviceBytes() const {
        size_t bytes = 0;
        for (const auto* all : {&maps_, &alm_})
            for (const CudaArray& one : *all) bytes += one.size() * sizeof(double);
        for (const auto* all : {&send_, &receive_, &ringModes_})
            for (const auto& buffer : *all) bytes += buffer.size() * sizeof(PairModes);
        for (const auto& [rows, tables] : places_)
            for (const auto& table : tables) bytes += table.size() * sizeof(int64_t);
        return plan_.deviceBytes() + static_cast<int64_t>(bytes);
    }
    // Adds the seconds before and after the middle of a call to their steps.
    void note(double& before, double& behind) const {
        const auto between = [](const Event& from, const Event& to) {
            float milliseconds = 0.0F;
            check(cudaEventElapsedTime(&milliseconds, from.get(), to.get()), "timing a step");
            return 1e-3 * milliseconds;
        };
        before += between(begin_, middle_);
        behind += between(middle_, end_);
    }

    // The rows of a component from or to a rank in a message: the run that contains `latitude`,
    // indexed by the numbers of latitudes.
    ModeRows rowsOf(const std::vector<RowExchange>& rows, size_t rank, size_t step, int component,
                    const std::array<DeviceBuffer<PairModes>, 2>& buffers, int latitude) const {
        const RowExchange& of = rows[rank];
        return {buffers[step % 2].data() +
                    call_.components() * RowMessages::placeOf(rows, step, rank) +
                    component * of.totals[step] + of.shiftOf(latitude),
                0, places_.at(&rows)[rank].data() + step * static_cast<size_t>(of.slots)};
    }
    size_t messageOf(size_t step) const {
        return static_cast<size_t>(call_.components() *
                                   RowMessages::countOf(call_.messages->sends, step));
    }
    // Ranks without devices use more orders of a ring than devices do; these are zero.
    void clearMessage(size_t step) {
        if (shares_.devicesAlone || messageOf(step) == 0) return;
        check(cudaMemsetAsync(send_[step % 2].data(), 0, messageOf(step) * sizeof(PairModes),
                              plan_.transferStream.get()),
              "clearing Fourier coefficients");
    }
    void sendMessage(size_t step) {
        if (group_ != nullptr || messageOf(step) == 0) return;
        check(cudaMemcpyAsync(toSend_[step % 2].data(), send_[step % 2].data(),
                              messageOf(step) * sizeof(PairModes), cudaMemcpyDeviceToHost,
                              plan_.transferStream.get()),
              "copying Fourier coefficients from the device");
        packed_[step % 2].record(plan_.transferStream);
    }
    void bringMessage(size_t step) {
        const auto count = static_cast<size_t>(call_.components() *
                                               RowMessages::countOf(call_.messages->takes, step));
        if (group_ != nullptr || count == 0) return;
        check(cudaMemcpyAsync(receive_[step % 2].data(), come_[step % 2].data(),
                              count * sizeof(PairModes), cudaMemcpyHostToDevice,
                              plan_.transferStream.get()),
              "copying Fourier coefficients to the device");
        arrived_[step % 2].record(plan_.transferStream);
    }

    cuda::LatitudeTransfer toRings(size_t slice, int component) {
        cuda::LatitudeTransfer t = transfer(slice, plan_.toRings, component);
        if (call_.derivative) t.ringFactors = plan_.inverseSines.data();
        return t;
    }
    cuda::LatitudeTransfer fromRings(size_t slice, int component) {
        return transfer(slice, plan_.fromRings, component);
    }
    cuda::LatitudeTransfer transfer(size_t slice, const BandTables& band, int component) {
        return plan_.transfer(*tables_, slice, call_.spin, band, component, mapOf(component));
    }
    // F_m of all rings, for a slice.
    ModeRows allRings(size_t slice, int component) const {
        const auto c = static_cast<size_t>(component);
        if (plan_.interpolates)
            return {ringModes_[c].data(), static_cast<int64_t>(plan_.northern.size()), nullptr};
        return {plan_.modes[c][slice % 2].data(), plan_.rows(), nullptr};
    }

    const RowShares& shares_;
    std::shared_ptr<DeviceGroup> group_;  // null: rows pass through the host
    size_t own_ = 0;
    CudaOrderShare share_;
    CudaRingTransform::Plan plan_;
    HostCopies copies_;
    std::vector<CudaArray> maps_, alm_;
    std::array<DeviceBuffer<PairModes>, 2> send_, receive_, ringModes_;
    std::array<PinnedBuffer<PairModes>, 2> toSend_, come_;
    size_t workspace_ = 0;
    std::vector<Event> packed_, arrived_;
    Event received_, begin_, middle_, end_;
    std::map<const std::vector<RowExchange>*, std::vector<DeviceBuffer<int64_t>>> places_;
    // State of the current call.
    StagedCall call_;
    SpinTables* tables_ = nullptr;
    std::vector<cuda::DeviceAlm> views_;
    std::vector<MapSamples> results_;
    std::span<AlmShare> sums_;
};

std::unique_ptr<RankStage> makeCudaRankStage(const RingGrid& grid, int lmax, int mmax,
                                             const RowShares& shares, int rank, int device,
                                             std::shared_ptr<DeviceGroup> group) {
    return std::make_unique<CudaRankStage>(grid, lmax, mmax, shares, rank, device,
                                           std::move(group));
}

}  // namespace armilla

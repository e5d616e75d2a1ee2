// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/plan/order_shares_cuda.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "core/error.h"
#include "shared/band_interpolation.h"
#include "sht/legendre/legendre.h"
#include "sht/plan/device_link_cuda.h"
#include "sht/plan/ring_transform_plan_cuda.h"
#include "sht/plan/work_shares.h"

namespace armilla {

namespace {

using cuda::check;
using cuda::DeviceAlm;
using cuda::DeviceBuffer;
using cuda::DeviceLink;
using cuda::DeviceScope;
using cuda::kBandRows;
using cuda::kOrderTile;
using cuda::ModeRows;
using cuda::OrderSlice;
using cuda::PairModes;

// Slices of a share: so many tiles of orders each, so that a slice is enough work for a device and
// its message large; and so many at least, where there are tiles for them, that exchange and sums
// overlap.
constexpr int kTilesOfSlice = 64, kLeastSlices = 4;

int slicesFor(int tiles, int shares) {
    const int wanted = std::max(kLeastSlices, tiles / (kTilesOfSlice * shares));
    return shares * std::clamp(wanted, 1, std::max(1, tiles / shares));
}

// Seconds from one mark to another of the same device.
double secondsBetween(const cuda::Event& begin, const cuda::Event& end) {
    float milliseconds = 0.0F;
    check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "timing a step");
    return 1e-3 * milliseconds;
}

}  // namespace

struct CudaOrderShares::State {
    using Plan = CudaRingTransform::Plan;

    // What one link takes of a slice: rows `begin` to `end`, from the first that sees an order.
    struct Packing {
        int begin = 0, end = 0, slots = 0;
        std::vector<int64_t> totals;     // of each slice
        DeviceBuffer<int64_t> from, to;  // slot by slot, on both sides

        ModeRows rows(PairModes* packed, bool sender, size_t slice, size_t component) const {
            const DeviceBuffer<int64_t>& at = sender ? from : to;
            return {packed + static_cast<int64_t>(component) * totals[slice], 0,
                    at.data() + slice * static_cast<size_t>(slots)};
        }
    };
    struct Link {
        size_t from = 0, to = 0;
        std::unique_ptr<DeviceLink> way;
    };
    // Of a spin and a number of maps: tables of each share, packing of each link.
    struct Passing {
        std::vector<SpinTables*> tables;
        std::vector<Packing> synthesis, analysis;
        size_t steps = 0;  // most slices of a share
    };
    // The maps or coefficients of a call, for one share.
    struct Call {
        int spin = 0;
        cuda::ScalarSource source = cuda::ScalarSource::Plain;
        std::vector<std::vector<DeviceAlm>> alm;  // of each share
        std::vector<std::vector<double*>> maps;
    };

    State(const RingGrid& grid, int lmax, int mmax, const CudaSharing& sharing);
    std::vector<CudaOrderShare> deal(const RingGrid& grid, int lmax, int mmax,
                                     const CudaSharing& sharing);
    void makeLinks(BetweenDevices way);
    void noteOrders();

    Passing& passingFor(int spin, int parts);
    Packing packing(const Link& link, const Plan& owner, const SpinTables& tables,
                    const std::vector<int>& first, RingRange rows) const;
    RingRange rowsFor(const Plan& plan) const;

    template <typename Launch>
    void inSteps(size_t count, std::string_view stage, JobContext& job, const Launch& launch);
    void synthesize(const Call& call, JobContext& job);
    void accumulate(const Call& call, JobContext& job);
    void sendLatitudes(Passing& passing, const Call& call, size_t share, size_t slice);
    void takeLatitudes(Passing& passing, const Call& call, size_t share, size_t slice);
    void sendRings(Passing& passing, const Call& call, size_t slice);
    void takeRings(Passing& passing, const Call& call, size_t share, size_t slice);
    void launchRings(const Passing& passing, const Call& call, size_t piece, bool toSamples);
    size_t mostRingPieces() const;
    void startCall();
    void noteSteps(size_t sumsFrom, size_t sumsTo, size_t all);

    size_t count() const { return plans.size(); }
    bool has(const Passing& passing, size_t share, size_t slice) const {
        return slice < passing.tables[share]->slices.size();
    }
    const OrderSlice& sliceOf(const Passing& passing, size_t share, size_t slice) const {
        return passing.tables[share]->slices[slice];
    }

    bool hasPoles = false;
    std::vector<std::unique_ptr<Plan>> plans;
    std::vector<RingWindow> rings;
    std::vector<std::vector<RingWindow::Run>> orders;
    std::vector<Link> links;
    std::vector<cuda::Event> received;  // of each share, all latitudes of a synthesis
    // Of a component: F_m of all rings for a slice of orders, where latitudes are interpolated.
    std::vector<std::array<DeviceBuffer<PairModes>, 2>> ringModes;
    std::map<std::pair<int, int>, Passing> passings;
    CudaSharedSteps steps;
};

// Tiles of orders go round the slices, which have long series and short ones; slices and runs of
// ring pairs are dealt by cost.
std::vector<CudaOrderShare> CudaOrderShares::State::deal(const RingGrid& grid, int lmax, int mmax,
                                                         const CudaSharing& sharing) {
    const std::vector<std::pair<int, int>> pairs = mirroredPairs(grid);
    const auto ringOf = [&](int index) -> const Ring& {
        return grid.rings[static_cast<size_t>(index)];
    };
    const auto modesOf = [&](const Ring& ring) {
        return usefulModes(lmax, mmax, 0, ring.sinTheta, ring.z);
    };
    const bool interpolates = Plan::interpolationPays(sharing.shape, lmax, grid, pairs);
    // Of latitudes interpolated whole tiles: half of one would be another product of matrices.
    const int unit = interpolates ? kBandRows : 1;
    const int all = static_cast<int>(pairs.size());
    SharedWork work;
    for (int i = 0; i < all; ++i) {
        const auto [north, south] = pairs[static_cast<size_t>(i)];
        if (i % unit == 0) work.pairs.push_back(0.0);
        work.pairs.back() +=
            pairCost(south < 0 ? 1 : 2, ringOf(north).count, modesOf(ringOf(north)));
    }
    std::vector<int> modes;
    if (interpolates)
        for (const Ring& ring : midpointRings(Plan::midpointsFor(lmax)))
            modes.push_back(modesOf(ring));
    else
        for (const auto& [north, south] : pairs) modes.push_back(modesOf(ringOf(north)));
    const std::vector<double> costs = orderCosts(modes, lmax, mmax);
    const int tiles = mmax / kOrderTile + 1;
    const int most = std::min(
        {tiles, static_cast<int>(work.pairs.size()), static_cast<int>(sharing.devices.size())});
    for (int shares = most; true; --shares) {
        const int slices = slicesFor(tiles, shares);
        const int slots = (tiles + slices - 1) / slices * kOrderTile;
        work.blocks.assign(static_cast<size_t>(slices), 0.0);
        for (int m = 0; m <= mmax; ++m)
            work.blocks[static_cast<size_t>(m / kOrderTile % slices)] +=
                costs[static_cast<size_t>(m)];
        const WorkShares dealt(work, std::span(sharing.speeds).first(static_cast<size_t>(shares)));
        if (shares > 1 && dealt.pairs.back().begin == dealt.pairs.back().end) continue;
        std::vector<CudaOrderShare> result;
        for (const RingRange& range : dealt.pairs)
            result.push_back({range.begin * unit, std::min(all, range.end * unit), {}});
        for (int i = 0; i < slices; ++i)
            result[static_cast<size_t>(dealt.ownerOfBlock[static_cast<size_t>(i)])]
                .slices.push_back({i, slices, slots});
        return result;
    }
}

CudaOrderShares::State::State(const RingGrid& grid, int lmax, int mmax,
                              const CudaSharing& sharing) {
    hasPoles = grid.rings.front().sinTheta == 0.0 || grid.rings.back().sinTheta == 0.0;
    const std::vector<CudaOrderShare> shares = deal(grid, lmax, mmax, sharing);
    const std::vector<std::pair<int, int>> pairs = mirroredPairs(grid);
    for (size_t i = 0; i < shares.size(); ++i) {
        rings.push_back(ringWindow(grid, pairs, {shares[i].firstPair, shares[i].endPair}));
        plans.push_back(std::make_unique<Plan>(grid, lmax, mmax, sharing.devices[i], sharing.shape,
                                               &shares[i]));
        received.emplace_back(sharing.devices[i]);
        ringModes.emplace_back();
    }
    noteOrders();
    makeLinks(sharing.way);
}

void CudaOrderShares::State::noteOrders() {
    for (const auto& plan : plans) {
        std::vector<RingWindow::Run>& runs = orders.emplace_back();
        int64_t at = 0;
        for (int m = 0; m <= plan->mmax; ++m) {
            const int64_t degrees = plan->lmax - m + 1;
            if (plan->owns(m)) {
                if (runs.empty() || runs.back().first + runs.back().count != at)
                    runs.push_back({at, 0});
                runs.back().count += degrees;
            }
            at += degrees;
        }
    }
}

void CudaOrderShares::State::makeLinks(BetweenDevices way) {
    for (size_t from = 0; from < count(); ++from)
        for (size_t to = 0; to < count(); ++to)
            if (from != to)
                links.push_back(
                    {from, to,
                     std::make_unique<DeviceLink>(plans[from]->device, plans[to]->device, way)});
}

// The rows that the rings of a share are made of.
RingRange CudaOrderShares::State::rowsFor(const Plan& plan) const {
    const int own = static_cast<int>(plan.pairs.size());
    if (!plan.interpolates) return {plan.firstPair, plan.firstPair + own};
    const int rows = plan.rows();
    RingRange range{rows, 0};
    const int firstTile = plan.firstPair / kBandRows;
    for (int tile = firstTile; tile < firstTile + (own + kBandRows - 1) / kBandRows; ++tile) {
        const cuda::BandTile& band = plan.toRings.h_tiles[static_cast<size_t>(tile)];
        for (int column = band.first; column < band.first + 4 * band.steps; ++column) {
            // Images at the pole and at the equator.
            int row = column < 0 ? -1 - column : column;
            if (row >= rows) row = 2 * rows - 1 - row;
            if (row < 0) continue;
            range = {std::min(range.begin, row), std::max(range.end, row + 1)};
        }
    }
    return range;
}

// `owner`: whose orders they are.
CudaOrderShares::State::Packing CudaOrderShares::State::packing(const Link& link, const Plan& owner,
                                                                const SpinTables& tables,
                                                                const std::vector<int>& first,
                                                                RingRange rows) const {
    Packing packing{rows.begin, rows.end, tables.slices.front().slots, {}, {}, {}};
    std::vector<int64_t> at;
    for (const OrderSlice& slice : tables.slices) {
        int64_t total = 0;
        for (int slot = 0; slot < slice.slots; ++slot) {
            const int m = slice.orderOf(slot);
            const int begin = m > owner.mmax
                                  ? rows.end
                                  : std::clamp(first[static_cast<size_t>(m)], rows.begin, rows.end);
            at.push_back(total - begin);
            total += rows.end - begin;
        }
        packing.totals.push_back(total);
    }
    const Plan &from = *plans[link.from], &to = *plans[link.to];
    packing.from = uploaded(from.device, at, from.stream);
    packing.to = uploaded(to.device, at, to.stream);
    return packing;
}

CudaOrderShares::State::Passing& CudaOrderShares::State::passingFor(int spin, int parts) {
    const auto found = passings.find({spin, parts});
    if (found != passings.end()) return found->second;
    Passing passing;
    for (size_t i = 0; i < count(); ++i) {
        Plan& plan = *plans[i];
        const DeviceScope scope(plan.device);
        passing.tables.push_back(&plan.tablesFor(spin, parts));
        plan.makeEvents(*passing.tables.back());
        passing.steps = std::max(passing.steps, passing.tables.back()->slices.size());
        if (!plan.interpolates) continue;
        const auto size =
            static_cast<size_t>(passing.tables.back()->slices.front().slots) * plan.northern.size();
        for (int c = 0; c < parts; ++c)
            if (auto& buffer = ringModes[i][static_cast<size_t>(c)]; buffer.size() < size)
                buffer = DeviceBuffer<PairModes>(plan.device, size);
    }
    for (Link& link : links) {
        const SpinTables &sender = *passing.tables[link.from], &taker = *passing.tables[link.to];
        const Plan &from = *plans[link.from], &to = *plans[link.to];
        passing.synthesis.push_back(packing(link, from, sender, sender.h_firstRow, rowsFor(to)));
        passing.analysis.push_back(
            packing(link, to, taker, taker.h_firstPair,
                    {from.firstPair, from.firstPair + static_cast<int>(from.pairs.size())}));
        int64_t most = 0;
        for (const Packing* one : {&passing.synthesis.back(), &passing.analysis.back()})
            for (const int64_t total : one->totals) most = std::max(most, total);
        link.way->reserve(static_cast<size_t>(parts * most));
    }
    return passings.emplace(std::pair(spin, parts), std::move(passing)).first->second;
}

// Calls launch(i), i < count, which puts a step into the streams of all shares, one step ahead of
// the devices.
template <typename Launch>
void CudaOrderShares::State::inSteps(size_t count, std::string_view stage, JobContext& job,
                                     const Launch& launch) {
    const auto mark = [&](size_t i) {
        for (const auto& plan : plans) plan->marks[i].record(plan->stream);
    };
    job.report(0.0, stage);
    for (const auto& plan : plans)
        while (plan->marks.size() < count + 1)
            plan->marks.emplace_back(plan->device, cuda::Event::Timing::On);
    try {
        mark(0);
        for (size_t i = 0; i < count; ++i) {
            launch(i);
            mark(i + 1);
            if (i == 0) continue;
            for (const auto& plan : plans) plan->marks[i].synchronize();
            job.report(static_cast<double>(i) / static_cast<double>(count), stage);
        }
        for (const auto& plan : plans) plan->stream.synchronize();
        for (const Link& link : links) link.way->synchronize();
        job.report(1.0, stage);
    } catch (...) {
        // Nothing may be at work on the caller's arrays when they are gone.
        for (const auto& plan : plans) plan->awaitAll();
        for (const Link& link : links) link.way->await();
        for (const auto& plan : plans) plan->awaitAll();
        throw;
    }
}

size_t CudaOrderShares::State::mostRingPieces() const {
    size_t most = 0;
    for (const auto& plan : plans) most = std::max(most, plan->ringPieces());
    return most;
}

// A piece of the ring transforms of each share.
void CudaOrderShares::State::launchRings(const Passing& passing, const Call& call, size_t piece,
                                         bool toSamples) {
    const size_t component = piece / mostRingPieces(), own = piece % mostRingPieces();
    for (size_t i = 0; i < count(); ++i) {
        const Plan& plan = *plans[i];
        if (own >= plan.ringPieces()) continue;
        const DeviceScope scope(plan.device);
        const cuda::RingFft fft =
            plan.ringFft(*passing.tables[i], static_cast<int>(component), call.maps[i][component]);
        if (toSamples)
            plan.ringsToSamples(own, fft);
        else
            plan.samplesToRings(own, fft);
    }
}

// Rows of own orders to the others, and to the own rings.
void CudaOrderShares::State::sendLatitudes(Passing& passing, const Call& call, size_t share,
                                           size_t slice) {
    Plan& plan = *plans[share];
    const SpinTables& tables = *passing.tables[share];
    for (size_t l = 0; l < links.size(); ++l) {
        const Packing& packing = passing.synthesis[l];
        if (links[l].from != share || packing.totals[slice] == 0) continue;
        DeviceLink& way = *links[l].way;
        way.awaitRoom(slice, plan.transferStream);
        for (size_t c = 0; c < call.maps[share].size(); ++c)
            cuda::copyRows({{plan.modes[c][slice % 2].data(), plan.rows(), nullptr},
                            packing.rows(way.send(slice), true, slice, c),
                            tables.slices[slice],
                            plan.mmax,
                            tables.firstRows.data(),
                            packing.begin,
                            packing.end},
                           plan.transferStream.get());
        way.pass(slice, call.maps[share].size() * static_cast<size_t>(packing.totals[slice]),
                 plan.transferStream);
    }
    for (size_t c = 0; c < call.maps[share].size(); ++c) {
        cuda::LatitudeTransfer t = plan.transfer(tables, slice, call.spin, plan.toRings,
                                                 static_cast<int>(c), call.maps[share][c]);
        if (call.source != cuda::ScalarSource::Plain) t.ringFactors = plan.inverseSines.data();
        cuda::latitudesToRings(t, plan.transferStream.get());
    }
    plan.transferred[slice].record(plan.transferStream);
}

// What the others have sent, to the own rings.
void CudaOrderShares::State::takeLatitudes(Passing& passing, const Call& call, size_t share,
                                           size_t slice) {
    Plan& plan = *plans[share];
    for (size_t l = 0; l < links.size(); ++l) {
        const size_t from = links[l].from;
        const Packing& packing = passing.synthesis[l];
        if (links[l].to != share || !has(passing, from, slice) || packing.totals[slice] == 0)
            continue;
        DeviceLink& way = *links[l].way;
        way.awaitArrival(slice, plan.transferStream);
        for (size_t c = 0; c < call.maps[share].size(); ++c) {
            cuda::LatitudeTransfer t =
                plan.transfer(*passing.tables[share], 0, call.spin, plan.toRings,
                              static_cast<int>(c), call.maps[share][c]);
            t.slice.orders = sliceOf(passing, from, slice);
            t.modes = packing.rows(way.receive(slice), false, slice, c);
            if (call.source != cuda::ScalarSource::Plain) t.ringFactors = plan.inverseSines.data();
            cuda::latitudesToRings(t, plan.transferStream.get());
        }
        way.taken(slice, plan.transferStream);
    }
}

void CudaOrderShares::State::synthesize(const Call& call, JobContext& job) {
    const size_t components = call.maps[0].size();
    Passing& passing = passingFor(call.spin, static_cast<int>(components));
    startCall();
    const size_t sums = passing.steps + 1, ffts = components * mostRingPieces();
    inSteps(sums + ffts, "synthesis", job, [&](size_t step) {
        if (step >= sums) return launchRings(passing, call, step - sums, true);
        for (size_t i = 0; i < count(); ++i) {
            Plan& plan = *plans[i];
            const DeviceScope scope(plan.device);
            if (has(passing, i, step)) {
                plan.sumOrders(*passing.tables[i], step, call.spin, call.alm[i], call.source);
                sendLatitudes(passing, call, i, step);
            }
        }
        for (size_t i = 0; step > 0 && i < count(); ++i) {
            Plan& plan = *plans[i];
            const DeviceScope scope(plan.device);
            takeLatitudes(passing, call, i, step - 1);
            if (step < passing.steps) continue;
            received[i].record(plan.transferStream);
            received[i].holdBack(plan.stream);
        }
    });
    noteSteps(0, sums, sums + ffts);
}

// F_m of own rings to those who sum over them.
void CudaOrderShares::State::sendRings(Passing& passing, const Call& call, size_t slice) {
    for (size_t l = 0; l < links.size(); ++l) {
        const auto& [share, to, link] = links[l];
        const Packing& packing = passing.analysis[l];
        if (!has(passing, to, slice) || packing.totals[slice] == 0) continue;
        Plan& plan = *plans[share];
        const DeviceScope scope(plan.device);
        link->awaitRoom(slice, plan.transferStream);
        for (size_t c = 0; c < call.maps[share].size(); ++c) {
            cuda::LatitudeTransfer t =
                plan.transfer(*passing.tables[share], 0, call.spin, plan.fromRings,
                              static_cast<int>(c), call.maps[share][c]);
            t.slice.orders = sliceOf(passing, to, slice);
            t.modes = packing.rows(link->send(slice), true, slice, c);
            cuda::ringsToRows(t, plan.transferStream.get());
        }
        link->pass(slice, call.maps[share].size() * static_cast<size_t>(packing.totals[slice]),
                   plan.transferStream);
    }
}

// F_m of all rings, own ones and what the others have sent, to the modes of own orders.
void CudaOrderShares::State::takeRings(Passing& passing, const Call& call, size_t share,
                                       size_t slice) {
    Plan& plan = *plans[share];
    const SpinTables& tables = *passing.tables[share];
    const cuda::Stream& stream = plan.transferStream;
    const auto awaitModes = [&] {
        if (slice > 1) plan.summed[slice - 2].holdBack(stream);
    };
    const size_t components = call.maps[share].size();
    std::vector<ModeRows> to;
    for (size_t c = 0; c < components; ++c) {
        if (plan.interpolates)
            to.push_back(
                {ringModes[share][c].data(), static_cast<int64_t>(plan.northern.size()), nullptr});
        else
            to.push_back({plan.modes[c][slice % 2].data(), plan.rows(), nullptr});
    }
    if (!plan.interpolates) awaitModes();
    const auto transfer = [&](size_t c) {
        return plan.transfer(tables, slice, call.spin, plan.fromRings, static_cast<int>(c),
                             call.maps[share][c]);
    };
    for (size_t c = 0; c < components; ++c) {
        cuda::LatitudeTransfer t = transfer(c);
        t.modes = to[c];
        cuda::ringsToRows(t, stream.get());
    }
    for (size_t l = 0; l < links.size(); ++l) {
        const Packing& packing = passing.analysis[l];
        if (links[l].to != share || packing.totals[slice] == 0) continue;
        DeviceLink& way = *links[l].way;
        way.awaitArrival(slice, stream);
        for (size_t c = 0; c < components; ++c)
            cuda::copyRows(
                {packing.rows(way.receive(slice), false, slice, c), to[c], tables.slices[slice],
                 plan.mmax, tables.firstPairs.data(), packing.begin, packing.end},
                stream.get());
        way.taken(slice, stream);
    }
    if (plan.interpolates) {
        awaitModes();
        for (size_t c = 0; c < components; ++c) {
            cuda::LatitudeTransfer t = transfer(c);
            t.ringPairs = static_cast<int>(plan.northern.size());
            cuda::rowsToLatitudes(t, {to[c], tables.firstPairs.data()}, stream.get());
        }
    }
    plan.transferred[slice].record(stream);
}

void CudaOrderShares::State::accumulate(const Call& call, JobContext& job) {
    const size_t components = call.maps[0].size();
    Passing& passing = passingFor(call.spin, static_cast<int>(components));
    startCall();
    const size_t ffts = components * mostRingPieces();
    inSteps(ffts + passing.steps, "analysis", job, [&](size_t step) {
        if (step < ffts) return launchRings(passing, call, step, false);
        const size_t slice = step - ffts;
        if (slice == 0) {
            for (const auto& plan : plans) {
                plan->started.record(plan->stream);
                plan->started.holdBack(plan->transferStream);
            }
            sendRings(passing, call, 0);
        }
        if (slice + 1 < passing.steps) sendRings(passing, call, slice + 1);
        for (size_t i = 0; i < count(); ++i) {
            if (!has(passing, i, slice)) continue;
            const DeviceScope scope(plans[i]->device);
            takeRings(passing, call, i, slice);
            plans[i]->sumLatitudes(*passing.tables[i], slice, call.spin, call.alm[i]);
        }
    });
    noteSteps(ffts, ffts + passing.steps, ffts + passing.steps);
}

void CudaOrderShares::State::startCall() {
    for (const Link& link : links) link.way->startTimes();
}

// Of the marks those before and behind the Legendre sums; the others are of ring transforms.
void CudaOrderShares::State::noteSteps(size_t sumsFrom, size_t sumsTo, size_t all) {
    double legendre = 0.0, fft = 0.0, exchange = 0.0;
    for (const auto& plan : plans) {
        const double sums = secondsBetween(plan->marks[sumsFrom], plan->marks[sumsTo]);
        const double whole = secondsBetween(plan->marks[0], plan->marks[all]);
        if (whole <= legendre + fft) continue;
        legendre = sums;
        fft = whole - sums;
    }
    for (const Link& link : links) {
        exchange = std::max(exchange, link.way->seconds());
        steps.exchangedBytes += link.way->passedBytes();
    }
    steps.legendre += legendre;
    steps.fft += fft;
    steps.exchange += exchange;
}

CudaOrderShares::CudaOrderShares(const RingGrid& grid, int lmax, int mmax,
                                 const CudaSharing& sharing)
    : state_(std::make_unique<State>(grid, lmax, mmax, sharing)) {}
CudaOrderShares::~CudaOrderShares() = default;
CudaOrderShares::CudaOrderShares(CudaOrderShares&&) noexcept = default;
CudaOrderShares& CudaOrderShares::operator=(CudaOrderShares&&) noexcept = default;

size_t CudaOrderShares::count() const {
    return state_->count();
}
int CudaOrderShares::device(size_t share) const {
    return state_->plans[share]->device;
}
const RingWindow& CudaOrderShares::rings(size_t share) const {
    return state_->rings[share];
}
const std::vector<RingWindow::Run>& CudaOrderShares::orders(size_t share) const {
    return state_->orders[share];
}

CudaOrderShares::Arrays CudaOrderShares::newMap() const {
    Arrays map;
    for (const auto& plan : state_->plans)
        map.emplace_back(plan->device, static_cast<size_t>(plan->samples));
    return map;
}
CudaOrderShares::Arrays CudaOrderShares::newCoefficients() const {
    Arrays alm;
    for (const auto& plan : state_->plans)
        alm.emplace_back(plan->device, static_cast<size_t>(2 * plan->coefficients));
    return alm;
}

namespace {

// What belongs to each share, part by part.
template <typename Of>
auto ofShares(size_t shares, std::span<const CudaOrderShares::Arrays> arrays, const Of& of) {
    std::vector<std::vector<decltype(of(size_t{0}, arrays[0][0]))>> all(shares);
    for (const CudaOrderShares::Arrays& one : arrays)
        for (size_t i = 0; i < shares; ++i) all[i].push_back(of(i, one[i]));
    return all;
}

}  // namespace

void CudaOrderShares::synthesis(int spin, std::span<const Arrays> alm, std::span<Arrays> maps,
                                JobContext& job) {
    State& s = *state_;
    s.steps = {};
    const auto view = [&](size_t i, const CudaArray& one) { return s.plans[i]->view(one); };
    const auto data = [](size_t, const CudaArray& one) { return one.data(); };
    s.synthesize({spin, cuda::ScalarSource::Plain, ofShares(count(), alm, view),
                  ofShares(count(), maps, data)},
                 job);
}

void CudaOrderShares::gradient(const Arrays& alm, Arrays& dTheta, Arrays& dPhi, JobContext& job) {
    State& s = *state_;
    if (s.hasPoles)
        throw InvalidArgument("expected a grid without poles for the gradient, found one with");
    s.steps = {};
    const auto view = [&](size_t i, const CudaArray& one) { return s.plans[i]->view(one); };
    const auto data = [](size_t, const CudaArray& one) { return one.data(); };
    JobContext first = job.part(0.0, 0.5), second = job.part(0.5, 1.0);
    s.synthesize({0, cuda::ScalarSource::ThetaDerivative, ofShares(count(), {&alm, 1}, view),
                  ofShares(count(), {&dTheta, 1}, data)},
                 first);
    s.synthesize({0, cuda::ScalarSource::PhiDerivative, ofShares(count(), {&alm, 1}, view),
                  ofShares(count(), {&dPhi, 1}, data)},
                 second);
}

void CudaOrderShares::adjoint(int spin, std::span<Arrays> maps, std::span<const double> weights,
                              std::span<Arrays> alm, JobContext& job) {
    State& s = *state_;
    s.steps = {};
    for (size_t i = 0; i < count(); ++i) {
        std::vector<double> own;
        for (const int ring : s.rings[i].rings) own.push_back(weights[static_cast<size_t>(ring)]);
        const DeviceScope scope(s.plans[i]->device);
        s.plans[i]->setWeights(own);
    }
    const auto view = [&](size_t i, const CudaArray& one) { return s.plans[i]->view(one); };
    const auto data = [](size_t, const CudaArray& one) { return one.data(); };
    s.accumulate({spin, cuda::ScalarSource::Plain, ofShares(count(), alm, view),
                  ofShares(count(), maps, data)},
                 job);
}

int64_t CudaOrderShares::deviceBytes(size_t share) const {
    const State& s = *state_;
    size_t bytes = 0;
    const auto add = [&](const auto& buffer) { bytes += buffer.size() * sizeof(*buffer.data()); };
    for (const auto& buffer : s.ringModes[share]) add(buffer);
    for (size_t l = 0; l < s.links.size(); ++l) {
        const bool sends = s.links[l].from == share;
        if (!sends && s.links[l].to != share) continue;
        bytes += s.links[l].way->bytesOfSide();
        for (const auto& [key, passing] : s.passings)
            for (const State::Packing* one : {&passing.synthesis[l], &passing.analysis[l]})
                add(sends ? one->from : one->to);
    }
    return s.plans[share]->deviceBytes() + static_cast<int64_t>(bytes);
}

bool CudaOrderShares::copiesBetweenPeers() const {
    return std::all_of(state_->links.begin(), state_->links.end(),
                       [](const State::Link& link) { return link.way->isPeer(); });
}

const CudaSharedSteps& CudaOrderShares::steps() const {
    return state_->steps;
}

}  // namespace armilla

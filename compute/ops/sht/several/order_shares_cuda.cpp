// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/several/order_shares_cuda.h"

#include <algorithm>
#include <string>

#include "armilla/core/error.h"
#include "shared/band_interpolation.h"
#include "sht/legendre/legendre.h"
#include "sht/several/order_shares_state_cuda.h"
#include "sht/several/work_shares.h"

namespace armilla {

namespace {

using cuda::DeviceBuffer;
using cuda::DeviceLink;
using cuda::DeviceScope;
using cuda::kBandRows;
using cuda::kOrderTile;
using cuda::OrderSlice;
using cuda::PairModes;

// Slices of a share. A slice has at least kTilesOfSlice tiles of orders, so that it is enough work
// for a device and its message is large. A share has at least kLeastSlices slices, if there are
// tiles for them, so that exchange and sums overlap.
constexpr int kTilesOfSlice = 64, kLeastSlices = 4;

int slicesFor(int tiles, int shares) {
    const int wanted = std::max(kLeastSlices, tiles / (kTilesOfSlice * shares));
    return shares * std::clamp(wanted, 1, std::max(1, tiles / shares));
}

}  // namespace

// Tiles of orders are assigned to the slices in turn, so each slice has long and short series.
// Slices and runs of ring pairs are partitioned by cost.
std::vector<CudaOrderShare> CudaOrderShares::State::partition(const RingGrid& grid, int lmax,
                                                              int mmax,
                                                              const CudaSharing& sharing) {
    const std::vector<std::pair<int, int>> pairs = mirroredPairs(grid);
    const auto modesOf = [&](const Ring& ring) {
        return usefulModes(lmax, mmax, 0, ring.sinTheta, ring.z);
    };
    std::vector<int> modes;
    for (const auto& [north, south] : pairs)
        modes.push_back(modesOf(grid.rings[static_cast<size_t>(north)]));
    const bool interpolates =
        sharing.shape.interpolates && interpolatesLatitudes(lmax, grid, pairs);
    // Interpolated latitudes are partitioned by complete tiles: half a tile would be a different
    // product of matrices.
    const PairCosts ofPairs =
        pairCosts(grid, pairs, modes, RingsOn::Devices, interpolates ? kBandRows : 1);
    if (interpolates) {
        modes.clear();
        for (const Ring& ring : midpointRings(midpointsFor(lmax))) modes.push_back(modesOf(ring));
    }
    const std::vector<double> costs = orderCosts(modes, lmax, mmax);
    const int tiles = mmax / kOrderTile + 1;
    const int most = std::min({tiles, static_cast<int>(ofPairs.ofUnits.size()),
                               static_cast<int>(sharing.devices.size())});
    for (int shares = most; true; --shares) {
        const std::span speeds = std::span(sharing.speeds).first(static_cast<size_t>(shares));
        const std::vector<RingRuns> partitioned = partitionedPairs(ofPairs, speeds);
        if (std::any_of(partitioned.begin(), partitioned.end(),
                        [](auto& own) { return own.count() == 0; }))
            continue;
        const int slices = slicesFor(tiles, shares);
        const int slots = (tiles + slices - 1) / slices * kOrderTile;
        std::vector<double> ofSlices(static_cast<size_t>(slices), 0.0);
        for (int m = 0; m <= mmax; ++m)
            ofSlices[static_cast<size_t>(m / kOrderTile % slices)] += costs[static_cast<size_t>(m)];
        const std::vector<int> owners = partitionedBlocks(ofSlices, speeds);
        std::vector<CudaOrderShare> result;
        for (const RingRuns& own : partitioned) result.push_back({own, {}});
        for (int i = 0; i < slices; ++i)
            result[static_cast<size_t>(owners[static_cast<size_t>(i)])].slices.push_back(
                {i, slices, slots});
        return result;
    }
}

CudaOrderShares::State::State(const RingGrid& grid, int lmax, int mmax,
                              const CudaSharing& sharing) {
    hasPoles = grid.rings.front().sinTheta == 0.0 || grid.rings.back().sinTheta == 0.0;
    const std::vector<CudaOrderShare> shares = partition(grid, lmax, mmax, sharing);
    const std::vector<std::pair<int, int>> pairs = mirroredPairs(grid);
    for (size_t i = 0; i < shares.size(); ++i) {
        rings.push_back(ringWindow(grid, pairs, shares[i].pairs));
        plans.push_back(std::make_unique<Plan>(grid, lmax, mmax, sharing.devices[i], sharing.shape,
                                               &shares[i]));
        received.emplace_back(sharing.devices[i]);
        ringModes.emplace_back();
    }
    noteOrders();
    makeLinks(sharing.strategy);
}

void CudaOrderShares::State::noteOrders() {
    for (const auto& plan : plans) {
        std::vector<SampleRun>& runs = orders.emplace_back();
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

void CudaOrderShares::State::makeLinks(BetweenDevices strategy) {
    for (size_t from = 0; from < count(); ++from)
        for (size_t to = 0; to < count(); ++to)
            if (from != to)
                links.push_back({from, to,
                                 std::make_unique<DeviceLink>(plans[from]->device,
                                                              plans[to]->device, strategy)});
}

CudaOrderShares::State::Packing CudaOrderShares::State::packing(const Link& link,
                                                                RowExchange what) const {
    const Plan &from = *plans[link.from], &to = *plans[link.to];
    Packing packing{std::move(what), {}, {}};
    packing.from = uploaded(from.device, packing.what.at, from.stream);
    packing.to = uploaded(to.device, packing.what.at, to.stream);
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
        // From the owner of the orders to the owner of the rings, and back.
        passing.synthesis.push_back(
            packing(link, {sender.slices, sender.h_firstRow, to.rowsFor(to.own)}));
        passing.analysis.push_back(packing(link, {taker.slices, taker.h_firstPair, from.own}));
        int64_t most = 0;
        for (const Packing* one : {&passing.synthesis.back(), &passing.analysis.back()})
            for (const int64_t total : one->what.totals) most = std::max(most, total);
        link.path->reserve(static_cast<size_t>(parts * most));
    }
    return passings.emplace(std::pair(spin, parts), std::move(passing)).first->second;
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
const std::vector<SampleRun>& CudaOrderShares::orders(size_t share) const {
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

// The arrays of each share.
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
        bytes += s.links[l].path->bytesOfSide();
        for (const auto& [key, passing] : s.passings)
            for (const State::Packing* one : {&passing.synthesis[l], &passing.analysis[l]})
                add(sends ? one->from : one->to);
    }
    return s.plans[share]->deviceBytes() + static_cast<int64_t>(bytes);
}

bool CudaOrderShares::copiesBetweenPeers() const {
    return std::all_of(state_->links.begin(), state_->links.end(),
                       [](const State::Link& link) { return link.path->isPeer(); });
}

const CudaSharedSteps& CudaOrderShares::steps() const {
    return state_->steps;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Execution of the shares: sums of own orders, the exchange, transforms of own rings.
#include <algorithm>
#include <string_view>

#include "armilla/core/error.h"
#include "sht/legendre/legendre.h"
#include "sht/several/order_shares_state_cuda.h"

namespace armilla {

namespace {

using cuda::check;
using cuda::DeviceLink;
using cuda::DeviceScope;
using cuda::ModeRows;

// Seconds from one mark to another of the same device.
double secondsBetween(const cuda::Event& begin, const cuda::Event& end) {
    float milliseconds = 0.0F;
    check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "timing a step");
    return 1e-3 * milliseconds;
}

}  // namespace

// Calls launch(i), i < count. Each call puts a step into the streams of all shares, one step ahead
// of the devices.
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
        for (const Link& link : links) link.path->synchronize();
        job.report(1.0, stage);
    } catch (...) {
        // No device may still use the caller's arrays when they are destroyed.
        for (const auto& plan : plans) plan->awaitAll();
        for (const Link& link : links) link.path->await();
        for (const auto& plan : plans) plan->awaitAll();
        throw;
    }
}

// The ring transforms of a component, for all shares. The pieces of the devices are different
// rings, so no device waits for another.
void CudaOrderShares::State::launchRings(const Passing& passing, const Call& call, size_t component,
                                         bool toSamples) {
    size_t pieces = 0;
    for (const auto& plan : plans) pieces = std::max(pieces, plan->ringPieces());
    for (size_t piece = 0; piece < pieces; ++piece)
        for (size_t i = 0; i < count(); ++i) {
            const Plan& plan = *plans[i];
            if (piece >= plan.ringPieces()) continue;
            const DeviceScope scope(plan.device);
            const cuda::RingFft fft = plan.ringFft(*passing.tables[i], static_cast<int>(component),
                                                   call.maps[i][component]);
            if (toSamples)
                plan.ringsToSamples(piece, fft);
            else
                plan.samplesToRings(piece, fft);
        }
}

// Sends rows of own orders to the other shares, and transfers them to the own rings.
void CudaOrderShares::State::sendLatitudes(Passing& passing, const Call& call, size_t share,
                                           size_t slice) {
    Plan& plan = *plans[share];
    const SpinTables& tables = *passing.tables[share];
    for (size_t l = 0; l < links.size(); ++l) {
        const Packing& packing = passing.synthesis[l];
        if (links[l].from != share || packing.what.totals[slice] == 0) continue;
        DeviceLink& path = *links[l].path;
        path.awaitBuffer(slice, plan.transferStream);
        for (size_t c = 0; c < call.maps[share].size(); ++c)
            for (const auto& [begin, end, place] : packing.what.rows)
                cuda::copyRows({{plan.modes[c][slice % 2].data(), plan.rows(), nullptr},
                                packing.rows(path.send(slice), true, slice, c, begin),
                                tables.slices[slice],
                                plan.mmax,
                                tables.firstRows.data(),
                                begin,
                                end},
                               plan.transferStream.get());
        path.pass(slice, call.maps[share].size() * static_cast<size_t>(packing.what.totals[slice]),
                  plan.transferStream);
    }
    for (size_t c = 0; c < call.maps[share].size(); ++c) {
        cuda::LatitudeTransfer t = plan.transfer(tables, slice, call.spin, plan.toRings,
                                                 static_cast<int>(c), call.maps[share][c]);
        if (call.source != cuda::ScalarSource::Plain) t.ringFactors = plan.inverseSines.data();
        for (const RingRuns::Run& run : plan.own)
            cuda::latitudesToRings(plan.ofRun(t, run), plan.transferStream.get());
    }
    plan.transferred[slice].record(plan.transferStream);
}

// Transfers received rows to the own rings.
void CudaOrderShares::State::takeLatitudes(Passing& passing, const Call& call, size_t share,
                                           size_t slice) {
    Plan& plan = *plans[share];
    for (size_t l = 0; l < links.size(); ++l) {
        const size_t from = links[l].from;
        const Packing& packing = passing.synthesis[l];
        if (links[l].to != share || !has(passing, from, slice) || packing.what.totals[slice] == 0)
            continue;
        DeviceLink& path = *links[l].path;
        path.awaitArrival(slice, plan.transferStream);
        for (size_t c = 0; c < call.maps[share].size(); ++c) {
            cuda::LatitudeTransfer t =
                plan.transfer(*passing.tables[share], 0, call.spin, plan.toRings,
                              static_cast<int>(c), call.maps[share][c]);
            t.slice.orders = sliceOf(passing, from, slice);
            if (call.source != cuda::ScalarSource::Plain) t.ringFactors = plan.inverseSines.data();
            for (const RingRuns::Run& run : plan.own) {
                t.modes =
                    packing.rows(path.receive(slice), false, slice, c, plan.rowsFor(run).begin);
                cuda::latitudesToRings(plan.ofRun(t, run), plan.transferStream.get());
            }
        }
        path.taken(slice, plan.transferStream);
    }
}

void CudaOrderShares::State::synthesize(const Call& call, JobContext& job) {
    // Work outside the scope of a share leaves the caller's device unchanged.
    const DeviceScope outer(plans[0]->device);
    const size_t components = call.maps[0].size();
    Passing& passing = passingFor(call.spin, static_cast<int>(components));
    startCall();
    const size_t sums = passing.steps + 1, ffts = components;
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

// Sends F_m of own rings to the shares that sum over them.
void CudaOrderShares::State::sendRings(Passing& passing, const Call& call, size_t slice) {
    for (size_t l = 0; l < links.size(); ++l) {
        const auto& [share, to, link] = links[l];
        const Packing& packing = passing.analysis[l];
        if (!has(passing, to, slice) || packing.what.totals[slice] == 0) continue;
        Plan& plan = *plans[share];
        const DeviceScope scope(plan.device);
        link->awaitBuffer(slice, plan.transferStream);
        for (size_t c = 0; c < call.maps[share].size(); ++c) {
            cuda::LatitudeTransfer t =
                plan.transfer(*passing.tables[share], 0, call.spin, plan.fromRings,
                              static_cast<int>(c), call.maps[share][c]);
            t.slice.orders = sliceOf(passing, to, slice);
            for (const RingRuns::Run& run : plan.own) {
                t.modes = packing.rows(link->send(slice), true, slice, c, run.begin);
                cuda::ringsToRows(plan.ofRun(t, run), plan.transferStream.get());
            }
        }
        link->pass(slice, call.maps[share].size() * static_cast<size_t>(packing.what.totals[slice]),
                   plan.transferStream);
    }
}

// Transfers F_m of all rings, own and received, to the modes of own orders.
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
        for (const RingRuns::Run& run : plan.own)
            cuda::ringsToRows(plan.ofRun(t, run), stream.get());
    }
    for (size_t l = 0; l < links.size(); ++l) {
        const Packing& packing = passing.analysis[l];
        if (links[l].to != share || packing.what.totals[slice] == 0) continue;
        DeviceLink& path = *links[l].path;
        path.awaitArrival(slice, stream);
        for (size_t c = 0; c < components; ++c)
            for (const auto& [begin, end, place] : packing.what.rows)
                cuda::copyRows(
                    {packing.rows(path.receive(slice), false, slice, c, begin), to[c],
                     tables.slices[slice], plan.mmax, tables.firstPairs.data(), begin, end},
                    stream.get());
        path.taken(slice, stream);
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
    const DeviceScope outer(plans[0]->device);
    const size_t components = call.maps[0].size();
    Passing& passing = passingFor(call.spin, static_cast<int>(components));
    startCall();
    const size_t ffts = components;
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
    for (const Link& link : links) link.path->startTimes();
}

// `sumsFrom` and `sumsTo` are the marks before and after the Legendre sums; the remaining marks are
// of ring transforms.
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
        exchange = std::max(exchange, link.path->seconds());
        steps.exchangedBytes += link.path->exchangedByteCount();
    }
    steps.legendre += legendre;
    steps.fft += fft;
    steps.exchange += exchange;
}

}  // namespace armilla

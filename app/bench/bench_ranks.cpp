// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_ranks.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>

#include "armilla/core/seconds_since.h"
#include "armilla/ops/distributed_sht.h"
#include "armilla/ops/random_alm.h"
#include "bench/host_ceiling.h"

namespace armilla::cli {

namespace {

using Clock = std::chrono::steady_clock;
using Complex = std::complex<double>;

constexpr uint64_t kSeed = 1;

struct Spread {
    double most = 0.0, mean = 0.0;
    double imbalance() const { return mean > 0.0 ? most / mean : 1.0; }
    Json json() const {
        Json json = Json::object();
        json.set("most", most);
        json.set("mean", mean);
        json.set("imbalance", imbalance());
        return json;
    }
};
Spread spreadOf(double own, Ranks& ranks, JobContext& job) {
    Spread spread;
    for (const auto& each : ranks.gatherAll(std::span<const double>(&own, 1), job)) {
        spread.most = std::max(spread.most, each.at(0));
        spread.mean += each.at(0) / ranks.size();
    }
    return spread;
}

RankSteps difference(const RankSteps& after, const RankSteps& before) {
    return {after.legendre - before.legendre,
            after.fft - before.fft,
            after.exchange - before.exchange,
            after.legendreProcessor - before.legendreProcessor,
            after.fftProcessor - before.fftProcessor,
            after.deviceBytes,
            after.bytesSent - before.bytesSent,
            after.exchangedBy,
            after.share};
}

// Share of the sky of the benchmarks, which has the power 1 / (l (l+1)).
std::vector<AlmShare> skyShares(const DistributedSht& plan, size_t components, JobContext& job) {
    Spectra spectra;
    for (int l = 0; l <= plan.parameters().lmax; ++l) {
        const double cl = l < 2 ? 0.0 : 1.0 / (l * (l + 1.0));
        for (const SpectrumKind kind : {SpectrumKind::TT, SpectrumKind::EE, SpectrumKind::BB})
            if (kind == SpectrumKind::TT || components == 3) spectra[kind].push_back(cl);
    }
    const RandomAlm random(spectra, plan.parameters().lmax, kSeed);
    std::vector<AlmShare> shares;
    for (size_t c = 0; c < components; ++c) shares.push_back(plan.newAlm(job));
    for (const int m : plan.ownOrders()) {
        std::vector<std::span<Complex>> columns;
        for (AlmShare& share : shares) columns.push_back(share.of(m));
        random.fill(m, columns);
        job.poll();
    }
    return shares;
}

struct Row {
    std::vector<double> seconds;    // each run, on the slowest rank
    std::vector<double> processor;  // processor seconds of each run, of this rank
    RankSteps steps;                // steps of the fastest run, of this rank
    double bytesSent = 0.0;         // bytes of one run
};

// Times `body` between two barriers.
template <typename Body>
Row timed(DistributedSht& plan, const BenchRuns& runs, Ranks& ranks, JobContext& job,
          const Body& body) {
    Row row;
    double taken = 0.0;
    for (int run = 0; run < runs.most && (run == 0 || taken < runs.seconds); ++run) {
        const RankSteps before = plan.steps();
        const int64_t sent = ranks.bytesSent();
        ranks.meet(job);
        const Clock::time_point start = Clock::now();
        const std::clock_t processorStart = std::clock();
        body();
        const double own = secondsSince(start);
        row.processor.push_back(static_cast<double>(std::clock() - processorStart) /
                                CLOCKS_PER_SEC);
        const double seconds = spreadOf(own, ranks, job).most;
        if (row.seconds.empty() ||
            seconds < *std::min_element(row.seconds.begin(), row.seconds.end())) {
            row.steps = difference(plan.steps(), before);
            row.bytesSent = static_cast<double>(ranks.bytesSent() - sent + row.steps.bytesSent);
        }
        row.seconds.push_back(seconds);
        taken += seconds;
    }
    return row;
}

}  // namespace

void benchShtOverRanks(const BenchSettings& settings, const Device& device, Ranks& ranks,
                       JobContext& job,
                       const std::function<void(const std::string& line, Json row)>& show) {
    const int lmax = static_cast<int>(settings.lmax.value_or(2 * settings.nside));
    for (const int spin : {0, 2}) {
        resetPeakMemory();
        const int64_t before = peakMemory();
        JobContext silent(job.stopToken(), {}, job.threads());
        DistributedSht plan({.nside = settings.nside, .lmax = lmax}, ranks, silent, device);
        const size_t components = spin == 0 ? 1 : 3;
        std::vector<AlmShare> alm = skyShares(plan, components, silent);
        std::vector<std::vector<double>> maps(
            components, std::vector<double>(static_cast<size_t>(plan.sampleCount())));
        const std::vector<MapSamples> to(maps.begin(), maps.end());
        const std::vector<ConstMapSamples> from(maps.begin(), maps.end());
        const auto synthesis = [&] {
            plan.synthesis(0, {alm.data(), 1}, {to.data(), 1}, silent);
            if (components == 3) plan.synthesis(2, {alm.data() + 1, 2}, {to.data() + 1, 2}, silent);
        };
        const auto analysis = [&] {
            plan.analysis(0, {from.data(), 1}, {alm.data(), 1}, silent);
            if (components == 3)
                plan.analysis(2, {from.data() + 1, 2}, {alm.data() + 1, 2}, silent);
        };
        for (const bool there : {true, false}) {
            Row row = there ? timed(plan, settings.runs, ranks, job, synthesis)
                            : timed(plan, settings.runs, ranks, job, analysis);
            const Spread legendre = spreadOf(row.steps.legendre, ranks, silent);
            const Spread fft = spreadOf(row.steps.fft, ranks, silent);
            const Spread exchange = spreadOf(row.steps.exchange, ranks, silent);
            const Spread sent = spreadOf(row.bytesSent, ranks, silent);
            const Spread memory =
                spreadOf(static_cast<double>(peakMemory() - before), ranks, silent);
            std::vector<double> sorted = row.seconds;
            std::sort(sorted.begin(), sorted.end());
            Json json = Json::object();
            json.set("name", there ? "sht.alm2map.ranks" : "sht.map2alm.ranks");
            json.set("nside", settings.nside);
            json.set("lmax", lmax);
            json.set("spin", spin);
            json.set("maps", static_cast<int64_t>(components));
            json.set("device", device.label());
            json.set("ranks", ranks.size());
            json.set("threads", job.threads());
            Json seconds = Json::object();
            seconds.set("median", sorted[sorted.size() / 2]);
            seconds.set("min", sorted.front());
            seconds.set("max", sorted.back());
            seconds.set("runs", static_cast<int64_t>(sorted.size()));
            json.set("seconds", std::move(seconds));
            Json steps = Json::object();
            steps.set("legendre", legendre.json());
            steps.set("fft", fft.json());
            steps.set("exchange", exchange.json());
            json.set("steps", std::move(steps));
            Json processor = Json::object();
            processor.set("legendre", spreadOf(row.steps.legendreProcessor, ranks, silent).json());
            processor.set("fft", spreadOf(row.steps.fftProcessor, ranks, silent).json());
            // Median over complete runs, exchange and waits included.
            std::sort(row.processor.begin(), row.processor.end());
            const double all = row.processor[row.processor.size() / 2];
            processor.set("all", spreadOf(all, ranks, silent).json());
            json.set("processor_seconds", std::move(processor));
            json.set("bytes_sent", sent.json());
            json.set("exchange_by", nameOf(row.steps.exchangedBy));
            json.set("peak_host_bytes", memory.json());
            const auto onDevice = static_cast<double>(plan.steps().deviceBytes);
            json.set("device_bytes", spreadOf(onDevice, ranks, silent).json());
            constexpr double kMebibyte = 1024.0 * 1024.0;
            std::array<char, 240> line{};
            std::snprintf(line.data(), line.size(),
                          "%-18s %6lld %6d %4d %5d %7d %10.4g %8.3g (%4.2f) %8.3g (%4.2f) %8.3g "
                          "%9.1f %9.1f %9.1f",
                          there ? "sht.alm2map.ranks" : "sht.map2alm.ranks",
                          static_cast<long long>(settings.nside), lmax, spin, ranks.size(),
                          job.threads(), sorted[sorted.size() / 2], legendre.mean,
                          legendre.imbalance(), fft.mean, fft.imbalance(), exchange.mean,
                          sent.mean / kMebibyte, memory.mean / kMebibyte, memory.most / kMebibyte);
            show(line.data(), std::move(json));
        }
    }
}

}  // namespace armilla::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_sht.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/harmonics.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "armilla/ops/sht.h"
#include "armilla/ops/sht_tuning.h"
#include "bench/direct_sums.h"

namespace armilla::cli {

namespace {

constexpr uint64_t kSeed = 20260101;

// Sum over blocks of numbers on the threads of a job. At nside 8192 a single thread would take
// seconds.
template <typename Body>
double sumOverBlocks(size_t count, const BenchHost& host, const Body& body) {
    constexpr size_t kBlock = size_t{1} << 16;
    std::vector<double> sums((count + kBlock - 1) / kBlock);
    JobContext silent = host.silentJob();
    parallelFor(silent, static_cast<long long>(sums.size()), 1, [&](long long block, long long) {
        const size_t begin = static_cast<size_t>(block) * kBlock;
        for (size_t i = begin; i < std::min(count, begin + kBlock); ++i)
            sums[static_cast<size_t>(block)] += body(i);
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

Alm newCoefficients(int lmax, const BenchHost& host) {
    return {lmax, lmax, newVector<std::complex<double>>(Alm::count(lmax, lmax), host.silentJob())};
}

// Coefficients from l = `least` on of a sky whose power falls as 1/(l(l+1)), as that of maps does.
Alm randomCoefficients(int lmax, int least, std::mt19937_64& random, const BenchHost& host) {
    Alm alm = newCoefficients(lmax, host);
    const uint64_t seed = random();
    JobContext silent = host.silentJob();
    parallelFor(silent, lmax + 1, 1, [&](long long order, long long) {
        const int m = static_cast<int>(order);
        std::mt19937_64 own(seed + static_cast<uint64_t>(m));
        std::normal_distribution<double> normal;
        for (int l = std::max(m, least); l <= lmax; ++l) {
            const double re = normal(own), im = normal(own);
            alm(l, m) = std::complex<double>(re, m == 0 ? 0.0 : im) / (1.0 + l);
        }
    });
    return alm;
}

double rmsOf(std::span<const ConstMapSamples> maps, const BenchHost& host) {
    double sum = 0.0, count = 0.0;
    for (const ConstMapSamples& map : maps) {
        const auto squares = [&](const auto& values) {
            return sumOverBlocks(values.size(), host, [&](size_t i) {
                return static_cast<double>(values[i]) * static_cast<double>(values[i]);
            });
        };
        sum += std::visit(squares, map);
        count += static_cast<double>(sizeOf(map));
    }
    return std::sqrt(sum / count);
}

// Largest difference from direct sums at some pixels, relative to the rms of the maps: next to the
// north pole, at the start of the southern cap, on the equator, and anywhere.
double synthesisError(int spin, std::span<const Alm> alm, std::span<const ConstMapSamples> maps,
                      int64_t nside, std::mt19937_64& random, const BenchHost& host) {
    const int64_t all = pixelCount(nside), cap = 2 * nside * (nside - 1);
    std::uniform_int_distribution<int64_t> anywhere(0, all - 1), ofRing(0, 4 * nside - 1);
    const std::array<int64_t, 4> pixels{ofRing(random) % 4, all - cap - 1 - ofRing(random),
                                        all / 2 - 2 * nside + ofRing(random), anywhere(random)};
    JobContext silent = host.silentJob();
    const auto truth = directSynthesis(spin, alm, nside, pixels, silent);
    double worst = 0.0;
    for (size_t c = 0; c < maps.size(); ++c)
        for (size_t i = 0; i < pixels.size(); ++i) {
            const auto at = static_cast<size_t>(pixels[i]);
            const double found = std::visit(
                [&](const auto& values) { return static_cast<double>(values[at]); }, maps[c]);
            worst = std::max(worst, std::abs(found - truth[i][c]));
        }
    return worst / rmsOf(maps, host);
}

// The same for coefficients: the lowest, a middle and the highest degree of three orders.
double analysisError(int spin, std::span<const ConstMapSamples> maps, std::span<const Alm> alm,
                     int64_t nside, std::mt19937_64& random, const BenchHost& host) {
    const int lmax = alm[0].lmax();
    JobContext silent = host.silentJob();
    double worst = 0.0, squares = 0.0, count = 0.0;
    for (const int m : {0, std::uniform_int_distribution<int>(0, lmax)(random), lmax}) {
        const int least = std::max(m, spin);
        const std::array<int, 3> degrees{least, (least + lmax) / 2, lmax};
        if (least > lmax) continue;
        const auto truth = directAnalysis(spin, maps, nside, m, degrees, silent);
        for (size_t c = 0; c < alm.size(); ++c)
            for (size_t i = 0; i < degrees.size(); ++i)
                worst = std::max(worst, std::abs(alm[c](degrees[i], m) - truth[i][c]));
    }
    for (const Alm& one : alm) {
        squares += sumOverBlocks(one.values().size(), host,
                                 [&](size_t i) { return std::norm(one.values()[i]); });
        count += static_cast<double>(one.values().size());
    }
    return worst / std::sqrt(squares / count);
}

BenchRow shtRow(const char* name, int64_t nside, int lmax, int spin, const BenchHost& host) {
    BenchRow row;
    row.name = name;
    row.nside = nside;
    row.lmax = lmax;
    row.spin = spin;
    row.limitSeconds = transformFlops(nside, lmax, spin) / flopsOf(host);
    row.limitBy = "flop";
    return row;
}

// Parameters of a plan that is not tuned yet.
ShtParameters parametersOf(const BenchSettings& settings, const BenchHost& host, int lmax) {
    ShtParameters p{settings.nside, lmax, lmax, Weights::None, 0};
    if (!settings.ringFfts) return p;
    p.tuning = keptTuning({host.device, settings.nside, lmax, lmax}).tuning.value_or(ShtTuning{});
    p.tuning->ringFfts = *settings.ringFfts;
    return p;
}

// Names the steps of a transform for `--json`. On a device the steps of each run and its copies
// have rows of their own.
class TransformTimes {
public:
    explicit TransformTimes(const BenchHost& host) : host_(host) {}
    void note(const ShtPlan& plan) {
        runs_.push_back(plan.steps());
        const bool cpu = host_.device.kind == DeviceKind::Cpu;
        mixed_ = plan.parameters().tuning.value_or(ShtTuning{}).ringFfts ==
                 (cpu ? RingFfts::OnCuda : RingFfts::OnCpu);
    }
    // Completes `row`, shows it, and then shows its own rows.
    void show(BenchRow row) const {
        if (mixed_) {
            const ShtSteps& fastest = runs_[static_cast<size_t>(
                std::min_element(row.seconds.begin(), row.seconds.end()) - row.seconds.begin())];
            row.steps = {
                {"legendre", fastest.legendre}, {"fft", fastest.fft}, {"copies", fastest.transfer}};
            row.peakDeviceBytes = fastest.deviceBytes;
            host_.show(row);
            return;
        }
        if (host_.device.kind == DeviceKind::Cpu) {
            for (const auto& [stage, step] :
                 {std::pair("Legendre sums", "legendre"), std::pair("ring FFTs", "fft")}) {
                auto node = row.steps.extract(stage);
                if (node.empty()) continue;
                node.key() = step;
                row.steps.insert(std::move(node));
            }
            host_.show(row);
            return;
        }
        BenchRow resident = row;
        resident.name += ".resident";
        resident.seconds.clear();
        // Waits of the call, in sequence, from host to host; copies may overlap the work.
        const ShtSteps& fastest = runs_[static_cast<size_t>(
            std::min_element(row.seconds.begin(), row.seconds.end()) - row.seconds.begin())];
        row.steps = {{"allocate", fastest.allocate},
                     {"copy in", fastest.copyIn},
                     {"work", fastest.legendre + fastest.fft},
                     {"copy out", fastest.copyOut}};
        for (const ShtSteps& steps : runs_) {
            const double seconds = steps.legendre + steps.fft;
            if (resident.seconds.empty() ||
                seconds < *std::min_element(resident.seconds.begin(), resident.seconds.end()))
                resident.steps = stepsOf(steps);
            resident.seconds.push_back(seconds);
            resident.peakDeviceBytes = std::max(resident.peakDeviceBytes, steps.deviceBytes);
            resident.exchangedBytes = std::max(resident.exchangedBytes, steps.exchangedBytes);
        }
        row.peakDeviceBytes = resident.peakDeviceBytes;
        resident.peakHostBytes = row.peakHostBytes;
        BenchRow copies = row;
        copies.name += ".copies";
        copies.seconds.clear();
        copies.steps.clear();
        copies.error = copies.limitSeconds = std::nullopt;
        for (const ShtSteps& steps : runs_) copies.seconds.push_back(steps.transfer);
        host_.show(row);
        host_.show(resident);
        host_.show(copies);
    }

    // Whether the last run exchanged bytes between devices.
    bool exchanges() const { return !runs_.empty() && runs_.back().exchangedBytes > 0; }

private:
    static std::map<std::string, double> stepsOf(const ShtSteps& steps) {
        std::map<std::string, double> all{{"legendre", steps.legendre}, {"fft", steps.fft}};
        // The exchange overlaps the Legendre sums.
        if (steps.exchangedBytes > 0) all["exchange"] = steps.exchange;
        return all;
    }
    const BenchHost& host_;
    std::vector<ShtSteps> runs_;
    bool mixed_ = false;  // some steps on the CPU, others on a device
};

int lmaxOf(const BenchSettings& settings) {
    return static_cast<int>(settings.lmax.value_or(2 * settings.nside));
}

// Throws OutOfMemory unless the maps and sets of coefficients fit, with half as much again for the
// transforms.
void requireBenchMemory(const BenchSettings& settings, int components, int atOnce) {
    const int lmax = lmaxOf(settings);
    const double map = 8.0 * static_cast<double>(pixelCount(settings.nside));
    const double alm = 16.0 * static_cast<double>(Alm::count(lmax, lmax));
    requireMemory("transforms of " + counted(components, "map"),
                  static_cast<int64_t>((components + 0.5 * atOnce) * (map + alm)));
}

// Spin 0: one map. Spin 2: T, Q, U, a transform of spin 0 and one of spin 2. The synthesized map is
// analyzed into the same memory. If several devices exchange data, the benchmark also runs with an
// exchange through host memory.
void benchField(int spin, const BenchSettings& settings, BenchHost& host,
                BetweenDevices strategy = BetweenDevices::PeerCopies) {
    const size_t n = spin == 0 ? 1 : 3;
    requireBenchMemory(settings, static_cast<int>(n), spin == 0 ? 1 : 2);
    const int64_t nside = settings.nside;
    std::mt19937_64 random(kSeed);
    const int lmax = lmaxOf(settings);
    JobContext silent = host.silentJob();
    ShtParameters parameters = parametersOf(settings, host, lmax);
    parameters.betweenDevices = strategy;
    std::optional<ShtPlan> planned(std::in_place, parameters, host.device, silent);
    const ShtPlan& plan = *planned;
    std::vector<Alm> alm;
    std::vector<std::vector<double>> maps;
    for (size_t i = 0; i < n; ++i) {
        alm.push_back(randomCoefficients(lmax, i == 0 ? 0 : 2, random, host));
        maps.push_back(newVector<double>(pixelCount(nside), silent));
    }
    const std::vector<ConstMapSamples> from(maps.begin(), maps.end());
    const bool staged = strategy == BetweenDevices::HostMemory;
    const auto rowOf = [&](const char* name) {
        BenchRow row = shtRow(name, nside, lmax, spin, host);
        if (staged) row.name += ".staged";
        row.maps = static_cast<int>(n);
        if (spin > 0) *row.limitSeconds += transformFlops(nside, lmax, 0) / flopsOf(host);
        return row;
    };
    // Largest error of T, and of Q and U.
    const auto errorOf = [&](const auto& errorOfSpin) {
        const std::span<const Alm> a(alm);
        const std::span<const ConstMapSamples> m(from);
        const double scalar = errorOfSpin(0, a.first(1), m.first(1));
        return spin == 0 ? scalar : std::max(scalar, errorOfSpin(2, a.subspan(1), m.subspan(1)));
    };
    TransformTimes forth(host), backward(host);
    BenchRow synthesis = rowOf("sht.alm2map"), analysis = rowOf("sht.map2alm");
    measure(synthesis, settings.runs, host, [&](JobContext& job) {
        if (spin == 0)
            plan.synthesis(alm[0], maps[0], job);
        else
            plan.synthesisPolarized(std::span<const Alm, 3>(alm.data(), 3), maps[0], maps[1],
                                    maps[2], job);
        forth.note(plan);
    });
    synthesis.error = errorOf([&](int s, std::span<const Alm> a, auto m) {
        return synthesisError(s, a, m, nside, random, host);
    });
    forth.show(std::move(synthesis));
    measure(analysis, settings.runs, host, [&](JobContext& job) {
        if (spin == 0) {
            plan.analysis(from, alm, job);
        } else {
            plan.analysisPolarized(from[0], from[1], from[2], std::span<Alm, 3>(alm), job);
        }
        backward.note(plan);
    });
    analysis.error = errorOf([&](int s, std::span<const Alm> a, auto m) {
        return analysisError(s, m, a, nside, random, host);
    });
    backward.show(std::move(analysis));
    if (!staged && backward.exchanges()) {
        // Frees device memory for the other plan.
        planned.reset();
        alm.clear();
        maps.clear();
        benchField(spin, settings, host, BetweenDevices::HostMemory);
        return;
    }
    if (spin == 0 || staged) return;
    // Results in new memory, as in a program that analyzes one sky.
    BenchRow fresh = rowOf("sht.map2alm.new");
    TransformTimes freshTimes(host);
    measure(fresh, settings.runs, host, [&](JobContext& job) {
        alm.clear();
        alm = plan.analysisPolarized(from[0], from[1], from[2], job);
        freshTimes.note(plan);
    });
    freshTimes.show(std::move(fresh));
    // The memory alone: first touched by all threads, filled with zeros by one thread per set,
    // freed.
    BenchRow memory = rowOf("sht.new_results");
    memory.limitSeconds.reset();
    measure(memory, settings.runs, host, [&](JobContext& job) {
        alm.clear();
        alm.resize(n);
        JobContext quiet(job.stopToken(), {}, job.threads());
        parallelFor(quiet, static_cast<long long>(n), 1, [&](long long i, long long) {
            alm[static_cast<size_t>(i)] = newCoefficients(lmax, host);
        });
    });
    host.show(memory);
}

struct BatchCase {
    size_t maps = 1;
    const char* suffix = "";  // suffix of row names
    int64_t deviceBytes = 0;
};
// Times of both directions for some maps, in the precision of Value.
template <typename Value>
void benchMaps(const BenchSettings& settings, const BatchCase& batch, BenchHost& host) {
    const int64_t nside = settings.nside;
    const int lmax = lmaxOf(settings);
    const size_t count = batch.maps;
    const auto pixels = static_cast<size_t>(pixelCount(nside));
    const auto n = static_cast<int64_t>(count);
    requireMemory("a batch of " + std::to_string(count) + " maps",
                  (n + 2) * static_cast<int64_t>(pixels * sizeof(Value)) +
                      (n + 1) * 16 * Alm::count(lmax, lmax));
    std::mt19937_64 random(kSeed);
    ShtParameters parameters = parametersOf(settings, host, lmax);
    parameters.deviceBytes = batch.deviceBytes;
    JobContext silent = host.silentJob();
    const ShtPlan plan(parameters, host.device, silent);
    std::vector<Alm> alm;
    std::vector<std::vector<Value>> maps;
    for (size_t i = 0; i < count; ++i) {
        alm.push_back(randomCoefficients(lmax, 0, random, host));
        maps.push_back(newVector<Value>(pixelCount(nside), silent));
    }
    const std::vector<MapSamples> to(maps.begin(), maps.end());
    const std::vector<ConstMapSamples> from(maps.begin(), maps.end());
    const std::span<const Alm> lastAlm = std::span(alm).last(1);
    const std::span<const ConstMapSamples> lastMap = std::span(from).last(1);
    // The time of a batch is proportional to its maps, so long batches have fewer runs.
    BenchRuns runs = settings.runs;
    runs.most = std::max(2, runs.most / static_cast<int>(count));
    TransformTimes forth(host), backward(host);
    const auto rowOf = [&](const char* name) {
        BenchRow row = shtRow((std::string(name) + batch.suffix).c_str(), nside, lmax, 0, host);
        row.maps = static_cast<int>(count);
        row.limitSeconds = *row.limitSeconds * static_cast<double>(count);
        return row;
    };
    BenchRow synthesis = rowOf("batch.alm2map");
    measure(synthesis, runs, host, [&](JobContext& job) {
        plan.synthesis(alm, to, job);
        forth.note(plan);
    });
    synthesis.error = synthesisError(0, lastAlm, lastMap, nside, random, host);
    forth.show(std::move(synthesis));

    BenchRow analysis = rowOf("batch.map2alm");
    measure(analysis, runs, host, [&](JobContext& job) {
        plan.analysis(from, alm, job);
        backward.note(plan);
    });
    analysis.error = analysisError(0, lastMap, lastAlm, nside, random, host);
    backward.show(std::move(analysis));
}

}  // namespace

// Multiply-adds of a transform: 6 flop for each l, m and pair of rings, 10 for spin 2 as two series
// of spin 0. 72 % remain after m > l sin(theta) is skipped. This counts sums at the rings; sums at
// fewer latitudes with interpolation may take less.
double transformFlops(int64_t nside, int lmax, int spin) {
    const double triples = 0.5 * (lmax + 1.0) * (lmax + 2.0) * 2.0 * static_cast<double>(nside);
    return 0.72 * (spin == 0 ? 6.0 : 10.0) * triples;
}

double flopsOf(const BenchHost& host) {
    return host.device.flops > 0.0 ? host.device.flops : host.ceiling.flops;
}

void benchSht(const BenchSettings& settings, BenchHost& host) {
    benchField(0, settings, host);
    try {
        benchField(2, settings, host);
    } catch (const OutOfMemory& failure) {
        host.note("sht, spin 2, nside " + std::to_string(settings.nside) +
                  " skipped: " + failure.what());
    }
}

void benchBatch(const BenchSettings& settings, BenchHost& host) {
    for (const size_t maps : {1, 2, 4, 8}) try {
            benchMaps<double>(settings, {maps}, host);
        } catch (const OutOfMemory& failure) {
            host.note("batch of " + counted(maps, "map") + ", nside " +
                      std::to_string(settings.nside) + " skipped: " + failure.what());
        }
    benchMaps<float>(settings, {1, ".single"}, host);
    if (host.device.kind == DeviceKind::Cpu) return;
    // Memory of the coefficients and a quarter of the map, with their workspace.
    const int lmax = lmaxOf(settings);
    const int64_t bytes = 40 * Alm::count(lmax, lmax) + 10 * pixelCount(settings.nside) / 4;
    benchMaps<double>(settings, {1, ".windows", bytes}, host);
}

void tuneSht(const BenchSettings& settings, BenchHost& host) {
    requireBenchMemory(settings, 1, 1);
    const int lmax = lmaxOf(settings);
    std::mt19937_64 random(kSeed);
    JobContext silent = host.silentJob();
    Alm alm = randomCoefficients(lmax, 0, random, host);
    std::vector<double> map = newVector<double>(pixelCount(settings.nside), silent);
    const ConstMapSamples from[] = {map};
    struct Timed {
        ShtTuning tuning;
        double seconds = 0.0, fromHost = 0.0;  // both directions: transforms only, and with copies
    };
    std::vector<Timed> all;
    for (const ShtTuning& tuning : shtTunings(host.device.kind)) {
        ShtParameters parameters{settings.nside, lmax, lmax, Weights::None, 0};
        parameters.tuning = tuning;
        std::optional<ShtPlan> plan;
        try {
            plan.emplace(parameters, host.device, silent);
        } catch (const Unsupported&) {
            continue;  // no CUDA device for ring FFTs
        }
        Timed& timed = all.emplace_back(Timed{tuning});
        const auto time = [&](const char* name, const std::function<void(JobContext&)>& body) {
            TransformTimes times(host);
            BenchRow row = shtRow(name, settings.nside, lmax, 0, host);
            row.name += " " + describe(tuning, host.device.kind);
            double least = std::numeric_limits<double>::infinity();
            measure(row, settings.runs, host, [&](JobContext& job) {
                body(job);
                times.note(*plan);
                least = std::min(least, plan->steps().legendre + plan->steps().fft);
            });
            timed.seconds += least;
            timed.fromHost += *std::min_element(row.seconds.begin(), row.seconds.end());
            times.show(std::move(row));
        };
        time("tune.alm2map", [&](JobContext& job) { plan->synthesis(alm, map, job); });
        time("tune.map2alm", [&](JobContext& job) { plan->analysis(from, {&alm, 1}, job); });
    }
    // Copies to and from a device are the same for all methods with both steps on one side, but
    // vary more than the methods differ. If the steps are on different sides, the total time
    // counts.
    const auto parted = [](const Timed& one) { return one.tuning.ringFfts != RingFfts::WithSums; };
    const auto fastest = [&](bool ofParted, double Timed::*time) {
        const Timed* best = nullptr;
        for (const Timed& one : all)
            if (parted(one) == ofParted && (best == nullptr || one.*time < best->*time))
                best = &one;
        return best;
    };
    const Timed* chosen = fastest(false, &Timed::seconds);
    const Timed* other = fastest(true, &Timed::fromHost);
    if (other != nullptr && other->fromHost < chosen->fromHost) chosen = other;
    std::string kept;
    try {
        kept = "kept in " + keepTuning({host.device, settings.nside, lmax, lmax}, chosen->tuning);
    } catch (const IoError& failure) {
        // The measurements are useful even if they cannot be stored.
        kept = std::string("not kept: ") + failure.what();
    }
    host.note("nside " + std::to_string(settings.nside) + ", lmax " + std::to_string(lmax) +
              ": sums " + describe(chosen->tuning, host.device.kind) + ", " + kept);
}

}  // namespace armilla::cli

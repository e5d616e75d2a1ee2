// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bench_sht.h"

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

#include "core/error.h"
#include "core/harmonics.h"
#include "core/healpix_map.h"
#include "core/memory_limit.h"
#include "core/new_vector.h"
#include "core/pixel_geometry.h"
#include "ops/sht.h"
#include "ops/sht_tuning.h"

namespace armilla::cli {

namespace {

constexpr uint64_t kSeed = 20260101;

// Numbers for a benchmark are drawn and added up in blocks, by the threads of a job: those of nside
// 8192 would take one thread minutes.
constexpr int64_t kBlock = int64_t{1} << 16;

template <typename Body>
void forBlocks(int64_t count, const BenchHost& host, const Body& body) {
    JobContext silent(host.job.stopToken(), {}, host.job.threads());
    parallelFor(silent, (count + kBlock - 1) / kBlock, 1, [&](long long block, long long) {
        body(block, block * kBlock, std::min<int64_t>(count, (block + 1) * kBlock));
    });
}

// Coefficients of a sky whose power falls as 1/(l(l+1)), as that of maps does.
Alm randomCoefficients(int lmax, std::mt19937_64& random, const BenchHost& host) {
    Alm alm(lmax, lmax);
    const uint64_t seed = random();
    JobContext silent(host.job.stopToken(), {}, host.job.threads());
    parallelFor(silent, lmax + 1, 1, [&](long long order, long long) {
        const int m = static_cast<int>(order);
        std::mt19937_64 own(seed + static_cast<uint64_t>(m));
        std::normal_distribution<double> normal;
        for (int l = m; l <= lmax; ++l) {
            const double re = normal(own), im = normal(own);
            alm(l, m) = std::complex<double>(re, m == 0 ? 0.0 : im) / (1.0 + l);
        }
    });
    return alm;
}

std::vector<double> randomMap(int64_t nside, std::mt19937_64& random, const BenchHost& host) {
    auto map = newVector<double>(pixelCount(nside), host.job);
    const uint64_t seed = random();
    forBlocks(pixelCount(nside), host, [&](long long block, int64_t begin, int64_t end) {
        std::mt19937_64 own(seed + static_cast<uint64_t>(block));
        std::normal_distribution<double> normal;
        for (int64_t p = begin; p < end; ++p) map[static_cast<size_t>(p)] = normal(own);
    });
    return map;
}

// sum_lm a_lm Y_lm in one direction, by the three-term recursion in l of the normalized associated
// Legendre functions (W. H. Press et al., Numerical Recipes, 3rd ed., section 6.7.1), started from
// ln of the first value. What would underflow at the start contributes below 1e-200 by then.
double directSum(const Alm& alm, Vec3 at) {
    const double z = at.z;
    const double s = std::hypot(at.x, at.y);
    const double phi = std::atan2(at.y, at.x);
    double total = 0.0;
    double lnStart = -0.5 * std::log(4.0 * kPi);
    for (int m = 0; m <= alm.mmax(); ++m) {
        if (m > 0) lnStart += 0.5 * std::log1p(0.5 / m);
        // In long double the exponent reaches 1e-4932: no start value underflows below l = 10^4.
        const long double start =
            std::exp(static_cast<long double>(lnStart) +
                     static_cast<long double>(m) * std::log(static_cast<long double>(s)));
        long double before = 0.0L;
        long double now = m % 2 == 0 ? start : -start;
        long double factorBefore = 0.0L;
        std::complex<double> sum = 0.0;
        for (int l = m; l <= alm.lmax(); ++l) {
            if (l > m) {
                const long double l2 = static_cast<long double>(l) * l;
                const long double m2 = static_cast<long double>(m) * m;
                const long double factor = std::sqrt((4.0L * l2 - 1.0L) / (l2 - m2));
                const long double next =
                    factor * (z * now - (factorBefore > 0.0L ? before / factorBefore : 0.0L));
                before = now;
                now = next;
                factorBefore = factor;
            }
            sum += alm(l, m) * static_cast<double>(now);
        }
        total += (m == 0 ? 1.0 : 2.0) * (sum * std::polar(1.0, m * phi)).real();
    }
    return total;
}

double innerProduct(std::span<const double> a, std::span<const double> b, const BenchHost& host) {
    const auto count = static_cast<int64_t>(a.size());
    std::vector<double> sums(static_cast<size_t>((count + kBlock - 1) / kBlock));
    forBlocks(count, host, [&](long long block, int64_t begin, int64_t end) {
        double sum = 0.0;
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
            sum += a[i] * b[i];
        sums[static_cast<size_t>(block)] = sum;
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// Largest difference from the direct sum at some pixels, relative to the rms of the map.
double synthesisError(const Alm& alm, std::span<const double> map, int64_t nside,
                      std::mt19937_64& random, const BenchHost& host) {
    const double rms = std::sqrt(innerProduct(map, map, host) / static_cast<double>(map.size()));
    double worst = 0.0;
    std::uniform_int_distribution<int64_t> pixels(0, pixelCount(nside) - 1);
    for (int i = 0; i < 8; ++i) {
        const int64_t pixel = pixels(random);
        const double truth = directSum(alm, directionFromRing(nside, pixel));
        worst = std::max(worst, std::abs(map[static_cast<size_t>(pixel)] - truth));
    }
    return worst / rms;
}

// sum over all m, negative ones included, of Re(a conj(b)).
double innerProduct(const Alm& a, const Alm& b) {
    double sum = 0.0;
    for (int m = 0; m <= a.mmax(); ++m)
        for (int l = m; l <= a.lmax(); ++l)
            sum += (m == 0 ? 1.0 : 2.0) * (a(l, m) * std::conj(b(l, m))).real();
    return sum;
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

// Of a plan whose tuning is not yet found out.
ShtParameters parametersOf(const BenchSettings& settings, const BenchHost& host, int lmax) {
    ShtParameters p{settings.nside, lmax, lmax, Weights::None, 0};
    if (!settings.ringFfts) return p;
    p.tuning = keptTuning({host.device, settings.nside, lmax, lmax}).tuning.value_or(ShtTuning{});
    p.tuning->ringFfts = *settings.ringFfts;
    return p;
}

// Names the steps of a transform as `--json` has them. On a device it makes rows of their own of
// the steps of each run, and of its copies; of the second of two transforms where T, Q and U are
// done.
class TransformTimes {
public:
    explicit TransformTimes(const BenchHost& host) : host_(host) {}
    void note(const ShtPlan& plan) {
        runs_.push_back(plan.steps());
        const bool cpu = host_.device.kind == DeviceKind::Cpu;
        mixed_ = plan.parameters().tuning.value_or(ShtTuning{}).ringFfts ==
                 (cpu ? RingFfts::OnCuda : RingFfts::OnCpu);
    }
    // Completes `row` and adds it, and then its own.
    void addRows(BenchRow row, std::vector<BenchRow>& rows) const {
        if (mixed_) {
            const ShtSteps& fastest = runs_[static_cast<size_t>(
                std::min_element(row.seconds.begin(), row.seconds.end()) - row.seconds.begin())];
            row.steps = {
                {"legendre", fastest.legendre}, {"fft", fastest.fft}, {"copies", fastest.transfer}};
            row.peakDeviceBytes = fastest.deviceBytes;
            rows.push_back(std::move(row));
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
            rows.push_back(std::move(row));
            return;
        }
        BenchRow resident =
            shtRow((row.name + ".resident").c_str(), row.nside, row.lmax, row.spin, host_);
        resident.maps = row.spin == 0 ? row.maps : 2;
        resident.limitSeconds = *resident.limitSeconds * (row.spin == 0 ? row.maps : 1);
        resident.error = row.error;
        for (const ShtSteps& steps : runs_) {
            const double seconds = steps.legendre + steps.fft;
            if (resident.seconds.empty() ||
                seconds < *std::min_element(resident.seconds.begin(), resident.seconds.end()))
                resident.steps = {{"legendre", steps.legendre}, {"fft", steps.fft}};
            resident.seconds.push_back(seconds);
            resident.peakDeviceBytes = std::max(resident.peakDeviceBytes, steps.deviceBytes);
        }
        row.peakDeviceBytes = resident.peakDeviceBytes;
        resident.peakHostBytes = row.peakHostBytes;
        BenchRow copies = row;
        copies.name += ".copies";
        copies.seconds.clear();
        copies.error = copies.limitSeconds = std::nullopt;
        for (const ShtSteps& steps : runs_) copies.seconds.push_back(steps.transfer);
        rows.push_back(std::move(row));
        rows.push_back(std::move(resident));
        rows.push_back(std::move(copies));
    }

private:
    const BenchHost& host_;
    std::vector<ShtSteps> runs_;
    bool mixed_ = false;  // steps of one row, some on the CPU and some on a device
};

int lmaxOf(const BenchSettings& settings) {
    return static_cast<int>(settings.lmax.value_or(2 * settings.nside));
}

// Both directions of a benchmark hold so many maps and sets of coefficients, and a transform half
// as much of one of each again.
void requireBenchMemory(const BenchSettings& settings, int components) {
    const int lmax = lmaxOf(settings);
    const double map = 8.0 * static_cast<double>(pixelCount(settings.nside));
    const double alm = 16.0 * static_cast<double>(Alm::count(lmax, lmax));
    requireMemory("both directions of " + std::to_string(components) + " maps",
                  static_cast<int64_t>((2.0 * components + 0.5) * (map + alm)));
}

// Spin 0: one map. Spin 2: T, Q, U, a transform of spin 0 and one of spin 2.
void benchField(int spin, const BenchSettings& settings, BenchHost& host, const Measure& measure,
                std::vector<BenchRow>& rows) {
    const size_t n = spin == 0 ? 1 : 3;
    requireBenchMemory(settings, static_cast<int>(n));
    const int64_t nside = settings.nside;
    std::mt19937_64 random(kSeed);
    const int lmax = lmaxOf(settings);
    const ShtPlan plan(parametersOf(settings, host, lmax), host.device);
    std::vector<Alm> alm;
    std::vector<std::vector<double>> others;
    for (size_t i = 0; i < n; ++i) {
        alm.push_back(randomCoefficients(lmax, random, host));
        others.push_back(randomMap(nside, random, host));
        for (int m = 0; m < 2 && i > 0; ++m)
            for (int l = m; l < 2; ++l) alm[i](l, m) = 0.0;
    }
    std::vector<std::vector<double>> maps(n, std::vector<double>(others[0].size()));
    const auto rowOf = [&](const char* name) {
        BenchRow row = shtRow(name, nside, lmax, spin, host);
        row.maps = static_cast<int>(n);
        if (spin > 0) *row.limitSeconds += transformFlops(nside, lmax, 0) / flopsOf(host);
        return row;
    };
    TransformTimes forth(host), backward(host);
    BenchRow synthesis = rowOf("sht.alm2map"), analysis = rowOf("sht.map2alm");
    measure(synthesis, settings.repeat, host, [&](JobContext& job) {
        if (spin == 0)
            plan.synthesis(alm[0], maps[0], job);
        else
            plan.synthesisPolarized(std::span<const Alm, 3>(alm.data(), 3), maps[0], maps[1],
                                    maps[2], job);
        forth.note(plan);
    });
    std::vector<Alm> back;
    if (spin == 0) back.emplace_back(lmax, lmax);
    const ConstMapSamples from[] = {others[0]};
    measure(analysis, settings.repeat, host, [&](JobContext& job) {
        if (spin == 0) {
            plan.analysis(from, back, job);
        } else {
            back.clear();  // so that its memory serves again
            back = plan.analysisPolarized(others[0], others[1], others[2], job);
        }
        backward.note(plan);
    });
    // Analysis is the adjoint of synthesis, times the area of a pixel: a defect of either of the
    // two. Spin 0 is held against direct sums besides.
    const double area = 4.0 * kPi / static_cast<double>(pixelCount(nside));
    double inMap = 0.0, inAlm = 0.0, ours = 0.0, theirs = 0.0;
    for (size_t i = 0; i < n; ++i) {
        inMap += innerProduct(maps[i], others[i], host);
        inAlm += innerProduct(alm[i], back[i]) / area;
        ours += innerProduct(maps[i], maps[i], host);
        theirs += innerProduct(others[i], others[i], host);
    }
    analysis.error = synthesis.error = std::abs(inMap - inAlm) / std::sqrt(ours * theirs);
    if (spin == 0) synthesis.error = synthesisError(alm[0], maps[0], nside, random, host);
    forth.addRows(std::move(synthesis), rows);
    backward.addRows(std::move(analysis), rows);
}

struct BatchCase {
    size_t maps = 1;
    const char* suffix = "";  // of the names of rows
    int64_t deviceBytes = 0;
};
// The times of both directions of some maps, in the precision of Value.
template <typename Value>
void benchMaps(const BenchSettings& settings, const BatchCase& batch, BenchHost& host,
               const Measure& measure, std::vector<BenchRow>& rows) {
    const int64_t nside = settings.nside;
    const int lmax = lmaxOf(settings);
    const size_t count = batch.maps;
    const auto pixels = static_cast<size_t>(pixelCount(nside));
    const auto n = static_cast<int64_t>(count);
    requireMemory("a batch of " + std::to_string(count) + " maps",
                  (n + 2) * static_cast<int64_t>(pixels * sizeof(Value)) +
                      2 * n * 16 * Alm::count(lmax, lmax));
    std::mt19937_64 random(kSeed);
    ShtParameters parameters = parametersOf(settings, host, lmax);
    parameters.deviceBytes = batch.deviceBytes;
    const ShtPlan plan(parameters, host.device);
    const std::vector<Alm> alm(count, randomCoefficients(lmax, random, host));
    std::vector<std::vector<Value>> maps(count, std::vector<Value>(pixels));
    const std::vector<MapSamples> to(maps.begin(), maps.end());
    // A batch is as long as it has maps; few runs of the long ones.
    const int runs = std::max(2, settings.repeat / static_cast<int>(count));
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
    const std::vector<double> last(maps.back().begin(), maps.back().end());
    synthesis.error = synthesisError(alm.back(), last, nside, random, host);
    forth.addRows(std::move(synthesis), rows);

    const std::vector<ConstMapSamples> from(maps.begin(), maps.end());
    std::vector<Alm> back(count, Alm(lmax, lmax));
    BenchRow analysis = rowOf("batch.map2alm");
    measure(analysis, runs, host, [&](JobContext& job) {
        plan.analysis(from, back, job);
        backward.note(plan);
    });
    const double area = 4.0 * kPi / static_cast<double>(pixels),
                 norm = innerProduct(last, last, host);
    analysis.error = std::abs(norm - innerProduct(alm.back(), back.back()) / area) / norm;
    backward.addRows(std::move(analysis), rows);
}

}  // namespace

// Multiply-adds of a transform: 6 flop for each l, m and pair of rings, 10 for spin 2 taken as two
// series of spin 0; 72 % of them are left where m > l sin(theta) is skipped. At the rings: sums at
// fewer latitudes, interpolated, may take less.
double transformFlops(int64_t nside, int lmax, int spin) {
    const double triples = 0.5 * (lmax + 1.0) * (lmax + 2.0) * 2.0 * static_cast<double>(nside);
    return 0.72 * (spin == 0 ? 6.0 : 10.0) * triples;
}

double flopsOf(const BenchHost& host) {
    return host.device.flops > 0.0 ? host.device.flops : host.ceiling.flops;
}

std::vector<BenchRow> benchSht(const BenchSettings& settings, BenchHost& host,
                               const Measure& measure) {
    std::vector<BenchRow> rows;
    benchField(0, settings, host, measure, rows);
    try {
        benchField(2, settings, host, measure, rows);
    } catch (const OutOfMemory& failure) {
        host.note("sht, spin 2, nside " + std::to_string(settings.nside) +
                  " left out: " + failure.what());
    }
    return rows;
}

std::vector<BenchRow> benchBatch(const BenchSettings& settings, BenchHost& host,
                                 const Measure& measure) {
    std::vector<BenchRow> rows;
    for (const size_t maps : {1, 2, 4, 8}) try {
            benchMaps<double>(settings, {maps}, host, measure, rows);
        } catch (const OutOfMemory& failure) {
            host.note("batch of " + std::to_string(maps) + " maps, nside " +
                      std::to_string(settings.nside) + " left out: " + failure.what());
        }
    benchMaps<float>(settings, {1, ".single"}, host, measure, rows);
    if (host.device.kind == DeviceKind::Cpu) return rows;
    // Memory for the coefficients and a fourth of the map, with what goes with them.
    const int lmax = lmaxOf(settings);
    const int64_t bytes = 40 * Alm::count(lmax, lmax) + 10 * pixelCount(settings.nside) / 4;
    benchMaps<double>(settings, {1, ".windows", bytes}, host, measure, rows);
    return rows;
}

std::vector<BenchRow> tuneSht(const BenchSettings& settings, BenchHost& host,
                              const Measure& measure) {
    requireBenchMemory(settings, 1);
    const int lmax = lmaxOf(settings);
    std::mt19937_64 random(kSeed);
    const Alm alm = randomCoefficients(lmax, random, host);
    std::vector<double> map = randomMap(settings.nside, random, host);
    std::vector<Alm> back(1, Alm(lmax, lmax));
    const ConstMapSamples from[] = {map};
    std::vector<BenchRow> rows;
    struct Timed {
        ShtTuning tuning;
        double seconds = 0.0, fromHost = 0.0;  // of both directions; of the transforms, and of all
    };
    std::vector<Timed> all;
    for (const ShtTuning& tuning : shtTunings(host.device.kind)) {
        ShtParameters parameters{settings.nside, lmax, lmax, Weights::None, 0};
        parameters.tuning = tuning;
        std::optional<ShtPlan> plan;
        try {
            plan.emplace(parameters, host.device);
        } catch (const Unsupported&) {
            continue;  // no CUDA device for ring FFTs
        }
        Timed& timed = all.emplace_back(Timed{tuning});
        const auto time = [&](const char* name, const std::function<void(JobContext&)>& body) {
            TransformTimes times(host);
            BenchRow row = shtRow(name, settings.nside, lmax, 0, host);
            row.name += " " + describe(tuning, host.device.kind);
            double least = std::numeric_limits<double>::infinity();
            measure(row, settings.repeat, host, [&](JobContext& job) {
                body(job);
                times.note(*plan);
                least = std::min(least, plan->steps().legendre + plan->steps().fft);
            });
            timed.seconds += least;
            timed.fromHost += *std::min_element(row.seconds.begin(), row.seconds.end());
            times.addRows(std::move(row), rows);
        };
        time("tune.alm2map", [&](JobContext& job) { plan->synthesis(alm, map, job); });
        time("tune.map2alm", [&](JobContext& job) { plan->analysis(from, back, job); });
    }
    // Copies to and from a device are the same for all ways that have both steps on one side, but
    // spread more than these differ. Where the steps are parted counts what the user waits for.
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
        // What was measured is of use without it.
        kept = std::string("not kept: ") + failure.what();
    }
    host.note("nside " + std::to_string(settings.nside) + ", lmax " + std::to_string(lmax) +
              ": sums " + describe(chosen->tuning, host.device.kind) + ", " + kept);
    return rows;
}

}  // namespace armilla::cli

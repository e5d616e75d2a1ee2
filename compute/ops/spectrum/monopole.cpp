// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/monopole.h"

#include <cmath>
#include <string>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/nan.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/ring_monopole.h"

namespace armilla {

namespace {

constexpr double kTwoRootPi = 3.5449077018110320546;  // sqrt(4 pi)

int64_t ringCount(int64_t nside) {
    return 4 * nside - 1;
}

// A ring, and the index of its first sample in this process's samples.
struct HeldRing {
    int64_t ring = 0;
    size_t at = 0;
};

std::vector<HeldRing> heldRings(int64_t nside, std::span<const SampleRun> runs) {
    std::vector<HeldRing> held;
    size_t at = 0;
    for (const SampleRun& run : runs)
        for (int64_t pixel = run.first; pixel < run.first + run.count;) {
            const RingPlace place = ringPlaceFromRing(nside, pixel);
            const int64_t length = 4 * detail::quarterLength(nside, place.ring);
            ARMILLA_ASSERT(place.place == 0 && pixel + length <= run.first + run.count);
            held.push_back({place.ring, at});
            at += static_cast<size_t>(length);
            pixel += length;
        }
    return held;
}

// Rings of some 100 000 pixels, a few milliseconds.
long long ringGrain(int64_t nside) {
    return std::max<long long>(1, 100'000 / (4 * nside));
}

// Calls visit(x, y, place) for the pixels of a ring, (x, y) = sin(theta) (cos phi, sin phi).
template <typename Visit>
void forRing(int64_t nside, int64_t ring, const Visit& visit) {
    double z = 0.0, s = 0.0;
    ringHeight(nside, ring, z, s);
    const int64_t quarter = detail::quarterLength(nside, ring);
    const double step = kHalfPi / static_cast<double>(quarter);
    const double start = 0.5 * step * static_cast<double>(detail::ringShift(nside, ring));
    for (int64_t i = 0; i < 4 * quarter; ++i) {
        const double phi = start + step * static_cast<double>(i);
        visit(s * std::cos(phi), s * std::sin(phi), static_cast<size_t>(i));
    }
}

// Eight interleaved sums: the compiler vectorizes them, in the same order on every machine.
template <typename Sample>
MomentsOfRing plainMoments(const Sample* values, size_t count) {
    constexpr size_t kLanes = 8;
    std::array<double, kLanes> f{}, ff{};
    size_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (size_t lane = 0; lane < kLanes; ++lane) {
            const auto value = static_cast<double>(values[i + lane]);
            f[lane] += value;
            ff[lane] += value * value;
        }
    for (; i < count; ++i) {
        const auto value = static_cast<double>(values[i]);
        f[0] += value;
        ff[0] += value * value;
    }
    MomentsOfRing sums;
    sums.samples = sums.n = static_cast<double>(count);
    for (size_t lane = 0; lane < kLanes; ++lane) {
        sums.f += f[lane];
        sums.ff += ff[lane];
    }
    return sums;
}

template <typename Sample>
MomentsOfRing moments(RingMoments::Reach reach, int64_t nside, int64_t ring, const Sample* values,
                      const double* weights) {
    const auto count = static_cast<size_t>(4 * detail::quarterLength(nside, ring));
    if (reach == RingMoments::Reach::Mean && weights == nullptr) {
        const MomentsOfRing sums = plainMoments(values, count);
        if (std::isfinite(sums.f)) return sums;
    }
    MomentsOfRing sums;
    const auto add = [&](double x, double y, size_t i) {
        const auto f = static_cast<double>(values[i]);
        const double w = weights == nullptr ? 1.0 : weights[i];
        if (!std::isfinite(f) || !(w > 0.0)) return;
        sums.samples += 1.0;
        sums.n += w;
        sums.x += w * x, sums.y += w * y;
        sums.xx += w * x * x, sums.xy += w * x * y, sums.yy += w * y * y;
        sums.f += w * f, sums.ff += w * f * f, sums.fx += w * f * x, sums.fy += w * f * y;
    };
    if (reach == RingMoments::Reach::Dipole)
        forRing(nside, ring, add);
    else
        for (size_t i = 0; i < count; ++i) add(0.0, 0.0, i);
    return sums;
}

// normal equations, right-hand side in the last column
using System = std::array<std::array<double, 5>, 4>;

// Gaussian elimination with pivoting of a symmetric, positive system.
std::array<double, 4> solve(System s, int64_t samples) {
    const double size = s[0][0];
    for (size_t k = 0; k < 4; ++k) {
        size_t pivot = k;
        for (size_t i = k + 1; i < 4; ++i)
            if (std::abs(s[i][k]) > std::abs(s[pivot][k])) pivot = i;
        std::swap(s[k], s[pivot]);
        if (!(std::abs(s[k][k]) > 1e-12 * size))
            throw InvalidArgument(
                "expected enough finite pixels to fit a monopole and a dipole, found " +
                std::to_string(samples));
        for (size_t i = k + 1; i < 4; ++i) {
            const double factor = s[i][k] / s[k][k];
            for (size_t j = k; j < 5; ++j) s[i][j] -= factor * s[k][j];
        }
    }
    std::array<double, 4> result{};
    for (size_t k = 4; k-- > 0;) {
        double value = s[k][4];
        for (size_t j = k + 1; j < 4; ++j) value -= s[k][j] * result[j];
        result[k] = value / s[k][k];
    }
    return result;
}

int64_t nsideOf(size_t samples) {
    const auto nside =
        static_cast<int64_t>(std::llround(std::sqrt(static_cast<double>(samples) / 12.0)));
    if (!isNside(nside) || static_cast<int64_t>(samples) != pixelCount(nside))
        throw InvalidArgument("expected a map of 12 nside^2 pixels, found " +
                              std::to_string(samples));
    return nside;
}

ConstMapSamples constant(const MapSamples& samples) {
    return std::visit([](const auto& values) { return ConstMapSamples(values); }, samples);
}

// The multipoles to subtract according to these sums, and the mean to add back.
TakenOut takenOut(Remove how, const RingMoments& moments) {
    TakenOut taken{how, {}, moments.isWhole(), moments.mean(), moments.rms(), 0.0};
    if (how != Remove::None) {
        taken.fitted = moments.fit(how);
    } else if (taken.isWhole && std::isfinite(taken.mean)) {
        taken.fitted.monopole = taken.back = taken.mean;
    }
    return taken;
}

RingMoments::Reach reachFor(Remove how) {
    return how == Remove::Dipole ? RingMoments::Reach::Dipole : RingMoments::Reach::Mean;
}

}  // namespace

RingMoments::RingMoments(int64_t nside, Reach reach, const ConstMapSamples& samples,
                         JobContext& job)
    : RingMoments(nside, reach, samples,
                  std::array<SampleRun, 1>{{{0, armilla::pixelCount(nside)}}}, {}, job) {}

RingMoments::RingMoments(int64_t nside, Reach reach, const ConstMapSamples& samples,
                         std::span<const SampleRun> runs, std::span<const double> weights,
                         JobContext& job)
    : nside_(nside), reach_(reach), rings_(static_cast<size_t>(ringCount(nside))) {
    const std::vector<HeldRing> held = heldRings(nside, runs);
    std::visit(
        [&](const auto& values) {
            parallelFor(job, static_cast<long long>(held.size()), ringGrain(nside),
                        [&](long long begin, long long end) {
                            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end);
                                 ++i) {
                                const HeldRing& own = held[i];
                                rings_[static_cast<size_t>(own.ring - 1)] =
                                    moments(reach, nside, own.ring, values.data() + own.at,
                                            weights.empty() ? nullptr : weights.data() + own.at);
                            }
                        });
        },
        samples);
}

void RingMoments::gather(Ranks& ranks, JobContext& job) {
    // Each ring belongs to one rank; the other ranks have no samples of it.
    for (const std::vector<MomentsOfRing>& each :
         ranks.gatherAll(std::span<const MomentsOfRing>(rings_), job))
        for (size_t r = 0; r < rings_.size(); ++r)
            if (each[r].samples > 0.0) rings_[r] = each[r];
}

double RingMoments::sumOf(double MomentsOfRing::*member) const {
    double sum = 0.0, lost = 0.0;
    for (const MomentsOfRing& ring : rings_) {
        const double value = ring.*member, next = sum + value;
        lost += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
        sum = next;
    }
    return sum + lost;
}

int64_t RingMoments::goodSamples() const {
    return static_cast<int64_t>(sumOf(&MomentsOfRing::samples));
}
bool RingMoments::isWhole() const {
    return goodSamples() == armilla::pixelCount(nside_);
}
double RingMoments::mean() const {
    const double n = sumOf(&MomentsOfRing::n);
    return n > 0.0 ? sumOf(&MomentsOfRing::f) / n : kNan;
}
double RingMoments::rms() const {
    const double n = sumOf(&MomentsOfRing::n), own = mean();
    return n > 0.0 ? std::sqrt(std::max(0.0, sumOf(&MomentsOfRing::ff) / n - own * own)) : kNan;
}

LowMultipoles RingMoments::fit(Remove how) const {
    if (how == Remove::None) return {};
    if (goodSamples() == 0)
        throw InvalidArgument("expected finite pixels to fit a monopole, found none");
    if (how == Remove::Monopole) return {mean(), {}};
    ARMILLA_ASSERT(reach_ == Reach::Dipole);
    System system{};
    for (size_t r = 0; r < rings_.size(); ++r) {
        const MomentsOfRing& m = rings_[r];
        double z = 0.0, s = 0.0;
        ringHeight(nside_, static_cast<int64_t>(r) + 1, z, s);
        const System ring{{{m.n, m.x, m.y, m.n * z, m.f},
                           {m.x, m.xx, m.xy, m.x * z, m.fx},
                           {m.y, m.xy, m.yy, m.y * z, m.fy},
                           {m.n * z, m.x * z, m.y * z, m.n * z * z, m.f * z}}};
        for (size_t i = 0; i < 4; ++i)
            for (size_t j = 0; j < 5; ++j) system[i][j] += ring[i][j];
    }
    const std::array<double, 4> fitted = solve(system, goodSamples());
    return {fitted[0], {fitted[1], fitted[2], fitted[3]}};
}

void subtract(const LowMultipoles& fitted, int64_t nside, const MapSamples& samples,
              std::span<const SampleRun> runs, JobContext& job) {
    const std::vector<HeldRing> held = heldRings(nside, runs);
    const auto [x, y, z] = fitted.dipole;
    const bool isFlat = x == 0.0 && y == 0.0 && z == 0.0;
    if (isFlat && fitted.monopole == 0.0) return;
    const auto less = [&](auto* values, int64_t ring) {
        using Sample = std::decay_t<decltype(*values)>;
        double height = 0.0, s = 0.0;
        ringHeight(nside, ring, height, s);
        const double level = fitted.monopole + z * height;
        const auto take = [&](size_t i, double amount) {
            values[i] = static_cast<Sample>(static_cast<double>(values[i]) - amount);
        };
        if (isFlat)
            for (size_t i = 0; i < static_cast<size_t>(4 * detail::quarterLength(nside, ring)); ++i)
                take(i, fitted.monopole);
        else
            forRing(nside, ring,
                    [&](double px, double py, size_t i) { take(i, level + x * px + y * py); });
    };
    std::visit(
        [&](const auto& values) {
            parallelFor(job, static_cast<long long>(held.size()), ringGrain(nside),
                        [&](long long begin, long long end) {
                            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end);
                                 ++i)
                                less(values.data() + held[i].at, held[i].ring);
                        });
        },
        samples);
}

std::optional<double> meanOfWhole(const ConstMapSamples& ring, JobContext& job) {
    JobContext silent(job.stopToken(), {}, job.threads());
    const RingMoments moments(nsideOf(sizeOf(ring)), RingMoments::Reach::Mean, ring, silent);
    if (!moments.isWhole()) return {};
    const double mean = moments.mean();
    return std::isfinite(mean) ? mean : 0.0;
}

void TakenOut::putBack(Alm& alm) const {
    alm(0, 0) += kTwoRootPi * back;
}
void TakenOut::putBack(AlmShare& alm) const {
    if (alm.has(0)) alm.of(0).front() += kTwoRootPi * back;
}

TakenOut takeOut(Remove how, const MapSamples& ring, JobContext& job) {
    JobContext silent(job.stopToken(), {}, job.threads());
    const int64_t nside = nsideOf(sizeOf(ring));
    const TakenOut taken = takenOut(how, RingMoments(nside, reachFor(how), constant(ring), silent));
    const SampleRun all{0, armilla::pixelCount(nside)};
    subtract(taken.fitted, nside, ring, {&all, 1}, silent);
    return taken;
}

TakenOut meanToTakeOut(const ConstMapSamples& ring, JobContext& job) {
    JobContext silent(job.stopToken(), {}, job.threads());
    const int64_t nside = nsideOf(sizeOf(ring));
    return takenOut(Remove::None, RingMoments(nside, reachFor(Remove::None), ring, silent));
}

TakenOut takeOut(Remove how, int64_t nside, const MapSamples& own, std::span<const SampleRun> runs,
                 Ranks& ranks, JobContext& job) {
    JobContext silent(job.stopToken(), {}, job.threads());
    RingMoments moments(nside, reachFor(how), constant(own), runs, {}, silent);
    moments.gather(ranks, silent);
    const TakenOut taken = takenOut(how, moments);
    subtract(taken.fitted, nside, own, runs, silent);
    return taken;
}

namespace {

// Calls `take(direction, sample, index)` for the samples of a ring.
template <typename Take>
void forSamples(const Ring& ring, std::span<double> samples, const Take& take) {
    for (int64_t i = 0; i < ring.count; ++i) {
        const double longitude =
            ring.phi0 + kTwoPi * static_cast<double>(i) / static_cast<double>(ring.count);
        const auto at = static_cast<size_t>(ring.first + i);
        take(Vec3{ring.sinTheta * std::cos(longitude), ring.sinTheta * std::sin(longitude), ring.z},
             samples[at], at);
    }
}

// Weighted normal equations of values about `mean`, and their weighted squares.
struct RingSystem {
    System system{};
    double squares = 0.0;
};
RingSystem systemOf(const Ring& ring, std::span<double> samples, std::span<const double> weights,
                    double mean) {
    RingSystem sums;
    forSamples(ring, samples, [&](Vec3 v, double value, size_t at) {
        if (!std::isfinite(value)) return;
        const double weight = ring.weight * (weights.empty() ? 1.0 : weights[at]);
        const double apart = value - mean;
        const std::array<double, 5> row{1.0, v.x, v.y, v.z, apart};
        for (size_t i = 0; i < 4; ++i)
            for (size_t j = 0; j < 5; ++j) sums.system[i][j] += weight * row[i] * row[j];
        sums.squares += weight * apart * apart;
    });
    return sums;
}

}  // namespace

TakenOut takeOut(Remove how, const RingGrid& rings, std::span<double> samples,
                 std::span<const double> weights, JobContext& job) {
    JobContext silent(job.stopToken(), {}, job.threads());
    const auto count = std::ssize(rings.rings);
    double all = 0.0, total = 0.0, sum = 0.0;
    int64_t good = 0;
    for (const Ring& ring : rings.rings) {
        silent.poll();
        all += ring.weight * static_cast<double>(ring.count);
        for (int64_t i = 0; i < ring.count; ++i) {
            const auto at = static_cast<size_t>(ring.first + i);
            const double value = samples[at];
            if (!std::isfinite(value)) continue;
            ++good;
            const double weight = ring.weight * (weights.empty() ? 1.0 : weights[at]);
            total += weight;
            sum += weight * value;
        }
    }
    TakenOut taken;
    taken.how = how;
    taken.mean = sum / total;
    // Rounding of the weights' sum.
    taken.isWhole = good == rings.sampleCount() && std::abs(all / (4.0 * kPi) - 1.0) < 1e-9;
    std::vector<RingSystem> systems(static_cast<size_t>(count));
    parallelFor(silent, count, 16, [&](long long begin, long long end) {
        for (auto r = static_cast<size_t>(begin); r < static_cast<size_t>(end); ++r)
            systems[r] = systemOf(rings.rings[r], samples, weights, taken.mean);
    });
    RingSystem whole;
    for (const RingSystem& each : systems) {
        whole.squares += each.squares;
        for (size_t i = 0; i < 4; ++i)
            for (size_t j = 0; j < 5; ++j) whole.system[i][j] += each.system[i][j];
    }
    taken.rms = std::sqrt(whole.squares / total);
    if (how == Remove::None) return taken;
    taken.fitted.monopole = taken.mean;
    if (how == Remove::Dipole) {
        const std::array<double, 4> fitted = solve(whole.system, good);
        taken.fitted = {taken.mean + fitted[0], {fitted[1], fitted[2], fitted[3]}};
    }
    parallelFor(silent, count, 16, [&](long long begin, long long end) {
        for (auto r = static_cast<size_t>(begin); r < static_cast<size_t>(end); ++r)
            forSamples(rings.rings[r], samples, [&](Vec3 v, double& value, size_t) {
                value -= taken.fitted.monopole + dot(taken.fitted.dipole, v);
            });
    });
    return taken;
}

std::array<double, 4> removeMonopoleDipole(int64_t nside, std::span<double> ringMap,
                                           JobContext& job) {
    if (!isNside(nside) || static_cast<int64_t>(ringMap.size()) != armilla::pixelCount(nside))
        throw InvalidArgument("expected a map of 12 nside^2 pixels, found " +
                              std::to_string(ringMap.size()) + " for nside " +
                              std::to_string(nside));
    JobContext silent(job.stopToken(), {}, job.threads());
    const LowMultipoles fitted =
        RingMoments(nside, RingMoments::Reach::Dipole, ConstMapSamples(ringMap), silent)
            .fit(Remove::Dipole);
    const SampleRun all{0, armilla::pixelCount(nside)};
    subtract(fitted, nside, ringMap, {&all, 1}, silent);
    return {fitted.monopole, fitted.dipole.x, fitted.dipole.y, fitted.dipole.z};
}

}  // namespace armilla

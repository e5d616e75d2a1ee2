// SPDX-License-Identifier: GPL-3.0-or-later
// Nside 16384, lmax 32768 in the share of one of a thousand ranks: single modes compared with
// direct sums. The map takes 26 GB and the coefficients 9; the test holds one rank at a time, with
// its share of both.
#include <QtTest>
#undef slots  // Qt's word for what moc reads is a number of places for orders in what follows
#include <cmath>
#include <random>
#include <vector>

#include "armilla/core/map_samples.h"
#include "armilla/ops/distributed_sht.h"
#include "pairs/quad.h"
#include "support/direct_sht.h"
#include "support/lone_rank.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

using Complex = std::complex<double>;
using LongComplex = std::complex<Real>;

constexpr int64_t kNside = 16384;
constexpr int kLmax = 32768, kRanks = 1000;
// Rings of a rank that are compared, and samples of each.
constexpr int kRings = 24;
constexpr int64_t kSamples = 64;

// Same as `lambda`, in 113 bits. Near a pole the rounding of the cosine becomes one of the angle, 1
// / sin times larger, and l of these add up. A separate exponent is needed, because sin^m falls
// below the 1e-4932 of this type even where lambda_lm (l far above m) is of order 1.
std::vector<Real> largeLambda(int m, Quad cosine) {
    std::vector<Real> value(static_cast<size_t>(kLmax) + 1, 0.0L);
    const Quad sine = quadSqrt((Quad(1) - cosine) * (Quad(1) + cosine));
    int exponent = 0;
    // Scales both to about 2^0 and records the exponent.
    const auto bring = [&](Quad& x, Quad& y) {
        int more = 0;
        std::frexp(static_cast<Real>(x), &more);
        x *= Quad(std::ldexp(1.0L, -more));
        y *= Quad(std::ldexp(1.0L, -more));
        exponent += more;
    };
    Quad here = Quad(1) / quadSqrt(Quad(4) * quadPi()), before = Quad(0);
    for (int k = 1; k <= m; ++k) {
        here *= -sine * quadSqrt(Quad(2 * k + 1) / Quad(2 * k));
        bring(here, before);
    }
    Quad step = Quad(0);  // coefficient of l - 1; zero below m
    for (int l = m;; ++l) {
        value[static_cast<size_t>(l)] = std::ldexp(static_cast<Real>(here), exponent);
        if (l == kLmax) return value;
        const Quad next = Quad(l + 1), order = Quad(m);
        const Quad up = quadSqrt((next * next - order * order) / (Quad(4) * next * next - Quad(1)));
        const Quad after = (cosine * here - step * before) / up;
        before = here;
        here = after;
        step = up;
        constexpr Real kLarge = 1e1000L;
        if (std::abs(static_cast<Real>(here)) > kLarge) bring(here, before);
    }
}

// The colatitude of a ring, by definition.
Quad ringCosine(int64_t ring) {
    const Quad n = Quad(kNside);
    if (ring >= kNside && ring <= 3 * kNside) return Quad(2 * (2 * kNside - ring)) / (Quad(3) * n);
    const Quad pole = Quad(ring < kNside ? ring : 4 * kNside - ring);
    const Quad z = Quad(1) - pole * pole / (Quad(3) * n * n);
    return ring < kNside ? z : -z;
}

// Some rings of a rank's share, and the offset of their samples.
struct OwnRing {
    Quad cosine;
    Real first;  // longitude
    int64_t count = 0, at = 0;
    Real longitude(int64_t j) const {
        return first + 2 * kLongPi * static_cast<Real>(j) / static_cast<Real>(count);
    }
};
std::vector<OwnRing> someRings(const DistributedSht& plan) {
    std::vector<OwnRing> all;
    int64_t before = 0;
    for (const SampleRun& run : plan.runs()) {
        for (int64_t pixel = run.first; pixel < run.first + run.count;) {
            const RingPlace place = ringPlaceFromRing(kNside, pixel);
            const int64_t count = 4 * detail::quarterLength(kNside, place.ring);
            all.push_back({ringCosine(place.ring), pixelDirection(kNside, pixel).phi, count,
                           before + pixel - run.first});
            pixel += count;
        }
        before += run.count;
    }
    std::vector<OwnRing> some;
    const size_t last = all.size() - 1;
    for (size_t i = 0; i < kRings; ++i) some.push_back(all[i * last / (kRings - 1)]);
    return some;
}

DistributedSht largePlan(Ranks& ranks, JobContext& job) {
    ShtParameters p;
    p.nside = kNside;
    p.lmax = p.mmax = kLmax;
    return {p, ranks, job};
}

// The rank of an order, and ranks of some rings: pole and equator, middle of caps and belt, and
// their borders.
int ownerOf(int m) {
    JobContext job;
    LoneRank ranks(0, kRanks);
    return largePlan(ranks, job).ownerOfOrder()[static_cast<size_t>(m)];
}
constexpr std::array kRingRanks{0, 200, kRanks - 1};

// Four times the rounding error of a ring's part, squared. In n = (l - m) / 2 steps P_{k+1} = c P_k
// - P_{k-1}, c = 2 cos(alpha), and alpha is twice the colatitude.
//
// c has about six roundings, 1.4 epsilon rms. Each grows as sin(j alpha) / sin(alpha) over the
// following j steps. The sum of squares over all j is n^3 / 3 or n / (2 sin^2(alpha)), whichever is
// less.
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
double growth(const OwnRing& ring, int l, int m) {
    const double n = 0.5 * (l - m);
    const double sine = std::sin(2.0 * std::acos(static_cast<double>(ring.cosine)));
    const double each = 4.0 * 1.4 * kEpsilon;
    return each * each * std::min(n * n * n / 3.0, 0.5 * n / (sine * sine));
}
// Limit for all latitudes together, from which the rings are interpolated (support/direct_cases.h).
constexpr double kOfAll = 4.0 * kEpsilon * kLmax;

}  // namespace

class LargeSkyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void synthesis_data() {
        QTest::addColumn<int>("l");
        QTest::addColumn<int>("m");
        // Next to the poles; beyond the exponent range on the way; near the end of all orders.
        for (const auto& [l, m] : {std::pair(32768, 60), {32767, 12345}, {32000, 31003}})
            QTest::addRow("(%d, %d)", l, m) << l << m;
    }
    void synthesis();
    void adjoint_data() {
        QTest::addColumn<int>("m");
        for (const int m : {60, 12345, 31003}) QTest::addRow("%d", m) << m;
    }
    void adjoint();
};

void LargeSkyTest::synthesis() {
    QFETCH(int, l);
    QFETCH(int, m);
    JobContext job;
    const Complex mode(0.6, 0.8);
    const int owner = ownerOf(m);
    LoneRank sender(owner, kRanks);
    struct Compared {
        double wrong = 0.0, size = 0.0, allowed = 0.0;  // mean squares
    };
    const auto made = [&](LoneRank& ranks, int from, LoneRank::Messages messages) {
        DistributedSht plan = largePlan(ranks, job);
        AlmShare alm = plan.newAlm(job);
        if (ranks.rank() == owner) alm.of(m)[static_cast<size_t>(l - m)] = mode;
        std::vector<double> map(static_cast<size_t>(plan.sampleCount()));
        const MapSamples to{std::span(map)};
        ranks.work(from, std::move(messages));
        plan.synthesis(0, {&alm, 1}, {&to, 1}, job);
        Compared all;
        int64_t count = 0;
        for (const OwnRing& ring : someRings(plan)) {
            const std::vector<Real> values = largeLambda(m, ring.cosine);
            const auto at = static_cast<size_t>(l);
            const int64_t samples = std::min(ring.count, kSamples);
            for (int64_t i = 0; i < samples; ++i) {
                const int64_t j = i * ring.count / samples;
                const LongComplex turn = std::polar(1.0L, m * ring.longitude(j));
                const Real truth = 2 * values[at] * (LongComplex(mode) * turn).real();
                all.wrong +=
                    static_cast<double>(std::pow(map[static_cast<size_t>(ring.at + j)] - truth, 2));
                all.size += static_cast<double>(truth * truth);
            }
            // The error scales with the magnitude of lambda_lm here, not with its value near a
            // zero.
            all.allowed +=
                growth(ring, l, m) * static_cast<double>(samples) *
                static_cast<double>(2 * (std::pow(values[at], 2) + std::pow(values[at - 1], 2)));
            count += samples;
        }
        for (double* sum : {&all.wrong, &all.size, &all.allowed})
            *sum /= static_cast<double>(count);
        return all;
    };
    for (const int rank : kRingRanks) sender.keepFor(rank);
    made(sender, -1, {});
    double largest = 0.0;
    for (const int rank : kRingRanks) {
        LoneRank ranks(rank, kRanks);
        const Compared all = made(ranks, owner, sender.keptFor(rank));
        QVERIFY(!ranks.mismatches());
        // Size of the mode on the sphere, or of its value here.
        const double size = std::max(2.0 / (4.0 * kPi), all.size);
        ARMILLA_VERIFY_BELOW(std::sqrt(all.wrong), std::sqrt(all.allowed + kOfAll * kOfAll * size));
        largest = std::max(largest, all.size);
    }
    QVERIFY(largest > 0.01);
}

void LargeSkyTest::adjoint() {
    QFETCH(int, m);
    JobContext job;
    const int owner = ownerOf(m);
    double largest = 0.0;
    for (const int rank : kRingRanks) {
        std::vector<LongComplex> truth(static_cast<size_t>(kLmax - m) + 1);
        std::vector<Complex> found;
        double allowed = 0.0;
        const auto run = [&](LoneRank& ranks, int from, LoneRank::Messages messages) {
            DistributedSht plan = largePlan(ranks, job);
            AlmShare alm = plan.newAlm(job);
            std::vector<double> map(static_cast<size_t>(plan.sampleCount()));
            std::mt19937_64 random(static_cast<unsigned>(rank));
            std::uniform_real_distribution<double> value(-1.0, 1.0);
            for (const OwnRing& ring : someRings(plan)) {
                if (ranks.rank() != rank) break;
                LongComplex modes = 0.0L;
                const int64_t samples = std::min(ring.count, kSamples);
                for (int64_t i = 0; i < samples; ++i) {
                    const int64_t j = i * ring.count / samples;
                    double& sample = map[static_cast<size_t>(ring.at + j)];
                    sample = value(random);
                    modes += std::polar(static_cast<Real>(sample), -m * ring.longitude(j));
                }
                const std::vector<Real> values = largeLambda(m, ring.cosine);
                for (size_t k = 0; k < truth.size(); ++k) {
                    const LongComplex part = modes * values[static_cast<size_t>(m) + k];
                    truth[k] += part;
                    allowed += growth(ring, m + static_cast<int>(k), m) *
                               static_cast<double>(std::norm(part));
                }
            }
            const ConstMapSamples in{std::span(std::as_const(map))};
            ranks.work(from, std::move(messages));
            plan.adjointSynthesis(0, {&in, 1}, {&alm, 1}, job);
            if (ranks.rank() == owner) found.assign(alm.of(m).begin(), alm.of(m).end());
        };
        LoneRank sender(rank, kRanks), receiver(owner, kRanks);
        sender.keepFor(owner);
        run(sender, -1, {});
        if (rank != owner) run(receiver, rank, sender.keptFor(owner));
        QVERIFY(!receiver.mismatches());
        double wrong = 0.0, size = 0.0;
        for (size_t k = 0; k < truth.size(); ++k) {
            wrong += static_cast<double>(std::norm(LongComplex(found[k]) - truth[k]));
            size += static_cast<double>(std::norm(truth[k]));
        }
        // Each of n samples of mean square 1/3 adds 1 / (4 pi) on the mean to |a_lm|^2.
        const double white =
            kRings * kSamples / 3.0 / (4.0 * kPi) * static_cast<double>(truth.size());
        ARMILLA_VERIFY_BELOW(std::sqrt(wrong),
                             std::sqrt(allowed + kOfAll * kOfAll * std::max(size, white)));
        largest = std::max(largest, size / white);
    }
    QVERIFY(largest > 0.01);
}

QTEST_APPLESS_MAIN(LargeSkyTest)
#include "tst_large_sky.moc"

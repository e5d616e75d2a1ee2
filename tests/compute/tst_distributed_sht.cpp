// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms over ranks compared bit for bit with those of one process; the partition of the work.
#include <QtTest>
#undef slots  // Qt's word for what moc reads is a number of places for orders in what follows
#include <array>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numeric>
#include <random>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/ops/distributed_sht.h"
#include "armilla/ops/sht.h"
#include "sht/plan/ring_transform.h"
#include "sht/several/ranks/rank_shares.h"
#include "sht/several/ranks/staged_transform.h"
#include "support/direct_sht.h"
#include "support/local_ranks.h"

using namespace armilla;
using namespace armilla::test;

namespace {

using Complex = std::complex<double>;

struct Case {
    const char* name;
    ShtParameters parameters;
    RingGrid grid;  // grid for parameters without nside
    int spin = 0;
    bool single = false;
};

template <typename Sample>
std::vector<std::vector<Sample>> randomMaps(size_t count, int64_t samples) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    std::vector<std::vector<Sample>> maps(count);
    for (auto& map : maps)
        for (int64_t i = 0; i < samples; ++i) map.push_back(static_cast<Sample>(normal(random)));
    return maps;
}

template <typename Sample>
std::vector<Sample> partOf(const std::vector<Sample>& map, std::span<const SampleRun> runs) {
    std::vector<Sample> part;
    for (const SampleRun& run : runs)
        part.insert(part.end(), map.begin() + run.first, map.begin() + run.first + run.count);
    return part;
}
template <typename Sample>
bool samePart(const std::vector<Sample>& map, std::span<const SampleRun> runs,
              const std::vector<Sample>& part) {
    const std::vector<Sample> expected = partOf(map, runs);
    if (expected.size() != part.size() || part.empty()) return expected.size() == part.size();
    return std::memcmp(expected.data(), part.data(), part.size() * sizeof(Sample)) == 0;
}
AlmShare shareOf(const Alm& alm, const DistributedSht& plan, JobContext& job) {
    AlmShare share = plan.newAlm(job);
    for (const int m : share.orders())
        for (int l = m; l <= alm.lmax(); ++l) share.of(m)[static_cast<size_t>(l - m)] = alm(l, m);
    return share;
}
bool sameShare(const Alm& alm, const AlmShare& share) {
    for (const int m : share.orders())
        for (int l = m; l <= alm.lmax(); ++l)
            if (const Complex a = alm(l, m), b = share.of(m)[static_cast<size_t>(l - m)];
                std::memcmp(&a, &b, sizeof a) != 0)
                return false;
    return true;
}

ShtPlan serialPlan(const Case& at, JobContext& job) {
    return at.parameters.nside > 0 ? ShtPlan(at.parameters, Device::cpu(), job)
                                   : ShtPlan(at.grid, at.parameters, Device::cpu(), job);
}
DistributedSht planOf(const Case& at, Ranks& ranks, JobContext& job) {
    return at.parameters.nside > 0 ? DistributedSht(at.parameters, ranks, job)
                                   : DistributedSht(at.grid, at.parameters, ranks, job);
}

// Every transform of a case by one process and by ranks. Returns what differs.
template <typename Sample>
std::vector<std::string> differences(const Case& at, int count) {
    JobContext job({}, {}, 1);
    const ShtPlan serial = serialPlan(at, job);
    const ShtParameters& p = serial.parameters();
    const int64_t samples = at.parameters.nside > 0 ? pixelCount(p.nside) : at.grid.sampleCount();
    const size_t components = at.spin == 0 ? 1 : 2;
    std::vector<Alm> alm;
    for (unsigned i = 0; i < components; ++i) alm.push_back(whiteAlm(p.lmax, p.mmax, 0, 3 + i));
    const auto given = randomMaps<Sample>(components, samples);
    auto made = given, slopes = randomMaps<Sample>(2, samples);
    std::vector<MapSamples> to(made.begin(), made.end());
    std::vector<ConstMapSamples> from(given.begin(), given.end());
    std::vector<Alm> analyzed(components, Alm(p.lmax, p.mmax)), adjoint = analyzed;
    if (at.spin == 0) {
        serial.synthesis(alm, to, job);
        serial.analysis(from, analyzed, job);
        std::vector<Sample> map(static_cast<size_t>(samples));
        serial.synthesisGradient(alm[0], std::span(map), std::span(slopes[0]), std::span(slopes[1]),
                                 job);
    } else {
        serial.synthesisSpin(at.spin, alm, to, job);
        serial.analysisSpin(at.spin, from, analyzed, job);
    }
    serial.adjointSynthesis(at.spin, from, adjoint, job);

    std::mutex lock;
    std::vector<std::string> wrong;
    int64_t held = 0, degrees = 0;
    bool inMemory = true, counted = true;
    const auto work = [&](Ranks& ranks) {
        const auto note = [&](const std::string& what) {
            const std::lock_guard hold(lock);
            wrong.push_back(what + " on rank " + std::to_string(ranks.rank()));
        };
        try {
            JobContext own({}, {}, 1);
            DistributedSht plan = planOf(at, ranks, own);
            const std::span<const SampleRun> runs = plan.runs();
            std::vector<AlmShare> shares, found, transposed;
            std::vector<std::vector<Sample>> parts, results;
            for (size_t i = 0; i < components; ++i) {
                shares.push_back(shareOf(alm[i], plan, own));
                found.push_back(plan.newAlm(own));
                transposed.push_back(plan.newAlm(own));
                // Previous content of the outputs does not matter.
                for (AlmShare* each : {&found.back(), &transposed.back()})
                    std::fill(each->values().begin(), each->values().end(), Complex(NAN));
                parts.push_back(partOf(given[i], runs));
                results.emplace_back(static_cast<size_t>(plan.sampleCount()));
            }
            const std::vector<MapSamples> out(results.begin(), results.end());
            const std::vector<ConstMapSamples> in(parts.begin(), parts.end());
            plan.synthesis(at.spin, shares, out, own);
            plan.analysis(at.spin, in, found, own);
            plan.adjointSynthesis(at.spin, in, transposed, own);
            const ExchangedBy strategy =
                inMemory && count > 1 ? ExchangedBy::SharedMemory : ExchangedBy::Messages;
            if (plan.steps().exchangedBy != strategy) note(nameOf(plan.steps().exchangedBy));
            for (size_t i = 0; i < components; ++i) {
                if (!samePart(made[i], runs, results[i])) note("synthesis");
                if (!sameShare(analyzed[i], found[i])) note("analysis");
                if (!sameShare(adjoint[i], transposed[i])) note("adjoint");
            }
            if (at.spin == 0) {
                std::vector<std::vector<Sample>> own2(2, results[0]);
                plan.gradient(shares[0], std::span(own2[0]), std::span(own2[1]), own);
                for (size_t i = 0; i < 2; ++i)
                    if (!samePart(slopes[i], runs, own2[i])) note("gradient");
            }
            const DegreeShare byDegree = toDegrees(found[0], plan.ownerOfOrder(), ranks, own);
            for (int l = byDegree.begin; l < byDegree.end; ++l)
                for (int m = 0; m <= std::min(l, p.mmax); ++m)
                    if (byDegree.values[static_cast<size_t>(byDegree.place(l) + m)] !=
                        analyzed[0](l, m))
                        return note("degrees");
            const std::lock_guard hold(lock);
            held += plan.sampleCount();
            degrees += byDegree.end - byDegree.begin;
        } catch (const std::exception& error) {
            note(error.what());
        }
    };
    for (const bool shared : {true, false}) {
        inMemory = shared;
        const SharedMemory setting(shared);
        held = degrees = 0;
        counted = runRanks(count, work) && counted;
        if (held != samples || degrees != p.lmax + 1)
            wrong.push_back("samples or degrees that nobody or several hold");
    }
    if (!counted) wrong.push_back("messages of other sizes than counted");
    return wrong;
}

}  // namespace

Q_DECLARE_METATYPE(Case)
Q_DECLARE_METATYPE(RingGrid)

class DistributedShtTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sameBits_data();
    void sameBits();
    void sameBitsByRows_data();
    void sameBitsByRows();
    void rowsArePartitionedOnce();
    void adjointness();
    void countsOfAHugeSky();
    void refusals();
};

void DistributedShtTest::sameBits_data() {
    QTest::addColumn<Case>("at");
    QTest::addColumn<int>("ranks");
    const auto healpix = [](int64_t nside, int lmax, int mmax) {
        ShtParameters p;
        p.nside = nside;
        p.lmax = lmax;
        p.mmax = mmax;
        return p;
    };
    ShtParameters iterated = healpix(16, 40, -1), onGrid;
    iterated.iterations = 2;
    iterated.weights = Weights::Ring;
    onGrid.lmax = 60;
    ShtParameters byPixels = iterated;
    byPixels.weights = Weights::Pixel;
    std::vector<Case> cases;
    // Interpolated in latitude; more than one slice of orders is another test.
    cases.push_back({"nside 128, lmax 300", healpix(128, 300, -1), {}, 0, false});
    cases.push_back({"nside 128, lmax 300, spin 2", healpix(128, 300, -1), {}, 2, false});
    cases.push_back({"nside 128, lmax 300, single", healpix(128, 300, -1), {}, 0, true});
    cases.push_back({"nside 32, lmax 64, mmax 20", healpix(32, 64, 20), {}, 0, false});
    cases.push_back({"nside 32, lmax 95, spin 1", healpix(32, 95, -1), {}, 1, true});
    cases.push_back({"nside 16, ring weights, iterations", iterated, {}, 0, false});
    cases.push_back({"nside 16, iterations, spin 3", iterated, {}, 3, false});
    cases.push_back({"nside 16, pixel weights, iterations", byPixels, {}, 0, true});
    cases.push_back({"nside 16, pixel weights, iterations, spin 2", byPixels, {}, 2, false});
    ShtParameters solved = healpix(16, 32, -1), solvedByPixels = healpix(16, 32, 20);
    solved.tolerance = 1e-10;
    solvedByPixels.tolerance = 1e-6;
    solvedByPixels.weights = Weights::Pixel;
    cases.push_back({"nside 16, least squares", solved, {}, 0, false});
    cases.push_back({"nside 16, least squares, pixel weights", solvedByPixels, {}, 2, true});
    // Fewer blocks of orders, and fewer pairs of rings, than ranks. Also ranks with rings of one
    // length only, which would use FFTW in a single process.
    cases.push_back({"nside 2, lmax 5", healpix(2, 5, -1), {}, 0, false});
    // A single ring is its own mirror image; the length of all rings is no multiple of four.
    cases.push_back({"Gauss-Legendre", onGrid, RingGrid::gaussLegendre(61, 125), 0, false});
    for (const Case& at : cases)
        for (const int ranks : {1, 2, 3, 4, 5, 7, 8})
            QTest::addRow("%s, %d ranks", at.name, ranks) << at << ranks;
}

void DistributedShtTest::sameBits() {
    QFETCH(Case, at);
    QFETCH(int, ranks);
    const std::vector<std::string> wrong =
        at.single ? differences<float>(at, ranks) : differences<double>(at, ranks);
    QVERIFY2(wrong.empty(), wrong.empty() ? "" : wrong.front().c_str());
}

// Transforms of ranks of which some have devices of unequal speed, here with the CPU share on all
// ranks. Rows are exchanged, and the bits are those of one process.
void DistributedShtTest::sameBitsByRows_data() {
    QTest::addColumn<RingGrid>("grid");
    QTest::addColumn<int>("lmax");
    QTest::addColumn<int>("mmax");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<bool>("equal");
    for (const int ranks : {1, 2, 3, 5})
        for (const bool equal : {true, false}) {
            const auto row = [&](const char* name, const RingGrid& grid, int lmax, int mmax) {
                QTest::addRow("%s, %d ranks%s", name, ranks, equal ? "" : " of unequal speed")
                    << grid << lmax << mmax << ranks << equal;
            };
            row("interpolated", RingGrid::healpix(128), 300, 300);
            row("few orders", RingGrid::healpix(32), 64, 20);
            row("fewer blocks and rings than ranks", RingGrid::healpix(1), 2, 2);
            row("odd rings", RingGrid::gaussLegendre(61, 125), 60, 60);
        }
}

void DistributedShtTest::sameBitsByRows() {
    QFETCH(RingGrid, grid);
    QFETCH(int, lmax);
    QFETCH(int, mmax);
    QFETCH(int, ranks);
    QFETCH(bool, equal);
    JobContext job({}, {}, 1);
    RingTransform serial(grid, lmax, mmax, job);
    const int64_t samples = grid.sampleCount();
    const bool poles = grid.rings.front().sinTheta == 0.0;
    const std::vector<double> weights = [&] {
        std::vector<double> all;
        for (size_t ring = 0; ring < grid.rings.size(); ++ring)
            all.push_back(0.5 + 0.01 * static_cast<double>(ring % 7));
        return all;
    }();
    const auto given = randomMaps<double>(2, samples);
    const std::vector<Alm> alm{whiteAlm(lmax, mmax, 2, 3), whiteAlm(lmax, mmax, 2, 4)};
    std::vector<RankPower> powers(static_cast<size_t>(ranks));
    for (size_t i = 0; !equal && i < powers.size(); ++i)
        powers[i].speed = i == 0 ? 20.0 : 1.0 + static_cast<double>(i);
    std::mutex lock;
    std::vector<std::string> wrong;
    for (const int spin : {0, 2}) {
        const size_t count = spin == 0 ? 1 : 2;
        auto made = given, slopes = given;
        std::vector<Alm> adjoint(count, Alm(lmax, mmax));
        if (spin == 0) {
            serial.synthesis(alm[0], std::span(made[0]), job);
            serial.adjoint(std::span(given[0]), weights, adjoint[0], job);
            if (!poles) serial.gradient(alm[0], std::span(slopes[0]), std::span(slopes[1]), job);
        } else {
            serial.synthesisSpin(spin, alm[0], alm[1], std::span(made[0]), std::span(made[1]), job);
            serial.adjointSpin(spin, std::span(given[0]), std::span(given[1]), weights, adjoint[0],
                               adjoint[1], job);
        }
        const bool counted = runRanks(ranks, [&](Ranks& group) {
            const auto note = [&](const std::string& what) {
                const std::lock_guard hold(lock);
                wrong.push_back(what + ", spin " + std::to_string(spin) + ", rank " +
                                std::to_string(group.rank()));
            };
            try {
                JobContext own({}, {}, 1);
                StagedTransform staged(grid, lmax, mmax, Device::cpu(), powers, group, own);
                const auto rank = static_cast<size_t>(group.rank());
                const std::span<const SampleRun> runs = staged.runs()[rank];
                std::vector<int> orders;
                for (int m = 0; m <= mmax; ++m)
                    if (staged.ownerOfOrder()[static_cast<size_t>(m)] == group.rank())
                        orders.push_back(m);
                std::vector<AlmShare> from, to;
                std::vector<std::vector<double>> parts, results;
                for (size_t i = 0; i < count; ++i) {
                    from.emplace_back(lmax, orders, own);
                    to.emplace_back(lmax, orders, own);
                    for (const int m : orders)
                        for (int l = m; l <= lmax; ++l)
                            from[i].of(m)[static_cast<size_t>(l - m)] = alm[i](l, m);
                    parts.push_back(partOf(given[i], runs));
                    results.emplace_back(parts[i].size());
                }
                std::vector<double> ofRings;
                for (const int ring : staged.rings()[rank])
                    ofRings.push_back(weights[static_cast<size_t>(ring)]);
                const std::vector<MapSamples> out(results.begin(), results.end());
                const std::vector<ConstMapSamples> in(parts.begin(), parts.end());
                // Twice: the second run uses the buffers of the first.
                for (int time = 0; time < 2; ++time) {
                    staged.synthesis(spin, from, out, own);
                    // Added to zero, then replacing existing values.
                    for (AlmShare& each : to)
                        std::fill(each.values().begin(), each.values().end(),
                                  Complex(time == 0 ? 0.0 : NAN));
                    staged.adjoint(spin, in, ofRings, to,
                                   time == 0 ? Before::Added : Before::Replaced, own);
                    for (size_t i = 0; i < count; ++i) {
                        if (!samePart(made[i], runs, results[i])) note("synthesis");
                        if (!sameShare(adjoint[i], to[i])) note("adjoint");
                    }
                }
                if (spin != 0 || poles) return;
                std::vector<std::vector<double>> both(2, results[0]);
                staged.gradient(from[0], std::span(both[0]), std::span(both[1]), own);
                for (size_t i = 0; i < 2; ++i)
                    if (!samePart(slopes[i], runs, both[i])) note("gradient");
            } catch (const std::exception& error) {
                note(error.what());
            }
        });
        if (!counted) wrong.push_back("messages of other sizes than counted");
    }
    QVERIFY2(wrong.empty(), wrong.empty() ? "" : wrong.front().c_str());
}

// All ranks have devices: every order and every pair of rings belongs to one rank, in proportion to
// speeds. Both sides count the same rows, beyond 32 bits at nside 65536.
void DistributedShtTest::rowsArePartitionedOnce() {
    constexpr int64_t kNside = 65536;
    constexpr int kLmax = 131071;
    const RingGrid grid = RingGrid::healpix(kNside);
    const std::vector<RankPower> powers{{true, 1.0}, {true, 3.0}};
    const RowShares shares(grid, kLmax, kLmax, powers);
    QVERIFY(shares.interpolates);
    const PairPlaces places(shares.pairs);
    QCOMPARE(places.owner.size(), size_t{2 * kNside});
    for (const RingRuns& own : shares.pairs)
        for (const auto& [begin, end, place] : own) {
            QCOMPARE(begin % 64, 0);
            QVERIFY(end % 64 == 0 || end == 2 * kNside);
        }
    std::vector<int> owners(static_cast<size_t>(kLmax) + 1, -1);
    std::array<double, 2> coefficients{};
    for (size_t rank = 0; rank < 2; ++rank)
        for (const OrderSlice& slice : shares.slices[rank])
            for (int slot = 0; slice.orderOf(slot) <= kLmax; ++slot) {
                const int m = slice.orderOf(slot);
                QCOMPARE(owners[static_cast<size_t>(m)], -1);
                owners[static_cast<size_t>(m)] = static_cast<int>(rank);
                coefficients[rank] += kLmax - m + 1.0;
            }
    QVERIFY(owners == shares.ownerOfOrder);
    // The share of 3 / (1 + 3) up to the granularity of slices; the limit guards against equal
    // shares.
    QVERIFY(std::abs(coefficients[1] / (coefficients[0] + coefficients[1]) - 0.75) < 0.02);
    const SeenFrom seen(grid, kLmax, kLmax, 2, shares);
    const RowExchange there(shares.slices[1], seen.pairs, shares.pairs[0]);
    int64_t all = 0;
    for (int m = 0; m <= kLmax; ++m)
        if (owners[static_cast<size_t>(m)] == 1)
            all += shares.pairs[0].count() -
                   shares.pairs[0].before(seen.pairs[static_cast<size_t>(m)]);
    QVERIFY(all * int64_t{sizeof(RowModes)} > int64_t{1} << 33);
    QCOMPARE(std::accumulate(there.totals.begin(), there.totals.end(), int64_t{0}), all);
}

// <S x, y> = <x, S^T y>, with x and y distributed over all ranks. Sums of n products of order 1 in
// some order: n epsilon at most.
void DistributedShtTest::adjointness() {
    constexpr int kRanks = 3;
    constexpr int64_t kNside = 16;
    constexpr int kLmax = 47;
    std::mutex lock;
    double left = 0.0, right = 0.0, scale = 0.0;
    const Alm alm = whiteAlm(kLmax, kLmax, 0, 5);
    const auto given = randomMaps<double>(1, pixelCount(kNside));
    runRanks(kRanks, [&](Ranks& ranks) {
        JobContext job({}, {}, 1);
        ShtParameters p;
        p.nside = kNside;
        p.lmax = kLmax;
        DistributedSht plan(p, ranks, job);
        const AlmShare x = shareOf(alm, plan, job);
        AlmShare back = plan.newAlm(job);
        const std::vector<double> y = partOf(given[0], plan.runs());
        std::vector<double> map(y.size());
        const MapSamples to{std::span(map)};
        const ConstMapSamples from{std::span(y)};
        plan.synthesis(0, {&x, 1}, {&to, 1}, job);
        plan.adjointSynthesis(0, {&from, 1}, {&back, 1}, job);
        const std::lock_guard hold(lock);
        for (size_t i = 0; i < y.size(); ++i) {
            left += map[i] * y[i];
            scale += std::abs(map[i] * y[i]);
        }
        for (const int m : x.orders())
            for (size_t i = 0; i < x.of(m).size(); ++i)
                right += (m == 0 ? 1.0 : 2.0) * (std::conj(x.of(m)[i]) * back.of(m)[i]).real();
    });
    const double limit = static_cast<double>(pixelCount(kNside)) * 2.3e-16 * scale;
    QVERIFY2(std::abs(left - right) <= limit, qPrintable(QString::number(left - right)));
}

// Exchange at nside 65536, lmax 131071 between two ranks: far beyond 32 bits of bytes, and of
// ModeTiles. Both sides count the same.
void DistributedShtTest::countsOfAHugeSky() {
    constexpr int64_t kNside = 65536;
    constexpr int kLmax = 131071;
    const auto pairs = RingTransform::pairsOf(RingGrid::healpix(kNside), kLmax, kLmax);
    QCOMPARE(pairs.size(), size_t{2 * kNside});
    std::vector<double> blocks;
    for (int m = 0; m <= kLmax; m += kTileSpan) blocks.push_back(kLmax - m + 1.0);
    const std::vector<double> equal(2, 1.0);
    const std::vector<int> owners = partitionedBlocks(blocks, equal);
    const std::vector<RingRange> runs[] = {{{0, 30000}, {70000, 2 * kNside}}, {{30000, 70000}}};
    const std::vector<RingRuns> partitioned{RingRuns(runs[0]), RingRuns(runs[1])};
    std::vector<PassingTile> tiles;
    int64_t all = 0;
    for (int block = 0; block < static_cast<int>(blocks.size()); ++block) {
        const int first = block * kTileSpan;
        int begin = 0;
        while (pairs[static_cast<size_t>(begin)].modes <= first) ++begin;
        const auto end = static_cast<int>(pairs.size());
        tiles.push_back({block, owners[static_cast<size_t>(block)], begin, end});
        all += end - begin;
    }
    const TileExchange zero(tiles, partitioned, 0, 2, OwnPart::AtOrders),
        one(tiles, partitioned, 1, 2, OwnPart::AtOrders);
    QVERIFY(all * int64_t{sizeof(ModeTile)} > int64_t{1} << 36);
    QCOMPARE(zero.ordersSize() + one.ordersSize(), 2 * all);
    // Exchanged rows exist on both sides, own rows only on one.
    QCOMPARE(zero.atOrders(2) - zero.atOrders(1), one.ringsSize());
    QCOMPARE(one.atOrders(1) - one.atOrders(0), zero.ringsSize());
    QCOMPARE(one.atRings(1) - one.atRings(0), one.ringsSize());
    QCOMPARE(zero.atRings(2) - zero.atRings(1), zero.ringsSize());
    for (const int rank : {0, 1}) {
        const TileExchange nowhere(tiles, partitioned, rank, 2, OwnPart::Nowhere);
        const TileExchange& other = rank == 0 ? one : zero;
        QCOMPARE(nowhere.ordersSize(), other.ringsSize());
    }
    // Slices of half a gigabyte: none exceeds the sum of that and the largest block.
    std::vector<int64_t> volume;
    int64_t largest = 0;
    for (const PassingTile& tile : tiles) {
        volume.push_back(tile.end - tile.begin);
        largest = std::max(largest, volume.back());
    }
    constexpr int64_t kBytes = int64_t{512} << 20;
    int next = 0;
    for (const RingRange slice : blockSlices(volume, 2, kBytes)) {
        QCOMPARE(slice.begin, next);
        next = slice.end;
        const int64_t sum =
            std::accumulate(volume.begin() + slice.begin, volume.begin() + slice.end, int64_t{0});
        QVERIFY(sum / 2 * int64_t{sizeof(ModeTile)} <=
                kBytes + 2 * largest * int64_t{sizeof(ModeTile)});
    }
    QCOMPARE(next, static_cast<int>(volume.size()));
}

void DistributedShtTest::refusals() {
    runRanks(1, [&](Ranks& ranks) {
        JobContext job({}, {}, 1);
        ShtParameters p;
        p.nside = 4;
        p.tolerance = 1e-16;
        QVERIFY_EXCEPTION_THROWN(DistributedSht(p, ranks, job), InvalidArgument);
        p.tolerance = 0.0;
        p.weights = Weights::Ring;
        p.nside = 0;
        p.lmax = 5;
        QVERIFY_EXCEPTION_THROWN(DistributedSht(RingGrid::gaussLegendre(6, 11), p, ranks, job),
                                 InvalidArgument);
        p.weights = Weights::None;
        p.nside = 4;
        p.mmax = 12;
        QVERIFY_EXCEPTION_THROWN(DistributedSht(p, ranks, job), InvalidArgument);
    });
}

QTEST_APPLESS_MAIN(DistributedShtTest)
#include "tst_distributed_sht.moc"

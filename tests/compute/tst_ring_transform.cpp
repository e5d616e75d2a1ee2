// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <complex>
#include <stop_token>
#include <vector>

#include "armilla/core/error.h"
#include "sht/plan/ring_transform.h"
#include "support/direct_sht.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace armilla {

// Makes slices on small maps, whose tiles would fit into memory.
struct RingTransformProbe {
    static void limitTiles(RingTransform& transform, int64_t bytes) {
        transform.tilesLimit_ = bytes;
    }
};

}  // namespace armilla

namespace {

// Re sum over all m, negative ones included, of a conj(b).
double product(const Alm& a, const Alm& b) {
    double sum = 0.0;
    for (int m = 0; m <= a.mmax(); ++m)
        for (int l = m; l <= a.lmax(); ++l)
            sum += (m == 0 ? 1.0 : 2.0) * (a(l, m) * std::conj(b(l, m))).real();
    return sum;
}
double product(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}
std::vector<double> ringWeights(const RingGrid& grid) {
    std::vector<double> weights;
    for (const Ring& ring : grid.rings) weights.push_back(ring.weight);
    return weights;
}

}  // namespace

// Ring FFTs as sums, for double maps on a grid that is symmetric about the equator.
class DirectRings final : public RingStage {
public:
    explicit DirectRings(RingGrid grid) : grid_(std::move(grid)) {}

    ShtSteps synthesize(int, const ReadModes& read, std::span<const MapSamples> maps,
                        JobContext&) override {
        for (size_t c = 0; c < maps.size(); ++c) {
            const auto map = std::get<std::span<double>>(maps[c]);
            std::vector<double> samples(map.size());
            forEachRing([&](int pair, bool south, const Ring& ring) {
                std::vector<std::complex<double>> modes;
                read(pair, south, static_cast<int>(c), modes);
                for (int64_t j = 0; j < ring.count; ++j)
                    for (size_t m = 0; m < modes.size(); ++m)
                        samples[static_cast<size_t>(ring.first + j)] +=
                            (m == 0 ? 1.0 : 2.0) *
                            (modes[m] * phase(ring, static_cast<int>(m), j)).real();
            });
            std::copy(samples.begin(), samples.end(), map.begin());
        }
        return {.fft = 1.0};
    }
    ShtSteps analyze(int, std::span<const ConstMapSamples> maps, std::span<const double> weights,
                     JobContext&) override {
        maps_.assign(maps.begin(), maps.end());
        weights_.assign(weights.begin(), weights.end());
        return {.fft = 1.0};
    }
    void tiles(int pair, int component, int modes, const TileRuns& tiles) const override {
        const auto map = std::get<std::span<const double>>(maps_[static_cast<size_t>(component)]);
        tiles.forEach(modes, [&](int m, ModeTile& tile, int i) {
            tile.south(i) = 0.0;
            forEachRing([&](int at, bool south, const Ring& ring) {
                if (at != pair) return;
                const auto index = static_cast<size_t>(&ring - grid_.rings.data());
                std::complex<double> sum = 0.0;
                for (int64_t j = 0; j < ring.count; ++j)
                    sum += weights_[index] * map[static_cast<size_t>(ring.first + j)] *
                           std::conj(phase(ring, m, j));
                (south ? tile.south(i) : tile.north(i)) = sum;
            });
        });
    }

private:
    static std::complex<double> phase(const Ring& ring, int m, int64_t j) {
        const long double turn = 2 * std::acos(-1.0L) * static_cast<long double>(j) / ring.count;
        const long double angle = m * (static_cast<long double>(ring.phi0) + turn);
        return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
    }
    template <typename Body>
    void forEachRing(const Body& body) const {
        const int rings = static_cast<int>(grid_.rings.size());
        for (int i = 0; i < rings; ++i)
            body(std::min(i, rings - 1 - i), i > rings - 1 - i,
                 grid_.rings[static_cast<size_t>(i)]);
    }

    RingGrid grid_;
    std::vector<ConstMapSamples> maps_;
    std::vector<double> weights_;
};

class RingTransformTest : public QObject {
    Q_OBJECT
private slots:
    // Ring FFTs by another stage.
    void ringStage_data() {
        QTest::addColumn<int>("spin");
        for (int spin = 0; spin <= 2; ++spin) QTest::addRow("spin %d", spin) << spin;
    }
    void ringStage() {
        QFETCH(int, spin);
        constexpr int nside = 8, lmax = 30;
        const RingGrid grid = RingGrid::healpix(nside);
        JobContext job;
        RingTransform usual(grid, lmax, lmax, job), other(grid, lmax, lmax, job);
        DirectRings rings(grid);
        other.setRingStage(&rings);
        const std::vector<double> weights = ringWeights(grid);
        std::vector<Alm> results[2];
        std::vector<std::vector<double>> maps[2];
        for (const int i : {0, 1}) {
            RingTransform& transform = i == 0 ? usual : other;
            std::vector<Alm> alm{whiteAlm(lmax, lmax, spin, 1), whiteAlm(lmax, lmax, spin, 2)};
            maps[i].assign(2, std::vector<double>(12 * nside * nside));
            const std::vector<MapSamples> to(maps[i].begin(), maps[i].end());
            const std::vector<ConstMapSamples> from(maps[0].begin(), maps[0].end());
            if (spin == 0) {
                transform.synthesis(alm, to, job);
                transform.adjoint(from, weights, alm, job);
            } else {
                transform.synthesisSpin(spin, alm[0], alm[1], to[0], to[1], job);
                transform.adjointSpin(spin, from[0], from[1], weights, alm[0], alm[1], job);
            }
            results[i] = alm;
        }
        QVERIFY(other.steps().fft >= 1.0);
        for (size_t c = 0; c < 2; ++c) {
            // The direct sums of the truth compute angles m phi with their own rounding; the limit
            // is 45 machine epsilons in each of lmax steps.
            ARMILLA_VERIFY_BELOW(relativeError(maps[1][c], maps[0][c]), 1e-14 * lmax);
            ARMILLA_VERIFY_BELOW(relativeError(results[1][c].values(), results[0][c].values()),
                                 1e-14 * lmax);
        }
    }

    // Quadrature is exact on these grids for products of two functions of degree lmax, so that the
    // weighted transpose is the inverse, for every spin.
    void exactGrids_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("spin");
        for (int spin = 0; spin <= 3; ++spin) {
            QTest::addRow("Gauss-Legendre, spin %d", spin) << 0 << spin;
            QTest::addRow("Clenshaw-Curtis, spin %d", spin) << 1 << spin;
            QTest::addRow("Fejer, spin %d", spin) << 2 << spin;
        }
    }
    void exactGrids() {
        QFETCH(int, kind);
        QFETCH(int, spin);
        constexpr int lmax = 70;
        const RingGrid grid = kind == 0   ? RingGrid::gaussLegendre(lmax + 1, 2 * lmax + 1)
                              : kind == 1 ? RingGrid::clenshawCurtis(2 * lmax + 1, 2 * lmax + 2)
                                          : RingGrid::fejer(2 * lmax + 1, 2 * lmax + 1);
        JobContext job;
        RingTransform transform(grid, lmax, lmax, job);
        const Alm e = whiteAlm(lmax, lmax, spin, 2);
        const Alm b = whiteAlm(lmax, lmax, spin, 3);
        std::vector<double> q(static_cast<size_t>(grid.sampleCount())), u(q.size());
        Alm eBack(lmax, lmax), bBack(lmax, lmax);
        if (spin == 0) {
            transform.synthesis(e, q, job);
            transform.adjoint(q, ringWeights(grid), eBack, job);
        } else {
            transform.synthesisSpin(spin, e, b, q, u, job);
            transform.adjointSpin(spin, q, u, ringWeights(grid), eBack, bBack, job);
            ARMILLA_VERIFY_BELOW(relativeError(bBack.values(), b.values()),
                                 2.0 * roundingLimit(lmax));
        }
        ARMILLA_VERIFY_BELOW(relativeError(eBack.values(), e.values()), 2.0 * roundingLimit(lmax));
    }

    void transposes_data() {
        QTest::addColumn<int>("spin");
        for (int spin = 0; spin <= 3; ++spin) QTest::addRow("spin %d", spin) << spin;
    }
    // <map, S alm> = <S^T map, alm>: the error of a side is at most that of its transform times the
    // norms.
    void transposes() {
        QFETCH(int, spin);
        constexpr int nside = 20, lmax = 75, mmax = 60;
        const RingGrid grid = RingGrid::healpix(nside);
        JobContext job;
        RingTransform transform(grid, lmax, mmax, job);
        const Alm e = whiteAlm(lmax, mmax, spin, 4);
        const Alm b = whiteAlm(lmax, mmax, spin, 5);
        const std::vector<double> x = whiteMap(nside, 6), y = whiteMap(nside, 7);
        const std::vector<double> ones(grid.rings.size(), 1.0);
        std::vector<double> q(x.size()), u(x.size());
        Alm eBack(lmax, mmax), bBack(lmax, mmax);
        double left = 0.0, right = 0.0;
        if (spin == 0) {
            transform.synthesis(e, q, job);
            transform.adjoint(x, ones, eBack, job);
            left = product(q, x);
            right = product(eBack, e);
        } else {
            transform.synthesisSpin(spin, e, b, q, u, job);
            transform.adjointSpin(spin, x, y, ones, eBack, bBack, job);
            left = product(q, x) + product(u, y);
            right = product(eBack, e) + product(bBack, b);
        }
        const double size = std::sqrt(product(q, q) * product(x, x));
        ARMILLA_VERIFY_BELOW(std::abs(left - right) / size, 2.0 * roundingLimit(lmax));
    }

    void interpolatedLatitudes_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("lmax");
        QTest::addColumn<int>("mmax");
        QTest::addColumn<int>("spin");
        for (int spin = 0; spin <= 3; ++spin)
            QTest::addRow("spin %d", spin) << 160 << 320 << 320 << spin;
        QTest::newRow("3 nside - 1") << 128 << 383 << 383 << 0;
        QTest::newRow("mmax in the middle of a tile") << 160 << 300 << 117 << 2;
    }
    // Sums at few colatitudes, interpolated, against sums at every ring, and the transposes. The
    // window's error is 1e-14 of the largest |F_m|, for white coefficients that of lmax normal
    // deviates; the rest is the rounding of two recurrences.
    void interpolatedLatitudes() {
        QFETCH(int, nside);
        QFETCH(int, lmax);
        QFETCH(int, mmax);
        QFETCH(int, spin);
        JobContext job;
        RingTransform fast(RingGrid::healpix(nside), lmax, mmax, job);
        RingTransform plain(RingGrid::healpix(nside), lmax, mmax, job, LatitudeSums::AtRings);
        QVERIFY(fast.resamples());
        QVERIFY(!plain.resamples());
        const Alm e = whiteAlm(lmax, mmax, spin, 10), b = whiteAlm(lmax, mmax, spin, 11);
        const std::vector<double> x = whiteMap(nside, 12), y = whiteMap(nside, 13);
        const std::vector<double> ones(fast.grid().rings.size(), 1.0);
        std::vector<std::vector<double>> maps;
        std::vector<Alm> alms;
        for (RingTransform* const transform : {&fast, &plain}) {
            std::vector<double> q(x.size()), u(x.size());
            Alm eBack(lmax, mmax), bBack(lmax, mmax);
            if (spin == 0) {
                transform->synthesis(e, q, job);
                transform->adjoint(x, ones, eBack, job);
            } else {
                transform->synthesisSpin(spin, e, b, q, u, job);
                transform->adjointSpin(spin, x, y, ones, eBack, bBack, job);
                maps.push_back(u);
                alms.push_back(bBack);
            }
            maps.push_back(q);
            alms.push_back(eBack);
        }
        const double limit = 1e-14 * std::sqrt(2.0 * std::log(lmax)) +
                             2.0 * std::numeric_limits<double>::epsilon() * std::sqrt(lmax);
        const size_t half = maps.size() / 2;
        for (size_t i = 0; i < half; ++i) {
            ARMILLA_VERIFY_BELOW(relativeError(maps[i], maps[half + i]), limit);
            ARMILLA_VERIFY_BELOW(relativeError(alms[i].values(), alms[half + i].values()), limit);
        }
        std::vector<double> theta(x.size()), phi(x.size()), thetaPlain(x.size()),
            phiPlain(x.size());
        fast.gradient(e, theta, phi, job);
        plain.gradient(e, thetaPlain, phiPlain, job);
        // The same error divided by sin(theta), from the first ring on: the mean square of 1 /
        // sin(theta) over the sphere is ln(2 / theta_1).
        const double ofGradient =
            limit * std::sqrt(std::log(2.0 / fast.grid().rings.front().sinTheta));
        ARMILLA_VERIFY_BELOW(relativeError(theta, thetaPlain), ofGradient);
        ARMILLA_VERIFY_BELOW(relativeError(phi, phiPlain), ofGradient);
    }

    // eth f = -(d/dtheta + i / sin(theta) d/dphi) f = sum sqrt(l (l + 1)) a_lm 1Y_lm (J. N.
    // Goldberg et al. 1967, eq. 2.7), and spin transforms carry a sign of their own: E of sqrt(l (l
    // + 1)) a_lm.
    void gradientIsSpinOne() {
        constexpr int nside = 16, lmax = 40;
        JobContext job;
        RingTransform transform(RingGrid::healpix(nside), lmax, lmax, job);
        const Alm alm = whiteAlm(lmax, lmax, 1, 8);
        Alm e(lmax, lmax);
        const Alm b(lmax, lmax);
        for (int m = 0; m <= lmax; ++m)
            for (int l = std::max(1, m); l <= lmax; ++l)
                e(l, m) = std::sqrt(l * (l + 1.0)) * alm(l, m);
        std::vector<double> theta(12 * nside * nside), phi(theta.size()), q(theta.size()),
            u(theta.size());
        transform.gradient(alm, theta, phi, job);
        transform.synthesisSpin(1, e, b, q, u, job);
        // Two methods, each with the rounding of recurrences of lmax steps.
        ARMILLA_VERIFY_BELOW(relativeError(q, theta), 2.0 * roundingLimit(lmax));
        ARMILLA_VERIFY_BELOW(relativeError(u, phi), 2.0 * roundingLimit(lmax));
    }

    void singlePrecision_data() {
        QTest::addColumn<int>("spin");
        QTest::addColumn<bool>("healpix");
        for (const int spin : {0, 2}) {
            QTest::addRow("HEALPix, modes beyond the rings, spin %d", spin) << spin << true;
            QTest::addRow("rings of odd length, spin %d", spin) << spin << false;
        }
    }
    // Arithmetic is double precision: a map is rounded once, to half of 2^-23 of its values, and
    // coefficients of a map are equal to the last bit.
    void singlePrecision() {
        QFETCH(int, spin);
        QFETCH(bool, healpix);
        constexpr int nside = 16, lmax = 48;
        const RingGrid grid =
            healpix ? RingGrid::healpix(nside) : RingGrid::gaussLegendre(lmax + 1, 2 * lmax + 1);
        JobContext job;
        RingTransform transform(grid, lmax, lmax, job);
        const Alm e = whiteAlm(lmax, lmax, spin, 14), b = whiteAlm(lmax, lmax, spin, 15);
        const std::vector<double> ones(grid.rings.size(), 1.0);
        std::vector<double> q(static_cast<size_t>(grid.sampleCount())), u(q.size());
        std::vector<float> qSingle(q.size()), uSingle(q.size());
        std::vector<Alm> alms(4, Alm(lmax, lmax));
        const auto widened = [](const std::vector<float>& map) {
            return std::vector<double>(map.begin(), map.end());
        };
        if (spin == 0) {
            transform.synthesis(e, q, job);
            transform.synthesis(e, qSingle, job);
            transform.adjoint(qSingle, ones, alms[0], job);
            transform.adjoint(widened(qSingle), ones, alms[2], job);
        } else {
            transform.synthesisSpin(spin, e, b, q, u, job);
            transform.synthesisSpin(spin, e, b, qSingle, uSingle, job);
            transform.adjointSpin(spin, qSingle, uSingle, ones, alms[0], alms[1], job);
            transform.adjointSpin(spin, widened(qSingle), widened(uSingle), ones, alms[2], alms[3],
                                  job);
            QVERIFY(uSingle == std::vector<float>(u.begin(), u.end()));
        }
        QVERIFY(qSingle == std::vector<float>(q.begin(), q.end()));
        QVERIFY(alms[0].values() == alms[2].values());
        QVERIFY(alms[1].values() == alms[3].values());
    }

    // Slices change only the storage of F_m, not the sums.
    void slicesOfOrders() {
        constexpr int nside = 24, lmax = 72;
        JobContext job;
        const RingGrid grid = RingGrid::healpix(nside);
        const std::vector<double> ones(grid.rings.size(), 1.0), map = whiteMap(nside, 19);
        RingTransform whole(grid, lmax, lmax, job);
        Alm truth(lmax, lmax), eTruth(lmax, lmax), bTruth(lmax, lmax);
        whole.adjoint(map, ones, truth, job);
        whole.adjointSpin(2, map, map, ones, eTruth, bTruth, job);
        const int64_t all = RingTransform(grid, lmax, lmax, job).analysisBytes(1);
        int64_t before = all;
        for (const int parts : {2, 4, 100}) {
            RingTransform sliced(grid, lmax, lmax, job);
            RingTransformProbe::limitTiles(sliced, all / parts + all / 10);
            const int64_t bytes = sliced.analysisBytes(1);
            QVERIFY(bytes < before);
            before = bytes;
            Alm found(lmax, lmax), e(lmax, lmax), b(lmax, lmax);
            sliced.adjoint(map, ones, found, job);
            QVERIFY(found.values() == truth.values());
            QVERIFY(sliced.analysisBytes(1) == 0);
            // Another component may request other slices.
            sliced.adjointSpin(2, map, map, ones, e, b, job);
            QVERIFY(e.values() == eTruth.values() && b.values() == bTruth.values());
        }
    }

    void memory_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("lmax");
        for (const int nside : {512, 1024})
            for (const int lmax : {nside, 2 * nside, 3 * nside - 1, 4 * nside})
                QTest::addRow("nside %d, lmax %d", nside, lmax) << nside << lmax;
    }
    // All memory of a plan except maps and coefficients is at most half of these, or 32 MiB. For a
    // synthesis in single precision, whose F_m are double, the limit is 0.9 of these.
    void memory() {
        QFETCH(int, nside);
        QFETCH(int, lmax);
        JobContext job;
        RingTransform transform(RingGrid::healpix(nside), lmax, lmax, job);
        const double pixels = 12.0 * nside * nside, alm = 8.0 * (lmax + 1.0) * (lmax + 2.0);
        std::vector<double> map(static_cast<size_t>(pixels));
        std::vector<float> single(map.size());
        for (const size_t precision : {0, 1}) {
            const double limit =
                std::max(0x1p25, 0.5 * (pixels * (precision == 0 ? 8.0 : 4.0) + alm));
            const MapSamples samples = precision == 0 ? MapSamples(map) : MapSamples(single);
            const auto tables = static_cast<double>(transform.tableBytes());
            const auto synthesis = static_cast<double>(transform.synthesisBytes({&samples, 1}));
            const auto analysis = static_cast<double>(transform.analysisBytes(1, precision));
            const double share = precision == 0 ? 1.0 : 1.8;
            QVERIFY(tables + synthesis <= share * limit);
            QVERIFY(tables + analysis <= limit);
            const MapSamples two[] = {samples, samples};
            QVERIFY(tables + static_cast<double>(transform.synthesisBytes(two)) <=
                    2 * share * limit);
            QVERIFY(tables + static_cast<double>(transform.analysisBytes(2, precision)) <=
                    2 * limit);
        }
    }

    // More tiles than pairs of rings: each of the threads has its memory.
    void moreTilesThanRings() {
        constexpr int lmax = 100000, mmax = 7;
        const RingGrid grid = RingGrid::gaussLegendre(2, 16);
        const std::vector<double> ones(grid.rings.size(), 1.0);
        std::vector<double> map(static_cast<size_t>(grid.sampleCount()), 0.0);
        map[5] = 1.0;
        std::vector<Alm> found;
        for (const int threads : {1, 2, 4}) {
            JobContext job({}, {}, threads);
            RingTransform transform(grid, lmax, mmax, job);
            transform.adjoint(map, ones, found.emplace_back(lmax, mmax), job);
            QVERIFY(found.back().values() == found.front().values());
        }
    }

    // Three maps, of both precisions, as one by one: the same sums in the same order.
    void batches() {
        constexpr int nside = 24, lmax = 60;
        JobContext job;
        RingTransform transform(RingGrid::healpix(nside), lmax, lmax, job);
        const std::vector<double> ones(transform.grid().rings.size(), 1.0);
        std::vector<Alm> alm, back(3, Alm(lmax, lmax));
        for (const unsigned seed : {16U, 17U, 18U}) alm.push_back(whiteAlm(lmax, lmax, 0, seed));
        std::vector<double> first(12 * nside * nside), third(first.size());
        std::vector<float> second(first.size());
        const std::vector<MapSamples> maps{first, second, third};
        transform.synthesis(alm, maps, job);
        const std::vector<ConstMapSamples> constant{first, second, third};
        transform.adjoint(constant, ones, back, job);
        for (size_t i = 0; i < alm.size(); ++i) {
            std::vector<double> map(first.size()), found;
            transform.synthesis(alm[i], map, job);
            std::visit([&](const auto& one) { found.assign(one.begin(), one.end()); }, maps[i]);
            if (i == 1)
                for (double& value : map) value = static_cast<float>(value);
            QVERIFY(found == map);
            Alm single(lmax, lmax);
            transform.adjoint(constant[i], ones, single, job);
            QVERIFY(back[i].values() == single.values());
        }
        QVERIFY_EXCEPTION_THROWN(
            transform.synthesis(alm, std::span<const MapSamples>(maps).first(2), job),
            InvalidArgument);
    }

    void sameBitsForAnyThreads() {
        constexpr int nside = 32, lmax = 64;
        JobContext making;
        RingTransform transform(RingGrid::healpix(nside), lmax, lmax, making);
        const Alm alm = whiteAlm(lmax, lmax, 0, 9);
        std::vector<double> one(12 * nside * nside), five(one.size());
        JobContext single({}, {}, 1), several({}, {}, 5);
        transform.synthesis(alm, one, single);
        transform.synthesis(alm, five, several);
        QVERIFY(one == five);
        const std::vector<double> ones(transform.grid().rings.size(), 1.0);
        Alm byOne(lmax, lmax), byFive(lmax, lmax);
        transform.adjoint(one, ones, byOne, single);
        transform.adjoint(one, ones, byFive, several);
        QVERIFY(byOne.values() == byFive.values());
    }

    void refused() {
        JobContext job;
        QVERIFY_EXCEPTION_THROWN(RingTransform(RingGrid::healpix(2), 4, 5, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(RingGrid::clenshawCurtis(1, 4), InvalidArgument);
        RingTransform poles(RingGrid::clenshawCurtis(5, 4), 3, 3, job);
        std::vector<double> a(20), b(20);
        QVERIFY_EXCEPTION_THROWN(poles.gradient(Alm(3, 3), a, b, job), InvalidArgument);
        for (const int spin : {0, 4})
            QVERIFY_EXCEPTION_THROWN(poles.synthesisSpin(spin, Alm(3, 3), Alm(3, 3), a, b, job),
                                     InvalidArgument);
        RingTransform transform(RingGrid::healpix(2), 4, 4, job);
        std::vector<double> small(47);
        QVERIFY_EXCEPTION_THROWN(transform.synthesis(Alm(4, 4), small, job), InvalidArgument);
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token(), {}, 2);
        std::vector<double> map(48);
        QVERIFY_EXCEPTION_THROWN(transform.synthesis(Alm(4, 4), map, stopped), Cancelled);
        QVERIFY_EXCEPTION_THROWN(RingTransform(RingGrid::healpix(2), 4, 4, stopped), Cancelled);
    }
};

QTEST_APPLESS_MAIN(RingTransformTest)
#include "tst_ring_transform.moc"

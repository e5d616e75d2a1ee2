// SPDX-License-Identifier: GPL-3.0-or-later
// One map shared by devices, with CPU transforms in place of the devices.
#include <QtTest>
#include <stop_token>

#include "armilla/core/error.h"
#include "sht/plan/ring_transform.h"
#include "sht/plan/ring_windows.h"
#include "sht/several/ring_shares.h"
#include "sht/several/sht_shared.h"
#include "support/direct_sht.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kNside = 8, kLmax = 16;
constexpr size_t kPixels = 12 * kNside * kNside;

class CpuShare final : public RingShare {
public:
    CpuShare(const ShtParameters& p, RingWindow window)
        : window_(std::move(window)), transform_(window_.grid, p.lmax, p.mmax, job_) {}

    ShtSteps synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                       JobContext& job) override {
        std::vector<std::vector<double>> parts = synthesized(spin, alm, job);
        for (size_t c = 0; c < maps.size(); ++c) put(parts[c], maps[c]);
        return {.legendre = 1.0};
    }
    ShtSteps gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi,
                      JobContext& job) override {
        std::vector<double> theta(samples()), phi(samples());
        transform_.gradient(alm, theta, phi, job);
        put(theta, dTheta);
        put(phi, dPhi);
        return {};
    }
    ShtSteps quadrature(int spin, std::span<const ConstMapSamples> maps,
                        const QuadratureWeights& weights, int pass, std::span<const Alm> alm,
                        JobContext& job) override {
        std::vector<std::vector<double>> parts(maps.size());
        squares_ = 0.0;
        if (pass > 0) parts = synthesized(spin, alm, job);
        std::vector<double> ofRings, ofSamples(samples(), 1.0);
        for (const int ring : window_.rings)
            ofRings.push_back(weights.ofRings[static_cast<size_t>(ring)]);
        if (!weights.ofSamples.empty()) ofSamples = part(std::span(weights.ofSamples));
        for (size_t c = 0; c < maps.size(); ++c) {
            const auto whole = std::get<std::span<const double>>(maps[c]);
            const std::vector<double> values = part(whole);
            parts[c].resize(values.size());
            for (size_t i = 0; i < values.size(); ++i) {
                const double left = values[i] - parts[c][i];
                squares_ += left * left;
                parts[c][i] = ofSamples[i] * left;
            }
        }
        sums_.assign(maps.size(), Alm(alm[0].lmax(), alm[0].mmax()));
        if (spin == 0)
            transform_.adjoint(parts[0], ofRings, sums_[0], job);
        else
            transform_.adjointSpin(spin, parts[0], parts[1], ofRings, sums_[0], sums_[1], job);
        return {.legendre = 2.0};
    }
    double squares() const override { return squares_; }
    ShtSteps collect(Sum sum, std::span<Alm> alm, JobContext&) override {
        for (size_t c = 0; c < alm.size(); ++c)
            for (size_t i = 0; i < alm[c].values().size(); ++i)
                alm[c].values()[i] =
                    sums_[c].values()[i] + (sum == Sum::Add ? alm[c].values()[i] : 0.0);
        return {.transfer = 1.0};
    }

private:
    size_t samples() const { return static_cast<size_t>(window_.grid.sampleCount()); }
    std::vector<std::vector<double>> synthesized(int spin, std::span<const Alm> alm,
                                                 JobContext& job) {
        std::vector<std::vector<double>> parts(alm.size(), std::vector<double>(samples()));
        if (spin == 0)
            transform_.synthesis(alm[0], parts[0], job);
        else
            transform_.synthesisSpin(spin, alm[0], alm[1], parts[0], parts[1], job);
        return parts;
    }
    void put(const std::vector<double>& part, const MapSamples& whole) const {
        auto from = part.begin();
        for (const SampleRun& run : window_.runs) {
            std::copy(from, from + run.count,
                      std::get<std::span<double>>(whole).begin() + run.first);
            from += run.count;
        }
    }
    std::vector<double> part(std::span<const double> whole) const {
        std::vector<double> values;
        for (const SampleRun& run : window_.runs)
            values.insert(values.end(), whole.begin() + run.first,
                          whole.begin() + run.first + run.count);
        return values;
    }

    JobContext job_;
    RingWindow window_;
    RingTransform transform_;
    std::vector<Alm> sums_;
    double squares_ = 0.0;
};

std::unique_ptr<ShtBackend> sharesBackend(const ShtParameters& p, int count) {
    const RingGrid grid = RingGrid::healpix(kNside);
    RingSharesSetup setup{"devices", {}, {}};
    for (const RingWindow& window : ringWindows(grid, northernHalf(grid), count))
        setup.shares.emplace_back([p, window] { return std::make_unique<CpuShare>(p, window); });
    return makeRingSharesBackend(p, grid, std::move(setup));
}
std::unique_ptr<ShtBackend> cpuBackend(const ShtParameters& p) {
    JobContext job;
    return makeCpuBackend(p, RingGrid::healpix(kNside), job);
}
const ShtParameters kParameters{.nside = kNside, .lmax = kLmax, .mmax = kLmax};

}  // namespace

class RingSharesTest : public QObject {
    Q_OBJECT
private slots:
    void asOneDevice_data() {
        QTest::addColumn<int>("shares");
        QTest::addColumn<int>("spin");
        QTest::addColumn<int>("weights");
        QTest::addColumn<int>("iterations");
        for (const int shares : {1, 2, 3, 1000})
            for (const int spin : {0, 2}) {
                QTest::addRow("%d, spin %d", shares, spin)
                    << shares << spin << static_cast<int>(Weights::None) << 0;
                QTest::addRow("%d, spin %d, ring weights, iterations", shares, spin)
                    << shares << spin << static_cast<int>(Weights::Ring) << 2;
                QTest::addRow("%d, spin %d, pixel weights, iteration", shares, spin)
                    << shares << spin << static_cast<int>(Weights::Pixel) << 1;
            }
    }
    void asOneDevice() {
        QFETCH(int, shares);
        QFETCH(int, spin);
        QFETCH(int, weights);
        QFETCH(int, iterations);
        ShtParameters p = kParameters;
        p.weights = Weights(weights);
        p.iterations = iterations;
        const auto alone = cpuBackend(p), shared = sharesBackend(p, shares);
        const std::vector<Alm> alm{whiteAlm(kLmax, kLmax, 2, 1), whiteAlm(kLmax, kLmax, 2, 2)};
        std::vector<std::vector<double>> maps(2, std::vector<double>(kPixels)), found = maps;
        JobContext job({}, {}, 3);
        alone->synthesis(spin, alm, std::vector<MapSamples>(maps.begin(), maps.end()), job);
        shared->synthesis(spin, alm, std::vector<MapSamples>(found.begin(), found.end()), job);
        const std::vector<ConstMapSamples> from(maps.begin(), maps.end());
        std::vector<Alm> back(2, Alm(kLmax, kLmax)), foundBack = alm;  // overwritten
        alone->analysis(spin, from, back, job);
        shared->analysis(spin, from, foundBack, job);
        for (size_t i = 0; i < 2; ++i) {
            ARMILLA_VERIFY_BELOW(relativeError(found[i], maps[i]), 1e-14);
            ARMILLA_VERIFY_BELOW(relativeError(foundBack[i].values(), back[i].values()), 2e-14);
        }
    }
    void gradient() {
        const auto alone = cpuBackend(kParameters), shared = sharesBackend(kParameters, 3);
        const Alm alm = whiteAlm(kLmax, kLmax, 0, 1);
        std::vector<std::vector<double>> maps(4, std::vector<double>(kPixels));
        JobContext job({}, {}, 3);
        alone->gradient(alm, maps[0], maps[1], job);
        shared->gradient(alm, maps[2], maps[3], job);
        for (size_t i = 0; i < 2; ++i)
            ARMILLA_VERIFY_BELOW(relativeError(maps[i + 2], maps[i]), 1e-14);
    }
    // Devices work in parallel, so their steps count once; collection is additional.
    void steps() {
        const auto shared = sharesBackend(kParameters, 3);
        const std::vector<double> map = whiteMap(kNside, 1);
        const ConstMapSamples from[] = {map};
        Alm alm(kLmax, kLmax);
        JobContext job;
        shared->analysis(0, from, {&alm, 1}, job);
        QCOMPARE(shared->steps().legendre, 2.0);
        QCOMPARE(shared->steps().transfer, 3.0);
    }
    // Whichever device is first.
    void sameBitsAgain() {
        ShtParameters p = kParameters;
        p.iterations = 1;
        const auto shared = sharesBackend(p, 4);
        const std::vector<double> map = whiteMap(kNside, 1);
        const ConstMapSamples from[] = {map};
        JobContext job({}, {}, 4);
        Alm first(kLmax, kLmax);
        shared->analysis(0, from, {&first, 1}, job);
        for (int i = 0; i < 20; ++i) {
            Alm again(kLmax, kLmax);
            shared->analysis(0, from, {&again, 1}, job);
            QVERIFY(again.values() == first.values());
        }
    }
    // Beyond the band of the pixels, eigenvalues of synthesis and analysis exceed 2. In a batch the
    // small field, beside a field a million times as large, is monitored separately.
    void iterationsThatDivergeAreRefused_data() {
        QTest::addColumn<int>("shares");
        QTest::addColumn<int>("spin");
        for (const int shares : {1, 3})
            for (const int spin : {0, 2})
                QTest::addRow("%d, spin %d", shares, spin) << shares << spin;
    }
    void iterationsThatDivergeAreRefused() {
        QFETCH(int, shares);
        QFETCH(int, spin);
        const std::vector<double> large(kPixels, 1e6), map = whiteMap(kNside, 1),
                                                       other = whiteMap(kNside, 2);
        std::vector<ConstMapSamples> from{large, map};
        if (spin == 2) from = {map, other};
        JobContext job({}, {}, 2);
        const auto analyze = [&](int lmax) {
            ShtParameters p{.nside = kNside, .lmax = lmax, .mmax = lmax};
            p.iterations = 60;
            std::vector<Alm> alm(2, Alm(lmax, lmax));
            sharesBackend(p, shares)->analysis(spin, from, alm, job);
            return alm;
        };
        QVERIFY_EXCEPTION_THROWN(analyze(4 * kNside), Unsupported);
        // The band of the pixels converges.
        QVERIFY(std::abs(analyze(3 * kNside - 1)[1](2, 1)) > 0.0);
    }
    // A plan on several devices computes single maps, not batches.
    void forSingleMaps() {
        const auto shares = sharesBackend(kParameters, 2);
        const auto two =
            makeSharedBackend(cpuBackend(kParameters), {[] { return cpuBackend(kParameters); }},
                              sharesBackend(kParameters, 2));
        const std::vector<Alm> alm(2, whiteAlm(kLmax, kLmax, 0, 1));
        std::vector<std::vector<double>> maps(2, std::vector<double>(kPixels));
        const std::vector<MapSamples> to(maps.begin(), maps.end());
        std::vector<double> truth(kPixels);
        const MapSamples alone[] = {truth};
        JobContext job({}, {}, 2);
        shares->synthesis(0, {alm.data(), 1}, alone, job);
        two->synthesis(0, {alm.data(), 1}, {to.data(), 1}, job);
        QCOMPARE(two->steps().legendre, 1.0);
        QVERIFY(maps[0] == truth);
        two->synthesis(0, alm, to, job);
        QVERIFY(two->steps().legendre != 1.0);
        ARMILLA_VERIFY_BELOW(relativeError(maps[1], truth), 1e-14);
    }
    void aFailureEndsAll() {
        const RingGrid grid = RingGrid::healpix(kNside);
        RingSharesSetup setup{"devices", {}, {}};
        setup.shares.emplace_back([&]() -> std::unique_ptr<RingShare> {
            return std::make_unique<CpuShare>(kParameters, ringWindow(grid, northernHalf(grid)));
        });
        setup.shares.emplace_back(
            []() -> std::unique_ptr<RingShare> { throw OutOfMemory("no room"); });
        const auto shared = makeRingSharesBackend(kParameters, grid, std::move(setup));
        const Alm alm = whiteAlm(kLmax, kLmax, 0, 1);
        std::vector<double> map(kPixels);
        const MapSamples to[] = {map};
        JobContext job;
        QVERIFY_EXCEPTION_THROWN(shared->synthesis(0, {&alm, 1}, to, job), OutOfMemory);
    }
    void stops() {
        const auto shared = sharesBackend(kParameters, 2);
        const Alm alm = whiteAlm(kLmax, kLmax, 0, 1);
        std::vector<double> map(kPixels);
        const MapSamples to[] = {map};
        std::stop_source stop;
        stop.request_stop();
        JobContext job(stop.get_token(), {}, 2);
        QVERIFY_EXCEPTION_THROWN(shared->synthesis(0, {&alm, 1}, to, job), Cancelled);
    }
    void progressIsMonotone() {
        ShtParameters p = kParameters;
        p.iterations = 3;
        const auto shared = sharesBackend(p, 3);
        const std::vector<double> map = whiteMap(kNside, 1);
        const ConstMapSamples from[] = {map};
        Alm alm(kLmax, kLmax);
        std::vector<double> seen;
        JobContext job(
            {}, [&](double share, std::string_view) { seen.push_back(share); }, 3);
        shared->analysis(0, from, {&alm, 1}, job);
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        QVERIFY(!seen.empty() && seen.back() == 1.0);
    }
};

QTEST_APPLESS_MAIN(RingSharesTest)
#include "tst_ring_shares.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// One map shared by CUDA devices by orders m and rings: the same bits as one device, whose results
// tst_sht_cuda and tst_direct_sums_cuda compare with references. If there are too few devices, one
// stands for several, which covers everything except peer access.
#include <QtTest>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/device/cuda_devices.h"
#include "armilla/ops/sht.h"
#include "sht/plan/sht_cuda.h"
#include "sht/several/order_shares_cuda.h"
#include "support/cuda_guard.h"
#include "support/direct_sht.h"
#include "support/share_cases.h"

using namespace armilla;
using namespace armilla::test;

namespace {

using Maps = std::vector<std::vector<double>>;

struct Fields {
    Maps maps;
    std::vector<Alm> alm;
};

// A synthesis, an analysis of its result, and the transpose.
Fields transformed(ShtBackend& backend, int spin) {
    const ShtParameters& p = backend.parameters();
    const size_t n = componentsOf(spin);
    Fields found;
    std::vector<Alm> alm;
    for (unsigned i = 0; i < n; ++i) alm.push_back(whiteAlm(p.lmax, p.mmax, spin, 1 + i));
    found.maps.assign(
        n, std::vector<double>(static_cast<size_t>(backend.grid().sampleCount()), std::nan("")));
    found.alm.assign(2 * n, Alm(p.lmax, p.mmax));
    for (Alm& one : found.alm) std::fill(one.values().begin(), one.values().end(), std::nan(""));
    JobContext job;
    backend.synthesis(spin, alm, std::vector<MapSamples>(found.maps.begin(), found.maps.end()),
                      job);
    const std::vector<ConstMapSamples> from(found.maps.begin(), found.maps.end());
    backend.analysis(spin, from, std::span(found.alm).first(n), job);
    backend.adjoint(spin, from, std::span(found.alm).last(n), job);
    return found;
}

bool sameBits(const Fields& a, const Fields& b) {
    bool same = a.maps == b.maps;  // NaN does not equal NaN
    for (size_t i = 0; i < a.alm.size(); ++i) same = same && a.alm[i].values() == b.alm[i].values();
    return same;
}

// T, Q, U and their coefficients, initialized with NaN.
struct Sky {
    Sky(const ShtBackend& backend, unsigned seed)
        : maps(3, std::vector<double>(static_cast<size_t>(backend.grid().sampleCount()),
                                      std::nan(""))),
          back(3, Alm(backend.parameters().lmax, backend.parameters().mmax)),
          to(maps.begin(), maps.end()),
          from(maps.begin(), maps.end()) {
        const ShtParameters& p = backend.parameters();
        for (unsigned i = 0; i < 3; ++i)
            teb.push_back(whiteAlm(p.lmax, p.mmax, i == 0 ? 0 : 2, seed + i));
        for (Alm& one : back) std::fill(one.values().begin(), one.values().end(), std::nan(""));
    }
    // Both fields in one call, as plans make it; false: not accepted.
    bool synthesizeFields(ShtBackend& backend, JobContext& job) {
        const std::span<const Alm> alm(teb);
        const std::span<const MapSamples> samples(to);
        const FieldToSynthesize fields[] = {{0, alm.first(1), samples.first(1)},
                                            {2, alm.last(2), samples.last(2)}};
        return backend.synthesizeFields(fields, job);
    }
    bool analyzeFields(ShtBackend& backend, JobContext& job) {
        const std::span<Alm> alm(back);
        const std::span<const ConstMapSamples> samples(from);
        const FieldToAnalyze fields[] = {{2, samples.last(2), alm.last(2)},
                                         {0, samples.first(1), alm.first(1)}};
        return backend.analyzeFields(fields, job);
    }
    bool together(ShtBackend& backend) {
        JobContext job;
        return synthesizeFields(backend, job) && analyzeFields(backend, job);
    }
    void oneByOne(ShtBackend& backend) {
        JobContext job;
        for (const int spin : {0, 2}) {
            const size_t first = spin == 0 ? 0 : 1, n = componentsOf(spin);
            backend.synthesis(spin, std::span(teb).subspan(first, n),
                              std::span(to).subspan(first, n), job);
            backend.analysis(spin, std::span(from).subspan(first, n),
                             std::span(back).subspan(first, n), job);
        }
    }
    bool isEmpty() const {
        const auto isNan = [](double value) { return std::isnan(value); };
        bool all = true;
        for (const auto& map : maps) all = all && std::all_of(map.begin(), map.end(), isNan);
        for (const Alm& alm : back)
            all = all && std::all_of(alm.values().begin(), alm.values().end(),
                                     [&](const auto& a) { return isNan(a.real()); });
        return all;
    }
    bool operator==(const Sky& other) const {
        bool same = maps == other.maps;  // NaN does not equal NaN
        for (size_t i = 0; i < 3; ++i) same = same && back[i].values() == other.back[i].values();
        return same;
    }
    Sky(const Sky&) = delete;
    Sky& operator=(const Sky&) = delete;

    std::vector<Alm> teb;
    Maps maps;
    std::vector<Alm> back;
    std::vector<MapSamples> to;
    std::vector<ConstMapSamples> from;
};

}  // namespace

class OrderSharesCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        requireCuda();
        devices_ = cudaDevices(CudaListing::WithFreeMemory);
    }

    void asOneDevice_data() { addShareRows("shares"); }
    void asOneDevice() {
        QFETCH(RingGrid, grid);
        QFETCH(int, lmax);
        QFETCH(int, mmax);
        QFETCH(int, shares);
        const ShtParameters parameters{.lmax = lmax, .mmax = mmax};
        const auto one = alone(parameters, grid);
        for (const BetweenDevices strategy :
             {BetweenDevices::PeerCopies, BetweenDevices::HostMemory}) {
            const auto several = shared(parameters, grid, shares, strategy);
            // Twice, because the second run uses tables and buffers of the first.
            for (const int spin : {0, 2, 1, 0}) {
                const Fields expected = transformed(*one, spin);
                QVERIFY2(sameBits(transformed(*several, spin), expected),
                         qPrintable(QString("spin %1").arg(spin)));
            }
        }
    }

    void analyses_data() {
        QTest::addColumn<int>("weights");
        QTest::addColumn<int>("iterations");
        QTest::newRow("ring weights, iterations") << static_cast<int>(Weights::Ring) << 2;
        QTest::newRow("pixel weights") << static_cast<int>(Weights::Pixel) << 0;
        QTest::newRow("pixel weights, iterations") << static_cast<int>(Weights::Pixel) << 1;
    }
    void analyses() {
        QFETCH(int, weights);
        QFETCH(int, iterations);
        const ShtParameters parameters{.nside = 64,
                                       .lmax = 128,
                                       .mmax = 128,
                                       .weights = Weights(weights),
                                       .iterations = iterations};
        const RingGrid grid = RingGrid::healpix(64);
        const auto one = alone(parameters, grid);
        const auto several = shared(parameters, grid, 3, BetweenDevices::PeerCopies);
        for (const int spin : {0, 2})
            QVERIFY(sameBits(transformed(*several, spin), transformed(*one, spin)));
    }

    void gradients_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("lmax");
        QTest::newRow("at the rings") << 64 << 100;
        QTest::newRow("interpolated") << 512 << 1024;
    }
    void gradients() {
        QFETCH(int, nside);
        QFETCH(int, lmax);
        const ShtParameters parameters{.nside = nside, .lmax = lmax, .mmax = lmax};
        const RingGrid grid = RingGrid::healpix(nside);
        const Alm alm = whiteAlm(lmax, lmax, 0, 7);
        Maps found(4, std::vector<double>(static_cast<size_t>(grid.sampleCount()), std::nan("")));
        JobContext job;
        alone(parameters, grid)->gradient(alm, found[0], found[1], job);
        shared(parameters, grid, 3, BetweenDevices::PeerCopies)
            ->gradient(alm, found[2], found[3], job);
        QVERIFY(found[0] == found[2] && found[1] == found[3]);
    }
    void gradientsNeedNoPoles() {
        const RingGrid grid = RingGrid::clenshawCurtis(9, 16);
        std::vector<double> map(static_cast<size_t>(grid.sampleCount()));
        JobContext job;
        const auto several = shared({.lmax = 7, .mmax = 7}, grid, 2, BetweenDevices::PeerCopies);
        QVERIFY_EXCEPTION_THROWN(several->gradient(Alm(7, 7), map, map, job), InvalidArgument);
    }

    // In single precision, map by map: the exchanged data are the same.
    void singlePrecision() {
        constexpr int nside = 64, lmax = 100;
        const ShtParameters parameters{.nside = nside, .lmax = lmax, .mmax = lmax};
        const RingGrid grid = RingGrid::healpix(nside);
        const auto one = alone(parameters, grid);
        const auto several = shared(parameters, grid, 4, BetweenDevices::PeerCopies);
        JobContext job;
        for (unsigned i = 0; i < 3; ++i) {
            const Alm alm = whiteAlm(lmax, lmax, 0, i);
            std::vector<float> truth(static_cast<size_t>(grid.sampleCount()), NAN), found = truth;
            const MapSamples ofTruth[] = {truth}, ofFound[] = {found};
            one->synthesis(0, {&alm, 1}, ofTruth, job);
            several->synthesis(0, {&alm, 1}, ofFound, job);
            QVERIFY(found == truth);
        }
    }

    // Orders and rings of shares: each belongs to one share, and shares are even.
    void everythingIsPartitionedOnce() {
        constexpr int nside = 512, lmax = 1024;
        const RingGrid grid = RingGrid::healpix(nside);
        const CudaOrderShares shares(
            grid, lmax, lmax, {std::vector<int>(4, devices_[0].index), {1, 1, 1, 1}, {}, {}});
        QCOMPARE(shares.count(), size_t{4});
        std::vector<int> rings(grid.rings.size());
        std::vector<int> coefficients(static_cast<size_t>(Alm::count(lmax, lmax)));
        for (size_t i = 0; i < 4; ++i) {
            for (const int ring : shares.rings(i).rings) ++rings[static_cast<size_t>(ring)];
            int64_t own = 0;
            for (const auto& [first, count] : shares.orders(i)) {
                own += count;
                for (int64_t at = first; at < first + count; ++at)
                    ++coefficients[static_cast<size_t>(at)];
            }
            const double part = static_cast<double>(own) / static_cast<double>(coefficients.size());
            QVERIFY(part > 0.2 && part < 0.3);
        }
        QVERIFY(std::all_of(rings.begin(), rings.end(), [](int times) { return times == 1; }));
        QVERIFY(std::all_of(coefficients.begin(), coefficients.end(),
                            [](int times) { return times == 1; }));
    }
    // Memory of a device decreases with the number of devices; all orders except the first steps
    // are exchanged.
    void memoryFalls() {
        constexpr int nside = 512, lmax = 1024;
        const ShtParameters parameters{.nside = nside, .lmax = lmax, .mmax = lmax};
        const RingGrid grid = RingGrid::healpix(nside);
        const auto one = alone(parameters, grid);
        const auto several = shared(parameters, grid, 4, BetweenDevices::PeerCopies);
        transformed(*one, 0);
        transformed(*several, 0);
        QVERIFY2(several->steps().deviceBytes < one->steps().deviceBytes / 2,
                 qPrintable(QString("%1 of %2")
                                .arg(several->steps().deviceBytes)
                                .arg(one->steps().deviceBytes)));
        // F_m of half a sphere's latitudes at most, for each order and half of the sky.
        QVERIFY(several->steps().exchangedBytes > 0);
        QVERIFY(several->steps().exchangedBytes < int64_t{32} * (lmax + 1) * 2 * nside);
        QCOMPARE(one->steps().exchangedBytes, 0);
    }

    void stops() {
        constexpr int nside = 512, lmax = 1024;
        const ShtParameters parameters{.nside = nside, .lmax = lmax, .mmax = lmax};
        const RingGrid grid = RingGrid::healpix(nside);
        const auto several = shared(parameters, grid, 3, BetweenDevices::HostMemory);
        const Fields whole = transformed(*several, 2);
        std::stop_source stop;
        int reports = 0;
        JobContext job(
            stop.get_token(),
            [&](double, std::string_view) {
                if (++reports == 4) stop.request_stop();
            },
            2);
        std::vector<Alm> alm(2, Alm(lmax, lmax));
        const std::vector<ConstMapSamples> from(whole.maps.begin(), whole.maps.end());
        QVERIFY_EXCEPTION_THROWN(several->analysis(2, from, alm, job), Cancelled);
        // Works again afterwards, unaffected.
        QVERIFY(sameBits(transformed(*several, 2), whole));
    }

    void fieldsBesideEachOther_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("lmax");
        QTest::addColumn<int>("shares");
        QTest::addColumn<int>("weights");
        QTest::addColumn<int>("iterations");
        const auto none = static_cast<int>(Weights::None), ring = static_cast<int>(Weights::Ring),
                   pixel = static_cast<int>(Weights::Pixel);
        QTest::newRow("one share") << 64 << 128 << 1 << none << 0;
        QTest::newRow("few rings") << 4 << 9 << 3 << none << 0;
        QTest::newRow("plain") << 64 << 128 << 3 << none << 0;
        QTest::newRow("ring weights, iterations") << 64 << 128 << 4 << ring << 2;
        QTest::newRow("pixel weights") << 64 << 128 << 2 << pixel << 0;
        QTest::newRow("pixel weights, iterations") << 64 << 128 << 5 << pixel << 1;
        QTest::newRow("interpolated") << 512 << 1000 << 4 << none << 0;
        QTest::newRow("interpolated, iterations") << 512 << 1000 << 3 << ring << 1;
    }
    // T and the pair Q, U in one call, with copies of one field during the transform of the other:
    // the same bits as one device, call by call. Uses several skies, because data of an earlier
    // call would hide a late copy of the same sky.
    void fieldsBesideEachOther() {
        QFETCH(int, nside);
        QFETCH(int, lmax);
        QFETCH(int, shares);
        QFETCH(int, weights);
        QFETCH(int, iterations);
        const ShtParameters parameters{.nside = nside,
                                       .lmax = lmax,
                                       .mmax = lmax,
                                       .weights = Weights(weights),
                                       .iterations = iterations};
        const RingGrid grid = RingGrid::healpix(nside);
        const auto one = alone(parameters, grid);
        for (const BetweenDevices strategy :
             {BetweenDevices::PeerCopies, BetweenDevices::HostMemory}) {
            const auto several = shared(parameters, grid, shares, strategy);
            for (const unsigned seed : {1, 11, 21}) {
                Sky expected(*one, seed), found(*several, seed);
                expected.oneByOne(*one);
                QVERIFY(found.together(*several));
                QVERIFY(found == expected);
                const ShtSteps steps = several->steps();
                QVERIFY(steps.copyIn > 0.0 && steps.copyOut > 0.0);
                QCOMPARE(steps.transfer, steps.copyIn + steps.copyOut);
                // One field at a time between the calls, in the same arrays.
                Sky turns(*several, seed + 5), truth(*one, seed + 5);
                turns.oneByOne(*several);
                truth.oneByOne(*one);
                QVERIFY(turns == truth);
            }
        }
    }
    // The same with one device.
    void fieldsOfOneBesideEachOther() {
        const ShtParameters parameters{.nside = 512, .lmax = 1000, .mmax = 1000};
        const auto one = alone(parameters, RingGrid::healpix(512));
        for (const unsigned seed : {1, 11}) {
            Sky expected(*one, seed), found(*one, seed);
            expected.oneByOne(*one);
            QVERIFY(found.together(*one));
            QVERIFY(found == expected);
        }
    }
    void batchesBesideEachOther_data() {
        QTest::addColumn<int>("spin");
        QTest::newRow("spin 0") << 0;
        QTest::newRow("spin 1") << 1;
    }
    // Field by field, so the bits of each single field.
    void batchesBesideEachOther() {
        QFETCH(int, spin);
        constexpr int nside = 256, lmax = 400;
        const ShtParameters parameters{.nside = nside, .lmax = lmax, .mmax = lmax};
        const RingGrid grid = RingGrid::healpix(nside);
        const auto one = alone(parameters, grid);
        const auto several = shared(parameters, grid, 3, BetweenDevices::PeerCopies);
        const size_t n = componentsOf(spin), count = 5 * n;
        std::vector<Alm> alm;
        for (unsigned i = 0; i < count; ++i) alm.push_back(whiteAlm(lmax, lmax, spin, 40 + i));
        Maps truth(count,
                   std::vector<double>(static_cast<size_t>(grid.sampleCount()), std::nan("")));
        Maps found = truth;
        const std::vector<MapSamples> toTruth(truth.begin(), truth.end()),
            to(found.begin(), found.end());
        const std::vector<ConstMapSamples> from(truth.begin(), truth.end());
        std::vector<Alm> back(count, Alm(lmax, lmax)), sums = back, ownBack = back, ownSums = back;
        JobContext job;
        for (size_t i = 0; i < count; i += n) {
            one->synthesis(spin, std::span(alm).subspan(i, n), std::span(toTruth).subspan(i, n),
                           job);
            one->analysis(spin, std::span(from).subspan(i, n), std::span(back).subspan(i, n), job);
            one->adjoint(spin, std::span(from).subspan(i, n), std::span(sums).subspan(i, n), job);
        }
        several->synthesis(spin, alm, to, job);
        several->analysis(spin, from, ownBack, job);
        several->adjoint(spin, from, ownSums, job);
        QVERIFY(found == truth);
        for (size_t i = 0; i < count; ++i) {
            QVERIFY(ownBack[i].values() == back[i].values());
            QVERIFY(ownSums[i].values() == sums[i].values());
        }
    }
    void fieldsInSinglePrecision() {
        constexpr int nside = 512, lmax = 1000;
        const ShtParameters parameters{.nside = nside, .lmax = lmax, .mmax = lmax};
        const RingGrid grid = RingGrid::healpix(nside);
        const auto one = alone(parameters, grid);
        const auto several = shared(parameters, grid, 3, BetweenDevices::PeerCopies);
        Sky expected(*one, 1), found(*several, 1);
        std::vector<std::vector<float>> truth(
            3, std::vector<float>(static_cast<size_t>(grid.sampleCount()), NAN));
        std::vector<std::vector<float>> singles = truth;
        expected.to.assign(truth.begin(), truth.end());
        expected.from.assign(truth.begin(), truth.end());
        found.to.assign(singles.begin(), singles.end());
        found.from.assign(singles.begin(), singles.end());
        expected.oneByOne(*one);
        QVERIFY(found.together(*several));
        QVERIFY(singles == truth);
        for (size_t i = 0; i < 3; ++i) QVERIFY(found.back[i].values() == expected.back[i].values());
    }
    // Coefficients whose memory is allocated during the work, requested once a call.
    void resultsComeInBeside() {
        constexpr int nside = 256, lmax = 512;
        const ShtParameters parameters{.nside = nside, .lmax = lmax, .mmax = lmax};
        const auto several =
            shared(parameters, RingGrid::healpix(nside), 3, BetweenDevices::PeerCopies);
        QVERIFY(several->waitsForResults());
        Sky expected(*several, 1), found(*several, 1);
        expected.oneByOne(*several);
        JobContext job;
        QVERIFY(found.synthesizeFields(*several, job));
        int asked = 0;
        const auto makeResults = [&] {
            ++asked;
            for (Alm& one : found.back) one = Alm(lmax, lmax);
        };
        for (Alm& one : found.back) one = Alm();
        several->results = makeResults;
        QVERIFY(found.analyzeFields(*several, job));
        QCOMPARE(asked, 1);
        QVERIFY(found == expected);
        for (Alm& one : found.back) one = Alm();
        several->analysis(0, std::span(found.from).first(1), std::span(found.back).first(1), job);
        QCOMPARE(asked, 2);
        QVERIFY(found.back[0].values() == expected.back[0].values());
    }
    // Cancellation while one field is copied out and the other transformed, at ends of turns, and
    // at any time; and a failure. Works again afterwards, unaffected, each time.
    void fieldsStop() {
        constexpr int nside = 512, lmax = 1024;
        const ShtParameters parameters{.nside = nside, .lmax = lmax, .mmax = lmax};
        const auto several =
            shared(parameters, RingGrid::healpix(nside), 3, BetweenDevices::HostMemory);
        Sky expected(*several, 1);
        QVERIFY(expected.together(*several));
        std::stop_source stop;
        const auto untilStopped = [&](const ProgressFunction& report) {
            stop = std::stop_source();
            return JobContext(stop.get_token(), report, 4);
        };
        const auto isWell = [&] {
            several->results = nullptr;
            Sky found(*several, 1);
            return found.together(*several) && found == expected;
        };
        Sky sky(*several, 2);
        for (const bool synthesis : {true, false}) {
            const auto work = [&](JobContext& job) {
                return synthesis ? sky.synthesizeFields(*several, job)
                                 : sky.analyzeFields(*several, job);
            };
            JobContext within = untilStopped({});
            several->results = [&] { stop.request_stop(); };
            QVERIFY_EXCEPTION_THROWN(work(within), Cancelled);
            QVERIFY(isWell());
            several->results = [] { throw OutOfMemory("no room"); };
            JobContext job;
            QVERIFY_EXCEPTION_THROWN(work(job), OutOfMemory);
            QVERIFY(isWell());
            for (const int turn : {1, 2, 3}) {
                int reports = 0;
                JobContext between = untilStopped([&](double, std::string_view) {
                    if (++reports == turn) stop.request_stop();
                });
                QVERIFY_EXCEPTION_THROWN(work(between), Cancelled);
            }
            QVERIFY(isWell());
            for (const int delay : {100, 300, 1000, 2000, 4000, 8000, 16000, 32000}) {
                JobContext anywhere = untilStopped({});
                const std::jthread stopper([&, own = stop]() mutable {
                    std::this_thread::sleep_for(std::chrono::microseconds(delay));
                    own.request_stop();
                });
                try {
                    QVERIFY(work(anywhere));
                } catch (const Cancelled&) {
                }
            }
            QVERIFY(isWell());
        }
    }
    // Without memory for two fields the call is not accepted and nothing is changed; one by one
    // they succeed.
    void fieldsNeedRoom() {
        constexpr int nside = 64, lmax = 128;
        ShtParameters parameters{.nside = nside, .lmax = lmax, .mmax = lmax};
        const RingGrid grid = RingGrid::healpix(nside);
        const auto one = alone(parameters, grid);
        const auto several = shared(parameters, grid, 3, BetweenDevices::PeerCopies);
        Sky expected(*one, 1), beside(*several, 1);
        expected.oneByOne(*one);
        QVERIFY(beside.together(*several));
        // Enough for a field of spin 2, but not for an additional field of spin 0.
        const int64_t samples = grid.sampleCount();
        parameters.deviceBytes = 80 * Alm::count(lmax, lmax) + 20 * samples + 1;
        QCOMPARE(cudaWindowsFor(parameters.deviceBytes, 2, 1, {samples, lmax, lmax}), 1);
        const auto small = alone(parameters, grid);
        const auto smallShares =
            shared(parameters, grid, 3, BetweenDevices::PeerCopies, parameters.deviceBytes / 3);
        const auto ample =
            shared(parameters, grid, 3, BetweenDevices::PeerCopies, int64_t{1} << 30);
        JobContext job;
        for (const auto* backend : {&small, &smallShares}) {
            Sky found(**backend, 1);
            QVERIFY(!found.synthesizeFields(**backend, job));
            QVERIFY(!found.analyzeFields(**backend, job));
            QVERIFY(found.isEmpty());
            found.oneByOne(**backend);
            QVERIFY(found == expected);
        }
        Sky found(*ample, 1);
        QVERIFY(found.together(*ample));
        QVERIFY(found == expected);
        QVERIFY(smallShares->steps().deviceBytes < several->steps().deviceBytes);
    }

    // Real devices instead of one for several: access from one to another.
    void devicesApart() {
        ARMILLA_NEEDS_TWO(devices_);
        constexpr int nside = 1024, lmax = 2048;
        const ShtParameters parameters{.nside = nside, .lmax = lmax, .mmax = lmax};
        const RingGrid grid = RingGrid::healpix(nside);
        const auto one = alone(parameters, grid);
        for (const BetweenDevices strategy :
             {BetweenDevices::PeerCopies, BetweenDevices::HostMemory}) {
            const auto several =
                shared(parameters, grid, static_cast<int>(devices_.size()), strategy);
            for (const int spin : {0, 2})
                QVERIFY(sameBits(transformed(*several, spin), transformed(*one, spin)));
            Sky expected(*one, 1), found(*several, 1);
            expected.oneByOne(*one);
            QVERIFY(found.together(*several));
            QVERIFY(found == expected);
        }
    }

private:
    std::unique_ptr<ShtBackend> alone(const ShtParameters& parameters, const RingGrid& grid) const {
        const CudaPart part{devices_[0].index, 1.0, parameters};
        return makeCudaBackend({&part, 1}, grid);
    }
    // `bytes`: of memory for each share, 0: what is free.
    std::unique_ptr<ShtBackend> shared(ShtParameters parameters, const RingGrid& grid, int shares,
                                       BetweenDevices strategy, int64_t bytes = 0) const {
        parameters.betweenDevices = strategy;
        std::vector<CudaPlace> places;
        for (int i = 0; i < shares; ++i) {
            const size_t device = static_cast<size_t>(i) % devices_.size();
            places.push_back({devices_[device].index, 1.0, bytes, {}});
        }
        return makeCudaOrdersBackend(parameters, grid, places);
    }

    std::vector<Device> devices_;
};

QTEST_APPLESS_MAIN(OrderSharesCudaTest)
#include "tst_order_shares_cuda.moc"

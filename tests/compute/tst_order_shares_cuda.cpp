// SPDX-License-Identifier: GPL-3.0-or-later
// One map shared by CUDA devices by orders m and rings: the bits of one device, whose results
// tst_sht_cuda and tst_direct_sums_cuda hold to the truth. A device stands for several where there
// are too few, which shows all but access from one to another.
#include <QtTest>
#include <cmath>
#include <numeric>
#include <stop_token>
#include <vector>

#include "core/error.h"
#include "device/cuda_devices.h"
#include "ops/sht.h"
#include "sht/plan/order_shares_cuda.h"
#include "sht/plan/sht_cuda.h"
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

// A synthesis, an analysis of what it gave, and the transpose.
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
    bool same = a.maps == b.maps;  // NaN is not like itself
    for (size_t i = 0; i < a.alm.size(); ++i) same = same && a.alm[i].values() == b.alm[i].values();
    return same;
}

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
        for (const BetweenDevices way : {BetweenDevices::PeerCopies, BetweenDevices::HostMemory}) {
            const auto several = shared(parameters, grid, shares, way);
            // Twice, since the second finds tables and buffers that the first has left.
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

    // Of single precision, map by map: what passes is the same.
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

    // Orders and rings of shares: each one's of one, and an even part of it.
    void everythingIsDealtOnce() {
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
    // What a device holds falls with their number; all but the first steps of orders pass on.
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
        // And goes on as if nothing had been.
        QVERIFY(sameBits(transformed(*several, 2), whole));
    }

    // Real devices, not one in place of several: access from one to the other.
    void devicesApart() {
        ARMILLA_NEEDS_TWO(devices_);
        constexpr int nside = 1024, lmax = 2048;
        const ShtParameters parameters{.nside = nside, .lmax = lmax, .mmax = lmax};
        const RingGrid grid = RingGrid::healpix(nside);
        const auto one = alone(parameters, grid);
        for (const BetweenDevices way : {BetweenDevices::PeerCopies, BetweenDevices::HostMemory}) {
            const auto several = shared(parameters, grid, static_cast<int>(devices_.size()), way);
            for (const int spin : {0, 2})
                QVERIFY(sameBits(transformed(*several, spin), transformed(*one, spin)));
        }
    }

private:
    std::unique_ptr<ShtBackend> alone(const ShtParameters& parameters, const RingGrid& grid) const {
        const CudaPart part{devices_[0].index, 1.0, parameters};
        return makeCudaBackend({&part, 1}, grid);
    }
    std::unique_ptr<ShtBackend> shared(ShtParameters parameters, const RingGrid& grid, int shares,
                                       BetweenDevices way) const {
        parameters.betweenDevices = way;
        std::vector<CudaPlace> places;
        for (int i = 0; i < shares; ++i) {
            const size_t device = static_cast<size_t>(i) % devices_.size();
            places.push_back({devices_[device].index, 1.0, 0, {}});
        }
        return makeCudaOrdersBackend(parameters, grid, places);
    }

    std::vector<Device> devices_;
};

QTEST_APPLESS_MAIN(OrderSharesCudaTest)
#include "tst_order_shares_cuda.moc"

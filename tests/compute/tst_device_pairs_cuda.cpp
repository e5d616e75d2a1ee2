// SPDX-License-Identifier: GPL-3.0-or-later
// Pair counts and correlations of points in device memory, compared with the same points on the
// host. Without a device the executable skips; ARMILLA_REQUIRE_GPU=1 makes its absence a failure.
#include <QtTest>

#include <cmath>
#include <limits>
#include <list>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/device/cuda_array.h"
#include "armilla/device/cuda_devices.h"
#include "armilla/ops/correlation.h"
#include "armilla/ops/device_pairs.h"
#include "support/cuda_guard.h"
#include "support/pair_truth.h"

using namespace armilla;

class tst_device_pairs_cuda : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        test::requireCuda();
        const std::vector<Device> devices = cudaDevices(CudaListing::WithFreeMemory);
        if (devices.empty()) return;  // the tests are skipped
        device_ = devices.front();
        stream_ = std::make_unique<DeviceStream>(device_.index);
    }
    void cleanup() { arrays_.clear(); }

    void counts_data() {
        QTest::addColumn<double>("radius");
        QTest::addColumn<QString>("bins");
        QTest::newRow("sphere") << 180.0 << "0deg,180deg,36";
        QTest::newRow("5 deg") << 5.0 << "0.001deg,8deg,20";
        QTest::newRow("10 arcsec") << 10.0 / 3600.0 << "0arcsec,20arcsec,7";
    }
    void counts() {
        QFETCH(double, radius);
        QFETCH(QString, bins);
        const std::vector<SkyPoints> host{pointsAround(3000, 359.9, -60.0, radius, 1),
                                          pointsAround(2003, 359.9, -60.0, radius, 2)};
        isSame(host, {there(host[0]), there(host[1])}, bins);
        isSame(host, {there(host[0]), host[1]}, bins);
    }

    // Pairs on edges are decided on the host from positions that are fetched.
    void onEdges() {
        SkyPoints grid;
        for (int lat = -90; lat <= 90; lat += 10)
            for (int lon = 0; lon < 360; lon += 10) {
                grid.lon.push_back(lon);
                grid.lat.push_back(lat);
            }
        isSame({grid, grid}, {there(grid), there(grid)}, "0deg,180deg,36");
    }

    void weights() {
        std::vector<SkyPoints> host{pointsAround(3000, 10.0, 20.0, 20.0, 1),
                                    pointsAround(2003, 10.0, 20.0, 20.0, 2)};
        for (int i = 0; i < 3000; ++i) host[0].weight.push_back(0.25 + i % 7);
        isSame(host, {there(host[0]), there(host[1])}, "0.1deg,40deg,12");
        isSame(host, {host[0], there(host[1])}, "0.1deg,40deg,12");
    }

    void meanAngles() {
        const std::vector<SkyPoints> host{pointsAround(2000, 10.0, 20.0, 20.0, 1)},
            onDevice{there(host[0])};
        const AngularBins bins = angularBins("0deg,40deg,12", BinSpacing::Linear);
        const std::vector<PairTask> tasks{{0, 0}};
        JobContext job;
        const auto expected = countPairs(host, tasks, bins, {device_, true}, job),
                   found = countPairs(onDevice, tasks, bins, {device_, true}, job);
        QCOMPARE(found[0].pairs, expected[0].pairs);
        QVERIFY(found[0].meanAngle == expected[0].meanAngle);
    }

    // The covariance has the same bits only if each point is in the same patch.
    void correlations_data() {
        QTest::addColumn<CorrelationErrors>("errors");
        QTest::addColumn<int>("patches");
        QTest::newRow("none") << CorrelationErrors::None << 0;
        QTest::newRow("jackknife") << CorrelationErrors::Jackknife << 37;
        QTest::newRow("bootstrap") << CorrelationErrors::Bootstrap << 16;
    }
    void correlations() {
        QFETCH(CorrelationErrors, errors);
        QFETCH(int, patches);
        CorrelationParameters parameters;
        parameters.bins = angularBins("0.05deg,10deg,9", BinSpacing::Log);
        parameters.errors = errors;
        parameters.patches = patches;
        parameters.resamplings = 50;
        parameters.device = device_;
        CorrelationCatalogs host;
        host.data = pointsAround(4000, 30.0, -40.0, 15.0, 1);
        host.random = {pointsAround(9000, 30.0, -40.0, 15.0, 2),
                       pointsAround(9000, 30.0, -40.0, 15.0, 3)};
        CorrelationCatalogs all = host, mixed = host;
        all.data = mixed.data = there(host.data);
        for (SkyPoints& points : all.random) points = there(points);
        JobContext job;
        const Correlation expected = correlate(host, parameters, job);
        for (const CorrelationCatalogs* catalogs : {&all, &mixed}) {
            const Correlation found = correlate(*catalogs, parameters, job);
            QCOMPARE(found.dd.pairs, expected.dd.pairs);
            QCOMPARE(found.dr.pairs, expected.dr.pairs);
            QCOMPARE(found.rr.pairs, expected.rr.pairs);
            QVERIFY(found.w == expected.w);
            QVERIFY(found.covariance == expected.covariance);
            QCOMPARE(found.covariance.empty(), errors == CorrelationErrors::None);
        }
    }

    void skippedRows() {
        SkyPoints rows = pointsAround(1000, 10.0, 20.0, 20.0, 1);
        rows.weight.assign(1000, 2.0);
        rows.lon[3] = kNan;
        rows.lat[10] = -999.0;
        rows.weight[999] = -99.0;
        int64_t skipped = 0;
        const SkyPoints kept = there(rows, &skipped);
        QCOMPARE(skipped, int64_t{3});
        QCOMPARE(kept.size(), int64_t{997});
        const SkyPoints expected = skyPoints(catalogOf(rows), 2);
        isSame({expected}, {kept}, "0.1deg,40deg,12");
    }

    void refusals() {
        SkyPoints rows = pointsAround(100, 10.0, 20.0, 20.0, 1);
        rows.weight.assign(100, 2.0);
        JobContext job;
        const auto messageOf = [](const auto& body) {
            try {
                body();
            } catch (const InvalidArgument& error) {
                return QString::fromStdString(error.message());
            }
            return QString();
        };
        for (const double wrong : {std::numeric_limits<double>::infinity(), -1.5, std::nan("")}) {
            SkyPoints changed = rows;
            (std::isinf(wrong) ? changed.lon : changed.weight)[42] = wrong;
            const QString expected = messageOf([&] { skyPoints(catalogOf(changed), 2); });
            QVERIFY(expected.contains("row 43"));
            QCOMPARE(messageOf([&] { there(changed); }), expected);
        }
        SkyPoints turned = there(rows);
        const AngularBins bins = angularBins("1deg,10deg,2", BinSpacing::Log);
        const std::vector<PairTask> tasks{{0, 0}};
        QVERIFY_EXCEPTION_THROWN(countPairs({{turned}}, tasks, bins, {}, job), Unsupported);
        turned.turn = frameRotation(Frame::Galactic, Frame::Equatorial);
        QVERIFY_EXCEPTION_THROWN(countPairs({{turned}}, tasks, bins, {device_, false}, job),
                                 InvalidArgument);
    }

    // The counts of a turned set are those on the host, also of pairs on edges, and so are its
    // patches.
    void turned() {
        std::vector<SkyPoints> host{pointsAround(3000, 40.0, 50.0, 30.0, 1),
                                    pointsAround(2003, 140.0, 12.0, 30.0, 2)};
        for (int i = 0; i < 2003; ++i) host[1].weight.push_back(0.25 + i % 7);
        host[1].turn = frameRotation(Frame::Galactic, Frame::Equatorial);
        isSame(host, {there(host[0]), there(host[1])}, "0.1deg,60deg,12");
        isSame(host, {host[0], there(host[1])}, "0.1deg,60deg,12");
        SkyPoints grid;
        for (int lat = -90; lat <= 90; lat += 10)
            for (int lon = 0; lon < 360; lon += 10) {
                grid.lon.push_back(lon);
                grid.lat.push_back(lat);
            }
        grid.turn = frameRotation(Frame::Ecliptic, Frame::Galactic);
        isSame({grid, grid}, {there(grid), there(grid)}, "0deg,180deg,36");
        CorrelationParameters parameters;
        parameters.bins = angularBins("0.05deg,10deg,9", BinSpacing::Log);
        parameters.errors = CorrelationErrors::Jackknife;
        parameters.patches = 37;
        parameters.device = device_;
        CorrelationCatalogs catalogs;
        catalogs.data = pointsAround(4000, 30.0, -40.0, 15.0, 1);
        catalogs.random = {pointsAround(9000, 30.0, -40.0, 15.0, 2)};
        for (SkyPoints* points : {&catalogs.data, &catalogs.random[0]})
            points->turn = frameRotation(Frame::Galactic, Frame::Equatorial);
        CorrelationCatalogs all = catalogs;
        all.data = there(catalogs.data);
        all.random = {there(catalogs.random[0])};
        JobContext job;
        const Correlation expected = correlate(catalogs, parameters, job),
                          found = correlate(all, parameters, job);
        QVERIFY(found.w == expected.w);
        QVERIFY(found.covariance == expected.covariance);
    }

private:
    static Catalog catalogOf(const SkyPoints& points) {
        Table table;
        const auto add = [&](const char* name, const std::vector<double>& values) {
            TableColumn column;
            column.name = name;
            column.values = values;
            table.columns.push_back(std::move(column));
        };
        add("RA", points.lon);
        add("DEC", points.lat);
        if (!points.weight.empty()) add("W", points.weight);
        const PositionColumns position = positionsNamed(table, "RA", "DEC");
        return {std::move(table), position};
    }
    // The points in device memory, which this object keeps until the end of the test.
    SkyPoints there(const SkyPoints& points, int64_t* skipped = nullptr) {
        DeviceColumns columns;
        columns.device = device_.index;
        columns.stream = stream_->handle();
        const auto add = [&](const char* name, const std::vector<double>& values) {
            arrays_.emplace_back(device_.index, values.size()).upload(values);
            columns.names.emplace_back(name);
            columns.values.push_back({arrays_.back().data(), values.size(), false});
        };
        add("RA", points.lon);
        add("DEC", points.lat);
        if (!points.weight.empty()) add("W", points.weight);
        JobContext job;
        return skyPoints(catalogOf(points), columns, points.weight.empty() ? -1 : 2, points.turn,
                         skipped, job);
    }
    void isSame(const std::vector<SkyPoints>& host, const std::vector<SkyPoints>& found,
                const QString& bins) {
        std::vector<PairTask> tasks{{0, 0}};
        if (host.size() > 1) tasks.insert(tasks.end(), {{0, 1}, {1, 1}});
        const AngularBins angles = angularBins(bins.toStdString(), BinSpacing::Linear);
        JobContext job;
        const auto expected = countPairs(host, tasks, angles, {}, job),
                   counted = countPairs(found, tasks, angles, {device_, false}, job);
        for (size_t t = 0; t < tasks.size(); ++t) {
            QCOMPARE(counted[t].pairs, expected[t].pairs);
            QCOMPARE(counted[t].weighted.size(), expected[t].weighted.size());
            // Differences of sums of up to 9e6 products, each within an epsilon of 2e-16: in fixed
            // point on the device, and within 1e3 epsilon in the order of the host.
            for (size_t k = 0; k < expected[t].weighted.size(); ++k)
                QVERIFY(std::abs(counted[t].weighted[k] - expected[t].weighted[k]) <=
                        1e-12 * std::abs(expected[t].weighted[k]));
        }
    }

    Device device_;
    std::unique_ptr<DeviceStream> stream_;
    std::list<CudaArray> arrays_;
};

QTEST_APPLESS_MAIN(tst_device_pairs_cuda)
#include "tst_device_pairs_cuda.moc"

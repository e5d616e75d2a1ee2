// SPDX-License-Identifier: GPL-3.0-or-later
// Gridding on CUDA devices compared with exact sums, as in tst_grid for the CPU.
#include <QtTest>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/grid.h"
#include "compute/grid_checks.h"
#include "support/cuda_guard.h"

using namespace armilla;
using namespace armilla::test;

namespace {

Device cudaDevice() {
    return Device::fromText("cuda:0", {.cuda = true});
}

// Every tile size with every way of sharing its samples; bins of three sizes; squares.
std::vector<GridTuning> tunings() {
    using Filter = GridTuning::Filter;
    std::vector<GridTuning> all{{}, {.threads = 64, .cells = 1}, {.threads = 256, .cells = 1}};
    for (const int cells : {4, 8, 16})
        for (const int threads : {64, 128, 256})
            for (const int parts : {1, 3})
                for (const Filter filter : {Filter::Off, Filter::On})
                    all.push_back({threads, cells, parts, 3 * parts, filter});
    all.push_back({.bins = 1});
    all.push_back({.parts = 64, .bins = 16});
    all.push_back({.strategy = GridTuning::Strategy::Squares});
    return all;
}

}  // namespace

class GridCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { requireCuda(); }

    void exactSums_data() { addGridCases(); }
    void exactSums() {
        QFETCH(int, index);
        checkGridCase(index, cudaDevice(), {.strategy = GridTuning::Strategy::Tiles});
        checkGridCase(index, cudaDevice(), {.strategy = GridTuning::Strategy::Squares});
    }

    // Cells much closer than the kernel, shared by blocks; some of them off the sky, the last block
    // incomplete; and a few isolated cells.
    void cellsOfABlock() {
        const LonLat center{0.0, 60 * kDegree};
        const SampleTable table = randomSamples(3000, center, kDegree, 31);
        const GridKernel kernel{.fwhm = 20 * kArcmin};
        std::vector<Vec3> cells = squareOfCells(39, center, kDegree);
        for (size_t i = 0; i < cells.size(); i += 7) cells[i] = {NAN, NAN, NAN};
        for (size_t i = 100; i < 108; ++i) cells[i] = {NAN, NAN, NAN};
        cells[200] = direction({kPi, -60 * kDegree});
        cells[300] = {0.0, 0.0, 1.0};
        const GridSums sums = gridded(cudaDevice(), table, cells, kernel);
        const GridSums host = gridded(Device::cpu(), table, cells, kernel);
        QCOMPARE(sums.counts, host.counts);
        // Both devices add the same samples in another order. A sum of n terms rounds by n machine
        // epsilons at most, and 1e-12 is 4500.
        ARMILLA_VERIFY_BELOW(gridError(griddedValues(sums), griddedValues(host)), 1e-12);
        std::vector<Vec3> scattered;
        for (int i = 0; i < 200; ++i)
            scattered.push_back(i % 2 == 0 ? cells[static_cast<size_t>(i + 1)]
                                           : -1.0 * cells[static_cast<size_t>(i + 1)]);
        QCOMPARE(gridded(cudaDevice(), table, scattered, kernel).counts,
                 gridded(Device::cpu(), table, scattered, kernel).counts);
    }

    // Cells that are all in one place, the first thousands of them off the sky, and more of them
    // than fit a tile.
    void cellsOfOnePlace() {
        const LonLat center{1.0, -89.9 * kDegree};
        const SampleTable table = randomSamples(3000, center, kDegree, 32);
        std::vector<Vec3> cells(5000, {NAN, NAN, NAN});
        for (int i = 0; i < 100; ++i) cells.push_back(direction(center));
        for (int i = 0; i < 70; ++i) cells.push_back({0.0, 0.0, -1.0});
        for (const GridTuning& tuning : tunings()) {
            const GridKernel kernel{.fwhm = 20 * kArcmin};
            JobContext job;
            GridPlan plan(cells, kernel, cudaDevice(), tuning);
            plan.order(table.samples(), job);
            const GridValues values = table.column();
            const GridSums sums = plan.execute({&values, 1}, job);
            const GridSums host = gridded(Device::cpu(), table, cells, kernel);
            QCOMPARE(sums.counts, host.counts);
            // Another order of the same sums: 1e-12 is 4500 machine epsilons.
            ARMILLA_VERIFY_BELOW(gridError(griddedValues(sums), griddedValues(host)), 1e-12);
        }
    }

    // Every way of sharing the work gives the same result. Cells are as close as an image's, finer,
    // or farther apart, so that lanes hold one to four. Weights and missing values are included.
    void sharedWork_data() {
        QTest::addColumn<int>("side");
        for (const int side : {3, 5, 7, 9, 30, 61}) QTest::newRow(QByteArray::number(side)) << side;
    }
    void sharedWork() {
        QFETCH(int, side);
        const LonLat center{359.9 * kDegree, -41.0 * kDegree};
        SampleTable table = randomSamples(4000, center, 2 * kDegree, 77);
        for (size_t i = 0; i < table.lon.size(); ++i) {
            table.weights.push_back(0.1 * static_cast<double>(i % 13));
            if (i % 17 == 0) table.values[i] = NAN;
        }
        const std::vector<Vec3> cells = squareOfCells(side, center, 2 * kDegree);
        for (const GridKernel& kernel :
             {GridKernel{.fwhm = 20 * kArcmin},
              GridKernel{.fwhm = 10 * kArcmin, .radius = 20 * kArcmin},
              GridKernel{.kind = GridKernelKind::BesselGauss, .beam = 30 * kArcmin}}) {
            const GridSums host = gridded(Device::cpu(), table, cells, kernel);
            for (const GridTuning& tuning : tunings()) {
                JobContext job;
                GridPlan plan(cells, kernel, cudaDevice(), tuning);
                plan.order(table.samples(), job);
                const GridValues values = table.column();
                const GridSums sums = plan.execute({&values, 1}, job);
                QCOMPARE(sums.counts, host.counts);
                // Another order of the same sums: 1e-12 is 4500 machine epsilons.
                ARMILLA_VERIFY_BELOW(gridError(sums.values, host.values), 1e-12);
                ARMILLA_VERIFY_BELOW(gridError(sums.weights, host.weights), 1e-12);
            }
        }
    }

    void channels_data() {
        QTest::addColumn<int>("width");
        for (const int width : {2, 77, 1500}) QTest::newRow(QByteArray::number(width)) << width;
    }
    void channels() {
        QFETCH(int, width);
        const LonLat center{0.0, 60 * kDegree};
        SampleTable table = randomSamples(1300, center, kDegree, 5, width);
        for (size_t i = 0; i < table.values.size(); i += 1013) table.values[i] = NAN;
        std::vector<float> singles(table.values.begin(), table.values.end());
        std::vector<double> last;
        for (size_t i = 0; i < table.lon.size(); ++i)
            last.push_back(table.values[i * static_cast<size_t>(width) + 1]);
        const std::vector<Vec3> cells = squareOfCells(9, center, kDegree);
        for (const GridKernel& kernel :
             {GridKernel{.fwhm = 12 * kArcmin}, GridKernel{.fwhm = 60 * kArcmin},
              GridKernel{.kind = GridKernelKind::Nearest, .radius = 12 * kArcmin}}) {
            const std::vector<GridValues> columns{table.column(),
                                                  {std::span<const float>(singles), width},
                                                  {std::span<const double>(last), 1}};
            std::vector<GridSums> sums;
            for (const Device& device : {Device::cpu(), cudaDevice()}) {
                JobContext job;
                GridPlan plan(cells, kernel, device);
                plan.order(table.samples(), job);
                sums.push_back(plan.execute(columns, job));
            }
            QCOMPARE(sums[1].counts, sums[0].counts);
            // Another order of the same sums: 1e-12 is 4500 machine epsilons.
            ARMILLA_VERIFY_BELOW(gridError(griddedValues(sums[1]), griddedValues(sums[0])), 1e-12);
        }
    }

    // The same plan with other samples; the same samples give the same bits.
    void again() {
        const LonLat center{1.0, -0.5};
        const std::vector<Vec3> cells = squareOfCells(21, center, kDegree);
        const GridKernel kernel{.fwhm = 12 * kArcmin};
        JobContext job;
        GridPlan plan(cells, kernel, cudaDevice());
        std::vector<double> first;
        for (const int count : {5000, 200, 0, 70000, 5000}) {
            const SampleTable table = randomSamples(count, center, kDegree, 8);
            plan.order(table.samples(), job);
            const GridValues values = table.column();
            const GridSums sums = plan.execute({&values, 1}, job);
            const GridSums host = gridded(Device::cpu(), table, cells, kernel);
            QCOMPARE(sums.counts, host.counts);
            // Another order of the same sums: 1e-12 is 4500 machine epsilons.
            ARMILLA_VERIFY_BELOW(gridError(griddedValues(sums), griddedValues(host)), 1e-12);
            if (first.empty())
                first = sums.values;
            else if (count == 5000)
                QVERIFY(sums.values == first);
        }
    }

    // Most samples in one place, shared by dozens of blocks, and others all over and beyond the
    // field. They exceed the count of a block, some are bad, and each column goes by squares.
    void crowded() {
        const LonLat center{359.9 * kDegree, 88.0 * kDegree};
        SampleTable table = randomSamples(30000, center, 3 * kDegree, 41);
        const SampleTable crowd = randomSamples(60000, center, 0.01 * kDegree, 42);
        for (size_t i = 0; i < crowd.lon.size(); ++i) {
            table.lon.push_back(crowd.lon[i]);
            table.lat.push_back(crowd.lat[i]);
            table.values.push_back(crowd.values[i]);
        }
        for (size_t i = 0; i < table.lon.size(); ++i)
            table.weights.push_back(i % 19 == 0 ? NAN : 0.2 * static_cast<double>(i % 7));
        for (size_t i = 0; i < table.lon.size(); i += 23) table.lat[i] = NAN;
        for (size_t i = 0; i < table.values.size(); i += 29) table.values[i] = NAN;
        std::vector<double> second(table.values.rbegin(), table.values.rend());
        const std::vector<GridValues> columns{table.column(), {std::span<const double>(second), 1}};
        const std::vector<Vec3> cells = squareOfCells(40, center, 2 * kDegree);
        const GridKernel kernel{.fwhm = 5 * kArcmin};
        std::vector<GridSums> sums;
        std::vector<GridReport> reports;
        for (const auto& [device, strategy] : {std::pair{Device::cpu(), GridTuning::Strategy::Auto},
                                               {cudaDevice(), GridTuning::Strategy::Squares},
                                               {cudaDevice(), GridTuning::Strategy::Squares},
                                               {cudaDevice(), GridTuning::Strategy::Tiles}}) {
            JobContext job;
            GridPlan plan(cells, kernel, device, {.strategy = strategy});
            plan.order(table.samples(), job);
            sums.push_back(plan.execute(columns, job));
            reports.push_back(plan.report());
        }
        for (size_t i = 1; i < sums.size(); ++i) {
            QCOMPARE(sums[i].counts, sums[0].counts);
            // Another order of the same sums: 1e-12 is 4500 machine epsilons.
            ARMILLA_VERIFY_BELOW(gridError(sums[i].values, sums[0].values), 1e-12);
            ARMILLA_VERIFY_BELOW(gridError(sums[i].weights, sums[0].weights), 1e-12);
            QCOMPARE(reports[i].bad, reports[0].bad);
        }
        QVERIFY(sums[1].values == sums[2].values && sums[1].weights == sums[2].weights);
        QVERIFY(reports[1].outside > 0);
    }

    // A radius as wide as the field: nearly all cells are in reach of each square, too many for
    // squares unless forced. A plan decides again for other samples.
    void wideKernels_data() {
        QTest::addColumn<double>("radius");
        QTest::newRow("the width of the field") << 4 * kDegree;
        QTest::newRow("a quarter of it") << 1 * kDegree;
    }
    void wideKernels() {
        QFETCH(double, radius);
        const LonLat center{359.9 * kDegree, 35.0 * kDegree};
        const std::vector<Vec3> cells = squareOfCells(60, center, 2 * kDegree);
        const GridKernel kernel{.fwhm = radius / 3.0 * 2.354820045, .radius = radius};
        for (const auto strategy : {GridTuning::Strategy::Auto, GridTuning::Strategy::Squares,
                                    GridTuning::Strategy::Tiles}) {
            JobContext job;
            GridPlan plan(cells, kernel, cudaDevice(), {.strategy = strategy});
            for (const int count : {6000, 100, 6000}) {
                const SampleTable table = randomSamples(count, center, 2 * kDegree, 51);
                plan.order(table.samples(), job);
                const GridValues values = table.column();
                const GridSums sums = plan.execute({&values, 1}, job);
                const GridSums host = gridded(Device::cpu(), table, cells, kernel);
                QCOMPARE(sums.counts, host.counts);
                // Another order of the same sums: 1e-12 is 4500 machine epsilons.
                ARMILLA_VERIFY_BELOW(gridError(sums.values, host.values), 1e-12);
                ARMILLA_VERIFY_BELOW(gridError(sums.weights, host.weights), 1e-12);
            }
        }
    }

    // Every pixel of the sky, in several slices.
    void wholeSky() {
        SampleTable table;
        std::mt19937_64 random(17);
        std::uniform_real_distribution<double> uniform(0.0, 1.0);
        for (int i = 0; i < 40000; ++i) {
            table.lon.push_back(360.0 * uniform(random) - 180.0);
            table.lat.push_back(std::asin(2 * uniform(random) - 1) / kDegree);
            table.values.push_back(uniform(random));
        }
        std::vector<Vec3> cells;
        for (int64_t p = 0; p < 12 * 128 * 128; ++p) cells.push_back(directionFromRing(128, p));
        const GridKernel kernel{.fwhm = kDegree};
        const GridSums sums = gridded(cudaDevice(), table, cells, kernel);
        const GridSums host = gridded(Device::cpu(), table, cells, kernel);
        QCOMPARE(sums.counts, host.counts);
        // Another order of the same sums: 1e-12 is 4500 machine epsilons.
        ARMILLA_VERIFY_BELOW(gridError(griddedValues(sums), griddedValues(host)), 1e-12);
    }

    // Two devices take half of the samples each, from a million on.
    void twoDevices() {
        const auto devices = cudaDevices(CudaListing::WithFreeMemory);
        ARMILLA_NEEDS_TWO(devices);
        Device both = devices[0];
        both.others = {devices[1].index};
        const LonLat center{1.0, 60 * kDegree};
        const SampleTable table = randomSamples((2 << 20) + 17, center, kDegree, 33);
        const std::vector<Vec3> cells = squareOfCells(39, center, kDegree);
        for (const GridKernel& kernel :
             {GridKernel{.fwhm = 5 * kArcmin},
              GridKernel{.kind = GridKernelKind::Nearest, .radius = 6 * kArcmin}}) {
            const GridSums one = gridded(devices[0], table, cells, kernel),
                           two = gridded(both, table, cells, kernel);
            QCOMPARE(two.counts, one.counts);
            QCOMPARE(two.nearest, one.nearest);
            // The limit of cellsOfABlock: the samples are added in another order.
            ARMILLA_VERIFY_BELOW(gridError(griddedValues(two), griddedValues(one)), 1e-12);
            QVERIFY(gridded(both, table, cells, kernel).values == two.values);
        }
    }

    void refusals() {
        SampleTable table = randomSamples(1000, {1.0, 0.5}, kDegree, 3);
        const std::vector<Vec3> cells{direction({1.0, 0.5})};
        table.lat[444] = -95.0;
        table.lat[777] = 95.0;
        QString message;
        try {
            gridded(cudaDevice(), table, cells, {.fwhm = 0.01});
        } catch (const InvalidArgument& error) {
            message = error.what();
        }
        QVERIFY(message.contains("-95") && message.contains("row 445"));
    }

    void cancelled() {
        const SampleTable table = randomSamples(1000, {1.0, 0.5}, kDegree, 3);
        std::stop_source stop;
        JobContext job(stop.get_token(), {}, 2);
        GridPlan plan(squareOfCells(9, {1.0, 0.5}, kDegree), {.fwhm = 0.01}, cudaDevice());
        plan.order(table.samples(), job);
        stop.request_stop();
        const GridValues values = table.column();
        QVERIFY_EXCEPTION_THROWN(plan.execute({&values, 1}, job), Cancelled);
    }
};

QTEST_GUILESS_MAIN(GridCudaTest)
#include "tst_grid_cuda.moc"

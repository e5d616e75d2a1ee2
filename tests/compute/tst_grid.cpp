// SPDX-License-Identifier: GPL-3.0-or-later
// Gridding compared with exact sums, and invariants of every result.
#include <QtTest>

#include <set>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/grid.h"
#include "compute/grid_checks.h"
#include "grid/field_bins.h"
#include "grid/grid_backend.h"

using namespace armilla;
using namespace armilla::test;

namespace {

GridSums gridded(const SampleTable& table, const std::vector<Vec3>& cells, const GridKernel& kernel,
                 const Mat3& turn = Mat3{}, int threads = 2) {
    return test::gridded(Device::cpu(), table, cells, kernel, turn, threads);
}
std::string thrown(const std::function<void()>& body) {
    try {
        body();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

class GridTest : public QObject {
    Q_OBJECT
private slots:
    void exactSums_data() { addGridCases(); }
    void exactSums() {
        QFETCH(int, index);
        checkGridCase(index, Device::cpu());
    }

    // One plan with channels of several columns, each with its own bad samples.
    void channels() {
        const LonLat center{0.0, 60 * kDegree};
        const double side = kDegree;
        SampleTable table = randomSamples(2500, center, side, 5, 77);
        for (size_t i = 0; i < table.values.size(); i += 1013) table.values[i] = NAN;
        std::vector<float> singles(table.values.begin(), table.values.end());
        std::vector<double> last;
        for (size_t i = 0; i < table.lon.size(); ++i) last.push_back(table.values[i * 77 + 3]);
        const std::vector<Vec3> cells = squareOfCells(9, center, side);
        for (const GridKernel& kernel :
             {GridKernel{.fwhm = 12 * kArcmin},
              GridKernel{.kind = GridKernelKind::Nearest, .radius = 12 * kArcmin}}) {
            JobContext job;
            GridPlan plan(cells, kernel, Device::cpu());
            plan.order(table.samples(), job);
            const std::vector<GridValues> columns{table.column(),
                                                  {std::span<const float>(singles), 77},
                                                  {std::span<const double>(last), 1}};
            const GridSums sums = plan.execute(columns, job);
            QCOMPARE(sums.channels, 155);
            const std::vector<double> result = griddedValues(sums);
            const size_t n = cells.size();
            for (const int64_t channel : {0, 3, 31, 32, 63, 64, 76}) {
                const GridTruth truth = gridTruth(table, cells, kernel, channel);
                const auto at = static_cast<size_t>(channel) * n;
                // A sum of n samples rounds by n machine epsilons at most, and 1e-12 is 4500.
                ARMILLA_VERIFY_BELOW(gridError({result.data() + at, n}, truth.values), 1e-12);
                QVERIFY(std::equal(truth.counts.begin(), truth.counts.end(),
                                   sums.counts.begin() + static_cast<ptrdiff_t>(at)));
                // Values rounded to single precision: 2^-24 of the largest, which is below 12.
                ARMILLA_VERIFY_BELOW(gridError({result.data() + 77 * n + at, n}, truth.values),
                                     12 * 0x1p-24);
                if (channel == 3)
                    ARMILLA_VERIFY_BELOW(gridError({result.data() + 154 * n, n}, truth.values),
                                         1e-12);
            }
        }
    }

    // Constant samples give the constant in every cell that has some.
    void partitionOfUnity() {
        SampleTable table = randomSamples(4000, {0.0, 0.0}, kDegree, 8);
        std::fill(table.values.begin(), table.values.end(), 2.5);
        const auto cells = squareOfCells(31, {0.0, 0.0}, 1.2 * kDegree);
        for (const GridKernel& kernel :
             {GridKernel{.fwhm = 5 * kArcmin},
              GridKernel{.kind = GridKernelKind::Gaussian2d,
              .fwhm = 8 * kArcmin,
              .minorFwhm = 4 * kArcmin,
              .angle = 1.0},
              GridKernel{.kind = GridKernelKind::Nearest, .radius = 5 * kArcmin}})
            for (const double value : griddedValues(gridded(table, cells, kernel)))
                // Both sums have the same weights, so only their rounding differs.
                QVERIFY(std::isnan(value) || std::abs(value - 2.5) < 1e-14);
    }

    // A Gaussian source of width b on dense samples is gridded to width sqrt(b^2 + k^2), with the
    // same flux.
    void pointSourceFlux() {
        const LonLat center{1.0, 0.5};
        const double beam = 10 * kArcmin, fwhm = 6 * kArcmin, toSigma = 1 / 2.3548200450309493;
        const double step = kArcmin, reach = 60 * kArcmin;
        SampleTable table;
        double fluxBefore = 0.0;
        for (double east = -reach; east <= reach; east += step)
            for (double north = -reach; north <= reach; north += step) {
                const LonLat at = nearTo(center, std::sin(east), std::sin(north));
                table.lon.push_back(at.lon / kDegree);
                table.lat.push_back(at.lat / kDegree);
                const double r = angularDistance(direction(at), direction(center));
                table.values.push_back(std::exp(-0.5 * std::pow(r / (beam * toSigma), 2)));
                fluxBefore += table.values.back() * step * step;
            }
        std::vector<Vec3> cells;
        std::vector<double> distances;
        const double cell = 2 * kArcmin;
        for (double east = -0.8 * reach; east <= 0.8 * reach; east += cell)
            for (double north = -0.8 * reach; north <= 0.8 * reach; north += cell) {
                cells.push_back(direction(nearTo(center, std::sin(east), std::sin(north))));
                distances.push_back(angularDistance(cells.back(), direction(center)));
            }
        const GridKernel kernel{.fwhm = fwhm, .radius = 5 * fwhm * toSigma};
        const std::vector<double> result = griddedValues(gridded(table, cells, kernel));
        double flux = 0.0;
        const double wide = std::hypot(beam, fwhm) * toSigma;
        for (size_t i = 0; i < result.size(); ++i) {
            flux += result[i] * cell * cell;
            // Curvature of the sphere over a degree, (1/57)^2, of the slope; the kernel's cut at 5
            // sigma, exp(-12.5) = 4e-6.
            const double expected = beam * beam / (beam * beam + fwhm * fwhm) *
                                    std::exp(-0.5 * std::pow(distances[i] / wide, 2));
            QVERIFY(std::abs(result[i] - expected) < 3e-4);
        }
        ARMILLA_VERIFY_BELOW(std::abs(flux / fluxBefore - 1.0), 1e-3);
    }

    void anyOrderAndThreads() {
        const auto cases = gridCases();
        for (const size_t index : {size_t{0}, size_t{3}, cases.size() - 1}) {
            const GridCase& c = cases[index];
            const GridSums one = gridded(c.table, c.cells, c.kernel, c.turn, 1);
            for (const int threads : {2, 5}) {
                const GridSums many = gridded(c.table, c.cells, c.kernel, c.turn, threads);
                QVERIFY(one.values == many.values && one.weights == many.weights);
            }
            std::vector<size_t> order(c.table.lon.size());
            std::iota(order.begin(), order.end(), size_t{0});
            std::shuffle(order.begin(), order.end(), std::mt19937_64(4));
            SampleTable shuffled;
            for (const size_t i : order) {
                shuffled.lon.push_back(c.table.lon[i]);
                shuffled.lat.push_back(c.table.lat[i]);
                shuffled.values.push_back(c.table.values[i]);
            }
            const GridSums other = gridded(shuffled, c.cells, c.kernel, c.turn);
            QCOMPARE(other.counts, one.counts);
            // The rounding of sums of a hundred terms in another order.
            ARMILLA_VERIFY_BELOW(gridError(griddedValues(other), griddedValues(one)), 1e-13);
        }
    }

    // Samples and cells rotated together: the same values.
    void rotation() {
        const GridCase c = gridCases()[0];
        const std::vector<double> before = griddedValues(gridded(c.table, c.cells, c.kernel));
        for (const Frame frame : {Frame::Galactic, Frame::Ecliptic}) {
            const Mat3 turn = frameRotation(frame, Frame::Equatorial);
            std::vector<Vec3> cells = c.cells;
            for (Vec3& cell : cells) cell = turn * cell;
            // By the plan, and in the table itself.
            SampleTable turned = c.table;
            for (size_t i = 0; i < turned.lon.size(); ++i) {
                const LonLat at =
                    lonLat(turn * direction({c.table.lon[i] * kDegree, c.table.lat[i] * kDegree}));
                turned.lon[i] = at.lon / kDegree;
                turned.lat[i] = at.lat / kDegree;
            }
            const double limit = gridLimit(c.kernel.fwhm);
            ARMILLA_VERIFY_BELOW(
                gridError(griddedValues(gridded(c.table, cells, c.kernel, turn)), before), limit);
            ARMILLA_VERIFY_BELOW(gridError(griddedValues(gridded(turned, cells, c.kernel)), before),
                                 limit);
        }
    }

    // Pieces of the samples add up, also for the nearest one.
    void pieces() {
        const GridCase c = gridCases()[0];
        for (const GridKernel& kernel :
             {c.kernel, GridKernel{.kind = GridKernelKind::Nearest, .radius = 6 * kArcmin}}) {
            const GridSums whole = gridded(c.table, c.cells, kernel);
            SampleTable parts[2];
            for (size_t i = 0; i < c.table.lon.size(); ++i) {
                SampleTable& part = parts[i % 3 == 0 ? 0 : 1];
                part.lon.push_back(c.table.lon[i]);
                part.lat.push_back(c.table.lat[i]);
                part.values.push_back(c.table.values[i]);
            }
            GridSums sum = gridded(parts[0], c.cells, kernel);
            addSums(sum, gridded(parts[1], c.cells, kernel));
            QCOMPARE(sum.counts, whole.counts);
            // The parts are added in another order, so the sums differ at random signs; 1e-13 is
            // 450 machine epsilons.
            ARMILLA_VERIFY_BELOW(gridError(griddedValues(sum), griddedValues(whole)), 1e-13);
        }
    }

    // Devices that share the samples: three backends of the CPU, and one of them without samples.
    void sharedSamples() {
        JobContext job({}, {}, 2);
        const auto sharedOf = [&](const std::vector<Vec3>& cells, const GridKernel& kernel,
                                  int64_t leastRows) {
            return makeSharedGrid(
                std::vector<MakeGrid>(3, [=] { return makeGridCpu(cells, kernel); }), leastRows);
        };
        const GridCase c = gridCases()[0];
        const auto rows = static_cast<int64_t>(c.table.lon.size());
        GridKernel gauss = c.kernel, nearest{.kind = GridKernelKind::Nearest};
        nearest.radius = 6 * kArcmin;
        gauss.radius = defaultRadius(gauss);
        for (const GridKernel& kernel : {gauss, nearest})
            for (const int64_t least : {int64_t{1}, rows / 2, rows + 1}) {
                const GridSums whole = gridded(c.table, c.cells, kernel);
                const auto shared = sharedOf(c.cells, kernel, least);
                shared->order(c.table.samples(), job);
                const GridValues values = c.table.column();
                GridSums sums = emptySums(whole.cells, 1, !whole.nearest.empty(), job);
                shared->execute({&values, 1}, sums, job);
                QCOMPARE(sums.counts, whole.counts);
                QCOMPARE(sums.nearest, whole.nearest);
                QCOMPARE(shared->report.used + shared->report.bad + shared->report.outside, rows);
                // The limit of `pieces`, whose sums are those of shares.
                ARMILLA_VERIFY_BELOW(gridError(griddedValues(sums), griddedValues(whole)), 1e-13);
                if (least > rows) QVERIFY(sums.values == whole.values);
            }
        SampleTable bad = c.table;
        bad.lat.back() = 95.0;
        const auto shared = sharedOf(c.cells, gauss, 1);
        const std::string message = thrown([&] { shared->order(bad.samples(), job); });
        QVERIFY(message.find("row " + std::to_string(rows)) != std::string::npos);
    }

    // Auxiliary memory stays below that of the samples, 24 bytes each, from a million on. Cells are
    // not looked up for fewer samples than the lookup costs.
    void rowsOfPieces() {
        const Device cpu = Device::cpu();
        constexpr int64_t kBytes = 52, kMillion = 1000000;
        const int64_t few = rowsOfPiece(cpu, {8100, 1, 1});
        QVERIFY(few >= 8100 && few * kBytes <= 24 * kMillion);
        QCOMPARE(rowsOfPiece(cpu, {1, 1, 1}), few >= (1 << 18) ? int64_t{1} << 18 : few);
        QVERIFY(rowsOfPiece(cpu, {1000000, 1, 1}) >= kMillion);
        QVERIFY(rowsOfPiece(cpu, {8100, 1000, 1000}) > few);
        QVERIFY(rowsOfPiece(cpu, {int64_t{1} << 40, 1 << 20, 1}) <= int64_t{1} << 31);
    }

    // The whole sky, every pixel compared with the exact sums near it.
    void wholeSky() {
        SampleTable table;
        std::mt19937_64 random(17);
        std::uniform_real_distribution<double> uniform(0.0, 1.0);
        for (int i = 0; i < 20000; ++i) {
            table.lon.push_back(360.0 * uniform(random) - 180.0);
            table.lat.push_back(std::asin(2 * uniform(random) - 1) / kDegree);
            table.values.push_back(uniform(random));
        }
        table.lat[0] = 90.0;
        table.lat[1] = -90.0;
        table.lon[2] = 0.0;
        table.lon[3] = 360.0;
        const int64_t nside = 8;
        std::vector<Vec3> cells;
        for (int64_t p = 0; p < pixelCount(nside); ++p)
            cells.push_back(directionFromRing(nside, p));
        const GridKernel kernel{.fwhm = 3 * kDegree};
        const GridTruth truth = gridTruth(table, cells, kernel);
        const GridSums sums = gridded(table, cells, kernel);
        QCOMPARE(truth.doubtful, 0);
        QCOMPARE(sums.counts, truth.counts);
        // A sum of n samples rounds by n machine epsilons at most, and 1e-12 is 4500.
        ARMILLA_VERIFY_BELOW(gridError(griddedValues(sums), truth.values), 1e-12);
    }

    void pixelsNearSamples() {
        const SampleTable table = randomSamples(30, {0.0, 89 * kDegree}, 2 * kDegree, 3);
        JobContext job;
        const int64_t nside = 128;
        const double radius = 0.5 * kDegree;
        const std::vector<int64_t> pixels = pixelsNear(table.samples(), nside, radius, job);
        QVERIFY(std::is_sorted(pixels.begin(), pixels.end()));
        QVERIFY(static_cast<int64_t>(pixels.size()) < pixelCount(nside) / 50);
        for (int64_t p = 0; p < pixelCount(nside); ++p) {
            const Vec3 center = directionFromRing(nside, p);
            bool near = false;
            for (size_t i = 0; i < table.lon.size() && !near; ++i)
                near = angularDistance(center, direction({table.lon[i] * kDegree,
                                                          table.lat[i] * kDegree})) <= radius;
            if (near) QVERIFY(std::binary_search(pixels.begin(), pixels.end(), p));
        }
    }

    // The whole sky, both poles and few samples: every near pixel is found once.
    void pixelsNearSamplesEverywhere() {
        SampleTable table;
        for (const auto& [lon, lat] : {std::pair{0.01, 89.9},
                                       {200.0, 41.9},
                                       {359.99, 41.7},
                                       {0.0, 0.0},
                                       {180.0, -0.01},
                                       {77.0, -41.8},
                                       {10.0, -90.0}})
            for (int i = 0; i < 4; ++i) {
                table.lon.push_back(lon + 1.7 * i);
                table.lat.push_back(lat);
            }
        JobContext job;
        for (const int64_t nside : {int64_t{7}, int64_t{64}, int64_t{512}})
            for (const double radius : {0.3 * kDegree, 3.0 * kDegree, 40.0 * kDegree}) {
                const std::vector<int64_t> pixels = pixelsNear(table.samples(), nside, radius, job);
                QVERIFY(std::adjacent_find(pixels.begin(), pixels.end(), [](int64_t a, int64_t b) {
                            return a >= b;
                        }) == pixels.end());
                std::set<int64_t> near;
                for (size_t i = 0; i < table.lon.size(); ++i)
                    for (const PixelRange& range : queryDisc(
                             nside, Ordering::Ring,
                             direction({table.lon[i] * kDegree, table.lat[i] * kDegree}), radius))
                        for (int64_t p = range.begin; p < range.end; ++p) near.insert(p);
                QVERIFY(std::includes(pixels.begin(), pixels.end(), near.begin(), near.end()));
            }
    }

    void noSampleNoSky() {
        JobContext job;
        const SampleTable table = randomSamples(100, {1.0, 0.5}, kDegree, 3);
        std::vector<Vec3> cells{direction({1.0, 0.5}), {NAN, NAN, NAN}, direction({4.0, -0.5})};
        const std::vector<double> result =
            griddedValues(gridded(table, cells, {.fwhm = 0.5 * kDegree}));
        QVERIFY(std::isfinite(result[0]) && std::isnan(result[1]) && std::isnan(result[2]));
        QVERIFY(griddedValues(gridded(table, {}, {.fwhm = 0.5 * kDegree})).empty());
        const SampleTable none;
        QVERIFY(std::isnan(griddedValues(gridded(none, cells, {.fwhm = 0.5 * kDegree}))[0]));
        cells = {{NAN, NAN, NAN}};
        QVERIFY(std::isnan(griddedValues(gridded(table, cells, {.fwhm = 0.5 * kDegree}))[0]));
    }

    // Devices grid by squares of samples only if the squares have few cells in reach, with limits
    // derived at squaresSuit.
    void squares_data() {
        QTest::addColumn<qint64>("samples");
        QTest::addColumn<qint64>("squares");
        QTest::addColumn<qint64>("cellsInReach");
        QTest::addColumn<bool>("suit");
        const auto row = [](const char* name, qint64 samples, qint64 squares, qint64 cellsInReach,
                            bool suit) {
            QTest::newRow(name) << samples << squares << cellsInReach << suit;
        };
        row("enough samples", 32000, 1000, 27, true);
        row("too few samples", 31999, 1000, 27, false);
        row("cells that were faster", 10'000'000, 1000, 110, true);
        row("most cells", 10'000'000, 1000, 1024, true);
        row("too many cells", 10'000'000, 1000, 1025, false);
        row("a kernel as wide as the field", 10'000'000, 16, 4'000'000, false);
        row("a long table", 360'000'000, 1000, 1024, true);
    }
    void squares() {
        QFETCH(qint64, samples);
        QFETCH(qint64, squares);
        QFETCH(qint64, cellsInReach);
        QFETCH(bool, suit);
        QCOMPARE(squaresSuit(samples, squares, cellsInReach), suit);
    }

    // Squares are as wide as the radius, so a kernel as wide as the field has few squares, each
    // with thousands of its cells.
    void squaresOfWideKernels() {
        JobContext job;
        const std::vector<Vec3> cells = squareOfCells(200, {1.0, 0.5}, kDegree);
        const auto wide = fieldBins(cells, 2.0 * kDegree, job);
        QVERIFY(wide && wide->count() <= 16);
        const auto size = static_cast<int64_t>(cells.size());
        QVERIFY(!squaresSuit(10'000'000, wide->count(), size / wide->count()));
        const auto narrow = fieldBins(cells, 4.0 * kArcmin, job);
        QVERIFY(narrow && narrow->count() > 900);
        QVERIFY(squaresSuit(10'000'000, narrow->count(), size / narrow->count()));
        // Cells off the sky are in reach of no sample.
        std::vector<Vec3> blank(cells);
        blank.resize(10 * cells.size(), {NAN, NAN, NAN});
        QCOMPARE(fieldBins(blank, 4.0 * kArcmin, job)->cells, size);
    }

    void refusals() {
        JobContext job;
        SampleTable table = randomSamples(10, {1.0, 0.5}, kDegree, 3);
        const std::vector<Vec3> cells{direction({1.0, 0.5})};
        const auto message = [&](const GridKernel& kernel) {
            return QString::fromStdString(thrown([&] { gridded(table, cells, kernel); }));
        };
        QVERIFY(message({}).contains("width"));
        QVERIFY(message({.fwhm = -1.0}).contains("width"));
        QVERIFY(message({.kind = GridKernelKind::Nearest}).contains("radius"));
        QVERIFY(message({.fwhm = 0.1, .radius = 2.0}).contains("90"));
        QVERIFY(message({.kind = GridKernelKind::TaperedSinc}).contains("beam"));
        QVERIFY(message({.kind = GridKernelKind::BesselGauss, .beam = 0.01, .radius = 0.06})
                    .contains("beams"));
        QVERIFY(message({.kind = GridKernelKind::Gaussian2d, .fwhm = 0.01, .minorFwhm = 0.02})
                    .contains("minor"));
        table.lat[4] = 95.0;
        table.lat[7] = 95.0;
        QVERIFY(message({.fwhm = 0.01}).contains("95"));
        QVERIFY(message({.fwhm = 0.01}).contains("row 5"));
        table.lat[4] = table.lat[7] = 9.0;
        table.lon[2] = 1000.0;
        QVERIFY(message({.fwhm = 0.01}).contains("1000"));
        table.lon[2] = 10.0;
        table.weights.assign(10, 1.0);
        table.weights[9] = -2.0;
        QVERIFY(message({.fwhm = 0.01}).contains("weights"));
        table.weights.pop_back();
        QVERIFY(message({.fwhm = 0.01}).contains("weights"));
        table.weights.clear();
        table.values.pop_back();
        QVERIFY(message({.fwhm = 0.01}).contains("values"));
    }

    void cancelled() {
        const SampleTable table = randomSamples(1000, {1.0, 0.5}, kDegree, 3);
        std::stop_source stop;
        JobContext job(stop.get_token(), {}, 2);
        GridPlan plan(squareOfCells(9, {1.0, 0.5}, kDegree), {.fwhm = 0.01}, Device::cpu());
        plan.order(table.samples(), job);
        stop.request_stop();
        const GridValues values = table.column();
        QVERIFY_EXCEPTION_THROWN(plan.execute({&values, 1}, job), Cancelled);
    }
};

QTEST_GUILESS_MAIN(GridTest)
#include "tst_grid.moc"

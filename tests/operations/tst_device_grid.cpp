// SPDX-License-Identifier: GPL-3.0-or-later
// The operation `grid` on samples in device memory, up to the device: cells, columns and refusals.
#include <QTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/operations/device_grid.h"
#include "armilla/operations/operation.h"
#include "armilla/ops/device_grid.h"

using namespace armilla;

namespace {

Table columns(const std::vector<std::string>& names) {
    Table table;
    for (const std::string& name : names) {
        TableColumn column;
        column.name = name;
        column.values = std::vector<double>{0.0};
        table.columns.push_back(std::move(column));
    }
    return table;
}

using Words = std::vector<std::pair<const char*, const char*>>;

DeviceGridSetup setupOf(const Words& words, const Table& table) {
    ParameterSet set = findOperation("grid")->defaults();
    const std::vector<Parameter> rows = set.rows();
    for (const auto& [name, text] : words) {
        const Parameter* row = findParameter(rows, name);
        row->put(row->parse(text));
    }
    const Device device = Device::cpu();
    JobContext job;
    Context context{device, job, std::nullopt, {}, [](const std::string&) {}};
    return deviceGridSetup(set, table, context);
}

}  // namespace

class tst_device_grid : public QObject {
    Q_OBJECT

private slots:
    void columnsByName() {
        const Table table = columns({"T", "W", "DEC", "RA", "B"});
        const DeviceGridSetup setup = setupOf(
            {{"nside", "2"}, {"kernel-fwhm", "10deg"}, {"value", "B,T"}, {"weight", "W"}}, table);
        QCOMPARE(setup.lon, 3);
        QCOMPARE(setup.lat, 2);
        QCOMPARE(setup.weight, 1);
        QCOMPARE(setup.values, (std::vector<int>{4, 0}));
        QCOMPARE(setup.lonUnit, kDegree);
        QCOMPARE(setupOf({{"nside", "2"}, {"kernel-fwhm", "1deg"}, {"value", "T"}}, table).weight,
                 -1);
    }
    void allPixelsOfMap() {
        const DeviceGridSetup setup =
            setupOf({{"nside", "2"}, {"kernel-fwhm", "10deg"}, {"value", "T"}},
                    columns({"GLON", "GLAT", "T"}));
        QCOMPARE(setup.nside, int64_t{2});
        QCOMPARE(setup.cells.size(), size_t{48});
        // z = 1 - 1 / (3 nside^2) of the first ring, phi = 45 degrees (Gorski et al. 2005, eq. 2).
        const double z = 11.0 / 12.0, x = std::sqrt((1.0 - z * z) / 2.0);
        QVERIFY(std::abs(setup.cells[0].z - z) < 1e-15);
        QVERIFY(std::abs(setup.cells[0].x - x) < 1e-15);
        QVERIFY(std::abs(setup.cells[0].y - x) < 1e-15);
        QVERIFY(setup.frame == Frame::Galactic);
    }
    void imageInAnotherFrame() {
        const Words image{{"center", "0deg,0deg"},
                          {"size", "7x5"},
                          {"resolution", "1deg"},
                          {"kernel-fwhm", "2deg"},
                          {"frame", "G"}};
        Words ofT = image;
        ofT.emplace_back("value", "T");
        const DeviceGridSetup setup = setupOf(ofT, columns({"RA", "DEC", "T", "Q"}));
        QCOMPARE(setup.width, int64_t{7});
        QCOMPARE(setup.height, int64_t{5});
        QCOMPARE(setup.cells.size(), size_t{35});
        // The center of the Galaxy, l = b = 0, is at RA 266.405, Dec -28.936 degrees (J2000).
        const Vec3 center =
            setup.targetFromSamples * direction({266.40499 * kDegree, -28.93617 * kDegree});
        QVERIFY(center.x > 1.0 - 1e-10);
        const Vec3& middle = setup.cells[17];
        QVERIFY(middle.x > 1.0 - 1e-10);
        Words ofQ = image;
        ofQ.emplace_back("value", "Q");
        QVERIFY_EXCEPTION_THROWN(setupOf(ofQ, columns({"RA", "DEC", "T", "Q"})), Unsupported);
        setupOf(ofQ, columns({"GLON", "GLAT", "T", "Q"}));  // needs no rotation
    }
    void refusals() {
        const Table table = columns({"GLON", "GLAT", "T", "W"});
        for (const auto& [name, text] : Words{
                 {"where", "T > 0"}, {"flag", "W"}, {"ordering", "nested"}, {"specsys", "lsrk"}}) {
            const Words words{
                {"nside", "2"}, {"kernel-fwhm", "10deg"}, {"value", "T"}, {name, text}};
            QVERIFY_EXCEPTION_THROWN(setupOf(words, table), Unsupported);
        }
        const Words absent{{"nside", "2"}, {"kernel-fwhm", "10deg"}, {"value", "X"}};
        QVERIFY_EXCEPTION_THROWN(setupOf(absent, table), InvalidArgument);
        GridKernel kernel;
        kernel.fwhm = 0.1;
        QVERIFY_EXCEPTION_THROWN(DeviceGridPlan({Vec3{0.0, 0.0, 1.0}}, kernel, Device::cpu()),
                                 Unsupported);
    }
};

QTEST_APPLESS_MAIN(tst_device_grid)
#include "tst_device_grid.moc"

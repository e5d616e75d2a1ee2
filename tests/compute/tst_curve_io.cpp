// SPDX-License-Identifier: GPL-3.0-or-later
// Curves through every format and back.
#include <QtTest>
#include <cmath>
#include <limits>

#include "armilla/io/curve_io.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "compute/file_folder.h"

using namespace armilla;
using namespace armilla::testing;

class tst_curve_io : public QObject {
    Q_OBJECT
    FileFolder folder_;
    std::string path(const char* name) const { return folder_.path(name); }
    JobContext job_;

    static Curve correlation() {
        Curve curve;
        curve.kind = CurveKind::Correlation;
        curve.xName = "THETA";
        curve.xUnit = "deg";
        curve.x = {0.1, 0.30000000000000004, 1.0};
        curve.xLow = {0.05, 0.2, 0.5};
        curve.xHigh = {0.2, 0.5, 2.0};
        curve.series = {{"W", "", {1e-3, -2.5, 1.0 / 3.0}, {0.1, 0.2, 0.3}},
                        {"DD", "", {1, 2, 3}, {}}};
        curve.covariance = {1, 2, 3, 2, 5, 6, 3, 6, 9};
        curve.history = {"made by a test"};
        return curve;
    }

private slots:
    void roundTrips_data();
    void roundTrips();
    void plainOnesAreFound_data();
    void plainOnesAreFound();
    void positionsAreNoCurve();
    void textWithoutNames();
    void unsortedRows();
    void fractionalMultipoles();
    void refusals();
    void valuesBeyondSingle();
};

void tst_curve_io::roundTrips_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"w.fits", "w.ecsv", "w.vot", "w.csv", "w.txt"})
        QTest::newRow(name) << name;
}

void tst_curve_io::roundTrips() {
    QFETCH(QString, name);
    const Curve before = correlation();
    writeCurve(before, path(name.toLatin1()), {}, job_);
    const Curve after = readCurve(path(name.toLatin1()), job_);
    QCOMPARE(after.kind, CurveKind::Correlation);
    QCOMPARE(after.xName, before.xName);
    QCOMPARE(after.x, before.x);
    QCOMPARE(after.xLow, before.xLow);
    QCOMPARE(after.xHigh, before.xHigh);
    QCOMPARE(after.series.size(), size_t{2});
    QCOMPARE(after.series[0].name, std::string("W"));
    QCOMPARE(after.series[0].values, before.series[0].values);
    QCOMPARE(after.series[0].errors, before.series[0].errors);
    QCOMPARE(after.series[1].values, before.series[1].values);
    QVERIFY(after.series[1].errors.empty());
    if (!name.endsWith(".csv")) QCOMPARE(after.xUnit, before.xUnit);
    // Only FITS can hold the covariance; for other formats a line reports the omission.
    QCOMPARE(leftOutOf(before, path(name.toLatin1())).empty(), name.endsWith(".fits"));
    QCOMPARE(after.covariance, name.endsWith(".fits") ? before.covariance : std::vector<double>());
}

void tst_curve_io::plainOnesAreFound_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("errors");
    for (const char* name : {"p.fits", "p.ecsv", "p.vot", "p.csv", "p.txt"})
        for (const bool errors : {false, true})
            QTest::addRow("%s%s", name, errors ? " with errors" : "") << name << errors;
}

// Column names without information about the content.
void tst_curve_io::plainOnesAreFound() {
    QFETCH(QString, name);
    QFETCH(bool, errors);
    Curve before;
    before.xName = "TIME";
    before.x = {0.5, 1.5, 4.0};
    before.series = {{"RATE", "", {3.0, -1.0, 2.5}, {}}};
    if (errors) before.series[0].errors = {0.1, 0.2, 0.3};
    TableWriteOptions options;
    options.overwrite = true;
    writeCurve(before, path(name.toLatin1()), options, job_);
    const auto found = findCurve(path(name.toLatin1()), job_);
    QVERIFY(found.has_value());
    QCOMPARE(found->kind, CurveKind::Plain);
    QCOMPARE(found->x, before.x);
    QCOMPARE(found->series.size(), size_t{1});
    QCOMPARE(found->series[0].values, before.series[0].values);
    QCOMPARE(found->series[0].errors, before.series[0].errors);
}

void tst_curve_io::positionsAreNoCurve() {
    for (const char* text : {"a,b\n3,1\n1,2\n2,3\n", "a,b,c\n1,1,1\n2,2,2\n", "a,b\n1,u\n2,v\n"}) {
        writeBytes(path("other.csv"), text);
        QVERIFY(!findCurve(path("other.csv"), job_).has_value());
    }
}

void tst_curve_io::textWithoutNames() {
    writeBytes(path("plain.txt"), "0 1 10\n1 2 20\n");
    const Curve curve = readCurve(path("plain.txt"), job_);
    QCOMPARE(curve.x, (std::vector<double>{0, 1}));
    QCOMPARE(curve.series.size(), size_t{2});
    QCOMPARE(curve.series[1].values, (std::vector<double>{10, 20}));
}

void tst_curve_io::unsortedRows() {
    writeBytes(path("unsorted.csv"), "RADIUS,V\n3,30\n1,10\n,5\n2,20\n");
    const Curve curve = readCurve(path("unsorted.csv"), job_);
    QCOMPARE(curve.kind, CurveKind::Profile);
    QCOMPARE(curve.x, (std::vector<double>{1, 2, 3}));
    QCOMPARE(curve.series[0].values, (std::vector<double>{10, 20, 30}));
}

// A column of l with fractions belongs to a curve; with whole numbers, to a spectrum.
void tst_curve_io::fractionalMultipoles() {
    Table table;
    for (const char* name : {"L", "TT"}) {
        table.columns.emplace_back();
        table.columns.back().name = name;
        table.columns.back().values = std::vector<double>{2.0, 7.5, 12.0};
    }
    TableWriteOptions options;
    options.overwrite = true;
    writeTable(table, path("l.fits"), options, job_);
    QVERIFY_THROWS_EXCEPTION(IoError, inspectFile(path("l.fits")));
    const auto found = findCurve(path("l.fits"), job_);
    QVERIFY(found.has_value());
    QCOMPARE(found->kind, CurveKind::Spectrum);
    QCOMPARE(found->x, (std::vector<double>{2.0, 7.5, 12.0}));
    table.columns[0].values = std::vector<double>{2.0, 3.0, 4.0};
    writeTable(table, path("l.fits"), options, job_);
    QCOMPARE(inspectFile(path("l.fits")).kind, FileKind::Spectrum);
}

void tst_curve_io::refusals() {
    QVERIFY_THROWS_EXCEPTION(IoError, writeCurve(correlation(), path("w.png"), {}, job_));
    Curve wrong = correlation();
    wrong.covariance.pop_back();
    QVERIFY_THROWS_EXCEPTION(InvalidArgument, writeCurve(wrong, path("wrong.fits"), {}, job_));
    QVERIFY(!QFile::exists(QString::fromStdString(path("wrong.fits"))));
    writeBytes(path("names.csv"), "a,b\nx,y\n");
    QVERIFY_THROWS_EXCEPTION(IoError, readCurve(path("names.csv"), job_));
}

// These values would be read as infinite. Values that are infinite before the conversion are
// written.
void tst_curve_io::valuesBeyondSingle() {
    constexpr double kMost = std::numeric_limits<float>::max();
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    for (const char* name : {"far.fits", "far.ecsv", "far.vot", "far.csv", "far.txt"}) {
        Curve curve = correlation();
        curve.series[0].values = {-1e39, -kMost, kInfinite};
        const std::string line =
            refusal([&] { writeCurve(curve, path(name), {}, job_, StoredPrecision::Single); });
        QCOMPARE(line, std::string("expected a curve within single precision, found larger values "
                                   "of W in row 1"));
        QVERIFY(!QFile::exists(QString::fromStdString(path(name))));
        curve.series[0].values[0] = kMost;
        writeCurve(curve, path(name), {}, job_, StoredPrecision::Single);
        const std::vector<double> back = readCurve(path(name), job_).series[0].values;
        // Text has enough digits to restore a float, not those of the equivalent double.
        for (size_t row = 0; row < 2; ++row)
            QVERIFY2(
                static_cast<float>(back[row]) == static_cast<float>(curve.series[0].values[row]),
                name);
        QVERIFY2(!std::isfinite(back[2]), name);
    }
}

QTEST_GUILESS_MAIN(tst_curve_io)
#include "tst_curve_io.moc"

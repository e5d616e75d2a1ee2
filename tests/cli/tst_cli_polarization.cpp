// SPDX-License-Identifier: GPL-3.0-or-later
// Polarization line segments and line integral convolution in `armilla render`.
#include <QImage>
#include <QtTest>
#include <cmath>

#include "cli_fixture.h"

using namespace armilla;
using namespace armilla::test;

class CliPolarizationTest : public QObject {
    Q_OBJECT
    CliFixture cli_;
    QImage rendered(const QString& options, const QString& map = "{tqu.fits}") {
        const Outcome outcome =
            cli_.run("render " + map + " {f.png} --overwrite --size 500x340 " + options);
        if (outcome.status != 0) qWarning() << outcome.error;
        return outcome.status == 0 ? QImage(cli_.path("f.png")) : QImage();
    }
private slots:
    void initTestCase() {
        cli_.writeSky("tqu.fits", 32, Ordering::Ring, 3);
        cli_.writeSky("t.fits", 16, Ordering::Ring, 1);
    }
    void rodsLieOverThePicture() {
        const QImage plain = rendered({}), rods = rendered("--rods 15deg");
        QVERIFY(!plain.isNull() && plain.size() == rods.size());
        QVERIFY(plain != rods);
        QVERIFY(rods != rendered("--rods 15deg --polconv iau"));
        QCOMPARE(rods, rendered("--rods 15deg --polconv cosmo"));
        // No amplitude is that large, so only the scale bar remains.
        const QImage none = rendered("--rods 15deg --rods-least 1e30");
        int sky = 0;
        for (int y = 0; y < 240; ++y)
            for (int x = 0; x < plain.width(); ++x) sky += plain.pixel(x, y) != none.pixel(x, y);
        QCOMPARE(sky, 0);
    }
    void rodsAreAsLongAsAnyMap() {
        const QImage rods = rendered("--rods 15deg");
        const QImage other = rendered("--rods 15deg --rods-length {t.fits}");
        QVERIFY(!other.isNull());
        QVERIFY(rods != other);
        QCOMPARE(other, rendered("--rods 15deg --rods-length {t.fits} --rods-length-field 1"));
        QVERIFY(other != rendered("--rods 15deg --rods-length {tqu.fits} --rods-length-field 2"));
    }
    void licTakesLightOnly() {
        const QImage plain = rendered("--background dark");
        const QImage cloth = rendered("--background dark --drapery");
        QVERIFY(plain != cloth);
        double before = 0.0, after = 0.0;
        for (int y = 0; y < 240; ++y)
            for (int x = 0; x < plain.width(); ++x) {
                before += qGray(plain.pixel(x, y));
                after += qGray(cloth.pixel(x, y));
                // The picture is drawn at twice the resolution and downsampled together with the
                // pixels beside the sky.
                QVERIFY(qGray(cloth.pixel(x, y)) <= qGray(plain.pixel(x, y)) + 2);
            }
        // 0.3 + 0.7 v with a mean of v of 1/2.
        QVERIFY2(after / before > 0.55 && after / before < 0.8,
                 qPrintable(QString::number(after / before)));
        QCOMPARE(cloth, rendered("--background dark --drapery --threads 1"));
    }
    // In memory U has the COSMO sign; info reports the content of the file.
    void infoTellsUAsTheFileHasIt() {
        const auto field = [](const char* name, double first) {
            std::vector<double> values(12, 1.0);
            values[0] = first;
            return Field{name, "K", DiskType::Float64, std::move(values)};
        };
        HealpixMap map(1, Ordering::Ring, Frame::Galactic, {field("Q", 5.0), field("U", 5.0)});
        cli_.write("cosmo.fits", map);
        map.metadata().iauOnDisk = true;
        cli_.write("iau.fits", map);  // with the other sign
        const auto figure = [&](const char* file, int of, const char* what) {
            const QJsonObject info = cli_.run(QString("info {%1} --json").arg(file)).json();
            return info["fields"].toArray()[of].toObject()[what].toDouble();
        };
        for (const char* file : {"cosmo.fits", "iau.fits"}) QCOMPARE(figure(file, 0, "max"), 5.0);
        QCOMPARE(figure("cosmo.fits", 1, "max"), 5.0);
        QCOMPARE(figure("cosmo.fits", 1, "min"), 1.0);
        QCOMPARE(figure("iau.fits", 1, "max"), -1.0);
        QCOMPARE(figure("iau.fits", 1, "min"), -5.0);
        // The mean of 12 small integers needs one division, which rounds by one unit in the last
        // place (2.2e-16) at most.
        QVERIFY(std::abs(figure("iau.fits", 1, "mean") + 4.0 / 3.0) < 1e-15);
        QCOMPARE(cli_.run("info {iau.fits} --json").json()["polcconv"].toString(), QString("IAU"));
        QVERIFY(!cli_.run("info {cosmo.fits} --json").json().contains("polcconv"));
        QVERIFY(QString(cli_.run("info {iau.fits}").out).contains("IAU convention"));
    }
    void vectorsHaveRodsAsLines() {
        const Outcome outcome =
            cli_.run("render {tqu.fits} {f.svg} --overwrite --size 500x340 --rods 15deg");
        QCOMPARE(outcome.status, 0);
        QVERIFY(cli_.content("f.svg").contains("<path"));
    }
    void whatCannotBeIsSaid_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no Q and U")
            << "{t.fits} {g.png} --rods 5deg" << 1 << QByteArray("expected fields Q and U");
        QTest::newRow("noise") << "{tqu.fits} {g.png} --rods 5deg --rods-snr 3" << 2
                               << QByteArray("--rods-snr: expected --rods-noise");
        QTest::newRow("no rods") << "{tqu.fits} {g.png} --rods-least 3" << 2
                                 << QByteArray("expected --rods ANGLE");
        QTest::newRow("length") << "{tqu.fits} {g.png} --rods-length {t.fits}" << 2
                                << QByteArray("--rods-length: expected --rods ANGLE");
        QTest::newRow("its field")
            << "{tqu.fits} {g.png} --rods 5deg --rods-length {t.fits} --rods-length-field Z" << 1
            << QByteArray("t.fits: ");
        QTest::newRow("convention") << "{tqu.fits} {g.png} --polconv iau" << 2
                                    << QByteArray("--polconv: expected --rods or --drapery");
    }
    void whatCannotBeIsSaid() {
        QFETCH(QString, line);
        QFETCH(int, status);
        QFETCH(QByteArray, says);
        const Outcome outcome = cli_.run("render " + line);
        QCOMPARE(outcome.status, status);
        QVERIFY2(outcome.error.contains(says), outcome.error.constData());
        QVERIFY(!QFile::exists(cli_.path("g.png")));
    }
};

QTEST_GUILESS_MAIN(CliPolarizationTest)
#include "tst_cli_polarization.moc"

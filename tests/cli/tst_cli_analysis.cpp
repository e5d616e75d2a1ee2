// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands say of an analysis, and how they refuse one.
#include <QElapsedTimer>
#include <QTest>

#include "cli/cli_fixture.h"
#include "support/direct_sht.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_analysis : public QObject {
    Q_OBJECT

    static bool says(const Outcome& outcome, const QByteArray& text) {
        if (!outcome.error.contains(text)) qWarning("found: %s", outcome.error.constData());
        return outcome.error.contains(text);
    }

private slots:
    void initTestCase() {
        qputenv("XDG_CACHE_HOME", cli_.path("cache").toLocal8Bit());
        for (const int nside : {8, 64}) {
            Field field{"TEMPERATURE", "K", DiskType::Float64, whiteMap(nside, 21)};
            cli_.write(QStringLiteral("white%1.fits").arg(nside),
                       HealpixMap(nside, Ordering::Ring, Frame::Galactic, {std::move(field)}));
        }
    }

    void theWayIsSaid_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("way");
        QTest::newRow("default") << "map2alm {white8.fits} {out}"
                                 << "map2alm: no weights, 0 iterations\n";
        QTest::newRow("ring") << "map2alm {white8.fits} {out} --weights ring --iterations 1"
                              << "map2alm: ring weights, 1 iteration\n";
        QTest::newRow("anafast") << "anafast {white8.fits} {out} --iterations 3"
                                 << "anafast: no weights, 3 iterations\n";
        QTest::newRow("smooth") << "smooth {white8.fits} {out} --fwhm 20deg"
                                << "smooth: ring weights, 0 iterations\n";
    }
    void theWayIsSaid() {
        QFETCH(QString, line);
        QFETCH(QString, way);
        const Outcome outcome = cli_.run(line + " --overwrite");
        QCOMPARE(outcome.status, 0);
        QVERIFY(says(outcome, way.toUtf8()));
    }
    void theResidualIsSaid() {
        const QString line = "map2alm {white8.fits} {out} --lmax 16 --tolerance 1e-9 --overwrite";
        QVERIFY(says(cli_.run(line), "no weights, tolerance 1e-09: residual "));
        const QJsonObject json = cli_.run(line + " --json").json();
        QVERIFY(json["residual"].toDouble() > 0.0 && json["residual"].toDouble() <= 1e-9);
        QVERIFY(json["steps"].toInt() > 1 && json["steps"].toInt() < 50);
    }
    void noConvergenceIsOneLine() {
        for (const char* way : {"--tolerance 1e-9", "--lmax 256 --iterations 100"}) {
            const Outcome outcome =
                cli_.run(QStringLiteral("map2alm {white64.fits} {refused} ") + way);
            QCOMPARE(outcome.status, 1);
            QCOMPARE(outcome.error.count('\n'), 1);
            QVERIFY(says(outcome, "expected") && says(outcome, "lmax = "));
            QVERIFY(!QFile::exists(cli_.path("refused")));
        }
    }
    void usage_data() {
        QTest::addColumn<QString>("line");
        QTest::newRow("mmax, default lmax") << "map2alm {white64.fits} {o} --mmax 192";
        QTest::newRow("mmax, lmax") << "map2alm {white64.fits} {o} --mmax 192 --lmax 191";
        QTest::newRow("tolerance") << "map2alm {white64.fits} {o} --tolerance 1e-300";
        QTest::newRow("one file") << "anafast {o}";
        QTest::newRow("four files") << "anafast {white8.fits} {white8.fits} {white8.fits} {o}";
    }
    void usage() {
        QFETCH(QString, line);
        const Outcome outcome = cli_.run(line);
        QCOMPARE(outcome.status, 2);
        QCOMPARE(outcome.error.count('\n'), 1);
        QVERIFY(!outcome.error.contains("0.000"));
    }
    void helpCountsNoFiles() {
        QVERIFY(!cli_.run("help anafast").out.contains("2x"));
        QVERIFY(!cli_.run("help anafast").out.contains("x 2"));
    }
    void pixelWeightsTellWhereTheyAre() {
        const QString line = "map2alm {white8.fits} {out} --weights pixel --overwrite";
        const QByteArray path = cli_.path("cache/armilla/pixel_weights_8.bin").toUtf8();
        QVERIFY(says(cli_.run(line), "pixel weights computed once, kept in " + path));
        QVERIFY(says(cli_.run(line), "pixel weights kept in " + path));
    }
    void tuningThatCannotBeKeptIsPrinted() {
        const Outcome outcome = cli_.shell(
            "env -u HOME -u XDG_CACHE_HOME $A bench --tune --device cpu --nside 8 "
            "--repeat 1");
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.contains("tune.map2alm"));
        QVERIFY(says(outcome, "not kept: expected a folder"));
    }
    // Stacks of 300 threads take 2.5 GB.
    void threadsThatDoNotStart() {
        const Outcome outcome = cli_.shell(
            "ulimit -v 2048000; exec $A map2alm white64.fits few --device cpu --threads 300");
        QVERIFY2(outcome.status == 0, outcome.error.constData());
        QCOMPARE(cli_.run("map2alm {white64.fits} {many} --device cpu").status, 0);
    }
    void memoryIsAskedFirst() {
        QCOMPARE(cli_.run("map2alm {white8.fits} {small} --overwrite").status, 0);
        QElapsedTimer timer;
        timer.start();
        const Outcome outcome =
            cli_.shell("ulimit -v 20000000; exec $A alm2map small large --nside 32768");
        QCOMPARE(outcome.status, 1);
        QVERIFY(says(outcome, "a map of nside 32768: expected data that fit"));
        QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
    }

private:
    CliFixture cli_;
};

QTEST_GUILESS_MAIN(tst_cli_analysis)
#include "tst_cli_analysis.moc"

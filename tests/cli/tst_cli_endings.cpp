// SPDX-License-Identifier: GPL-3.0-or-later
// Interrupted commands: the output name holds either the old file or the new one.
#include <signal.h>

#include <QJsonArray>
#include <QTest>

#include "cli/cli_fixture.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// True once the process has blocked signals for its waiting thread. Earlier, while the loader runs,
// signals end the process as any other.
bool waitsForSignals(qint64 process) {
    return QTest::qWaitFor(
        [process] {
            QFile status(QStringLiteral("/proc/%1/status").arg(process));
            if (!status.open(QIODevice::ReadOnly)) return false;
            const QList<QByteArray> lines = status.readAll().split('\n');
            for (const QByteArray& line : lines)
                if (line.startsWith("SigBlk:"))
                    return (line.mid(7).trimmed().toULongLong(nullptr, 16) &
                            (1ULL << (SIGINT - 1))) != 0;
            return false;
        },
        kPatience);
}

}  // namespace

class tst_cli_endings : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        cli_.writeSky("map.fits", 512, Ordering::Ring, 1, false, DiskType::Float32);
        cli_.writeSky("small.fits", 64, Ordering::Nested);
    }
    void init() {
        QFile::remove(cli_.path("out.fits"));
        cli_.write("old.fits", QByteArray("old"));
    }

    void signalsFromOutside_data() {
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("delay");
        for (const int delay : {150, 600}) {
            QTest::addRow("SIGINT after %d ms", delay) << SIGINT << delay;
            QTest::addRow("SIGTERM after %d ms", delay) << SIGTERM << delay;
            QTest::addRow("SIGKILL after %d ms", delay) << SIGKILL << delay;
        }
    }
    // A hundred iterations at nside 512 take minutes: the signal always comes first.
    void signalsFromOutside() {
        QFETCH(int, number);
        QFETCH(int, delay);
        QProcess process;
        process.start(ARMILLA_BINARY, cli_.words("smooth {map.fits} {old.fits} --fwhm 1deg "
                                                 "--iterations 100 --overwrite"));
        QVERIFY(process.waitForStarted(kPatience));
        QVERIFY(waitsForSignals(process.processId()));
        QTest::qSleep(delay);
        QCOMPARE(kill(static_cast<pid_t>(process.processId()), number), 0);
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(cli_.content("old.fits"), QByteArray("old"));
        if (number == SIGKILL) {
            QCOMPARE(process.exitStatus(), QProcess::CrashExit);
            return;
        }
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(process.readAllStandardError().count('\n'), 1);
        QVERIFY(cli_.leftovers().isEmpty());
    }

    // Rows are printed as measured, for sht from nside 256 on; the following rows take minutes.
    void benchmarksStoppedBetween() {
        QProcess process;
        process.start(ARMILLA_BINARY, {"bench", "sht", "--device", "cpu"});
        QVERIFY(process.waitForStarted(kPatience));
        QByteArray out;
        while (!out.contains("sht.map2alm") || !out.endsWith('\n')) {
            QVERIFY(process.waitForReadyRead(kPatience));
            out += process.readAllStandardOutput();
        }
        QVERIFY(process.state() == QProcess::Running);
        QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(process.exitCode(), 130);
        const QByteArray first = out.split('\n')[1];
        QVERIFY2(first.startsWith("sht.alm2map") && first.contains(" 256 "), first.constData());
        QVERIFY(process.readAllStandardError().endsWith("armilla bench: interrupted\n"));
    }
    // With --json the rows are printed at the end, so the time of the first row is unknown.
    void benchmarksStoppedBetweenAsJson() {
        QJsonArray rows;
        for (int delay = 4000; delay < kPatience && rows.isEmpty(); delay *= 2) {
            QProcess process;
            process.start(ARMILLA_BINARY, cli_.words("bench sht --device cpu --nside 8,1024 "
                                                     "--repeat 100 --json"));
            QVERIFY(process.waitForStarted(kPatience));
            QTest::qSleep(delay);
            QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGTERM), 0);
            QVERIFY(process.waitForFinished(kPatience));
            QCOMPARE(process.exitCode(), 130);
            const QJsonDocument document = QJsonDocument::fromJson(process.readAllStandardOutput());
            QVERIFY(document.isArray());
            rows = document.array();
        }
        QCOMPARE(rows[0].toObject()["name"].toString(), "sht.alm2map");
        QCOMPARE(rows[0].toObject()["nside"].toInt(), 8);
    }

    void ignoredInterruptCounts() {
        // Shells start background commands of scripts with SIGINT ignored.
        const Outcome outcome = cli_.shell(
            "$A smooth map.fits out.fits --fwhm 1deg --iterations 100 & "
            "until grep -q '^SigBlk:.*[2367abef]$' /proc/$!/status; do sleep 0.05; done; "
            "sleep 0.4; kill -INT $!; wait $!");
        QCOMPARE(outcome.status, 130);
        QVERIFY(!QFile::exists(cli_.path("out.fits")));
    }

    void fullDisk_data() {
        QTest::addColumn<QString>("command");
        QTest::newRow("smooth") << "smooth small.fits old.fits --fwhm 2deg";
        QTest::newRow("convert") << "convert small.fits old.fits --ordering ring";
        QTest::newRow("map2alm") << "map2alm small.fits old.fits";
        QTest::newRow("project") << "project small.fits old.fits";
        QTest::newRow("HealSparse") << "convert small.fits old.hdf5 --nside 256";
    }
    // 100 blocks of 1024 bytes are less than any of these results.
    void fullDisk() {
        QFETCH(QString, command);
        const QString old = command.section(' ', 2, 2);
        cli_.write(old, QByteArray("old"));
        const Outcome outcome = cli_.shell("ulimit -f 100; exec $A " + command + " --overwrite");
        QCOMPARE(outcome.status, 1);
        QCOMPARE(outcome.error.count('\n'), 1);
        QVERIFY2(outcome.error.contains(QString(old + ": ").toUtf8()), outcome.error.constData());
        QCOMPARE(cli_.content(old), QByteArray("old"));
        QVERIFY(cli_.leftovers().isEmpty());
    }

    void standardOutputThatFails_data() {
        QTest::addColumn<QString>("script");
        QTest::newRow("full") << "$A info small.fits > /dev/full";
        QTest::newRow("full, json") << "$A info small.fits --json > /dev/full";
        QTest::newRow("help") << "$A help > /dev/full";
        QTest::newRow("closed") << "$A info small.fits >&-";
    }
    void standardOutputThatFails() {
        QFETCH(QString, script);
        const Outcome outcome = cli_.shell(script);
        QCOMPARE(outcome.status, 1);
        QCOMPARE(outcome.error.count('\n'), 1);
        QVERIFY(outcome.error.contains("standard output"));
    }

    void overwriteKeepsLinks() {
        cli_.write("real.fits", QByteArray("old"));
        QVERIFY(QFile::link("real.fits", cli_.path("link.fits")));
        const Outcome outcome = cli_.run("convert {small.fits} {link.fits} --overwrite");
        QVERIFY2(outcome.status == 0, outcome.error.constData());
        QVERIFY(QFileInfo(cli_.path("link.fits")).isSymLink());
        QCOMPARE(cli_.read("real.fits").nside(), 64);
    }

    void inputMayBeTheOutput() {
        cli_.writeSky("self.fits", 16, Ordering::Ring);
        const std::vector<double> before = valuesOf(cli_.read("self.fits"), 0);
        QCOMPARE(cli_.run("convert {self.fits} {self.fits} --overwrite").status, 0);
        QCOMPARE(valuesOf(cli_.read("self.fits"), 0), before);
    }

private:
    CliFixture cli_;
};

QTEST_APPLESS_MAIN(tst_cli_endings)
#include "tst_cli_endings.moc"

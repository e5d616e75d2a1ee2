// SPDX-License-Identifier: GPL-3.0-or-later
// Commands over the ranks of a real launcher: files as from one process, and joint endings.
#include <signal.h>

#include <QJsonArray>
#include <QStandardPaths>
#include <QTest>
#include <thread>

#include "armilla/io/harmonic_io.h"
#include "cli/cli_fixture.h"
#include "cli/rank_processes.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// Open MPI needs options to run as root and with more processes than cores; MPICH does not accept
// these. Open MPI 5 takes the latter from PRRTE.
const QString kLauncher = QStringLiteral(
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 SOURCE_DATE_EPOCH=0 "
    "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none "
    "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe "
    "PRTE_MCA_hwloc_default_binding_policy=none "
    "OMPI_MCA_btl=vader,self OMPI_MCA_btl_vader_single_copy_mechanism=none "
    "exec mpirun -n %1 ");

QByteArrayList linesOfArmilla(const QByteArray& text) {
    QByteArrayList lines;
    for (const QByteArray& line : text.split('\n'))
        if (line.startsWith("armilla")) lines.append(line);
    return lines;
}

}  // namespace

class tst_cli_ranks : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void sameFiles_data();
    void sameFiles();
    void oneLineOfAFailure_data();
    void oneLineOfAFailure();
    void figures_data();
    void figures();
    void memoryOfAShare_data();
    void memoryOfAShare();
    void benchmark();
    void endTogether_data();
    void endTogether();
    void goesOnAfterStops_data();
    void goesOnAfterStops();
    void killedWhileWriting_data();
    void killedWhileWriting();
    void killedByLauncher_data();
    void killedByLauncher();
    void fullDisk();
    void commandsOfTheirOwn();
    void withoutModule();
    void tasksWithoutMpi();
    void mpiThatDoesNotStart();
    void threadsOfBoundRanks();

private:
    void clear(const QString& folder) const {
        cli_.shell("rm -rf " + folder + " && mkdir " + folder);
    }
    // Ranks once the temporary file in "work" has grown; none if that does not happen.
    QList<qint64> writingRanks(QProcess& launcher, int count) const {
        const QDir folder(cli_.path("work"));
        if (!launcher.waitForStarted(kPatience)) return {};
        while (launcher.state() == QProcess::Running) {
            const QList<qint64> ranks = childrenOf(launcher.processId());
            for (const QFileInfo& file : folder.entryInfoList(QDir::Files | QDir::Hidden))
                if (file.size() > 10'000'000 && ranks.size() == count) return ranks;
            QTest::qSleep(1);
        }
        return {};
    }
    QList<qint64> ranksThatWrite(QProcess& process, const QString& out);
    CliFixture cli_;
};

void tst_cli_ranks::initTestCase() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("MPI's library itself leaks, which ends each rank with a report");
#endif
    if (QStandardPaths::findExecutable("mpirun").isEmpty())
        QSKIP("no mpirun here (openmpi-bin has it)");
    if (!QFile::exists(QFileInfo(ARMILLA_BINARY).path() + "/armilla-mpi.so"))
        QSKIP("built without MPI");
    QByteArray cl = "# C_l\n# L TT EE BB TE\n";
    for (int l = 0; l <= 96; ++l) {
        const double c = l < 2 ? 0.0 : 1.0 / (l * (l + 1.0));
        cl += QString("%1 %2 %3 %4 %5\n")
                  .arg(l)
                  .arg(c)
                  .arg(0.1 * c)
                  .arg(0.01 * c)
                  .arg(0.05 * c)
                  .toUtf8();
    }
    cli_.write("cl.txt", cl);
    cli_.writeSky("bad.fits", 16, Ordering::Ring, 3, true);
    const Outcome made = cli_.shell(
        "set -e; $A synfast cl.txt map.fits --nside 32 --lmax 95 --device cpu;"
        "$A convert map.fits nested.fits --ordering nested;"
        "$A convert map.fits packed.fits.gz;"
        "$A convert bad.fits part.fits --sparse;"
        "$A map2alm map.fits teb.fits --polarization --device cpu;"
        "$A map2alm map.fits few.fits --lmax 60 --mmax 20 --device cpu;"
        "gzip -nc teb.fits > teb.fits.gz;"
        "$A synfast cl.txt long.fits --nside 512 --device cpu");
    QVERIFY2(made.status == 0, made.error);
}

void tst_cli_ranks::sameFiles_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("out");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<bool>("shared");
    const auto add = [](const QString& line, std::initializer_list<int> counts,
                        bool shared = true) {
        const QString out = line.section(' ', 2).split(' ').filter("out").value(0);
        for (const int ranks : counts)
            QTest::addRow("%d: %s", ranks, qPrintable(line)) << line << out << ranks << shared;
    };
    add("synfast ../cl.txt out.fits --nside 32 --lmax 95", {1, 2, 3, 4, 5, 7, 8});
    add("synfast ../cl.txt out.fits --nside 33 --fwhm 30arcmin --seed 5 --precision single --frame "
        "C",
        {3});
    add("synfast ../cl.txt out.fits.gz --nside 2", {8});
    add("alm2map ../teb.fits out.fits --nside 32", {5});
    add("alm2map ../teb.fits out.fits --nside 32 --field E --fwhm 1deg --pixel-window", {3});
    add("alm2map ../few.fits out.fits --nside 32 --derivatives", {7});
    add("alm2map ../teb.fits.gz out.fits --nside 7 --precision single", {2});
    add("alm2map ../teb.fits out.fits --nside 16 --qu", {2}, false);
    add("alm2map ../few.fits out.fits --nside 32 --derivatives 2", {2}, false);
    add("map2alm ../map.fits out.fits --spin 2", {3}, false);
    add("anafast ../teb.fits out.fits", {2}, false);
    add("anafast ../map.fits ../teb.fits out.fits --polarization", {3}, false);
    add("map2alm ../map.fits out.fits", {3});
    add("map2alm ../map.fits out.fits --polarization --iterations 2 --weights ring --lmax 64", {7});
    add("map2alm ../nested.fits out.fits --polarization --mmax 20", {5});
    add("map2alm ../packed.fits.gz out.fits --polarization --precision single", {2});
    add("map2alm ../bad.fits out.fits.gz --polarization --iterations 1", {4});
    add("map2alm ../part.fits out.fits --field 2", {3});
    add("map2alm ../map.fits out.fits --weights pixel", {3});
    add("smooth ../map.fits out.fits --fwhm 2deg --weights pixel", {5});
    add("map2alm ../map.fits out.fits --tolerance 1e-6", {3});
    add("map2alm ../nested.fits out.fits --polarization --lmax 48 --tolerance 1e-4", {5});
    add("anafast ../map.fits out.txt --lmax 64 --tolerance 1e-6", {2});
    add("anafast ../map.fits out.fits --polarization", {3, 8});
    add("anafast ../map.fits ../nested.fits out.txt --polarization --lmax 60", {5});
    add("anafast ../map.fits ../bad.fits out.csv --lmax 40 --input-frame G", {7});
    add("anafast ../map.fits out.txt --polarization --lmax 40 --dl", {3});
    add("smooth ../map.fits out.fits --fwhm 2deg", {3, 8});
    add("smooth ../nested.fits out.fits --fwhm 2deg --polarization --precision single", {7});
    add("smooth ../bad.fits out.fits --fwhm 6deg --polarization", {5});
    add("smooth ../bad.fits out.fits --fwhm 6deg --field all", {3});
    add("smooth ../bad.fits out.fits --fwhm 6deg --masked ignore --iterations 1 --weights none",
        {2});
    add("smooth ../packed.fits.gz out.fits.gz --fwhm 5deg --lmax 60", {4});
    add("smooth ../part.fits out.fits --fwhm 2deg", {3}, false);
    add("smooth ../map.fits out.fits --fwhm 6deg --method direct", {3}, false);
}

void tst_cli_ranks::sameFiles() {
    QFETCH(QString, line);
    QFETCH(QString, out);
    QFETCH(int, ranks);
    QFETCH(bool, shared);
    clear("alone");
    clear("ranks");
    const Outcome alone =
        cli_.shell("cd alone; SOURCE_DATE_EPOCH=0 exec $A " + line + " --device cpu");
    QVERIFY2(alone.status == 0, alone.error);
    const Outcome together =
        cli_.shell("cd ranks; " + kLauncher.arg(ranks) + "$A " + line + " --device cpu");
    QVERIFY2(together.status == 0, together.error);
    QCOMPARE(together.out, alone.out);
    QCOMPARE(together.out.count("wrote "), 1);
    QVERIFY(cli_.content("ranks/" + out) == cli_.content("alone/" + out));
    QVERIFY(!cli_.content("ranks/" + out).isEmpty());
    QCOMPARE(cli_.shell("ls -A ranks").out.trimmed(), out.toUtf8());
    QCOMPARE(together.error.contains("one rank of"), !shared && ranks > 1);
}

void tst_cli_ranks::oneLineOfAFailure_data() {
    QTest::addColumn<QString>("line");
    QTest::newRow("no file") << "map2alm none.fits out.fits";
    QTest::newRow("another file") << "alm2map map.fits out.fits --nside 4";
    QTest::newRow("usage") << "alm2map teb.fits out.fits";
    QTest::newRow("no folder") << "map2alm map.fits none/out.fits";
    QTest::newRow("frame") << "map2alm bad.fits out.fits --input-frame E";
}
// The message and status of a single process, once.
void tst_cli_ranks::oneLineOfAFailure() {
    QFETCH(QString, line);
    const Outcome alone = cli_.shell("exec $A " + line);
    const Outcome together = cli_.shell(kLauncher.arg(3) + "$A " + line);
    QVERIFY(alone.status != 0);
    QCOMPARE(together.status, alone.status);
    QCOMPARE(linesOfArmilla(together.error), linesOfArmilla(alone.error));
    QVERIFY(!QFile::exists(cli_.path("out.fits")));
    QCOMPARE(cli_.leftovers(), QStringList());
}

void tst_cli_ranks::figures_data() {
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("exchangeBy");
    QTest::newRow("memory") << QString() << "shared memory";
    QTest::newRow("messages") << "export ARMILLA_SHARED_MEMORY=off; "
                              << "MPI";
    QTest::newRow("few addresses") << "ulimit -v 4000000; "
                                   << "MPI";
}
void tst_cli_ranks::figures() {
    QFETCH(QString, setting);
    QFETCH(QString, exchangeBy);
    const Outcome outcome =
        cli_.shell(setting + kLauncher.arg(4) +
                   "$A map2alm map.fits figures.fits --iterations 3 --json --overwrite");
    QVERIFY2(outcome.status == 0, outcome.error);
    const QJsonObject ranks = outcome.json()["ranks"].toObject();
    QCOMPARE(ranks["exchange_by"].toString(), exchangeBy);
    QCOMPARE(ranks["count"].toInt(), 4);
    for (const char* const step : {"legendre", "fft", "exchange"}) {
        const QJsonObject of = ranks[step].toObject();
        QVERIFY(of["mean"].toDouble() > 0.0);
        QVERIFY(of["most"].toDouble() >= of["mean"].toDouble());
        QVERIFY(of["imbalance"].toDouble() >= 1.0);
    }
    // 3 of 4 of the F_m that a ring needs, 16 bytes each, are sent to other ranks, in four analyses
    // and three syntheses. A ring may need fewer than all m: the sum over rings is an upper limit.
    const double bytes = ranks["bytes_sent"].toObject()["mean"].toDouble();
    const double most = 7 * 0.25 * 128 * 96 * 16.0;
    QVERIFY2(bytes > 0.3 * most && bytes < 2.0 * most, qPrintable(QString::number(bytes / most)));
    // Both methods write the same bytes.
    const QByteArray made = cli_.content("figures.fits");
    if (!QFile::exists(cli_.path("figures_first.fits")))
        QVERIFY(QFile::copy(cli_.path("figures.fits"), cli_.path("figures_first.fits")));
    QCOMPARE(made, cli_.content("figures_first.fits"));
}

void tst_cli_ranks::memoryOfAShare_data() {
    QTest::addColumn<QString>("line");
    // Memory that the work takes in maps of double precision, where one process needs less.
    QTest::addColumn<double>("maps");
    // One iteration needs the memory of any number of them.
    QTest::newRow("alm2map") << "alm2map large_alm.fits memory.fits --nside 1024" << 0.0;
    QTest::newRow("map2alm") << "map2alm large.fits memory.fits --lmax 2048 --iterations 1" << 0.0;
    // One process gives the result the memory of its map. Input, coefficients, result and what is
    // written take 3.5 maps without that, and a share works without it.
    QTest::newRow("smooth")
        << "smooth large.fits memory.fits --fwhm 10arcmin --lmax 2048 --iterations 1" << 3.5;
    QTest::newRow("NESTED") << "map2alm nested_large.fits memory.fits --lmax 2048 --iterations 1"
                            << 0.0;
    QTest::newRow("anafast") << "anafast large.fits memory.fits --lmax 2048 --iterations 1" << 0.0;
}
// Memory above that of a trivial program, with MPI or without: a quarter of the data may take four
// tenths. Each rank has about a quarter of the work.
void tst_cli_ranks::memoryOfAShare() {
    QFETCH(QString, line);
    QFETCH(double, maps);
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("no python3 here");
    if (!QFile::exists(cli_.path("large.fits"))) {
        cli_.write("peak.py",
                   "import os, resource, subprocess, sys\n"
                   "rank = os.environ.get('OMPI_COMM_WORLD_RANK', '0')\n"
                   "status = subprocess.run(sys.argv[1:], stdout=open('said.' + "
                   "rank, 'w')).returncode\n"
                   "with open('peak.' + rank, 'w') as file:\n"
                   "    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=file)\n"
                   "sys.exit(status)\n");
        QCOMPARE(cli_.shell("$A synfast cl.txt large.fits --nside 1024 --device cpu &&"
                            "$A map2alm large.fits large_alm.fits --lmax 2048 --device cpu &&"
                            "$A convert large.fits nested_large.fits --ordering nested")
                     .status,
                 0);
    }
    const auto most = [&](const QString& launcher, const QString& words) {
        // One file a rank, because launchers interleave the lines of their ranks.
        const Outcome outcome = cli_.shell("rm -f peak.?; " + launcher + "python3 peak.py $A " +
                                           words + " --overwrite --json --device cpu");
        if (outcome.status != 0) return -1LL;
        long long largest = 0;
        for (const QByteArray& number : cli_.shell("cat peak.?").out.split('\n'))
            largest = std::max(largest, number.toLongLong());
        return largest;
    };
    const QString nothing = "synfast cl.txt nothing.fits --nside 1 --lmax 2",
                  four = kLauncher.arg(4);
    const long long alone = most("", line) - most("", nothing);
    const long long idle = most(four, nothing), share = most(four, line) - idle;
    QVERIFY(alone > 100 << 10);
    constexpr double kMap = 12.0 * 1024 * 1024 * 8 / 1024;  // KiB
    const double whole = std::max(static_cast<double>(alone), maps * kMap);
    QVERIFY2(share > 0 && static_cast<double>(share) <= 0.4 * whole,
             qPrintable(QString("%1 of %2 KiB").arg(share).arg(whole)));
    const QJsonArray shares =
        QJsonDocument::fromJson(cli_.content("said.0"))["ranks"]["shares"].toArray();
    QCOMPARE(shares.size(), 4);
    for (const QJsonValue& each : shares)
        QVERIFY(each.toDouble() >= 0.15 && each.toDouble() <= 0.4);
}

void tst_cli_ranks::benchmark() {
    const Outcome outcome =
        cli_.shell(kLauncher.arg(3) + "$A bench sht --nside 64,128 --lmax 100 --repeat 2 --json");
    QVERIFY2(outcome.status == 0, outcome.error);
    const QJsonArray rows = QJsonDocument::fromJson(outcome.out).array();
    QCOMPARE(rows.size(), 8);  // two sizes, spin 0 and 2, both directions
    for (const QJsonValue& row : rows) {
        QCOMPARE(row["ranks"].toInt(), 3);
        QCOMPARE(row["seconds"]["runs"].toInt(), 2);
        for (const char* const step : {"legendre", "fft", "exchange"})
            QVERIFY(row["steps"][step]["most"].toDouble() > 0.0);
        // F_m of 101 orders of all rings, two thirds of which are sent; three times for T, Q and U.
        const double all = 101 * 16.0 * (4 * row["nside"].toInt() - 1) * row["maps"].toInt();
        const double sent = 3.0 * row["bytes_sent"]["mean"].toDouble();
        QVERIFY2(sent > 0.4 * all && sent < all, qPrintable(QString::number(sent / all)));
    }
    const Outcome other = cli_.shell(kLauncher.arg(2) + "$A bench grid");
    QCOMPARE(other.status, 2);
    QCOMPARE(linesOfArmilla(other.error).size(), 1);
}

void tst_cli_ranks::endTogether_data() {
    QTest::addColumn<int>("number");
    QTest::addColumn<int>("whom");  // -1: the launcher
    QTest::addColumn<bool>("stalled");
    QTest::newRow("Ctrl-C") << SIGINT << -1 << false;
    QTest::newRow("SIGTERM") << SIGTERM << -1 << false;
    QTest::newRow("first killed") << SIGKILL << 0 << false;
    QTest::newRow("third killed") << SIGKILL << 2 << false;
    QTest::newRow("one interrupted") << SIGINT << 1 << false;
    QTest::newRow("one stalls, Ctrl-C") << SIGINT << -1 << true;
    QTest::newRow("first stalls") << SIGSTOP << 0 << false;
    QTest::newRow("last stalls") << SIGSTOP << 3 << false;
}
// A hundred iterations at nside 512 take half a minute on two idle cores: the signal is first.
void tst_cli_ranks::endTogether() {
    QFETCH(int, number);
    QFETCH(int, whom);
    QFETCH(bool, stalled);
    clear("work");
    QProcess process;
    process.setWorkingDirectory(cli_.path("work"));
    process.start("sh", {"-c", kLauncher.arg(4) + ARMILLA_BINARY +
                                   " map2alm ../long.fits out.fits --iterations 100"});
    const QList<qint64> ranks = ranksOf(process, 4);
    QCOMPARE(ranks.size(), 4);
    QVERIFY(haveWorked(ranks, 2));
    if (stalled) kill(static_cast<pid_t>(ranks[1]), SIGSTOP);
    kill(static_cast<pid_t>(whom < 0 ? process.processId() : ranks[whom]), number);
    QVERIFY(process.waitForFinished(kPatience));
    for (const qint64 rank : ranks) QTRY_VERIFY_WITH_TIMEOUT(!works(rank), kPatience);
    QVERIFY(process.exitStatus() == QProcess::CrashExit || process.exitCode() != 0);
    QCOMPARE(cli_.shell("ls -A work").out, QByteArray());
    const QByteArrayList lines = linesOfArmilla(process.readAllStandardError());
    // A launcher prints its own line after the loss of its first rank.
    QVERIFY2(lines.size() <= 1, lines.join('\n'));
    // Open MPI 5 prints nothing of its ranks after Ctrl-C.
    const bool isSilent = lines.isEmpty() && cli_.shell("mpirun --version").out.contains("MPI) 5");
    if (number == SIGINT && !stalled && !isSilent) QVERIFY(lines.value(0).contains("interrupted"));
    if (number == SIGSTOP)
        QCOMPARE(lines.value(0),
                 QString("armilla map2alm: expected all ranks at work, found rank %1 stopped "
                         "(SIGSTOP)")
                     .arg(whom)
                     .toUtf8());
}

// A job is suspended and continues. Either a system stops all ranks in turn, for long; or each one
// stops for less than the time after which a job ends if other ranks work.
void tst_cli_ranks::goesOnAfterStops_data() {
    QTest::addColumn<bool>("together");
    QTest::newRow("all for four seconds") << true;
    QTest::newRow("one after the other, briefly") << false;
}
void tst_cli_ranks::goesOnAfterStops() {
    QFETCH(bool, together);
    const QString command = " map2alm ../long.fits out.fits --iterations 40 --device cpu";
    if (!QFile::exists(cli_.path("alone.long/out.fits"))) {
        clear("alone.long");
        const Outcome alone = cli_.shell("cd alone.long; SOURCE_DATE_EPOCH=0 exec $A" + command);
        QVERIFY2(alone.status == 0, alone.error);
    }
    clear("work");
    QProcess process;
    process.setWorkingDirectory(cli_.path("work"));
    process.start("sh", {"-c", kLauncher.arg(3) + ARMILLA_BINARY + command});
    const QList<qint64> ranks = ranksOf(process, 3);
    QCOMPARE(ranks.size(), 3);
    constexpr int kBetween = 50, kSuspended = 4000, kBrief = 400;
    QVERIFY(haveWorked(ranks, 1));
    const auto send = [&](qint64 rank, int number) {
        QVERIFY(works(rank));
        QCOMPARE(kill(static_cast<pid_t>(rank), number), 0);
    };
    for (const qint64 rank : ranks) {
        send(rank, SIGSTOP);
        QTest::qWait(together ? kBetween : kBrief);
        if (!together) send(rank, SIGCONT);
    }
    if (together) {
        QTest::qWait(kSuspended);
        for (const qint64 rank : ranks) {
            send(rank, SIGCONT);
            QTest::qWait(kBetween);
        }
    }
    QVERIFY(process.waitForFinished(kPatience));
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
             process.readAllStandardError());
    QVERIFY(cli_.content("work/out.fits") == cli_.content("alone.long/out.fits"));
    QVERIFY(!cli_.content("work/out.fits").isEmpty());
    QCOMPARE(cli_.shell("ls -A work").out.trimmed(), QByteArray("out.fits"));
}

// Killed after its temporary file has some of its 600 MB; a surviving rank removes the file.
void tst_cli_ranks::killedWhileWriting_data() {
    QTest::addColumn<QString>("out");
    QTest::addColumn<int>("whom");
    for (const int whom : {0, 2}) {
        QTest::addRow("%d of out.fits", whom) << "out.fits" << whom;
        QTest::addRow("%d of out.fits.gz", whom) << "out.fits.gz" << whom;
    }
}
// Three ranks that are writing a file.
QList<qint64> tst_cli_ranks::ranksThatWrite(QProcess& process, const QString& out) {
    clear("work");
    process.setWorkingDirectory(cli_.path("work"));
    process.start("sh", {"-c", kLauncher.arg(3) + ARMILLA_BINARY + " synfast ../cl.txt " + out +
                                   " --nside 1024 --lmax 2 --device cpu"});
    return writingRanks(process, 3);
}
void tst_cli_ranks::killedWhileWriting() {
    QFETCH(QString, out);
    QFETCH(int, whom);
    QProcess process;
    const QList<qint64> ranks = ranksThatWrite(process, out);
    QCOMPARE(ranks.size(), 3);
    kill(static_cast<pid_t>(ranks[whom]), SIGKILL);
    QVERIFY(process.waitForFinished(kPatience));
    for (const qint64 rank : ranks) QTRY_VERIFY_WITH_TIMEOUT(!works(rank), kPatience);
    QCOMPARE(cli_.shell("ls -A work").out, QByteArray());
}

// A launcher like Slurm's: a second after a rank was killed it kills the others, without a
// catchable signal.
void tst_cli_ranks::killedByLauncher_data() {
    killedWhileWriting_data();
}
void tst_cli_ranks::killedByLauncher() {
    QFETCH(QString, out);
    QFETCH(int, whom);
    QProcess process;
    const QList<qint64> ranks = ranksThatWrite(process, out);
    QCOMPARE(ranks.size(), 3);
    const auto launcher = static_cast<pid_t>(process.processId());
    kill(launcher, SIGSTOP);
    kill(static_cast<pid_t>(ranks[whom]), SIGKILL);
    QTest::qWait(1000);
    for (const qint64 rank : ranks) kill(static_cast<pid_t>(rank), SIGKILL);
    kill(launcher, SIGCONT);
    QVERIFY(process.waitForFinished(kPatience));
    QCOMPARE(cli_.shell("ls -A work").out, QByteArray());
}

// A disk of one megabyte, for a file of six.
void tst_cli_ranks::fullDisk() {
    clear("disk");
    const QString mount = "mount -t tmpfs -o size=1m none disk && ";
    if (cli_.shell("unshare -rm sh -c '" + mount + "true'").status != 0)
        QSKIP("no disk can be mounted here");
    const Outcome outcome =
        cli_.shell("unshare -rm sh -c '" + mount + kLauncher.arg(4).remove("exec ") +
                   "$A synfast cl.txt disk/out.fits --nside 256 --lmax 10; "
                   "echo status $?; ls -A disk'");
    QCOMPARE(outcome.out, QByteArray("status 1\n"));
    const QByteArrayList lines = linesOfArmilla(outcome.error);
    QCOMPARE(lines.size(), 1);
    QVERIFY2(lines[0].contains("No space left"), lines[0]);
}

// Independent commands on each rank, with a file each, are refused in one line, because they are no
// shares of one job.
void tst_cli_ranks::commandsOfTheirOwn() {
    clear("own");
    const Outcome outcome = cli_.shell(
        "cd own; " + kLauncher.arg(2) +
        "sh -c 'exec $A synfast ../cl.txt $OMPI_COMM_WORLD_RANK.fits --nside 8 --device cpu'");
    QCOMPARE(outcome.status, 2);
    const QByteArrayList lines = linesOfArmilla(outcome.error);
    QCOMPARE(lines.size(), 1);
    QVERIFY2(lines[0].contains("expected the same command line on all 2 ranks"), lines[0]);
    QCOMPARE(cli_.shell("ls -A own").out, QByteArray());
}

// The program without its module is refused by one line, not printed by all three ranks.
void tst_cli_ranks::withoutModule() {
    clear("bare");
    const Outcome outcome =
        cli_.shell("cp $A bare/armilla; cd bare; " + kLauncher.arg(3) +
                   "./armilla synfast ../cl.txt out.fits --nside 8 --device cpu");
    QCOMPARE(outcome.status, 1);
    const QByteArrayList lines = linesOfArmilla(outcome.error);
    QCOMPARE(lines.size(), 1);
    QVERIFY2(lines[0].contains("one of 3 ranks, found none with this program"), lines[0]);
    QVERIFY(!QFile::exists(cli_.path("bare/out.fits")));
}

// Started as tasks of Slurm without MPI: refused by one line from the first task, not written by
// each.
void tst_cli_ranks::tasksWithoutMpi() {
    clear("tasks");
    const auto task = [&](int rank) {
        return cli_.shell(
            QString("cd tasks; SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=%1 exec $A synfast "
                    "../cl.txt out.fits --nside 8 --device cpu")
                .arg(rank));
    };
    const Outcome first = task(0), third = task(2);
    QCOMPARE(first.status, 2);
    const QByteArrayList lines = linesOfArmilla(first.error);
    QCOMPARE(lines.size(), 1);
    QVERIFY2(lines[0].contains("srun --mpi=pmix"), lines[0]);
    QVERIFY2(lines[0].contains("found srun without MPI"), lines[0]);
    QCOMPARE(third.status, 2);
    QCOMPARE(third.error, QByteArray());
    QCOMPARE(cli_.shell("ls -A tasks").out, QByteArray());
}

// Open MPI as a task of srun --mpi=pmi2, which it does not support: one line after its own
// messages. Open MPI 4 does not start, Open MPI 5 starts each task alone.
void tst_cli_ranks::mpiThatDoesNotStart() {
    if (!cli_.shell("mpirun --version").out.contains("Open MPI")) QSKIP("MPICH has PMI");
    clear("tasks");
    // Reads to the end of the output, which comes after the end of the program.
    const auto task = [&](int rank) {
        return cli_
            .shell(QString("cd tasks; (SLURM_STEP_NUM_TASKS=4 SLURM_STEP_ID=0 "
                           "SLURM_NODELIST=localhost PMI_SIZE=4 PMI_RANK=%1 $A synfast ../cl.txt "
                           "out.fits --nside 8; echo status $?) 2>&1 | cat")
                       .arg(rank))
            .out;
    };
    const QByteArray first = task(0), third = task(2);
    QVERIFY2(first.contains("status 1\n"), first);
    const QByteArrayList lines = linesOfArmilla(first);
    QCOMPARE(lines.size(), 1);
    QVERIFY2(lines[0].contains("does not start under this launcher") ||
                 lines[0].contains("the launcher of another MPI?"),
             lines[0]);
    QVERIFY2(third.contains("status 1\n"), third);
    QCOMPARE(linesOfArmilla(third).size(), 0);
    QCOMPARE(cli_.shell("ls -A tasks").out, QByteArray());
}

// Two ranks that are bound to a core take one thread each, not half of the machine.
void tst_cli_ranks::threadsOfBoundRanks() {
    if (std::thread::hardware_concurrency() < 4) QSKIP("half of this machine is one core");
    const Outcome outcome =
        cli_.shell("exec taskset -c $(taskset -pc $$ | sed 's/.*[ ,-]//') sh -c '" +
                   kLauncher.arg(2) + "$A map2alm map.fits bound.fits --device cpu'");
    QVERIFY2(outcome.status == 0, outcome.error);
    QVERIFY2(outcome.error.contains(", 1 thread\n"), outcome.error);
}

QTEST_GUILESS_MAIN(tst_cli_ranks)
#include "tst_cli_ranks.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Help output of the command: terminal help, completion, names of other programs.
#include <QTest>

#include "cli/cli_fixture.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_help : public QObject {
    Q_OBJECT

private slots:
    void helpFitsATerminal() {
        const QString overview = QString::fromUtf8(cli_.run("help").out);
        QStringList pages{overview};
        qsizetype column = 0;  // column of the command descriptions
        for (const QString& line : overview.mid(overview.indexOf("Commands:")).split('\n')) {
            if (!line.startsWith("  ")) continue;
            const QString name =
                line.startsWith("   ") ? QString() : line.trimmed().section(' ', 0, 0);
            qsizetype at = 2 + name.size();
            while (at < line.size() && line[at] == ' ') ++at;
            if (column == 0) column = at;
            QCOMPARE(at, column);
            if (!name.isEmpty())
                pages << QString::fromUtf8(cli_.run(QStringList{"help", name}).out);
        }
        QVERIFY(pages.size() > 20);
        for (const QString& page : pages) {
            QVERIFY(!page.contains("\n\n\n") && page.endsWith('\n'));
            for (const QString& line : page.split('\n'))
                QVERIFY2(line.size() <= 80 && !line.endsWith(' '), qPrintable(line));
        }
        // Continuation lines are indented like the first one.
        QVERIFY(cli_.run("help smooth")
                    .out.contains("elliptical beam;\n" + QByteArray(34, ' ') +
                                  "--fwhm is the major axis\n"));
        // A value by place is not required as an option as well.
        const QByteArray calc = cli_.run("help calc").out;
        QVERIFY(calc.contains("  EXPRESSION REQUIRED"));
        QVERIFY(calc.contains("  --expression EXPRESSION ") &&
                !calc.contains("--expression EXPRESSION REQ"));
    }

    // Static objects of these libraries take longer to start than most commands run; modules load
    // the libraries on demand.
    void startsWithoutLargeLibraries() {
        const QByteArray loaded = cli_.shell("LD_TRACE_LOADED_OBJECTS=1 $A").out;
        QVERIFY2(loaded.contains("libc.so"), loaded.constData());
        for (const char* library : {"Qt6", "hdf5", "cfitsio", "healpix", "curl", "mpi"})
            QVERIFY2(!loaded.contains(library), loaded.constData());
    }

    void filesWithBlanksAreCompleted() {
        cli_.write("armilla.bash", cli_.run("help --completion bash").out);
        cli_.write("my map[1].fits", QByteArray("x"));
        const QByteArray words =
            cli_.shell(
                    "source ./armilla.bash; COMP_WORDS=(armilla smooth my); COMP_CWORD=2; "
                    "_armilla; "
                    "printf '%s|' \"${COMPREPLY[@]}\"; COMP_WORDS=(armilla my); COMP_CWORD=1; "
                    "_armilla; printf '%s|' \"${COMPREPLY[@]}\"")
                .out;
        QCOMPARE(words, QByteArray("my map[1].fits|my map[1].fits|"));
    }

    void theManualHasTheWindowsOption() {
        QVERIFY(cli_.run("help --man").out.contains("armilla\\-gui\n.RB [ \\-\\-theme"));
    }

    void namesOfOtherProgramsAreAnswered_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("healpy") << "smooth a b --iter 3" << QByteArray("(here: --iterations)");
        QTest::newRow("with a value") << "anafast a b --nlmax=3" << QByteArray("(here: --lmax)");
        QTest::newRow("Fortran") << "convert a b --nsmax 3 --rand_seed 4"
                                 << QByteArray("--nsmax 3 --rand_seed 4 (here: --nside, --seed)");
        QTest::newRow("for what is required")
            << "synfast a b --nsmax 3"
            << QByteArray(
                   "expected --nside, found none (see the options of 'armilla help "
                   "synfast'; here --nsmax is --nside)");
        QTest::newRow("C++") << "smoothing_cxx" << QByteArray("(here: armilla smooth)");
        QTest::newRow("picture") << "mollview" << QByteArray("render --projection mollweide");
        QTest::newRow("a misspelled command")
            << "smoth a b" << QByteArray("found 'smoth' (the nearest is 'smooth')");
        QTest::newRow("two letters") << "corelat a b" << QByteArray("(the nearest is 'correlate')");
        QTest::newRow("help") << "help mocc" << QByteArray("(the nearest is 'moc')");
        // alm and calc are as near.
        QTest::newRow("none") << "alc" << QByteArray("found 'alc'\n");
        QTest::newRow("an option twice") << "smooth a b --fwhm 1deg --fwhm 2deg"
                                         << QByteArray("expected --fwhm once, found it again");
        QTest::newRow("no files") << "smooth --fwhm 1deg"
                                  << QByteArray("expected MAP... OUT, found none (see");
        QTest::newRow("a small limit")
            << "filter a b --fwhm 0deg" << QByteArray("an angle from 0.001arcsec to 60deg");
    }
    void namesOfOtherProgramsAreAnswered() {
        QFETCH(QString, line);
        QFETCH(QByteArray, answer);
        const Outcome outcome = cli_.run(line);
        QCOMPARE(outcome.status, 2);
        QVERIFY2(outcome.error.contains(answer), outcome.error.constData());
    }

    // Each file of a command with optional files has its name before its text.
    void filesHaveNames() {
        const QByteArray text = cli_.run("help anafast").out.simplified();
        QVERIFY(text.contains("FILES ... REQUIRED MAP [MAP2] CL. MAP: input map, FITS image"));
        QVERIFY(text.contains(". MAP2: map, image or coefficients for the cross spectrum;"));
        QVERIFY(text.contains(". CL: output spectrum Options:"));
    }

private:
    CliFixture cli_;
};

QTEST_GUILESS_MAIN(tst_cli_help)
#include "tst_cli_help.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The contract of the command line: parsing, statuses, one-line errors, JSON, recipes.
#include <QDir>
#include <QJsonArray>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <cmath>

#include "armilla/core/healpix_map.h"
#include "cli/cli_fixture.h"
#include "support/patience.h"
#include "support/qm_file.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        cli_.writeSky("map.fits", 16, Ordering::Ring, 1, true);
        cli_.writeSky("tqu.fits", 16, Ordering::Ring, 3);
        Field blank;
        blank.name = "T";
        blank.values = std::vector<float>(12, std::nanf(""));
        cli_.write("blank.fits", HealpixMap(1, Ordering::Ring, Frame::Galactic, {blank}));
    }

    void helpNamesEveryCommand() {
        const Outcome help = cli_.run("help");
        QCOMPARE(help.status, 0);
        for (const char* command : {"info", "convert", "project", "render", "map2alm", "alm2map",
                                    "anafast", "synfast", "smooth", "sample", "devices", "bench"}) {
            QVERIFY2(help.out.contains(command), command);
            const Outcome one = cli_.run(QStringList{"help", command});
            QCOMPARE(one.status, 0);
            QVERIFY(one.out.contains("--json"));
            QCOMPARE(cli_.run(QStringList{command, "--help"}).out, one.out);
        }
        QCOMPARE(cli_.run("--help").out, help.out);
        const QByteArray version = cli_.run("--version").out;
        for (const char* part : {"armilla 1.", "\ncompiler ", "\nCUDA ", "\nlibraries "})
            QVERIFY2(version.contains(part), part);
    }

    // Texts of tables, absent from the sources, are printed in a form that lupdate reads whole.
    void translatorsFindEveryText() {
        const QByteArray marked = cli_.run("help --texts").out;
        const QByteArray mark = "QT_TRANSLATE_NOOP(\"Table\", \"";
        for (const char* known : {"Hammer", "Galactic", "Smooth", "automatic"})
            QVERIFY2(marked.contains(mark + known + "\")"), known);
        const QString lupdate = QStandardPaths::findExecutable(
            QStringLiteral("lupdate"), {QStringLiteral("/usr/lib/qt6/bin")});
        if (lupdate.isEmpty()) QSKIP("no lupdate of Qt 6 here");
        cli_.write("texts.cpp", marked);
        QProcess process;
        process.start(lupdate, {QStringLiteral("-silent"), QStringLiteral("-locations"),
                                QStringLiteral("none"), cli_.path("texts.cpp"),
                                QStringLiteral("-ts"), cli_.path("texts.ts")});
        QVERIFY2(process.waitForFinished(kPatience) && process.exitCode() == 0,
                 process.readAllStandardError().constData());
        QFile file(cli_.path("texts.ts"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray found = file.readAll();
        int texts = 0;
        for (const QByteArray& line : marked.split('\n')) {
            if (!line.startsWith(mark)) continue;
            QString text = QString::fromUtf8(line.mid(mark.size()).chopped(2));
            text = text.replace("\\\"", "\"").replace("\\\\", "\\");
            text = text.toHtmlEscaped().replace("'", "&apos;");
            QVERIFY2(found.contains("<source>" + text.toUtf8() + "</source>"), qPrintable(text));
            ++texts;
        }
        QVERIFY(texts > 300);
    }
    void helpSpeaksTheUsersLanguage() {
        QVERIFY(QDir(cli_.path({})).mkpath("bin"));
        QVERIFY(QDir(cli_.path({})).mkpath("share/armilla/translations"));
        cli_.write("share/armilla/translations/armilla_de.qm",
                   qmFile("Table", {{"Angle of the beam", "unbenutzt"},
                                    {"FWHM of the Gaussian beam", "Breite einer Gaußkeule"}}));
        // The modules that the program loads lie beside the program.
        const QString program =
            "cp \"$A\" \"$(dirname \"$A\")\"/armilla-*.so bin; LANGUAGE= LC_ALL=%1 bin/armilla %2";
        const QByteArray german = "Breite einer Gaußkeule", english = "FWHM of the Gaussian beam";
        // A program without its modules still prints help.
        const Outcome alone = cli_.shell(
            "mkdir alone; cp \"$A\" alone/armilla; LANGUAGE= LC_ALL=de_DE.UTF-8 alone/armilla help "
            "smooth");
        QCOMPARE(alone.status, 0);
        QVERIFY(alone.out.contains(english));
        for (const char* words : {"help smooth", "smooth --help"}) {
            const Outcome told = cli_.shell(program.arg("de_DE.UTF-8", words));
            QVERIFY2(told.out.contains(german) && !told.out.contains(english),
                     told.out.constData());
            QVERIFY(cli_.shell(program.arg("fr_FR.UTF-8", words)).out.contains(english));
        }
        // Installed help is independent of the locale.
        QVERIFY(cli_.shell(program.arg("de_DE.UTF-8", "help --man")).out.contains(english));
    }
    void manualAndCompletionsListEverything() {
        const QByteArray manual = cli_.run("help --man").out;
        QVERIFY(manual.startsWith(".TH ARMILLA 1"));
        QVERIFY(!manual.contains("\n'") && manual.contains(".SH EXIT STATUS"));
        QList<QByteArray> completions;
        for (const char* shell : {"bash", "zsh", "fish"})
            completions << cli_.run(QStringList{"help", "--completion", shell}).out;
        cli_.write("armilla.bash", completions[0]);
        QCOMPARE(cli_.shell("bash -n armilla.bash").status, 0);
        // The environment that bash sets for completion.
        const QByteArray words =
            cli_.shell(
                    "source ./armilla.bash; COMP_WORDS=(armilla smooth --me); COMP_CWORD=2; "
                    "_armilla; echo ${COMPREPLY[@]}; COMP_WORDS=(armilla smooth --method ''); "
                    "COMP_CWORD=3; _armilla; echo ${COMPREPLY[@]}")
                .out;
        QCOMPARE(words, QByteArray("--method\nauto harmonic ring direct\n"));
        const QByteArray overview = cli_.run("help").out;
        const QList<QByteArray> lines = overview.mid(overview.indexOf("Commands:")).split('\n');
        int commands = 0;
        for (const QByteArray& line : lines) {
            if (!line.startsWith("  ") || line.startsWith("   ")) continue;
            const QByteArray name = line.trimmed().split(' ').first();
            ++commands;
            QVERIFY2(manual.contains(".SS " + QByteArray(name).replace('-', "\\-")),
                     name.constData());
            const QByteArray help = cli_.run(QStringList{"help", QString::fromUtf8(name)}).out;
            for (const QByteArray& row : help.split('\n')) {
                if (!row.startsWith("  --")) continue;
                const QByteArray option = row.trimmed().split(' ').first();
                QVERIFY2(manual.contains(QByteArray(option).replace("-", "\\-")),
                         option.constData());
                for (const QByteArray& completion : completions)
                    QVERIFY2(completion.contains(option.mid(2)), option.constData());
            }
        }
        QVERIFY(commands >= 12);
    }

    void theFrameOfAnInputIsStated() {
        Field field{"T", "K", DiskType::Float64, std::vector<double>(12, 1.0)};
        cli_.write("unframed.fits", HealpixMap(1, Ordering::Ring, Frame::Unknown, {field}));
        QCOMPARE(cli_.run("convert {unframed.fits} {stated.fits} --input-frame C").status, 0);
        QCOMPARE(cli_.read("stated.fits").frame(), Frame::Equatorial);
        QCOMPARE(cli_.run("convert {stated.fits} {same.fits} --input-frame C").status, 0);
        const Outcome other = cli_.run("convert {stated.fits} {no.fits} --input-frame G");
        QCOMPARE(other.status, 1);
        QVERIFY(other.error.contains("as the file states"));
    }
    // Positions of a table without a frame, with a stated frame, are drawn at the same place as
    // those of a table that names the frame.
    void theFrameOfAnotherKindOfInputIsStated() {
        cli_.write("unframed.csv", QByteArray("LON,LAT\n30,60\n120,-40\n"));
        cli_.write("framed.csv", QByteArray("RA,DEC\n30,60\n120,-40\n"));
        QCOMPARE(cli_.run("convert {unframed.csv} {stated.vot} --input-frame C").status, 0);
        QVERIFY(cli_.content("stated.vot").contains("ICRS"));
        QCOMPARE(cli_.run("convert {framed.csv} {no.vot} --input-frame G").status, 1);
        const QString size = " --size 600x400 --frame G --graticule 0deg";
        QCOMPARE(cli_.run("render {framed.csv} {framed.svg}" + size).status, 0);
        QCOMPARE(cli_.run("render {unframed.csv} {unframed.svg} --input-frame C" + size).status, 0);
        const auto drawn = [&](const char* name) {
            const QByteArray picture = cli_.content(name);
            return picture.mid(picture.indexOf("</desc>"));
        };
        QCOMPARE(drawn("unframed.svg"), drawn("framed.svg"));
        const Outcome other = cli_.run("render {framed.csv} {no.svg} --input-frame G" + size);
        QCOMPARE(other.status, 1);
    }

    void aSampleSky() {
        QCOMPARE(cli_.run("sample {sample.fits} --nside 32").status, 0);
        const HealpixMap sky = cli_.read("sample.fits");
        QCOMPARE(sky.nside(), 32);
        QCOMPARE(sky.frame(), Frame::Galactic);
        const Outcome smoothed = cli_.run("smooth {sample.fits} {sample_s.fits} --fwhm 300arcmin");
        QVERIFY2(smoothed.status == 0, smoothed.error.constData());
        // Defaults that depend on the input are recorded.
        QVERIFY(cli_.content("sample_s.fits").contains("HISTORY taken: --lmax 95"));
    }
    void sampleSkiesOfOtherKinds() {
        QCOMPARE(cli_.run("sample {p.fits} --nside 16 --kind sources --catalog {p.csv}").status, 0);
        QVERIFY(cli_.content("p.csv").startsWith("NAME,GLON,GLAT,PEAK\n"));
        QCOMPARE(cli_.content("p.csv").count('\n'), 401);
        QCOMPARE(cli_.run("sample {r.fits} --nside 16 --kind radio --samples {r.csv}").status, 0);
        QCOMPARE(cli_.content("r.csv").count('\n'), 1 + 2 * 81 * 161);
        QCOMPARE(cli_.read("r.fits").frame(), Frame::Equatorial);
        const Outcome none =
            cli_.run("sample {n.fits} --nside 16 --kind probability --catalog {n.csv}");
        QCOMPARE(none.status, 2);
        QVERIFY2(none.error.contains("--kind: expected microwave or sources"),
                 none.error.constData());
        QVERIFY(!QFile::exists(cli_.path("n.fits")));
    }

    void usage_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        QTest::newRow("no such command") << "wibble"
                                         << "info, convert, project";
        QTest::newRow("command of a later version") << "transmogrify a b"
                                                    << "info, convert";
        QTest::newRow("no such option") << "info a --wibble"
                                        << "--wibble";
        QTest::newRow("no input") << "smooth"
                                  << "MAP";
        QTest::newRow("no output") << "convert a"
                                   << "OUT";
        QTest::newRow("no width") << "smooth a b"
                                  << "--fwhm";
        QTest::newRow("two kernels") << "smooth a b --fwhm 1deg --beam c"
                                     << "--beam";
        QTest::newRow("no unit") << "smooth a b --fwhm 1"
                                 << "arcmin";
        QTest::newRow("wrong unit") << "smooth a b --fwhm 1parsec"
                                    << "arcmin";
        QTest::newRow("angle below 0") << "smooth a b --fwhm -1deg"
                                       << "--fwhm";
        QTest::newRow("position without units") << "project a b --center 10,20"
                                                << "deg";
        QTest::newRow("half a position") << "project a b --center 10deg"
                                         << "LON,LAT";
        QTest::newRow("truncate alone") << "smooth a b --fwhm 1deg --truncate 2deg"
                                        << "--method";
        QTest::newRow("truncate, harmonic")
            << "smooth a b --fwhm 1deg --truncate 2deg --method harmonic"
            << "--method";
        QTest::newRow("method") << "smooth a b --fwhm 1deg --method magic"
                                << "auto|harmonic";
        QTest::newRow("frame") << "convert a b --frame X"
                               << "Galactic";
        QTest::newRow("nside") << "mask a b --nside 3"
                               << "power of two";
        QTest::newRow("nside of words") << "convert a b --nside two"
                                        << "integer";
        QTest::newRow("no nside") << "alm2map a b"
                                  << "--nside";
        QTest::newRow("threads") << "info a --threads 0"
                                 << "--threads";
        QTest::newRow("device") << "smooth a b --fwhm 1deg --device tpu"
                                << "cuda:N";
        QTest::newRow("precision") << "smooth a b --fwhm 1deg --precision half"
                                   << "single|double";
        QTest::newRow("size") << "project a b --size 100"
                              << "WIDTHxHEIGHT";
        QTest::newRow("twice") << "smooth a b --fwhm 1deg --fwhm 2deg"
                               << "--fwhm";
        QTest::newRow("no value") << "smooth a b --fwhm"
                                  << "--fwhm";
        QTest::newRow("suffix") << "render a b.gif"
                                << ".png, .pdf or .svg";
        QTest::newRow("color map") << "render a b.png --colormap jet"
                                   << "viridis";
        QTest::newRow("percentiles") << "render a b.png --percentile 60,40"
                                     << "--percentile";
        QTest::newRow("mmax") << "map2alm a b --lmax 5 --mmax 6"
                              << "--mmax";
        QTest::newRow("benchmark") << "bench nothing"
                                   << "sht, batch, maps, convolve";
        QTest::newRow("too wide") << "smooth a b --fwhm 400deg"
                                  << "an angle from 0 to 180deg";
        QTest::newRow("a name of healpy") << "map2alm a b --iter 3"
                                          << "here: --iterations";
        QTest::newRow("unknown options as typed")
            << "render a b.png --zzz 3 --iter --aaa 4"
            << "found more: --zzz 3 --iter --aaa 4 (here: --iterations)";
        QTest::newRow("packed FITS is offered") << "smooth a b.foo --fwhm 1deg"
                                                << ".fits.gz";
        QTest::newRow("hours in a frame that has none")
            << "project a b.fits --center 12h30m,-20d30m,G"
            << "an equatorial position where the longitude is in hours";
        QTest::newRow("a command of healpy") << "mollview a"
                                             << "here: armilla render --projection mollweide";
        QTest::newRow("suffix of a map") << "smooth a b.csv --fwhm 1deg"
                                         << ".fits";
        QTest::newRow("completion") << "help --completion csh"
                                    << "bash, zsh or fish";
        QTest::newRow("help of nothing") << "help wibble"
                                         << "info, convert";
    }
    void usage() {
        QFETCH(QString, line);
        QFETCH(QString, says);
        const Outcome outcome = cli_.run(line);
        QCOMPARE(outcome.status, 2);
        QCOMPARE(outcome.error.count('\n'), 1);
        QVERIFY2(outcome.error.contains(says.toUtf8()), outcome.error.constData());
        QVERIFY(outcome.out.isEmpty());
    }

    void failures_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("begins");
        QTest::newRow("no such file") << "info {none.fits}"
                                      << "armilla info: {none.fits}: expected";
        QTest::newRow("a folder") << "info {.}"
                                  << "armilla info: {.}: expected";
        QTest::newRow("no such field") << "smooth {map.fits} {o.fits} --fwhm 1deg --field X"
                                       << "armilla smooth: {map.fits}: ";
        QTest::newRow("no polarization") << "map2alm {map.fits} {o.fits} --polarization"
                                         << "armilla map2alm: {map.fits}: ";
        QTest::newRow("existing output") << "convert {map.fits} {tqu.fits}"
                                         << "armilla convert: {tqu.fits}: expected";
        QTest::newRow("existing output, no input") << "convert {none.fits} {tqu.fits}"
                                                   << "armilla convert: {tqu.fits}: expected";
        QTest::newRow("no output folder") << "convert {map.fits} {none/o.fits}"
                                          << "armilla convert: {none/o.fits}: expected";
        QTest::newRow("output is a folder") << "convert {map.fits} {.} --overwrite"
                                            << "armilla convert: {.}: expected";
        QTest::newRow("output is a device") << "convert {map.fits} /dev/null --overwrite"
                                            << "armilla convert: /dev/null: expected";
        QTest::newRow("no good pixel") << "convert {blank.fits} {o.fits} --sparse"
                                       << "armilla convert: {blank.fits}: expected pixels with a "
                                          "value to write, found no good pixel";
        for (const char* command : {"smooth", "anafast", "map2alm"})
            QTest::addRow("no good pixel, %s", command)
                << QString("%1 {blank.fits} {o.fits}%2")
                       .arg(command,
                            QLatin1String(command) == QLatin1String("smooth") ? " --fwhm 1deg" : "")
                << QString(
                       "armilla %1: {blank.fits}: expected a good pixel in the field, found "
                       "none")
                       .arg(command);
        QTest::newRow("alm of a map") << "alm2map {map.fits} {o.fits} --nside 8"
                                      << "armilla alm2map: {map.fits}: expected";
    }
    void failures() {
        QFETCH(QString, line);
        QFETCH(QString, begins);
        const QStringList words = cli_.words(begins.replace(": ", " : ").replace("}:", "} :"));
        const Outcome outcome = cli_.run(line);
        QCOMPARE(outcome.status, 1);
        QCOMPARE(outcome.error.count('\n'), 1);
        const QString start = words.join(' ').replace(" :", ":");
        QVERIFY2(outcome.error.startsWith(start.toUtf8()),
                 (outcome.error + "\n" + start.toUtf8()).constData());
        QVERIFY(outcome.out.isEmpty());
        QVERIFY(!QFile::exists(cli_.path("o.fits")));
    }

    // A full-sky map at the resolution of this partial map would exceed any memory.
    void deepPartsAreNotSpreadOut() {
        cli_.write("deep.csv", "lon,lat,v\n10,20,1\n10.0001,20,2\n");
        QCOMPARE(cli_.run("grid {deep.csv} {deep.fits} --nside 65536 --ordering nested --sparse "
                          "--kernel nearest --samples-frame G --overwrite")
                     .status,
                 0);
        const Outcome outcome = cli_.run("convert {deep.fits} {o.fits}");
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.error.contains("expected --sparse"), outcome.error.constData());
        QCOMPARE(cli_.run("convert {deep.fits} {o.fits} --sparse").status, 0);
        QVERIFY(QFile::remove(cli_.path("o.fits")));
    }

    void noGpuIsAnError() {
        if (cli_.run("devices --json").json()["devices"].toArray().size() > 1)
            QSKIP("this machine has a GPU");
        const Outcome outcome = cli_.run("smooth {map.fits} {g.fits} --fwhm 1deg --device cuda");
        QCOMPARE(outcome.status, 1);
        QVERIFY(outcome.error.contains("CUDA"));
        QVERIFY(!QFile::exists(cli_.path("g.fits")));
    }

    void quietAndJson() {
        const QString line = "smooth {map.fits} {s.fits} --fwhm 5deg --overwrite";
        const Outcome plain = cli_.run(line);
        QCOMPARE(plain.status, 0);
        QVERIFY(plain.error.contains("device cpu"));
        const Outcome quiet = cli_.run(line + " --quiet");
        QCOMPARE(quiet.status, 0);
        QVERIFY(quiet.out.isEmpty() && quiet.error.isEmpty());
        const Outcome json = cli_.run(line + " --json");
        QCOMPARE(json.json()["device"].toString(), "cpu");
        QCOMPARE(json.json()["method"].toString(), "harmonic");
        QCOMPARE(json.out.count('\n'), 1);
    }

    void devices() {
        const QJsonArray all = cli_.run("devices --json").json()["devices"].toArray();
        QVERIFY(!all.isEmpty());
        QCOMPARE(all[0].toObject()["device"].toString(), "cpu");
        QVERIFY(all[0].toObject()["memory_bytes"].toDouble() > 1e8);
    }

    void bench() {
        const Outcome outcome =
            cli_.run("bench --nside 16 --repeat 2 --samples 10000 --points 1000 --json");
        QCOMPARE(outcome.status, 0);
        const QJsonArray rows = QJsonDocument::fromJson(outcome.out).array();
        QStringList names;
        double largestError = 0.0;
        for (const QJsonValue& value : rows) {
            const QJsonObject row = value.toObject();
            names << row["name"].toString();
            const QJsonObject seconds = row["seconds"].toObject();
            QVERIFY(seconds["median"].toDouble() > 0.0);
            QVERIFY(seconds["min"].toDouble() <= seconds["max"].toDouble());
            // The double loop takes long enough to be timed once.
            QCOMPARE(seconds["runs"].toInt(), row["name"] == "correlate.loop" ? 1 : 2);
            // The limit applies to an idle machine, so it must not apply to the time measured here.
            if (row["limit"].isObject()) {
                const QJsonObject limit = row["limit"].toObject();
                QVERIFY(limit["seconds"].toDouble() > 0.0);
                QVERIFY(!limit["by"].toString().isEmpty());
            }
            QVERIFY(row["peak_host_bytes"].toDouble() > 0.0);
            // Rounding of doubles (alm2map.single: floats) after some thousand additions (lmax 32).
            const QString name = row["name"].toString();
            // Rows named "new" repeat sht.map2alm with new results, or measure memory alone.
            const bool isMemory = name == "sht.map2alm.new" || name == "sht.new_results";
            if (!isMemory && (name.startsWith("sht") || name.startsWith("batch"))) {
                const double error = row["error"].toDouble(-1.0);
                const bool single = name == "batch.alm2map.single";
                QVERIFY2(error >= 0.0 && error < (single ? 1e-6 : 1e-12), qPrintable(name));
                largestError = std::max(largestError, error);
            }
            // A changed setting yields what a run without kept parts yields: rounding of sums.
            if (name.startsWith("spectra.") && name != "spectra.files") {
                const double error = row["error"].toDouble(-1.0);
                QVERIFY2(error >= 0.0 && error < 1e-12, qPrintable(name));
            }
        }
        for (const char* name :
             {"sht.alm2map", "sht.map2alm", "batch.alm2map", "convolve.harmonic", "view", "load",
              "spectra.files", "spectra.beam", "spectra.bins", "spectra.mask"})
            QVERIFY2(names.contains(name), name);
        QVERIFY(largestError > 0.0);
    }

    void benchTunes() {
        const QByteArray before = qgetenv("XDG_CACHE_HOME");
        qputenv("XDG_CACHE_HOME", cli_.path("cache").toLocal8Bit());
        const Outcome outcome = cli_.run("bench --tune --device cpu --nside 16 --repeat 1 --json");
        before.isEmpty() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", before);
        QCOMPARE(outcome.status, 0);
        const QJsonArray rows = QJsonDocument::fromJson(outcome.out).array();
        QVERIFY(rows.size() >= 4);  // two choices, both directions
        for (const QJsonValue& row : rows)
            QVERIFY(row.toObject()["name"].toString().startsWith("tune."));
        QVERIFY(outcome.error.contains("kept in ") && outcome.error.contains(".json"));
        QCOMPARE(cli_.run("bench sht --tune").status, 2);
    }

    void outputsTellHowTheyWereMade() {
        QCOMPARE(cli_.run(QStringList{"convert", cli_.path("map.fits"), "it's müde.fits"}).status,
                 0);
        const QByteArray bytes = cli_.content("it's müde.fits");
        QVERIFY(bytes.contains("HISTORY armilla 1."));
        QVERIFY(bytes.contains("HISTORY command: armilla convert "));
        QVERIFY(bytes.contains("\\xc3\\xbc"));
        QVERIFY(bytes.contains("HISTORY device: cpu"));
    }

    void theSameLineGivesTheSameBytes_data() {
        QTest::addColumn<QString>("line");
        QTest::newRow("convert") << "convert {map.fits} {twice} --ordering nested --overwrite";
        QTest::newRow("smooth") << "smooth {map.fits} {twice} --fwhm 3deg --overwrite";
        QTest::newRow("map2alm") << "map2alm {tqu.fits} {twice} --polarization --overwrite";
        QTest::newRow("anafast") << "anafast {map.fits} {tqu.fits} {twice} --overwrite";
        QTest::newRow("project") << "project {map.fits} {twice} --size 60x30 --overwrite";
    }
    void theSameLineGivesTheSameBytes() {
        QFETCH(QString, line);
        QByteArray first;
        for (int i = 0; i < 2; ++i) {
            const Outcome outcome = cli_.run(line);
            QVERIFY2(outcome.status == 0, outcome.error.constData());
            QByteArray bytes = cli_.content("twice");
            // DATE and the checksums that cover it may differ.
            for (qsizetype card = 0; card + 80 <= bytes.size(); card += 80)
                for (const char* key : {"DATE    ", "CHECKSUM", "DATASUM "})
                    if (bytes.mid(card, 8) == key) bytes.replace(card, 80, QByteArray(80, ' '));
            if (i == 0)
                first = bytes;
            else
                QVERIFY(bytes == first);
        }
    }

    void windowIsAnotherProgram() {
        // A copy of the command alone in a folder finds no window program to start.
        QVERIFY(QFile::copy(ARMILLA_BINARY, cli_.path("armilla")));
        const Outcome outcome = cli_.shell("PATH=/usr/bin ./armilla map.fits");
        QCOMPARE(outcome.status, 1);
        QVERIFY(outcome.error.contains("armilla-gui"));
        cli_.write("armilla-gui", "#!/bin/sh\necho \"window of $*\"\n");
        QFile::setPermissions(cli_.path("armilla-gui"),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QCOMPARE(cli_.shell("./armilla map.fits 'a b.fits'").out,
                 QByteArray("window of map.fits a b.fits\n"));
        QCOMPARE(cli_.shell("./armilla").out, QByteArray("window of \n"));
    }

private:
    CliFixture cli_;
};

QTEST_APPLESS_MAIN(tst_cli)
#include "tst_cli.moc"

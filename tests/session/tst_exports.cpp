// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of the session: views, figures, and the command lines that make the same files.
#include <QDir>
#include <QImage>
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/session/exporter.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/notices.h"
#include "armilla/session/operation_runner.h"
#include "command_line.h"
#include "layer_samples.h"
#include "session_bench.h"
#include "support/patience.h"
#include "support/process_variable.h"

using namespace armilla;
using namespace armilla::test;

class ExportsTest : public QObject {
    Q_OBJECT
private slots:
    // The window and the command may write in different seconds.
    void initTestCase() { test::setVariable("SOURCE_DATE_EPOCH", "1000000000"); }
    void views() {
        Bench bench;
        bench.session.exporter().exportView(bench.path("none.fits"), 100, 50, false);
        bench.session.exporter().exportLayer(LayerId(1), bench.path("none2.fits"), false);
        QCOMPARE(bench.errors.size(), 2);
        bench.open({bench.write(*polarizedMap(16), "p.fits")});
        bench.document().view().setShown(
            {bench.document().view().shown().entry, 0, Quantity::PolarizedAmplitude});
        bench.session.exporter().exportView(bench.path("view.fits"), 200, 100, false);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 2);
        QFile view(bench.path("view.fits"));
        QVERIFY(view.open(QIODevice::ReadOnly));
        QVERIFY(view.readAll().contains("HISTORY recipe: open "));
        // A map without a frame has no sky coordinates.
        bench.open({bench.write(*noiseMap(4, {"I"}, Frame::Unknown), "u.fits")});
        QSignalSpy needed(&bench.session.notices(), &Notices::frameNeeded);
        bench.session.exporter().exportView(bench.path("u_view.fits"), 200, 100, false);
        QCOMPARE(needed.size(), 1);
        QVERIFY(bench.settle() && !QFile::exists(bench.path("u_view.fits")));
        bench.session.operations().answerFrame(bench.document().view().shown().entry,
                                               Frame::Galactic);
        QVERIFY(bench.settle());
        QVERIFY2(QFile::exists(bench.path("u_view.fits")), qPrintable(bench.errors.join('\n')));
        QCOMPARE(bench.errors.size(), 2);
    }
    // No FITS content under another suffix.
    void namesTellTheFormat() {
        Bench bench;
        bench.open({bench.write(*noiseMap(4), "m.fits")});
        const LayerId id = bench.document().view().shown().entry;
        for (const char* name : {"m.csv", "m.png", "m.fits.fz", "m.fits.gz", "m.fit"})
            bench.session.exporter().exportLayer(id, bench.path(name), true);
        bench.session.exporter().exportView(bench.path("v.png"), 200, 100, true);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 4);
        QVERIFY2(bench.errors.front().contains("m.csv: expected a name in .fits, .fits.gz, .fit"),
                 qPrintable(bench.errors.front()));
        for (const char* name : {"m.csv", "m.png", "m.fits.fz", "v.png"})
            QVERIFY(!QFile::exists(bench.path(name)));
        for (const char* name : {"m.fits.gz", "m.fit"}) QVERIFY(QFile::exists(bench.path(name)));
    }
    void commandsNameTheSameWork() {
        Bench bench;
        bench.open({bench.write(*polarizedMap(16), "it's a map.fits")});
        const LayerId id = bench.document().entries()[0].id;
        QCOMPARE(bench.session.exporter().commandFor(id, "out.fits"),
                 QString("armilla convert '%1' out.fits")
                     .arg(bench.path("it's a map.fits").replace("'", "'\\''")));
        QVERIFY(bench.session.exporter().commandFor(id).endsWith(" 'it'\\''s a map_copy.fits'"));
        bench.document().view().setShown({id, 1});
        SmoothParameters parameters;
        parameters.fwhm = 90.0 * kArcmin;
        parameters.iterations = 2;
        parameters.lmax = 30;
        parameters.masked = Masked::Ignore;
        parameters.weights = Weights::None;
        parameters.method = SmoothMethod::Harmonic;
        bench.session.preview().previewSmooth(parameters);
        bench.session.preview().keepSmooth();
        QVERIFY(bench.settle());
        const LayerId smoothed = bench.document().view().shown().entry;
        const QString command = bench.session.exporter().commandFor(smoothed, "-out.fits");
        const QStringList said = command.split(' ');
        QCOMPARE(parseAngle(said[said.indexOf("--fwhm") + 1].toStdString()), parameters.fwhm);
        QVERIFY2(command.contains(" ./-out.fits --fwhm "), qPrintable(command));
        QVERIFY2(command.endsWith(" --method harmonic --lmax 30 --iterations 2 --weights none "
                                  "--masked ignore --field 2"),
                 qPrintable(command));
        // Different widths give different names.
        QVERIFY(bench.session.exporter().commandFor(smoothed).contains(
            "_smoothed_" + QString::fromStdString(angleArgument(parameters.fwhm)) + ".fits"));
        // Smoothed twice: the first command makes the input of the second.
        bench.session.preview().previewSmooth(parameters);
        bench.session.preview().keepSmooth();
        QVERIFY(bench.settle());
        const QStringList chain = bench.session.exporter()
                                      .commandFor(bench.document().view().shown().entry, "out.fits")
                                      .split(" && ");
        QCOMPARE(chain.size(), 2);
        QVERIFY2(chain[0].contains(" out_step1.fits --fwhm "), qPrintable(chain[0]));
        QVERIFY2(chain[1].startsWith("armilla smooth out_step1.fits out.fits --fwhm "),
                 qPrintable(chain[1]));
        QVERIFY(bench.errors.isEmpty());
        QCOMPARE(bench.session.exporter().commandFor(LayerId(99)), QString());
        QCOMPARE(bench.errors.size(), 1);
        // A view of a field of a file.
        bench.document().view().setShown({id, 2});
        Camera camera = bench.document().view().camera().centeredOn({1.0, 0.5});
        camera.projection = Projection::Gnomonic;
        camera.zoom = 3.0;
        camera.flip = true;
        bench.document().view().setCamera(camera);
        const QString view = bench.session.exporter().commandForView("v.fits", 300, 200);
        QVERIFY2(view.contains(" v.fits --field 3 --projection gnomonic --center "),
                 qPrintable(view));
        QVERIFY2(view.endsWith(" --flip"), qPrintable(view));
        const QStringList words = view.split(' ');
        const double resolution =
            parseAngle(words[words.indexOf("--resolution") + 1].toStdString());
        QCOMPARE(resolution, camera.radiansPerPixel(300, 200));
        bench.document().view().setShown({id, 0, Quantity::PolarizedAmplitude});
        QCOMPARE(bench.session.exporter().commandForView("v.fits", 300, 200), QString());
    }
    // For every kind, one command writes an opened file with the same bytes.
    void commandsOfAllKindsWriteTheSame_data() {
        QTest::addColumn<int>("kind");
        for (const LayerKind kind : kLayerKinds)
            QTest::newRow(factsOf(kind).id) << static_cast<int>(kind);
    }
    void commandsOfAllKindsWriteTheSame() {
        QFETCH(int, kind);
        if (!hasCommandLine()) QSKIP("this build has no command line");
        Bench bench;
        LayerValue value = sampleLayer(static_cast<LayerKind>(kind));
        // An image with celestial coordinates.
        if (value.image) value = std::make_shared<const Image>(placedImage());
        const LayerId made = bench.document().addLayer(value, "made", {});
        bench.session.exporter().exportLayer(made, bench.path("source.fits"), false);
        QVERIFY(bench.settle());
        bench.open({bench.path("source.fits")});
        const LayerId opened = bench.document().entries().back().id;
        QVERIFY2(opened != made, qPrintable(bench.errors.value(0)));
        const QString out = bench.path("out.fits");
        const QString command = bench.session.exporter().commandFor(opened, out);
        QVERIFY(command.startsWith("armilla convert "));
        bench.session.exporter().exportLayer(opened, out, false);
        QVERIFY(bench.settle());
        const auto content = [&out] {
            QFile file(out);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray exported = content();
        QVERIFY(!exported.isEmpty() && QFile::remove(out));
        const QString failure = failureOf(command);
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
        QCOMPARE(content(), exported);
    }
    // Line segments with the length of a field of another file: one command makes the figure. For a
    // length from a result there is no command.
    void rodsOfAnyLengthAreOneCommand() {
        if (!hasCommandLine()) QSKIP("this build has no command line");
        Bench bench;
        bench.open({bench.write(*polarizedMap(16), "pol.fits")});
        bench.open({bench.write(*noiseMap(32), "high.fits")});
        Document& document = bench.document();
        document.view().setShown({document.entries()[0].id, 0});
        document.overlays().setRodsVisible(true);
        PolarizationLook look;
        look.lengthLayer = document.entries()[1].id;
        document.overlays().setPolarizationLook(look);
        QVERIFY(bench.settle());
        const QString command =
            bench.session.exporter().commandForFigure(bench.path("rods.png"), 500, 400, 100.0);
        QVERIFY2(command.contains("--rods-length") && command.contains("high.fits"),
                 qPrintable(command));
        const QString failure = failureOf(command);
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
        Recipe made;
        made.kind = RecipeKind::SampleSky;
        look.lengthLayer = document.addLayer(noiseMap(32), "made", made);
        document.view().setShown({document.entries()[0].id, 0});
        document.overlays().setPolarizationLook(look);
        QVERIFY(!bench.session.exporter()
                     .commandForFigure("f.png", 500, 400, 100.0)
                     .contains("--rods-length"));
    }
    void commandMakesTheSameFile() {
        if (!hasCommandLine()) QSKIP("this build has no command line");
        Bench bench;
        bench.open({bench.write(*noiseMap(64), "in put.fits")});
        SmoothParameters parameters;
        parameters.fwhm = 1.3 * kDegree;
        bench.session.setDevice(Device::cpu());
        bench.session.preview().previewSmooth(parameters);
        bench.session.preview().keepSmooth();
        QVERIFY(bench.settle());
        const LayerId id = bench.document().view().shown().entry;
        bench.session.exporter().exportLayer(id, bench.path("gui.fits"), false);
        bench.document().view().setShown({bench.document().entries()[0].id, 0});
        bench.document().view().setCamera(bench.document().view().camera().centeredOn({1.0, 0.4}));
        bench.session.exporter().exportView(bench.path("gui_view.fits"), 160, 80, false);
        const QString viewCommand =
            bench.session.exporter().commandForView(bench.path("cli_view.fits"), 160, 80);
        Camera camera = bench.document().view().camera();
        camera.zoom = 2.5;
        bench.document().view().setCamera(camera);
        bench.session.exporter().exportFigure(bench.path("gui.png"), 500, 400, 120.0, false);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        for (const QString& command :
             {bench.session.exporter().commandFor(id, bench.path("cli.fits")), viewCommand,
              bench.session.exporter().commandForFigure(bench.path("cli.png"), 500, 400, 120.0)}) {
            const QString failure = failureOf(command);
            QVERIFY2(failure.isEmpty(), qPrintable(failure));
        }
        QCOMPARE(
            largestDifference(readBack(bench.path("gui.fits")), readBack(bench.path("cli.fits"))),
            0.0);
        // The data of the pictures follow the header, which ends at a multiple of 2880.
        const auto data = [&](const QString& name) {
            QFile file(bench.path(name));
            if (!file.open(QIODevice::ReadOnly)) return QByteArray();
            return file.readAll().right(160 * 80 * 4 / 2880 * 2880);
        };
        QCOMPARE(data("gui_view.fits"), data("cli_view.fits"));
        const QImage figure(bench.path("gui.png"));
        QCOMPARE(figure.size(), QSize(500, 400));
        QCOMPARE(QImage(bench.path("cli.png")).convertToFormat(QImage::Format_RGB32),
                 figure.convertToFormat(QImage::Format_RGB32));
        // Colors that the command line does not support.
        const Shown shown = bench.document().view().shown();
        ColorScale scale = bench.document().drawings().colorScale(shown);
        scale.reversed = true;
        bench.document().drawings().setColorScale(shown, scale);
        QCOMPARE(bench.session.exporter().commandForFigure("f.png", 500, 400, 120.0), QString());
        QVERIFY(bench.errors.last().contains("no command makes"));
    }
    // In another frame Q and U rotate: the files of window and command line are equal except for
    // the date, and the figures are equal pictures.
    void turnedViewsAreThoseOfTheCommand_data() {
        QTest::addColumn<int>("field");
        QTest::addColumn<bool>("isDouble");
        QTest::newRow("T") << 0 << false;
        QTest::newRow("Q") << 1 << false;
        QTest::newRow("U") << 2 << false;
        QTest::newRow("U in double precision") << 2 << true;
    }
    void turnedViewsAreThoseOfTheCommand() {
        QFETCH(int, field);
        QFETCH(bool, isDouble);
        if (!hasCommandLine()) QSKIP("this build has no command line");
        Bench bench;
        HealpixMap map = *polarizedMap(32);
        if (isDouble)
            for (int i = 0; i < 3; ++i) {
                const auto single = std::get<0>(map.field(i).values);
                map.field(i).values = std::vector<double>(single.begin(), single.end());
                map.field(i).diskType = DiskType::Float64;
            }
        bench.open({bench.write(map, "pol.fits")});
        Document& document = bench.document();
        document.view().setShown({document.entries()[0].id, field});
        document.view().setCamera(
            document.view().camera().inFrame(Frame::Equatorial).centeredOn({1.0, -0.4}));
        // Lines are antialiased at their edges, where the last bit of a position may be visible.
        document.overlays().setGraticule(false, 0.0);
        QVERIFY(bench.settle());
        const QString view = bench.path("view.fits"), figure = bench.path("figure.png");
        const QString viewCommand = bench.session.exporter().commandForView(view, 160, 80);
        const QString figureCommand =
            bench.session.exporter().commandForFigure(figure, 500, 400, 120.0);
        const auto made = [&](const QString& name) {
            QFile file(name);
            if (!file.open(QIODevice::ReadOnly)) return QByteArray();
            QByteArray content = file.readAll();
            file.close();
            file.remove();
            // The checksum over the header includes the date.
            for (const char* card : {"DATE    =", "CHECKSUM="})
                if (const auto at = content.indexOf(card); at >= 0)
                    content.replace(at, 80, QByteArray(80, ' '));
            return content;
        };
        bench.session.exporter().exportView(view, 160, 80, false);
        bench.session.exporter().exportFigure(figure, 500, 400, 120.0, false);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        const QByteArray windows = made(view);
        const QImage picture = QImage::fromData(made(figure)).convertToFormat(QImage::Format_RGB32);
        QVERIFY(!picture.isNull());
        for (const QString& command : {viewCommand, figureCommand}) {
            const QString failure = failureOf(command);
            QVERIFY2(failure.isEmpty(), qPrintable(failure));
        }
        const QByteArray commands = made(view);
        QVERIFY(windows.contains("HISTORY command: armilla project"));
        QCOMPARE(windows.contains("in equatorial (ICRS)"), field > 0);
        QCOMPARE(windows.size(), commands.size());
        for (qsizetype at = 0; at + 80 <= windows.size(); at += 80)
            QCOMPARE(windows.mid(at, 80), commands.mid(at, 80));
        const QImage rendered =
            QImage::fromData(made(figure)).convertToFormat(QImage::Format_RGB32);
        QCOMPARE(rendered, picture);
    }
    void wordsForTheShell_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("quoted");
        QTest::newRow("plain") << "/a/b-c_1.fits"
                               << "/a/b-c_1.fits";
        // With a file map.fits1 in the folder, an unquoted name would match that file in the shell.
        QTest::newRow("HDU") << "map.fits[1]"
                             << "'map.fits[1]'";
        QTest::newRow("empty") << ""
                               << "''";
        QTest::newRow("blank") << "a b"
                               << "'a b'";
        QTest::newRow("quote") << "it's"
                               << "'it'\\''s'";
        QTest::newRow("dollar") << "$HOME`x`"
                                << "'$HOME`x`'";
        QTest::newRow("newline") << "a\nb"
                                 << "$'a\\x0ab'";
        QTest::newRow("umlaut and quote") << QString::fromUtf8("ü'\\") << "$'\\xc3\\xbc\\'\\\\'";
        QTest::newRow("ends in newline") << "a\n"
                                         << "$'a\\x0a'";
    }
    void wordsForTheShell() {
        QFETCH(QString, word);
        QFETCH(QString, quoted);
        QCOMPARE(shellQuoted(word), quoted);
        QTemporaryDir folder;
        QVERIFY(QFile(folder.filePath("map.fits1")).open(QIODevice::WriteOnly));
        QProcess shell;
        shell.setWorkingDirectory(folder.path());
        shell.start("bash", {"-c", "printf %s " + quoted});
        QVERIFY(shell.waitForFinished(kPatience));
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), word);
    }
};

QTEST_MAIN(ExportsTest)
#include "tst_exports.moc"

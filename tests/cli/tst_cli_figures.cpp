// SPDX-License-Identifier: GPL-3.0-or-later
// Figures for paper by `armilla render`: sizes in millimeters, presets, panels, insets.
#include <QFile>
#include <QImage>
#include <QtTest>

#include "rendered_sky.h"

using namespace armilla;
using namespace armilla::test;

class CliFiguresTest : public QObject {
    Q_OBJECT
    CliFixture cli_;

    QImage rendered(const QString& map, const QString& options) {
        return test::rendered(cli_, map, "--size 500x340 " + options);
    }

private slots:
    void initTestCase() { cli_.writeSky("tqu.fits", 32, Ordering::Ring, 3); }

    // A width on paper: 88 mm at 254 pixels per inch are 880 pixels. The height is half of the
    // width for the sky, and up to 70 points (247 pixels) for color bar, ticks, unit, frame and
    // gaps.
    void sizesOnPaper() {
        const Outcome made = cli_.run(
            "render {tqu.fits} {r.png} --overwrite --json --field 1 --width 88mm --dpi 254 --crop");
        QCOMPARE(made.error, QByteArray());
        const QImage image(cli_.path("r.png"));
        QCOMPARE(image.width(), 880);
        QVERIFY(image.height() > 440 && image.height() < 700);
        QCOMPARE(made.json()["height"].toInt(), image.height());
        QCOMPARE(cli_.run("render {tqu.fits} {r.png} --overwrite --width 88mm --height 50mm "
                          "--dpi 254")
                     .status,
                 0);
        QCOMPARE(QImage(cli_.path("r.png")).size(), QSize(880, 500));
        QCOMPARE(cli_.run("render {tqu.fits} {x.png} --width 88mm --size 40x40").status, 2);
        QCOMPARE(cli_.run("render {tqu.fits} {x.png} --width 88inches").status, 2);
    }
    // A preset gives the options that the line does not state.
    void presets() {
        QFile preset(cli_.path("paper.json"));
        QVERIFY(preset.open(QIODevice::WriteOnly));
        preset.write(R"({"width":"88mm","dpi":"254","crop":"true","background":"transparent"})");
        preset.close();
        const auto bytes = [&](const QString& options) {
            return test::rendered(cli_, "{tqu.fits}", "--field 1 " + options);
        };
        const QImage stated = bytes("--width 88mm --dpi 254 --crop --background transparent");
        QVERIFY(!stated.isNull());
        QCOMPARE(bytes("--preset {paper.json}"), stated);
        QCOMPARE(bytes("--preset {paper.json} --background light"),
                 bytes("--width 88mm --dpi 254 --crop"));
        QVERIFY(preset.open(QIODevice::WriteOnly));
        preset.write(R"({"with":"88mm"})");
        preset.close();
        const Outcome refused =
            cli_.run("render {tqu.fits} {x.png} --field 1 --preset {paper.json}");
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.error.contains("found 'with'"), refused.error.constData());
    }
    // A stated size in pixels stands in place of the width of a preset, and the preset holds
    // contours, the legend and the columns of panels.
    void presetsBesideOptions() {
        const auto keep = [&](const char* text) {
            QFile preset(cli_.path("paper.json"));
            QVERIFY(preset.open(QIODevice::WriteOnly));
            preset.write(text);
        };
        const auto drawn = [&](const QString& options) {
            return test::rendered(cli_, "{tqu.fits}", "--field 1 " + options);
        };
        keep(R"({"width":"88mm","height":"60mm","colorbar":"right"})");
        const QImage sized = drawn("--preset {paper.json} --size 500x340");
        QCOMPARE(sized.size(), QSize(500, 340));
        QCOMPARE(sized, drawn("--colorbar right --size 500x340"));
        keep(R"({"contours":"-1,0.5","panel-columns":"1"})");
        QCOMPARE(drawn("--preset {paper.json} --size 500x340"),
                 drawn("--contours=-1,0.5 --size 500x340"));
        QCOMPARE(drawn("--preset {paper.json} --size 400x700 --panels tqu.fits#2"),
                 drawn("--contours=-1,0.5 --size 400x700 --panels tqu.fits#2 --panel-columns 1"));
        cli_.write("places.csv", "GLON,GLAT\n10.5,20.25\n83.5,-5.5\n");
        keep(R"({"legend":"Sources"})");
        const QImage marked =
            drawn("--preset {paper.json} --size 500x340 --catalog {places.csv} --input-frame G");
        QVERIFY(!marked.isNull());
        QCOMPARE(marked, drawn("--legend Sources --size 500x340 --catalog {places.csv} "
                               "--input-frame G"));
        // Without markers a line says that the legend of the preset does not apply.
        const Outcome noted = cli_.run(
            "render {tqu.fits} {x.png} --overwrite --field 1 --preset {paper.json} --size 500x340");
        QCOMPARE(noted.status, 0);
        QVERIFY2(noted.error.contains("legend left out: expected a catalog"),
                 noted.error.constData());
        QCOMPARE(QImage(cli_.path("x.png")), drawn("--size 500x340"));
        keep(R"({"height":"60mm"})");
        QCOMPARE(cli_.run("render {tqu.fits} {y.png} --field 1 --preset {paper.json}").status, 2);
        keep(R"({"contours":"low"})");
        QCOMPARE(cli_.run("render {tqu.fits} {y.png} --field 1 --preset {paper.json}").status, 2);
    }
    // Options without effect are refused.
    void optionsThatNeedAnother() {
        for (const char* options :
             {"--inset-width 5deg", "--inset-corner top-left", "--panel-columns 2",
              "--panel-titles one", "--legend Sources"}) {
            const Outcome refused =
                cli_.run(QString("render {tqu.fits} {y.png} --field 1 ") + options);
            QVERIFY2(refused.status == 2, options);
            QVERIFY2(refused.error.contains("found none"), refused.error.constData());
        }
    }
    // Panels of fields of files on one page, an inset and a legend.
    void panelsInsetAndLegend() {
        const QImage one = rendered("{tqu.fits}", "--field 1");
        const QImage two =
            rendered("{tqu.fits}", "--field 1 --panels tqu.fits#2 --panel-titles Temperature,Q");
        QVERIFY(!two.isNull() && two != one);
        const QImage inset = rendered("{tqu.fits}", "--field 1 --inset 30deg,20deg");
        QVERIFY(!inset.isNull() && inset != one);
        QCOMPARE(rendered("{tqu.fits}", "--field 1 --inset 30deg,20deg --inset-width 10deg"),
                 inset);
        QVERIFY(rendered("{tqu.fits}", "--field 1 --inset 30deg,20deg --inset-corner top-left") !=
                inset);
        QCOMPARE(
            cli_.run("render {tqu.fits} {x.png} --panels tqu.fits#2 --panel-titles one").status, 2);
    }
    // Contours of noise are many short paths: Qt draws a long one slowly.
    void contoursOfNoise() {
        cli_.writeSky("sky.fits", 64, Ordering::Ring);
        QCOMPARE(cli_.run(QStringList{"calc", "(A * 79191.7 % 1) - 0.5", cli_.path("noise.fits"),
                                      "--let", "A=" + cli_.path("sky.fits"), "--unit", "none"})
                     .status,
                 0);
        QCOMPARE(cli_.run("render {noise.fits} {n.svg} --contours 0 --size 400x250").status, 0);
        qsizetype points = 0;
        for (const QByteArray& path : cli_.content("n.svg").replace("<path", "\n<path").split('\n'))
            if (path.startsWith("<path")) {
                QVERIFY(path.count('L') < 4000);
                points += path.count('L');
            }
        QVERIFY2(points > 20000, qPrintable(QString::number(points)));
    }
};

QTEST_APPLESS_MAIN(CliFiguresTest)
#include "tst_cli_figures.moc"

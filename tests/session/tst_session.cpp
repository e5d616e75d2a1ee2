// SPDX-License-Identifier: GPL-3.0-or-later
// Opening of files, and preparation for drawing.
#include <QDir>
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/session/exporter.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "layer_samples.h"
#include "map_work.h"
#include "session_bench.h"
#include "support/comparisons.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

class SessionTest : public QObject {
    Q_OBJECT
private slots:
    void opensWithPictureAndColors() {
        Bench bench;
        const auto map = noiseMap(32, {"TEMPERATURE"}, Frame::Equatorial);
        bench.open({bench.write(*map, "a map.fits")});
        QCOMPARE(bench.document().entries().size(), size_t{1});
        const Layer& entry = bench.document().entries()[0];
        QCOMPARE(entry.name, QString("a map.fits"));
        QCOMPARE(bench.document().view().shown(), (Shown{entry.id, 0}));
        QCOMPARE(bench.document().view().camera().frame, Frame::Equatorial);
        const auto drawable = bench.document().drawings().drawable({entry.id, 0});
        QVERIFY(drawable);
        QCOMPARE(drawable->pyramid->nside(), int64_t{32});
        QCOMPARE(drawable->sortedSample.size(), size_t(12 * 32 * 32));
        QVERIFY(std::is_sorted(drawable->sortedSample.begin(), drawable->sortedSample.end()));
        // Noise of deviation 1 and both signs: symmetric, at the 1 % tails (2.33 sigma). The tail
        // percentile of 12288 samples has a standard error of 0.034.
        const ColorScale scale = bench.document().drawings().colorScale({entry.id, 0});
        QCOMPARE(scale.mapping.low, -scale.mapping.high);
        QVERIFY(std::abs(scale.mapping.high - 2.326F) < 0.2F);
        QCOMPARE(bench.session.files().recentFiles(), QStringList{bench.path("a map.fits")});
        QVERIFY(bench.errors.isEmpty());
        // Settings are kept.
        Session other(SessionPaths{bench.path("settings.conf"), bench.path("state")});
        QCOMPARE(other.files().recentFiles(), bench.session.files().recentFiles());
    }
    void keepsTheOrderOfFilesOpenedTogether() {
        Bench bench;
        // The first file takes longest; the second one does not exist.
        const QString large = bench.write(*noiseMap(256, {"T"}), "large.fits");
        const QString small = bench.write(*noiseMap(4, {"T"}), "small.fits");
        const QString smaller = bench.write(*noiseMap(2, {"T"}), "smaller.fits");
        QFile text(bench.path("text.fits"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("hello\n1 2\n");
        text.close();
        bench.session.files().openFiles({large, text.fileName(), small, smaller});
        QVERIFY(bench.settle());
        QStringList names;
        for (const Layer& entry : bench.document().entries()) names << entry.name;
        QCOMPARE(names, (QStringList{"large.fits", "small.fits", "smaller.fits"}));
        QCOMPARE(bench.document().view().shown().entry, bench.document().entries()[0].id);
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY2(bench.errors[0].contains("text.fits"), qPrintable(bench.errors[0]));
        // Reported only by the message.
        QVERIFY(bench.session.jobs().jobs().empty());
    }
    void otherFieldsAreDrawnWhenShown() {
        Bench bench;
        bench.open({bench.write(*polarizedMap(8), "p.fits")});
        const LayerId id = bench.document().entries()[0].id;
        for (const Shown shown : {Shown{id, 2}, Shown{id, 0, Quantity::PolarizedAmplitude},
                                  Shown{id, 0, Quantity::PolarizationAngle}}) {
            QVERIFY(!bench.document().drawings().drawable(shown));
            bench.document().view().setShown(shown);
            QTRY_VERIFY_WITH_TIMEOUT(bench.document().drawings().drawable(shown), kPatience);
        }
        setCompared(bench.document(), {id, 1});
        QTRY_VERIFY_WITH_TIMEOUT((bench.document().drawings().drawable({id, 1})), kPatience);
        QCOMPARE(
            (bench.document().drawings().colorScale({id, 0, Quantity::PolarizationAngle}).colorMap),
            std::string("twilight"));
    }
    void angleOfCoarsePixelsIsThatOfTheMean() {
        // Q = -1, U = +-0.02: angles just below 90 and just above -90 degrees; their mean angle is
        // 0, that of the mean Q and U is 90.
        const int64_t nside = 4;
        std::vector<float> q(192, -1.0F), u(192);
        for (size_t i = 0; i < u.size(); ++i) u[i] = i % 2 == 0 ? 0.02F : -0.02F;
        const auto map = std::make_shared<const HealpixMap>(
            nside, Ordering::Nested, Frame::Galactic,
            std::vector<Field>{field("T", std::vector<float>(192)), field("Q", q), field("U", u)});
        JobContext job;
        const auto drawable = makeDrawable(map, {LayerId(), 0, Quantity::PolarizationAngle},
                                           Frame::Galactic, 64, job);
        for (const float value : drawable->pyramid->level(1))
            // The mean of U is 0; single precision rounds 90 degrees by 4e-6.
            QVERIFY(std::abs(std::abs(value) - 90.0F) < 1e-5F);
        for (const float value : drawable->pyramid->level(0))
            QVERIFY(std::abs(std::abs(value) - 90.0F) < 1.0F);
    }
    void refusedFilesChangeNothing_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("missing") << QByteArray();
        QTest::newRow("text") << QByteArray("this is no map");
        QTest::newRow("fits without tables")
            << QByteArray("SIMPLE  =                    T").leftJustified(80) +
                   QByteArray("BITPIX  =                    8").leftJustified(80) +
                   QByteArray("NAXIS   =                    0").leftJustified(80) +
                   QByteArray("END").leftJustified(2880 - 240);
    }
    void refusedFilesChangeNothing() {
        QFETCH(QByteArray, content);
        Bench bench;
        const QString path = bench.path("bad.fits");
        if (!content.isEmpty()) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        }
        bench.session.files().openFiles({path});
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY2(bench.errors[0].contains("bad.fits"), qPrintable(bench.errors[0]));
        QVERIFY2(!bench.errors[0].contains('\n'), qPrintable(bench.errors[0]));
        QVERIFY(bench.document().entries().empty());
        QVERIFY(!bench.document().history().stack()->canUndo());
        QVERIFY(bench.session.files().recentFiles().isEmpty());
    }
    void spectraAreCurves() {
        Bench bench;
        Spectra spectra;
        spectra[SpectrumKind::TT] = {1.0, 2.0, 3.0};
        spectra[SpectrumKind::EE] = {0.5, 0.25};
        spectra.unit = "K^2";
        JobContext job;
        writeSpectra(spectra, bench.path("cl.fits").toStdString(), {}, job);
        bench.session.files().openFiles({bench.path("cl.fits")});
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{1});
        const Layer& layer = bench.document().entries()[0];
        QVERIFY(layer.curve && !layer.map);
        QCOMPARE(layer.curve->kind, CurveKind::Spectrum);
        QCOMPARE(layer.curve->x, (std::vector<double>{0.0, 1.0, 2.0}));
        QCOMPARE(layer.curve->series.front().values, (std::vector<double>{1.0, 2.0, 3.0}));
        QCOMPARE(bench.document().view().shown().entry, LayerId());
        QCOMPARE(bench.document().active(), layer.id);
        // Commands for maps report the error and do nothing.
        bench.session.preview().previewSmooth({});
        bench.session.spectrum().request({layer.id, 0});
        bench.session.operations().showDifference({layer.id, 0}, {layer.id, 0});
        bench.session.exporter().exportView(bench.path("view.fits"), 10, 10, false);
        QCOMPARE(bench.errors.size(), 4);
        for (const QString& line : bench.errors) QVERIFY2(line.contains("map"), qPrintable(line));
        // In the formats of the commands, which declare their content.
        for (const char* name : {"cl.csv", "again.fits", "cl.ecsv", "cl.txt"}) {
            bench.session.exporter().exportLayer(layer.id, bench.path(name), false);
            QVERIFY(bench.settle());
            std::vector<std::string> notes;
            const Spectra back = readSpectra(bench.path(name).toStdString(), &notes);
            QVERIFY2(notes.empty(), name);
            QCOMPARE(back[SpectrumKind::TT], spectra[SpectrumKind::TT]);
            QCOMPARE(back[SpectrumKind::EE].at(1), 0.25);
            QCOMPARE(back.unit, std::string("K^2"));
        }
        const auto contentOf = [&](const char* name) {
            QFile file(bench.path(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QCOMPARE(contentOf("cl.csv").simplified(),
                 QByteArray("l,C_TT [K^2],C_EE [K^2] 0,1,0.5 1,2,0.25 2,3,0"));
        const QByteArray header = contentOf("again.fits");
        QVERIFY(header.contains("'POWER SPECTRUM'") && header.contains("command: armilla convert"));
    }
    // A spectrum with errors, or without C_l of each l, keeps its own columns.
    void bandPowersKeepTheirColumns() {
        Bench bench;
        Curve bands, named;
        bands.kind = named.kind = CurveKind::Spectrum;
        bands.xName = named.xName = "l";
        bands.x = {10.0, 20.0};
        bands.series = {{"TT", "", {1.0, 2.0}, {0.5, 0.5}}};
        named.x = {0.0, 1.0};
        named.series = {{"model", "", {1.0, 2.0}, {}}};
        for (const auto& [curve, text] : {std::pair{bands, "l,C_TT,C_TT_ERR 10,1,0.5 20,2,0.5"},
                                          std::pair{named, "l,model 0,1 1,2"}}) {
            const LayerId layer = bench.document().addLayer(std::make_shared<const Curve>(curve),
                                                            QString("bands"), Recipe());
            bench.session.exporter().exportLayer(layer, bench.path("o.csv"), true);
            QVERIFY(bench.settle());
            QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
            QFile file(bench.path("o.csv"));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(file.readAll().simplified(), QByteArray(text));
        }
    }
    // A table without rows is opened, with a message.
    void emptyTablesAreTold() {
        Bench bench;
        writeFile(bench.path("none.csv"), "RA,DEC,FLUX\n");
        writeFile(bench.path("one.csv"), "RA,DEC,FLUX\n1,2,3\n");
        bench.open({bench.path("one.csv")});
        QVERIFY2(bench.news.isEmpty(), qPrintable(bench.news.join("\n")));
        bench.open({bench.path("none.csv")});
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.news, QStringList{"none.csv: a table of 0 rows"});
        QCOMPARE(bench.document().entries().size(), size_t{2});
    }
    // B_l of a file; and of polarization if different.
    void beamsAreCurves() {
        Bench bench;
        QFile text(bench.path("beam.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("0 1\n1 0.875\n2 0.5\n");
        text.close();
        bench.open({bench.path("beam.txt")});
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        const LayerId opened = bench.document().entries().front().id;
        bench.session.exporter().exportLayer(opened, bench.path("beam.fits"), false);
        QVERIFY(bench.settle());
        bench.open({bench.path("beam.fits")});
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{2});
        for (const Layer& layer : bench.document().entries()) {
            QVERIFY(layer.curve);
            QCOMPARE(layer.curve->kind, CurveKind::Beam);
            QCOMPARE(layer.curve->x, (std::vector<double>{0.0, 1.0, 2.0}));
            QCOMPARE(layer.curve->series.size(), size_t{1});
            QCOMPARE(layer.curve->series.front().values, (std::vector<double>{1.0, 0.875, 0.5}));
        }
    }
    // FITS, VOTable, CSV, ECSV and Parquet of a catalog are written, opened, saved in a session,
    // and restored.
    void catalogsGoThroughFiles_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"c.fits", "c.vot", "c.csv", "c.ecsv", "c.parquet"})
            QTest::newRow(name) << name;
    }
    void catalogsGoThroughFiles() {
        QFETCH(QString, name);
        Bench bench;
        const Catalog catalog = randomCatalog(200, Frame::Equatorial);
        const LayerId made =
            bench.document().addLayer(std::make_shared<const Catalog>(catalog), "c", {});
        bench.session.exporter().exportLayer(made, bench.path(name), false);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        bench.session.files().openFiles({bench.path(name)});
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        const LayerId id = bench.document().active();
        const Layer* layer = bench.document().entry(id);
        QVERIFY(id != made && layer->catalog);
        QCOMPARE(layer->catalog->rows(), int64_t{200});
        QCOMPARE(layer->catalog->frame(), Frame::Equatorial);
        for (int64_t row = 0; row < 200; ++row)
            // Degrees in the file, radians here: conversions round by a few machine epsilons of up
            // to 2 pi.
            QVERIFY(angularDistance(direction(layer->catalog->at(row)),
                                    direction(catalog.at(row))) < 1e-14);
        QVERIFY(bench.document().drawings().markers(id));
        QCOMPARE(bench.document().drawings().markers(id)->size(), int64_t{200});
        bench.document().removeLayer(made);
        bench.session.project().saveSession(bench.path("s.armilla"));
        QVERIFY(bench.settle());
        Bench other;
        other.session.project().loadSession(bench.path("s.armilla"));
        QVERIFY(other.settle());
        QVERIFY2(other.errors.isEmpty(), qPrintable(other.errors.join("\n")));
        QCOMPARE(other.document().entries().size(), size_t{1});
        QCOMPARE(other.document().entries()[0].catalog->rows(), int64_t{200});
        QVERIFY(other.document().drawings().markers(id));
    }
    void sampleSkyOpens() {
        Bench bench;
        bench.session.files().openSampleSky(64);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{1});
        QCOMPARE(bench.document().entries()[0].recipe.kind, RecipeKind::SampleSky);
        QVERIFY(bench.document().drawings().drawable(bench.document().view().shown()));
        QVERIFY(bench.session.files().recentFiles().isEmpty());
        QCOMPARE(bench.session.exporter().commandFor(bench.document().view().shown().entry),
                 QString());
        bench.session.files().openSampleSky(0);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 2);
        QCOMPARE(bench.document().entries().size(), size_t{1});
    }
    void sampleOfAMultiOrderMapIsByArea() {
        // One base pixel of value 1 and eleven of 0, one of which is cut into 4^3 cells: the value
        // 1 has a twelfth of the sample, not 1/75.
        std::vector<int64_t> first;
        std::vector<uint8_t> orders;
        std::vector<float> values;
        for (int64_t base = 0; base < 12; ++base) {
            const int pieces = base == 3 ? 64 : 1;
            for (int64_t i = 0; i < pieces; ++i) {
                first.push_back(base * 64 + (pieces == 1 ? 0 : i));
                orders.push_back(pieces == 1 ? 0 : 3);
                values.push_back(base == 0 ? 1.0F : 0.0F);
            }
        }
        const auto map = std::make_shared<const HealpixMap>(
            HealpixMap::multiOrder(8, Frame::Galactic, first, orders, {field("PROB", values)}));
        JobContext job;
        const auto drawable = makeDrawable(map, {}, Frame::Galactic, 8, job);
        QCOMPARE(drawable->sortedSample.size(), size_t{768});
        QCOMPARE(std::count(drawable->sortedSample.begin(), drawable->sortedSample.end(), 1.0F),
                 std::ptrdiff_t{64});
    }
};

QTEST_GUILESS_MAIN(SessionTest)
#include "tst_session.moc"

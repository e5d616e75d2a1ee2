// SPDX-License-Identifier: GPL-3.0-or-later
// Files that releases wrote open with the same values for ever: one folder of files for each
// release, with the values that healpy and astropy read from them (make_kept.py).
//
// `tst_kept --make FOLDER` writes the session and the preset of a release beside its other files.
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QtTest>

#include "armilla/core/units.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/figure_options.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/project_keeper.h"
#include "session/restore_watch.h"
#include "session/session_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr double kFwhm = 20.0 * kPi / 180.0;
constexpr const char* kPlace = "FOLDER";  // stands for the folder of the files in a session

FigureOptions keptFigure() {
    FigureOptions options;
    options.look.background = FigureBackground::Dark;
    options.look.textPoints = 7.5;
    options.width = 88.0;
    options.dpi = 300.0;
    options.graticule = kPi / 6.0;
    return options;
}

// Opens the map, smooths it and opens the catalog and the spectrum, in a view unlike that of a new
// session.
int make(const QString& folder) {
    Bench bench;
    Document& document = bench.document();
    bench.open({folder + "/map.fits"});
    document.view().setShown({document.entries().front().id, 0});
    SmoothParameters parameters;
    parameters.fwhm = kFwhm;
    bench.session.preview().previewSmooth(parameters);
    bench.session.preview().keepSmooth();
    if (!bench.settle()) return 1;
    bench.open({folder + "/catalog.fits", folder + "/spectrum.fits"});
    document.view().setCamera(document.view().camera().centeredOn({1.0, 0.2}));
    document.view().setSwipe(0.75);
    const QString path = folder + "/session.armilla";
    bench.session.project().saveSession(path);
    if (!bench.settle() || !bench.errors.isEmpty()) return 1;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return 1;
    const QByteArray content = file.readAll().replace(folder.toUtf8(), kPlace);
    file.close();
    writeFile(path, content);
    writeFile(folder + "/preset.json", QByteArray::fromStdString(presetText(keptFigure())));
    return 0;
}

}  // namespace

class TestKept : public QObject {
    Q_OBJECT
    QString folder_;
    QJsonObject values_;

    std::string path(const char* name) const { return (folder_ + '/' + name).toStdString(); }
    // A file stores the bits of a value, and JSON enough digits of it: equality holds to the bit.
    static void compare(double found, const QJsonValue& expected) {
        if (expected.isNull())
            QVERIFY(std::isnan(found));
        else
            QCOMPARE(QByteArray::number(found, 'g', 17),
                     QByteArray::number(expected.toDouble(), 'g', 17));
    }
    HealpixMap map(const char* name) const {
        JobContext job;
        return readMap(path(name), {}, job);
    }

private slots:
    void initTestCase_data() {
        QTest::addColumn<QString>("folder");
        const QDir kept(QStringLiteral(ARMILLA_SOURCE_DIR "/tests/kept"));
        const QStringList releases = kept.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QVERIFY(releases.contains(QLatin1String("1.0.0")));
        for (const QString& release : releases)
            QTest::newRow(qPrintable(release)) << kept.filePath(release);
    }
    void init() {
        QFETCH_GLOBAL(QString, folder);
        folder_ = folder;
        QFile file(folder + "/values.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        values_ = QJsonDocument::fromJson(file.readAll()).object();
    }

    void mapsAndMasks_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"map", "smoothed", "mask"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void mapsAndMasks() {
        QFETCH(QString, name);
        const QJsonObject expected = values_[name].toObject();
        const HealpixMap found = map(qPrintable(name + ".fits"));
        QCOMPARE(found.nside(), expected["nside"].toInteger());
        QVERIFY(found.ordering() ==
                (expected["ordering"] == "RING" ? Ordering::Ring : Ordering::Nested));
        QCOMPARE(QString(QLatin1Char(frameLetter(found.frame()))), expected["frame"].toString());
        QCOMPARE(QString::fromStdString(found.field(0).name), expected["field"].toString());
        QCOMPARE(QString::fromStdString(found.field(0).unit), expected["unit"].toString());
        const QJsonArray pixels = expected["values"].toArray();
        QCOMPARE(found.elementCount(), int64_t{pixels.size()});
        for (int64_t i = 0; i < found.elementCount(); ++i)
            compare(found.field(0).at(i), pixels[static_cast<qsizetype>(i)]);
    }

    void coefficients() {
        JobContext job;
        const std::vector<Alm> sets = readAlm(path("alm.fits"), job);
        const QJsonObject expected = values_["alm"].toObject();
        QCOMPARE(sets.size(), size_t{1});
        QCOMPARE(sets[0].lmax(), expected["lmax"].toInt());
        QCOMPARE(sets[0].mmax(), expected["mmax"].toInt());
        const QJsonArray real = expected["real"].toArray(),
                         imaginary = expected["imaginary"].toArray();
        // healpy has the same order: all l of m = 0, then of m = 1, ...
        for (qsizetype i = 0; i < real.size(); ++i) {
            const std::complex<double> value = sets[0].values()[static_cast<size_t>(i)];
            compare(value.real(), real[i]);
            compare(value.imag(), imaginary[i]);
        }
    }

    void spectrum() {
        const Spectra spectra = readSpectra(path("spectrum.fits"));
        const QJsonArray expected = values_["spectrum"].toObject()["TT"].toArray();
        QCOMPARE(spectra.lmax() + 1, static_cast<int>(expected.size()));
        for (qsizetype l = 0; l < expected.size(); ++l)
            compare(spectra.cl[0][static_cast<size_t>(l)], expected[l]);
    }

    void catalogs_data() {
        QTest::addColumn<QString>("suffix");
        for (const char* suffix : {"fits", "vot", "ecsv", "parquet"})
            QTest::newRow(suffix) << QString::fromLatin1(suffix);
    }
    void catalogs() {
        QFETCH(QString, suffix);
        JobContext job;
        const Table table = readTable(path(qPrintable("catalog." + suffix)), {}, job);
        const QJsonObject expected = values_["catalog"].toObject();
        QCOMPARE(table.columns.size(), size_t{4});
        for (const TableColumn& column : table.columns) {
            const QJsonArray rows = expected[QString::fromStdString(column.name)].toArray();
            QCOMPARE(column.rows(), int64_t{rows.size()});
            for (int64_t row = 0; row < column.rows(); ++row) {
                const QJsonValue value = rows[static_cast<qsizetype>(row)];
                if (value.isString())
                    QCOMPARE(QString::fromStdString(column.text(row)), value.toString());
                else
                    compare(column.number(row), value);
            }
        }
    }

    void coverage() {
        const HealpixMap moc = map("moc.fits");
        QVERIFY(moc.coverage() == Coverage::MultiOrder);
        const QJsonArray expected = values_["moc"].toObject()["nested"].toArray();
        // Cells begin at pixels of the deepest order present and are 1 where the MOC covers them;
        // the expected pixels have nside 4.
        QJsonArray found;
        for (size_t i = 0; i < moc.pixels().size(); ++i) {
            if (!(moc.field(0).at(static_cast<int64_t>(i)) > 0.0)) continue;
            const int order = moc.cellOrders()[i];
            const int64_t cell = moc.pixels()[i] >> (2 * (orderOf(moc.nside()) - order));
            for (int64_t p = cell << (2 * (2 - order)); p < (cell + 1) << (2 * (2 - order)); ++p)
                found.append(static_cast<qint64>(p));
        }
        QCOMPARE(found, expected);
    }

    void figurePreset() {
        QFile file(folder_ + "/preset.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const FigureOptions found = presetFrom(file.readAll().toStdString()),
                            expected = keptFigure();
        QVERIFY(found.look.background == expected.look.background);
        QCOMPARE(found.look.textPoints, expected.look.textPoints);
        QCOMPARE(found.width.value(), expected.width.value());
        QVERIFY(!found.height.has_value());
        QCOMPARE(found.dpi, expected.dpi);
        QCOMPARE(found.graticule, expected.graticule);
    }

    // The session makes the smoothed map again, equal to the kept result of the release's command.
    void session() {
        Bench bench;
        for (const char* name : {"map.fits", "catalog.fits", "spectrum.fits"})
            QVERIFY(QFile::copy(folder_ + '/' + name, bench.path(name)));
        QFile file(folder_ + "/session.armilla");
        QVERIFY(file.open(QIODevice::ReadOnly));
        writeFile(bench.path("session.armilla"),
                  file.readAll().replace(kPlace, bench.folder.path().toUtf8()));
        RestoreWatch restored(bench.session.project(), bench.document());
        bench.session.project().loadSession(bench.path("session.armilla"));
        QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatience);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        const auto& layers = bench.document().entries();
        QCOMPARE(layers.size(), size_t{4});
        QVERIFY(layers[0].map && layers[1].map && layers[2].catalog && layers[3].curve);
        QCOMPARE(layers[1].recipe.inputs(), std::vector<LayerId>{layers[0].id});
        QCOMPARE(bench.document().view().swipe(), 0.75);
        const HealpixMap kept = map("smoothed.fits");
        QCOMPARE(layers[1].map->elementCount(), kept.elementCount());
        double largest = 0.0;
        for (int64_t i = 0; i < kept.elementCount(); ++i)
            largest = std::max(largest, std::abs(kept.field(0).at(i)));
        // Values of single precision (6e-8), from sums of some hundred terms in another order.
        QVERIFY(largestDifference(*layers[1].map, kept) < 1e-6 * largest);
    }
};

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    const QStringList words = application.arguments();
    if (words.value(1) == QLatin1String("--make")) return make(words.value(2));
    TestKept test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_kept.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Session files: saved content and its restoration.
#include <QDir>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "armilla/core/error.h"
#include "armilla/io/map_io.h"
#include "armilla/session/document_json.h"
#include "armilla/session/exporter.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/notices.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "restore_watch.h"
#include "session_bench.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

// Resident memory of this process; 0 if unknown.
qint64 residentBytes() {
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith("VmRSS:"))
            return line.simplified().split(' ').value(1).toLongLong() * 1024;
    return 0;
}

}  // namespace

class SessionFilesTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }

private slots:
    void initTestCase() {
        JobContext job;
        writeMap(*polarizedMap(16), path("map.fits").toStdString(), {}, job);
        writeMap(*noiseMap(8), path("other.fits").toStdString(), {}, job);
    }
    // open, smooth, difference; the input of the smoothed map closed
    void sessionComesBack() {
        QByteArray saved;
        {
            SpokenSession bench(path("first"));
            bench.session.project().saveSession(path("work.armilla"));
            QCOMPARE(bench.errors.size(), 1);  // nothing to save
            bench.errors.clear();
            bench.session.files().openFiles({path("map.fits")});
            QVERIFY(bench.settle());
            bench.session.files().openFiles({path("other.fits")});
            QVERIFY(bench.settle());
            const LayerId first = bench.document().entries()[0].id;
            bench.document().view().setShown({first, 1});
            SmoothParameters parameters;
            parameters.fwhm = 0.2;
            bench.session.preview().previewSmooth(parameters);
            bench.session.preview().keepSmooth();
            QVERIFY(bench.settle());
            const LayerId smoothed = bench.document().view().shown().entry;
            bench.session.operations().showDifference({first, 1}, {smoothed, 0});
            QVERIFY(bench.settle());
            bench.document().removeLayer(first);
            bench.document().view().setSwipe(0.75);
            bench.document().view().setCamera(
                bench.document().view().camera().centeredOn({1.0, 0.2}));
            QVERIFY(bench.settle());
            bench.session.project().saveSession(path("work.armilla"));
            QVERIFY(bench.settle());
            QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
            saved = QJsonDocument(jsonWriter(bench.document())()).toJson();
        }
        SpokenSession bench(path("second"));
        RestoreWatch restored(bench.session.project(), bench.document());
        bench.session.files().openFiles({path("work.armilla")});
        QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatience);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{3});
        QVERIFY(bench.document().drawings().drawable(bench.document().view().shown()));
        QCOMPARE(bench.document().view().swipe(), 0.75);
        // The hidden input is saved again in the same way.
        QCOMPARE(QJsonDocument(jsonWriter(bench.document())()).toJson(), saved);
        // The difference of the restored maps is unchanged: map minus smoothed map.
        const auto& entries = bench.document().entries();
        JobContext job;
        const HealpixMap map = readMap(path("map.fits").toStdString(), {}, job);
        const auto& smoothed = *entries[1].map;
        const auto& difference = *entries[2].map;
        for (int64_t i = 0; i < map.elementCount(); ++i)
            // The limit guards against a wrong field or input. It allows single precision, 6e-8 for
            // values of order 1.
            QVERIFY(std::abs(difference.field(0).at(i) -
                             (map.field(1).at(i) - smoothed.field(0).at(i))) < 1e-6);
    }
    void missingFilesAreReportedAndTheRestComesBack() {
        SpokenSession bench(path("third"));
        bench.session.files().openFiles({path("map.fits")});
        QVERIFY(bench.settle());
        JobContext job;
        writeMap(*noiseMap(4), path("soon gone.fits").toStdString(), {}, job);
        bench.session.files().openFiles({path("soon gone.fits")});
        QVERIFY(bench.settle());
        SmoothParameters parameters;
        parameters.fwhm = 0.3;
        bench.session.preview().previewSmooth(parameters);
        bench.session.preview().keepSmooth();
        QVERIFY(bench.settle());
        bench.session.project().saveSession(path("missing.armilla"));
        QVERIFY(bench.settle());
        QVERIFY(QFile::remove(path("soon gone.fits")));
        RestoreWatch restored(bench.session.project(), bench.document());
        bench.session.project().loadSession(path("missing.armilla"));
        QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatience);
        QVERIFY(bench.settle());
        QCOMPARE(bench.document().entries().size(), size_t{1});
        QCOMPARE(bench.document().entries()[0].name, QString("map.fits"));
        QCOMPARE(bench.document().view().shown().entry, bench.document().entries()[0].id);
        QCOMPARE(bench.errors.size(), 2);  // the file, and the map made from it
        QVERIFY2(bench.errors[0].contains("soon gone.fits"), qPrintable(bench.errors[0]));
        // Both are kept unchanged, also in the next session file.
        QCOMPARE(bench.document().recovery().missing().size(), size_t{2});
        QCOMPARE(jsonWriter(bench.document())()["layers"].toArray().size(), 3);
        bench.session.project().saveSession(path("still missing.armilla"));
        QVERIFY(bench.settle());
        // Found at another location: dependent layers are restored, too. The file differs, because
        // otherwise the next session would find it by its checksum.
        const auto changed = noiseMap(4, {"TEMPERATURE"}, Frame::Galactic, Ordering::Ring, 9);
        writeMap(*changed, path("found.fits").toStdString(), {}, job);
        RestoreWatch again(bench.session.project(), bench.document());
        QSignalSpy withdrawn(&bench.session.notices(), &Notices::messageWithdrawn);
        // A failed retry repeats the error; the message is withdrawn when both are restored.
        bench.session.project().retryMissing(bench.document().recovery().missing()[0].layer.id);
        QVERIFY(bench.settle());
        QCOMPARE(withdrawn.count(), 2);
        QCOMPARE(bench.errors.size(), 4);
        bench.session.project().retryMissing(bench.document().recovery().missing()[0].layer.id,
                                             path("found.fits"));
        QTRY_COMPARE_WITH_TIMEOUT(again.count(), 1, kPatience);
        QVERIFY(bench.settle());
        QVERIFY(bench.document().recovery().missing().empty());
        QCOMPARE(bench.document().entries().size(), size_t{3});
        QCOMPARE(bench.errors.size(), 4);
        QStringList over;
        for (const QList<QVariant>& each : withdrawn) over << each.front().toString();
        QCOMPARE(QStringList(over.mid(2)), QStringList(bench.errors.mid(2)));
        // Closed layers are gone.
        SpokenSession other(path("third b"));
        other.session.project().loadSession(path("still missing.armilla"));
        QVERIFY(other.settle());
        QCOMPARE(other.document().recovery().missing().size(), size_t{2});
        while (!other.document().recovery().missing().empty())
            other.document().recovery().removeMissing(
                other.document().recovery().missing()[0].layer.id);
        QCOMPARE(jsonWriter(other.document())()["layers"].toArray().size(), 1);
    }
    // A folder with a session and its files is moved as a whole.
    void movedFoldersAreFound() {
        JobContext job;
        QVERIFY(QDir().mkpath(path("before/data")));
        writeMap(*noiseMap(4), path("before/data/sky.fits").toStdString(), {}, job);
        {
            SpokenSession bench(path("moving"));
            bench.session.files().openFiles({path("before/data/sky.fits")});
            QVERIFY(bench.settle());
            const FileMark mark =
                bench.document().recovery().fileMark(bench.document().entries()[0].id);
            QCOMPARE(mark.bytes, QFileInfo(path("before/data/sky.fits")).size());
            QCOMPARE(mark.checksum.size(), 64);
            bench.session.project().saveSession(path("before/work.armilla"));
            QVERIFY(bench.settle());
        }
        QVERIFY(QDir().rename(path("before"), path("after")));
        {
            SpokenSession bench(path("moved"));
            bench.session.project().loadSession(path("after/work.armilla"));
            QVERIFY(bench.settle());
            QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
            QCOMPARE(bench.document().entries().size(), size_t{1});
            QCOMPARE(bench.document().entries()[0].recipe.path, path("after/data/sky.fits"));
            QVERIFY(bench.news.isEmpty());
        }
        // A different file of that name is read, with a message.
        QVERIFY(QFile::remove(path("after/data/sky.fits")));
        writeMap(*noiseMap(8), path("after/data/sky.fits").toStdString(), {}, job);
        SpokenSession bench(path("changed"));
        bench.session.project().loadSession(path("after/work.armilla"));
        QVERIFY(bench.settle());
        QCOMPARE(bench.document().entries().size(), size_t{1});
        QCOMPARE(bench.news.size(), 1);
        QVERIFY2(bench.news[0].contains("sky.fits is not the file"), qPrintable(bench.news[0]));
    }
    // Two results of one operation are recomputed by one run.
    // A HiPS is a folder; its mark is that of its description.
    void foldersOfTilesComeBack() {
        JobContext job;
        writeMap(*noiseMap(16), path("tiles/").toStdString(), {}, job);
        {
            SpokenSession bench(path("tiled"));
            bench.session.files().openFiles({path("tiles")});
            QVERIFY(bench.settle());
            QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
            bench.session.project().saveSession(path("tiled.armilla"));
            QVERIFY(bench.settle());
            QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        }
        SpokenSession bench(path("tiled again"));
        bench.session.project().loadSession(path("tiled.armilla"));
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{1});
        QCOMPARE(bench.document().entries()[0].map->nside(), int64_t{16});
    }
    // Folders without a description, as of Zarr and Parquet, are known by the list of their files.
    void plainFoldersComeBackAndAreReportedWhenChanged() {
        QVERIFY(QDir().mkpath(path("sky.zarr")));
        const auto write = [&](const char* name, const QByteArray& content) {
            QFile file(path(QStringLiteral("sky.zarr/") + QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            QCOMPARE(file.write(content), content.size());
        };
        // The 48 values of nside 2 in one plain chunk.
        write(".zarray",
              R"({"zarr_format": 2, "shape": [48], "chunks": [48], "dtype": "<f8", "order": "C",
                  "compressor": null, "filters": null, "fill_value": 0})");
        write(".zattrs", R"({"ordering": "RING", "coordsys": "G"})");
        write("0", QByteArray(48 * 8, '\0'));
        {
            SpokenSession bench(path("plain"));
            bench.session.files().openFiles({path("sky.zarr")});
            QVERIFY(bench.settle());
            QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
            QCOMPARE(bench.document().entries().size(), size_t{1});
            qint64 bytes = 0;
            for (const char* name : {".zarray", ".zattrs", "0"})
                bytes += QFileInfo(path(QStringLiteral("sky.zarr/") + QLatin1String(name))).size();
            QCOMPARE(bench.document().recovery().fileMark(bench.document().entries()[0].id).bytes,
                     bytes);
            bench.session.project().saveSession(path("plain.armilla"));
            QVERIFY(bench.settle());
        }
        const auto newsOfNextStart = [&](const QString& state) {
            SpokenSession bench(path(state));
            bench.session.project().loadSession(path("plain.armilla"));
            if (!bench.settle() || bench.document().entries().size() != 1)
                return QStringLiteral("not restored: ") + bench.errors.join("\n");
            return bench.news.join("\n");
        };
        QCOMPARE(newsOfNextStart("plain again"), QString());
        write("1", QByteArray(8, '\0'));
        const QString changed = newsOfNextStart("plain changed");
        QVERIFY2(changed.contains("sky.zarr is not the file"), qPrintable(changed));
    }
    void resultsOfOneRunAreMadeTogether() {
        SpokenSession bench(path("together"));
        bench.session.files().openFiles({path("other.fits")});
        QVERIFY(bench.settle());
        const Operation* filter = findOperation("filter");
        OperationRequest request{filter, filter->defaults(), {}, {"snr"}};
        request.parameters.set("type", "mexican-hat");
        request.parameters.set("fwhm", "20deg");
        request.inputs.push_back({"MAP", bench.document().entries()[0].id, {0}, {}});
        bench.session.operations().runOperation(request);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{3});
        QCOMPARE(bench.session.project().unsavedResults().size(), size_t{2});
        bench.session.project().saveSession(path("together.armilla"));
        QVERIFY(bench.settle());
        QVERIFY(bench.session.project().unsavedResults().empty());
        SpokenSession other(path("together b"));
        // Both are restored by the same job.
        size_t before = 0, most = 0;
        connect(&other.session.jobs(), &JobRunner::jobFinished, this, [&] {
            const size_t now = other.document().entries().size();
            most = std::max(most, now - before);
            before = now;
        });
        other.session.project().loadSession(path("together.armilla"));
        QVERIFY(other.settle());
        QVERIFY2(other.errors.isEmpty(), qPrintable(other.errors.join("\n")));
        QCOMPARE(other.document().entries().size(), size_t{3});
        QCOMPARE(most, size_t{2});
        for (size_t i = 1; i < 3; ++i)
            QCOMPARE(largestDifference(*other.document().entries()[i].map,
                                       *bench.document().entries()[i].map),
                     0.0);
    }
    // Results that were not exported are offered at the next start, with the reason.
    void openResultsAreKept() {
        const QString folder = path("results");
        {
            SpokenSession bench(folder);
            bench.session.files().openFiles({path("other.fits")});
            QVERIFY(bench.settle());
            QVERIFY(bench.session.project().unsavedResults().empty());
            SmoothParameters parameters;
            parameters.fwhm = 0.3;
            bench.session.preview().previewSmooth(parameters);
            bench.session.preview().keepSmooth();
            QVERIFY(bench.settle());
            const std::vector<LayerId> open = bench.session.project().unsavedResults();
            QCOMPARE(open.size(), size_t{1});
            bench.session.exporter().exportLayer(open[0], path("exported.fits"), true);
            QVERIFY(bench.settle());
            QVERIFY(bench.session.project().unsavedResults().empty());
            bench.session.preview().previewSmooth(parameters);
            bench.session.preview().keepSmooth();
            QVERIFY(bench.settle());
            bench.session.project().keepForNextStart(LeftBehind::OpenResults);
        }
        SpokenSession bench(folder);
        QVERIFY(bench.session.project().hasCrashedSession());
        QVERIFY(bench.session.project().leftBehind() == LeftBehind::OpenResults);
        bench.session.project().recoverCrashedSession();
        QVERIFY(bench.settle());
        QCOMPARE(bench.document().entries().size(), size_t{3});
    }
    // Undo restores a layer whose value was dropped for memory, from its recipe.
    void undoMakesLayersAgain() {
        SpokenSession bench(path("again"));
        bench.session.files().openFiles({path("other.fits")});
        QVERIFY(bench.settle());
        SmoothParameters parameters;
        parameters.fwhm = 0.3;
        bench.session.preview().previewSmooth(parameters);
        bench.session.preview().keepSmooth();
        QVERIFY(bench.settle());
        const auto values = bench.document().entries()[1].map;
        bench.document().history().setBudget(0);
        bench.document().removeAll();
        QCOMPARE(bench.document().history().memory().recipes, 2);
        QCOMPARE(bench.session.memoryLedger().host(), int64_t{0});
        bench.document().history().stack()->undo();
        QVERIFY(bench.document().entries().empty());
        QTRY_COMPARE_WITH_TIMEOUT(bench.document().entries().size(), size_t{2}, kPatience);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(largestDifference(*bench.document().entries()[1].map, *values), 0.0);
        QCOMPARE(bench.document().view().shown().entry, bench.document().entries()[1].id);
    }
    // Values and pictures of each layer, and plans, are counted, and closing a layer frees its
    // memory. A resting process may use at most 2.5 times the map for large maps: the map, its
    // levels (4/3), and here 8 MB for everything independent of its size.
    void aMapAtRestTakesItsLevelsBesides() {
        const qint64 before = residentBytes();
        if (before == 0) QSKIP("this system does not tell what a process holds");
        SpokenSession bench(path("rest"));
        constexpr int64_t nside = 1024;
        {
            HealpixMap map(nside, Ordering::Ring, Frame::Galactic,
                           {{"T", "K", DiskType::Float32,
                             std::vector<float>(static_cast<size_t>(pixelCount(nside)), 1.0F)}});
            JobContext job;
            writeMap(map, path("large.fits").toStdString(), {}, job);
        }
        bench.session.files().openFiles({path("large.fits")});
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join('\n')));
        const int64_t values = 4 * pixelCount(nside);
        const MemoryLedger ledger = bench.session.memoryLedger();
        QCOMPARE(ledger.rows.size(), size_t{1});
        QCOMPARE(ledger.rows[0].values, values);
        QVERIFY(ledger.rows[0].picture > 0);
        // The levels have a border of a pixel around each piece: 2 % here, less in larger maps.
        QVERIFY2(static_cast<double>(ledger.host()) <= 2.36 * static_cast<double>(values),
                 qPrintable(ledger.lines().join('\n')));
        // A sanitizer keeps freed memory, and shadows the rest.
        if (kIsSanitized) return;
        const double taken = static_cast<double>(residentBytes() - before);
        QVERIFY2(taken <= 2.36 * static_cast<double>(values) + 8e6,
                 qPrintable(
                     QStringLiteral("%1 times the map").arg(taken / static_cast<double>(values))));
    }
    void theLedgerCountsWhatIsHeld() {
        SpokenSession bench(path("ledger"));
        bench.session.files().openFiles({path("other.fits")});
        QVERIFY(bench.settle());
        MemoryLedger ledger = bench.session.memoryLedger();
        QCOMPARE(ledger.rows.size(), size_t{1});
        const Layer& layer = bench.document().entries()[0];
        QCOMPARE(ledger.rows[0].values, layer.map->memoryBytes());
        QCOMPARE(ledger.rows[0].picture,
                 bench.document().drawings().drawable({layer.id, 0})->memoryBytes());
        QCOMPARE(ledger.plans, int64_t{0});
        SmoothParameters parameters;
        parameters.fwhm = 0.3;
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY(bench.session.memoryLedger().plans > 0);
        QVERIFY(bench.session.memoryLedger({{layer.id, 1000}})
                    .lines()
                    .front()
                    .contains("on the device 1.00 kB"));
        bench.session.preview().stopPreview();
        bench.document().removeAll();
        ledger = bench.session.memoryLedger();
        QVERIFY(ledger.rows.empty());
        QCOMPARE(ledger.plans, int64_t{0});
        QVERIFY(ledger.undo.bytes > 0);
    }
    void loadingTwiceKeepsTheLast() {
        SpokenSession bench(path("twice"));
        bench.session.files().openFiles({path("map.fits")});
        QVERIFY(bench.settle());
        bench.session.project().saveSession(path("one.armilla"));
        QVERIFY(bench.settle());
        bench.session.files().openFiles({path("other.fits")});
        QVERIFY(bench.settle());
        bench.session.project().saveSession(path("two.armilla"));
        QVERIFY(bench.settle());
        for (int i = 0; i < 10; ++i) {
            bench.session.project().loadSession(path(i % 2 == 0 ? "two.armilla" : "one.armilla"));
            QTest::qWait(i);
        }
        QVERIFY(bench.settle());
        QCOMPARE(bench.document().entries().size(), size_t{1});
        QVERIFY(bench.document().recovery().awaited().empty());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
    }
    void cancelledRestoresAreGivenUp() {
        SpokenSession bench(path("cancelled"));
        bench.session.files().openFiles({path("map.fits")});
        QVERIFY(bench.settle());
        bench.session.project().saveSession(path("c.armilla"));
        QVERIFY(bench.settle());
        RestoreWatch restored(bench.session.project(), bench.document());
        bench.session.project().loadSession(path("c.armilla"));
        QTRY_VERIFY_WITH_TIMEOUT(
            !bench.document().recovery().awaited().empty() || restored.count() > 0, kPatience);
        bench.session.jobs().cancelAll();
        QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatience);
        QVERIFY(bench.settle());
        QVERIFY(bench.document().recovery().awaited().empty());
    }

    void recipesComeBack() {
        Recipe recipe;
        recipe.kind = RecipeKind::Smooth;
        recipe.input = LayerId(3);
        recipe.field = 2;
        recipe.profilePath = "/data/beam.fits";
        recipe.smooth.beam = Beam{{{{1.0, 0.9, 0.1 + 0.2}, {0.5}, {}}}};
        recipe.smooth.kernel = RadialKernel{{0.0, 0.1}, {1.0, 0.0}};
        recipe.smooth.masked = Masked::Ignore;
        recipe.smooth.polarization = true;
        const Recipe back = Recipe::fromJson(recipe.toJson());
        QCOMPARE(back.toJson(), recipe.toJson());
        QCOMPARE(back.smooth.beam->bl, recipe.smooth.beam->bl);
        QCOMPARE(back.smooth.kernel->angle, recipe.smooth.kernel->angle);
        QCOMPARE(recipe.title(), QString("smooth with beam beam.fits"));
        QCOMPARE(smoothCommand("a", "b", 0, recipe.smooth), QString());
        QVERIFY(smoothCommand("a", "b", 0, recipe.smooth, recipe.profilePath)
                    .startsWith("armilla smooth a b --beam /data/beam.fits --method auto"));
        recipe.smooth.beam.reset();
        recipe.profilePath.clear();
        QCOMPARE(recipe.title(), QString("smooth with a kernel"));
        recipe.kind = RecipeKind::MaskedDifference;
        QVERIFY(recipe.title().endsWith("normalized minus ignored mask"));
        QCOMPARE(Recipe::fromJson(recipe.toJson()).kind, RecipeKind::MaskedDifference);
        for (const RecipeKind kind :
             {RecipeKind::Open, RecipeKind::SampleSky, RecipeKind::Difference}) {
            Recipe other;
            other.kind = kind;
            other.path = "/x/y.fits[2]";
            other.fields = QStringList{"1", "3"};
            other.sampleNside = 256;
            other.input = LayerId(1);
            other.other = LayerId(2);
            other.otherQuantity = Quantity::PolarizedAmplitude;
            QCOMPARE(Recipe::fromJson(other.toJson()).toJson(), other.toJson());
            QVERIFY(!other.title().isEmpty());
        }
        QVERIFY_EXCEPTION_THROWN(
            Recipe::fromJson(QJsonObject{{"kind", "sample-sky"}, {"nside", 100}}), InvalidArgument);
    }
};

QTEST_GUILESS_MAIN(SessionFilesTest)
#include "tst_session_files.moc"

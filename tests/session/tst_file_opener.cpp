// SPDX-License-Identifier: GPL-3.0-or-later
// Files opened as layers of a document without a session around it.
#include <QFile>
#include <QSet>

#include "armilla/core/environment.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/live_spectrum.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/stand_in.h"
#include "part_desk.h"
#include "restore_watch.h"

using namespace armilla;
using namespace armilla::test;

namespace {

struct Desk : PartDesk {
    LiveSpectrum spectrum{document, runner, [] { return Device::cpu(); }};
    ProjectKeeper project{document,
                          runner,
                          followers,
                          notices,
                          regions,
                          verdicts,
                          review,
                          spectrum,
                          [] { return Device::cpu(); },
                          path(QStringLiteral("state"))};
    QSettings settings{path(QStringLiteral("settings.conf")), QSettings::IniFormat};
    FileOpener files{document, runner, followers, pictures, project, notices, settings};

    QString write(const QString& name, Frame frame = Frame::Galactic) {
        JobContext job;
        writeMap(*noiseMap(4, {"TEMPERATURE"}, frame), path(name).toStdString(), {}, job);
        return path(name);
    }
};

}  // namespace

class FileOpenerTest : public QObject {
    Q_OBJECT
private slots:
    void openedFilesAreRemembered() {
        Desk desk;
        QVERIFY(desk.files.recentFiles().isEmpty());
        const QString first = desk.write(QStringLiteral("a.fits")),
                      second = desk.write(QStringLiteral("b.fits"));
        desk.files.openFiles({first, second});
        QVERIFY(desk.settle());
        QCOMPARE(desk.document.entries().size(), size_t{2});
        QCOMPARE(desk.document.entries()[0].recipe.path, first);
        QCOMPARE(desk.document.entries()[1].recipe.path, second);
        // The first of files opened together is shown.
        QCOMPARE(desk.document.view().shown().entry, desk.document.entries()[0].id);
        QVERIFY(
            desk.document.drawings().drawable({desk.document.entries()[0].id, 0, Quantity::Field}));
        QCOMPARE(desk.files.recentFiles(), (QStringList{second, first}));
        desk.files.openFiles({first});
        QVERIFY(desk.settle());
        QCOMPARE(desk.files.recentFiles(), (QStringList{first, second}));
        // The first map, also with a table before and after the maps.
        QFile table(desk.path(QStringLiteral("t.csv")));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("RA,DEC\n10.68,41.27\n11.89,-25.29\n");
        table.close();
        desk.document.removeAll();
        desk.files.openFiles({table.fileName(), first, second, table.fileName()});
        QVERIFY(desk.settle());
        QCOMPARE(desk.document.entries().size(), size_t{4});
        QCOMPARE(desk.document.view().shown().entry, desk.document.entries()[1].id);
        QCOMPARE(desk.raised.size(), 0);
    }
    // A map that exceeds the memory: first a sample, marked in the name of its field, then means of
    // all pixels; opened again, the kept means.
    void largeMapsAreSampledThenAveraged() {
        Desk desk;
        Environment environment;
        environment.cacheFolder = desk.path(QStringLiteral("cache")).toStdString();
        setEnvironment(environment);
        constexpr int64_t kNside = 512, kMeans = 128;
        JobContext job;
        std::vector<float> values(static_cast<size_t>(pixelCount(kNside)));
        // The mean of a NESTED cell of 16 pixels is its number plus 7.5 / 16.
        for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 16.0F;
        const QString file = desk.path(QStringLiteral("large.fits"));
        writeMap({kNside,
                  Ordering::Nested,
                  Frame::Galactic,
                  {Field{"T", "K", DiskType::Float32, std::move(values)}}},
                 file.toStdString(), {}, job);
        QStringList states;
        connect(&desk.document, &Document::entriesChanged, &desk.document, [&] {
            for (const Layer& layer : desk.document.entries())
                states += QStringLiteral("%1 %2")
                              .arg(QString::fromStdString(layer.map->field(0).name))
                              .arg(layer.map->nside());
        });
        desk.files.setMemory(1);
        desk.files.openFiles({file});
        QVERIFY(desk.settle());
        QCOMPARE(states.front(), QStringLiteral("T (sample) 64"));
        QCOMPARE(states.back(), QStringLiteral("T 128"));
        QCOMPARE(desk.document.entries().size(), size_t{1});
        const Layer& layer = desk.document.entries().front();
        QCOMPARE(layer.recipe.path, file);
        QCOMPARE(layer.map->nside(), kMeans);
        // Numbers below 2^18 with five bits of a fraction are exact.
        for (int64_t cell = 0; cell < pixelCount(kMeans); cell += 97)
            QCOMPARE(layer.map->field(0).at(cell), static_cast<double>(cell) + 7.5 / 16.0);
        const auto drawn = desk.document.drawings().drawable({layer.id, 0, Quantity::Field});
        QVERIFY(drawn && drawn->revision == layer.revision);

        // The means name themselves, also in the HISTORY of files and results.
        QCOMPARE(standInText(layer), QStringLiteral("means at nside 128 of 512"));
        QCOMPARE(layer.map->metadata().history.back(),
                 std::string("means at nside 128 of the pixels of nside 512"));
        QVERIFY(sampleProblem(layer).isEmpty());
        // A sample that undo brings back is replaced by the kept means.
        HealpixMap sample = *noiseMap(64);
        markSample(sample);
        const LayerId id = layer.id;
        desk.document.setValue(id, std::make_shared<const HealpixMap>(std::move(sample)),
                               layer.recipe);
        QCOMPARE(standInText(*desk.document.entry(id)), QStringLiteral("a sample"));
        QVERIFY(sampleProblem(*desk.document.entry(id)).startsWith(QLatin1String("large.fits: ")));
        QVERIFY(desk.settle());
        QCOMPARE(desk.document.entry(id)->map->nside(), kMeans);

        Desk again;
        states.clear();
        connect(&again.document, &Document::entriesChanged, &again.document, [&] {
            for (const Layer& each : again.document.entries())
                states += QString::number(each.map->nside());
        });
        again.files.setMemory(1);
        again.files.openFiles({file});
        QVERIFY(again.settle());
        QCOMPARE(QSet<QString>(states.begin(), states.end()), QSet<QString>{QStringLiteral("128")});
        setEnvironment({});
    }
    // A long catalog: first an even sample of its rows, marked so, then all rows.
    void longCatalogsAreSampledThenRead() {
        Desk desk;
        constexpr int64_t kRows = 4'100'000, kParts = 16;
        Table table;
        for (const char* name : {"RA", "DEC"}) {
            TableColumn& column = table.columns.emplace_back();
            column.name = name;
            column.unit = "deg";
        }
        std::vector<float> lon(kRows), lat(kRows);
        for (int64_t i = 0; i < kRows; ++i) {
            lon[static_cast<size_t>(i)] =
                static_cast<float>(360.0 * static_cast<double>(i) / static_cast<double>(kRows));
            lat[static_cast<size_t>(i)] = static_cast<float>(i % 180 - 90);
        }
        table.columns[0].values = std::move(lon);
        table.columns[1].values = std::move(lat);
        const QString file = desk.path(QStringLiteral("long.fits"));
        JobContext job;
        writeTable(table, file.toStdString(), {}, job);
        std::vector<std::shared_ptr<const Catalog>> states;
        connect(&desk.document, &Document::entriesChanged, &desk.document, [&] {
            for (const Layer& layer : desk.document.entries())
                if (states.empty() || states.back() != layer.catalog) {
                    states.push_back(layer.catalog);
                    if (states.size() > 1) continue;
                    QCOMPARE(standInText(layer), QStringLiteral("a sample"));
                    QVERIFY(sampleProblem(layer).startsWith(QLatin1String("long.fits: ")));
                    desk.document.view().setSelection({layer.id, 3});
                }
        });
        desk.files.openFiles({file});
        QVERIFY(desk.settle());
        QCOMPARE(desk.errors(), QStringList());
        QCOMPARE(states.size(), size_t{2});
        const Catalog &sample = *states[0], &all = *states[1];
        // 1024 pieces of 512 rows.
        QCOMPARE(sample.rows(), int64_t{1024 * 512});
        QVERIFY(isSample(sample));
        std::vector<int64_t> inPart(kParts);
        for (int64_t row = 0; row < sample.rows(); ++row)
            ++inPart[static_cast<size_t>(sample.table.columns[0].number(row) / 360.0 * kParts)];
        for (const int64_t count : inPart)
            QVERIFY2(std::abs(count - sample.rows() / kParts) <= 512,
                     qPrintable(QString::number(count)));
        QCOMPARE(all.rows(), kRows);
        QVERIFY(!isSample(all));
        const Layer& layer = desk.document.entries().front();
        QVERIFY(sampleProblem(layer).isEmpty());
        QCOMPARE(desk.document.drawings().markers(layer.id)->size(), kRows);
        // Rows of the sample have other numbers.
        QCOMPARE(desk.document.view().selection(), RowSelection{});
    }
    // The field of a large map that is read leaves out others, which the notice names.
    void largeMapsNameTheFieldsLeftOut() {
        Desk desk;
        Environment environment;
        environment.cacheFolder = desk.path(QStringLiteral("cache")).toStdString();
        setEnvironment(environment);
        JobContext job;
        const QString file = desk.path(QStringLiteral("large.fits"));
        writeMap(*noiseMap(512, {"T", "Q", "U"}), file.toStdString(), {}, job);
        desk.files.setMemory(1);
        desk.files.openFiles({file});
        QVERIFY(desk.settle());
        setEnvironment({});
        QCOMPARE(desk.errors(), QStringList());
        QCOMPARE(desk.raised.size(), 2);  // for the sample and for the means
        for (const auto& message : desk.raised)
            QVERIFY2(
                message[0].toString().endsWith(QStringLiteral(". Fields that were not read: Q, U")),
                qPrintable(message[0].toString()));
    }
    // A moved file is opened as the absent one was to be: its HDU, and what the user stated.
    void locatedFilesKeepWhatWasAsked() {
        Desk desk;
        std::vector<Remedy> offered;
        connect(
            &desk.notices, &Notices::remediesOffered, &desk.notices,
            [&](const QString&, bool, const std::vector<Remedy>& remedies) { offered = remedies; });
        const QString found = desk.write(QStringLiteral("found.fits"));
        StatedFile facts;
        facts.nside = 4;
        desk.files.openStated(desk.path(QStringLiteral("absent.fits[1]")), facts);
        QVERIFY(desk.settle());
        QCOMPARE(offered.size(), size_t{1});
        offered.front().apply(found);
        QVERIFY(desk.settle());
        QCOMPARE(desk.document.entries().size(), size_t{1});
        const Recipe& recipe = desk.document.entries().front().recipe;
        QCOMPARE(recipe.path, found + QStringLiteral("[1]"));
        QCOMPARE(recipe.statedFile.nside, facts.nside);
    }
    void receivedFilesReportTheirOutcome() {
        Desk desk;
        LayerId layer;
        LayerId missing(7);
        QString failure = QStringLiteral("none"), reason;
        desk.files.openReceived(desk.write(QStringLiteral("a.fits")), QStringLiteral("sent"),
                                [&](LayerId id, const QString& line) {
                                    layer = id;
                                    failure = line;
                                });
        desk.files.openReceived(desk.path(QStringLiteral("absent.fits")), QStringLiteral("gone"),
                                [&](LayerId id, const QString& line) {
                                    missing = id;
                                    reason = line;
                                });
        QVERIFY(desk.settle());
        QVERIFY(desk.document.entry(layer));
        QCOMPARE(desk.document.entry(layer)->name, QStringLiteral("sent"));
        QCOMPARE(failure, QString());
        QCOMPARE(missing, LayerId());
        QCOMPARE(desk.errors(), QStringList{reason});
        QVERIFY(desk.files.recentFiles().isEmpty());
    }
    void cancelledFilesReportTheirOutcome() {
        Desk desk;
        LayerId layer(7);
        QString failure;
        desk.files.openReceived(desk.write(QStringLiteral("a.fits")), QStringLiteral("sent"),
                                [&](LayerId id, const QString& line) {
                                    layer = id;
                                    failure = line;
                                });
        desk.runner.cancelAll();
        QVERIFY(desk.settle());
        QCOMPARE(layer, LayerId());
        QVERIFY(!failure.isEmpty());
        QVERIFY(desk.document.entries().empty());
        QCOMPARE(desk.raised.size(), 0);
    }
    void sessionFilesReplaceTheDocument() {
        Desk desk;
        desk.files.openFiles({desk.write(QStringLiteral("a.fits"))});
        QVERIFY(desk.settle());
        desk.project.saveSession(desk.path(QStringLiteral("s.armilla")));
        QVERIFY(desk.settle());
        RestoreWatch restored(desk.project, desk.document);
        desk.files.openFiles({desk.path(QStringLiteral("s.armilla"))});
        QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatience);
        QCOMPARE(desk.document.entries().size(), size_t{1});
        QCOMPARE(desk.files.recentFiles(), QStringList{desk.path(QStringLiteral("a.fits"))});
    }
    void sampleSkiesAreNoFiles() {
        Desk desk;
        desk.files.openSampleSky(16);
        QVERIFY(desk.settle());
        QCOMPARE(desk.document.entries().size(), size_t{1});
        QVERIFY(desk.document.entries()[0].recipe.kind == RecipeKind::SampleSky);
        QVERIFY(desk.files.recentFiles().isEmpty());
    }
};

QTEST_GUILESS_MAIN(FileOpenerTest)
#include "tst_file_opener.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Session files and autosaves of a document without a session around it.
#include <QFile>

#include "armilla/io/map_io.h"
#include "armilla/session/live_spectrum.h"
#include "armilla/session/project_keeper.h"
#include "part_desk.h"
#include "restore_watch.h"

using namespace armilla;
using namespace armilla::test;

namespace {

struct Desk : PartDesk {
    LiveSpectrum spectrum{document, runner, [] { return Device::cpu(); }};
    ProjectKeeper project;
    QSignalSpy replaced{&project, &ProjectKeeper::documentReplaced};
    RestoreWatch restored{project, document};

    explicit Desk(const QTemporaryDir& home)
        : project(
              document, runner, followers, notices, regions, verdicts, review, spectrum,
              [] { return Device::cpu(); }, home.filePath(QStringLiteral("state"))) {}
    LayerId addMap(RecipeKind kind, const QString& path = {}) {
        Recipe recipe;
        recipe.kind = kind;
        recipe.path = path;
        return document.addLayer(noiseMap(4), QStringLiteral("map"), recipe);
    }
};

QString writeSky(const QTemporaryDir& folder) {
    const QString path = folder.filePath(QStringLiteral("sky.fits"));
    JobContext job;
    writeMap(*noiseMap(4), path.toStdString(), {}, job);
    return path;
}

}  // namespace

class ProjectKeeperTest : public QObject {
    Q_OBJECT
private slots:
    // A file holds an opened layer already, and a sample sky is made at any time.
    void onlyMadeLayersAreUnsaved() {
        const QTemporaryDir folder;
        Desk desk(folder);
        QVERIFY(desk.project.unsavedResults().empty());
        desk.addMap(RecipeKind::Open, QStringLiteral("/data/map.fits"));
        desk.addMap(RecipeKind::SampleSky);
        const LayerId first = desk.addMap(RecipeKind::Operation);
        const LayerId second = desk.addMap(RecipeKind::Operation);
        QCOMPARE(desk.project.unsavedResults(), (std::vector<LayerId>{first, second}));
        desk.project.noteExported(first);
        QCOMPARE(desk.project.unsavedResults(), std::vector<LayerId>{second});
        desk.project.saveSession(folder.filePath(QStringLiteral("s.armilla")));
        QVERIFY(desk.settle());
        QVERIFY(desk.project.unsavedResults().empty());
    }
    void sessionsReplaceTheDocument() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("s.armilla"));
        {
            Desk desk(folder);
            desk.addMap(RecipeKind::Open, writeSky(folder));
            desk.project.saveSession(file);
            QVERIFY(desk.settle());
        }
        Desk desk(folder);
        desk.addMap(RecipeKind::SampleSky);
        size_t awaited = 0;
        connect(&desk.project, &ProjectKeeper::documentReplaced, this,
                [&] { awaited = desk.document.recovery().awaited().size(); });
        desk.project.loadSession(file);
        QTRY_COMPARE_WITH_TIMEOUT(desk.restored.count(), 1, kPatience);
        QCOMPARE(desk.replaced.size(), 1);
        QCOMPARE(awaited, size_t{1});  // the layers follow the document
        QCOMPARE(desk.document.entries().size(), size_t{1});
        QCOMPARE(desk.document.entries()[0].name, QStringLiteral("map"));
        QCOMPARE(desk.document.entries()[0].map->nside(), int64_t{4});
        QCOMPARE(desk.raised.size(), 0);
    }
    void unreadableSessionsChangeNothing() {
        const QTemporaryDir folder;
        Desk desk(folder);
        desk.addMap(RecipeKind::SampleSky);
        QFile file(folder.filePath(QStringLiteral("s.armilla")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[]");
        file.close();
        desk.project.loadSession(file.fileName());
        QTRY_COMPARE_WITH_TIMEOUT(desk.raised.size(), 1, kPatience);
        QVERIFY(desk.raised[0][0].toString().contains(file.fileName()));
        QVERIFY(desk.raised[0][1].toBool());
        QCOMPARE(desk.document.entries().size(), size_t{1});
        QCOMPARE(desk.replaced.size(), 0);
    }
    // The autosave of an ended session is offered once, with its reason.
    void keptSessionsAreRecovered() {
        const QTemporaryDir folder;
        {
            Desk desk(folder);
            desk.addMap(RecipeKind::Open, writeSky(folder));
            QVERIFY(!desk.project.hasCrashedSession());
            desk.project.keepForNextStart(LeftBehind::OpenResults);
        }
        Desk desk(folder);
        QVERIFY(desk.project.hasCrashedSession());
        QVERIFY(desk.project.leftBehind() == LeftBehind::OpenResults);
        desk.project.recoverCrashedSession();
        QTRY_COMPARE_WITH_TIMEOUT(desk.restored.count(), 1, kPatience);
        QCOMPARE(desk.document.entries().size(), size_t{1});
        QVERIFY(!desk.project.hasCrashedSession());
    }
    // Without its file a layer is missing, and its message is withdrawn by a retry.
    void missingLayersAreRetried() {
        const QTemporaryDir folder;
        const QString sky = writeSky(folder), file = folder.filePath(QStringLiteral("s.armilla"));
        Desk first(folder);
        first.addMap(RecipeKind::Open, sky);
        first.project.saveSession(file);
        QVERIFY(first.settle());
        QVERIFY(QFile::rename(sky, sky + QStringLiteral(".away")));
        Desk desk(folder);
        QSignalSpy withdrawn(&desk.notices, &Notices::messageWithdrawn);
        desk.project.loadSession(file);
        QTRY_COMPARE_WITH_TIMEOUT(desk.restored.count(), 1, kPatience);
        QCOMPARE(desk.document.recovery().missing().size(), size_t{1});
        QVERIFY(QFile::rename(sky + QStringLiteral(".away"), sky));
        desk.project.retryMissing(desk.document.recovery().missing()[0].layer.id);
        QTRY_COMPARE_WITH_TIMEOUT(desk.restored.count(), 2, kPatience);
        QCOMPARE(desk.document.entries().size(), size_t{1});
        QCOMPARE(withdrawn.size(), 1);
    }
};

QTEST_GUILESS_MAIN(ProjectKeeperTest)
#include "tst_project_keeper.moc"

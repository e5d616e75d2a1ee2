// SPDX-License-Identifier: GPL-3.0-or-later
// Files opened as layers of a document without a session around it.
#include <QFile>

#include "armilla/io/map_io.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/live_spectrum.h"
#include "armilla/session/project_keeper.h"
#include "part_desk.h"

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
        QCOMPARE(desk.raised.size(), 0);
    }
    void receivedFilesReportTheirOutcome() {
        Desk desk;
        int layer = -2, missing = -2;
        QString failure = QStringLiteral("none"), reason;
        desk.files.openReceived(desk.write(QStringLiteral("a.fits")), QStringLiteral("sent"),
                                [&](int id, const QString& line) {
                                    layer = id;
                                    failure = line;
                                });
        desk.files.openReceived(desk.path(QStringLiteral("absent.fits")), QStringLiteral("gone"),
                                [&](int id, const QString& line) {
                                    missing = id;
                                    reason = line;
                                });
        QVERIFY(desk.settle());
        QVERIFY(desk.document.entry(layer));
        QCOMPARE(desk.document.entry(layer)->name, QStringLiteral("sent"));
        QCOMPARE(failure, QString());
        QCOMPARE(missing, -1);
        QCOMPARE(desk.errors(), QStringList{reason});
        QVERIFY(desk.files.recentFiles().isEmpty());
    }
    void cancelledFilesReportTheirOutcome() {
        Desk desk;
        int layer = -2;
        QString failure;
        desk.files.openReceived(desk.write(QStringLiteral("a.fits")), QStringLiteral("sent"),
                                [&](int id, const QString& line) {
                                    layer = id;
                                    failure = line;
                                });
        desk.runner.cancelAll();
        QVERIFY(desk.settle());
        QCOMPARE(layer, -1);
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
        QSignalSpy restored(&desk.project, &ProjectKeeper::sessionRestored);
        desk.files.openFiles({desk.path(QStringLiteral("s.armilla"))});
        QTRY_COMPARE_WITH_TIMEOUT(restored.size(), 1, kPatience);
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

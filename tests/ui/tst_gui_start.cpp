// SPDX-License-Identifier: GPL-3.0-or-later
// The window program without a display: one line, status 1, and no core dump.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "support/patience.h"

using armilla::test::kPatience;

class TestGuiStart : public QObject {
    Q_OBJECT
private slots:
    void saysThatThereIsNoDisplay_data() {
        QTest::addColumn<QString>("display");
        QTest::addColumn<QString>("line");
        QTest::newRow("none") << QString() << "expected a display for the window, found none";
        QTest::newRow("without an answer")
            << QStringLiteral(":9977") << "found DISPLAY=:9977 without an answer";
    }
    void saysThatThereIsNoDisplay() {
        QFETCH(QString, display);
        QFETCH(QString, line);
        auto environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
            environment.remove(QString::fromLatin1(name));
        if (!display.isEmpty()) environment.insert(QStringLiteral("DISPLAY"), display);
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(ARMILLA_GUI_PROGRAM), QStringList());
        QVERIFY(program.waitForFinished(kPatience));
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 1);
        const QByteArray said = program.readAllStandardError();
        QVERIFY2(said.startsWith("armilla: ") && said.contains(line.toUtf8()), said.constData());
        QCOMPARE(said.count('\n'), 1);
    }
    void answersWithoutADisplay() {
        auto environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
            environment.remove(QString::fromLatin1(name));
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(ARMILLA_GUI_PROGRAM), {QStringLiteral("--version")});
        QVERIFY(program.waitForFinished(kPatience));
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(program.readAllStandardOutput().startsWith("armilla"));
    }
    // Packages hold pictures of the window.
    void picturesOfABuildAreEqual() {
        const QTemporaryDir folder;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("SOURCE_DATE_EPOCH"), QStringLiteral("0"));
        QByteArray pictures[2];
        for (QByteArray& picture : pictures) {
            QProcess program;
            program.setProcessEnvironment(environment);
            const QString path = folder.filePath(QStringLiteral("window.png"));
            program.start(QStringLiteral(ARMILLA_GUI_PROGRAM),
                          {QStringLiteral("--smoothed"), QStringLiteral("--screenshot"), path});
            QVERIFY(program.waitForFinished(kPatience));
            QCOMPARE(program.exitCode(), 0);
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            picture = file.readAll();
        }
        QVERIFY(pictures[0].size() > 10000);
        QVERIFY(pictures[0] == pictures[1]);
    }
};

QTEST_GUILESS_MAIN(TestGuiStart)
#include "tst_gui_start.moc"

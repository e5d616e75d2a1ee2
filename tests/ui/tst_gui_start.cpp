// SPDX-License-Identifier: GPL-3.0-or-later
// The window program without a display: one line, status 1, and no core dump.
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cstdlib>

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
    // Packages hold pictures of the window. Times would differ in every build. The edges of labels
    // on the sky may differ by 5 levels.
    void picturesOfABuildAreEqual() {
        constexpr int kMostLevels = 5;
        const QTemporaryDir folder;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("SOURCE_DATE_EPOCH"), QStringLiteral("0"));
        QImage pictures[2];
        for (QImage& picture : pictures) {
            QProcess program;
            program.setProcessEnvironment(environment);
            const QString path = folder.filePath(QStringLiteral("window.png"));
            program.start(QStringLiteral(ARMILLA_GUI_PROGRAM),
                          {QStringLiteral("--smoothed"), QStringLiteral("--screenshot"), path});
            QVERIFY(program.waitForFinished(kPatience));
            QCOMPARE(program.exitCode(), 0);
            picture = QImage(path).convertToFormat(QImage::Format_RGB32);
        }
        QCOMPARE(pictures[0].size(), pictures[1].size());
        QVERIFY(pictures[0].width() > 500);
        int most = 0;
        for (int y = 0; y < pictures[0].height(); ++y)
            for (int x = 0; x < pictures[0].width(); ++x) {
                const QRgb a = pictures[0].pixel(x, y), b = pictures[1].pixel(x, y);
                most = std::max({most, std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)),
                                 std::abs(qBlue(a) - qBlue(b))});
            }
        QVERIFY2(most <= kMostLevels, qPrintable(QString::number(most)));
    }
};

QTEST_GUILESS_MAIN(TestGuiStart)
#include "tst_gui_start.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The file dialog: a name column of use, facts about the selected file, recent folders, and no
// event loop of its own that a closing window could pull the ground from.
#include <QApplication>
#include <QEventLoop>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeView>
#include <QtTest>

#include "armilla/io/map_io.h"
#include "armilla/session/file_summary.h"
#include "armilla/ui/theme.h"
#include "dialogs/file_chooser.h"
#include "dialogs/file_dialog.h"
#include "dialogs/file_preview.h"
#include "support/patience.h"

using namespace armilla;
using armilla::test::kPatience;

class TestFileDialog : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
        QCoreApplication::setOrganizationName(QStringLiteral("armilla-test"));
        QCoreApplication::setApplicationName(QStringLiteral("armilla-test"));
        applyTheme(*qApp, ThemeKind::Dark);
        std::vector<Field> fields;
        fields.push_back({"I_STOKES", "uK", DiskType::Float32, std::vector<float>(768, 1.0F)});
        JobContext job;
        map_ = folder_.filePath(QStringLiteral("sky_of_a_long_name_with_143_GHz_and_units.fits"));
        writeMap(HealpixMap(8, Ordering::Ring, Frame::Galactic, std::move(fields)),
                 map_.toStdString(), {}, job);
        QFile table(folder_.filePath(QStringLiteral("rows.csv")));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("ra,dec,flux\n1,2,3\n");
    }
    void init() {
        QSettings().setValue(QStringLiteral("folder"), folder_.path());
        window_ = new QWidget;
        window_->setAttribute(Qt::WA_DeleteOnClose);
        window_->show();
        chosen_.clear();
    }
    void cleanup() {
        if (window_) window_->close();
        QTRY_VERIFY_WITH_TIMEOUT(window_.isNull(), kPatience);
    }
    void aFileIsReplacedAfterAQuestion();
    void aWindowMayCloseDuringTheQuestion();
    void aDialogOutlivesALoopWithinIt();
    void aFileIsDescribed();
    void namesHaveRoomAndFoldersReturn();

private:
    FileDialog* save() {
        chooseFileToWrite(window_, QStringLiteral("Save"), QFileInfo(map_).fileName(),
                          writeFilter(DataKind::Map), QStringLiteral("fits"),
                          [this](const QString& path) { chosen_ << path; });
        return window_->findChild<FileDialog*>();
    }
    QTemporaryDir folder_;
    QString map_;
    QStringList chosen_;
    QPointer<QWidget> window_;
};

void TestFileDialog::aFileIsReplacedAfterAQuestion() {
    const QPointer<FileDialog> dialog = save();
    dialog->accept();  // returns at once
    const QPointer<QMessageBox> question = dialog->findChild<QMessageBox*>();
    QVERIFY(question && question->isVisible() && dialog->isVisible());
    QVERIFY(chosen_.isEmpty());
    question->button(QMessageBox::Cancel)->click();
    QTRY_VERIFY_WITH_TIMEOUT(question.isNull(), kPatience);
    QVERIFY(dialog->isVisible() && chosen_.isEmpty());
    dialog->accept();
    for (QAbstractButton* button : dialog->findChild<QMessageBox*>()->buttons())
        if (button->text().contains(QLatin1String("Replace"))) button->click();
    QCOMPARE(chosen_, QStringList{map_});
    QTRY_VERIFY_WITH_TIMEOUT(dialog.isNull(), kPatience);
    // A new name needs no question.
    FileDialog* other = save();
    other->selectFile(QStringLiteral("another"));
    other->accept();
    QCOMPARE(chosen_.value(1), folder_.filePath(QStringLiteral("another.fits")));
}

void TestFileDialog::aWindowMayCloseDuringTheQuestion() {
    const QPointer<FileDialog> dialog = save();
    dialog->accept();
    QVERIFY(dialog->findChild<QMessageBox*>());
    delete window_.data();
    QVERIFY(dialog.isNull() && chosen_.isEmpty());
}

void TestFileDialog::aDialogOutlivesALoopWithinIt() {
    const QPointer<FileDialog> dialog = save();
    bool isAlive = false;
    QTimer::singleShot(0, this, [&] {
        QEventLoop inner;
        QTimer::singleShot(0, &inner, [&] {
            dialog->close();
            QTimer::singleShot(0, &inner, [&] {
                isAlive = !dialog.isNull() && !dialog->isVisible();
                inner.quit();
            });
        });
        inner.exec();
    });
    QEventLoop outer;
    QTimer look;
    connect(&look, &QTimer::timeout, &outer, [&] {
        if (dialog.isNull()) outer.quit();
    });
    look.start(10);
    outer.exec();
    QVERIFY(isAlive);
}

void TestFileDialog::aFileIsDescribed() {
    QCOMPARE(fileSummary(map_), (QStringList{QStringLiteral("Map: nside 8, RING, Galactic"),
                                             QStringLiteral("  I_STOKES (uK)")}));
    QCOMPARE(fileSummary(folder_.filePath(QStringLiteral("rows.csv"))),
             (QStringList{QStringLiteral("ra,dec,flux"), QStringLiteral("1,2,3")}));
    QCOMPARE(fileSummary(folder_.filePath(QStringLiteral("rows.csv")), 1),
             QStringList{QStringLiteral("ra,dec,flux")});
    QVERIFY(fileSummary(QStringLiteral("/nowhere.fits")).isEmpty());
    FileDialog* dialog = save();
    const FilePreview* preview = dialog->preview();
    QVERIFY(preview);
    emit dialog->currentChanged(map_);
    QTRY_VERIFY_WITH_TIMEOUT(preview->text().contains(QLatin1String("nside 8")), kPatience);
    emit dialog->currentChanged(folder_.path());
    QVERIFY(preview->text().isEmpty());
}

void TestFileDialog::namesHaveRoomAndFoldersReturn() {
    FileDialog* dialog = save();
    auto* files = dialog->findChild<QTreeView*>(QStringLiteral("treeView"));
    QVERIFY(files);
    QTRY_VERIFY_WITH_TIMEOUT(files->model()->rowCount(files->rootIndex()) > 0, kPatience);
    const int longest = files->fontMetrics().horizontalAdvance(QFileInfo(map_).fileName());
    QTRY_VERIFY2_WITH_TIMEOUT(
        files->columnWidth(0) > longest,
        qPrintable(QStringLiteral("%1 of %2").arg(files->columnWidth(0)).arg(longest)), kPatience);
    dialog->selectFile(QStringLiteral("fresh.fits"));
    dialog->accept();
    const QTemporaryDir other;
    QSettings().setValue(QStringLiteral("folder"), other.path());
    chooseFilesToOpen(window_, QStringLiteral("Open"), {}, [](const QStringList&) {});
    const QList<FileDialog*> all = window_->findChildren<FileDialog*>();
    QVERIFY(all.back()->sidebarUrls().contains(QUrl::fromLocalFile(folder_.path())));
}

QTEST_MAIN(TestFileDialog)
#include "tst_file_dialog.moc"

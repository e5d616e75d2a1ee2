// SPDX-License-Identifier: GPL-3.0-or-later
// Every file of the real data, dropped on one window at once: maps with and without a frame,
// tables, spectra, images, masks, archives and texts of other programs. The window paints all of
// them, follows the pointer over each, and no handler throws.
#include <QDirIterator>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QSignalSpy>

#include "armilla/ui/guarded_application.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/message_bar.h"
#include "support/real_data.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestDroppedFiles : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase();
    void allAtOnce();
    void cleanupTestCase() { closeWindow(); }

private:
    void moveOverTheSky();
    QStringList files_;
};

void TestDroppedFiles::initTestCase() {
    const auto folder = realDataFolder();
    if (!folder) QSKIP("no folder of real data here (ARMILLA_REAL_DATA)");
    QDirIterator all(*folder, QDir::Files, QDirIterator::Subdirectories);
    while (all.hasNext()) files_ << all.next();
    files_.sort();
    QVERIFY(files_.size() > 10);
    prepareSettings();
}

// Labels, inspector and read-out are updated at each position.
void TestDroppedFiles::moveOverTheSky() {
    constexpr int kSteps = 6;
    SkyViewWidget& view = *window_->skyView();
    for (int row = 1; row < kSteps; ++row)
        for (int column = 1; column < kSteps; ++column) {
            const QPointF at(view.width() * column / double(kSteps),
                             view.height() * row / double(kSteps));
            QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton,
                             Qt::NoButton, Qt::NoModifier);
            QCoreApplication::sendEvent(&view, &move);
            QCoreApplication::processEvents();
        }
    QVERIFY(!window_->grab().isNull());
}

void TestDroppedFiles::allAtOnce() {
    openWindow();
    auto* guarded = qobject_cast<GuardedApplication*>(qApp);
    QVERIFY(guarded);
    QSignalSpy thrown(guarded, &GuardedApplication::failed);
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files_) urls << QUrl::fromLocalFile(file);
    data.setUrls(urls);
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window_, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window_, &drop);
    moveOverTheSky();  // while the files are read
    waitUntilIdle(10);
    Document& document = window_->session().document();
    // Most of the files are supported data; one line reports the rest.
    QVERIFY2(document.entries().size() > static_cast<size_t>(files_.size()) / 3,
             qPrintable(QString::number(document.entries().size())));
    moveOverTheSky();
    shot(QStringLiteral("dropped"));
    std::vector<LayerId> maps;
    for (const Layer& layer : document.entries())
        if (layer.map) maps.push_back(layer.id);
    QVERIFY(maps.size() > 3);
    for (const LayerId id : maps) {
        document.view().setShown({id, 0, Quantity::Field});
        waitUntilIdle();
        moveOverTheSky();
    }
    QStringList lines;
    for (const auto& arguments : thrown) lines << arguments.front().toString();
    QVERIFY2(lines.isEmpty(), qPrintable(lines.join('\n')));
}

int main(int argc, char** argv) {
    GuardedApplication application(argc, argv);
    TestDroppedFiles test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_dropped_files.moc"

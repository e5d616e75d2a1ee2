// SPDX-License-Identifier: GPL-3.0-or-later
// Repaints of a window wait for the picture they belong to, not longer than can be seen, and not
// at all where pictures take too long.
#include <QElapsedTimer>
#include <QPaintEvent>
#include <QWidget>
#include <QtTest>

#include "src/view/held_updates.h"

using namespace armilla;

namespace {

class Counted : public QWidget {
public:
    explicit Counted(QWidget* parent = nullptr) : QWidget(parent) {}
    int paints = 0;

protected:
    void paintEvent(QPaintEvent*) override { ++paints; }
};

constexpr int kPatience = 5000;  // milliseconds

}  // namespace

class HeldUpdatesTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        window_ = std::make_unique<Counted>();
        panel_ = new Counted(window_.get());
        picture_ = new Counted(window_.get());
        window_->resize(200, 100);
        panel_->setGeometry(0, 0, 100, 100);
        picture_->setGeometry(100, 0, 100, 100);
        held_ = new HeldUpdates(*window_);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTest::qWait(50);
        panel_->paints = picture_->paints = 0;
    }

    void onePaintForBoth() {
        held_->hold();
        panel_->update();
        QCoreApplication::sendPostedEvents();
        QCOMPARE(panel_->paints, 0);
        // The picture's own update comes with a later event, as the sky view's does.
        QMetaObject::invokeMethod(
            picture_, [this] { picture_->update(); }, Qt::QueuedConnection);
        held_->release();
        QVERIFY(!held_->isHolding());
        int paintsOfPanel = -1;
        QTRY_VERIFY_WITH_TIMEOUT(panel_->paints > 0, kPatience);
        paintsOfPanel = panel_->paints;
        QCOMPARE(picture_->paints, 1);  // in the same turn
        QCOMPARE(paintsOfPanel, 1);
    }

    void nothingHeldNothingOwed() {
        held_->hold();
        held_->release();
        QTest::qWait(2 * HeldUpdates::kMostMilliseconds);
        QCOMPARE(panel_->paints, 0);
        panel_->update();
        QTRY_COMPARE_WITH_TIMEOUT(panel_->paints, 1, kPatience);
    }

    // A picture that does not come holds nothing up for long, and the next request nothing at all.
    void endsByItself() {
        QElapsedTimer timer;
        timer.start();
        held_->hold();
        panel_->update();
        QTRY_COMPARE_WITH_TIMEOUT(panel_->paints, 1, kPatience);
        QVERIFY2(timer.elapsed() >= HeldUpdates::kMostMilliseconds - 1,
                 qPrintable(QString::number(timer.elapsed())));
        QTest::qWait(HeldUpdates::kMostMilliseconds);
        held_->release();  // late
        held_->hold();
        QVERIFY(!held_->isHolding());
        // One that comes in time makes it pay again.
        held_->release();
        held_->hold();
        QVERIFY(held_->isHolding());
    }

    // A hand that goes on asking does not put the end off.
    void asksDoNotAddUp() {
        QElapsedTimer timer;
        timer.start();
        panel_->update();
        while (panel_->paints == 0 && timer.elapsed() < kPatience) {
            held_->hold();
            QTest::qWait(1);
        }
        QCOMPARE(panel_->paints, 1);
    }

private:
    std::unique_ptr<Counted> window_;
    Counted *panel_ = nullptr, *picture_ = nullptr;
    HeldUpdates* held_ = nullptr;
};

QTEST_MAIN(HeldUpdatesTest)
#include "tst_held_updates.moc"

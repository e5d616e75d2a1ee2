// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over a canvas with a window of its own: as one image, of which only the part that
// changed is made anew.
#include <QApplication>
#include <QPaintEvent>
#include <QPainter>
#include <QWidget>
#include <QtTest>

#include "src/view/sky_glass.h"
#include "src/view/sky_overlay.h"

using namespace armilla;

namespace {

class Plate : public QWidget {
public:
    Plate(const QColor& ink, const QRect& place, QWidget* parent) : QWidget(parent), color(ink) {
        setGeometry(place);
    }
    QColor color;
    int paints = 0;

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter(this).fillRect(rect(), color);
        ++paints;
    }
};

constexpr QRect kView(20, 10, 300, 200), kCard(40, 30, 50, 40), kNote(180, 100, 60, 20);
const QRect kNoteInView = kNote.translated(-kView.topLeft());

}  // namespace

class TstSkyGlass : public QObject {
    Q_OBJECT
private slots:
    void init() {
        frame_ = std::make_unique<QWidget>();
        frame_->resize(400, 300);
        behind_ = new Plate(Qt::blue, kView, frame_.get());
        view_ = new QWidget(frame_.get());
        view_->setGeometry(kView);
        canvas_ = new QWidget(view_);
        canvas_->setGeometry(view_->rect());
        overlay_ = new SkyOverlay(view_);
        overlay_->setGeometry(view_->rect());
        card_ = new Plate(Qt::red, kCard, view_);
        note_ = new Plate(Qt::green, kNote, frame_.get());
        frame_->show();
        QVERIFY(QTest::qWaitForWindowExposed(frame_.get()));
        glass_ = std::make_unique<SkyGlass>(*canvas_, *overlay_, [this] { ++touches_; });
        settle();
    }
    void cleanup() {
        glass_.reset();
        frame_.reset();
    }
    void holdsWidgetsOverTheCanvas();
    void renewsWhatPaints();
    void followsWhatMovesAndHides();
    void holdsTheOverlay();
    void leavesTheOverlayToTheScreen();
    void followsTheSize();

private:
    void settle() {
        QTest::qWait(30);
        glass_->renew();
        touches_ = 0;
    }
    QColor at(const QRect& place) const { return glass_->image().pixelColor(place.center()); }

    std::unique_ptr<QWidget> frame_;
    Plate *behind_ = nullptr, *card_ = nullptr, *note_ = nullptr;
    QWidget *view_ = nullptr, *canvas_ = nullptr;
    SkyOverlay* overlay_ = nullptr;
    std::unique_ptr<SkyGlass> glass_;
    int touches_ = 0;
};

void TstSkyGlass::holdsWidgetsOverTheCanvas() {
    QCOMPARE(glass_->image().size(), kView.size());
    QCOMPARE(at(kCard), QColor(Qt::red));
    QCOMPARE(at(kNoteInView), QColor(Qt::green));
    // What lies behind the canvas does not.
    QCOMPARE(glass_->image().pixelColor(5, 150).alpha(), 0);
    behind_->update(QRect(0, 140, 20, 20));
    QTest::qWait(30);
    QCOMPARE(touches_, 0);
    QVERIFY(glass_->renew().isEmpty());
}

void TstSkyGlass::renewsWhatPaints() {
    card_->color = Qt::yellow;
    card_->update(QRect(10, 10, 40, 30));
    QTRY_VERIFY(touches_ > 0);
    const QRect renewed = glass_->renew();
    QCOMPARE(renewed, QRect(kCard.topLeft() + QPoint(10, 10), QSize(40, 30)));
    QCOMPARE(at(kCard), QColor(Qt::yellow));
    QCOMPARE(glass_->image().pixelColor(kCard.topLeft() + QPoint(5, 5)), QColor(Qt::red));
    // Its painting into the image is no reason for another one.
    touches_ = 0;
    QTest::qWait(30);
    QCOMPARE(touches_, 0);
}

void TstSkyGlass::followsWhatMovesAndHides() {
    note_->move(note_->pos() + QPoint(0, 40));
    QTRY_VERIFY(touches_ > 0);
    QTest::qWait(30);
    QVERIFY(glass_->renew().contains(kNoteInView));
    QCOMPARE(at(kNoteInView).alpha(), 0);
    QCOMPARE(at(kNoteInView.translated(0, 40)), QColor(Qt::green));
    settle();
    note_->hide();
    QCOMPARE(glass_->renew(), kNoteInView.translated(0, 40));
    QCOMPARE(at(kNoteInView.translated(0, 40)).alpha(), 0);
}

void TstSkyGlass::holdsTheOverlay() {
    OverlayScene scene;
    scene.panels = {QRect({}, kView.size())};
    scene.headline = QStringLiteral("No map is open");
    overlay_->setScene(scene);
    QVERIFY(touches_ > 0);
    QCOMPARE(glass_->renew(), QRect({}, kView.size()));
    const QImage image = glass_->image();
    int inked = 0;
    for (int x = 0; x < image.width(); ++x)
        for (int y = 80; y < 120; ++y)
            if (!kCard.contains(x, y) && image.pixelColor(x, y).alpha() > 0) ++inked;
    QVERIFY(inked > 50);
    // Its painting is no more than the part that is asked for, however it clips.
    note_->hide();
    glass_->renew();
    QCOMPARE(glass_->image().copy(0, 60, 150, 60), image.copy(0, 60, 150, 60));
}

void TstSkyGlass::leavesTheOverlayToTheScreen() {
    const auto paintsOnScreen = [this] {
        struct Watch : QObject {
            int paints = 0;
            bool eventFilter(QObject*, QEvent* event) override {
                paints += event->type() == QEvent::Paint ? 1 : 0;
                return false;
            }
        } watch;
        overlay_->installEventFilter(&watch);
        OverlayScene scene;
        scene.panels = {QRect({}, kView.size())};
        scene.hint = QStringLiteral("%1").arg(++touches_);
        overlay_->setScene(scene);
        QTest::qWait(30);
        overlay_->removeEventFilter(&watch);
        return watch.paints;
    };
    QCOMPARE(paintsOnScreen(), 0);
    glass_.reset();
    QVERIFY(paintsOnScreen() > 0);
    glass_ = std::make_unique<SkyGlass>(*canvas_, *overlay_, [this] { ++touches_; });
}

void TstSkyGlass::followsTheSize() {
    canvas_->resize(200, 150);
    glass_->renew();
    QCOMPARE(glass_->image().size(), QSize(200, 150));
    QCOMPARE(at(kCard), QColor(Qt::red));
}

QTEST_MAIN(TstSkyGlass)
#include "tst_sky_glass.moc"

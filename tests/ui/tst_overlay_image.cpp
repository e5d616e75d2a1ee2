// SPDX-License-Identifier: GPL-3.0-or-later
// The overlay of a canvas with its own native window: one image, of which only changed parts are
// repainted.
#include <QApplication>
#include <QPaintEvent>
#include <QPainter>
#include <QWidget>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "armilla/core/pixel_geometry.h"
#include "support/patience.h"
#include "view/overlay_image.h"
#include "view/sky_overlay.h"

using namespace armilla;
using armilla::test::kPatience;

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

class TstOverlayImage : public QObject {
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
        QVERIFY(QTest::qWaitForWindowExposed(frame_.get(), kPatience));
        overlayImage_ = std::make_unique<OverlayImage>(*canvas_, *overlay_, [this] { ++touches_; });
        settle();
    }
    void cleanup() {
        overlayImage_.reset();
        frame_.reset();
    }
    void holdsWidgetsOverTheCanvas();
    void renewsWhatPaints();
    void followsWhatMovesAndHides();
    void holdsTheOverlay();
    void leavesTheOverlayToTheScreen();
    void followsTheSize();
    void aPartIsPaintedAsTheWhole();
    void namesOfTwoMapsDiffer();

private:
    void settle() {
        QTest::qWait(30);
        overlayImage_->renew();
        touches_ = 0;
    }
    QColor at(const QRect& place) const {
        return overlayImage_->image().pixelColor(place.center());
    }

    std::unique_ptr<QWidget> frame_;
    Plate *behind_ = nullptr, *card_ = nullptr, *note_ = nullptr;
    QWidget *view_ = nullptr, *canvas_ = nullptr;
    SkyOverlay* overlay_ = nullptr;
    std::unique_ptr<OverlayImage> overlayImage_;
    int touches_ = 0;
};

void TstOverlayImage::holdsWidgetsOverTheCanvas() {
    QCOMPARE(overlayImage_->image().size(), kView.size());
    QCOMPARE(at(kCard), QColor(Qt::red));
    QCOMPARE(at(kNoteInView), QColor(Qt::green));
    // Content behind the canvas is not included.
    QCOMPARE(overlayImage_->image().pixelColor(5, 150).alpha(), 0);
    behind_->update(QRect(0, 140, 20, 20));
    QTest::qWait(30);
    QCOMPARE(touches_, 0);
    QVERIFY(overlayImage_->renew().isEmpty());
}

void TstOverlayImage::renewsWhatPaints() {
    card_->color = Qt::yellow;
    card_->update(QRect(10, 10, 40, 30));
    QTRY_VERIFY_WITH_TIMEOUT(touches_ > 0, kPatience);
    QCOMPARE(overlayImage_->renew(),
             QRegion(QRect(kCard.topLeft() + QPoint(10, 10), QSize(40, 30))));
    QCOMPARE(at(kCard), QColor(Qt::yellow));
    QCOMPARE(overlayImage_->image().pixelColor(kCard.topLeft() + QPoint(5, 5)), QColor(Qt::red));
    // Its painting into the image does not trigger another one.
    touches_ = 0;
    QTest::qWait(30);
    QCOMPARE(touches_, 0);
}

void TstOverlayImage::followsWhatMovesAndHides() {
    note_->move(note_->pos() + QPoint(0, 40));
    QTRY_VERIFY_WITH_TIMEOUT(touches_ > 0, kPatience);
    QTest::qWait(30);
    QVERIFY(overlayImage_->renew().contains(kNoteInView));
    QCOMPARE(at(kNoteInView).alpha(), 0);
    QCOMPARE(at(kNoteInView.translated(0, 40)), QColor(Qt::green));
    settle();
    note_->hide();
    QCOMPARE(overlayImage_->renew(), QRegion(kNoteInView.translated(0, 40)));
    QCOMPARE(at(kNoteInView.translated(0, 40)).alpha(), 0);
}

void TstOverlayImage::holdsTheOverlay() {
    OverlayScene scene;
    scene.panels = {QRect({}, kView.size())};
    scene.headline = QStringLiteral("No map is open");
    overlay_->setScene(scene);
    QVERIFY(touches_ > 0);
    QCOMPARE(overlayImage_->renew(), QRegion(QRect({}, kView.size())));
    const QImage image = overlayImage_->image();
    int inked = 0;
    for (int x = 0; x < image.width(); ++x)
        for (int y = 80; y < 120; ++y)
            if (!kCard.contains(x, y) && image.pixelColor(x, y).alpha() > 0) ++inked;
    QVERIFY(inked > 50);
    // A repaint stays within the requested part, whatever its clipping.
    note_->hide();
    overlayImage_->renew();
    QCOMPARE(overlayImage_->image().copy(0, 60, 150, 60), image.copy(0, 60, 150, 60));
}

void TstOverlayImage::leavesTheOverlayToTheScreen() {
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
    overlayImage_.reset();
    QVERIFY(paintsOnScreen() > 0);
    overlayImage_ = std::make_unique<OverlayImage>(*canvas_, *overlay_, [this] { ++touches_; });
}

void TstOverlayImage::followsTheSize() {
    canvas_->resize(200, 150);
    overlayImage_->renew();
    QCOMPARE(overlayImage_->image().size(), QSize(200, 150));
    QCOMPARE(at(kCard), QColor(Qt::red));
}

// Long names of two maps are elided in what they share.
void TstOverlayImage::namesOfTwoMapsDiffer() {
    const QString shared = QStringLiteral("wmap_band_").repeated(20);
    OverlayScene scene;
    scene.panels = {QRect({}, kView.size())};
    scene.chips = {{0, false, shared + QStringLiteral("one"), false, 0},
                   {0, true, shared + QStringLiteral("two"), false, 0}};
    overlay_->setScene(scene);
    QCOMPARE(overlay_->placedNames().size(), 2);
    QVERIFY(overlay_->placedNames()[0].size() < shared.size());
    QVERIFY(overlay_->placedNames()[0].endsWith(QStringLiteral("…one")));
    QVERIFY(overlay_->placedNames()[1].endsWith(QStringLiteral("…two")));
}

// Scenes with single differences, as caused by the pointer, a slider or a live map.
class Scenes {
public:
    explicit Scenes(QSize device) : device_(device) { scene_.panels = {QRect({}, device)}; }
    const OverlayScene& next() {
        // Names, colors and marks change more often than content that repaints everything.
        const int what = at(36);
        switch (what < 16 ? what : what % 10) {
            case 0: rename(0); break;
            case 1: rename(1); break;
            case 2: scene_.chips.resize(random_() % 3); break;
            case 3: recolor(); break;
            case 4: scene_.bars.resize(random_() % 3); break;
            case 5:
                scene_.frameLine = QStringLiteral("Galactic · Mollweide").repeated(at(2));
                break;
            case 6: scene_.crosses.push_back({panel(), place()}); break;
            case 7: scene_.crosses.clear(); break;
            case 8: scene_.rings.push_back({panel(), place(), 9.0, word()}); break;
            case 9: scene_.rings.clear(); break;
            case 10: draw(); break;
            case 11: scene_.drawn.clear(); break;
            case 12: measure(); break;
            case 13: swipe(); break;
            case 14: setUp(); break;
            default: look(); break;
        }
        for (auto& chip : scene_.chips) chip.panel %= static_cast<int>(scene_.panels.size());
        for (auto& bar : scene_.bars) bar.panel %= static_cast<int>(scene_.panels.size());
        std::stable_sort(scene_.bars.begin(), scene_.bars.end(),
                         [](const auto& a, const auto& b) { return a.panel < b.panel; });
        for (auto& cross : scene_.crosses) cross.panel %= static_cast<int>(scene_.panels.size());
        for (auto& ring : scene_.rings) ring.panel %= static_cast<int>(scene_.panels.size());
        for (auto& drawn : scene_.drawn) drawn.panel %= static_cast<int>(scene_.panels.size());
        for (auto& rods : scene_.rods) rods.panel %= static_cast<int>(scene_.panels.size());
        return scene_;
    }

private:
    int at(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
    int panel() { return at(static_cast<int>(scene_.panels.size())); }
    QPointF place() { return {1.0 * at(device_.width()), 1.0 * at(device_.height())}; }
    ImagePoint point() {
        const QPointF p = place();
        return {p.x(), p.y()};
    }
    QString word() { return QStringLiteral("smoothed %1′").arg(std::pow(10.0, at(60) / 10.0)); }
    void rename(size_t chip) {
        if (scene_.chips.size() <= chip) scene_.chips.resize(chip + 1);
        scene_.chips[chip] = {panel(), at(2) == 1, word(), at(4) == 0, static_cast<int>(chip)};
    }
    void recolor() {
        if (scene_.bars.empty()) scene_.bars.emplace_back();
        OverlayScene::Bar& bar = scene_.bars[random_() % scene_.bars.size()];
        bar.panel = panel();
        bar.scale.mapping.low = -1.0F - static_cast<float>(at(50));
        bar.scale.mapping.high = 1.0F + static_cast<float>(at(2000));
        bar.scale.reversed = at(2) == 1;
        bar.text = {word(), QStringLiteral("linear")};
    }
    void draw() {
        scene_.drawn.clear();
        if (at(2) == 1) return;
        OverlayScene::Drawn drawn;
        drawn.panel = panel();
        drawn.lines = {{point(), point(), point()}};
        drawn.handles = {place()};
        drawn.text = word();
        scene_.drawn.push_back(std::move(drawn));
    }
    void measure() {
        scene_.ruler.reset();
        if (at(2) == 1)
            scene_.ruler = {0, direction({0.1 * at(10), 0.1}), direction({0.5, 0.1 * at(8)})};
    }
    void swipe() {
        scene_.swipe.reset();
        if (at(3) > 0) scene_.swipe = 0.1 * (1 + at(8));
        scene_.swipeLit = at(2) == 1;
    }
    void setUp() {
        const int half = device_.width() / 2;
        if (at(2) == 1)
            scene_.panels = {QRect(0, 0, half, device_.height()),
                             QRect(half, 0, device_.width() - half, device_.height())};
        else
            scene_.panels = {QRect({}, device_)};
        scene_.graticule = at(4) > 0;
        scene_.camera.zoom = 1.0 + 0.5 * at(3);
        scene_.inspector = at(2) == 1 ? QRectF(560, 300, 120, 140) : QRectF();
    }
    void look() {
        scene_.headline = at(6) == 0 ? QStringLiteral("No map is open") : QString();
        scene_.rods.clear();
        scene_.contours.clear();
        if (at(2) == 1)
            scene_.rods.push_back(
                {panel(), 0.0, 1.0, {{point(), point()}, {point(), point()}}, 40.0, word()});
        if (at(2) == 1) scene_.contours.push_back({0, 0.0, 1.0, true, {{point(), point()}}});
    }

    QSize device_;
    OverlayScene scene_;
    std::mt19937 random_{7};
};

void TstOverlayImage::aPartIsPaintedAsTheWhole() {
    constexpr QRect kLarge(20, 10, 700, 460);
    frame_->resize(760, 500);
    behind_->setGeometry(kLarge);
    view_->setGeometry(kLarge);
    canvas_->setGeometry(view_->rect());
    overlay_->setGeometry(view_->rect());
    settle();
    const double ratio = frame_->devicePixelRatioF();
    Scenes scenes((QSizeF(kLarge.size()) * ratio).toSize());
    int parts = 0, most = 0;
    for (int i = 0; i < 600; ++i) {
        const OverlayScene& scene = scenes.next();
        overlay_->setScene(scene);
        if (i % 7 == 0) card_->update(QRect(i % 20, 3, 9, 9));
        if (i % 7 == 0) QTest::qWait(1);
        int64_t renewed = 0;
        for (const QRect& rect : overlayImage_->renew())
            renewed += int64_t{1} * rect.width() * rect.height();
        const QImage& image = overlayImage_->image();
        if (renewed < image.width() * image.height()) ++parts;
        // Painted from scratch, by Qt's own painting of a widget.
        QWidget apart;
        SkyOverlay fresh(&apart);
        fresh.setGeometry(overlay_->geometry());
        fresh.setScene(scene);
        QImage whole(image.size(), image.format());
        whole.setDevicePixelRatio(ratio);
        whole.fill(Qt::transparent);
        fresh.render(&whole, {}, {}, QWidget::DrawChildren);
        card_->render(&whole, kCard.topLeft(), {}, QWidget::DrawChildren);
        note_->render(&whole, kNoteInView.topLeft(), {}, QWidget::DrawChildren);
        if (image != whole) {
            image.save(QStringLiteral("glass_part.png"));
            whole.save(QStringLiteral("glass_whole.png"));
        }
        QVERIFY2(image == whole, qPrintable(QStringLiteral("scene %1").arg(i)));
        most = std::max(most, static_cast<int>(scene.chips.size() + scene.bars.size()));
    }
    QVERIFY2(parts > 300, qPrintable(QString::number(parts)));
    QVERIFY(most > 2);
}

QTEST_MAIN(TstOverlayImage)
#include "tst_overlay_image.moc"

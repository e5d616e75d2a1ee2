// SPDX-License-Identifier: GPL-3.0-or-later
// The sky's share of a window of any size and font, and its overlay.
#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollBar>

#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/data_panel.h"
#include "panels/smooth_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_footer.h"
#include "panels/tool_rail.h"
#include "session/layer_samples.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestWindowRoom : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }
    void skyHasHalfOfTheWindow();
    void inspectorLooksAtData();
    void wordsHaveRoom();
    void everyToolIsInReach();
    void inspectorLeavesTheSkyFree();
    void inspectorIsNoStripe();
    void inspectorLooksAtThePeak();
    void toolsAreReachedByTab();
    void noDataNoPanel();
    void menusFitASmallScreen();
};

// On the smallest screen that is supported a menu is one column below the menu bar.
void TestWindowRoom::menusFitASmallScreen() {
    constexpr int kScreen = 700, kBar = 52;  // logical pixels; the bar includes a title of a frame
    for (const QAction* entry : window_->menuBar()->actions()) {
        int height = 0;
        for (const QAction* row : entry->menu()->actions())
            height += entry->menu()->actionGeometry(const_cast<QAction*>(row)).height();
        QVERIFY2(height <= kScreen - kBar,
                 qPrintable(entry->text() + QStringLiteral(": %1").arg(height)));
    }
}

// Beside any tool, in windows as narrow as on a small screen at 150 percent, and with large fonts.
// Widgets are never lower than their text.
void TestWindowRoom::skyHasHalfOfTheWindow() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 8, false, true)});
    waitForPicture();
    const QFont font = QApplication::font();
    for (const auto& [scale, size] : {std::pair{1.0, QSize(1310, 700)},
                                      {1.0, QSize(1024, 700)},
                                      {1.0, QSize(853, 480)},
                                      {1.0, QSize(683, 450)},
                                      {1.5, QSize(1024, 700)},
                                      {1.5, QSize(1440, 860)},
                                      {1.5, QSize(1280, 680)}}) {
        QFont larger = font;
        larger.setPointSizeF(scale * font.pointSizeF());
        QApplication::setFont(larger);
        for (ToolDock* tool : window_->panels().rail()->tools()) {
            window_->panels().rail()->open(tool);
            window_->resize(size);
            QTRY_COMPARE_WITH_TIMEOUT(window_->size(), size, kPatience);
            QTRY_VERIFY2_WITH_TIMEOUT(2 * window_->skyView()->width() >= window_->width(),
                                      qPrintable(QStringLiteral("%1 at %2, font %3: %4")
                                                     .arg(tool->objectName())
                                                     .arg(size.width())
                                                     .arg(scale)
                                                     .arg(window_->skyView()->width())),
                                      kPatience);
            for (const auto* button : tool->findChildren<QPushButton*>())
                QVERIFY2(!button->isVisible() || button->height() >= button->fontMetrics().height(),
                         qPrintable(button->text()));
        }
    }
    QApplication::setFont(font);
}

// Before the first pointer event: at the center of the view, or at the nearest data of the map.
void TestWindowRoom::inspectorLooksAtData() {
    const int64_t nside = 64;
    const Vec3 center = direction({1.2, -0.4});
    std::vector<int64_t> pixels;
    for (int64_t p = 0; p < pixelCount(nside); ++p) {
        const double distance = angularDistance(directionFromRing(nside, p), center);
        if (distance > 6.0 * kDegree && distance < 8.0 * kDegree) pixels.push_back(p);
    }
    std::vector<float> values(pixels.size(), 1.0F);
    const HealpixMap ring = HealpixMap::partial(nside, Ordering::Ring, Frame::Galactic, pixels,
                                                {{"I", "K", DiskType::Float32, values}});
    const QString path = inFolder(QStringLiteral("ring.fits"));
    JobContext job;
    writeMap(ring, path.toStdString(), {}, job);
    window_->resize(1280, 680);
    window_->openFiles({path});
    waitForPicture();
    // The zoom to the data is part of the step that opens it.
    Document& document = window_->session().document();
    QTRY_COMPARE_WITH_TIMEOUT(document.view().camera().projection, Projection::Gnomonic, kPatience);
    QTest::qWait(500);  // longer than the flight
    QCOMPARE(document.history().stack()->count(), 1);
    const InspectorWidget* inspector = window_->skyView()->inspector();
    QTRY_VERIFY_WITH_TIMEOUT(
        inspector->place() &&
            ring.elementOf(ring.pixelAt(inspector->place()->direction)).has_value(),
        kPatience);
    // With space for a picture instead of a stripe; the sky fraction is not rounded to all.
    constexpr int kLeastPicture = 50;
    const int height = inspector->pictureSize(inspector->size()).height();
    QVERIFY2(height >= kLeastPicture, qPrintable(QStringLiteral("%1 of %2 in %3x%4")
                                                     .arg(height)
                                                     .arg(inspector->height())
                                                     .arg(window_->skyView()->width())
                                                     .arg(window_->skyView()->height())));
    QStringList shares;
    for (const QLabel* label : window_->panels().smooth()->findChildren<QLabel*>())
        if (label->text().endsWith(QLatin1String(" %"))) shares << label->text();
    QVERIFY2(!shares.contains(QStringLiteral("100.0 %")),
             qPrintable(shares.join(QLatin1Char(';'))));
}

// Names of tools and the words of the search box are complete at any width, also after another
// width.
void TestWindowRoom::wordsHaveRoom() {
    QLineEdit* search = nullptr;
    for (auto* one : window_->findChildren<QLineEdit*>())
        if (one->accessibleName().contains(QLatin1String("position"))) search = one;
    QVERIFY(search);
    ToolRail* rail = window_->panels().rail();
    const QFont font = QApplication::font();
    QFont larger = font;
    larger.setPointSizeF(1.5 * font.pointSizeF());
    for (const auto& [used, size] : {std::pair{font, QSize(1440, 900)},
                                     {font, QSize(1024, 700)},
                                     {font, QSize(1280, 680)},
                                     {larger, QSize(1024, 700)},
                                     {font, QSize(683, 450)},
                                     {font, QSize(1440, 900)},
                                     {larger, QSize(1440, 900)},
                                     {font, QSize(1600, 1000)},
                                     {font, QSize(1310, 700)}}) {
        QApplication::setFont(used);
        window_->resize(size);
        QTRY_COMPARE_WITH_TIMEOUT(window_->size(), size, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!rail->layout()->isEmpty() && rail->height() <= size.height(),
                                 kPatience);
        for (QAction* action : rail->toolActions()) {
            const QWidget* button = rail->widgetForAction(action);
            QTRY_VERIFY2_WITH_TIMEOUT(button->height() >= button->sizeHint().height() &&
                                          button->width() >= button->sizeHint().width(),
                                      qPrintable(QStringLiteral("%1 at %2: %3 of %4")
                                                     .arg(action->text())
                                                     .arg(size.width())
                                                     .arg(button->height())
                                                     .arg(button->sizeHint().height())),
                                      kPatience);
        }
        // Space of the icon and of the clear button.
        constexpr int kButtons = 54;
        const QString words = search->placeholderText();
        QTRY_VERIFY2_WITH_TIMEOUT(
            search->fontMetrics().horizontalAdvance(search->placeholderText()) + kButtons <=
                search->width(),
            qPrintable(words), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(
            search->isVisible() &&
                window_->rect().contains(QRect(search->mapTo(window_, QPoint()), search->size())),
            kPatience);
    }
    QApplication::setFont(font);
}

// No tool ends in the overflow arrow of the rail, for any window height and font size.
void TestWindowRoom::everyToolIsInReach() {
    ToolRail* rail = window_->panels().rail();
    const QFont font = QApplication::font();
    for (const double scale : {1.0, 1.4}) {
        QFont larger = font;
        larger.setPointSizeF(scale * font.pointSizeF());
        QApplication::setFont(larger);
        for (const QSize size : {QSize(1440, 900), QSize(1280, 680), QSize(1031, 604),
                                 QSize(1024, 520), QSize(1440, 844)}) {
            window_->resize(size);
            QTRY_COMPARE_WITH_TIMEOUT(window_->size(), size, kPatience);
            for (QAction* action : rail->toolActions()) {
                const QWidget* button = rail->widgetForAction(action);
                QTRY_VERIFY2_WITH_TIMEOUT(
                    button->isVisible() && rail->rect().contains(button->geometry()),
                    qPrintable(QStringLiteral("%1 at %2x%3, %4 high, font %5")
                                   .arg(action->text())
                                   .arg(size.width())
                                   .arg(size.height())
                                   .arg(button->height())
                                   .arg(scale)),
                    kPatience);
                QVERIFY(button->height() >= rail->iconSize().height() + 2);
            }
        }
    }
    QApplication::setFont(font);
}

// Its card lies in a corner that the whole sky leaves free, with a gap.
void TestWindowRoom::inspectorLeavesTheSkyFree() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, false)});
    waitForPicture();
    SkyViewWidget* view = window_->skyView();
    const QWidget* card = view->inspector();
    QVERIFY(card->isVisible());
    const QFont font = QApplication::font();
    QFont larger = font;
    larger.setPointSizeF(1.5 * font.pointSizeF());
    for (const auto& [used, size] : {std::pair{font, QSize(1440, 900)},
                                     {font, QSize(1440, 844)},
                                     {font, QSize(1280, 680)},
                                     {font, QSize(1031, 604)},
                                     {font, QSize(1280, 640)},
                                     {larger, QSize(1280, 680)},
                                     {larger, QSize(1440, 600)},
                                     {larger, QSize(1440, 520)}}) {
        QApplication::setFont(used);
        window_->resize(size);
        QTRY_COMPARE_WITH_TIMEOUT(window_->size(), size, kPatience);
        waitForPicture();
        constexpr int kGap = 3;
        const QRect around = card->geometry().adjusted(-kGap, -kGap, 0, 0);
        for (int i = 0; i <= 40; ++i)
            for (const QPointF at :
                 {QPointF(around.left() + around.width() * i / 40.0, around.top()),
                  QPointF(around.left(), around.top() + around.height() * i / 40.0)})
                QVERIFY2(!view->cursorAt(at), qPrintable(QStringLiteral("at %1x%2, card %3x%4")
                                                             .arg(size.width())
                                                             .arg(size.height())
                                                             .arg(card->width())
                                                             .arg(card->height())));
    }
    QApplication::setFont(font);
}

// Above the data panel there is less space, so the inspector is folded. If unfolded there, it shows
// a region and not a row of pixels.
void TestWindowRoom::inspectorIsNoStripe() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, false)});
    waitForPicture();
    Document& document = window_->session().document();
    const LayerId map = document.view().shown().entry;
    const LayerId curve = document.addLayer(sampleLayer(LayerKind::Curve), "curve", {});
    InspectorWidget* inspector = window_->skyView()->inspector();
    const auto isPicture = [&] {
        const QSize picture = inspector->pictureSize(inspector->size());
        return 2 * picture.height() > picture.width() && picture.height() >= 60 &&
               window_->skyView()->rect().contains(inspector->geometry());
    };
    for (const QSize size : {QSize(1440, 900), QSize(1024, 700), QSize(1600, 1000)}) {
        window_->resize(size);
        QTRY_COMPARE_WITH_TIMEOUT(window_->size(), size, kPatience);
        for (const LayerId active : {map, curve}) {
            document.setActive(active);
            // The plot of the curve stays while the map is chosen.
            QTRY_VERIFY_WITH_TIMEOUT(window_->panels().data()->isVisible(), kPatience);
            QTest::qWait(300);
            const bool isFolded = inspector->isCollapsed();
            QVERIFY2(isFolded || isPicture(), qPrintable(QStringLiteral("%1x%2 at %3, layer %4")
                                                             .arg(inspector->width())
                                                             .arg(inspector->height())
                                                             .arg(size.width())
                                                             .arg(active.number())));
            if (!isFolded) continue;
            inspector->setCollapsed(false);
            QTRY_VERIFY2_WITH_TIMEOUT(isPicture(),
                                      qPrintable(QStringLiteral("unfolded %1x%2 at %3")
                                                     .arg(inspector->width())
                                                     .arg(inspector->height())
                                                     .arg(size.width())),
                                      kPatience);
            inspector->setCollapsed(true);
        }
    }
}

// For a probability map, before the first pointer event.
void TestWindowRoom::inspectorLooksAtThePeak() {
    const int64_t nside = 64, at = 12345;
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    const Vec3 peak = directionFromRing(nside, at);
    for (int64_t p = 0; p < pixelCount(nside); ++p)
        values[static_cast<size_t>(p)] = static_cast<float>(
            std::exp(200.0 * (dot(directionFromRing(nside, p), peak) - 1.0)) / 3000.0);
    const HealpixMap map(nside, Ordering::Ring, Frame::Equatorial,
                         {{"PROB", "pix-1", DiskType::Float32, values}});
    const QString path = inFolder(QStringLiteral("event.fits"));
    JobContext job;
    writeMap(map, path.toStdString(), {}, job);
    window_->openFiles({path});
    waitForPicture();
    const InspectorWidget* inspector = window_->skyView()->inspector();
    // The place is the center of the brightest pixel, up to the rounding of unit vectors.
    QTRY_VERIFY_WITH_TIMEOUT(
        inspector->place() && angularDistance(inspector->place()->direction, peak) < 1e-12,
        kPatience);
    // Elsewhere, the center of the view.
    Document& document = window_->session().document();
    Camera elsewhere = document.view().camera().centeredOn(lonLat(Vec3{-peak.x, -peak.y, -peak.z}));
    elsewhere.zoom *= 8.0;
    document.view().setCamera(elsewhere);
    QTRY_VERIFY_WITH_TIMEOUT(angularDistance(inspector->place()->direction, peak) > 3.0, kPatience);
}

// Tab visits a tool from top to bottom, and reaches everything that a mouse can click.
void TestWindowRoom::toolsAreReachedByTab() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 8, false, true)});
    waitForPicture();
    constexpr int kSameRow = 12;  // vertical distance between centers of widgets
    for (const QSize size : {QSize(1440, 900), QSize(1024, 700)}) {
        window_->resize(size);
        QTRY_COMPARE_WITH_TIMEOUT(window_->size(), size, kPatience);
        for (ToolDock* tool : window_->panels().rail()->tools()) {
            window_->panels().rail()->open(tool);
            QTest::qWait(50);
            std::vector<QWidget*> reached;
            for (QWidget* widget = tool->nextInFocusChain(); widget != tool;
                 widget = widget->nextInFocusChain())
                if (tool->isAncestorOf(widget) && widget->isVisibleTo(tool) &&
                    widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0)
                    reached.push_back(widget);
            const auto nameOf = [&](const QWidget* widget) {
                const auto* button = qobject_cast<const QAbstractButton*>(widget);
                return QStringLiteral("%1: %2 %3 \"%4%5\"")
                    .arg(tool->objectName(), QString::fromLatin1(widget->metaObject()->className()),
                         widget->objectName(), widget->accessibleName(),
                         button ? button->text() : QString());
            };
            for (QWidget* widget : tool->findChildren<QWidget*>()) {
                const bool isControl = qobject_cast<QAbstractButton*>(widget) ||
                                       qobject_cast<QAbstractSlider*>(widget) ||
                                       qobject_cast<QComboBox*>(widget) ||
                                       qobject_cast<QLineEdit*>(widget);
                if (!isControl || !widget->isVisibleTo(tool) || !widget->isEnabled() ||
                    qobject_cast<QScrollBar*>(widget) || widget->focusProxy() ||
                    qobject_cast<QComboBox*>(widget->parentWidget()) ||
                    qobject_cast<QLineEdit*>(widget->parentWidget()))
                    continue;
                QVERIFY2(std::find(reached.begin(), reached.end(), widget) != reached.end(),
                         qPrintable(nameOf(widget)));
            }
            // The footer comes after everything that scrolls above it.
            const auto* footer = tool->findChild<ToolFooter*>();
            const auto topOf = [&](const QWidget* widget) {
                constexpr int kBelow = 100000;
                return widget->mapTo(tool, QPoint(0, widget->height() / 2)).y() +
                       (footer && footer->isAncestorOf(widget) ? kBelow : 0);
            };
            for (size_t i = 0; i + 1 < reached.size(); ++i)
                QVERIFY2(topOf(reached[i + 1]) + kSameRow >= topOf(reached[i]),
                         qPrintable(nameOf(reached[i]) + QStringLiteral(" -> ") +
                                    nameOf(reached[i + 1])));
            QVERIFY(!reached.empty());
        }
    }
}

// A window closed with a curve open has no empty data panel at the next start.
void TestWindowRoom::noDataNoPanel() {
    window_->session().document().addLayer(sampleLayer(LayerKind::Curve), "curve", {});
    QTRY_VERIFY_WITH_TIMEOUT(window_->panels().data()->isVisible(), kPatience);
    closeWindow();
    window_ = new MainWindow;
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_, kPatience));
    QTest::qWait(100);
    QVERIFY(!window_->panels().data()->isVisible());
    window_->session().document().addLayer(sampleLayer(LayerKind::Curve), "curve", {});
    QTRY_VERIFY_WITH_TIMEOUT(window_->panels().data()->isVisible(), kPatience);
}

QTEST_MAIN(TestWindowRoom)
#include "tst_window_room.moc"

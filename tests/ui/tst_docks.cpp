// SPDX-License-Identifier: GPL-3.0-or-later
// Columns beside the sky: their widths are fixed, and their words are whole.
#include <QComboBox>
#include <QSet>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <utility>

#include "armilla/session/live_preview.h"
#include "armilla/session/session.h"
#include "armilla/ui/sky_view_widget.h"
#include "models/sibling_text.h"
#include "panels/data_panel.h"
#include "panels/elided_label.h"
#include "panels/operation_panel.h"
#include "panels/small_widgets.h"
#include "panels/smooth_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "session/layer_samples.h"
#include "window/window_layout.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestDocks : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }
    void init() { openWindow({1440, 900}); }
    void cleanup() { closeWindow(); }
    void layersAreWide();
    void theSkyHoldsStill();
    void wordsOfChoicesAreWhole();
    void namesAreToldApart();
    void detachedToolsMayStayOpen();
    void aThemeIsAppliedOnce();
    void resetShowsOneTool();

private:
    ToolDock* dock(const QString& name) const {
        for (ToolDock* each : window_->panels().docks().all)
            if (each->objectName() == name) return each;
        return nullptr;
    }
    void resizeTo(QSize size) {
        window_->resize(size);
        QTRY_COMPARE_WITH_TIMEOUT(window_->size(), size, kPatience);
        waitForLayout();
    }
    // Until the sky has kept its place for a while, on a machine of any speed.
    void waitForLayout() const {
        constexpr int kLooks = 20;  // looks of 10 ms: a layout takes less
        QRect before;
        int still = 0;
        QVERIFY(QTest::qWaitFor(
            [&] {
                const QRect now = window_->skyView()->geometry();
                still = std::exchange(before, now) == now ? still + 1 : 0;
                return still >= kLooks;
            },
            kPatience));
    }
};

// Wherever the left column is open: also on a screen of 1366 pixels.
void TestDocks::layersAreWide() {
    constexpr int kLeast = 280;
    for (const QSize size : {QSize(1440, 900), QSize(1366, 768), QSize(1920, 1080)}) {
        resizeTo(size);
        QVERIFY(window_->arrangement().isLeftVisible());
        for (ToolDock* tool : window_->panels().rail()->tools()) {
            window_->panels().rail()->open(tool);
            waitForLayout();
            QVERIFY2(dock(QStringLiteral("maps"))->width() >= kLeast,
                     qPrintable(QStringLiteral("%1 beside %2")
                                    .arg(dock(QStringLiteral("maps"))->width())
                                    .arg(tool->objectName())));
            QVERIFY2(2 * window_->skyView()->width() >= window_->width(),
                     qPrintable(QStringLiteral("sky %1 of %2 beside %3, %4 wide")
                                    .arg(window_->skyView()->width())
                                    .arg(size.width())
                                    .arg(tool->objectName())
                                    .arg(tool->width())));
        }
    }
}

// The place and size of the sky do not depend on the tool, the layer, its name or a slider.
void TestDocks::theSkyHoldsStill() {
    Document& document = window_->session().document();
    const QString longName = QStringLiteral(
        "a_survey_of_the_whole_sky_at_a_frequency_of_143GHz_half_mission_2_full_resolution.fits");
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, false),
                        writeFile(longName, 16, true, true)});
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{2}, kPatience);
    waitForPicture();
    const LayerId plain = document.entries()[0].id, named = document.entries()[1].id;
    const LayerId catalog = document.addLayer(sampleLayer(LayerKind::Catalog), longName, {});
    document.setActive(catalog);
    QTRY_VERIFY_WITH_TIMEOUT(window_->panels().data()->isVisible(), kPatience);
    for (const QSize size : {QSize(1440, 900)}) {
        resizeTo(size);
        window_->panels().rail()->open(dock(QStringLiteral("smooth")));
        waitForLayout();
        QVERIFY(window_->arrangement().isLeftVisible());
        const QRect sky = window_->skyView()->geometry();
        const auto holds = [&](const QString& after) {
            waitForLayout();
            QVERIFY2(window_->skyView()->geometry() == sky,
                     qPrintable(QStringLiteral("%1 at %2: %3,%4 %5x%6 instead of %7,%8 %9x%10")
                                    .arg(after)
                                    .arg(size.width())
                                    .arg(window_->skyView()->x())
                                    .arg(window_->skyView()->y())
                                    .arg(window_->skyView()->width())
                                    .arg(window_->skyView()->height())
                                    .arg(sky.x())
                                    .arg(sky.y())
                                    .arg(sky.width())
                                    .arg(sky.height())));
        };
        for (ToolDock* tool : window_->panels().rail()->tools()) {
            window_->panels().rail()->open(tool);
            holds(tool->objectName());
            for (const LayerId layer : {plain, named}) {
                document.view().setShown({layer, 0, Quantity::Field});
                holds(tool->objectName() + QStringLiteral(", layer %1").arg(layer.number()));
            }
        }
        document.setActive(catalog);
        holds(QStringLiteral("catalog"));
        document.view().setShown({named, 1, Quantity::PolarizedAmplitude});
        holds(QStringLiteral("amplitude"));
        document.renameLayer(plain, longName + longName);
        holds(QStringLiteral("longer name"));
        window_->panels().rail()->open(dock(QStringLiteral("smooth")));
        auto* slider = window_->panels().smooth()->findChild<QSlider*>();
        QVERIFY(slider);
        for (const double share : {0.3, 0.6, 0.9}) {
            slider->setValue(static_cast<int>(share * slider->maximum()));
            holds(QStringLiteral("slider at %1").arg(share));
        }
        waitUntilIdle();
        holds(QStringLiteral("smoothed"));
        shot(QStringLiteral("docks-%1").arg(size.width()));
        window_->session().preview().stopPreview();
    }
}

// The present word of each choice that is not a name, in each tool.
void TestDocks::wordsOfChoicesAreWhole() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, true)});
    waitForPicture();
    QStringList clipped;
    for (const QSize size : {QSize(1366, 768), QSize(1440, 900), QSize(1024, 700)}) {
        resizeTo(size);
        for (ToolDock* tool : window_->panels().rail()->tools()) {
            // Regions elides its frame beside a line of numbers.
            if (tool->objectName() == QLatin1String("operation-stats")) continue;
            window_->panels().rail()->open(tool);
            waitForLayout();
            for (const auto* choice : window_->findChildren<QComboBox*>()) {
                if (!choice->isVisible() || dynamic_cast<const NameChoice*>(choice)) continue;
                QStyleOptionComboBox option;
                option.initFrom(choice);
                option.editable = choice->isEditable();
                const int room = choice->style()
                                     ->subControlRect(QStyle::CC_ComboBox, &option,
                                                      QStyle::SC_ComboBoxEditField, choice)
                                     .width();
                for (int i = 0; i < choice->count(); ++i)
                    if (choice->fontMetrics().horizontalAdvance(choice->itemText(i)) > room)
                        clipped << QStringLiteral("%1, %2 at %3: %4 needs more than %5")
                                       .arg(tool->objectName(), choice->accessibleName())
                                       .arg(size.width())
                                       .arg(choice->itemText(i))
                                       .arg(room);
            }
        }
    }
    QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join('\n')));
}

// The shared parts of two names are elided, and the parts that differ are not.
void TestDocks::namesAreToldApart() {
    const QFontMetrics metrics(window_->font());
    const QStringList names{QStringLiteral("COM_CMB_IQU-smica_2048_R3.00_full.fits"),
                            QStringLiteral("COM_CMB_IQU-sevem_2048_R3.00_full.fits"),
                            QStringLiteral("a map of something else with a rather long name")};
    // Both begin with the same 13 letters.
    const QStringList parts{names[0].mid(13, 4), names[1].mid(13, 4)};
    for (const int width : {metrics.horizontalAdvance(QStringLiteral("COM…mica_2048_R3.00_full")),
                            metrics.horizontalAdvance(QStringLiteral("…mica_2048_R3…"))})
        for (qsizetype i = 0; i < parts.size(); ++i) {
            const QString text = elidedAmong(names[i], names, metrics, width);
            QVERIFY2(text.contains(parts[i]), qPrintable(text));
            QVERIFY(metrics.horizontalAdvance(text) <= width);
        }
    QCOMPARE(elidedAmong(names[0], names, metrics, 10000), names[0]);
    const int width = metrics.horizontalAdvance(QStringLiteral("a map … long name"));
    QCOMPARE(elidedAmong(names[2], names, metrics, width),
             metrics.elidedText(names[2], Qt::ElideMiddle, width));
    // A part of its own that is too long keeps both of its ends.
    const QString first = QStringLiteral("wmap_band_r9_7yr_udgraded32.fits · I_STOKES"),
                  second =
                      QStringLiteral("wmap_band_r9_7yr_udgraded32_smoothed.fits · TEMPERATURE");
    const QString elided =
        elidedAmong(second, {first, second}, metrics,
                    metrics.horizontalAdvance(QStringLiteral("…_smoothed.f… · TEMPERATURE")));
    QVERIFY2(elided.startsWith(QStringLiteral("…_smoothed")) && elided.endsWith(u"TEMPERATURE"),
             qPrintable(elided));
    // A name that another one begins with.
    QCOMPARE(elidedAmong(names[2], {names[2] + names[2]}, metrics, width),
             metrics.elidedText(names[2], Qt::ElideMiddle, width));
    // Long words have places to break, and read as before without them.
    QString name = breakable(names[0]);
    QVERIFY(name.size() > names[0].size());
    QCOMPARE(name.remove(QChar(0x200B)), names[0]);
    QCOMPARE(breakable(QStringLiteral("expected a map, found none")),
             QStringLiteral("expected a map, found none"));
}

// A detached tool is a window of its own, which the window's end hides while the document exists.
void TestDocks::detachedToolsMayStayOpen() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, false)});
    waitForPicture();
    for (ToolDock* tool : window_->panels().rail()->tools()) {
        window_->panels().rail()->open(tool);
        tool->setFloating(true);
        tool->show();
    }
    waitUntilIdle();
    closeWindow();
    QVERIFY(window_.isNull());
}

// The settings dialog applies all of its values at once, mostly with the theme that is there.
void TestDocks::aThemeIsAppliedOnce() {
    struct Counter : QObject {
        int count = 0;
        bool eventFilter(QObject* watched, QEvent* event) override {
            if (event->type() == QEvent::StyleChange) ++count;
            return QObject::eventFilter(watched, event);
        }
    } counter;
    window_->installEventFilter(&counter);
    applyTheme(*qApp, ThemeKind::Light);
    applyTheme(*qApp, ThemeKind::Dark);
    QVERIFY(counter.count > 0);
    counter.count = 0;
    applyTheme(*qApp, ThemeKind::Dark);
    QCOMPARE(counter.count, 0);
}

// Each hidden tool that is shown in passing costs a polish and a layout: 200 ms for all of them.
void TestDocks::resetShowsOneTool() {
    class Shows : public QObject {
    public:
        QSet<QObject*> shown_;

    protected:
        bool eventFilter(QObject* watched, QEvent* event) override {
            if (event->type() == QEvent::Show) shown_ += watched;
            return false;
        }
    } shows;
    const std::vector<ToolDock*>& tools = window_->panels().rail()->tools();
    ToolDock* first = window_->panels().docks().firstTool;
    window_->panels().rail()->open(tools.back());
    tools.back()->setFloating(true);
    first->setFloating(true);
    dock(QStringLiteral("history"))->hide();
    window_->addDockWidget(Qt::LeftDockWidgetArea, window_->panels().docks().color);
    for (ToolDock* tool : tools) tool->installEventFilter(&shows);
    window_->arrangement().reset();
    waitForLayout();
    for (const ToolDock* tool : tools) QCOMPARE(tool->isVisible(), tool == first);
    QVERIFY(!tools.back()->isFloating() && !first->isFloating());
    QVERIFY(dock(QStringLiteral("history"))->isVisible());
    ToolDock* color = window_->panels().docks().color;
    QCOMPARE(window_->dockWidgetArea(color), Qt::RightDockWidgetArea);
    QVERIFY(color->y() > first->y());
    shows.shown_.remove(first);
    QCOMPARE(shows.shown_.size(), 0);
}

QTEST_MAIN(TestDocks)
#include "tst_docks.moc"

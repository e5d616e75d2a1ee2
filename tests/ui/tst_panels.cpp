// SPDX-License-Identifier: GPL-3.0-or-later
// The panels around the sky and their models, without a display.
#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QStandardItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/session/exporter.h"
#include "armilla/session/notices.h"
#include "armilla/session/sky_names.h"
#include "armilla/ui/app_settings.h"
#include "armilla/ui/icons.h"
#include "button_named.h"
#include "counting_map.h"
#include "dialogs/header_dialog.h"
#include "dialogs/help_dialogs.h"
#include "panels/small_widgets.h"
#include "panels/smooth_panel.h"
#include "panels/spectrum_panel.h"
#include "panels/tool_dock.h"
#include "plots/curve_plot.h"
#include "plots/spectrum_plot.h"
#include "session/layer_samples.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

class TestPanels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void names();
    void guideAndHeaderAreRead();
    void columnsFitTheirTexts();
    void dockFolds();
    void titlesAreCut();
    void wheelScrollsPanels();
    void shortcutsFitTheScreen();
    void sliderPlaces();
    void spectrumValues();
    void spectrumWaitsForValues();
    void spectrumFollowsItsControls();
    void spectrumBesideAnAngle();
    void settingsComeBack();
    void everyIconDraws();

private:
    QTemporaryDir settings_;
};

void TestPanels::initTestCase() {
    // The user's own settings are neither read nor changed.
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
    QCoreApplication::setOrganizationName(QStringLiteral("armilla-test"));
    QCoreApplication::setApplicationName(QStringLiteral("armilla-test"));
}

void TestPanels::names() {
    // l, b of M 31 in NED: 121.1744, -21.5733 degrees; the list is accurate to an arcminute.
    const LonLat andromeda = searchedPosition(QStringLiteral("m31"), Frame::Galactic);
    QVERIFY(std::abs(andromeda.lon / kDegree - 121.174) < 0.02);
    QVERIFY(std::abs(andromeda.lat / kDegree + 21.573) < 0.02);
    QVERIFY(namedPosition(QStringLiteral("Crab")));
    QVERIFY(!namedPosition(QStringLiteral("nowhere")));
    const LonLat typed = searchedPosition(QStringLiteral("83.63 −5.39"), Frame::Galactic);
    QCOMPARE(typed.lon / kDegree, 83.63);
    QCOMPARE(typed.lat / kDegree, -5.39);
    QVERIFY_EXCEPTION_THROWN(searchedPosition(QStringLiteral("nowhere"), Frame::Galactic),
                             InvalidArgument);
    QVERIFY_EXCEPTION_THROWN(searchedPosition(QStringLiteral("M 31"), Frame::Unknown),
                             InvalidArgument);
}

// The guide works without its pictures, and shows those that exist.
void TestPanels::guideAndHeaderAreRead() {
    const QString plain = GuideDialog::text({});
    QVERIFY(plain.contains(QStringLiteral("## Open")) && !plain.contains(QStringLiteral("![")));
    QTemporaryDir folder;
    QFile picture(folder.filePath(QStringLiteral("guide-window.png")));
    QVERIFY(picture.open(QIODevice::WriteOnly));
    const QString pictured = GuideDialog::text({folder.path()});
    QCOMPARE(pictured.count(QStringLiteral("![")), 1);
    // Its tables are columns of words: without a grid, or a row of empty headings.
    GuideDialog guide(nullptr);
    int tables = 0;
    for (QTextFrame* frame :
         guide.findChild<QTextBrowser*>()->document()->rootFrame()->childFrames())
        if (const auto* table = qobject_cast<const QTextTable*>(frame)) {
            ++tables;
            QCOMPARE(table->format().border(), 0.0);
            QVERIFY(!table->cellAt(0, 0).firstCursorPosition().block().text().isEmpty());
        }
    QVERIFY(tables > 0);
    HeaderDialog header(QStringLiteral("h"), QStringLiteral("SIMPLE  = T\nNSIDE   = 64\nEND"),
                        nullptr);
    QCOMPARE(header.shownText().count(QLatin1Char('\n')), 2);
    header.search()->setText(QStringLiteral("nside"));
    QCOMPARE(header.shownText(), QStringLiteral("NSIDE   = 64"));
}

// Names of sources have equally many letters, but a plus sign is wider than a minus sign.
void TestPanels::columnsFitTheirTexts() {
    QStandardItemModel model;
    for (const char* name : {"ARM G263.61-02.74", "ARM G263.37+01.02", "ARM G1"})
        model.appendRow(new QStandardItem(QString::fromLatin1(name)));
    QTableView table;
    table.setModel(&model);
    fitColumns(table);
    for (int row = 0; row < model.rowCount(); ++row)
        QVERIFY(table.columnWidth(0) > table.sizeHintForIndex(model.index(row, 0)).width());
}

void TestPanels::dockFolds() {
    auto* content = new QLabel(QStringLiteral("content"));
    content->setFixedHeight(200);
    ToolDock dock(QStringLiteral("Smooth"), QStringLiteral("smooth"), content,
                  ToolDock::Height::Natural, nullptr);
    dock.show();
    const int open = dock.maximumHeight();
    QVERIFY(open >= 200);
    QAbstractButton* toggle = buttonNamed(&dock, QStringLiteral("Smooth panel"));
    QVERIFY(toggle);
    toggle->click();
    QVERIFY(dock.isCollapsed());
    QVERIFY(dock.maximumHeight() < 60);
    QVERIFY(!content->isVisible());
    dock.setCollapsed(false);
    QCOMPARE(dock.maximumHeight(), open);
    QVERIFY(content->isVisible());
}

// Text too long for a title line is elided in its middle.
void TestPanels::titlesAreCut() {
    ToolDock dock(QStringLiteral("Color"), QStringLiteral("color"), new QLabel,
                  ToolDock::Height::Natural, nullptr);
    dock.resize(300, 200);
    dock.show();
    const QString whole = QStringLiteral("grid gaussian 1.35′ · a_file_of_a_long_name_69768.hdf5");
    QLabel* status = nullptr;
    dock.setStatus(whole);
    for (auto* label : dock.findChildren<QLabel*>())
        if (label->accessibleName() == whole) status = label;
    QVERIFY(status);
    const QString cut =
        status->fontMetrics().elidedText(whole, Qt::ElideMiddle, status->contentsRect().width());
    QVERIFY(cut != whole);
    const QImage drawn = status->grab().toImage();
    QCOMPARE(status->toolTip(), whole);
    dock.setStatus(cut);
    QCOMPARE(status->grab().toImage(), drawn);
    QCOMPARE(dock.status(), cut);
    QVERIFY(status->toolTip().isEmpty());
}

// Over a slider, a choice or a plot, too: the value under the pointer does not change, unless the
// control has the focus.
void TestPanels::wheelScrollsPanels() {
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    auto* slider = new QSlider(Qt::Horizontal, content);
    slider->setValue(50);
    layout->addWidget(slider);
    layout->addSpacing(600);
    ToolDock dock(QStringLiteral("Filter"), QStringLiteral("filter"), content,
                  ToolDock::Height::Natural, nullptr);
    // Created later.
    auto* choice = new QComboBox(content);
    choice->addItems({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    layout->insertWidget(1, choice);
    auto* plot = new CurvePlot(content);
    plot->setMinimumHeight(150);
    layout->insertWidget(2, plot);
    QWidget* drawing = nullptr;
    for (QWidget* each : plot->findChildren<QWidget*>())
        if (each->inherits("QCustomPlot")) drawing = each;
    QVERIFY(drawing);
    dock.show();
    dock.resize(300, 250);
    auto* area = dock.findChild<QScrollArea*>();
    QVERIFY(area);
    QTRY_VERIFY_WITH_TIMEOUT(area->verticalScrollBar()->maximum() > 100, kPatience);
    int before = area->verticalScrollBar()->value();
    const auto turnWheel = [](QWidget* under) {
        const QPointF middle(under->rect().center());
        QWheelEvent wheel(middle, under->mapToGlobal(middle), {}, {0, -120}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        // Marked as from the window system, because other wheel events are not passed on to
        // parents.
        QSpontaneKeyEvent::setSpontaneous(&wheel);
        qApp->notify(under, &wheel);
    };
    area->setFocusPolicy(Qt::StrongFocus);
    for (QWidget* under : {static_cast<QWidget*>(slider), static_cast<QWidget*>(choice), drawing}) {
        area->setFocus();
        turnWheel(under);
        const int now = area->verticalScrollBar()->value();
        QVERIFY2(now > before, under->metaObject()->className());
        before = now;
    }
    QCOMPARE(slider->value(), 50);
    QCOMPARE(choice->currentIndex(), 0);
    dock.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&dock, kPatience));
    slider->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(slider->hasFocus(), kPatience);
    turnWheel(slider);
    QVERIFY(slider->value() != 50);
    QCOMPARE(area->verticalScrollBar()->value(), before);
    // In the active window the wheel does not give the focus either.
    area->verticalScrollBar()->setValue(0);
    turnWheel(choice);
    QVERIFY(!choice->hasFocus());
    QCOMPARE(choice->currentIndex(), 0);
    QVERIFY(area->verticalScrollBar()->value() > 0);
}

void TestPanels::shortcutsFitTheScreen() {
    QObject owner;
    QList<QAction*> actions;
    for (int i = 0; i < 200; ++i) {
        actions << new QAction(QStringLiteral("command %1").arg(i), &owner);
        actions.back()->setShortcut(QKeySequence(Qt::Key_F1));
    }
    actions.front()->setProperty("name", QStringLiteral("Undo"));
    auto* dialog = new ShortcutsDialog(actions, nullptr);
    QStringList names;
    for (const auto* label : dialog->findChildren<QLabel*>()) names << label->text();
    QVERIFY(names.contains(QStringLiteral("Undo")));
    QVERIFY(!names.contains(QStringLiteral("command 0")));
    dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(dialog, kPatience));
    QVERIFY(dialog->height() <= dialog->screen()->availableSize().height());
    QVERIFY(dialog->findChild<QScrollArea*>()->verticalScrollBar()->maximum() > 0);
    dialog->close();
}

void TestPanels::sliderPlaces() {
    QCOMPARE(SmoothPanel::placeOf(SmoothPanel::kLeast), 0);
    QCOMPARE(SmoothPanel::placeOf(SmoothPanel::kMost), SmoothPanel::kSteps);
    double last = 0.0;
    for (int place = 0; place <= SmoothPanel::kSteps; ++place) {
        const double fwhm = SmoothPanel::fwhmAt(place);
        // Rounded to three digits (half a unit: 0.5 %), steps of a factor 3600^(1/1000) = 0.82 %:
        // never back, and never more than one position off.
        QVERIFY(fwhm >= last);
        QVERIFY(std::abs(SmoothPanel::placeOf(fwhm) - place) <= 1);
        last = fwhm;
    }
}

void TestPanels::spectrumValues() {
    SpectrumAxes axes;
    axes.bandPower = true;
    QCOMPARE(spectrumValue(axes, 10, kTwoPi), 110.0);
    axes.bandPower = false;
    QCOMPARE(spectrumValue(axes, 10, 3.0), 3.0);
}

// A live map whose values are still on the device covers no pixel: no request is made, and no
// failure is reported.
void TestPanels::spectrumWaitsForValues() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    const auto map = countingMap({"I"}, 16);
    const LayerId one = session.document().addLayer(map, QStringLiteral("one.fits"), opened("one"));
    session.document().view().setShown({one, 0});
    int failures = 0;
    std::vector<LayerId> of;
    connect(&session.notices(), &Notices::messageRaised, this, [&] { ++failures; });
    connect(&session.spectrum(), &LiveSpectrum::ready, this,
            [&](const SpectrumResult& result) { of.push_back(result.of.entry); });
    SpectrumPanel panel(session);
    panel.show();
    QTRY_COMPARE_WITH_TIMEOUT(of.size(), size_t{1}, kPatience);
    const auto live = [&](std::vector<int64_t> pixels) {
        Field field{"I", "K", DiskType::Float32, std::vector<float>(pixels.size(), 1.0F)};
        return session.document().liveLayer().set(
            std::make_shared<const HealpixMap>(HealpixMap::partial(
                16, Ordering::Ring, Frame::Galactic, std::move(pixels), {std::move(field)})),
            QStringLiteral("smoothed"), {}, one);
    };
    live({});
    QTest::qWait(600);
    QTRY_VERIFY_WITH_TIMEOUT(session.jobs().isIdle(), kPatience);
    QCOMPARE(failures, 0);
    QCOMPARE(of, (std::vector<LayerId>{one}));
    const LayerId id = live({5, 6, 7});
    QTRY_COMPARE_WITH_TIMEOUT(of, (std::vector<LayerId>{one, id}), kPatience);
}

// Each control is an option of the command; what has no effect is disabled.
void TestPanels::spectrumFollowsItsControls() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    const LayerId id = session.document().addLayer(countingMap({"I"}, 16),
                                                   QStringLiteral("one.fits"), opened("one.fits"));
    session.document().view().setShown({id, 0});
    SpectrumPanel panel(session);
    panel.show();
    QTRY_VERIFY_WITH_TIMEOUT(panel.result().has_value(), kPatience);
    QVERIFY(panel.result()->spectra);
    const auto named = [&]<class Widget>(Widget*, const char* name) {
        Widget* found = nullptr;
        for (Widget* each : panel.findChildren<Widget*>())
            if (each->accessibleName() == QLatin1String(name)) found = each;
        return found;
    };
    QSlider* none = nullptr;
    QComboBox* noChoice = nullptr;
    QSlider* cut = named(none, "Cut in Galactic latitude");
    QSlider* apodize = named(none, "Apodization");
    QComboBox* remove = named(noChoice, "Remove");
    QComboBox* bins = named(noChoice, "Bins");
    QComboBox* errors = named(noChoice, "Errors");
    QVERIFY(cut && apodize && remove && bins && errors);
    QVERIFY(!apodize->isEnabled());
    QVERIFY(!errors->isEnabled());
    cut->setValue(20);
    QVERIFY(apodize->isEnabled());
    apodize->setValue(10);
    remove->setCurrentIndex(1);
    bins->setCurrentIndex(1);
    QVERIFY(errors->isEnabled());
    errors->setCurrentIndex(1);
    QTRY_VERIFY_WITH_TIMEOUT(panel.result()->bands != nullptr, kPatience);
    QVERIFY(!panel.result()->bands->series.front().errors.empty());
    const QString command =
        session.exporter().commandForSpectrum(*panel.result(), QStringLiteral("cl.fits"));
    for (const char* words :
         {"armilla mask", "--latitude 20deg", "--apodize 5deg", "--nside 16", "--remove monopole",
          "--bins 5", "--bin-as dl", "--errors knox", "--mask cl_step"})
        QVERIFY2(command.contains(QLatin1String(words)), qPrintable(command));
}

// An angle has no spectrum: the source field is named, until another field is shown.
void TestPanels::spectrumBesideAnAngle() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    const auto map = countingMap({"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"}, 16);
    const LayerId id = session.document().addLayer(map, QStringLiteral("p.fits"), opened("p"));
    session.document().view().setShown({id, 1, Quantity::PolarizationAngle});
    QString status;
    SpectrumPanel panel(session);
    connect(&panel, &SpectrumPanel::statusChanged, this,
            [&](const QString& text) { status = text; });
    panel.show();
    QTRY_VERIFY_WITH_TIMEOUT(status.startsWith(QStringLiteral("of Q_POLARISATION · ")), kPatience);
    session.document().view().setShown({id, 1, Quantity::Field});
    QTRY_VERIFY_WITH_TIMEOUT(status.startsWith(QStringLiteral("whole sky")), kPatience);
}

void TestPanels::settingsComeBack() {
    QVERIFY(AppSettings::load() == AppSettings{});
    AppSettings settings;
    settings.theme = ThemeKind::Light;
    settings.draw = DrawChoice::Cpu;
    settings.device = QStringLiteral("cpu");
    settings.threads = 3;
    settings.save();
    QVERIFY(AppSettings::load() == settings);
    QSettings().setValue(QStringLiteral("theme"), QStringLiteral("purple"));
    QSettings().setValue(QStringLiteral("threads"), -5);
    QCOMPARE(AppSettings::load().theme, ThemeKind::System);
    QCOMPARE(AppSettings::load().threads, 0);
    QVERIFY(!themeFromText(QStringLiteral("purple")));
    QCOMPARE(themeFromText(QStringLiteral("Dark")), std::optional(ThemeKind::Dark));
}

void TestPanels::everyIconDraws() {
    for (const char* name :
         {"open",    "save",       "add",       "close",    "undo",         "redo",
          "search",  "graticule",  "rods",      "single",   "side-by-side", "swipe",
          "blink",   "difference", "mollweide", "gnomonic", "orthographic", "cartesian",
          "lambert", "hammer",     "frame",     "export",   "copy",         "settings",
          "float",   "warning",    "info",      "mask",     "home"}) {
        const QImage image = lineIcon(QString::fromLatin1(name)).pixmap(32, 32).toImage();
        int drawn = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) drawn += image.pixelColor(x, y).alpha() > 64;
        QVERIFY2(drawn > 20, name);
    }
    // In a selected row, too, the icon has the color of text.
    const QImage selected =
        lineIcon(QStringLiteral("open")).pixmap(QSize(32, 32), QIcon::Selected).toImage();
    const QColor text = QGuiApplication::palette().color(QPalette::Active, QPalette::Text);
    for (int y = 0; y < selected.height(); ++y)
        for (int x = 0; x < selected.width(); ++x)
            if (const QColor pixel = selected.pixelColor(x, y); pixel.alpha() == 255)
                QVERIFY(std::abs(pixel.lightness() - text.lightness()) < 8);
    QVERIFY(lineIcon(QStringLiteral("no such icon")).isNull());
}

QTEST_MAIN(TestPanels)
#include "tst_panels.moc"

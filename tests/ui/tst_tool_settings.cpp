// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of all tools: the footer stays in view, and each change by a person is one step.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QUndoStack>
#include <QtTest>
#include <functional>

#include "armilla/core/units.h"
#include "armilla/io/table_io.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/session.h"
#include "armilla/session/tool_settings.h"
#include "dialogs/figure_composer.h"
#include "panels/operation_panel.h"
#include "panels/smooth_panel.h"
#include "panels/spectrum_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "sample_rows.h"
#include "window/file_commands.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// Controls that choose what is looked at or done, and are no settings. Choices of a theory open
// files.
bool isSetting(const QWidget* control) {
    static const QStringList others{QStringLiteral("Theory"),
                                    QStringLiteral("Mask to paint on"),
                                    QStringLiteral("Catalog to go through"),
                                    QStringLiteral("Frame of the numbers"),
                                    QStringLiteral("The region in numbers"),
                                    QStringLiteral("Note on the selected candidate")};
    const auto* button = qobject_cast<const QAbstractButton*>(control);
    return !others.contains(control->accessibleName()) &&
           !(button && button->text() == QLatin1String("Live"));
}

}  // namespace

class TestToolSettings : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }
    void init() { openWindow({1024, 700}); }
    void cleanup() { closeWindow(); }
    void theFooterStays();
    void everyChangeIsAStep_data();
    void everyChangeIsAStep();
    void thePictureFollowsUndo();
    void theSpectrumFollowsUndo();
    void aTypedBeamIsAStep();
    void partsFollowUndoAndReset();
    void runLeavesResetAlone();
    void theProgramMakesNoSteps();
    void theComposerHasUndo();

private:
    // Live work begins some time after its trigger.
    void settle() { waitUntilIdle(12); }
    QUndoStack* steps() { return window_->session().document().history().stack(); }
    ToolDock* open(const QString& name) {
        for (ToolDock* each : window_->panels().rail()->tools())
            if (each->objectName() == name) {
                window_->panels().rail()->open(each);
                for (auto* fold : each->findChildren<QToolButton*>())
                    if (fold->isCheckable() && fold->icon().cacheKey() != 0 &&
                        fold->toolButtonStyle() == Qt::ToolButtonTextBesideIcon)
                        fold->setChecked(true);
                return each;
            }
        return nullptr;
    }
    void addSky() {
        window_->session().files().openSampleSky(16);
        waitForPicture();
        settle();
    }
    void addSamples() {
        JobContext job;
        const QString path = inFolder(QStringLiteral("samples.fits"));
        writeTable(samples("FLUX", 10.0), path.toStdString(), {}, job);
        window_->openFiles({path});
        settle();
    }
    // The values of all controls of a tool.
    static QStringList values(const QWidget* tool) {
        QStringList found;
        for (const auto* control : tool->findChildren<QWidget*>()) {
            if (!isSetting(control)) continue;
            const QString name = control->accessibleName() + QLatin1Char('=');
            if (const auto* slider = qobject_cast<const QSlider*>(control))
                found << name + QString::number(slider->value());
            if (const auto* line = qobject_cast<const QLineEdit*>(control))
                found << name + line->text();
            if (const auto* choice = qobject_cast<const QComboBox*>(control))
                found << name + choice->currentText();
            if (const auto* box = qobject_cast<const QCheckBox*>(control))
                found << name + QString::number(static_cast<int>(box->isChecked()));
        }
        return found;
    }
    // Changes a control as a person does; false if it has no other value.
    static bool change(QWidget* control) {
        if (auto* slider = qobject_cast<QSlider*>(control)) {
            slider->setSliderDown(true);
            const int from = slider->value();
            const int to = from < slider->maximum() - 12 ? from + 9 : from - 9;
            for (const int value : {(from + to) / 2, to}) {
                slider->setSliderPosition(value);
                QCoreApplication::processEvents();
            }
            slider->setSliderDown(false);
            return slider->value() != from;
        }
        if (auto* choice = qobject_cast<QComboBox*>(control)) {
            if (choice->isEditable() || choice->count() < 2) return false;
            const QString before = choice->currentText();
            const bool isLast = choice->currentIndex() == choice->count() - 1;
            choice->setFocus();
            QTest::keyClick(choice, isLast ? Qt::Key_Up : Qt::Key_Down);
            return choice->currentText() != before;
        }
        if (auto* box = qobject_cast<QCheckBox*>(control)) {
            QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
            return true;
        }
        return false;
    }
};

// At the least size of a window, with everything unfolded.
void TestToolSettings::theFooterStays() {
    addSky();
    addSamples();
    const QStringList names{QStringLiteral("Run"), QStringLiteral("Keep"),
                            QStringLiteral("Discard"), QStringLiteral("Reset"),
                            QStringLiteral("Copy command")};
    int scrolled = 0;
    for (ToolDock* tool : window_->panels().rail()->tools()) {
        open(tool->objectName());
        settle();
        auto* area = tool->findChild<QScrollArea*>(QStringLiteral("dockContent"));
        QVERIFY(area);
        const auto places = [&] {
            QStringList found;
            for (const auto* button : tool->findChildren<QPushButton*>())
                if (names.contains(button->accessibleName()) && button->isVisibleTo(tool)) {
                    const QRect inWindow(button->mapTo(window_, QPoint()), button->size());
                    const bool isWhole = button->visibleRegion().boundingRect() == button->rect();
                    found << QStringLiteral("%1 at %2, %3%4")
                                 .arg(button->accessibleName())
                                 .arg(inWindow.x())
                                 .arg(inWindow.y())
                                 .arg(isWhole ? QString() : QStringLiteral(", hidden"));
                }
            return found;
        };
        const QStringList before = places();
        QVERIFY2(before.join(u' ').contains(QLatin1String("Reset")),
                 qPrintable(tool->objectName()));
        QVERIFY2(!before.join(u' ').contains(QLatin1String("hidden")),
                 qPrintable(tool->objectName() + before.join(u';')));
        QScrollBar* bar = area->verticalScrollBar();
        for (const int value : {bar->maximum(), bar->maximum() / 2, 0}) {
            bar->setValue(value);
            QCoreApplication::processEvents();
            QCOMPARE(places(), before);
        }
        scrolled += bar->maximum() > 0 ? 1 : 0;
        if (tool->objectName().endsWith(QLatin1String("-mask")) ||
            tool->objectName().endsWith(QLatin1String("-sources")))
            QVERIFY2(bar->maximum() > 0, qPrintable(tool->objectName()));
    }
    QVERIFY(scrolled > 4);
}

void TestToolSettings::everyChangeIsAStep_data() {
    QTest::addColumn<int>("least");  // settings that have another value
    QTest::newRow("smooth") << 2;
    QTest::newRow("spectrum") << 6;
    for (const char* name : {"filter", "sources", "mask", "grid", "correlate", "stats"})
        QTest::newRow(qPrintable(QStringLiteral("operation-") + QLatin1String(name))) << 3;
}

// A drag is one step, too. Undo and redo restore what the person sees.
void TestToolSettings::everyChangeIsAStep() {
    QFETCH(const int, least);
    addSky();
    addSamples();
    ToolDock* tool = open(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(tool);
    settle();
    int changed = 0;
    for (auto* control : tool->findChildren<QWidget*>()) {
        if (!control->isVisibleTo(tool) || !control->isEnabled() || !isSetting(control)) continue;
        const QString name = control->accessibleName();
        const QStringList before = values(tool);
        const int at = steps()->index();
        if (!change(control)) continue;
        settle();
        const QStringList after = values(tool);
        QVERIFY2(after != before, qPrintable(name));
        QStringList made;
        for (int i = at; i < steps()->index(); ++i) made << steps()->text(i);
        QVERIFY2(made.size() == 1, qPrintable(name + QLatin1Char(':') + made.join(u';')));
        ++changed;
        steps()->undo();
        settle();
        QCOMPARE(values(tool), before);
        steps()->redo();
        settle();
        QCOMPARE(values(tool), after);
        steps()->undo();
        settle();
        QCOMPARE(values(tool), before);
        QCOMPARE(steps()->index(), at);
        // The next change replaces this step.
    }
    QVERIFY2(changed >= least, qPrintable(QString::number(changed)));
}

void TestToolSettings::thePictureFollowsUndo() {
    addSky();
    Document& document = window_->session().document();
    open(QStringLiteral("smooth"));
    SmoothPanel* smooth = window_->panels().smooth();
    const double start = smooth->fwhm();
    QVERIFY(change(smooth->slider()));
    const double wide = smooth->fwhm();
    QVERIFY(wide != start);
    const auto width = [&] { return document.live() ? document.live()->recipe.smooth.fwhm : 0.0; };
    QTRY_COMPARE_WITH_TIMEOUT(width(), wide, kPatience);
    steps()->undo();
    QCOMPARE(smooth->fwhm(), start);
    QTRY_COMPARE_WITH_TIMEOUT(width(), start, kPatience);
    steps()->redo();
    QTRY_COMPARE_WITH_TIMEOUT(width(), wide, kPatience);
    settle();
    // Without a live picture, undo computes none.
    window_->session().preview().stopPreview();
    steps()->undo();
    settle();
    QCOMPARE(smooth->fwhm(), start);
    QVERIFY(!document.live());
}

void TestToolSettings::theSpectrumFollowsUndo() {
    addSky();
    open(QStringLiteral("spectrum"));
    SpectrumPanel* spectrum = window_->panels().spectrum();
    const auto share = [&] { return spectrum->result() ? spectrum->result()->skyShare : 0.0; };
    QTRY_COMPARE_WITH_TIMEOUT(share(), 1.0, kPatience);
    QSlider* slider = nullptr;
    for (auto* each : spectrum->findChildren<QSlider*>())
        if (each->accessibleName().startsWith(QLatin1String("Cut"))) slider = each;
    QVERIFY(slider && change(slider));
    QTRY_VERIFY_WITH_TIMEOUT(share() > 0.0 && share() < 1.0, kPatience);
    steps()->undo();
    QCOMPARE(slider->value(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(share(), 1.0, kPatience);
}

// Also if a layer is opened while the person types.
void TestToolSettings::aTypedBeamIsAStep() {
    addSky();
    open(QStringLiteral("spectrum"));
    settle();
    QLineEdit* beam = nullptr;
    for (auto* each : window_->panels().spectrum()->findChildren<QLineEdit*>())
        if (each->accessibleName().startsWith(QLatin1String("Beam FWHM"))) beam = each;
    QVERIFY(beam);
    beam->setFocus();
    QTest::keyClicks(beam, QStringLiteral("90"));
    addSamples();
    const int before = steps()->index();
    QTest::keyClick(beam, Qt::Key_Return);
    QCOMPARE(steps()->index(), before + 1);
    steps()->undo();
    QCOMPARE(beam->text(), QString());
    steps()->redo();
    QCOMPARE(beam->text(), QStringLiteral("90"));
}

// The parts of a tool beside its rows: radius of the brush, channel of the preview, axes of a plot.
void TestToolSettings::partsFollowUndoAndReset() {
    addSky();
    constexpr int kChannels = 3;
    Table spectra = samples("FLUX", 10.0);
    TableColumn& flux = spectra.columns.back();
    flux.width = kChannels;
    flux.values = std::vector<double>(static_cast<size_t>(kChannels * spectra.rows()), 1.0);
    JobContext job;
    writeTable(spectra, inFolder(QStringLiteral("spectra.fits")).toStdString(), {}, job);
    window_->openFiles({inFolder(QStringLiteral("spectra.fits"))});
    settle();
    const auto value = [](QWidget* control) {
        const auto* slider = qobject_cast<QSlider*>(control);
        return slider ? slider->value()
                      : static_cast<int>(static_cast<QToolButton*>(control)->isChecked());
    };
    const std::vector<std::pair<QString, QString>> parts{
        {QStringLiteral("operation-mask"), QStringLiteral("Radius of the brush")},
        {QStringLiteral("operation-grid"), QStringLiteral("Channel of the preview")},
        {QStringLiteral("operation-correlate"), QStringLiteral("pairs")},
        {QStringLiteral("operation-correlate"), QStringLiteral("log y")}};
    for (const auto& [name, part] : parts) {
        ToolDock* tool = open(name);
        settle();
        QWidget* control = nullptr;
        for (auto* each : tool->findChildren<QWidget*>()) {
            const auto* button = qobject_cast<QToolButton*>(each);
            if ((qobject_cast<QSlider*>(each) && each->accessibleName() == part) ||
                (button && button->text() == part))
                control = each;
        }
        QVERIFY2(control, qPrintable(part));
        auto* slider = qobject_cast<QSlider*>(control);
        QPushButton* reset = nullptr;
        for (auto* each : tool->findChildren<QPushButton*>())
            if (each->text() == QLatin1String("Reset")) reset = each;
        // The suggestions for samples are no values of Reset.
        QVERIFY2(reset && reset->isEnabled() == (part == QLatin1String("Channel of the preview")),
                 qPrintable(part));
        const int start = value(control), at = steps()->index();
        if (slider)
            slider->setValue(start + 1);
        else
            static_cast<QToolButton*>(control)->click();
        const int changed = value(control);
        QVERIFY(changed != start);
        QVERIFY2(steps()->index() == at + 1, qPrintable(part));
        steps()->undo();
        QCOMPARE(value(control), start);
        steps()->redo();
        QCOMPARE(value(control), changed);
        QVERIFY2(reset->isEnabled(), qPrintable(part));
        reset->click();
        QCOMPARE(value(control), start);
        QCOMPARE(steps()->index(), at + 2);
        steps()->undo();
        QCOMPARE(value(control), changed);
        steps()->undo();
        QCOMPARE(value(control), start);
    }
}

// A key after Run presses no other button.
void TestToolSettings::runLeavesResetAlone() {
    addSky();
    ToolDock* tool = open(QStringLiteral("operation-mask"));
    settle();
    auto* rows = tool->findChild<OperationPanel*>();
    QVERIFY(rows);
    rows->runButton()->setFocus();
    QTest::keyClick(rows->runButton(), Qt::Key_Space);
    QVERIFY(!rows->runButton()->isEnabled());
    QVERIFY(!qobject_cast<QAbstractButton*>(QApplication::focusWidget()));
    settle();
}

// Suggestions for the samples, a beam that passes to another tool, and a changed input.
void TestToolSettings::theProgramMakesNoSteps() {
    addSky();
    addSamples();
    const int before = steps()->count();
    ToolDock* grid = open(QStringLiteral("operation-grid"));
    settle();
    auto* rows = grid->content()->findChild<OperationPanel*>();
    QVERIFY(!rows->text(QStringLiteral("center")).isEmpty());
    open(QStringLiteral("operation-correlate"));
    settle();
    QCOMPARE(steps()->count(), before);
    // A person's change is undone alone: what the program has set stays.
    ToolSettings& settings = rows->settings();
    const QString center = rows->text(QStringLiteral("center"));
    settings.act(QStringLiteral("kernel"),
                 [&] { rows->setText(QStringLiteral("kernel-fwhm"), QStringLiteral("30arcmin")); });
    rows->setText(QStringLiteral("center"), QStringLiteral("12deg,30deg"));
    QCOMPARE(steps()->count(), before + 1);
    steps()->undo();
    QVERIFY(rows->text(QStringLiteral("kernel-fwhm")) != QLatin1String("30arcmin"));
    QVERIFY(rows->text(QStringLiteral("center")) != center);
}

void TestToolSettings::theComposerHasUndo() {
    addSky();
    window_->files().composeFigure();
    QPointer<FigureComposer> composer = window_->findChild<FigureComposer*>();
    QVERIFY(composer);
    settle();
    QUndoStack* own = composer->history();
    const int before = steps()->count();
    int changed = 0;
    for (auto* control : composer->findChildren<QWidget*>()) {
        const auto start = composer->setup();
        const int at = own->index();
        if (auto* box = qobject_cast<QCheckBox*>(control)) {
            box->click();
        } else if (auto* number = qobject_cast<QDoubleSpinBox*>(control);
                   number && number->isEnabled()) {
            number->stepUp();
        } else if (auto* choice = qobject_cast<QComboBox*>(control);
                   choice && !choice->isEditable() && choice->count() > 1) {
            const int next = choice->currentIndex() == 0 ? 1 : 0;
            choice->setCurrentIndex(next);
            emit choice->activated(next);
        } else {
            continue;
        }
        QVERIFY2(own->index() == at + 1, control->metaObject()->className());
        const auto made = composer->setup();
        own->undo();
        QVERIFY(composer->setup().options.width == start.options.width &&
                composer->setup().options.dpi == start.options.dpi &&
                composer->setup().options.look.cropped == start.options.look.cropped);
        own->redo();
        QVERIFY(composer->setup().options.width == made.options.width &&
                composer->setup().options.dpi == made.options.dpi &&
                composer->setup().options.look.cropped == made.options.look.cropped);
        own->undo();
        settle();
        ++changed;
    }
    QVERIFY(changed > 6);
    // A held arrow of the height is one step, as that of the width.
    for (auto* box : composer->findChildren<QCheckBox*>())
        if (box->text() == QLatin1String("as tall as the content")) box->click();
    QDoubleSpinBox* height = nullptr;
    for (auto* number : composer->findChildren<QDoubleSpinBox*>())
        if (number->toolTip() == QLatin1String("Height of the figure on paper")) height = number;
    QVERIFY(height);
    QTRY_VERIFY_WITH_TIMEOUT(height->isEnabled(), kPatience);
    const int at = own->index();
    height->stepUp();
    height->stepUp();
    QCOMPARE(own->index(), at + 1);
    QCOMPARE(steps()->count(), before);
    // A title that is typed while a layer opens stays a step.
    QLineEdit* title = nullptr;
    for (auto* line : composer->findChildren<QLineEdit*>())
        if (line->toolTip() == QLatin1String("Text above the sky")) title = line;
    QVERIFY(title);
    QTest::keyClicks(title, QStringLiteral("CMB"));
    addSamples();
    const int typed = own->index();
    emit title->editingFinished();
    QCOMPARE(own->index(), typed + 1);
    own->undo();
    QCOMPARE(title->text(), QString());
    composer->close();
}

QTEST_MAIN(TestToolSettings)
#include "tst_tool_settings.moc"

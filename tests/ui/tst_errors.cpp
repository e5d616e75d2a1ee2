// SPDX-License-Identifier: GPL-3.0-or-later
// Errors and jobs in the window: an error ends with its cause, no text names an option of the
// command, and progress is visible.
#include <QAbstractButton>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <algorithm>
#include <atomic>
#include <thread>

#include "armilla/core/units.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/session.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/job_progress.h"
#include "panels/message_bar.h"
#include "panels/operation_panel.h"
#include "panels/smooth_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "plots/profile_plot.h"
#include "view/sky_overlay.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestErrors : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }
    void init() { openWindow({1440, 900}); }
    void cleanup() { closeWindow(); }
    void anErrorEndsWithASetting();
    void anErrorEndsWithItsLayer();
    void anErrorEndsWithTheNextRun();
    void anErrorOfAPreviewEndsWithTheNextOne();
    void noTextNamesAnOption();
    void aCurveAloneLacksNoMap();
    void axesOfKernelsEndAtRoundValues();
    void progressIsInTheStatusBar();

private:
    OperationPanel* open(const char* id) {
        for (ToolDock* dock : window_->panels().rail()->tools())
            if (dock->objectName() == QStringLiteral("operation-") + QLatin1String(id)) {
                window_->panels().rail()->open(dock);
                return dock->findChild<OperationPanel*>();
            }
        return nullptr;
    }
    QStringList errors() const { return window_->messages()->lines(); }
    size_t failedJobs() const {
        const auto jobs = window_->session().jobs().jobs();
        return static_cast<size_t>(std::count_if(jobs.begin(), jobs.end(), [](const JobInfo& job) {
            return job.state == JobState::Failed;
        }));
    }
    // A map in a kelvin of unknown scale: it has no brightness in MJy/sr.
    OperationPanel* failingConversion() {
        window_->openFiles({writeFile(QStringLiteral("kelvin.fits"), 8, false, false)});
        waitForPicture();
        OperationPanel* convert = open("convert");
        convert->setText(QStringLiteral("unit"), QStringLiteral("MJy/sr"));
        convert->setText(QStringLiteral("frequency"), QStringLiteral("143GHz"));
        fail(convert);
        return convert;
    }
    void fail(OperationPanel* panel) {
        panel->runButton()->click();
        waitUntilIdle();
        QCOMPARE(errors().size(), 1);
        QVERIFY2(errors().front().contains(QLatin1String("unknown scale")),
                 qPrintable(errors().front()));
        QVERIFY2(!errors().front().contains(QLatin1String("--")), qPrintable(errors().front()));
        QCOMPARE(failedJobs(), size_t{1});
    }
};

void TestErrors::anErrorEndsWithASetting() {
    OperationPanel* convert = failingConversion();
    shot(QStringLiteral("error"));
    // Another tool and another view change nothing.
    open("match");
    QCOMPARE(errors().size(), 1);
    open("convert");
    QCOMPARE(errors().size(), 1);
    QVERIFY(convert->setText(QStringLiteral("unit"), QStringLiteral("mK")));
    QVERIFY2(errors().isEmpty(), qPrintable(errors().join('\n')));
    QCOMPARE(failedJobs(), size_t{0});
}

// Also where the tool is not shown any more.
void TestErrors::anErrorEndsWithItsLayer() {
    OperationPanel* convert = failingConversion();
    const LayerId layer = convert->input(QStringLiteral("MAP"));
    open("match");
    window_->session().document().removeLayer(layer);
    QVERIFY2(errors().isEmpty(), qPrintable(errors().join('\n')));
    QCOMPARE(failedJobs(), size_t{0});
}

void TestErrors::anErrorEndsWithTheNextRun() {
    OperationPanel* convert = failingConversion();
    fail(convert);  // one message and one job again
    QCOMPARE(window_->messages()->count(errors().front()), 1);
}

// A kernel far below a pixel has no direct sum; with harmonics the preview runs.
void TestErrors::anErrorOfAPreviewEndsWithTheNextOne() {
    Session& session = window_->session();
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 32, false, false)});
    waitForPicture();
    SmoothParameters parameters;
    parameters.kernel =
        RadialKernel{{0.0, kArcmin, 2.0 * kArcmin, 3.0 * kArcmin}, {1.0, 0.5, 0.1, 0.0}};
    parameters.method = SmoothMethod::Direct;
    session.preview().previewSmooth(parameters);
    waitUntilIdle();
    QCOMPARE(errors().size(), 1);
    QVERIFY2(!errors().front().contains(QLatin1String("--")), qPrintable(errors().front()));
    QCOMPARE(failedJobs(), size_t{0});
    parameters.method = SmoothMethod::Harmonic;
    session.preview().previewSmooth(parameters);
    QVERIFY2(errors().isEmpty(), qPrintable(errors().join('\n')));
    waitUntilIdle();
    QVERIFY(errors().isEmpty());
    QVERIFY(session.document().live());
}

// Every text of every form, with values that the parameters refuse.
void TestErrors::noTextNamesAnOption() {
    static const QRegularExpression option(QStringLiteral("(?<![\\w-])--[a-z]"));
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 8, false, true)});
    waitForPicture();
    const auto check = [](const QString& text, const QObject* of) {
        QVERIFY2(!text.contains(option),
                 qPrintable(QStringLiteral("%1: %2").arg(of->metaObject()->className(), text)));
    };
    int texts = 0;
    const auto checkAll = [&] {
        for (const QWidget* widget : window_->findChildren<QWidget*>()) {
            check(widget->toolTip(), widget);
            check(widget->accessibleName(), widget);
            if (const auto* label = qobject_cast<const QLabel*>(widget))
                check(label->text(), label);
            if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
                check(button->text(), button);
            if (const auto* line = qobject_cast<const QLineEdit*>(widget))
                check(line->placeholderText(), line);
            if (const auto* choice = qobject_cast<const QComboBox*>(widget))
                for (int i = 0; i < choice->count(); ++i) check(choice->itemText(i), choice);
            ++texts;
        }
    };
    checkAll();
    for (auto* panel : window_->findChildren<OperationPanel*>())
        for (const QString& name : panel->parameters())
            for (const char* value : {"-1", "nothing", "1,2,3,4"})
                panel->setText(name, QString::fromLatin1(value));
    checkAll();
    QVERIFY(texts > 1000);
}

// A curve is in its plot below the sky, over which no sentence misses a map.
void TestErrors::aCurveAloneLacksNoMap() {
    const QString path = inFolder(QStringLiteral("cl.txt"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("# ell TT\n2 1000\n3 900\n10 500\n");
    file.close();
    window_->openFiles({path});
    const Document& document = window_->session().document();
    QTRY_COMPARE_WITH_TIMEOUT(document.entries().size(), size_t{1}, kPatience);
    waitUntilIdle();
    const auto* overlay = window_->skyView()->findChild<SkyOverlay*>();
    QVERIFY(document.entries().front().curve);
    QVERIFY2(overlay->scene().headline.isEmpty(), qPrintable(overlay->scene().headline));
}

// The curves of a kernel move with the slider; their axes change at 1, 2 and 5 times powers of ten.
void TestErrors::axesOfKernelsEndAtRoundValues() {
    SmoothPanel* panel = window_->panels().smooth();
    const auto plots = panel->findChildren<ProfilePlot*>();
    QCOMPARE(plots.size(), 2);
    const auto ends = [&](double fwhm) {
        panel->slider()->setValue(SmoothPanel::placeOf(fwhm));
        return QStringList{plots[0]->end(), plots[1]->end()};
    };
    // sigma = FWHM / 2.355: exp(-l (l + 1) sigma^2 / 2) is 1e-4 at l = 579 for 1 degree.
    const QStringList once = ends(1.0 * kDegree);
    QVERIFY2(once.contains(QStringLiteral("ℓ 1000")) && once.contains(QStringLiteral("2°")),
             qPrintable(once.join(' ')));
    QCOMPARE(ends(1.1 * kDegree), once);
    const std::vector<double> wide = plots[0]->values();
    QVERIFY(ends(1.0 * kDegree) == once && plots[0]->values() != wide);
    QVERIFY(ends(10.0 * kDegree) != once);
}

// The progress of a lasting job has its place in the status bar, so that the sky does not move.
void TestErrors::progressIsInTheStatusBar() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 8, false, false)});
    waitForPicture();
    waitUntilIdle();
    auto* progress = window_->findChild<JobProgress*>();
    QVERIFY(progress && progress->isVisible());
    QCOMPARE(progress->fraction(), -1.0);
    const QRect sky = window_->skyView()->geometry(), place = progress->geometry();
    const int job = window_->session().jobs().run<int>(
        QStringLiteral("Pair counts of a catalog with a long name"), JobLane::Compute, {}, this,
        [](JobContext& context) -> int {
            for (;;) {
                context.report(0.25, "DD");
                std::this_thread::yield();
            }
        },
        {});
    QTRY_COMPARE_WITH_TIMEOUT(progress->fraction(), 0.25, kPatience);
    QVERIFY2(progress->text().contains(QLatin1String("25 %")), qPrintable(progress->text()));
    shot(QStringLiteral("progress"));
    QCOMPARE(window_->skyView()->geometry(), sky);
    QCOMPARE(progress->geometry(), place);
    // A click shows the list of jobs.
    ToolDock* jobs = nullptr;
    for (ToolDock* dock : window_->panels().docks().all)
        if (dock->objectName() == QLatin1String("jobs")) jobs = dock;
    QVERIFY(jobs);
    jobs->hide();
    progress->click();
    QVERIFY(jobs->isVisible());
    window_->session().jobs().cancel(job);
    QTRY_COMPARE_WITH_TIMEOUT(progress->fraction(), -1.0, kPatience);
}

QTEST_MAIN(TestErrors)
#include "tst_errors.moc"

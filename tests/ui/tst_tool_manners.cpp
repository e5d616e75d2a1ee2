// SPDX-License-Identifier: GPL-3.0-or-later
// Tools in the window: a hidden tool is still, Discard ends a preview, and no input or setting
// changes by itself.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <algorithm>
#include <cmath>

#include "armilla/core/seen_frame.h"
#include "armilla/core/table.h"
#include "armilla/io/table_io.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "panels/color_panel.h"
#include "panels/message_bar.h"
#include "panels/operation_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "sample_rows.h"
#include "support/image_cards.h"
#include "tools/filter_panel.h"
#include "tools/grid_panel.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {}  // namespace

class TestToolManners : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }
    void init() { openWindow({1440, 900}); }
    void cleanup() { closeWindow(); }
    void aHiddenFilterIsStill();
    void aDiscardedFilterStaysAway();
    void inputsStayAfterRun();
    void columnsOfAnotherFileAreDropped();
    void runTwiceIsOneJob();
    void aLayerOutsideTheViewOffersZoom();
    void aPeakOutsideTheViewOffersZoom();
    void aMissingFrameIsOneClick();
    void aMissingFactOfAFileIsOneClick();
    void theLastSessionReopens();
    void theLinearWidthHasSpace();
    void aRangeTakesTwoEdits();
    void aRefusedRangeHasAReason();

private:
    // Live work begins some time after its trigger.
    void settle() { waitUntilIdle(60); }
    ToolDock* dock(const QString& name) {
        for (ToolDock* each : window_->panels().rail()->tools())
            if (each->objectName() == QStringLiteral("operation-") + name) return each;
        return nullptr;
    }
    template <typename Tool>
    Tool* open(const QString& name) {
        window_->panels().rail()->open(dock(name));
        return qobject_cast<Tool*>(dock(name)->content());
    }
    void clickMessage(const QString& text) {
        for (QPushButton* button : window_->messages()->findChildren<QPushButton*>())
            if (button->text() == text) return button->click();
        QFAIL("no such button");
    }
    QString write(const Table& table, const QString& name) {
        JobContext job;
        writeTable(table, inFolder(name).toStdString(), {}, job);
        return inFolder(name);
    }
    LayerId addSky(int64_t nside) {
        const size_t before = window_->session().document().entries().size();
        window_->session().files().openSampleSky(nside);
        [&] {
            QTRY_COMPARE_WITH_TIMEOUT(window_->session().document().entries().size(), before + 1,
                                      kPatience);
        }();
        settle();
        return window_->session().document().entries().back().id;
    }
};

// The filter is live, then another tool is opened: the map is shown as it was, and a map that is
// opened afterwards is not filtered.
void TestToolManners::aHiddenFilterIsStill() {
    Session& session = window_->session();
    const LayerId first = addSky(32);
    auto* tool = open<FilterPanel>(QStringLiteral("filter"));
    QVERIFY(tool);
    QVERIFY(tool->findChild<OperationPanel*>()->setText(QStringLiteral("fwhm"),
                                                        QStringLiteral("2deg")));
    QTRY_VERIFY_WITH_TIMEOUT(session.document().live(), kPatience);
    settle();
    QCOMPARE(dock(QStringLiteral("filter"))->status(), session.document().entry(first)->name);
    open<QWidget>(QStringLiteral("sources"));
    QVERIFY(!session.document().live());
    QVERIFY(!session.preview().isFilterPreviewed());
    QCOMPARE(session.document().view().shown().entry, first);
    const LayerId second = addSky(64);
    QVERIFY(!session.document().live());
    QCOMPARE(session.document().view().shown().entry, second);
    // The opened tool follows the shown map again.
    open<QWidget>(QStringLiteral("filter"));
    QTRY_VERIFY_WITH_TIMEOUT(session.document().live(), kPatience);
    settle();
    QCOMPARE(session.document().live()->parent, second);
    QCOMPARE(dock(QStringLiteral("filter"))->status(), session.document().entry(second)->name);
}

void TestToolManners::aDiscardedFilterStaysAway() {
    Session& session = window_->session();
    const LayerId first = addSky(32);
    const LayerId second = addSky(32);
    auto* tool = open<FilterPanel>(QStringLiteral("filter"));
    auto* rows = tool->findChild<OperationPanel*>();
    QVERIFY(rows->setText(QStringLiteral("fwhm"), QStringLiteral("2deg")));
    QTRY_VERIFY_WITH_TIMEOUT(session.document().live(), kPatience);
    settle();
    QCOMPARE(session.document().live()->parent, second);
    tool->discardButton()->click();
    QVERIFY(!session.document().live());
    // Another map is shown: it is not filtered instead.
    session.document().view().setShown({first, 0, Quantity::Field});
    settle();
    QVERIFY(!session.preview().isFilterPreviewed() && !session.document().live());
    QVERIFY2(tool->state().contains(QLatin1String("discarded")), qPrintable(tool->state()));
    QVERIFY(rows->setText(QStringLiteral("fwhm"), QStringLiteral("3deg")));
    QTRY_VERIFY_WITH_TIMEOUT(session.document().live(), kPatience);
    QCOMPARE(session.document().live()->parent, first);
}

// The result of Run is shown, and the tool keeps its input. A selected layer becomes the input.
void TestToolManners::inputsStayAfterRun() {
    Session& session = window_->session();
    Document& document = session.document();
    const LayerId map = addSky(32);
    auto* convert = open<OperationPanel>(QStringLiteral("convert"));
    QVERIFY(convert);
    QCOMPARE(convert->input(QStringLiteral("MAP")), map);
    convert->runButton()->click();
    settle();
    QCOMPARE(document.entries().size(), size_t{2});
    const LayerId result = document.entries().back().id;
    QCOMPARE(document.view().shown().entry, result);
    QCOMPARE(convert->input(QStringLiteral("MAP")), map);
    document.view().setShown({map, 0, Quantity::Field});
    document.view().setShown({result, 0, Quantity::Field});
    QCOMPARE(convert->input(QStringLiteral("MAP")), result);
    // Catalogs: the image that Run makes becomes active, and the samples stay.
    window_->openFiles({write(samples("FLUX", 10.0), QStringLiteral("one.fits"))});
    settle();
    window_->openFiles({write(samples("FLUX", 50.0), QStringLiteral("two.fits"))});
    settle();
    const LayerId second = document.entries().back().id;
    document.setActive(second);
    auto* grid = open<GridPanel>(QStringLiteral("grid"));
    auto* rows = grid->findChild<OperationPanel*>();
    settle();
    QCOMPARE(rows->input(QStringLiteral("SAMPLES")), second);
    const QString center = rows->text(QStringLiteral("center"));
    QVERIFY(!center.isEmpty());
    rows->runButton()->click();
    settle();
    QVERIFY(document.entries().back().image);
    QCOMPARE(document.active(), document.entries().back().id);
    QCOMPARE(rows->input(QStringLiteral("SAMPLES")), second);
    QCOMPARE(rows->text(QStringLiteral("center")), center);
}

// A column that the user chose for one file is no column of the next one.
void TestToolManners::columnsOfAnotherFileAreDropped() {
    auto* grid = open<GridPanel>(QStringLiteral("grid"));
    auto* rows = grid->findChild<OperationPanel*>();
    window_->openFiles({write(samples("KELVIN", 10.0), QStringLiteral("one.fits"))});
    settle();
    QVERIFY(rows->setText(QStringLiteral("value"), QStringLiteral("KELVIN")));
    QVERIFY(rows->setText(QStringLiteral("weight"), QStringLiteral("KELVIN")));
    window_->openFiles({write(samples("JANSKY", 50.0), QStringLiteral("two.fits"))});
    settle();
    QCOMPARE(rows->input(QStringLiteral("SAMPLES")),
             window_->session().document().entries().back().id);
    QCOMPARE(rows->text(QStringLiteral("value")), QStringLiteral("JANSKY"));
    QCOMPARE(rows->text(QStringLiteral("weight")), QString());
}

void TestToolManners::runTwiceIsOneJob() {
    addSky(32);
    auto* convert = open<OperationPanel>(QStringLiteral("convert"));
    QSignalSpy finished(&window_->session().operations(), &OperationRunner::operationFinished);
    QTest::mouseClick(convert->runButton(), Qt::LeftButton);
    QVERIFY(!convert->runButton()->isEnabled());
    QTest::mouseClick(convert->runButton(), Qt::LeftButton);
    settle();
    QCOMPARE(finished.size(), 1);
    QCOMPARE(window_->session().document().entries().size(), size_t{2});
    QVERIFY(convert->runButton()->isEnabled());
}

// The catalog lies elsewhere: the view stays, and a button goes there.
void TestToolManners::aLayerOutsideTheViewOffersZoom() {
    Document& document = window_->session().document();
    addSky(32);
    Camera camera = document.view().camera().centeredOn({4.0, -0.5});
    camera.zoom = 30.0;
    document.view().setCamera(camera);
    window_->openFiles({write(samples("FLUX", 10.0), QStringLiteral("one.fits"))});
    settle();
    QCOMPARE(document.view().camera().zoom, 30.0);
    QVERIFY2(
        window_->messages()->lines().contains(QStringLiteral("one.fits lies outside the view.")),
        qPrintable(window_->messages()->lines().join('\n')));
    clickMessage(QStringLiteral("Zoom to it"));
    const Vec3 center = seenRotation(document.view().camera().frame, Frame::Equatorial) *
                        direction({11.9 * kDegree, 29.9 * kDegree});
    QTRY_VERIFY_WITH_TIMEOUT(
        angularDistance(direction(document.view().camera().center()), center) < 1.0 * kDegree,
        kPatience);
    // A catalog inside the view has no such message.
    settle();
    window_->openFiles({write(samples("FLUX", 10.0), QStringLiteral("again.fits"))});
    settle();
    QVERIFY(!window_->messages()->lines().join(' ').contains(QLatin1String("again.fits lies")));
}

// A probability map covers the whole sky, but its peak is not in the view.
void TestToolManners::aPeakOutsideTheViewOffersZoom() {
    Document& document = window_->session().document();
    addSky(32);
    const Vec3 peak = direction({2.0, 0.4});
    Camera camera = document.view().camera().centeredOn(
        lonLat(seenRotation(document.view().camera().frame, Frame::Equatorial) *
               Vec3{-peak.x, -peak.y, -peak.z}));
    camera.zoom = 30.0;
    document.view().setCamera(camera);
    const int64_t nside = 16;
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (size_t p = 0; p < values.size(); ++p)
        values[p] = static_cast<float>(
            std::exp(200.0 * (dot(directionFromRing(nside, static_cast<int64_t>(p)), peak) - 1.0)) /
            3000.0);
    JobContext job;
    writeMap(HealpixMap(nside, Ordering::Ring, Frame::Equatorial,
                        {{"PROB", "pix-1", DiskType::Float32, std::move(values)}}),
             inFolder(QStringLiteral("event.fits")).toStdString(), {}, job);
    window_->openFiles({inFolder(QStringLiteral("event.fits"))});
    settle();
    QVERIFY2(
        window_->messages()->lines().contains(QStringLiteral("event.fits lies outside the view.")),
        qPrintable(window_->messages()->lines().join('\n')));
    QCOMPARE(document.view().camera().zoom, 30.0);
    // The user goes there without the button: there is nothing left to offer.
    document.view().setCamera(camera.centeredOn(
        lonLat(seenRotation(document.view().camera().frame, Frame::Equatorial) * peak)));
    QVERIFY(!window_->messages()->lines().join(' ').contains(QLatin1String("lies outside")));
}

// A command that needs the frame of a map offers three buttons, and runs again with the answer.
void TestToolManners::aMissingFrameIsOneClick() {
    Document& document = window_->session().document();
    std::vector<float> values(static_cast<size_t>(pixelCount(8)), 1.0F);
    values[5] = 3.0F;
    JobContext job;
    writeMap(HealpixMap(8, Ordering::Ring, Frame::Unknown,
                        {{"I", "K", DiskType::Float32, std::move(values)}}),
             inFolder(QStringLiteral("bare.fits")).toStdString(), {}, job);
    window_->openFiles({inFolder(QStringLiteral("bare.fits"))});
    settle();
    auto* convert = open<OperationPanel>(QStringLiteral("convert"));
    QVERIFY(convert->setText(QStringLiteral("frame"), QStringLiteral("G")));
    convert->runButton()->click();
    settle();
    const QString line = QStringLiteral("bare.fits does not say its frame.");
    QVERIFY2(window_->messages()->lines().contains(line),
             qPrintable(window_->messages()->lines().join('\n')));
    QVERIFY(window_->session().jobs().jobs().empty());
    clickMessage(QStringLiteral("Equatorial"));
    settle();
    QCOMPARE(document.entries().size(), size_t{2});
    QCOMPARE(document.entries()[0].map->frame(), Frame::Equatorial);
    QCOMPARE(document.entries()[1].map->frame(), Frame::Galactic);
    QVERIFY(!window_->messages()->lines().contains(line));
}

// A file that lacks its nside offers a choice; the answer opens the file.
void TestToolManners::aMissingFactOfAFileIsOneClick() {
    Table table;
    std::vector<int64_t> numbers;
    std::vector<double> values;
    for (int i = 0; i < 50; ++i) {
        numbers.push_back(i + 200);
        values.push_back(0.1 * i);
    }
    TableColumn pixels;
    pixels.name = "PIXEL";
    pixels.values = std::move(numbers);
    table.columns = {pixels, column("SIGNAL", "K", values)};
    table.cards = {imageCard("PIXTYPE", "'HEALPIX'"), imageCard("ORDERING", "'RING'"),
                   imageCard("INDXSCHM", "'EXPLICIT'"), imageCard("COORDSYS", "'G'")};
    JobContext job;
    const QString path = inFolder(QStringLiteral("bare.fits"));
    writeTable(table, path.toStdString(), {}, job);
    window_->openFiles({path});
    settle();
    const QString line = QStringLiteral("bare.fits does not say its resolution (nside).");
    QVERIFY2(window_->messages()->lines() == QStringList{line},
             qPrintable(window_->messages()->lines().join('\n')));
    QVERIFY(window_->session().jobs().jobs().empty());
    shot(QStringLiteral("missing-nside"));
    auto* choice = window_->messages()->findChild<QComboBox*>();
    QVERIFY(choice);
    // Pixel 249 needs nside 8.
    QCOMPARE(choice->currentText(), QStringLiteral("8"));
    choice->setCurrentText(QStringLiteral("16"));
    clickMessage(QStringLiteral("Open"));
    settle();
    const auto& entries = window_->session().document().entries();
    QVERIFY2(entries.size() == 1, qPrintable(window_->messages()->lines().join('\n')));
    QCOMPARE(entries.front().map->nside(), int64_t{16});
    QVERIFY(!window_->messages()->lines().contains(line));
}

void TestToolManners::theLastSessionReopens() {
    QTemporaryDir kept;
    Table table = samples("FLUX", 10.0);
    JobContext job;
    const QString path = kept.filePath(QStringLiteral("kept.fits"));
    writeTable(table, path.toStdString(), {}, job);
    window_->openFiles({path});
    settle();
    closeWindow();
    openWindow({1440, 900});
    // A sample sky is no work, so the end of a session with it keeps the last one.
    addSky(32);
    closeWindow();
    openWindow({1440, 900});
    Session& session = window_->session();
    QVERIFY(session.project().hasLastSession());
    session.project().reopenLastSession();
    QTRY_COMPARE_WITH_TIMEOUT(session.document().entries().size(), size_t{1}, kPatience);
    QCOMPARE(session.document().entries().front().name, QStringLiteral("kept.fits"));
}

// The half width of a symlog scale has a label with space on both sides, whole at every width.
void TestToolManners::theLinearWidthHasSpace() {
    addSky(32);
    QComboBox* scale = nullptr;
    for (QComboBox* each : window_->panels().color()->findChildren<QComboBox*>())
        if (each->accessibleName() == QLatin1String("Scale of the colors")) scale = each;
    QVERIFY(scale);
    const int symlog = scale->findData(static_cast<int>(Scale::SymLog));
    scale->setCurrentIndex(symlog);
    emit scale->activated(symlog);
    QLabel* label = nullptr;
    for (QLabel* each : window_->panels().color()->findChildren<QLabel*>())
        if (each->text() == QStringLiteral("linear ±")) label = each;
    QVERIFY(label && label->isVisible());
    for (const QSize size : {QSize(1024, 700), QSize(1440, 900)}) {
        window_->resize(size);
        QTRY_VERIFY_WITH_TIMEOUT(label->x() >= scale->geometry().right() + 6, kPatience);
        QVERIFY(label->width() >= label->sizeHint().width());
        QVERIFY(scale->width() >= scale->fontMetrics().horizontalAdvance(scale->currentText()));
        shot(QStringLiteral("symlog-%1").arg(size.width()));
    }
}

// A low end above the old high end is taken together with the new high end.
void TestToolManners::aRangeTakesTwoEdits() {
    Document& document = window_->session().document();
    addSky(32);
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_, kPatience));
    QLineEdit *low = nullptr, *high = nullptr;
    for (QLineEdit* line : window_->panels().color()->findChildren<QLineEdit*>()) {
        if (line->accessibleName().startsWith(QLatin1String("Low end"))) low = line;
        if (line->accessibleName().startsWith(QLatin1String("High end"))) high = line;
    }
    QVERIFY(low && high);
    const auto type = [](QLineEdit* line, const char* text) {
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, QString::fromLatin1(text));
    };
    type(low, "90000");
    high->setFocus();
    QCOMPARE(low->text(), QStringLiteral("90000"));
    type(high, "91000");
    QTest::keyClick(high, Qt::Key_Return);
    const ColorScale& scale = document.drawings().colorScale(document.view().shown());
    QCOMPARE(scale.mapping.low, 90000.0F);
    QCOMPARE(scale.mapping.high, 91000.0F);
    QVERIFY(window_->messages()->lines().isEmpty());
}

// A field of the colors that changes back says why beside it, until the next entry or quantity.
void TestToolManners::aRefusedRangeHasAReason() {
    Document& document = window_->session().document();
    const LayerId first = addSky(32), second = addSky(32);
    ColorPanel* colors = window_->panels().color();
    QLineEdit* low = nullptr;
    for (QLineEdit* line : colors->findChildren<QLineEdit*>())
        if (line->accessibleName().startsWith(QLatin1String("Low end"))) low = line;
    QVERIFY(low);
    const auto reason = [colors] {
        for (const QLabel* label : colors->findChildren<QLabel*>())
            if (label->property("role") == QLatin1String("warning") && label->isVisible())
                return label->text();
        return QString();
    };
    const auto type = [low](const char* text) {
        low->setFocus();
        low->selectAll();
        QTest::keyClicks(low, QString::fromLatin1(text));
        QTest::keyClick(low, Qt::Key_Return);
    };
    const QString before = low->text();
    QCOMPARE(reason(), QString());
    type("many");
    QCOMPARE(low->text(), before);
    QVERIFY2(reason().contains(QStringLiteral("“many”")), qPrintable(reason()));
    shot(QStringLiteral("refused-range"));
    type("-100000");
    QCOMPARE(reason(), QString());
    QCOMPARE(document.drawings().colorScale(document.view().shown()).mapping.low, -100000.0F);
    colors->setScaleKind(Scale::Log);
    type("-5");
    QVERIFY(document.drawings().colorScale(document.view().shown()).mapping.low > 0.0F);
    QVERIFY2(reason().contains(QLatin1String("above zero")), qPrintable(reason()));
    document.view().setShown({first, 0, Quantity::Field});
    QCOMPARE(reason(), QString());
    QVERIFY(second != first);
    QVERIFY(window_->messages()->lines().isEmpty());
}

QTEST_MAIN(TestToolManners)
#include "tst_tool_manners.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Gridding and correlation in the window: dropped files, previews, results that agree with these.
// ARMILLA_SHOTS, ARMILLA_SHOTS_SAMPLES, ARMILLA_SHOTS_CATALOG: screenshots of these files.
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>
#include <QToolTip>
#include <cmath>
#include <random>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/units.h"
#include "armilla/draw/own_colors.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/correlate.h"
#include "armilla/plot/plot_style.h"
#include "armilla/session/document_json.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/live_preview.h"
#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/sky_view_widget.h"
#include "models/color_files.h"
#include "models/layer_looks.h"
#include "panels/color_panel.h"
#include "panels/column_choice.h"
#include "panels/data_panel.h"
#include "panels/operation_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "panels/value_slider.h"
#include "plots/curve_plot.h"
#include "tools/correlate_panel.h"
#include "tools/filter_panel.h"
#include "tools/grid_panel.h"
#include "tools/live_part.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kChannels = 5;

TableColumn doubles(const char* name, const char* unit, std::vector<double> values,
                    int64_t width = 1) {
    TableColumn column;
    column.name = name;
    column.unit = unit;
    column.width = width;
    column.values = std::move(values);
    return column;
}

// A square of 4 degrees across RA 0; channel c of the spectrum is (c + 1) times 2 + dec.
Table samplesTable(int64_t rows) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> even(-2.0, 2.0);
    std::vector<double> ra, dec, spectra, weight;
    for (int64_t i = 0; i < rows; ++i) {
        dec.push_back(30.0 + even(random));
        ra.push_back(std::fmod(360.0 + even(random) / std::cos(30.0 * kDegree), 360.0));
        for (int c = 0; c < kChannels; ++c) spectra.push_back((c + 1) * (2.0 + dec.back() - 30.0));
        weight.push_back(1.0);
    }
    Table table;
    table.columns = {doubles("RA", "deg", ra), doubles("DEC", "deg", dec),
                     doubles("WT", "", weight), doubles("SPECTRUM", "K", spectra, kChannels)};
    return table;
}

// Pairs of neighbors all over the sky: clustered at small angles. Fixed seed.
Table clusteredTable(int64_t rows) {
    std::mt19937 random(9);
    std::uniform_real_distribution<double> even(-1.0, 1.0);
    std::vector<double> lon, lat;
    while (static_cast<int64_t>(lon.size()) < rows) {
        const double l = 180.0 * (1.0 + even(random)), b = std::asin(even(random)) / kDegree;
        for (int k = 0; k < 4; ++k) {
            const double r = 0.5 * std::pow(std::abs(even(random)), 2.0);
            const double p = kPi * even(random);
            lat.push_back(std::clamp(b + r * std::sin(p), -89.9, 89.9));
            lon.push_back(
                std::fmod(360.0 + l + r * std::cos(p) / std::cos(lat.back() * kDegree), 360.0));
        }
    }
    Table table;
    table.columns = {doubles("GLON", "deg", lon), doubles("GLAT", "deg", lat)};
    return table;
}

}  // namespace

class TestLiveTools : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void slidersGoWhereTheyAreTold();
    void columnsShowWhatTheyHold();
    void gridFollowsItsRows();
    void filterFollowsItsRows();
    void gridOfTheWholeSky();
    void correlationGrowsToTheExactOne();
    void errorsOfPatchesAreAPicture();
    void probabilitiesHaveContours();
    void colorsOfOnesOwn();
    void tipsLeaveTheirControlInView();

private:
    // Live work begins some time after its trigger.
    void waitUntilIdle() { WindowBench::waitUntilIdle(60); }
    QString write(const Table& table, const QString& name);
    template <typename Tool>
    Tool* open(const QString& name);
};

void TestLiveTools::initTestCase() {
    prepareSettings();
}

void TestLiveTools::init() {
    openWindow({1440, 900});
}

void TestLiveTools::cleanup() {
    closeWindow();
}

QString TestLiveTools::write(const Table& table, const QString& name) {
    const QString path = inFolder(name);
    JobContext job;
    writeTable(table, path.toStdString(), {}, job);
    return path;
}

template <typename Tool>
Tool* TestLiveTools::open(const QString& name) {
    for (ToolDock* dock : window_->panels().rail()->tools())
        if (dock->objectName() == QStringLiteral("operation-") + name) {
            window_->panels().rail()->open(dock);
            return qobject_cast<Tool*>(dock->content());
        }
    return nullptr;
}

// A slider position is a value of the range, and the value gives the position.
void TestLiveTools::slidersGoWhereTheyAreTold() {
    ParameterSet parameters = findOperation("grid")->defaults();
    bool found = false;
    for (const Parameter& parameter : parameters.rows()) {
        if (parameter.name != "kernel-fwhm") continue;
        found = true;
        QVERIFY(ValueSlider::suits(parameter));
        ValueSlider slider(parameter);
        double last = 0.0;
        for (int place = 0; place <= slider.maximum(); place += 10) {
            const double value = std::get<double>(slider.valueAt(place));
            QVERIFY(value > last && value <= parameter.facts.sliderMost);
            // "45.4arcsec", in the form that a user types.
            const QString text = QString::fromStdString(parameter.text(value));
            QVERIFY2(text.size() <= 12, qPrintable(text));
            last = value;
            slider.showValue(value);
            // Three digits: at most one of the 500 positions off.
            QVERIFY(std::abs(slider.value() - place) <= 1);
        }
        QCOMPARE(last, parameter.facts.sliderMost);
    }
    QVERIFY(found);
}

void TestLiveTools::columnsShowWhatTheyHold() {
    auto catalog = std::make_shared<Catalog>();
    catalog->table.columns = {doubles("FLUX", "Jy", {1.5, -2.0, 3.0, 4.0}),
                              doubles("S", "uK", {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, 3)};
    ColumnChoice choice;
    choice.lineEdit()->setText(QStringLiteral("S"));
    choice.setTable(catalog);
    QCOMPARE(choice.count(), 2);
    QCOMPARE(choice.itemText(0), QStringLiteral("FLUX"));
    const auto previewOf = [&](int item) {
        return choice.itemData(item, ColumnChoice::kPreviewRole).toString();
    };
    QCOMPARE(previewOf(0), QStringLiteral("Jy · 1.5, −2, 3 …"));
    QCOMPARE(previewOf(1), QStringLiteral("µK · 3 × 1, 4"));
    QCOMPARE(choice.currentText(), QStringLiteral("S"));
}

void TestLiveTools::gridFollowsItsRows() {
    const QString named = qEnvironmentVariable("ARMILLA_SHOTS_SAMPLES");
    auto* tool = open<GridPanel>(QStringLiteral("grid"));
    QVERIFY(tool);
    auto* rows = tool->findChild<OperationPanel*>();
    QSignalSpy passes(tool->live(), &LivePart::passMade);
    // Dropped on the tool: opened, used as input, shown, with a suggested target and a preview.
    rows->takeFiles(
        {named.isEmpty() ? write(samplesTable(20000), QStringLiteral("scan.fits")) : named},
        {5, 5});
    QTRY_VERIFY_WITH_TIMEOUT(!passes.isEmpty(), kPatience);
    waitUntilIdle();
    const auto& sky = window_->skyView()->decorations().preview();
    QVERIFY(sky && sky->mesh && sky->border.size() > 8);
    // The preview is visible, without the samples over it.
    Document& document = window_->session().document();
    const LayerId samples = document.entries().front().id;
    QVERIFY(document.drawings().markers(samples) &&
            document.drawings().markerGroups(samples).empty());
    shot(QStringLiteral("grid-preview"));
    if (named.isEmpty()) {
        QCOMPARE(rows->text("value"), QStringLiteral("SPECTRUM"));
        QCOMPARE(tool->channels()->maximum(), kChannels - 1);
        // Samples fill 4 x 4 degrees around (0, 30), across RA 0.
        const LonLat center = parsePosition(rows->text("center").toStdString());
        QVERIFY(angularDistance(direction(center), direction({0.0, 30.0 * kDegree})) <
                0.1 * kDegree);
    }
    const auto last = qvariant_cast<LivePass>(passes.back().front());
    QVERIFY2(last.isWhole, qPrintable(last.words));
    // Another channel: its values are those of the column.
    if (named.isEmpty()) {
        passes.clear();
        tool->channels()->setValue(3);
        QTRY_VERIFY_WITH_TIMEOUT(!passes.isEmpty(), kPatience);
        waitUntilIdle();
        const auto pass = qvariant_cast<LivePass>(passes.back().front());
        QVERIFY(pass.isWhole && pass.value.image);
        const Image& image = *pass.value.image;
        const double middle = image.at(image.width / 2, image.height / 2);
        // 4 (2 + dec - 30): 8 in the center, within the gradient over the kernel's width.
        QVERIFY2(std::abs(middle - 8.0) < 0.5, qPrintable(QString::number(middle)));
    }
    // A moving slider never waits: every step is requested at once, the last one is shown.
    passes.clear();
    auto* slider = rows->findChild<ValueSlider*>();
    QVERIFY(slider);
    const int from = slider->value();
    for (int i = 1; i <= 20; ++i) slider->setValue(from + i);
    // Nothing is computed in the window's thread. At most two of the 20 steps are in progress (the
    // lane has two workers) while the last one waits.
    QVERIFY(passes.isEmpty());
    QVERIFY(window_->session().jobs().jobs().size() <= 3);
    waitUntilIdle();
    QVERIFY(!passes.isEmpty());
    QVERIFY(qvariant_cast<LivePass>(passes.back().front()).isWhole);
    // Run makes the result of the preview, and weights and coverage if requested.
    rows->setOutput(QStringLiteral("weights-out"), true);
    rows->setOutput(QStringLiteral("counts-out"), true);
    QVERIFY(rows->runButton()->isEnabled());
    rows->runButton()->click();
    waitUntilIdle();
    const auto& layers = document.entries();
    QCOMPARE(layers.size(), size_t{4});
    for (size_t i = 1; i < 4; ++i) QVERIFY(layers[i].image);
    QVERIFY(!document.entry(samples)->style.visible);
    QVERIFY(!window_->skyView()->decorations().preview() ||
            !window_->skyView()->decorations().preview()->mesh);
    shot(QStringLiteral("grid-result"));
    // A closed tool leaves nothing on the sky.
    open<QWidget>(QStringLiteral("mask"));
    QVERIFY(!window_->skyView()->decorations().preview());
    QCOMPARE(document.drawings().markerGroups(samples).size(), size_t{1});
}

// Width by slider, blink with the map, discard; the filter applies to the map, whatever is shown.
void TestLiveTools::filterFollowsItsRows() {
    Session& session = window_->session();
    Document& document = session.document();
    session.files().openSampleSky(32);
    waitForPicture();
    waitUntilIdle();
    session.files().openSampleSky(64);
    waitForPicture();
    waitUntilIdle();
    QCOMPARE(document.entries().size(), 2U);
    const LayerId map = document.view().shown().entry;
    QCOMPARE(map, document.entries().back().id);
    auto* tool = open<FilterPanel>(QStringLiteral("filter"));
    QVERIFY(tool);
    auto* rows = tool->findChild<OperationPanel*>();
    QVERIFY(!document.live());
    QVERIFY2(tool->state().contains("FWHM"), qPrintable(tool->state()));
    QVERIFY(rows->setText(QStringLiteral("fwhm"), QStringLiteral("2deg")));
    QTRY_VERIFY_WITH_TIMEOUT(document.live(), kPatience);
    waitUntilIdle();
    QCOMPARE(document.live()->parent, map);
    QCOMPARE(document.view().shown().entry, document.live()->id);
    QVERIFY2(tool->state().contains("every pixel"), qPrintable(tool->state()));
    shot(QStringLiteral("filter-live"));
    auto* slider = rows->findChild<ValueSlider*>();
    QVERIFY(slider);
    const auto before = document.live()->map;
    for (int i = 0; i < 20; ++i) slider->setValue(slider->value() + 1);
    waitUntilIdle();
    QVERIFY(document.live()->map != before);
    QCOMPARE(document.live()->parent, map);
    QCOMPARE(rows->request().inputs.front().layer, map);
    for (QPushButton* button : tool->findChildren<QPushButton*>())
        if (button->accessibleName() == QLatin1String("Blink")) button->click();
    QCOMPARE(document.view().comparison(), Comparison::Blink);
    QCOMPARE(document.view().shown().entry, map);
    QCOMPARE(document.view().compared().entry, document.live()->id);
    tool->discardButton()->click();
    QVERIFY(!document.live());
    QCOMPARE(document.view().shown().entry, map);
    tool->toggle()->setChecked(false);
    rows->setText(QStringLiteral("fwhm"), QStringLiteral("3deg"));
    QVERIFY(!session.preview().isFilterPreviewed());
}

void TestLiveTools::gridOfTheWholeSky() {
    auto* tool = open<GridPanel>(QStringLiteral("grid"));
    auto* rows = tool->findChild<OperationPanel*>();
    Table table = clusteredTable(3000);
    std::vector<double> values;
    for (int64_t i = 0; i < table.rows(); ++i) values.push_back(2.5);
    table.columns.push_back(doubles("FLUX", "Jy", values));
    QSignalSpy passes(tool->live(), &LivePart::passMade);
    rows->takeFiles({write(table, QStringLiteral("sky.fits"))}, {5, 5});
    QTRY_VERIFY_WITH_TIMEOUT(!passes.isEmpty(), kPatience);
    waitUntilIdle();
    QCOMPARE(rows->text("nside"), QStringLiteral("64"));
    const auto pass = qvariant_cast<LivePass>(passes.back().front());
    QVERIFY(pass.value.image && pass.mesh);
    double least = 1e9, most = -1e9;
    const Image& image = *pass.value.image;
    for (int64_t y = 0; y < image.height; ++y)
        for (int64_t x = 0; x < image.width; ++x)
            if (const double v = image.at(x, y); std::isfinite(v)) {
                least = std::min(least, v);
                most = std::max(most, v);
            }
    // A constant stays constant, to single precision.
    QVERIFY(std::abs(least - 2.5) < 1e-6 && std::abs(most - 2.5) < 1e-6);
}

void TestLiveTools::correlationGrowsToTheExactOne() {
    const QString named = qEnvironmentVariable("ARMILLA_SHOTS_CATALOG");
    auto* tool = open<CorrelatePanel>(QStringLiteral("correlate"));
    QVERIFY(tool);
    auto* rows = tool->findChild<OperationPanel*>();
    JobContext job;
    const HealpixMap mask(16, Ordering::Ring, Frame::Galactic,
                          {{"MASK", "", DiskType::Float32,
                            std::vector<float>(static_cast<size_t>(pixelCount(16)), 1.0F)}});
    const QString maskPath = inFolder(QStringLiteral("mask.fits"));
    writeMap(mask, maskPath.toStdString(), {}, job);
    window_->openFiles({maskPath});
    waitUntilIdle();
    rows->takeFiles(
        {named.isEmpty() ? write(clusteredTable(24000), QStringLiteral("galaxies.fits")) : named},
        {5, 5});
    QTRY_VERIFY_WITH_TIMEOUT(rows->input(QStringLiteral("DATA")).isValid(), kPatience);
    QVERIFY(!rows->text("bins").isEmpty());
    QVERIFY(!rows->runButton()->isEnabled());  // no randoms yet
    rows->setText("random-factor", "3");
    QSignalSpy passes(tool->live(), &LivePart::passMade);
    tool->maskButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(passes.size() >= 2, kPatience);
    waitUntilIdle();
    // From pass to pass more points and smaller errors.
    std::vector<double> errors;
    for (const auto& one : passes) {
        const auto pass = qvariant_cast<LivePass>(one.front());
        QVERIFY(pass.value.curve);
        errors.push_back(pass.value.curve->series.front().errors.back());
    }
    for (size_t i = 1; i < errors.size(); ++i) QVERIFY(errors[i] < errors[i - 1]);
    shot(QStringLiteral("correlate-estimate"));
    // The panel describes its content: an estimate from a number of points, and finally all points.
    if (named.isEmpty()) {
        const auto first = qvariant_cast<LivePass>(passes.front().front());
        QVERIFY(!first.isWhole && first.growth > 1.0);
        QCOMPARE(first.words, QStringLiteral("estimate from 1\u202F000 of 24\u202F000 points"));
        QVERIFY(qvariant_cast<LivePass>(passes.back().front()).isWhole);
        QVERIFY2(tool->live()->state().startsWith(QStringLiteral("exact: all 24\u202F000 points")),
                 qPrintable(tool->live()->state()));
    }
    QVERIFY2(tool->fitText().contains(QStringLiteral("γ =")), qPrintable(tool->fitText()));
    const int before = static_cast<int>(window_->session().document().entries().size());
    rows->runButton()->click();
    waitUntilIdle();
    const auto& layers = window_->session().document().entries();
    QCOMPARE(static_cast<int>(layers.size()), before + 1);
    QVERIFY(layers.back().curve && tool->curve() == layers.back().curve);
    QVERIFY2(tool->live()->state().startsWith(QStringLiteral("exact: all ")),
             qPrintable(tool->live()->state()));
    // The line of the result has the color of its layer, also after a change.
    QCOMPARE(tool->plot()->curves().front().color, toColor(layers.back().style.marker));
    LayerStyle style = layers.back().style;
    style.marker.color = {10, 200, 30, 255};
    window_->session().document().drawings().setStyle(layers.back().id, style);
    QCOMPARE(tool->plot()->curves().front().color, QColor(10, 200, 30));
    shot(QStringLiteral("correlate-exact"));
    if (named.isEmpty()) {
        // The last pass used all points: the same numbers.
        const auto pass = qvariant_cast<LivePass>(passes.back().front());
        QVERIFY(pass.isWhole);
        QCOMPARE(pass.value.curve->series.front().values,
                 layers.back().curve->series.front().values);
    }
}

// Errors from patches provide a covariance. Its picture, pair counts and axes are a click each; the
// fit uses the matrix; the result can be exported.
void TestLiveTools::errorsOfPatchesAreAPicture() {
    auto* tool = open<CorrelatePanel>(QStringLiteral("correlate"));
    auto* rows = tool->findChild<OperationPanel*>();
    rows->takeFiles({write(clusteredTable(2400), QStringLiteral("data.fits"))}, {5, 5});
    QTRY_VERIFY_WITH_TIMEOUT(rows->input(QStringLiteral("DATA")).isValid(), kPatience);
    std::mt19937 random(4);
    std::uniform_real_distribution<double> even(-1.0, 1.0);
    std::vector<double> lon, lat;
    for (int i = 0; i < 6000; ++i) {
        lon.push_back(180.0 * (1.0 + even(random)));
        lat.push_back(std::asin(even(random)) / kDegree);
    }
    Table randoms;
    randoms.columns = {doubles("GLON", "deg", lon), doubles("GLAT", "deg", lat)};
    window_->openFiles({write(randoms, QStringLiteral("random.fits"))});
    waitUntilIdle();
    rows->setInput(QStringLiteral("random"), window_->session().document().entries().back().id);
    rows->setText("bins", "0.5deg,20deg,8");
    rows->setText("errors", "jackknife");
    rows->setText("patches", "40");
    waitUntilIdle();
    rows->runButton()->click();
    waitUntilIdle();
    QVERIFY(tool->curve());
    QCOMPARE(tool->curve()->covariance.size(), size_t{64});
    const auto press = [&](const QString& text) {
        for (auto* button : tool->findChildren<QToolButton*>())
            if (button->text() == text && !button->isHidden()) return button->click(), true;
        return false;
    };
    const int ofW = tool->plot()->graphCount();  // w and the power law
    QCOMPARE(ofW, 2);
    QVERIFY(press(QStringLiteral("covariance")));
    QVERIFY(tool->plot()->axes().correlations);
    shot(QStringLiteral("correlate-covariance"));
    QVERIFY(press(QStringLiteral("pairs")));
    QVERIFY(!tool->plot()->axes().correlations);
    QCOMPARE(tool->plot()->graphCount(), 3);  // DD, DR and RR
    QVERIFY(press(QStringLiteral("log y")));
    QVERIFY(tool->plot()->axes().logarithmicY && tool->plot()->axes().logarithmicX);
    shot(QStringLiteral("correlate-pairs"));
    QVERIFY(press(QStringLiteral("log θ")));
    QVERIFY(!tool->plot()->axes().logarithmicX);
    QVERIFY(press(QStringLiteral("w(θ)")));
    // Agrees with the fit of the exact result with its covariance.
    const PowerLaw law = powerLawOf(*tool->curve());
    QVERIFY(law.amplitudeError > 0.0 && law.gammaError > 0.0);
    QVERIFY2(tool->fitText().contains(QStringLiteral("±")), qPrintable(tool->fitText()));
    QSignalSpy exported(tool, &CorrelatePanel::exportRequested);
    disconnect(tool, &CorrelatePanel::exportRequested, window_, nullptr);
    for (auto* button : tool->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Export…")) button->click();
    QCOMPARE(exported.size(), 1);
    QCOMPARE(exported.front().front().value<LayerId>(),
             window_->session().document().entries().back().id);
}

// A probability map shows the regions of 50 and 90 %, and their areas.
void TestLiveTools::probabilitiesHaveContours() {
    constexpr double kSigma = 5.0 * kDegree;
    const Vec3 center = direction({1.0, 0.5});
    std::vector<float> values;
    for (int64_t p = 0; p < pixelCount(128); ++p)
        values.push_back(static_cast<float>(
            std::exp(-(1.0 - dot(directionFromRing(128, p), center)) / (kSigma * kSigma))));
    const HealpixMap map(128, Ordering::Ring, Frame::Equatorial,
                         {{"PROB", "pix-1", DiskType::Float32, std::move(values)}});
    const QString path = inFolder(QStringLiteral("bayestar.fits"));
    JobContext job;
    writeMap(map, path.toStdString(), {}, job);
    const QString named = qEnvironmentVariable("ARMILLA_SHOTS_PROBABILITY");
    window_->openFiles({named.isEmpty() ? path : named});
    QTRY_VERIFY_WITH_TIMEOUT(window_->skyView()->decorations().contours(), kPatience);
    waitUntilIdle();
    shot(QStringLiteral("contours"));
    const auto& contours = window_->skyView()->decorations().contours();
    QCOMPARE(contours->lines.size(), size_t{2});
    QVERIFY(!contours->lines[0].empty() && contours->lines[1].size() > contours->lines[0].size());
    if (named.isEmpty()) {
        // 2 pi s^2 ln 2 and ln 10, in square degrees: 109 and 362.
        const QString note = window_->skyView()->inspector()->note();
        const auto areas =
            QRegularExpression(QStringLiteral("50 %: (\\d+) deg² · 90 %: (\\d+) deg²")).match(note);
        QVERIFY2(areas.hasMatch(), qPrintable(note));
        QVERIFY(std::abs(areas.captured(1).toInt() - 109) <= 3);
        QVERIFY(std::abs(areas.captured(2).toInt() - 362) <= 6);
    }
    for (QAction* action : window_->findChildren<QAction*>())
        if (action->text() == QStringLiteral("&Credible regions")) {
            action->trigger();
            QVERIFY(!window_->skyView()->decorations().contours());
            action->trigger();
            QVERIFY(window_->skyView()->decorations().contours());
            return;
        }
    QFAIL("no such command");
}

// User-defined color tables in their usual formats, saved with the session.
void TestLiveTools::colorsOfOnesOwn() {
    const auto write = [this](const char* text) {
        const QString path = inFolder(QStringLiteral("colors.txt"));
        QFile file(path);
        file.open(QIODevice::WriteOnly);
        file.write(text);
        return path;
    };
    const QString wanted = QStringLiteral("#000000,#ff8000,#ffffff");
    for (const char* text :
         {"0 0 0\n255 128 0\n255 255 255\n", "r,g,b\n0,0,0\n1,0.502,0\n1,1,1\n",
          "# mine\n#000000\n#FF8000\n#ffffff\n", "0;0;0;255\n\n255;128;0;255\n255;255;255;255\n"})
        QCOMPARE(colorsOfFile(write(text)), wanted);
    QVERIFY_EXCEPTION_THROWN(colorsOfFile(write("0 0 0\n")), InvalidArgument);
    QVERIFY_EXCEPTION_THROWN(colorsOfFile(write("0 0 0\n1 2 300\n")), InvalidArgument);
    QVERIFY_EXCEPTION_THROWN(colorsOfFile(inFolder(QStringLiteral("none"))), IoError);
    QVERIFY(isColorMap("viridis") && isColorMap(wanted.toStdString()));
    for (const char* wrong : {"", "#000000", "#000000,", "#000000,#ff80", "#00000g,#ffffff"})
        QVERIFY2(!isColorMap(wrong), wrong);
    const ColorTable table = colorTable(wanted.toStdString(), false);
    QVERIFY(table[0] == (Rgba{0, 0, 0, 255}) && table[255] == (Rgba{255, 255, 255, 255}));
    QVERIFY(table[64] == (Rgba{128, 64, 0, 255}));
    window_->session().files().openSampleSky(16);
    QTRY_VERIFY_WITH_TIMEOUT(window_->session().document().view().shown().entry.isValid(),
                             kPatience);
    waitUntilIdle();
    window_->panels().color()->setColorFile(write("0 0 0\n255 128 0\n255 255 255\n"));
    Document& document = window_->session().document();
    QCOMPARE(document.drawings().colorScale(document.view().shown()).colorMap,
             wanted.toStdString());
    Document other;
    restoreDocument(other, jsonWriter(document)());
    QCOMPARE(other.drawings().colorScale(document.view().shown()).colorMap, wanted.toStdString());
}

void TestLiveTools::tipsLeaveTheirControlInView() {
    auto* tool = open<GridPanel>(QStringLiteral("grid"));
    QTRY_VERIFY_WITH_TIMEOUT(tool->fitButton()->isVisible(), kPatience);
    int seen = 0;
    std::vector<QWidget*> controls{tool->fitButton(), tool->live()->toggle()};
    for (QAction* action : window_->panels().rail()->toolActions())
        controls.push_back(window_->panels().rail()->widgetForAction(action));
    for (QWidget* control : controls) {
        if (!control || !control->isVisible() || control->toolTip().isEmpty()) continue;
        const QPoint middle = control->rect().center();
        QHelpEvent ask(QEvent::ToolTip, middle, control->mapToGlobal(middle));
        QApplication::sendEvent(control, &ask);
        const QRect covered(control->mapToGlobal(QPoint()), control->size());
        for (QWidget* tip : QApplication::topLevelWidgets()) {
            if (!tip->inherits("QTipLabel") || !tip->isVisible()) continue;
            ++seen;
            QVERIFY2(!tip->geometry().intersects(covered), qPrintable(control->toolTip()));
        }
        QToolTip::hideText();
    }
    QVERIFY(seen >= 3);
}

QTEST_MAIN(TestLiveTools)
#include "tst_live_tools.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The Spectrum tool in the window: theory, residuals, another spectrum, polarization, sessions.
// ARMILLA_SHOTS=FOLDER: screenshots.
#include <qcustomplot.h>

#include <QComboBox>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QUndoStack>
#include <random>

#include "armilla/session/exporter.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "panels/message_bar.h"
#include "panels/spectrum_panel.h"
#include "panels/spectrum_reference.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "support/real_data.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestSpectrumTool : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }
    void cleanup() { closeWindow(); }
    void wmapBesideATheory();
    void aFileIsAskedAbout();
    void twoMapsAreCompared();
    void choicesComeBack();
    void aWrongMaskIsForgotten();
    void everyFieldOfAMaskFile();

private:
    SpectrumPanel* openTool() {
        auto* panel = window_->findChild<SpectrumPanel*>();
        auto* dock = window_->findChild<ToolDock*>(QStringLiteral("spectrum"));
        if (panel && dock) window_->panels().rail()->open(dock);
        return panel;
    }
    template <typename Widget>
    Widget* named(SpectrumPanel* panel, const char* name) {
        for (Widget* each : panel->findChildren<Widget*>())
            if (each->accessibleName() == QLatin1String(name)) return each;
        return nullptr;
    }
    bool choose(SpectrumPanel* panel, const char* name, const QString& data) {
        auto* box = named<QComboBox>(panel, name);
        for (int i = 0; box && i < box->count(); ++i)
            if (box->itemData(i).toString() == data) {
                box->setCurrentIndex(i);
                emit box->activated(i);
                return true;
            }
        return false;
    }
    // The spectrum of the current settings is complete.
    bool isSettled(SpectrumPanel* panel) {
        return QTest::qWaitFor(
            [this, panel] {
                const auto& result = panel->result();
                return result && !result->preview && window_->session().jobs().isIdle() &&
                       panel->copyButton()->isEnabled();
            },
            kPatience);
    }
    // White noise in T, Q and U; `level`: its deviation.
    QString writeNoise(const QString& name, unsigned seed, float level) {
        std::mt19937 random(seed);
        std::normal_distribution<float> normal(0.0F, level);
        std::vector<Field> fields;
        for (const char* field : {"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"}) {
            std::vector<float> values(static_cast<size_t>(pixelCount(64)));
            for (float& value : values) value = normal(random);
            fields.push_back({field, "uK", DiskType::Float32, std::move(values)});
        }
        JobContext job;
        writeMap(HealpixMap(64, Ordering::Ring, Frame::Galactic, std::move(fields)),
                 inFolder(name).toStdString(), {}, job);
        return inFolder(name);
    }
    QString writeText(const QString& name, const QByteArray& head, int first, double value) {
        QFile file(inFolder(name));
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(head);
        for (int l = first; l < 100; ++l)
            file.write(QStringLiteral("%1 %2\n").arg(l).arg(value).toLatin1());
        return inFolder(name);
    }
};

// A CMB astronomer's first look: mask, bins, errors, theory, chi squared, E modes. The value of chi
// squared is that of numpy in tst_spectrum_comparison.
void TestSpectrumTool::wmapBesideATheory() {
    const auto folder = realDataFolder();
    if (!folder) QSKIP("without real data");
    openWindow({1440, 900});
    const QString wmap = *folder + QStringLiteral("/healpy_wmap/");
    window_->openFiles(
        {wmap + QStringLiteral("wmap_temperature_analysis_mask_r9_7yr_v4_udgraded32.fits")});
    waitUntilIdle();
    window_->openFiles({wmap + QStringLiteral("wmap_band_iqumap_r9_7yr_W_v4_udgraded32.fits")});
    waitUntilIdle();
    Session& session = window_->session();
    Document& document = session.document();
    const LayerId mask = document.entries()[0].id, map = document.entries()[1].id;
    for (const LayerId layer : {map, mask}) {
        session.operations().stateFrame(layer, Frame::Galactic);
        waitUntilIdle();
    }
    document.view().setShown({map, 0});
    SpectrumPanel* panel = openTool();
    QVERIFY(panel);
    QVERIFY(isSettled(panel));
    shot(QStringLiteral("spectrum-1-map"));
    panel->setMaskEntry(mask);
    QVERIFY(choose(panel, "Remove", QStringLiteral("dipole")));
    QVERIFY(choose(panel, "Bins", QStringLiteral("5")));
    QVERIFY(choose(panel, "Errors", QStringLiteral("gaussian")));
    panel->findChild<QSpinBox*>()->setValue(64);
    for (auto* check : panel->findChildren<QCheckBox*>())
        if (check->text() == QLatin1String("Decouple")) check->setChecked(true);
    QVERIFY2(QTest::qWaitFor([&] { return panel->result() && panel->result()->bands; }, kPatience),
             qPrintable(window_->messages()->lines().join('\n')));
    QVERIFY(isSettled(panel));
    panel->reference()->openTheory(*folder +
                                   QStringLiteral("/healpix_f90/planck2018_lcdm_cl_v3.fits"));
    QTRY_VERIFY_WITH_TIMEOUT(panel->reference()->theory(), kPatience);
    waitUntilIdle();
    QCOMPARE(document.view().shown().entry, map);  // the map stays in the picture
    // The map states no unit: the panel asks for it.
    auto* unit = named<QComboBox>(panel, "Unit that the file does not state");
    QVERIFY(unit && unit->isVisible());
    QVERIFY2(panel->remark().contains(QStringLiteral("states no unit")),
             qPrintable(panel->remark()));
    shot(QStringLiteral("spectrum-2-question"));
    QVERIFY(choose(panel, "Unit that the file does not state", QStringLiteral("mK_CMB^2")));
    QVERIFY2(panel->remark().contains(QStringLiteral("χ² = 22.0 for 12 bins, p = 0.0")),
             qPrintable(panel->remark()));
    SpectrumPlot* plot = panel->plot();
    QVERIFY(plot->showsResiduals());
    QCOMPARE(plot->residualCount(0), 12);
    // From l = 2 to the last multipole of the last bin.
    QCOMPARE(plot->theoryPointCount(), 60);
    shot(QStringLiteral("spectrum-3-theory"));
    // Both plots have one axis of multipoles.
    plot->multipoleAxis(true)->setRange(5.0, 30.0);
    QCOMPARE(plot->multipoleAxis(false)->range().upper, 30.0);
    plot->multipoleAxis(false)->setRange(2.0, 64.0);
    QCOMPARE(plot->multipoleAxis(true)->range().upper, 64.0);
    // E modes: the same settings, another row of the theory.
    QVERIFY(choose(panel, "Spectrum", QString::number(static_cast<int>(SpectrumKind::EE))));
    QTRY_COMPARE_WITH_TIMEOUT(plot->residualCount(0), 12, kPatience);
    QVERIFY(isSettled(panel));
    QVERIFY(plot->theoryPointCount() > 0);
    QVERIFY(panel->remark().contains(QStringLiteral("χ² = ")));
    shot(QStringLiteral("spectrum-4-ee"));
    QVERIFY(choose(panel, "Spectrum", QString::number(static_cast<int>(SpectrumKind::TE))));
    QTRY_VERIFY_WITH_TIMEOUT(!plot->axes().logarithmicC && plot->pointCount(0) == 12, kPatience);
    QVERIFY(isSettled(panel));
    shot(QStringLiteral("spectrum-5-te"));
    const QString command =
        session.exporter().commandForSpectrum(*panel->result(), QStringLiteral("cl.fits"));
    QVERIFY2(command.contains(QStringLiteral("--polarization")), qPrintable(command));
    // Every l of a masked sky: the theory has the level that the mask leaves.
    QVERIFY(choose(panel, "Spectrum", QString::number(static_cast<int>(SpectrumKind::TT))));
    for (auto* check : panel->findChildren<QCheckBox*>())
        if (check->text() == QLatin1String("Decouple")) check->setChecked(false);
    QVERIFY(choose(panel, "Bins", QString()));
    QTRY_VERIFY_WITH_TIMEOUT(panel->result() && !panel->result()->bands, kPatience);
    QVERIFY(isSettled(panel));
    QVERIFY2(panel->remark().contains(QStringLiteral("Theory × 0.6")), qPrintable(panel->remark()));
    shot(QStringLiteral("spectrum-6-every-l"));
}

// A text without names is opened after an answer, and then is the theory. It is remembered.
void TestSpectrumTool::aFileIsAskedAbout() {
    openWindow();
    window_->openFiles({writeNoise(QStringLiteral("t.fits"), 1, 1.0F)});
    waitUntilIdle();
    SpectrumPanel* panel = openTool();
    QVERIFY(panel && isSettled(panel));
    const QString path = writeText(QStringLiteral("theory.dat"), "", 2, 5.0);
    QSignalSpy asked(&window_->session().files(), &FileOpener::fileFactNeeded);
    panel->reference()->openTheory(path);
    QTRY_COMPARE_WITH_TIMEOUT(asked.count(), 1, kPatience);
    QVERIFY(!panel->reference()->theory());
    StatedFile facts;
    facts.columns = QStringList{QStringLiteral("L"), QStringLiteral("TT")};
    facts.isDl = true;
    window_->session().files().openStated(path, facts);
    QTRY_VERIFY_WITH_TIMEOUT(panel->reference()->theory(), kPatience);
    QCOMPARE(panel->reference()->recent().front(), path);
    QTRY_VERIFY_WITH_TIMEOUT(panel->plot()->theoryPointCount() > 90, kPatience);
    QVERIFY(panel->plot()->showsResiduals());
    // The file states no unit; as (dT / T)^2 it is 2.7255e6^2 times larger in the map's uK^2.
    const auto line = [&] { return panel->plot()->multipoleAxis(false); };
    QVERIFY(line());
    QVERIFY2(panel->remark().contains(QStringLiteral("theory's file states no unit")),
             qPrintable(panel->remark()));
    QVERIFY(
        choose(panel, "Unit that the file does not state", QString::fromLatin1(kTemperatureRatio)));
    QVERIFY(!panel->remark().contains(QStringLiteral("states no unit")));
    // A map is no theory.
    panel->reference()->chooseTheory(LayerId());
    QVERIFY(!panel->plot()->showsResiduals());
    panel->reference()->openTheory(writeNoise(QStringLiteral("other.fits"), 2, 1.0F));
    QTRY_VERIFY_WITH_TIMEOUT(panel->remark().contains(QStringLiteral("is no spectrum")), kPatience);
}

// Another map with the same settings, and then the exported spectrum of the map itself.
void TestSpectrumTool::twoMapsAreCompared() {
    openWindow();
    window_->openFiles({writeNoise(QStringLiteral("a.fits"), 1, 1.0F)});
    waitUntilIdle();
    window_->openFiles({writeNoise(QStringLiteral("b.fits"), 1, 2.0F)});
    waitUntilIdle();
    Document& document = window_->session().document();
    const LayerId a = document.entries()[0].id, b = document.entries()[1].id;
    document.view().setShown({a, 0});
    SpectrumPanel* panel = openTool();
    QVERIFY(panel && isSettled(panel));
    QVERIFY(choose(panel, "Bins", QStringLiteral("10")));
    QTRY_VERIFY_WITH_TIMEOUT(panel->result() && panel->result()->bands, kPatience);
    QVERIFY(isSettled(panel));
    panel->reference()->chooseOther(b);
    SpectrumPlot* plot = panel->plot();
    // Twice the same noise has four times the power at every l: the residual is 1/4 - 1.
    QTRY_VERIFY_WITH_TIMEOUT(plot->residualCount(0) > 5 && plot->pointCount(2) > 5, kPatience);
    waitUntilIdle();
    QCOMPARE(plot->pointCount(2), plot->pointCount(0));
    shot(QStringLiteral("spectrum-7-compared"));
    // The other spectrum follows the settings.
    QVERIFY(choose(panel, "Bins", QStringLiteral("20")));
    const int before = plot->pointCount(2);
    QTRY_VERIFY_WITH_TIMEOUT(plot->pointCount(2) < before, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(plot->pointCount(2), plot->pointCount(0), kPatience);
    QVERIFY(isSettled(panel));
    const QString kept = inFolder(QStringLiteral("kept.fits"));
    window_->session().exporter().exportSpectrum(*panel->result(), kept, false);
    waitUntilIdle();
    window_->openFiles({kept});
    waitUntilIdle();
    const Layer& file = document.entries().back();
    QVERIFY2(file.curve && holdsSpectra(*file.curve), qPrintable(file.name));
    panel->reference()->chooseOther(file.id);
    QTRY_VERIFY_WITH_TIMEOUT(plot->showsResiduals(), kPatience);
    const auto powers = powersOf(*file.curve, SpectrumKind::TT);
    const auto own = powersOf(*panel->result(), SpectrumKind::TT);
    QVERIFY(powers && own);
    QCOMPARE(powers->isDl, own->isDl);
    // The file holds the values as doubles.
    for (size_t i = 0; i < own->values.size(); ++i) QCOMPARE(powers->values[i], own->values[i]);
}

// Mask, bins, theory and axes return with the session.
void TestSpectrumTool::choicesComeBack() {
    openWindow();
    window_->openFiles({writeNoise(QStringLiteral("t.fits"), 1, 1.0F)});
    waitUntilIdle();
    SpectrumPanel* panel = openTool();
    QVERIFY(panel && isSettled(panel));
    named<QSlider>(panel, "Cut in Galactic latitude")->setValue(25);
    named<QSlider>(panel, "Apodization")->setValue(40);  // 20 degrees
    QVERIFY(choose(panel, "Bins", QStringLiteral("10")));
    QVERIFY(choose(panel, "Spectrum", QString::number(static_cast<int>(SpectrumKind::BB))));
    QVERIFY(choose(panel, "Purify", QStringLiteral("b")));
    const QString path = writeText(QStringLiteral("cl.txt"), "# C_l in uK^2\n# L TT\n", 0, 1e-3);
    panel->reference()->openTheory(path);
    QTRY_VERIFY_WITH_TIMEOUT(panel->reference()->theory(), kPatience);
    waitUntilIdle();
    QTRY_VERIFY_WITH_TIMEOUT(panel->remark().contains(QStringLiteral("has no such spectrum")),
                             kPatience);
    const SpectrumSettings settings = panel->settings();
    const QString saved = inFolder(QStringLiteral("s.armilla"));
    window_->session().project().saveSession(saved);
    waitUntilIdle();
    named<QSlider>(panel, "Cut in Galactic latitude")->setValue(0);
    QVERIFY(choose(panel, "Bins", QString()));
    panel->reference()->chooseTheory(LayerId());
    QVERIFY(panel->settings() != settings);
    window_->session().project().loadSession(saved);
    waitUntilIdle();
    QTRY_VERIFY_WITH_TIMEOUT(panel->settings() == settings, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(panel->reference()->theory(), kPatience);
    QVERIFY(panel->kind() == SpectrumKind::BB);
    // The person has changed nothing since the file was opened.
    const QUndoStack& steps = *window_->session().document().history().stack();
    for (int i = 0; i < steps.count(); ++i)
        QVERIFY2(!steps.text(i).startsWith(QLatin1String("Spectrum")), qPrintable(steps.text(i)));
    QVERIFY2(QTest::qWaitFor([&] { return panel->result() && panel->result()->bands; }, kPatience),
             qPrintable(window_->messages()->lines().join('\n')));
    shot(QStringLiteral("spectrum-8-restored"));
    // The theory has no B modes, which the panel says.
    QTRY_VERIFY_WITH_TIMEOUT(panel->remark().contains(QStringLiteral("has no such spectrum")),
                             kPatience);
}

// Masks come first in the choice, and the message about a map that is none goes with its cause.
void TestSpectrumTool::aWrongMaskIsForgotten() {
    openWindow({1440, 900});
    std::vector<float> half(static_cast<size_t>(pixelCount(64)), 0.0F);
    std::fill(half.begin(), half.begin() + static_cast<std::ptrdiff_t>(half.size() / 2), 1.0F);
    JobContext job;
    writeMap(HealpixMap(64, Ordering::Ring, Frame::Galactic,
                        {{"MASK", "", DiskType::Float32, std::move(half)}}),
             inFolder(QStringLiteral("half.fits")).toStdString(), {}, job);
    window_->openFiles({writeNoise(QStringLiteral("noise.fits"), 4, 1.0F)});
    waitUntilIdle();
    window_->openFiles({inFolder(QStringLiteral("half.fits"))});
    waitUntilIdle();
    Document& document = window_->session().document();
    const LayerId noise = document.entries()[0].id, mask = document.entries()[1].id;
    document.view().setShown({noise, 0});
    SpectrumPanel* panel = openTool();
    QVERIFY(isSettled(panel));
    const auto* masks = named<QComboBox>(panel, "Mask of the spectrum");
    QVERIFY(masks);
    QCOMPARE(masks->itemData(1).toList().front().value<LayerId>(), mask);
    QCOMPARE(masks->itemData(2).toList().front().value<LayerId>(), noise);
    panel->setMaskEntry(noise);
    const auto complaints = [this] {
        return window_->messages()->lines().filter(QStringLiteral("expected a mask")).size();
    };
    QTRY_COMPARE_WITH_TIMEOUT(complaints(), 1, kPatience);
    panel->setMaskEntry(mask);
    QTRY_COMPARE_WITH_TIMEOUT(complaints(), 0, kPatience);
    QVERIFY(isSettled(panel));
    const auto* dock = window_->findChild<ToolDock*>(QStringLiteral("spectrum"));
    QCOMPARE(dock->status(), QStringLiteral("50.0 % of the sky"));
}

// Every field of a file of masks is offered. The spectrum outside the second field is that of a
// file with this field alone, and the command names the field.
void TestSpectrumTool::everyFieldOfAMaskFile() {
    openWindow({1440, 900});
    const auto part = [](double share) {
        std::vector<float> weights(static_cast<size_t>(pixelCount(64)), 0.0F);
        std::fill_n(weights.begin(),
                    static_cast<size_t>(share * static_cast<double>(weights.size())), 1.0F);
        return weights;
    };
    const auto write = [&](const char* name, std::vector<Field> fields) {
        JobContext job;
        writeMap(HealpixMap(64, Ordering::Ring, Frame::Galactic, std::move(fields)),
                 inFolder(QString::fromLatin1(name)).toStdString(), {}, job);
    };
    write("masks.fits", {{"GAL020", "", DiskType::Float32, part(0.25)},
                         {"GAL060", "", DiskType::Float32, part(0.75)}});
    write("alone.fits", {{"GAL060", "", DiskType::Float32, part(0.75)}});
    // Pixels 6 and 7: the values are those of the listed pixels, not of pixels 0 and 1.
    JobContext job;
    writeMap(HealpixMap::partial(64, Ordering::Ring, Frame::Galactic, {6, 7},
                                 {{"HITS", "", DiskType::Float32, std::vector{3.0F, 5.0F}},
                                  {"GOOD", "", DiskType::Float32, std::vector{1.0F, 0.5F}}}),
             inFolder(QStringLiteral("part.fits")).toStdString(), {}, job);
    window_->openFiles({writeNoise(QStringLiteral("noise.fits"), 4, 1.0F)});
    waitUntilIdle();
    window_->openFiles({inFolder(QStringLiteral("masks.fits")),
                        inFolder(QStringLiteral("alone.fits")),
                        inFolder(QStringLiteral("part.fits"))});
    waitUntilIdle();
    Document& document = window_->session().document();
    document.view().setShown({document.entries()[0].id, 0});
    SpectrumPanel* panel = openTool();
    QVERIFY(isSettled(panel));
    auto* masks = named<QComboBox>(panel, "Mask of the spectrum");
    QVERIFY(masks);
    const auto outside = [&](const QString& mask) {
        const int index = masks->findText(mask);
        if (index < 0) return std::vector<double>();
        masks->setCurrentIndex(index);
        emit masks->activated(index);
        const LayerId layer = panel->settings().mask;
        const bool isReady = QTest::qWaitFor(
            [&] {
                const auto& result = panel->result();
                if (!result || result->preview || result->request.inputs.size() != 2) return false;
                const auto& given =
                    result->madeMask ? result->madeMask->inputs.front() : result->request.inputs[1];
                return given.layer == layer &&
                       given.fields == std::vector{panel->settings().maskField};
            },
            kPatience);
        return isReady ? panel->result()->cl : std::vector<double>();
    };
    QVERIFY(masks->findText(QStringLiteral("GOOD · part.fits")) >= 0);
    QVERIFY(masks->findText(QStringLiteral("HITS · part.fits")) < 0);
    const std::vector<double> second = outside(QStringLiteral("GAL060 · masks.fits"));
    QVERIFY(!second.empty());
    const QString command = window_->session().exporter().commandForSpectrum(
        *panel->result(), QStringLiteral("cl.fits"));
    QVERIFY2(command.startsWith(QStringLiteral("armilla mask ")) &&
                 command.contains(QStringLiteral("masks.fits")) &&
                 command.contains(QStringLiteral("--field 2")),
             qPrintable(command));
    QVERIFY(outside(QStringLiteral("GAL020 · masks.fits")) != second);
    const std::vector<double> alone = outside(QStringLiteral("alone.fits"));
    QCOMPARE(alone.size(), second.size());
    // The weights are equal; sums over the pixels may round differently.
    const double most = *std::max_element(alone.begin(), alone.end());
    for (size_t l = 0; l < alone.size(); ++l)
        QVERIFY2(std::abs(alone[l] - second[l]) <= 1e-12 * most,
                 qPrintable(QStringLiteral("%1: %2 %3").arg(l).arg(alone[l]).arg(second[l])));
}

QTEST_MAIN(TestSpectrumTool)
#include "tst_spectrum_tool.moc"

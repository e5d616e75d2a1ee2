// SPDX-License-Identifier: GPL-3.0-or-later
// The composer of figures: its preview is the picture of the saved file; presets; the command.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>
#include <QtTest>
#include <functional>

#include "armilla/session/exporter.h"
#include "armilla/session/operation_runner.h"
#include "dialogs/figure_composer.h"
#include "window/file_commands.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestFigureComposer : public QObject, private WindowBench {
    Q_OBJECT

private slots:
    void initTestCase() { prepareSettings(); }
    void init() {
        openWindow();
        window_->openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, false)});
        waitForPicture();
        window_->files().composeFigure();
        composer_ = window_->findChild<FigureComposer*>();
        QVERIFY(composer_);
    }
    void cleanup() {
        if (composer_) composer_->close();
        closeWindow();
    }

    // The preview is the page at another number of pixels: the shape is that of the saved file, and
    // text, color bar and sky have the same places.
    void previewIsTheFile();
    void settingsAreFollowed();
    void presetsAreKept();
    void commandStatesThePage();
    // Contours, markers with a legend, panels and the graticule of the composer are drawn, and the
    // command states them.
    void contentIsDrawn();
    // A preset sets all that it holds, without rounding, and keeps the graticule that is drawn.
    void presetsAreWhole();

private:
    void waitForPreview() {
        waitUntilIdle();
        QVERIFY(!composer_->picture().isNull());
    }
    template <typename Widget>
    Widget* named(const QString& label) const {
        for (auto* each : composer_->findChildren<QLabel*>())
            if (each->buddy() && each->text().remove(u'&') == label)
                if (auto* widget = qobject_cast<Widget*>(each->buddy())) return widget;
        return nullptr;
    }
    // The preview after a change, which is another picture than before.
    void expectOtherPicture(const std::function<void()>& change) {
        waitForPreview();
        const QImage before = composer_->picture().copy();
        change();
        waitForPreview();
        const auto* note = composer_->findChild<QLabel*>(QStringLiteral("note"));
        QCOMPARE(note->text(), QString());
        QVERIFY(composer_->picture() != before);
    }
    QString copiedCommand() {
        QSignalSpy copied(composer_, &FigureComposer::commandCopied);
        button(QStringLiteral("Copy as command"))->click();
        return copied.count() == 1 ? copied[0][0].toString() : QString();
    }
    void grab(const QString& name) {
        if (const QString folder = qEnvironmentVariable("ARMILLA_SHOTS"); !folder.isEmpty())
            composer_->grab().save(folder + QLatin1Char('/') + name);
    }
    QPushButton* button(const QString& text) const {
        for (auto* each : composer_->findChildren<QPushButton*>())
            if (each->text().remove(u'&') == text) return each;
        return nullptr;
    }
    QPointer<FigureComposer> composer_;
};

void TestFigureComposer::previewIsTheFile() {
    waitForPreview();
    const QImage preview = composer_->picture().copy();
    FigureSetup setup = composer_->setup();
    // The number of pixels of the preview.
    setup.options.dpi = preview.width() / (*setup.options.width / kMillimetersPerInch);
    const QString path = inFolder(QStringLiteral("figure.png"));
    window_->session().exporter().exportFigure(path, setup, true);
    waitUntilIdle();
    const QImage saved(path);
    QVERIFY(!saved.isNull());
    QCOMPARE(saved.size(), preview.size());
    // The resolution of the preview is that of the exported page within rounding of a pixel.
    int different = 0;
    for (int y = 0; y < saved.height(); ++y)
        for (int x = 0; x < saved.width(); ++x)
            different += std::abs(qGray(saved.pixel(x, y)) - qGray(preview.pixel(x, y))) > 8;
    QVERIFY2(different < saved.width() * saved.height() / 100,
             qPrintable(QString::number(different)));
    shot(QStringLiteral("figure-composer"));
    if (const QString folder = qEnvironmentVariable("ARMILLA_SHOTS"); !folder.isEmpty())
        composer_->grab().save(folder + QStringLiteral("/composer.png"));
}

void TestFigureComposer::settingsAreFollowed() {
    waitForPreview();
    const QImage before = composer_->picture().copy();
    auto* title = named<QLineEdit>(QStringLiteral("Title"));
    auto* background = named<QComboBox>(QStringLiteral("Background"));
    QVERIFY(title && background);
    title->setText(QStringLiteral("A sky"));
    waitForPreview();
    // The page is as tall as its content, so a title makes it taller. The disabled height says so.
    QVERIFY(composer_->picture().height() * before.width() >
            before.height() * composer_->picture().width());
    const QSize page = composer_->picture().size();
    const auto* millimeters = named<QDoubleSpinBox>(QStringLiteral("Height"));
    QVERIFY(millimeters && !millimeters->isEnabled());
    // Within a tenth of a millimeter and half a pixel of the preview.
    QVERIFY(std::abs(millimeters->value() - kFigureColumn * page.height() / page.width()) <=
            0.05 + 0.5 * kFigureColumn / page.width());
    // An inset is drawn where its text is a position.
    auto* inset = named<QLineEdit>(QStringLiteral("Inset"));
    QVERIFY(inset);
    const QImage plain = composer_->picture().copy();
    auto* note = composer_->findChild<QLabel*>(QStringLiteral("note"));
    QVERIFY(note);
    inset->setText(QStringLiteral("somewhere"));
    QVERIFY(!composer_->setup().inset);
    waitForPreview();
    // The note names the text, and no file leaves it out.
    QVERIFY2(note->text().contains(QStringLiteral("somewhere")), qPrintable(note->text()));
    QSignalSpy copied(composer_, &FigureComposer::commandCopied);
    button(QStringLiteral("Copy as command"))->click();
    QCOMPARE(copied.count(), 0);
    inset->setText(QStringLiteral("114.6, 57.3"));
    waitForPreview();
    QVERIFY(composer_->setup().inset);
    QVERIFY(composer_->picture() != plain);
    QCOMPARE(note->text(), QString());
    background->setCurrentIndex(background->findText(QStringLiteral("transparent")));
    waitForPreview();
    QCOMPARE(qAlpha(composer_->picture().pixel(0, 0)), 0);
    // Settings that no page can have leave the last good picture.
    const QImage good = composer_->picture().copy();
    auto* height = named<QDoubleSpinBox>(QStringLiteral("Height"));
    for (auto* each : composer_->findChildren<QCheckBox*>())
        if (each->text().startsWith(QStringLiteral("as tall"))) each->setChecked(false);
    QVERIFY(height && height->isEnabled());
    height->setValue(10.0);
    waitUntilIdle();
    QVERIFY(!note->text().isEmpty());
    QCOMPARE(composer_->picture(), good);
}

void TestFigureComposer::presetsAreKept() {
    waitForPreview();
    auto* bar = named<QComboBox>(QStringLiteral("Color bar"));
    auto* size = named<QComboBox>(QStringLiteral("Size"));
    QVERIFY(bar && size);
    bar->setCurrentIndex(1);
    size->setCurrentIndex(1);
    emit size->activated(1);
    QComboBox* preset = nullptr;
    for (auto* each : composer_->findChildren<QComboBox*>())
        if (each->accessibleName() == QStringLiteral("Preset")) preset = each;
    QVERIFY(preset);
    preset->setCurrentText(QStringLiteral("paper"));
    button(QStringLiteral("Keep"))->click();
    bar->setCurrentIndex(0);
    size->setCurrentIndex(0);
    emit size->activated(0);
    QCOMPARE(*composer_->setup().options.width, 88.0);
    preset->setCurrentIndex(preset->findText(QStringLiteral("paper")));
    emit preset->activated(preset->currentIndex());
    QCOMPARE(*composer_->setup().options.width, 180.0);
    QVERIFY(composer_->setup().options.look.bar == BarPlace::Right);
    // A typed name of a kept preset is not its choice: Keep stores the present values.
    preset->setCurrentText(QStringLiteral("second"));
    button(QStringLiteral("Keep"))->click();
    bar->setCurrentIndex(0);
    preset->lineEdit()->selectAll();
    preset->setFocus();
    QTest::keyClicks(preset, QStringLiteral("paper"));
    button(QStringLiteral("Keep"))->setFocus();
    QVERIFY(composer_->setup().options.look.bar == BarPlace::Below);
    button(QStringLiteral("Keep"))->click();
    QVERIFY(composer_->setup().options.look.bar == BarPlace::Below);
}

void TestFigureComposer::commandStatesThePage() {
    waitForPreview();
    QSignalSpy copied(composer_, &FigureComposer::commandCopied);
    button(QStringLiteral("Copy as command"))->click();
    QCOMPARE(copied.count(), 1);
    const QString command = copied[0][0].toString();
    for (const char* word : {"armilla render ", " --width 88mm", " --crop", " --text-size 7"})
        QVERIFY2(command.contains(QLatin1String(word)), qPrintable(command));
    QVERIFY2(!command.contains(QStringLiteral("--size")), qPrintable(command));
}

void TestFigureComposer::contentIsDrawn() {
    waitForPreview();
    const QString csv = inFolder(QStringLiteral("stars.csv"));
    {
        QFile file(csv);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("GLON,GLAT\n10.5,20.25\n83.5,-5.5\n210,40\n");
    }
    const LayerId shown = window_->session().document().view().shown().entry;
    const QString wide =
        QStringLiteral("a_name_that_is_much_wider_than_the_list_of_the_panels_of_the_other.fits");
    window_->openFiles({csv, writeFile(wide, 16, false, false)});
    waitUntilIdle();
    window_->session().document().view().setShown({shown, 0});
    waitForPreview();
    auto* markers = named<QComboBox>(QStringLiteral("Markers"));
    auto* legend = named<QLineEdit>(QStringLiteral("Legend"));
    auto* contours = named<QLineEdit>(QStringLiteral("Contours"));
    auto* graticule = named<QComboBox>(QStringLiteral("Graticule"));
    auto* panels = composer_->findChild<QListWidget*>();
    auto* titles = named<QLineEdit>(QStringLiteral("Titles"));
    QVERIFY(markers && legend && contours && graticule && panels && titles);
    QVERIFY(!legend->isEnabled());
    for (const Layer& layer : window_->session().document().entries())
        if (layer.catalog && layer.catalog->frame() == Frame::Unknown)
            window_->session().operations().stateFrame(layer.id, Frame::Galactic);
    waitUntilIdle();
    QCOMPARE(markers->count(), 2);
    expectOtherPicture([&] {
        markers->setCurrentIndex(1);
        emit markers->activated(1);
    });
    QVERIFY(legend->isEnabled());
    QCOMPARE(legend->text(), QStringLiteral("stars"));
    expectOtherPicture([&] { contours->setText(QStringLiteral("5, 2×10¹")); });
    const std::vector<std::string> words{"5", "20"};
    QCOMPARE(composer_->setup().options.contours, words);
    expectOtherPicture(
        [&] { graticule->setCurrentIndex(graticule->findText(QStringLiteral("60°"))); });
    auto* tabs = composer_->findChild<QTabWidget*>();
    QVERIFY(tabs);
    tabs->setCurrentIndex(2);
    grab(QStringLiteral("composer-sky.png"));
    QVERIFY(panels->count() >= 1);
    QListWidgetItem* other = nullptr;
    for (int row = 0; row < panels->count(); ++row)
        if (panels->item(row)->text().contains(QStringLiteral("other")) &&
            (panels->item(row)->flags() & Qt::ItemIsEnabled))
            other = panels->item(row);
    QVERIFY(other);
    QVERIFY(!titles->isEnabled());
    expectOtherPicture([&] { other->setCheckState(Qt::Checked); });
    expectOtherPicture([&] { titles->setText(QStringLiteral("One, Two")); });
    tabs->setCurrentIndex(3);
    grab(QStringLiteral("composer-panels.png"));
    // Its name is elided, not cut off by the edge of the list.
    QVERIFY(panels->fontMetrics().horizontalAdvance(wide) > panels->viewport()->width());
    QVERIFY(panels->visualItemRect(other).width() <= panels->viewport()->width());
    const QString command = copiedCommand();
    for (const char* word :
         {" --panels ", "other.fits#", " --panel-titles One,Two", " --contours 5,20",
          " --graticule 60deg", " --legend stars", " --catalog "})
        QVERIFY2(command.contains(QLatin1String(word)), qPrintable(command));
    // Texts that cannot be read are named, and no command leaves them out.
    contours->setText(QStringLiteral("high"));
    waitForPreview();
    QCOMPARE(copiedCommand(), QString());
    contours->clear();
    titles->setText(QStringLiteral("One, Two, Three"));
    waitForPreview();
    QCOMPARE(copiedCommand(), QString());
}

void TestFigureComposer::presetsAreWhole() {
    waitForPreview();
    auto* preset = composer_->findChild<QComboBox*>(QStringLiteral("preset"));
    auto* graticule = named<QComboBox>(QStringLiteral("Graticule"));
    QVERIFY(preset && graticule);
    // Ten dots an inch, which no journal wants, and a width of hundredths are as the preset has
    // them; a font that is not installed is named.
    const auto use = [&](const QString& text) {
        QSettings().setValue(QStringLiteral("figure/presets/own"), text);
        preset->setCurrentText(QStringLiteral("own"));
        emit preset->activated(0);
        waitUntilIdle();
    };
    use(QStringLiteral(
        R"({"width":"88.25mm","dpi":"12.5","text-size":"7.25","graticule":"12.5deg",)"
        R"("contours":"1,90%","legend":"Sources","panel-columns":"3"})"));
    const FigureSetup setup = composer_->setup();
    QCOMPARE(*setup.options.width, 88.25);
    QCOMPARE(setup.options.dpi, 12.5);
    QCOMPARE(setup.options.look.textPoints, 7.25);
    QVERIFY(!setup.hasGraticuleOfView);
    QCOMPARE(setup.options.graticule, 12.5 * kDegree);
    const std::vector<std::string> words{"1", "90%"};
    QCOMPARE(setup.options.contours, words);
    QCOMPARE(setup.options.legend, std::string("Sources"));
    QCOMPARE(setup.options.columns, 3);
    use(QStringLiteral(R"({"width":"88mm","font":"No such font"})"));
    QCOMPARE(composer_->setup().options.look.family, std::string("No such font"));
    const auto* note = composer_->findChild<QLabel*>(QStringLiteral("note"));
    QVERIFY2(note->text().contains(QStringLiteral("No such font")), qPrintable(note->text()));
    // The graticule of the view is kept as its spacing.
    use(QStringLiteral(R"({"width":"88mm","dpi":"150"})"));
    QCOMPARE(composer_->setup().options.graticule, 0.0);
    window_->session().document().overlays().setGraticule(true, 20.0 * kDegree);
    graticule->setCurrentIndex(0);
    waitForPreview();
    preset->setCurrentText(QStringLiteral("kept"));
    button(QStringLiteral("Keep"))->click();
    const QString kept = QSettings().value(QStringLiteral("figure/presets/kept")).toString();
    QVERIFY2(kept.contains(QStringLiteral("20deg")), qPrintable(kept));
}

QTEST_MAIN(TestFigureComposer)
#include "tst_figure_composer.moc"

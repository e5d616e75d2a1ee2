// SPDX-License-Identifier: GPL-3.0-or-later
// Errors with a button that mends them: pressed by a test, each leads to what the user wanted.
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <algorithm>

#include "armilla/session/exporter.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/session.h"
#include "dialogs/file_dialog.h"
#include "panels/message_bar.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestRemedies : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        prepareSettings();
    }
    void init() { openWindow({1440, 900}); }
    void cleanup() { closeWindow(); }
    void anAbsentFileIsLocated();
    void aFileIsSavedElsewhere();
    void aValueIsAskedFor();
    void aFrameIsStated();

private:
    QPushButton* button(const QString& text) {
        const auto all = window_->messages()->findChildren<QPushButton*>();
        const auto found = std::find_if(all.begin(), all.end(), [&](const QPushButton* each) {
            return each->isVisible() && each->text() == text;
        });
        return found == all.end() ? nullptr : *found;
    }
    void choose(const QString& path) {
        auto* dialog = window_->findChild<FileDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        dialog->setDirectory(QFileInfo(path).absolutePath());
        dialog->selectFile(QFileInfo(path).fileName());
        dialog->accept();
    }
};

void TestRemedies::anAbsentFileIsLocated() {
    const QString there = writeFile(QStringLiteral("moved.fits"), 8, false, false);
    window_->openFiles({inFolder(QStringLiteral("before.fits"))});
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Locate…")) != nullptr, kPatience);
    QCOMPARE(window_->messages()->lines().size(), 1);
    shot(QStringLiteral("locate"));
    button(QStringLiteral("Locate…"))->click();
    shot(QStringLiteral("file-dialog"));
    choose(there);
    waitForPicture();
    waitUntilIdle();
    QVERIFY(window_->messages()->lines().isEmpty());
    QCOMPARE(window_->session().document().entries().front().name, QStringLiteral("moved.fits"));
}

void TestRemedies::aFileIsSavedElsewhere() {
    window_->openFiles({writeFile(QStringLiteral("sky.fits"), 8, false, false)});
    waitForPicture();
    waitUntilIdle();
    Session& session = window_->session();
    const LayerId layer = session.document().entries().front().id;
    // A folder that cannot be written to fails as a full disk does.
    session.exporter().exportLayer(layer, inFolder(QStringLiteral("absent/out.fits")), false);
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Save elsewhere…")) != nullptr, kPatience);
    button(QStringLiteral("Save elsewhere…"))->click();
    choose(inFolder(QStringLiteral("out.fits")));
    waitUntilIdle();
    QVERIFY(QFile::exists(inFolder(QStringLiteral("out.fits"))));
    // A packed file keeps its suffix, and a name without one gets that of the usual format.
    for (const QString& name : {QStringLiteral("packed.fits.gz"), QStringLiteral("plain")}) {
        session.exporter().exportLayer(layer, inFolder(QStringLiteral("absent/") + name), false);
        QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Save elsewhere…")) != nullptr, kPatience);
        button(QStringLiteral("Save elsewhere…"))->click();
        const bool isPacked = name.endsWith(QStringLiteral("gz"));
        auto* dialog = window_->findChild<FileDialog*>();
        QVERIFY(dialog);
        QVERIFY2(dialog->nameFilters().front().contains(isPacked ? QStringLiteral("(*.fits.gz)")
                                                                 : QStringLiteral("(*.fits ")),
                 qPrintable(dialog->nameFilters().front()));
        choose(inFolder(QStringLiteral("saved")));
        waitUntilIdle();
        const QString suffix = isPacked ? QStringLiteral("fits.gz") : QStringLiteral("fits");
        QVERIFY(QFile::exists(inFolder(QStringLiteral("saved.") + suffix)));
        QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<FileDialog*>() == nullptr, kPatience);
    }
    // An export that has nothing to write offers no other place.
    session.exporter().exportRegions(inFolder(QStringLiteral("none.reg")), false, false);
    QVERIFY(button(QStringLiteral("Save elsewhere…")) == nullptr);
}

// A conversion of temperature to intensity without a frequency.
void TestRemedies::aValueIsAskedFor() {
    const QString path = writeFile(QStringLiteral("kelvin.fits"), 8, false, false);
    window_->openFiles({path});
    waitForPicture();
    waitUntilIdle();
    Session& session = window_->session();
    const Operation* convert = findOperation("convert");
    OperationRequest request{convert, convert->defaults(), {}, {}};
    request.parameters.set("unit", "K_CMB");
    request.inputs.push_back(
        {QStringLiteral("MAP"), session.document().entries().front().id, {}, {}});
    session.operations().runOperation(request);
    waitUntilIdle();
    const auto inKelvin = session.document().entries().back().id;
    request.parameters.set("unit", "MJy/sr");
    request.inputs.front().layer = inKelvin;
    session.operations().runOperation(request);
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Run again")) != nullptr, kPatience);
    auto* field = window_->messages()->findChild<QLineEdit*>();
    QVERIFY(field);
    QVERIFY2(!window_->messages()->lines().back().contains(QLatin1String("--")),
             qPrintable(window_->messages()->lines().back()));
    shot(QStringLiteral("frequency"));
    field->setText(QStringLiteral("143GHz"));
    QTest::keyClick(field, Qt::Key_Return);
    waitUntilIdle();
    QCOMPARE(session.document().entries().size(), size_t{3});
    QCOMPARE(session.document().entries().back().map->field(0).unit, std::string("MJy/sr"));
    QVERIFY(button(QStringLiteral("Run again")) == nullptr);
}

// The error names the layer; the answer states the frame and repeats the export.
void TestRemedies::aFrameIsStated() {
    std::vector<Field> fields;
    fields.push_back({"T", "K", DiskType::Float32, std::vector<float>(768, 1.0F)});
    JobContext job;
    const QString path = inFolder(QStringLiteral("frameless.fits"));
    writeMap(HealpixMap(8, Ordering::Ring, Frame::Unknown, std::move(fields)), path.toStdString(),
             {}, job);
    window_->openFiles({path});
    waitForPicture();
    waitUntilIdle();
    window_->session().exporter().exportView(inFolder(QStringLiteral("view.fits")), 64, 32, false);
    QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Galactic")) != nullptr, kPatience);
    QVERIFY(window_->messages()->lines().back().contains(QLatin1String("frameless.fits")));
    button(QStringLiteral("Galactic"))->click();
    waitUntilIdle();
    QVERIFY(QFile::exists(inFolder(QStringLiteral("view.fits"))));
    QCOMPARE(window_->session().document().entries().front().map->frame(), Frame::Galactic);
}

QTEST_MAIN(TestRemedies)
#include "tst_remedies.moc"

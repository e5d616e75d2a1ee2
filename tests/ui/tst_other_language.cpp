// SPDX-License-Identifier: GPL-3.0-or-later
// The window in another language: rows of panels, names of inputs and titles of the history are
// translated; commands and files are not.
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTranslator>
#include <QUndoStack>
#include <algorithm>
#include <list>

#include "armilla/session/exporter.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/layer_links.h"
#include "armilla/session/operation_runner.h"
#include "models/maps_model.h"
#include "panels/operation_panel.h"
#include "support/qm_file.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestOtherLanguage : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase();
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }
    void panelsAreShownInIt();
    void historyIsShownInIt();

private:
    void speak(const QByteArray& context, const QHash<QByteArray, QString>& texts) {
        files_.push_back(qmFile(context, texts));
        auto* language = new QTranslator(this);
        QVERIFY(language->load(reinterpret_cast<const uchar*>(files_.back().constData()),
                               static_cast<int>(files_.back().size())));
        QCoreApplication::installTranslator(language);
    }
    std::list<QByteArray> files_;  // translators refer to these bytes
};

void TestOtherLanguage::initTestCase() {
    prepareSettings();
    speak("Table", {{"Map", "Karte"},
                    {"Randoms within", "Zufällige in"},
                    {"Convert", "Umrechnen"},
                    {"convert", "umrechnen"},
                    {"filter", "filtern"},
                    {"matched", "angepasst"},
                    {"snr", "Rauschabstand"},
                    {"auto", "selbst bestimmt"},
                    {"NSIDE", "Auflösung"}});
    speak("armilla::Document", {{"Make %1", "%1 gemacht"}, {"Open %1", "%1 geöffnet"}});
    speak("Recipe", {{"open %1", "aus Datei %1"}});
    speak("FormRows", {{"such as %1", "etwa %1"}});
}

// Labels of inputs and rows, placeholders and choices of every operation's panel.
void TestOtherLanguage::panelsAreShownInIt() {
    Session& session = window_->session();
    const auto texts = [&](const char* id) {
        OperationPanel panel(session, *findOperation(id));
        QStringList all;
        for (const auto* label : panel.findChildren<QLabel*>()) all << label->text();
        for (const auto* line : panel.findChildren<QLineEdit*>()) all << line->placeholderText();
        for (const auto* box : panel.findChildren<QComboBox*>()) {
            all << box->accessibleName();
            for (int i = 0; i < box->count(); ++i) all << box->itemText(i);
        }
        return all;
    };
    const QStringList convert = texts("convert"), correlate = texts("correlate"),
                      filter = texts("filter");
    QVERIFY2(convert.contains("Karte") && !convert.contains("Map"), qPrintable(convert.join("|")));
    QVERIFY2(convert.contains("Auflösung"), qPrintable(convert.join("|")));
    QVERIFY2(correlate.contains("Zufällige in"), qPrintable(correlate.join("|")));
    QVERIFY2(!filter.filter(QStringLiteral("etwa ")).isEmpty() &&
                 filter.filter(QStringLiteral("such as ")).isEmpty(),
             qPrintable(filter.join("|")));
    QVERIFY2(filter.contains("selbst bestimmt"), qPrintable(filter.join("|")));
    const auto actions = window_->findChildren<QAction*>();
    QVERIFY(std::any_of(actions.begin(), actions.end(),
                        [](const QAction* action) { return action->text() == "Umrechnen"; }));
}

void TestOtherLanguage::historyIsShownInIt() {
    Session& session = window_->session();
    Document& document = session.document();
    session.files().openFiles({writeFile(QStringLiteral("sky.fits"), 16, false, false)});
    waitForPicture();
    OperationRequest convert{
        findOperation("convert"), findOperation("convert")->defaults(), {}, {}};
    convert.parameters.set("nside", "8");
    convert.inputs.push_back({"MAP", document.view().shown().entry, {}, {}});
    session.operations().runOperation(convert);
    waitUntilIdle();
    QCOMPARE(document.history().stack()->undoText(), QString("umrechnen 8 · sky.fits gemacht"));
    const LayerId made = document.view().shown().entry;
    QCOMPARE(historyOf(document, made), (QStringList{"aus Datei sky.fits", "umrechnen 8"}));
    OperationRequest filter{findOperation("filter"), findOperation("filter")->defaults(), {}, {}};
    filter.parameters.set("fwhm", "10deg");
    filter.inputs.push_back({"MAP", made, {}, {}});
    filter.wanted.insert("snr");
    session.operations().runOperation(filter);
    waitUntilIdle();
    QStringList names;
    for (const Layer& layer : document.entries()) names << layer.name;
    const QString title = QStringLiteral("filtern angepasst 10°");
    QVERIFY2(names.contains(title + " · umrechnen 8 · sky.fits"), qPrintable(names.join("|")));
    QVERIFY2(names.contains("Rauschabstand · " + title + " · umrechnen 8 · sky.fits"),
             qPrintable(names.join("|")));
    // A session is readable in any language: the recipe uses the program's own words.
    const auto recipe = recipeOf(document, made);
    QVERIFY(recipe);
    QCOMPARE(recipe->title(), QString("convert 8"));
    QCOMPARE(recipe->record["operation"].toString(), QString("convert"));
    QVERIFY(
        session.exporter().commandForOperation(convert, "out.fits").startsWith("armilla convert "));
}

QTEST_MAIN(TestOtherLanguage)
#include "tst_other_language.moc"

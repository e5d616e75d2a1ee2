// SPDX-License-Identifier: GPL-3.0-or-later
// Panels made from descriptions: invariants of every operation, without a display.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTranslator>
#include <tuple>

#include "armilla/core/error.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/session.h"
#include "panels/form_rows.h"
#include "panels/operation_panel.h"
#include "panels/operation_rows.h"
#include "session/layer_samples.h"
#include "support/patience.h"
#include "support/qm_file.h"
#include "support/random_parameters.h"
#include "tools/tool_table.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kRandomSets = 20;

QString shownOf(const Parameter& row) {
    return QString::fromStdString(row.text(row.get()));
}

}  // namespace

class TestOperationPanels : public QObject {
    Q_OBJECT
private slots:
    void operationsHaveRows();
    void setEqualsGet();
    void problemsNameRows();
    void rowsBeginAtOneLine();
    void runTakesWhatIsTyped();
    void unitsSurviveInputs();
    void textsOfTablesAreTranslated();
    void imagesServeWhereMapsMay();
    void formsAreComposed();
    void foldedErrorsUnfold();
    void bareNumbersTakeTheUnitShown();
    void freshFormsBlameNobody();
    void errorsQuoteTypedText();
    void emptyLinesHaveExamples();
    void resetRestoresEverySetting();
};

// Every operation has a panel; the row shows a typed value, and Run uses it.
void TestOperationPanels::operationsHaveRows() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    for (const Operation& operation : allOperations()) {
        OperationPanel panel(session, operation);
        ParameterSet defaults = operation.defaults();
        for (const Parameter& parameter : defaults.rows()) {
            const QString name = textOf(parameter.name);
            QVERIFY2(panel.parameters().contains(name), qPrintable(name));
            const QString shown = panel.text(name);
            QCOMPARE(shown, QString::fromStdString(parameter.text(parameter.get())));
            if (shown.isEmpty()) continue;
            QVERIFY2(panel.setText(name, shown), qPrintable(name));
            QCOMPARE(panel.text(name), shown);
            QVERIFY(sameBits(panel.request().parameters.value(parameter.name), parameter.get()));
        }
        QVERIFY(operation.inputs.empty() || !panel.runButton()->isEnabled());
    }
    const Operation* smooth = findOperation("smooth");
    OperationPanel panel(session, *smooth);
    const LayerId id = session.document().addLayer(
        std::make_shared<const HealpixMap>(
            2, Ordering::Ring, Frame::Galactic,
            std::vector<Field>{{"T", "K", DiskType::Float32, std::vector<float>(48, 1.0F)}}),
        "flat", {});
    QVERIFY(!panel.runButton()->isEnabled());  // no width yet
    QVERIFY(!panel.setText("fwhm", "300deg"));
    QVERIFY(!panel.runButton()->isEnabled());
    QVERIFY(panel.setText("fwhm", QStringLiteral("60′")));
    QCOMPARE(panel.text("fwhm"), QString("60arcmin"));
    QVERIFY(panel.runButton()->isEnabled());
    QCOMPARE(panel.request().inputs.size(), size_t{1});
    QCOMPARE(panel.request().inputs[0].layer, id);
    panel.runButton()->click();
    QTRY_COMPARE_WITH_TIMEOUT(session.document().entries().size(), size_t{2}, kPatience);
}

// Random values within the ranges, typed into the rows: Run uses every bit, and so does the text of
// the rows.
void TestOperationPanels::setEqualsGet() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    std::mt19937_64 random(2026);
    for (const Operation& operation : allOperations()) {
        OperationPanel panel(session, operation);
        for (int i = 0; i < kRandomSets; ++i) {
            ParameterSet wanted = randomParameters(random, operation);
            const std::vector<Parameter> rows = wanted.rows();
            for (const Parameter& row : rows)
                QVERIFY2(panel.setText(textOf(row.name), shownOf(row)), row.name.data());
            const OperationRequest request = panel.request();
            for (const Parameter& row : rows) {
                const std::string name = std::string(operation.id) + " " + std::string(row.name);
                QVERIFY2(panel.text(textOf(row.name)) == shownOf(row), name.c_str());
                QVERIFY2(sameBits(request.parameters.value(row.name), row.get()), name.c_str());
            }
        }
    }
}

// A missing value is named by its row label, not by its option.
void TestOperationPanels::problemsNameRows() {
    const auto given = [](const char* id, std::initializer_list<const char*> inputs) {
        OperationRequest request{findOperation(id), findOperation(id)->defaults(), {}, {}};
        for (const char* slot : inputs)
            request.inputs.push_back({QString::fromLatin1(slot), LayerId(1), {}, {}});
        return request;
    };
    QCOMPARE(problemOf(given("filter", {"MAP"})),
             QStringLiteral("expected one of FWHM, Beam, found none"));
    QCOMPARE(problemOf(given("correlate", {"DATA"})).indexOf(QLatin1String("--")), -1);
    for (const Operation& operation : allOperations()) {
        OperationRequest request{&operation, operation.defaults(), {}, {}};
        for (const InputSlot& slot : operation.inputs)
            if (!slot.isOption) request.inputs.push_back({textOf(slot.name), LayerId(1), {}, {}});
        QVERIFY2(!problemOf(request).contains(QLatin1String("--")), qPrintable(problemOf(request)));
    }
}

// Inputs and parameters, with parts of a tool between them: all fields share one edge.
void TestOperationPanels::rowsBeginAtOneLine() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    for (const Operation& operation : allOperations()) {
        if (!runsOnLayers(operation)) continue;
        OperationPanel panel(session, operation);
        panel.resize(320, 900);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel, kPatience));
        QSet<int> edges;
        for (const QWidget* editor : panel.findChildren<QWidget*>())
            if (editor->parentWidget() == &panel && editor->isVisible() &&
                (qobject_cast<const QComboBox*>(editor) || qobject_cast<const QLineEdit*>(editor)))
                edges << editor->x();
        QVERIFY2(edges.size() <= 1, operation.id.data());
    }
}

// A width is typed and Run is pressed, without leaving the line first.
void TestOperationPanels::runTakesWhatIsTyped() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    OperationPanel panel(session, *findOperation("smooth"));
    session.document().addLayer(sampleLayer(LayerKind::Map), "map", {});
    QVERIFY(!panel.runButton()->isEnabled());
    QLineEdit* width = nullptr;
    for (QLineEdit* line : panel.findChildren<QLineEdit*>())
        if (line->accessibleName() == QLatin1String("FWHM")) width = line;
    QVERIFY(width);
    // An edit that is reverted changes nothing.
    QTest::keyClicks(width, QStringLiteral("3"));
    width->undo();
    QVERIFY(panel.runButton()->isEnabled());
    panel.runButton()->click();
    QVERIFY(!panel.runButton()->isEnabled());
    QVERIFY(session.jobs().isIdle());
    QTest::keyClicks(width, QStringLiteral("30 fur"));
    QVERIFY(panel.runButton()->isEnabled());
    panel.runButton()->click();
    QVERIFY(!panel.runButton()->isEnabled());  // with the reason
    QVERIFY(session.jobs().isIdle());
    width->selectAll();
    QTest::keyClicks(width, QStringLiteral("300'"));
    QSignalSpy run(&session.operations(), &OperationRunner::operationFinished);
    panel.runButton()->click();
    QCOMPARE(panel.text("fwhm"), QString("300arcmin"));
    QTRY_COMPARE_WITH_TIMEOUT(run.size(), 1, kPatience);
}

// A quantity is shown in its own unit, whatever unit was typed, and stays with another input.
void TestOperationPanels::unitsSurviveInputs() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    Document& document = session.document();
    for (const char* name : {"one", "two"})
        for (const LayerKind kind : kLayerKinds) document.addLayer(sampleLayer(kind), name, {});
    int quantities = 0, inputs = 0;
    for (const Operation& operation : allOperations()) {
        OperationPanel panel(session, operation);
        QHash<QString, QString> shown;
        ParameterSet defaults = operation.defaults();
        for (const Parameter& row : defaults.rows()) {
            if (row.kind != ParameterKind::Angle) continue;
            const std::string unit(row.facts.unit);
            const double value = parseAngle("1.5" + unit);
            if (value < row.facts.least || value > row.facts.most) continue;
            const char* other = unit == "arcsec" ? "deg" : "arcsec";
            const QString name = textOf(row.name);
            QVERIFY2(panel.setText(name, QString::fromStdString(exactAngle(value, other))),
                     qPrintable(name));
            QCOMPARE(panel.text(name), QString::fromStdString("1.5" + unit));
            shown[name] = panel.text(name);
            ++quantities;
        }
        for (const InputSlot& slot : operation.inputs)
            for (const Layer& layer : document.entries()) {
                // Inputs with names are those that an expression names.
                if (layerKindFor(slot.kind) != layer.kind() || slot.isNamed) continue;
                panel.setInput(textOf(slot.name), layer.id);
                document.setActive(layer.id);
                if (layer.map) document.view().setShown({layer.id, 0});
                QCOMPARE(panel.input(textOf(slot.name)), layer.id);
                ++inputs;
                for (auto each = shown.begin(); each != shown.end(); ++each)
                    QCOMPARE(panel.text(each.key()), each.value());
            }
    }
    QVERIFY(quantities > 10 && inputs > 20);
}

// Labels, tips and choices of a panel are translated; without a translation they stay unchanged.
void TestOperationPanels::textsOfTablesAreTranslated() {
    QTemporaryDir folder;
    QTranslator german;
    const QByteArray file =
        qmFile("Table", {{"smooth with a beam or kernel", "mit einer Keule glätten"},
                         {"FWHM", "Halbwertsbreite"},
                         {"FWHM of the Gaussian beam", "Breite einer Gaußkeule"},
                         {"automatic", "selbsttätig"},
                         {"Galactic", "galaktisch"}});
    QVERIFY(german.load(reinterpret_cast<const uchar*>(file.constData()),
                        static_cast<int>(file.size())));
    QCoreApplication::installTranslator(&german);
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    OperationPanel panel(session, *findOperation("smooth"));
    QStringList labels, tips, choices;
    for (const auto* label : panel.findChildren<QLabel*>()) labels << label->text();
    for (const auto* line : panel.findChildren<QLineEdit*>()) tips << line->toolTip();
    for (const auto* box : panel.findChildren<QComboBox*>())
        for (int i = 0; i < box->count(); ++i) choices << box->itemText(i);
    QCoreApplication::removeTranslator(&german);
    QVERIFY2(labels.contains("Halbwertsbreite"), qPrintable(labels.join("|")));
    QVERIFY2(tips.join("|").contains("Breite einer Gaußkeule."), qPrintable(tips.join("|")));
    QVERIFY2(choices.contains("selbsttätig"), qPrintable(choices.join("|")));
    // Words of commands and files stay the same in every language.
    QVERIFY(panel.setText("method", "auto") && panel.text("method") == "auto");
    OperationPanel plain(session, *findOperation("smooth"));
    labels.clear();
    for (const auto* label : plain.findChildren<QLabel*>()) labels << label->text();
    QVERIFY2(labels.contains("FWHM"), qPrintable(labels.join("|")));
}

// An image is offered to operations that take one in the place of a map, and becomes a map there.
void TestOperationPanels::imagesServeWhereMapsMay() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    session.document().addLayer(std::make_shared<const Image>(placedImage()), "m33.fits", {});
    const auto isOffered = [&](const char* id) {
        const OperationPanel panel(session, *findOperation(id));
        const auto boxes = panel.findChildren<QComboBox*>();
        return std::any_of(boxes.begin(), boxes.end(),
                           [](const QComboBox* box) { return box->findText("m33.fits") >= 0; });
    };
    QVERIFY(isOffered("convert"));
    QVERIFY(isOffered("smooth"));
    QVERIFY(isOffered("anafast"));
    QVERIFY(isOffered("filter") && isOffered("sources"));
    QVERIFY(!isOffered("remove"));
}

// A composed form begins with its rows in their order; the others are under More, which says how
// many of them act.
void TestOperationPanels::formsAreComposed() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    int composed = 0;
    for (const Operation& operation : allOperations()) {
        const QStringList first = toolFacts(operation.id, {}).firstRows;
        if (first.isEmpty()) continue;
        ++composed;
        OperationPanel panel(session, operation);
        QStringList known = panel.parameters();
        for (const InputSlot& slot : operation.inputs) known << textOf(slot.name);
        for (const QString& name : first) QVERIFY2(known.contains(name), qPrintable(name));
        QStringList ordered;
        for (const QString& name : first)
            if (panel.parameters().contains(name)) ordered << name;
        QCOMPARE(panel.parameters().mid(0, ordered.size()), ordered);
    }
    QCOMPARE(composed, 5);
    OperationPanel panel(session, *findOperation("filter"));
    auto* more = panel.findChild<QToolButton*>();
    QVERIFY(more && more->text() == QLatin1String("More"));
    const auto choices = panel.findChildren<QComboBox*>();
    const auto shown = [&choices] {
        QStringList names;
        for (const QComboBox* choice : choices)
            if (!choice->isHidden()) names << choice->accessibleName();
        names.sort();
        return names;
    };
    QCOMPARE(shown(), (QStringList{"Map", "Type"}));
    QVERIFY(panel.setText(QStringLiteral("edge"), QStringLiteral("0.5")));
    QCOMPARE(more->text(), QStringLiteral("More · 1 set"));
    more->click();
    QVERIFY(shown().contains(QLatin1String("Further map")));
    QCOMPARE(more->text(), QStringLiteral("More"));
    more->click();
    QVERIFY(panel.setText(QStringLiteral("edge"), QStringLiteral("0.7")));
    QCOMPARE(more->text(), QStringLiteral("More"));
}

// A wrong value under More unfolds its row, and the line at Run says what is wrong, also after the
// user has folded the rows again.
void TestOperationPanels::foldedErrorsUnfold() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    session.document().addLayer(
        std::make_shared<const HealpixMap>(
            2, Ordering::Ring, Frame::Galactic,
            std::vector<Field>{{"T", "K", DiskType::Float32, std::vector<float>(48, 1.0F)}}),
        "flat", {});
    OperationPanel panel(session, *findOperation("sources"));
    panel.show();
    const auto foldButtons = panel.findChildren<QToolButton*>();
    const auto more = std::find_if(foldButtons.begin(), foldButtons.end(), [](const auto* button) {
        return button->text().startsWith(QLatin1String("More"));
    });
    QVERIFY(more != foldButtons.end());
    const auto shownLines = [&panel] {
        QStringList lines;
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (!label->isHidden())
                lines << label->text().remove(QChar(0x200B)).replace(QChar(0x00A0), u' ');
        return lines;
    };
    QVERIFY(panel.setText(QStringLiteral("fwhm"), QStringLiteral("1deg")));
    QVERIFY(panel.runButton()->isEnabled());
    QVERIFY(!(*more)->isChecked());
    // A value that the row refuses.
    QVERIFY(!panel.setText(QStringLiteral("lmax"), QStringLiteral("many")));
    QVERIFY((*more)->isChecked());
    QVERIFY(!panel.runButton()->isEnabled());
    const auto named = [&] {
        return shownLines()
            .filter(QStringLiteral("lmax: "), Qt::CaseInsensitive)
            .filter(QStringLiteral("many"))
            .size();
    };
    QVERIFY2(named() == 1, qPrintable(shownLines().join(u'\n')));
    (*more)->click();
    QVERIFY(!(*more)->isChecked());
    QVERIFY2(named() == 1, qPrintable(shownLines().join(u'\n')));
    QVERIFY(panel.setText(QStringLiteral("lmax"), QString()));
    QCOMPARE(named(), 0);
    QVERIFY(panel.runButton()->isEnabled());
    QVERIFY(!(*more)->isChecked());
    // A value that the operation refuses.
    QVERIFY(panel.setText(QStringLiteral("frequency"), QStringLiteral("143")));
    QVERIFY((*more)->isChecked());
    QVERIFY(!shownLines().filter(QStringLiteral("found '143'")).isEmpty());
    (*more)->click();
    QVERIFY(!(*more)->isChecked());
    QVERIFY(!shownLines().filter(QStringLiteral("found '143'")).isEmpty());
}

// "such as 10′" in an empty line makes 7.3 arc minutes of 7.3.
void TestOperationPanels::bareNumbersTakeTheUnitShown() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    OperationPanel filter(session, *findOperation("filter"));
    const auto radians = [](OperationPanel& panel, const char* name) {
        return std::get<double>(panel.request().parameters.value(name));
    };
    constexpr double kArcmin = kPi / 180.0 / 60.0;
    QVERIFY(filter.setText(QStringLiteral("fwhm"), QStringLiteral("7.3")));
    QCOMPARE(radians(filter, "fwhm"), 7.3 * kArcmin);
    QVERIFY(filter.setText(QStringLiteral("fwhm"), QStringLiteral("30arcsec")));
    const QString shown = filter.text(QStringLiteral("fwhm"));
    const double unit = shown.endsWith(QLatin1String("arcsec")) ? kArcmin / 60.0 : kArcmin;
    QVERIFY(filter.setText(QStringLiteral("fwhm"), QStringLiteral(" 12")));
    QCOMPARE(radians(filter, "fwhm"), 12.0 * unit);
    QVERIFY(!filter.setText(QStringLiteral("fwhm"), QStringLiteral("12 parsecs")));
    // Bins in degrees with a count, and a position in degrees.
    OperationPanel correlate(session, *findOperation("correlate"));
    QVERIFY(correlate.setText(QStringLiteral("bins"), QStringLiteral("0.01, 10, 12")));
    QCOMPARE(correlate.text(QStringLiteral("bins")).remove(u' '),
             QStringLiteral("0.01deg,10deg,12"));
    OperationPanel grid(session, *findOperation("grid"));
    QVERIFY(grid.setText(QStringLiteral("center"), QStringLiteral("209, −19.4")));
    const auto center = std::get<std::vector<double>>(grid.request().parameters.value("center"));
    QCOMPARE(center[1], -19.4 * 60.0 * kArcmin);
    // Each of the axes of a kernel has a unit of its own, that of its example at first.
    const auto axes = [&] {
        return std::get<std::vector<double>>(grid.request().parameters.value("kernel-axes"));
    };
    const QString row = QStringLiteral("kernel-axes");
    QVERIFY(grid.setText(row, QStringLiteral("30,20,45")));
    QCOMPARE(axes(), (std::vector<double>{30.0 * kArcmin, 20.0 * kArcmin, kPi / 4.0}));
    QCOMPARE(grid.text(row), QStringLiteral("30arcmin,20arcmin,45deg"));
    QVERIFY(grid.setText(row, QStringLiteral("40″,30″,45")));
    QVERIFY(grid.setText(row, QStringLiteral("50, 20, 30")));
    QCOMPARE(axes()[0], 50.0 / 60.0 * kArcmin);
    QVERIFY(!grid.setText(row, QStringLiteral("30,20")));
}

// A form that is only incomplete says what Run needs, and results that its tool makes from the
// start do not count as set.
void TestOperationPanels::freshFormsBlameNobody() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    session.document().addLayer(sampleLayer(LayerKind::Map), "map", {});
    OperationPanel panel(session, *findOperation("sources"));
    panel.setOutput(QStringLiteral("snr"), true);
    panel.show();
    QStringList lines;
    for (const QLabel* label : panel.findChildren<QLabel*>())
        lines << label->text().remove(QChar(0x200B));
    QVERIFY2(lines.contains(QStringLiteral("Run needs one of FWHM, Beam")),
             qPrintable(lines.join(u'\n')));
    QVERIFY(lines.filter(QStringLiteral("expected")).isEmpty());
    const auto more = [&] {
        for (const QToolButton* button : panel.findChildren<QToolButton*>())
            if (button->text().startsWith(QLatin1String("More"))) return button->text();
        return QString();
    };
    QCOMPARE(more(), QStringLiteral("More"));
    for (QCheckBox* box : panel.findChildren<QCheckBox*>())
        if (box->isChecked()) box->setChecked(false);
    QVERIFY(more() != QStringLiteral("More"));
    // An absent input has the name of its row.
    OperationPanel correlate(session, *findOperation("correlate"));
    correlate.show();
    QStringList needs;
    for (const QLabel* label : correlate.findChildren<QLabel*>())
        needs << label->text().remove(QChar(0x200B));
    QVERIFY2(needs.contains(QStringLiteral("Run needs Data (catalog of data points)")),
             qPrintable(needs.join(u'\n')));
}

// The line of an error quotes the text that was typed, not its translation for the command.
void TestOperationPanels::errorsQuoteTypedText() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    const auto errorOf = [&](const char* operation, const char* row, const QString& typed) {
        OperationPanel panel(session, *findOperation(operation));
        if (panel.setText(QString::fromLatin1(row), typed)) return QString();
        QString lines;
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (label->property("role") == QLatin1String("error")) lines += label->text();
        return lines.remove(QChar(0x200B));
    };
    const std::tuple<const char*, const char*, QString, QString> cases[] = {
        {"filter", "fwhm", QStringLiteral("−3"), QStringLiteral("'−3'")},
        {"filter", "fwhm", QStringLiteral("3 ″ or 4"), QStringLiteral("'3 ″ or 4'")},
        {"grid", "kernel-axes", QStringLiteral("30′, 20 ells, 45"), QStringLiteral("'20 ells'")},
        {"grid", "kernel-axes", QStringLiteral("30′,20"), QStringLiteral("'30′,20'")}};
    for (const auto& [operation, row, typed, quoted] : cases) {
        const QString line = errorOf(operation, row, typed);
        QVERIFY2(line.contains(quoted), qPrintable(typed + QStringLiteral(": ") + line));
    }
}

// An empty line shows an example or the default, not the name of a kind, and examples are read.
void TestOperationPanels::emptyLinesHaveExamples() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    const QString mark = QStringLiteral("such as ");
    const QStringList kinds{"angle",     "number",    "n",          "text",    "lon,lat", "wxh",
                            "min,max,n", "angle,...", "number,...", "a,b,...", "col",     "file"};
    for (const Operation& operation : allOperations()) {
        OperationPanel panel(session, operation);
        ParameterSet defaults = operation.defaults();
        for (const Parameter& parameter : defaults.rows()) {
            const QString example = exampleOf(parameter);
            const QString where = QStringLiteral("%1 %2: %3")
                                      .arg(textOf(operation.id), textOf(parameter.name), example);
            QVERIFY2(!kinds.contains(example), qPrintable(where));
            if (!example.startsWith(mark) || example.contains(QLatin1String(" or "))) continue;
            QVERIFY2(panel.setText(textOf(parameter.name), example.mid(mark.size())),
                     qPrintable(where));
        }
    }
}

// Reset restores all settings in one change, is off where nothing is set, and also ends an error.
void TestOperationPanels::resetRestoresEverySetting() {
    QTemporaryDir folder;
    Session session({folder.filePath("settings.conf"), folder.filePath("state")});
    int moved = 0;
    for (const Operation& operation : allOperations()) {
        OperationPanel panel(session, operation);
        QPushButton* reset = nullptr;
        for (auto* button : panel.findChildren<QPushButton*>())
            if (button->text() == QLatin1String("Reset")) reset = button;
        QVERIFY(reset && !reset->isEnabled());
        const auto texts = [&panel] {
            QStringList found;
            for (const QString& name : panel.parameters()) found << panel.text(name);
            return found;
        };
        const QStringList before = texts();
        for (const QString& name : panel.parameters())
            for (const char* value : {"true", "2", "30arcmin", "gauss", "nonsense of a person"}) {
                const bool isTaken = panel.setText(name, QString::fromLatin1(value));
                if (isTaken && texts() == before) continue;  // the value at the start
                moved += isTaken ? 1 : 0;
                QVERIFY2(reset->isEnabled(), qPrintable(name));
                int changes = 0;
                const auto counting =
                    connect(&panel, &OperationPanel::changed, &panel, [&changes] { ++changes; });
                reset->click();
                disconnect(counting);
                QVERIFY2(texts() == before, qPrintable(name));
                QVERIFY(!reset->isEnabled());
                QCOMPARE(changes, 1);
            }
        // The value at the start may be that of the tool.
        if (operation.id != std::string_view("sources")) continue;
        panel.setStandard(QStringLiteral("threshold"), QStringLiteral("3.5"));
        reset->click();
        QCOMPARE(panel.text(QStringLiteral("threshold")), QStringLiteral("3.5"));
    }
    QVERIFY(moved > 100);
}

QTEST_MAIN(TestOperationPanels)
#include "tst_operation_panels.moc"

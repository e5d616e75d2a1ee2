// SPDX-License-Identifier: GPL-3.0-or-later
// Texts with options of the command in the words of the window, over all operations.
#include <QRegularExpression>
#include <QtTest>

#include "armilla/core/error.h"
#include "armilla/operations/operation.h"
#include "armilla/session/operation_run.h"
#include "armilla/session/window_words.h"

using namespace armilla;

namespace {

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

bool namesAnOption(const QString& line) {
    static const QRegularExpression option(QStringLiteral("(?<![\\w-])--[a-z]"));
    return line.contains(option);
}

// Texts of an operation that its form and its messages show.
QStringList textsOf(const Operation& operation) {
    QStringList texts{textOf(operation.help)};
    ParameterSet parameters = operation.defaults();
    for (const Parameter& row : parameters.rows())
        texts << textOf(row.help) << textOf(row.facts.standard)
              << QString::fromStdString(row.hint());
    for (const InputSlot& slot : operation.inputs) texts << textOf(slot.help);
    for (const OutputSlot& slot : operation.outputs) texts << textOf(slot.help);
    return texts;
}

// The errors when each parameter in turn has a value that it refuses, or one that others forbid.
QStringList problemsIn(const Operation& operation) {
    QStringList lines;
    ParameterSet defaults = operation.defaults();
    const std::vector<Parameter> rows = defaults.rows();
    for (const Parameter& row : rows)
        for (const char* value : {"1", "2", "-1", "1deg", "2,3", "true", "nothing", "0.5", "G"}) {
            OperationRequest request{&operation, operation.defaults(), {}, {}};
            try {
                request.parameters.set(row.name, value);
            } catch (const Error& error) {
                lines << inWindowWords(QString::fromUtf8(error.what()), &operation);
                continue;
            }
            for (const bool hasInputs : {false, true}) {
                if (hasInputs)
                    for (const InputSlot& slot : operation.inputs)
                        request.inputs.push_back({textOf(slot.name), LayerId(1), {}, {}});
                lines << problemOf(request);
            }
        }
    return lines;
}

}  // namespace

class WindowWordsTest : public QObject {
    Q_OBJECT
private slots:
    void optionsBecomeLabels() {
        const Operation* smooth = findOperation("smooth");
        const Operation* convert = findOperation("convert");
        QCOMPARE(inWindowWords(QStringLiteral("expected one of --fwhm ANGLE, --beam FILE, found"),
                               smooth),
                 QStringLiteral("expected one of FWHM, Beam, found"));
        QCOMPARE(inWindowWords(QStringLiteral("state it with --unit K_CMB or K_RJ"), convert),
                 QStringLiteral("state it with Unit K_CMB or K_RJ"));
        QCOMPARE(inWindowWords(QStringLiteral("a larger nside (convert --nside)")),
                 QStringLiteral("a larger nside (Convert: NSIDE)"));
        QCOMPARE(inWindowWords(QStringLiteral("a taper; armilla mask --apodize makes one")),
                 QStringLiteral("a taper; Mask: Apodize makes one"));
        // A word before an option is no command.
        QCOMPARE(inWindowWords(QStringLiteral("expected --nside, or a mask --with"),
                               findOperation("mask")),
                 QStringLiteral("expected NSIDE, or a mask Other mask"));
        QCOMPARE(inWindowWords(QStringLiteral("a keyword NSIDE (--input-nside N states it)")),
                 QStringLiteral("a keyword NSIDE (nside states it)"));
        QCOMPARE(inWindowWords(QStringLiteral("a line of -- and a-b--c.fits")),
                 QStringLiteral("a line of -- and a-b--c.fits"));
        QCOMPARE(
            inWindowWords(QStringLiteral("a/--over-write, b --over-write.fits: --over-write.")),
            QStringLiteral("a/--over-write, b --over-write.fits: Over write."));
        // An option that no operation has.
        QCOMPARE(inWindowWords(QStringLiteral("replace it with --over-write")),
                 QStringLiteral("replace it with Over write"));
    }
    // Options of files stay where they tell which question to show.
    void factsOfFilesStay() {
        const Operation& convert = *findOperation("convert");
        QCOMPARE(withLabelsOf(QStringLiteral("--frame: expected --input-frame G"), convert),
                 QStringLiteral("Frame: expected --input-frame G"));
    }
    void noTextNamesAnOption() {
        int replaced = 0;
        for (const Operation& operation : allOperations()) {
            for (const QString& text : textsOf(operation)) {
                const QString shown = inWindowWords(text, &operation);
                QVERIFY2(!namesAnOption(shown), qPrintable(shown));
                replaced += shown != text ? 1 : 0;
            }
            for (const QString& line : problemsIn(operation))
                QVERIFY2(!namesAnOption(line), qPrintable(line));
        }
        QVERIFY(replaced > 0);
    }
};

QTEST_APPLESS_MAIN(WindowWordsTest)
#include "tst_window_words.moc"

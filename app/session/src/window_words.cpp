// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/window_words.h"

#include <QRegularExpression>
#include <functional>

#include "armilla/operations/operation.h"
#include "armilla/session/shown_text.h"

namespace armilla {

namespace {

// The command before an option, the option, and its argument in capitals ("ANGLE", "G|E|C",
// "NAME=FILE"). Units such as K_CMB are values, not arguments; a file may be named "--map.fits".
const QRegularExpression& optionPattern() {
    static const QRegularExpression pattern(
        QStringLiteral("(?:\\b(armilla )?([a-z0-9-]+) )?(?<![\\w/-])--([a-z][a-z0-9-]*+)(?![.]?\\w)"
                       "(?: [A-Z]+(?:[,|=#][A-Z.]+)*(?![A-Za-z_]))?"));
    return pattern;
}

// Options of readers, which no form shows: layers and messages state these facts.
QString factWords(const QString& name) {
    const std::pair<QLatin1String, const char*> facts[] = {
        {QLatin1String("input-frame"), QT_TRANSLATE_NOOP("Table", "stated frame")},
        {QLatin1String("input-nside"), QT_TRANSLATE_NOOP("Table", "nside")},
        {QLatin1String("input-ordering"), QT_TRANSLATE_NOOP("Table", "ordering")},
        {QLatin1String("input-index"), QT_TRANSLATE_NOOP("Table", "index column")},
        {QLatin1String("input-dl"), QT_TRANSLATE_NOOP("Table", "D_l")},
        {QLatin1String("input-cl"), QT_TRANSLATE_NOOP("Table", "C_l")},
        {QLatin1String("columns"), QT_TRANSLATE_NOOP("Table", "columns")}};
    for (const auto& [option, words] : facts)
        if (name == option) return shownText(words);
    return {};
}

// The label of a parameter, input or output; empty if the operation has none of this name.
QString labelIn(const Operation& operation, const QString& name) {
    const std::string plain = name.toStdString();
    const auto isNamed = [&](std::string_view slot) {
        return name.compare(QLatin1String(slot.data(), static_cast<qsizetype>(slot.size())),
                            Qt::CaseInsensitive) == 0;
    };
    ParameterSet parameters = operation.defaults();
    const std::vector<Parameter> rows = parameters.rows();
    if (const Parameter* row = findParameter(rows, plain)) return shownText(row->label());
    for (const InputSlot& slot : operation.inputs)
        if (isNamed(slot.name)) return shownText(slot.label());
    for (const OutputSlot& slot : operation.outputs)
        if (isNamed(slot.name)) return shownText(slot.resultName());
    return {};
}

// Replaces each option by what `words` returns for the command before it (may be empty) and its
// name. `words` returns nothing for an option that stays, and clears the command if that is an
// ordinary word.
QString replaced(const QString& line,
                 const std::function<QString(QString& command, const QString& name)>& words) {
    if (!line.contains(QLatin1String("--"))) return line;
    QString result;
    qsizetype end = 0;
    for (auto found = optionPattern().globalMatch(line); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        QString command = match.captured(2);
        const QString label = words(command, match.captured(3));
        if (label.isEmpty()) continue;
        const bool isCommand = !command.isEmpty();
        const qsizetype from = isCommand ? match.capturedStart() : match.capturedStart(3) - 2;
        result += line.mid(end, from - end) + label;
        end = match.capturedEnd();
    }
    return result + line.mid(end);
}

// "Convert: Nside" for an option of a command; empty if the words are none.
QString commandWords(const QString& command, const QString& name) {
    const Operation* operation = findOperation(command.toStdString());
    if (!operation) return {};
    const QString label = labelIn(*operation, name);
    return label.isEmpty() ? label
                           : QStringLiteral("%1: %2").arg(shownText(operation->title), label);
}

}  // namespace

QString inWindowWords(const QString& line, const Operation* operation) {
    return replaced(line, [operation](QString& command, const QString& name) {
        const bool isOther =
            !operation || command != QString::fromStdString(std::string(operation->id));
        if (isOther)
            if (const QString words = commandWords(command, name); !words.isEmpty()) return words;
        command.clear();
        if (operation)
            if (const QString label = labelIn(*operation, name); !label.isEmpty()) return label;
        if (const QString facts = factWords(name); !facts.isEmpty()) return facts;
        for (const Operation& each : allOperations())
            if (const QString label = labelIn(each, name); !label.isEmpty()) return label;
        return shownText(labelOf(name.toStdString()));
    });
}

QString withLabelsOf(const QString& line, const Operation& operation) {
    return replaced(line, [&operation](QString& command, const QString& name) {
        const bool isOther = command != QString::fromStdString(std::string(operation.id));
        if (isOther)
            if (const QString words = commandWords(command, name); !words.isEmpty()) return words;
        command.clear();
        return labelIn(operation, name);
    });
}

}  // namespace armilla

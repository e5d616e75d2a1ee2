// SPDX-License-Identifier: GPL-3.0-or-later
#include "corrections.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

#include "armilla/core/error.h"
#include "armilla/session/shown_text.h"

namespace armilla {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("armilla::Corrections", text);
}

bool takesText(ParameterKind kind) {
    return kind == ParameterKind::Angle || kind == ParameterKind::Number ||
           kind == ParameterKind::Integer || kind == ParameterKind::Text;
}

}  // namespace

std::vector<Correction> correctionsIn(const QString& line, const OperationRequest& request) {
    static const QRegularExpression named(QStringLiteral("--([a-z][a-z0-9-]*) ([a-z][a-z0-9-]*)"));
    static const QRegularExpression lacking(
        QStringLiteral("expected --([a-z][a-z0-9-]*)(?: [A-Z]+)?,[^;]* found none"));
    std::vector<Correction> made;
    ParameterSet parameters = request.parameters;
    const std::vector<Parameter> rows = parameters.rows();
    for (auto found = named.globalMatch(line); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        const Parameter* row = findParameter(rows, match.captured(1).toStdString());
        const std::string word = match.captured(2).toStdString();
        if (!row || row->kind != ParameterKind::Choice) continue;
        const auto choice = std::find_if(row->choices.begin(), row->choices.end(),
                                         [&](const ChoiceWord& each) { return each.word == word; });
        if (choice == row->choices.end() || row->text(row->get()) == word) continue;
        const std::string_view label = choice->label.empty() ? choice->word : choice->label;
        made.push_back({std::string(row->name), word,
                        QStringLiteral("%1: %2").arg(shownText(row->label()), shownText(label))});
    }
    if (const QRegularExpressionMatch match = lacking.match(line); match.hasMatch()) {
        const Parameter* row = findParameter(rows, match.captured(1).toStdString());
        if (row && takesText(row->kind))
            made.push_back({std::string(row->name), {}, shownText(row->label())});
    }
    return made;
}

std::vector<Remedy> remediesFor(const QString& line, const OperationRequest& request,
                                const std::function<void(const OperationRequest&)>& run,
                                const std::function<void(const QString&)>& refuse) {
    std::vector<Remedy> remedies;
    for (const Correction& correction : correctionsIn(line, request)) {
        const bool isAsked = correction.value.empty();
        Remedy remedy;
        remedy.button = isAsked ? tr("Run again") : correction.label;
        remedy.asks = isAsked ? Remedy::Asks::Text : Remedy::Asks::Nothing;
        remedy.question = isAsked ? correction.label : tr("Run again with this setting");
        remedy.apply = [request, correction, isAsked, run, refuse](const QString& answer) {
            OperationRequest again = request;
            try {
                again.parameters.set(correction.parameter,
                                     isAsked ? answer.trimmed().toStdString() : correction.value);
            } catch (const Error& error) {
                return refuse(QStringLiteral("%1: %2").arg(
                    correction.label, QString::fromStdString(error.message())));
            }
            run(again);
        };
        remedies.push_back(std::move(remedy));
    }
    return remedies;
}

}  // namespace armilla

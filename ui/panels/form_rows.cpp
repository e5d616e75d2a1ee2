// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/form_rows.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <string_view>
#include <utility>

#include "armilla/operations/parameter_units.h"
#include "armilla/session/shown_text.h"

namespace armilla {
namespace {

constexpr std::string_view kBins = "MIN,MAX,N";

// Values that the parser reads, by the placeholder of the command.
constexpr std::pair<std::string_view, const char*> kExamples[] = {
    {"FREQUENCY", "143GHz"},
    {"FREQUENCY[,FREQUENCY...]", "143GHz,217GHz"},
    {"LEVEL", "0.9 or 90%"},
    {"AREA", "1deg2"},
    {"REGION", "circle(120,30,5)"},
    {kBins, "0.01deg,10deg,12"},
    {"MAJOR,MINOR,ANGLE", "30arcmin,20arcmin,45deg"},
    {"EXPRESSION", "SNR > 5"},
};

QString suchAs(const QString& example) {
    return QCoreApplication::translate("FormRows", "such as %1").arg(example);
}

}  // namespace

QString exampleOf(const Parameter& parameter) {
    const ParameterFacts& facts = parameter.facts;
    if (!facts.standard.empty()) return shownText(parameter.hint());
    for (const auto& [placeholder, example] : kExamples)
        if (facts.placeholder == placeholder) return suchAs(QString::fromUtf8(example));
    if (facts.placeholder.starts_with("COL"))
        return QCoreApplication::translate("FormRows", "a column");
    if (!facts.placeholder.empty()) return shownText(parameter.hint());
    const bool isFine = facts.unit == "arcmin" || facts.unit == "arcsec";
    switch (parameter.kind) {
        case ParameterKind::Angle:
            return suchAs(facts.unit == "arcsec"   ? QStringLiteral("30″")
                          : facts.unit == "arcmin" ? QStringLiteral("10′")
                                                   : QStringLiteral("1.5°"));
        case ParameterKind::Angles:
            return suchAs(isFine ? QStringLiteral("10′, 20′") : QStringLiteral("1°, 2°"));
        case ParameterKind::Number:
        case ParameterKind::Integer: return QCoreApplication::translate("FormRows", "not set");
        case ParameterKind::Numbers: return suchAs(QStringLiteral("1, 0.5"));
        case ParameterKind::Text:
        case ParameterKind::Words: return QCoreApplication::translate("FormRows", "not set");
        case ParameterKind::File: return QCoreApplication::translate("FormRows", "a file");
        case ParameterKind::Position: return suchAs(QStringLiteral("209°,−19.4°"));
        case ParameterKind::Size: return suchAs(QStringLiteral("600x400"));
        case ParameterKind::Bins: return suchAs(QStringLiteral("0.01°, 10°, 12"));
        case ParameterKind::Choice:
        case ParameterKind::Flag:
        case ParameterKind::Frame: break;
    }
    return {};
}

bool isBins(const Parameter& parameter) {
    return parameter.kind == ParameterKind::Bins || parameter.facts.placeholder == kBins;
}

QString withShownUnit(const Parameter& parameter, const QString& text) {
    const ParameterKind kind = parameter.kind;
    const bool isPair = isBins(parameter) || kind == ParameterKind::Position;
    if (kind != ParameterKind::Angle && kind != ParameterKind::Angles && !isPair) return text;
    // Each value in the words of the command ends with its unit.
    const QStringList shown =
        QString::fromStdString(parameter.text(parameter.get())).split(QLatin1Char(','));
    const auto shownUnit = [&](qsizetype place) {
        static const QRegularExpression number(QStringLiteral("^.*[0-9.]"));
        const bool isOneByOne = fixedCount(parameter) > 0;
        QString unit = isOneByOne ? shown.value(place) : shown.front();
        unit.remove(number);
        if (!unit.isEmpty()) return unit;
        const std::string_view own = unitAt(parameter, static_cast<size_t>(place));
        return own == "arcmin" || own == "arcsec" ? QString::fromLatin1(own.data(), own.size())
                                                  : QStringLiteral("deg");
    };
    QStringList parts = text.split(QLatin1Char(','));
    constexpr qsizetype kAngles = 2;  // the third part of a pair is a count or a frame
    for (qsizetype i = 0; i < (isPair ? std::min(kAngles, parts.size()) : parts.size()); ++i) {
        bool isBare = false;
        parts[i].toDouble(&isBare);
        if (isBare) parts[i] = parts[i].trimmed() + shownUnit(i);
    }
    return parts.join(QLatin1Char(','));
}

QString withoutBlame(const QString& line) {
    static const QRegularExpression missing(QStringLiteral("^expected (.+), found none$"));
    const QRegularExpressionMatch match = missing.match(line);
    if (!match.hasMatch()) return line;
    return QCoreApplication::translate("FormRows", "Run needs %1").arg(match.captured(1));
}

QString quotingTyped(const QString& message, const QString& parsed, const QString& typed) {
    QStringList from = parsed.split(QLatin1Char(',')), to = typed.split(QLatin1Char(','));
    if (from.size() != to.size()) from.clear(), to.clear();
    from.prepend(parsed);
    to.prepend(typed);
    QString result = message;
    const QString quote = QStringLiteral("'%1'");
    for (qsizetype i = 0; i < from.size(); ++i) {
        const QString found = quote.arg(from[i].trimmed());
        if (result.contains(found)) return result.replace(found, quote.arg(to[i].trimmed()));
    }
    return result;
}

}  // namespace armilla

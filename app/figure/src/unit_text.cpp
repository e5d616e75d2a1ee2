// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/figure/unit_text.h"

#include <QHash>
#include <QRegularExpression>

namespace armilla {

namespace {

QString raised(const QString& exponent) {
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text;
    for (const QChar c : exponent) {
        if (c == QLatin1Char('-') || c == QChar(0x2212))
            text += QChar(0x207B);
        else if (c.isDigit())
            text += digits[c.digitValue()];
    }
    return text;
}

// A word as subscript letters; for capitals Unicode has only small capitals.
QString lowered(const QString& word) {
    static const QString from = QStringLiteral("BCJMRl"), to = QStringLiteral("ʙᴄᴊᴍʀₗ");
    QString text;
    for (const QChar c : word) text += to[from.indexOf(c)];
    return text;
}

// Replaces each match by the result of `made`.
template <typename Make>
QString replaced(const QString& text, const QRegularExpression& pattern, const Make& made) {
    QString result;
    qsizetype end = 0;
    for (auto it = pattern.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        result += text.mid(end, match.capturedStart() - end) + made(match);
        end = match.capturedEnd();
    }
    return result + text.mid(end);
}

}  // namespace

QString unitText(const QString& unit) {
    // A micro prefix before a unit that accepts it, at the start of a word.
    static const QRegularExpression micro(
        QStringLiteral("(?<![A-Za-z_])u(?=(?:K|Jy|G|T|V|W|m|s|g|as|arcsec)(?![a-z]))"));
    // Exponents in three forms: after a power sign; negative, right after a word; a digit right
    // after a unit. H2 and DR2 remain names.
    static const QRegularExpression power(QStringLiteral(
        "(?<=[A-Za-z0-9)])(?:\\^|\\*\\*)\\(?([-+]?\\d{1,3})\\)?|"
        "(?<=[A-Za-z])(?<!log)(-\\d{1,2})(?![A-Za-z0-9_.])|"
        "(?<=\\bm|\\bs|\\bK|\\bJ|\\bW|\\bcm|\\bmm|\\bkm|\\bsr|\\bHz|\\bJy|\\bmK|\\bnK|"
        "\\bpc|\\beV|\\bdeg|\\bpix|\\brad|\\bkpc|\\bMpc|\\bmJy|\\bMJy|\\bMHz|\\bGHz|\\bbeam|"
        "\\barcmin|\\barcsec|_CMB|_RJ)(\\d{1,2})(?![A-Za-z0-9_.])"));
    // The temperature scale of a kelvin.
    static const QRegularExpression scale(QStringLiteral("(?<=K)_(CMB|RJ)(?![A-Za-z0-9_])"),
                                          QRegularExpression::CaseInsensitiveOption);
    // A power of nothing, as programs write for the spectrum of a map without a unit: "^2", "()^2".
    // The Fortran programs of HEALPix write "unknown" for a map without a unit.
    static const QRegularExpression nothing(
        QStringLiteral("^[\\s()]*(?:unknown[\\s()]*)?(?:(?:\\^|\\*\\*)\\(?[-+]?\\d+\\)?)?$"),
        QRegularExpression::CaseInsensitiveOption);
    if (nothing.match(unit).hasMatch()) return {};
    QString text = unit.trimmed();
    // A power of a single unit needs no parentheses.
    static const QRegularExpression alone(
        QStringLiteral("(?<![A-Za-z_])\\(([A-Za-zµ_]+)\\)(?=\\^|\\*\\*|²)"));
    text.replace(alone, QStringLiteral("\\1"));
    text.replace(micro, QStringLiteral("µ"));
    text = replaced(text, power, [](const QRegularExpressionMatch& match) {
        return raised(match.captured(match.lastCapturedIndex()));
    });
    return replaced(text, scale, [](const QRegularExpressionMatch& match) {
        return lowered(match.captured(1).toUpper());
    });
}

QString nameText(const QString& name) {
    static const QHash<QString, QString> words{{QStringLiteral("theta"), QStringLiteral("θ")},
                                               {QStringLiteral("THETA"), QStringLiteral("θ")},
                                               {QStringLiteral("l"), QStringLiteral("ℓ")},
                                               {QStringLiteral("L"), QStringLiteral("ℓ")},
                                               {QStringLiteral("ELL"), QStringLiteral("ℓ")},
                                               {QStringLiteral("W"), QStringLiteral("w(θ)")}};
    if (const auto word = words.find(name); word != words.end()) return *word;
    static const QRegularExpression spectrum(QStringLiteral("\\b([bBCD])_[lL]\\b"));
    return replaced(name, spectrum, [](const QRegularExpressionMatch& match) {
        return match.captured(1) + lowered(QStringLiteral("l"));
    });
}

QString numberTypeset(QString text) {
    static const QRegularExpression power(
        QStringLiteral("(?<=\\d)e([-+]?)0*(\\d+)(?![A-Za-z0-9])"));
    text = replaced(text, power, [](const QRegularExpressionMatch& match) {
        return QStringLiteral("×10") +
               raised((match.captured(1) == QLatin1String("-") ? QStringLiteral("-") : QString()) +
                      match.captured(2));
    });
    for (qsizetype i = 0; i + 1 < text.size(); ++i)
        if (text[i] == QLatin1Char('-') && text[i + 1].isDigit() &&
            (i == 0 || text[i - 1].isSpace()))
            text[i] = QChar(0x2212);
    return text;
}

QString sizesTypeset(QString text) {
    // Isolated numbers only, because file names may contain such an x, too.
    static const QRegularExpression between(
        QStringLiteral("(?<![^\\s(])(\\d+) x (?=\\d+(?:$|[\\s,;:)]))"));
    return text.replace(between, QStringLiteral("\\1 × "));
}

QString noteTypeset(const QString& text) {
    // A number and the unit that follows. Other words stay, because names of files may contain
    // both.
    static const QRegularExpression quantity(QStringLiteral(
        "(?<![^\\s(=])(-?\\d+(?:\\.\\d+)?(?:e[-+]?\\d+)?) "
        "([numkM]?(?:K|Jy)(?:_(?:CMB|RJ))?(?:\\^-?\\d+)?(?:/(?:sr|beam|pix))?)(?![\\w.^/])"));
    return replaced(sizesTypeset(text), quantity, [](const QRegularExpressionMatch& match) {
        return numberTypeset(match.captured(1)) + QLatin1Char(' ') + unitText(match.captured(2));
    });
}

std::optional<double> numberFromText(QString text) {
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    text = text.trimmed();
    text.replace(QStringLiteral("×10"), QStringLiteral("e"))
        .replace(QChar(0x2212), QLatin1Char('-'));
    for (QChar& c : text) {
        if (c == QChar(0x207B)) c = QLatin1Char('-');
        if (const qsizetype digit = digits.indexOf(c); digit >= 0)
            c = QLatin1Char(static_cast<char>('0' + digit));
    }
    bool isGood = false;
    const double value = text.toDouble(&isGood);
    return isGood ? std::optional(value) : std::nullopt;
}

QString groupedDigits(int64_t number) {
    QString digits = QString::number(number);
    for (qsizetype i = digits.size() - 3; i > (number < 0 ? 1 : 0); i -= 3)
        digits.insert(i, QChar(0x202F));
    return digits;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/file_summary.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <algorithm>

#include "armilla/session/header_cards.h"

namespace armilla {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("armilla::FileSummary", text);
}

// Keywords and values of one header, strings without quotes.
using Cards = QHash<QString, QString>;

QString valueOf(const QString& card) {
    QString text = card.mid(10).trimmed();
    if (!text.startsWith(QLatin1Char('\''))) return text.section(QLatin1Char('/'), 0, 0).trimmed();
    // A quote within a string is doubled.
    QString value;
    for (qsizetype i = 1; i < text.size(); ++i) {
        if (text[i] == QLatin1Char('\'')) {
            if (i + 1 >= text.size() || text[i + 1] != QLatin1Char('\'')) break;
            ++i;
        }
        value += text[i];
    }
    return value.trimmed();
}

QString withUnit(const QString& name, const QString& unit) {
    return unit.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, unit);
}

QString frameOf(const QString& letter) {
    if (letter.isEmpty()) return tr("frame not stated");
    switch (letter[0].toUpper().unicode()) {
        case u'G': return tr("Galactic");
        case u'E': return tr("Ecliptic");
        case u'C':
        case u'Q': return tr("Equatorial");
        default: return letter;
    }
}

QString headingOf(const Cards& cards) {
    const int axes = cards.value(QStringLiteral("NAXIS")).toInt();
    if (cards.value(QStringLiteral("PIXTYPE")) == QLatin1String("HEALPIX"))
        return tr("Map: nside %1, %2, %3")
            .arg(cards.value(QStringLiteral("NSIDE"), QStringLiteral("?")),
                 cards.value(QStringLiteral("ORDERING"), tr("ordering not stated")),
                 frameOf(cards.value(QStringLiteral("COORDSYS"))));
    if (cards.contains(QStringLiteral("TFIELDS")))
        return tr("Table: %1 rows").arg(cards.value(QStringLiteral("NAXIS2")));
    QStringList sizes;
    for (int axis = 1; axis <= axes; ++axis)
        sizes << cards.value(QStringLiteral("NAXIS%1").arg(axis));
    return withUnit(tr("Image: %1").arg(sizes.join(QStringLiteral(" × "))),
                    cards.value(QStringLiteral("BUNIT")));
}

QStringList columnsOf(const Cards& cards) {
    QStringList columns;
    const int count = cards.value(QStringLiteral("TFIELDS")).toInt();
    for (int i = 1; i <= count; ++i)
        columns << QStringLiteral("  ") +
                       withUnit(cards.value(QStringLiteral("TTYPE%1").arg(i), QStringLiteral("?")),
                                cards.value(QStringLiteral("TUNIT%1").arg(i)));
    return columns;
}

QStringList fitsLines(const QString& path) {
    QStringList lines;
    Cards cards;
    const auto end = [&] {
        if (cards.value(QStringLiteral("NAXIS")).toInt() > 0)
            lines << headingOf(cards) << columnsOf(cards);
        cards.clear();
    };
    for (const QString& card : headerCards(path).split(QLatin1Char('\n'))) {
        if (card.startsWith(QLatin1String("HDU "))) end();
        if (card.mid(8, 2) == QLatin1String("= ")) cards[card.left(8).trimmed()] = valueOf(card);
    }
    end();
    return lines;
}

QStringList textLines(const QString& path, int most) {
    constexpr qint64 kLongest = 400;
    QStringList lines;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return lines;
    while (!file.atEnd() && lines.size() < most)
        lines << QString::fromUtf8(file.readLine(kLongest)).trimmed();
    return lines;
}

}  // namespace

QStringList fileSummary(const QString& path, int most) noexcept {
    try {
        const QString name = QFileInfo(path).fileName().toLower();
        const auto endsIn = [&](std::initializer_list<const char*> suffixes) {
            return std::any_of(suffixes.begin(), suffixes.end(), [&](const char* suffix) {
                return name.endsWith(QLatin1String(suffix));
            });
        };
        QStringList lines;
        if (endsIn({".fits", ".fit", ".fits.fz"})) lines = fitsLines(path);
        if (endsIn({".txt", ".dat", ".csv", ".ecsv", ".reg", ".json"}))
            lines = textLines(path, most);
        if (lines.size() > most) lines = lines.mid(0, most - 1) << QStringLiteral("…");
        return lines;
    } catch (...) {
        return {};
    }
}

}  // namespace armilla

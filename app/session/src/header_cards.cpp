// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/header_cards.h"

#include <QFile>
#include <QStringList>
#include <algorithm>
#include <cstdlib>
#include <map>

#include "armilla/core/error.h"

namespace armilla {

namespace {

// FITS standard 4.0, section 3.1.
constexpr qint64 kBlock = 2880, kCard = 80;
constexpr int kMostCards = 100000;

// The integer of a card "NAXIS1  = 512 / ...".
qint64 cardNumber(const QByteArray& card) {
    const QByteArray value = card.mid(10).split('/').front().trimmed();
    return value.toLongLong();
}

// Bytes of data after a header, including padding; 0 for invalid numbers.
qint64 dataBytes(const std::map<QByteArray, qint64>& numbers) {
    const auto of = [&](const QByteArray& key, qint64 otherwise) {
        const auto found = numbers.find(key);
        return found == numbers.end() ? otherwise : found->second;
    };
    const qint64 axes = of("NAXIS", 0);
    if (axes <= 0 || axes > 999) return 0;
    double values = 1.0;
    for (qint64 axis = 1; axis <= axes; ++axis)
        values *= static_cast<double>(of("NAXIS" + QByteArray::number(axis), 0));
    const qint64 bytesEach = std::abs(of("BITPIX", 8)) / 8;
    const double bytes = static_cast<double>(bytesEach) * static_cast<double>(of("GCOUNT", 1)) *
                         (static_cast<double>(of("PCOUNT", 0)) + values);
    if (!(bytes > 0.0) || bytes > 9e15) return 0;
    return (static_cast<qint64>(bytes) + kBlock - 1) / kBlock * kBlock;
}

}  // namespace

QString headerCards(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw IoError(path.toStdString() +
                      ": expected a file, found: " + file.errorString().toStdString());
    QStringList lines;
    int cards = 0;
    for (int hdu = 0; !file.atEnd(); ++hdu) {
        std::map<QByteArray, qint64> numbers;
        bool isOver = false;
        const qsizetype start = lines.size();
        while (!isOver) {
            const QByteArray block = file.read(kBlock);
            const bool isHeader = block.size() == kBlock;
            if (hdu == 0 && start == lines.size() && !block.startsWith("SIMPLE  ="))
                throw IoError(path.toStdString() +
                              ": expected a plain FITS file to show its header, found another");
            if (!isHeader) return lines.join(QLatin1Char('\n'));
            if (start == lines.size()) lines << QStringLiteral("HDU %1").arg(hdu);
            for (qint64 at = 0; at < kBlock && !isOver; at += kCard) {
                QByteArray card = block.mid(at, kCard);
                for (char& c : card)
                    if (c < 0x20 || c > 0x7E) c = '?';
                const QByteArray key = card.left(8).trimmed();
                isOver = key == "END";
                if (card.mid(8, 2) == "= ") numbers.emplace(key, cardNumber(card));
                while (card.endsWith(' ')) card.chop(1);
                if (!card.isEmpty()) lines << QString::fromLatin1(card);
                if (++cards >= kMostCards) {
                    lines << QStringLiteral("... and more than %1 cards").arg(kMostCards);
                    return lines.join(QLatin1Char('\n'));
                }
            }
        }
        if (!file.seek(std::min(file.size(), file.pos() + dataBytes(numbers)))) break;
        lines << QString();
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace armilla

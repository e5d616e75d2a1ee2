// SPDX-License-Identifier: GPL-3.0-or-later
// A small Qt translation file in the format of lrelease, for tests of its readers.
#pragma once

#include <QByteArray>
#include <QDataStream>
#include <QHash>
#include <QMap>
#include <QString>

namespace armilla::test {

// Texts of one context and their translations.
inline QByteArray qmFile(const QByteArray& context, const QHash<QByteArray, QString>& texts) {
    // The hash of ELF symbol tables, by which QTranslator finds a text.
    const auto hashOf = [](const QByteArray& text) {
        quint32 hash = 0;
        for (const char letter : text) {
            hash = (hash << 4) + static_cast<unsigned char>(letter);
            const quint32 high = hash & 0xF0000000U;
            if (high != 0) hash ^= high >> 24;
            hash &= ~high;
        }
        return hash == 0 ? 1U : hash;
    };
    enum : quint8 {
        End = 1,
        Translation = 3,
        SourceText = 6,
        Context = 7,
        Hashes = 0x42,
        Messages = 0x69
    };
    QByteArray messages, hashes;
    QMultiMap<quint32, quint32> offsets;
    for (auto text = texts.begin(); text != texts.end(); ++text) {
        offsets.insert(hashOf(text.key()), static_cast<quint32>(messages.size()));
        QDataStream out(&messages, QIODevice::Append);
        out << quint8{Translation} << static_cast<quint32>(2 * text.value().size());
        for (const QChar letter : text.value()) out << letter.unicode();
        out << quint8{SourceText} << text.key() << quint8{Context} << context << quint8{End};
    }
    QDataStream found(&hashes, QIODevice::Append);
    for (auto offset = offsets.begin(); offset != offsets.end(); ++offset)
        found << offset.key() << offset.value();
    QByteArray file = QByteArray::fromHex("3cb86418caef9c95cd211cbf60a1bddd");
    QDataStream out(&file, QIODevice::Append);
    out << quint8{Hashes} << hashes << quint8{Messages} << messages;
    return file;
}

}  // namespace armilla::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/color_files.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "armilla/core/error.h"

namespace armilla {

namespace {

constexpr qint64 kMostBytes = 1 << 20;
constexpr size_t kMostColors = 256;

using Color = std::array<double, 3>;

[[noreturn]] void refuse(const QString& path, const QString& expected, const QString& found) {
    throw InvalidArgument(QStringLiteral("%1: expected %2, found %3")
                              .arg(QFileInfo(path).fileName(), expected, found)
                              .toStdString());
}

}  // namespace

QString colorsOfFile(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw IoError(path.toStdString() + ": expected a file that can be read, found none");
    if (file.size() > kMostBytes)
        refuse(path, QStringLiteral("a table of colors"),
               QStringLiteral("%1 bytes").arg(file.size()));
    static const QRegularExpression hex(QStringLiteral("^#?[0-9a-fA-F]{6}$"));
    static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
    std::vector<Color> colors;
    std::vector<bool> isByte;  // written as #rrggbb
    int line = 0;
    for (const QByteArray& bytes : file.readAll().split('\n')) {
        ++line;
        const QString text = QString::fromUtf8(bytes).trimmed();
        if (text.isEmpty()) continue;
        if (hex.match(text).hasMatch() && (text.startsWith(QLatin1Char('#')) || text.size() == 6)) {
            const uint value = text.right(6).toUInt(nullptr, 16);
            colors.push_back({static_cast<double>(value >> 16 & 0xff),
                              static_cast<double>(value >> 8 & 0xff),
                              static_cast<double>(value & 0xff)});
            isByte.push_back(true);
            continue;
        }
        if (text.startsWith(QLatin1Char('#'))) continue;
        const QStringList words = text.split(between, Qt::SkipEmptyParts);
        bool isNumber = false;
        words.front().toDouble(&isNumber);
        if (!isNumber) continue;  // names of columns
        Color color{};
        for (size_t i = 0; i < 3; ++i) {
            bool isRead = static_cast<qsizetype>(i) < words.size();
            if (isRead) color[i] = words[static_cast<qsizetype>(i)].toDouble(&isRead);
            if (!isRead || !(color[i] >= 0.0 && color[i] <= 255.0))
                refuse(path, QStringLiteral("red, green and blue from 0 to 255 or 0 to 1"),
                       QStringLiteral("“%1” in line %2").arg(text.left(60)).arg(line));
        }
        colors.push_back(color);
        isByte.push_back(false);
    }
    if (colors.size() < 2)
        refuse(path, QStringLiteral("at least two rows of red, green and blue"),
               QString::number(colors.size()));
    double largest = 0.0;
    for (const Color& color : colors)
        largest = std::max(largest, *std::max_element(color.begin(), color.end()));
    const bool isShare =
        largest <= 1.0 && std::find(isByte.begin(), isByte.end(), true) == isByte.end();
    // A longer table is subsampled to the number of positions of a color bar.
    const size_t count = std::min(colors.size(), kMostColors);
    QStringList names;
    for (size_t i = 0; i < count; ++i) {
        const Color& color = colors[count == 1 ? 0 : i * (colors.size() - 1) / (count - 1)];
        QString name = QStringLiteral("#");
        for (const double part : color)
            name += QStringLiteral("%1").arg(std::lround(isShare ? 255.0 * part : part), 2, 16,
                                             QLatin1Char('0'));
        names << name;
    }
    return names.join(QLatin1Char(','));
}

}  // namespace armilla

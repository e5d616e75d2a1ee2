// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/sibling_text.h"

#include <algorithm>

namespace armilla {

namespace {

qsizetype sharedBeginning(const QString& a, const QString& b) {
    const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return ends.first - a.begin();
}

qsizetype sharedEnd(const QString& a, const QString& b) {
    const auto ends = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    return ends.first - a.rbegin();
}

}  // namespace

QString elidedAmong(const QString& name, const QStringList& siblings, const QFontMetrics& metrics,
                    int width) {
    if (metrics.horizontalAdvance(name) <= width) return name;
    qsizetype beginning = 0, end = 0;
    for (const QString& other : siblings) {
        if (other == name) continue;
        beginning = std::max(beginning, sharedBeginning(name, other));
        end = std::max(end, sharedEnd(name, other));
    }
    end = std::min(end, name.size() - beginning);
    // A name that another one contains has no part of its own.
    if (beginning + end == name.size()) return metrics.elidedText(name, Qt::ElideMiddle, width);
    const QString mark(QChar(0x2026));
    const auto cut = [&](qsizetype from, qsizetype to) {
        return name.left(from) + mark + name.mid(to);
    };
    // Keeps the longest part of the shared beginning that fits before the rest of the name.
    for (qsizetype kept = beginning - 1; kept >= 0; --kept)
        if (const QString text = cut(kept, beginning); metrics.horizontalAdvance(text) <= width)
            return text;
    // The part that differs, with as much of the shared end as fits.
    const qsizetype differing = name.size() - end;
    const QString front =
        beginning > 0 ? mark + name.mid(beginning, differing - beginning) : name.left(differing);
    for (qsizetype kept = end - 1; kept >= 0; --kept)
        if (const QString text = front + mark + name.right(kept);
            metrics.horizontalAdvance(text) <= width)
            return text;
    return metrics.elidedText(front, Qt::ElideMiddle, width);
}

}  // namespace armilla

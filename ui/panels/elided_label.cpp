// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/elided_label.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOption>

namespace armilla {

QString breakable(const QString& text) {
    constexpr int kLongWord = 16;  // characters that fit into half of a column
    const QChar place(0x200B);     // zero-width space
    const auto lengthFrom = [&](qsizetype begin) {
        qsizetype end = begin;
        while (end < text.size() && !text[end].isSpace()) ++end;
        return end - begin;
    };
    QString result;
    bool isLong = false;
    int since = 0;  // characters since the last place to break
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool isSpace = text[i].isSpace();
        if (!isSpace && (i == 0 || text[i - 1].isSpace())) {
            isLong = lengthFrom(i) > kLongWord;
            since = 0;
        }
        result += text[i];
        ++since;
        const bool isJoint = QStringLiteral("_-./").contains(text[i]);
        if (!isLong || isSpace || (!isJoint && since < kLongWord)) continue;
        result += place;
        since = 0;
    }
    return result;
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QStyleOption option;
    option.initFrom(this);
    style()->drawPrimitive(QStyle::PE_Widget, &option, &painter, this);
    const QString shown = fontMetrics().elidedText(text(), mode_, contentsRect().width());
    setToolTip(shown == text() ? QString() : text());
    style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), palette(),
                          isEnabled(), shown, foregroundRole());
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/elided_label.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOption>

namespace armilla {

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

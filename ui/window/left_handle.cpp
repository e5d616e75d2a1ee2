// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/left_handle.h"

#include <QEvent>
#include <QPainter>

#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"

namespace armilla {
namespace {

// Logical pixels. The names of maps begin 22 pixels from the edge.
constexpr int kWidth = 20, kHeight = 48, kTop = 8, kIcon = 14;

}  // namespace

LeftHandle::LeftHandle(QWidget* center) : QAbstractButton(center) {
    setObjectName(QStringLiteral("leftHandle"));
    setIcon(lineIcon(QStringLiteral("layers")));
    setAccessibleName(tr("Show layers, history and jobs"));
    setToolTip(tr("Show layers, history and jobs (F9)"));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setGeometry(QRect(QPoint(0, kTop), sizeHint()));
    hide();
}

QSize LeftHandle::sizeHint() const {
    return {kWidth, kHeight};
}

// Opaque, because the picture beside it may be a native window.
void LeftHandle::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = Theme::of(this);
    const bool isLit = underMouse() || hasFocus();
    QPainter painter(this);
    painter.fillRect(rect(), isDown() ? theme.controlPressed
                             : isLit  ? theme.controlHover
                                      : theme.card);
    painter.setPen(isLit ? theme.accent : theme.border);
    painter.drawRect(rect().adjusted(-1, 0, -1, -1));
    icon().paint(&painter, QRect((width() - kIcon) / 2, (height() - kIcon) / 2, kIcon, kIcon));
}

void LeftHandle::changeEvent(QEvent* event) {
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) update();
}

}  // namespace armilla

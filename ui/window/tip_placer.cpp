// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/tip_placer.h"

#include <QApplication>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QPointer>
#include <QScreen>
#include <QToolTip>
#include <QWidget>

namespace armilla {
namespace {

// Taller widgets are areas, not controls; there the tip stays at the pointer.
constexpr int kTallest = 64;
constexpr int kGap = 5;
// Offset that QToolTip adds below a pointer, and its frame with padding.
constexpr int kPointer = 16, kFrame = 14;

}  // namespace

void TipPlacer::install() {
    static QPointer<TipPlacer> placer;
    if (placer || !qApp) return;
    placer = new TipPlacer(qApp);
    qApp->installEventFilter(placer);
}

bool TipPlacer::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ToolTip || !watched->isWidgetType()) return false;
    const auto* widget = static_cast<const QWidget*>(watched);
    const QString text = widget->toolTip();
    // These widgets create their tool tip text on demand.
    if (widget->property("ownTip").toBool()) return false;
    if (text.isEmpty() || widget->height() > kTallest || widget->isWindow()) return false;
    const QRect control(widget->mapToGlobal(QPoint()), widget->size());
    const QFontMetrics metrics(QToolTip::font());
    const int height = metrics.boundingRect(QRect(0, 0, 10000, 10000), 0, text).height() + kFrame;
    const QScreen* screen = widget->screen();
    const bool hasRoom =
        !screen || control.bottom() + kGap + height <= screen->availableGeometry().bottom();
    const int top = hasRoom ? control.bottom() + kGap : control.top() - kGap - height;
    const int left = static_cast<QHelpEvent*>(event)->globalPos().x();
    QToolTip::showText({left, top - kPointer}, text, const_cast<QWidget*>(widget), widget->rect());
    return true;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "src/view/held_updates.h"

#include <QCoreApplication>
#include <QEvent>
#include <utility>

namespace armilla {

HeldUpdates::HeldUpdates(QWidget& window) : QObject(&window), window_(window) {
    limit_.setSingleShot(true);
    limit_.setTimerType(Qt::PreciseTimer);
    limit_.setInterval(kMostMilliseconds);
    connect(&limit_, &QTimer::timeout, this, &HeldUpdates::letGo);
    window.installEventFilter(this);
}

void HeldUpdates::hold() {
    if (!sinceAsked_.isValid()) sinceAsked_.start();
    // A hand that goes on does not put the end off.
    if (pays_ && !limit_.isActive()) limit_.start();
}

void HeldUpdates::release() {
    if (sinceAsked_.isValid()) pays_ = sinceAsked_.elapsed() <= kMostMilliseconds;
    sinceAsked_.invalidate();
    letGo();
}

void HeldUpdates::letGo() {
    limit_.stop();
    if (!std::exchange(isOwed_, false)) return;
    // As QWidget posts it: behind the events that lead to what is painted.
    QCoreApplication::postEvent(&window_, new QEvent(QEvent::UpdateRequest), Qt::LowEventPriority);
}

bool HeldUpdates::eventFilter(QObject* watched, QEvent* event) {
    if (watched != &window_ || event->type() != QEvent::UpdateRequest || !isHolding())
        return QObject::eventFilter(watched, event);
    isOwed_ = true;
    return true;
}

}  // namespace armilla

#include "moc_held_updates.cpp"

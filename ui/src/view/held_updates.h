// SPDX-License-Identifier: GPL-3.0-or-later
// One frame for a live picture and for what the hand has moved in the panels beside it.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <QWidget>

namespace armilla {

// A window with an OpenGL widget is composed and swapped as a whole for every repaint in it. While
// a slider is dragged that is one swap for the panel and one for the picture that follows some
// milliseconds later: each costs a beat of the display, or a copy of the window where there is
// none. Between hold() and release() the window's repaints wait, so that both are of one frame.
class HeldUpdates : public QObject {
    Q_OBJECT
public:
    // Longer waits are seen.
    static constexpr int kMostMilliseconds = 30;

    explicit HeldUpdates(QWidget& window);
    // A picture has been asked for. It ends by itself after kMostMilliseconds; where the last
    // picture took longer than that, nothing is held until one comes sooner.
    void hold();
    // It is there, and its paint is under way.
    void release();
    bool isHolding() const { return limit_.isActive(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void letGo();

    QWidget& window_;
    QTimer limit_;
    QElapsedTimer sinceAsked_;
    bool pays_ = true, isOwed_ = false;  // a repaint was put off
};

}  // namespace armilla

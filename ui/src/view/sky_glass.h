// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over a picture that has a window of its own, as one image.
#pragma once

#include <QImage>
#include <QObject>
#include <QRegion>
#include <QWidget>
#include <functional>
#include <vector>

namespace armilla {

class SkyOverlay;

// In a paint event: what is painted goes to the screen, and is no grab of the widget and no part of
// another image.
bool isOnScreen(const QWidget& widget);

// A window within a window lies over all widgets around it. So lines and names, and widgets above
// the canvas (inspector, messages), are painted here instead of on the screen, as often as they
// would paint themselves; the canvas draws the image over its picture. The hand meets the widgets
// all the same, since the canvas' window takes no input.
class SkyGlass : public QObject {
    Q_OBJECT
public:
    // Both must outlive it. `touched`: a new picture is wanted, since something lies over it anew.
    SkyGlass(QWidget& canvas, SkyOverlay& overlay, std::function<void()> touched);
    ~SkyGlass() override;

    // Paints what has changed since the last call. Returns the parts of the image that are new,
    // device pixels; empty: none.
    QRegion renew();
    // Premultiplied, of the canvas' size; null before renew().
    const QImage& image() const { return image_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void touch(const QRegion& region);
    // Of the widgets around that lie over the canvas in the order of their painting, the overlay
    // first.
    std::vector<QWidget*> above() const;
    // What `part` of a widget above looks like, `at` its corner on the canvas.
    void paint(QWidget& widget, QPoint at, const QRegion& part);
    // The widget over the canvas that this one is, or is a part of; null: none.
    const QWidget* carrier(const QWidget* widget) const;

    QWidget& canvas_;
    SkyOverlay& overlay_;
    std::function<void()> touched_;
    QImage image_;
    QRegion dirty_;  // logical pixels of the canvas
    bool renews_ = false;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The overlay of a picture with its own native window, as one image.
#pragma once

#include <QImage>
#include <QObject>
#include <QRegion>
#include <QWidget>
#include <functional>
#include <vector>

namespace armilla {

class SkyOverlay;

// True in a paint event that goes to the screen, not to a grab of the widget or another image.
bool isOnScreen(const QWidget& widget);

// A native child window covers all surrounding widgets. Lines, names and the widgets above the
// canvas (inspector, messages) are therefore painted into this image whenever they would repaint.
// The canvas draws the image over its picture.
//
// Pointer events still reach the widgets, because the canvas' window takes no input.
class OverlayImage : public QObject {
    Q_OBJECT
public:
    // Both references must outlive this object. `touched`: the overlay has changed and a new frame
    // is needed.
    OverlayImage(QWidget& canvas, SkyOverlay& overlay, std::function<void()> touched);
    ~OverlayImage() override;

    // Paints the changes since the last call. Returns the changed parts of the image in device
    // pixels; empty: none.
    QRegion renew();
    // Premultiplied, of the canvas' size; null before renew().
    const QImage& image() const { return image_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void touch(const QRegion& region);
    // Widgets over the canvas in painting order, the overlay first.
    std::vector<QWidget*> above() const;
    // Paints `part` of a widget; `at` is the widget's corner on the canvas.
    void paint(QWidget& widget, QPoint at, const QRegion& part);
    // The widget over the canvas that is, or contains, this one; null: none.
    const QWidget* carrier(const QWidget* widget) const;

    QWidget& canvas_;
    SkyOverlay& overlay_;
    std::function<void()> touched_;
    QImage image_;
    QRegion dirty_;  // logical pixels of the canvas
    bool renews_ = false;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Appearance of the active layer: colors of a map or an image, markers of a catalog, opacity.
#pragma once

#include <QColor>
#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

#include "armilla/session/document.h"

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace armilla {

class ColorPanel;

class LookPanel : public QWidget {
    Q_OBJECT
public:
    // The document must outlive the panel.
    explicit LookPanel(Document& document, QWidget* parent = nullptr);
    ColorPanel* colors() const { return colors_; }
    QSize sizeHint() const override;

    // Actions of the controls, for tests.
    void setShape(MarkerShape shape);
    void setSize(double logicalPixels);
    void setColor(const QColor& color);
    void setOpacity(double opacity);
    void setPlane(int plane);

signals:
    // Text of the dock's title line.
    void statusChanged(const QString& text);

private:
    QWidget* buildMarkerRows();
    void refresh();
    void showInk(Rgba color);
    // The active layer, if its appearance is edited here and not by the colors.
    const Layer* layer() const;
    template <typename Change>
    void change(const Change& change);

    Document& document_;
    ColorPanel* colors_;
    std::vector<QWidget*> ofMarkers_, ofOpacity_;  // rows for certain kinds of layers only
    QWidget* markers_;
    QComboBox* shape_ = nullptr;
    QSlider *size_ = nullptr, *opacity_ = nullptr, *plane_ = nullptr;
    QLabel *sizeText_ = nullptr, *opacityText_ = nullptr, *planeName_ = nullptr,
           *planeText_ = nullptr, *colorName_ = nullptr;
    QToolButton* color_ = nullptr;
    QString colorStatus_;
    std::optional<std::pair<QColor, double>> ink_;  // color and pixel ratio of the icons
    bool isLine_ = false;                           // the swatch shows the color of a curve
    bool refreshing_ = false;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The color bar: gradient, ticks with values, title with unit; as a widget, and as a function that
// paints over the sky.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "armilla/draw/color_scale.h"
#include "armilla/ui/theme.h"

class QFontMetricsF;
class QPainter;
class QRectF;

namespace armilla {

// Texts beside a color bar.
struct ColorBarText {
    QString title;  // "TEMPERATURE, uK_CMB"
    QString note;   // "asinh · 1–99 %"
};
// The name in the controls: "linear", "log", ...
QString scaleName(Scale scale);

// Position of the title: above the gradient with the note, or, in a low view, beside the gradient
// without the note.
enum class BarTitle { Above, Beside };

// "name, unit" fitted to the width: the name is elided before the unit is dropped.
QString titleOfBar(const QFontMetricsF& metrics, const QString& title, double room);
// About `count` ticks and at least two within the bar, because a single number shows no scale.
std::vector<Tick> ticksOfBar(const ColorScale& scale, int count);
// A tick label and the space it takes.
struct TickLabel {
    QString text;
    double left, right;
    bool isZero;
};
// Every label, or every second, third, ... counted from zero, so that steps stay equal and labels
// are `gap` apart. If fewer than two labels remain, as many as fit, from the left.
std::vector<TickLabel> labelsWithRoom(const std::vector<TickLabel>& labels, double gap);
// Height that a bar needs with this font: title line, gradient, tick labels.
double colorBarHeight(const QFont& font, BarTitle title = BarTitle::Above);
// Paints a color bar into the rectangle. With `halo` every text has a glow that keeps the text
// readable over a sky.
void paintColorBar(QPainter& painter, const QRectF& rectangle, const ColorScale& scale,
                   const ColorBarText& text, const Theme& theme, bool halo,
                   BarTitle title = BarTitle::Above);

// A color bar as a widget.
class ColorBarWidget : public QWidget {
    Q_OBJECT
public:
    explicit ColorBarWidget(QWidget* parent = nullptr);
    void setScale(const ColorScale& scale);
    void setText(const ColorBarText& text);
    const ColorScale& scale() const { return scale_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ColorScale scale_;
    ColorBarText text_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The color bar: gradient, ticks with values, title with unit; as a widget and as a painter for
// whoever draws over the sky.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "render/color_scale.h"
#include "ui/theme.h"

class QFontMetricsF;
class QPainter;
class QRectF;

namespace armilla {

struct ColorBarText {
    QString title;  // "TEMPERATURE, uK_CMB"
    QString note;   // "asinh · 1–99 %"
};
// "linear", "log", ...: as the controls name them.
QString scaleName(Scale scale);

// Where its title stands: above the gradient with the note, or, in a low view, beside it without.
enum class BarTitle { Above, Beside };

// What of "name, unit" fits: the name is cut short before the unit goes.
QString titleOfBar(const QFontMetricsF& metrics, const QString& title, double room);
// About `count`, and two at least within the bar: with a single number it tells no scale.
std::vector<Tick> ticksOfBar(const ColorScale& scale, int count);
// A label of a tick and the room that it takes.
struct TickLabel {
    QString text;
    double left, right;
    bool isZero;
};
// Each of them, or each second, third, ... counted from zero, so that they stay at equal steps,
// `gap` apart; where less than two are left so, as many as find room from the left.
std::vector<TickLabel> labelsWithRoom(const std::vector<TickLabel>& labels, double gap);
// Height that a bar needs with this font: title line, gradient, tick labels.
double colorBarHeight(const QFont& font, BarTitle title = BarTitle::Above);
// Paints it into the rectangle. With `halo` every text has a glow that keeps it readable on a sky.
void paintColorBar(QPainter& painter, const QRectF& rectangle, const ColorScale& scale,
                   const ColorBarText& text, const Theme& theme, bool halo,
                   BarTitle title = BarTitle::Above);

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

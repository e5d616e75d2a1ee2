// SPDX-License-Identifier: GPL-3.0-or-later
// Text that is readable on any picture: a soft glow behind the letters.
#pragma once

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QPointF>
#include <QRectF>
#include <QString>

namespace armilla {

// `baseline` is the left end of the base line. A fully transparent halo paints the text alone.
void drawHaloText(QPainter& painter, QPointF baseline, const QString& text, const QColor& color,
                  const QColor& halo);
// Centered at a point.
void drawHaloTextCentered(QPainter& painter, QPointF center, const QString& text,
                          const QColor& color, const QColor& halo);
// The painted area, including the glow.
QRectF haloTextArea(const QFont& font, QPointF center, const QString& text);
// Numbers with true minus signs and powers of ten.
QString typographicMinus(QString text);

}  // namespace armilla

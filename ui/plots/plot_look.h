// SPDX-License-Identifier: GPL-3.0-or-later
// Common style of the window's plots, from the theme.
#pragma once

#include <QPainter>
#include <QRectF>

#include "armilla/plot/plot_style.h"
#include "armilla/ui/theme.h"

namespace armilla {

inline PlotLook plotLook(const Theme& theme, const QFont& font) {
    return {theme.panel, theme.plotBackground, theme.border, theme.plotGrid,
            theme.text,  theme.textMuted,      font,         theme.smallFont(font)};
}

// The card that a painted plot lies on.
inline void paintPlotCard(QPainter& painter, const Theme& theme, const QRectF& card) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.plotBackground);
    painter.drawRoundedRect(card, theme.radius, theme.radius);
}

}  // namespace armilla

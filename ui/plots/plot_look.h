// SPDX-License-Identifier: GPL-3.0-or-later
// The look that the plots of the window share, of the theme.
#pragma once

#include "plot/plot_style.h"
#include "ui/theme.h"

namespace armilla {

inline PlotLook plotLook(const Theme& theme, const QFont& font) {
    return {theme.panel, theme.plotBackground, theme.border, theme.plotGrid,
            theme.text,  theme.textMuted,      font,         theme.smallFont(font)};
}

}  // namespace armilla

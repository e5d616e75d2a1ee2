// SPDX-License-Identifier: GPL-3.0-or-later
// Common style of the window's plots, from the theme.
#pragma once

#include "armilla/plot/plot_style.h"
#include "armilla/ui/theme.h"

namespace armilla {

inline PlotLook plotLook(const Theme& theme, const QFont& font) {
    return {theme.panel, theme.plotBackground, theme.border, theme.plotGrid,
            theme.text,  theme.textMuted,      font,         theme.smallFont(font)};
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/verdict_looks.h"

#include <QApplication>

#include "armilla/ui/theme.h"

namespace armilla {

QString verdictText(Verdict verdict) {
    switch (verdict) {
        case Verdict::Accepted: return QCoreApplication::translate("armilla::Verdict", "accepted");
        case Verdict::Rejected: return QCoreApplication::translate("armilla::Verdict", "rejected");
        case Verdict::Unsure: return QCoreApplication::translate("armilla::Verdict", "unsure");
        case Verdict::None: break;
    }
    return {};
}

QColor verdictColor(Verdict verdict) {
    const bool dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    const Theme& theme = dark ? Theme::darkTheme() : Theme::lightTheme();
    switch (verdict) {
        case Verdict::Accepted: return theme.success;
        case Verdict::Rejected: return theme.error;
        case Verdict::Unsure: return theme.accent;
        case Verdict::None: break;
    }
    return theme.textMuted;
}

}  // namespace armilla

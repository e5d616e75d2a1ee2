// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/figure/figure_theme.h"

#include <QFontDatabase>
#include <QStringList>

#include "armilla/core/error.h"

namespace armilla {

namespace {

// The first installed family of a fixed list, so that figures do not depend on user settings.
QString installedFamily(const QString& stated) {
    const QStringList installed = QFontDatabase::families();
    if (installed.isEmpty())
        throw Unsupported("expected an installed font for the labels, found none");
    if (!stated.isEmpty()) {
        for (const QString& family : installed)
            if (family.compare(stated, Qt::CaseInsensitive) == 0) return family;
        throw Unsupported("expected the name of an installed font, such as '" +
                          installed.front().toStdString() + "', found '" + stated.toStdString() +
                          "'");
    }
    for (const char* wanted :
         {"Source Sans 3", "Inter", "Noto Sans", "Liberation Sans", "DejaVu Sans"})
        if (installed.contains(QLatin1String(wanted))) return QLatin1String(wanted);
    return installed.front();
}

}  // namespace

QFont FigureTheme::font(double points, QFont::Weight weight) const {
    QFont font(family);
    font.setPointSizeF(points);
    font.setWeight(weight);
    // Hinting would shift letters to integer pixels, differently in each format.
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

FigureTheme figureTheme(const FigureLook& look) {
    const bool dark = look.background == FigureBackground::Dark;
    const double size = look.textPoints / kFigureTextPoints;
    FigureTheme theme;
    theme.titlePoints *= size;
    theme.textPoints *= size;
    theme.labelPoints *= size;
    theme.background = dark ? QColor(18, 20, 24) : QColor(255, 255, 255);
    theme.ink = dark ? QColor(236, 238, 242) : QColor(20, 22, 26);
    theme.faint = dark ? QColor(160, 166, 176) : QColor(92, 98, 108);
    theme.family = installedFamily(QString::fromStdString(look.family));
    return theme;
}

FigureTheme figureTheme(bool dark) {
    FigureLook look;
    look.background = dark ? FigureBackground::Dark : FigureBackground::Light;
    return figureTheme(look);
}

QString withMinus(QString text) {
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

}  // namespace armilla

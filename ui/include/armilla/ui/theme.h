// SPDX-License-Identifier: GPL-3.0-or-later
// Appearance of the program: colors, spacing and fonts, dark and light. One value serves every
// widget; palette and style sheet derive from it.
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

class QApplication;
class QWidget;

namespace armilla {

// Choice of the theme in the settings.
enum class ThemeKind { System, Dark, Light };

// Lengths are logical pixels: Qt scales them with the screen.
struct Theme {
    bool dark = true;

    QColor window;   // menu bar, tool bar, status bar
    QColor panel;    // docks and lists
    QColor card;     // raised areas in a panel: plots, jobs, tool tips
    QColor control;  // buttons, fields
    QColor controlHover;
    QColor controlPressed;
    QColor border;     // border of controls
    QColor separator;  // between panels
    QColor text;
    QColor textMuted;   // second lines, values' names
    QColor textFaint;   // headings, disabled text
    QColor accent;      // selected controls, sliders, focus
    QColor accentFill;  // behind selected text or a checked button
    QColor accentBorder;
    QColor primary;  // the button of the main action
    QColor primaryText;
    QColor success, warning, error;

    // Colors of the sky view: background, lines and labels.
    QColor skyCenter, skyEdge;  // background, from center to corners
    QColor skyLine;             // graticule
    QColor skyOutline;
    QColor skyLabel, skyHalo;  // text over the picture, and its glow
    QColor chip, chipText;     // name plates on the picture
    QColor measure;            // ruler and linked cursors

    // Plots.
    QColor plotBackground, plotGrid;
    QColor first, second, third;  // lines: blue, orange, green
    QColor histogram;

    int spacing = 8;  // between controls; margins of panels
    int radius = 5;   // corner radius
    int controlHeight = 24;

    // The two themes.
    static const Theme& darkTheme();
    static const Theme& lightTheme();
    // The theme that matches the palette of a widget.
    static const Theme& of(const QWidget* widget);

    // Palette and style sheet with these colors.
    QPalette palette() const;
    QString styleSheet() const;
    // Font of panel headings (spaced capitals), and smaller font of second lines.
    QFont headingFont(const QFont& base) const;
    QFont smallFont(const QFont& base) const;
};

// Sets style, palette and style sheet of the whole application. System follows the palette at the
// start of the application.
//
// Dynamic properties in the style sheet:
// - QPushButton and QToolButton "primary" (the main action) and "flat";
// - QLabel "role" = heading, muted, success, warning, error;
// - QFrame "role" = card.
void applyTheme(QApplication& application, ThemeKind kind);

}  // namespace armilla

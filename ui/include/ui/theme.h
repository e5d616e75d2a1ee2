// SPDX-License-Identifier: GPL-3.0-or-later
// The look of the program: colors, spacing and fonts, dark and light, as one value that every
// widget draws with, and the palette and style sheet made of it.
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

class QApplication;
class QWidget;

namespace armilla {

enum class ThemeKind { System, Dark, Light };

// Lengths are logical pixels: Qt scales them with the screen.
struct Theme {
    bool dark = true;

    QColor window;   // menu bar, tool bar, status bar
    QColor panel;    // docks and lists
    QColor card;     // raised pieces in a panel: plots, jobs, tool tips
    QColor control;  // buttons, fields
    QColor controlHover;
    QColor controlPressed;
    QColor border;     // of controls
    QColor separator;  // between panels
    QColor text;
    QColor textMuted;   // second lines, values' names
    QColor textFaint;   // headings, disabled text
    QColor accent;      // selected controls, sliders, focus
    QColor accentFill;  // behind selected text or a checked button
    QColor accentBorder;
    QColor primary;  // the one button that acts
    QColor primaryText;
    QColor success, warning, error;

    // The sky view: what lies around the sky, lines and labels on it.
    QColor skyCenter, skyEdge;  // background, from its middle to its corners
    QColor skyLine;             // graticule
    QColor skyOutline;
    QColor skyLabel, skyHalo;  // text on the picture and the glow behind it
    QColor chip, chipText;     // name plates on the picture
    QColor measure;            // ruler and linked cursors

    // Plots.
    QColor plotBackground, plotGrid;
    QColor first, second, third;  // lines: blue, orange, green
    QColor histogram;

    int spacing = 8;  // between controls; margins of panels
    int radius = 5;   // of corners
    int controlHeight = 24;

    static const Theme& darkTheme();
    static const Theme& lightTheme();
    // The theme that goes with the palette of a widget.
    static const Theme& of(const QWidget* widget);

    QPalette palette() const;
    QString styleSheet() const;
    // Spaced capitals of panel headings; the smaller second line.
    QFont headingFont(const QFont& base) const;
    QFont smallFont(const QFont& base) const;
};

// Gives the whole application style, palette and style sheet. System follows the palette that the
// application was started with.
//
// The style sheet knows these dynamic properties: QPushButton and QToolButton "primary" (the one
// that acts) and "flat"; QLabel "role" = heading, muted, success, warning, error; QFrame "role" =
// card.
void applyTheme(QApplication& application, ThemeKind kind);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Appearance of polarization: line segments, line integral convolution, thresholds, sign of U.
#pragma once

#include <QMenu>

namespace armilla {

class Document;

class PolarizationMenu : public QMenu {
    Q_OBJECT
public:
    // The document must outlive the menu. `rods`: the window's action for line segments.
    PolarizationMenu(Document& document, QAction* rods, QWidget* parent = nullptr);

private:
    void refresh();
    void fillLengths();
    Document& document_;
    QAction* lic_;
    QMenu* lengths_;
    QActionGroup *snr_, *convention_;
};

}  // namespace armilla

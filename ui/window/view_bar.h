// SPDX-License-Identifier: GPL-3.0-or-later
// The tool bar over the sky: projections, frame, overlays, comparisons, and the search for places.
#pragma once

#include <QObject>
#include <QString>

class QAction;
class QActionGroup;
class QLineEdit;
class QMenu;
class QToolBar;
class QToolButton;

namespace armilla {

class MainWindow;

class ViewBar : public QObject {
    Q_OBJECT
public:
    // The commands of the bar; all must outlive it.
    struct Content {
        QActionGroup *projections = nullptr, *comparisons = nullptr;
        QMenu* frameMenu = nullptr;
        QAction *graticule = nullptr, *rods = nullptr, *difference = nullptr;
    };
    ViewBar(MainWindow& window, const Content& content);

    // A compact bar shows only icons.
    void setCompact(bool compact);
    // Moves the keyboard to the search for places.
    void beginSearch();
    // Shows the checked projection on the common button.
    void showProjection();
    void showFrame(const QString& frame, const QString& tip);

private:
    void foldProjections(bool fold);
    void fitSearch();

    MainWindow& window_;
    Content content_;
    QToolBar* bar_;
    // The button for the projections if there is no space for individual buttons.
    QAction* projectionMenu_ = nullptr;
    QToolButton *frameButton_ = nullptr, *projectionButton_ = nullptr;
    QLineEdit* search_ = nullptr;
};

}  // namespace armilla

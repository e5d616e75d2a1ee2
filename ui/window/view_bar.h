// SPDX-License-Identifier: GPL-3.0-or-later
// The tool bar over the sky: projections, frame, overlays, comparisons, and the search for places.
#pragma once

#include <QObject>
#include <QString>
#include <vector>

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

    // A compact bar shows only icons, but names of projections.
    void setCompact(bool compact);
    // Moves the keyboard to the search for places.
    void beginSearch();
    // Shows the checked projection on the common button.
    void showProjection();
    void showFrame(const QString& frame, const QString& tip);

private:
    // Where the projections are: a row of names, or a button that names the checked one and has a
    // menu; the button has an icon only where nothing else fits.
    enum class Projections { Names, Button, Icon };
    void place(Projections how);
    int widthOfButton() const;
    void fitSearch();

    MainWindow& window_;
    Content content_;
    QToolBar* bar_;
    std::vector<QAction*> projectionNames_;  // places of buttons
    QAction* projectionMenu_ = nullptr;
    QToolButton *frameButton_ = nullptr, *projectionButton_ = nullptr;
    QLineEdit* search_ = nullptr;
};

}  // namespace armilla

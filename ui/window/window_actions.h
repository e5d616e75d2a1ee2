// SPDX-License-Identifier: GPL-3.0-or-later
// The menus and the tool bar of a window: every command once, synchronized with the document.
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "armilla/session/document.h"

class QAction;
class QActionGroup;
class QLineEdit;
class QMenu;
class QToolBar;
class QToolButton;

namespace armilla {

class MainWindow;

class WindowActions : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(MainWindow& window);

    // Below this width the tool bar shows only icons.
    void setCompact(bool compact);
    // All commands with a place in a menu.
    QList<QAction*> all() const;

private:
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void buildMapMenu();
    void buildAnalysisMenu();
    void buildWindowMenu();
    void buildHelpMenu();
    void buildToolBar();
    void fitSearch();
    void foldProjections(bool fold);
    int layerAtPointer() const;
    int unframedLayer() const;
    void buildProjections();
    void buildFrames();
    void buildGraticule();
    void buildComparisons();
    QAction* add(QMenu* menu, const QString& icon, const QString& text, const QKeySequence& keys,
                 std::function<void()> act);
    void fillRecent();
    void fillFields();
    void refreshView();
    void refreshMaps();
    void stepMap(int step);

    MainWindow& window_;
    Document& document_;
    QToolBar* bar_ = nullptr;
    QMenu *recent_ = nullptr, *fields_ = nullptr, *frameMenu_ = nullptr, *graticuleMenu_ = nullptr;
    QActionGroup *projections_ = nullptr, *frames_ = nullptr, *steps_ = nullptr,
                 *comparisons_ = nullptr;
    QAction *graticule_ = nullptr, *rods_ = nullptr, *flip_ = nullptr, *difference_ = nullptr,
            *closeAll_ = nullptr, *exportLayer_ = nullptr;
    // button for the projections if there is no space for individual buttons
    QAction* projectionMenu_ = nullptr;
    QToolButton *frameButton_ = nullptr, *projectionButton_ = nullptr;
    QLineEdit* search_ = nullptr;
    std::vector<QAction*> needMap_;  // enabled only while a map is shown
};

}  // namespace armilla

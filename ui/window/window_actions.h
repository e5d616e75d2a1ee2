// SPDX-License-Identifier: GPL-3.0-or-later
// The menus and the tool bar of a window: every command once, synchronized with the document.
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "armilla/session/document.h"

class QAction;
class QActionGroup;
class QMenu;

namespace armilla {

class MainWindow;
class ViewBar;

class WindowActions : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(MainWindow& window);

    ViewBar& bar() { return *bar_; }
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
    LayerId layerAtPointer() const;
    LayerId unframedLayer() const;
    void buildProjections();
    void buildFrames();
    void buildGraticule();
    void buildComparisons();
    // `tip` states the effect in a sentence, for tool tips, "What is this?" and the search.
    QAction* add(QMenu* menu, const QString& icon, const QString& text, const QKeySequence& keys,
                 const QString& tip, std::function<void()> act);
    void fillRecent();
    void fillFields();
    void refreshView();
    void refreshMaps();
    void stepMap(int step);

    MainWindow& window_;
    Document& document_;
    ViewBar* bar_ = nullptr;
    QMenu *recent_ = nullptr, *fields_ = nullptr, *frameMenu_ = nullptr, *graticuleMenu_ = nullptr;
    QActionGroup *projections_ = nullptr, *frames_ = nullptr, *steps_ = nullptr,
                 *comparisons_ = nullptr;
    QAction *graticule_ = nullptr, *rods_ = nullptr, *flip_ = nullptr, *difference_ = nullptr,
            *closeAll_ = nullptr, *exportLayer_ = nullptr;
    std::vector<QAction*> needMap_;  // enabled only while a map is shown
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The list of layers: what is shown, compared, renamed, closed, exported.
#pragma once

#include <QSet>
#include <QWidget>

#include "session/document.h"

class QLabel;
class QMenu;
class QTreeView;

namespace armilla {

class MapsModel;

class MapsPanel : public QWidget {
    Q_OBJECT
public:
    // The document must outlive the panel.
    explicit MapsPanel(Document& document, QWidget* parent = nullptr);

    QTreeView* view() const { return view_; }
    // The map that the keyboard is on, -1 if none.
    int currentEntry() const;
    // Entry used as a mask by the spectrum, -1 if none; marked in the list's menu.
    void setMaskEntry(int entry) { maskEntry_ = entry; }
    // Shows what the row stands for as A (or B): the act of a click.
    void showRow(const QModelIndex& index);
    void compareRow(const QModelIndex& index);
    // Shows or hides what lies over the map; false for a map, which has no eye.
    bool toggleVisible(const QModelIndex& index);
    void renameCurrent();
    void closeCurrent();

signals:
    void openRequested();
    void exportRequested(int entry);
    void copyCommandRequested(int entry);
    // -1: no mask any more.
    void maskRequested(int entry);

private:
    void showMenu(const QPoint& position);
    void restoreExpansion();
    void syncCurrent();

    Document& document_;
    MapsModel* model_;
    QTreeView* view_;
    QLabel* empty_;
    QSet<int> folded_;  // maps whose fields the user has folded away
    int maskEntry_ = -1;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The list of layers: what is shown, compared, renamed, closed, exported.
#pragma once

#include <QSet>
#include <QWidget>
#include <set>

#include "armilla/session/document.h"

class QLabel;
class QLineEdit;
class QMenu;
class QTreeView;

namespace armilla {

class MapsModel;

// Keys that move the current layer in the list.
inline constexpr QKeyCombination kMoveUp = Qt::CTRL | Qt::SHIFT | Qt::Key_Up,
                                 kMoveDown = Qt::CTRL | Qt::SHIFT | Qt::Key_Down;

class MapsPanel : public QWidget {
    Q_OBJECT
public:
    // The document must outlive the panel.
    explicit MapsPanel(Document& document, QWidget* parent = nullptr);

    QTreeView* view() const { return view_; }
    // The map of the keyboard row, invalid if none.
    LayerId currentEntry() const;
    // Map used as a mask by the spectrum, invalid if none; marked in the list's menu.
    void setMaskEntry(LayerId entry) { maskEntry_ = entry; }
    // Shows the content of the row as A (or B), like a click.
    void showRow(const QModelIndex& index);
    void compareRow(const QModelIndex& index);
    // Shows or hides an overlaid layer; returns false for a map, which cannot be hidden.
    bool toggleVisible(const QModelIndex& index);
    void renameCurrent();
    // Moves the current layer above (-1) or below (+1) its neighbor in the list.
    void moveCurrent(int step);
    void closeCurrent();
    // Menu of frames for a layer that does not name its own.
    void popupFrames(LayerId layer, const QPoint& global);

signals:
    void openRequested();
    void exportRequested(LayerId entry);
    void copyCommandRequested(LayerId entry);
    // The user stated the frame of a layer that does not name its own; Unknown: withdrawn.
    void frameStated(LayerId layer, armilla::Frame frame);
    // invalid: no mask.
    void maskRequested(LayerId entry);
    // For a layer that could not be recomputed.
    void retryRequested(LayerId layer, const QString& path = {});
    void findRequested(LayerId layer);

private:
    void showMenu(const QPoint& position);
    // Adds the frames that can be stated for a layer to a menu.
    void addFrames(QMenu& menu, const Layer& layer);
    void addMoves(QMenu& menu, const QModelIndex& index);
    // The row whose words "frame unknown" are at `position`.
    QModelIndex frameWordsAt(const QPoint& position) const;
    void fold(const QModelIndex& index);
    void restoreExpansion();
    void followShown();
    void applyFilter();
    void syncCurrent();
    // Shows missing layers below the list, with the reason and possible actions.
    void showMissing();

    Document& document_;
    MapsModel* model_;
    QTreeView* view_;
    QLabel* empty_;
    QWidget* missing_ = nullptr;
    // Search line for long lists; matching rows are unfolded.
    QLineEdit* filter_;
    // Maps whose fields the user has folded or unfolded. Other maps show their fields while one of
    // them is in the picture.
    QSet<LayerId> folded_, unfolded_;
    std::set<LayerId> seen_;  // layers in the picture
    bool expanding_ = false, filtered_ = false;
    LayerId maskEntry_;
};

}  // namespace armilla

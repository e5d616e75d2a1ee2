// SPDX-License-Identifier: GPL-3.0-or-later
// The view of a document: the shown and the compared map, their display, the camera, and the
// selected row.
#pragma once

#include <QObject>
#include <QString>

#include "armilla/draw/camera.h"
#include "armilla/session/layer.h"
#include "armilla/session/row_selection.h"
#include "armilla/session/shown.h"

namespace armilla {

class History;
class LayerDrawings;
class LayerList;

// Display of the shown (A) and the compared (B) map.
enum class Comparison { Single, SideBySide, Blink, Swipe };

// All values of a view. A step of the history stores them before and after, and changes only those
// that differ.
struct ViewState {
    Shown shown, compared;
    Comparison comparison = Comparison::Single;
    double swipe = 0.5;
    Camera camera;
};

// The set... functions push undoable steps. Successive camera moves and slider steps merge into one
// step. Used only in the window's thread.
class DocumentView : public QObject {
    Q_OBJECT
public:
    // All arguments must outlive the view.
    DocumentView(LayerList& layers, LayerDrawings& drawings, History& history);

    Shown shown() const { return state_.shown; }        // left, before, A
    Shown compared() const { return state_.compared; }  // right, after, B
    // Display of A and B.
    Comparison comparison() const { return state_.comparison; }
    double swipe() const { return state_.swipe; }  // 0..1 of the width
    const Camera& camera() const { return state_.camera; }

    // Ignored if nothing changes. Throws InvalidArgument for a field or quantity that the layer
    // does not have, here and in compare().
    void setShown(const Shown& shown);
    // Sets all three as one step of the history, named after the comparison. An entry of -1 in
    // `compared`: nothing is compared.
    void compare(const Shown& shown, const Shown& compared, Comparison comparison);
    void setSwipe(double position);
    // Moves the view; successive movements merge into one step.
    void setCamera(const Camera& camera);
    // Points the camera at the data, in another projection if necessary. Successive calls merge
    // into one step. A call right after the step that opened the data adds no step.
    void lookAtData(const Camera& camera);
    // Changes the view without a history step, as selections do: a blink by key, or a view that
    // follows the selected row. Undo reverts edits, not glances between edits.
    void glance(const Shown& shown, const Shown& compared, Comparison comparison);
    void glance(const Camera& camera);

    // The selected catalog row; not part of the history. Throws InvalidArgument for a row that does
    // not exist.
    RowSelection selection() const;
    void setSelection(const RowSelection& selection);

    // For the steps of the history and for other parts of the document: all values, and a change
    // of those that differ between `from` and `to`.
    const ViewState& state() const { return state_; }
    void apply(const ViewState& from, const ViewState& to);
    // Shows the nearest open ancestors in place of closed maps.
    void leaveClosed();

signals:
    // Another field is shown or compared.
    void shownChanged();
    void cameraChanged();
    // Display of A and B, or the divider, has changed.
    void comparisonChanged();
    void selectionChanged();

private:
    void requireShowable(const Shown& shown) const;
    ViewState comparing(const Shown& shown, const Shown& compared, Comparison comparison) const;
    void push(const QString& text, const ViewState& to);

    LayerList& layers_;
    LayerDrawings& drawings_;
    History& history_;
    ViewState state_;
};

// "sky.fits", or "Q of sky.fits" if the map has several fields.
QString nameOfShown(const Layer& layer, const Shown& shown);

}  // namespace armilla

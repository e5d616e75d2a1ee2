// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/document_view.h"

#include <algorithm>
#include <string>

#include "armilla/core/error.h"
#include "armilla/session/history.h"
#include "armilla/session/layer_drawings.h"
#include "armilla/session/shown_text.h"
#include "layer_list.h"
#include "view_step.h"

namespace armilla {

namespace {

// Title of a history step.
QString comparisonText(Comparison comparison) {
    switch (comparison) {
        case Comparison::Single: return DocumentView::tr("One map");
        case Comparison::SideBySide: return DocumentView::tr("Side by side");
        case Comparison::Blink: return DocumentView::tr("Blink");
        case Comparison::Swipe: return DocumentView::tr("Swipe");
    }
    return {};
}

QString cameraText(const Camera& from, const Camera& to) {
    if (from.projection != to.projection)
        return DocumentView::tr("Projection: %1").arg(shownText(factsOf(to.projection).title));
    if (from.frame != to.frame)
        return DocumentView::tr("Frame: %1").arg(shownText(frameName(to.frame)));
    if (from.flip != to.flip)
        return to.flip ? DocumentView::tr("East to the right")
                       : DocumentView::tr("East to the left");
    return DocumentView::tr("Move view");
}

ViewAspect aspectOf(const ViewState& from, const ViewState& to) {
    if (from.shown != to.shown || from.compared != to.compared || from.comparison != to.comparison)
        return ViewAspect::Other;
    // A change of projection, frame or handedness is a separate step, not part of a movement.
    if (from.camera.projection != to.camera.projection || from.camera.frame != to.camera.frame ||
        from.camera.flip != to.camera.flip)
        return ViewAspect::Other;
    if (!sameCamera(from.camera, to.camera)) return ViewAspect::Motion;
    return from.swipe != to.swipe ? ViewAspect::Divider : ViewAspect::Other;
}

}  // namespace

QString nameOfShown(const Layer& layer, const Shown& shown) {
    if (!layer.map || shown.field >= layer.map->fieldCount()) return layer.name;
    if (layer.map->fieldCount() == 1 && shown.quantity == Quantity::Field) return layer.name;
    QString what = QString::fromStdString(layer.map->field(shown.field).name);
    if (what.isEmpty()) what = DocumentView::tr("field %1").arg(shown.field + 1);
    if (shown.quantity == Quantity::PolarizedAmplitude) what = DocumentView::tr("P");
    if (shown.quantity == Quantity::PolarizationAngle) what = DocumentView::tr("angle");
    return DocumentView::tr("%1 of %2").arg(what, layer.name);
}

DocumentView::DocumentView(LayerList& layers, LayerDrawings& drawings, History& history)
    : layers_(layers), drawings_(drawings), history_(history) {
    connect(&layers, &LayerList::selectionChanged, this, &DocumentView::selectionChanged);
}

RowSelection DocumentView::selection() const {
    return layers_.selection();
}

void DocumentView::setSelection(const RowSelection& selection) {
    layers_.select(selection);
}

void DocumentView::requireShowable(const Shown& shown) const {
    const Layer* entry = layers_.find(shown.entry);
    if (!entry || !entry->map)
        throw InvalidArgument("expected an open map to show, found number " +
                              std::to_string(shown.entry.number()));
    if (shown.field < 0 || shown.field >= entry->map->fieldCount())
        throw InvalidArgument("expected a field from 1 to " +
                              std::to_string(entry->map->fieldCount()) + ", found " +
                              std::to_string(shown.field + 1));
    if (shown.quantity != Quantity::Field && !entry->map->polarizationPair())
        throw InvalidArgument("expected a map with fields Q and U, found none in " +
                              entry->name.toStdString());
}

// The present view with other maps.
ViewState DocumentView::comparing(const Shown& shown, const Shown& compared,
                                  Comparison comparison) const {
    ViewState next = state_;
    if (shown != state_.shown) {
        requireShowable(shown);
        next.camera = adapted(state_.camera, layers_.find(shown.entry)->map->frame());
    }
    if (compared != state_.compared && compared.entry.isValid()) requireShowable(compared);
    next.shown = shown;
    next.compared = compared;
    next.comparison = comparison;
    return next;
}

void DocumentView::push(const QString& text, const ViewState& to) {
    history_.stack()->push(new ViewStep(*this, text, to, aspectOf(state_, to), history_.gesture()));
}

void DocumentView::setShown(const Shown& shown) {
    if (shown == state_.shown) return;
    const ViewState to = comparing(shown, state_.compared, state_.comparison);
    push(tr("Show %1").arg(nameOfShown(*layers_.find(shown.entry), shown)), to);
}

void DocumentView::compare(const Shown& shown, const Shown& compared, Comparison comparison) {
    if (shown == state_.shown && compared == state_.compared && comparison == state_.comparison)
        return;
    push(comparisonText(comparison), comparing(shown, compared, comparison));
}

void DocumentView::setSwipe(double position) {
    ViewState to = state_;
    to.swipe = std::clamp(position, 0.0, 1.0);
    if (to.swipe != state_.swipe) push(tr("Move divider"), to);
}

void DocumentView::setCamera(const Camera& camera) {
    if (sameCamera(camera, state_.camera)) return;
    ViewState to = state_;
    to.camera = camera;
    push(cameraText(state_.camera, camera), to);
}

void DocumentView::lookAtData(const Camera& camera) {
    if (sameCamera(camera, state_.camera)) return;
    ViewState to = state_;
    to.camera = camera;
    history_.stack()->push(
        new ViewStep(*this, tr("Zoom to data"), to, ViewAspect::DataPlace, history_.gesture()));
}

void DocumentView::glance(const Shown& shown, const Shown& compared, Comparison comparison) {
    const ViewState before = state_;
    apply(before, comparing(shown, compared, comparison));
}

void DocumentView::glance(const Camera& camera) {
    const ViewState before = state_;
    ViewState to = before;
    to.camera = camera;
    apply(before, to);
}

void DocumentView::apply(const ViewState& from, const ViewState& to) {
    const ViewState old = state_;
    if (from.shown != to.shown) state_.shown = layers_.resolved(to.shown);
    if (from.compared != to.compared) state_.compared = layers_.resolved(to.compared);
    if (from.comparison != to.comparison) state_.comparison = to.comparison;
    if (from.swipe != to.swipe) state_.swipe = to.swipe;
    if (!sameCamera(from.camera, to.camera)) state_.camera = to.camera;
    // All values change before the signals, so that receivers see one consistent state.
    const bool isOtherMap = old.shown != state_.shown || old.compared != state_.compared;
    if (isOtherMap) drawings_.protect({state_.shown, state_.compared});
    if (!sameCamera(old.camera, state_.camera)) emit cameraChanged();
    if (isOtherMap) emit shownChanged();
    if (old.shown.entry != state_.shown.entry && state_.shown.entry.isValid())
        layers_.becomeActive(state_.shown.entry);
    if (old.comparison != state_.comparison || old.swipe != state_.swipe) emit comparisonChanged();
}

void DocumentView::leaveClosed() {
    const Shown shown = layers_.resolved(state_.shown),
                compared = layers_.resolved(state_.compared);
    if (shown == state_.shown && compared == state_.compared) return;
    state_.shown = shown;
    state_.compared = compared;
    drawings_.protect({shown, compared});
    emit shownChanged();
}

}  // namespace armilla

#include "armilla/session/moc_document_view.cpp"

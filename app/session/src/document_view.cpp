// SPDX-License-Identifier: GPL-3.0-or-later
// The view of a document: maps, comparison, camera, colors, graticule, polarization.
#include <QCoreApplication>
#include <algorithm>

#include "armilla/core/error.h"
#include "armilla/session/document.h"
#include "armilla/session/shown_text.h"
#include "document_state.h"

namespace armilla {

namespace {

// "sky.fits", or "Q of sky.fits" if the map has several fields.
QString nameOfShown(const Layer& layer, const Shown& shown) {
    if (!layer.map || shown.field >= layer.map->fieldCount()) return layer.name;
    if (layer.map->fieldCount() == 1 && shown.quantity == Quantity::Field) return layer.name;
    QString what = QString::fromStdString(layer.map->field(shown.field).name);
    if (what.isEmpty()) what = Document::tr("field %1").arg(shown.field + 1);
    if (shown.quantity == Quantity::PolarizedAmplitude) what = Document::tr("P");
    if (shown.quantity == Quantity::PolarizationAngle) what = Document::tr("angle");
    return Document::tr("%1 of %2").arg(what, layer.name);
}

bool samePoint(PlanePoint a, PlanePoint b) {
    return a.x == b.x && a.y == b.y;
}

bool isHome(const Camera& camera) {
    const Camera home;
    return std::equal(std::begin(camera.orientation.m), std::end(camera.orientation.m),
                      std::begin(home.orientation.m)) &&
           camera.zoom == home.zoom && samePoint(camera.offset, home.offset);
}

// Title of a history step.
QString comparisonText(Comparison comparison) {
    switch (comparison) {
        case Comparison::Single: return Document::tr("One map");
        case Comparison::SideBySide: return Document::tr("Side by side");
        case Comparison::Blink: return Document::tr("Blink");
        case Comparison::Swipe: return Document::tr("Swipe");
    }
    return {};
}

QString cameraText(const Camera& from, const Camera& to) {
    if (from.projection != to.projection)
        return Document::tr("Projection: %1").arg(shownText(factsOf(to.projection).title));
    if (from.frame != to.frame)
        return Document::tr("Frame: %1").arg(shownText(frameName(to.frame)));
    if (from.flip != to.flip)
        return to.flip ? Document::tr("East to the right") : Document::tr("East to the left");
    return Document::tr("Move view");
}

void requireShowable(const Document& document, const Shown& shown) {
    const Layer* entry = document.entry(shown.entry);
    if (!entry || !entry->map)
        throw InvalidArgument("expected an open map to show, found number " +
                              std::to_string(shown.entry));
    if (shown.field < 0 || shown.field >= entry->map->fieldCount())
        throw InvalidArgument("expected a field from 1 to " +
                              std::to_string(entry->map->fieldCount()) + ", found " +
                              std::to_string(shown.field + 1));
    if (shown.quantity != Quantity::Field && !entry->map->polarizationPair())
        throw InvalidArgument("expected a map with fields Q and U, found none in " +
                              entry->name.toStdString());
}

}  // namespace

bool sameCamera(const Camera& a, const Camera& b) {
    return a.projection == b.projection && a.frame == b.frame && a.zoom == b.zoom &&
           a.flip == b.flip && samePoint(a.offset, b.offset) &&
           std::equal(std::begin(a.orientation.m), std::end(a.orientation.m),
                      std::begin(b.orientation.m));
}

bool sameScale(const ColorScale& a, const ColorScale& b) {
    return a.colorMap == b.colorMap && a.reversed == b.reversed &&
           a.mapping.scale == b.mapping.scale && a.mapping.low == b.mapping.low &&
           a.mapping.high == b.mapping.high && a.mapping.middle == b.mapping.middle &&
           a.mapping.linear == b.mapping.linear && a.cumulative == b.cumulative && a.bad == b.bad &&
           a.outside == b.outside && a.ownBelow == b.ownBelow && a.ownAbove == b.ownAbove &&
           a.below == b.below && a.above == b.above;
}

Camera Document::State::adapted(const Camera& camera, Frame frame) {
    Camera adapted = camera;
    // No rotation exists between a known and an unknown frame, so the view only changes its frame
    // label. A camera in its home position adopts the frame of the new map; a view that the user
    // moved stays.
    if (isHome(camera) || frame == Frame::Unknown || camera.frame == Frame::Unknown)
        adapted.frame = frame;
    return adapted;
}

Camera Document::State::unmoved(const Camera& camera) {
    if (isHome(camera)) return camera;
    Camera home;
    home.flip = camera.flip;
    home.frame = camera.frame;
    return home;
}

Shown Document::shown() const {
    return state_->view.shown;
}
Shown Document::compared() const {
    return state_->view.compared;
}
Comparison Document::comparison() const {
    return state_->view.comparison;
}
double Document::swipe() const {
    return state_->view.swipe;
}
const Camera& Document::camera() const {
    return state_->view.camera;
}
double Document::graticuleStep() const {
    return state_->view.graticuleStep;
}
bool Document::graticuleVisible() const {
    return state_->view.graticuleVisible;
}
bool Document::rodsVisible() const {
    return state_->view.rodsVisible;
}

const ColorScale& Document::colorScale(const Shown& shown) const {
    static const ColorScale plain;
    const auto found = state_->scales.find(shown);
    return found == state_->scales.end() ? plain : found->second;
}

void Document::setShown(const Shown& shown) {
    if (shown == state_->view.shown) return;
    requireShowable(*this, shown);
    DocumentView view = state_->view;
    view.shown = shown;
    view.camera = State::adapted(view.camera, entry(shown.entry)->map->frame());
    state_->pushView(tr("Show %1").arg(nameOfShown(*entry(shown.entry), shown)), view);
}

void Document::setCompared(const Shown& shown) {
    if (shown == state_->view.compared) return;
    if (shown.entry >= 0) requireShowable(*this, shown);
    DocumentView view = state_->view;
    view.compared = shown;
    state_->pushView(shown.entry < 0
                         ? tr("Compare with nothing")
                         : tr("Compare with %1").arg(nameOfShown(*entry(shown.entry), shown)),
                     view);
}

void Document::setComparison(Comparison comparison) {
    if (comparison == state_->view.comparison) return;
    DocumentView view = state_->view;
    view.comparison = comparison;
    state_->pushView(comparisonText(comparison), view);
}

DocumentView Document::State::comparing(const Shown& shown, const Shown& compared,
                                        Comparison comparison) const {
    DocumentView next = view;
    if (shown != view.shown) {
        requireShowable(document, shown);
        next.camera = adapted(view.camera, document.entry(shown.entry)->map->frame());
    }
    if (compared != view.compared && compared.entry >= 0) requireShowable(document, compared);
    next.shown = shown;
    next.compared = compared;
    next.comparison = comparison;
    return next;
}

void Document::compare(const Shown& shown, const Shown& compared, Comparison comparison) {
    const DocumentView& view = state_->view;
    if (shown == view.shown && compared == view.compared && comparison == view.comparison) return;
    state_->pushView(comparisonText(comparison), state_->comparing(shown, compared, comparison));
}

void Document::glance(const Shown& shown, const Shown& compared, Comparison comparison) {
    const DocumentView before = state_->view;
    state_->applyView(before, state_->comparing(shown, compared, comparison));
}

void Document::glance(const Camera& camera) {
    const DocumentView before = state_->view;
    DocumentView view = before;
    view.camera = camera;
    state_->applyView(before, view);
}

void Document::setSwipe(double position) {
    position = std::clamp(position, 0.0, 1.0);
    if (position == state_->view.swipe) return;
    DocumentView view = state_->view;
    view.swipe = position;
    state_->pushView(tr("Move divider"), view);
}

void Document::setCamera(const Camera& camera) {
    if (sameCamera(camera, state_->view.camera)) return;
    DocumentView view = state_->view;
    view.camera = camera;
    state_->pushView(cameraText(state_->view.camera, camera), view);
}

void Document::lookAtData(const Camera& camera) {
    if (sameCamera(camera, state_->view.camera)) return;
    DocumentView view = state_->view;
    view.camera = camera;
    state_->pushLook(tr("Zoom to data"), view);
}

void Document::setColorScale(const Shown& shown, const ColorScale& scale) {
    if (sameScale(scale, colorScale(shown))) return;
    const Layer* layer = entry(shown.entry);
    state_->pushScale(
        shown, layer ? tr("Colors of %1").arg(nameOfShown(*layer, shown)) : tr("Change colors"),
        scale);
}

void Document::setGraticule(bool visible, double step) {
    if (visible == state_->view.graticuleVisible && step == state_->view.graticuleStep) return;
    DocumentView view = state_->view;
    view.graticuleVisible = visible;
    view.graticuleStep = step;
    state_->pushView(tr("Change graticule"), view);
}

const PolarizationLook& Document::polarizationLook() const {
    return state_->view.polarization;
}

const Layer* Document::rodLengths() const {
    const PolarizationLook& look = polarizationLook();
    const Layer* layer = entry(look.lengthLayer);
    const bool serves = layer && layer->map && layer->map->coverage() != Coverage::MultiOrder &&
                        look.lengthField < layer->map->fieldCount();
    return serves ? layer : nullptr;
}

void Document::setPolarizationLook(const PolarizationLook& look) {
    if (look == state_->view.polarization) return;
    DocumentView view = state_->view;
    view.polarization = look;
    state_->pushView(tr("Polarization"), view);
}

void Document::setRodsVisible(bool visible) {
    if (visible == state_->view.rodsVisible) return;
    DocumentView view = state_->view;
    view.rodsVisible = visible;
    state_->pushView(tr("Polarization rods"), view);
}

}  // namespace armilla

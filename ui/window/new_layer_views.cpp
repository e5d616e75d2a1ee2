// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/new_layer_views.h"

#include <QUndoStack>
#include <algorithm>

#include "armilla/core/seen_frame.h"
#include "armilla/session/catalog_suggestions.h"
#include "armilla/session/data_extent.h"
#include "armilla/session/document.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/message_bar.h"

namespace armilla {

namespace {

// Largest field of view for this zoom; wider data are best seen in a whole view.
constexpr double kWidest = 50.0 * kDegree;
// Radius shown around the peak of a probability map, whose region may be of any size.
constexpr double kAroundPeak = 10.0 * kDegree;

bool isHome(const Camera& now) {
    const Camera home;
    return now.zoom == home.zoom && now.projection == home.projection &&
           std::equal(std::begin(now.orientation.m), std::end(now.orientation.m),
                      std::begin(home.orientation.m));
}

// A disc around an image, or around a sample of a catalog's positions.
std::optional<DataExtent> extentOf(const Document& document, const Layer& layer) {
    if (layer.catalog) {
        const auto around = suggestedTarget(*layer.catalog);
        if (!around) return std::nullopt;
        return DataExtent{direction(around->center), around->reach};
    }
    const auto mesh = document.drawings().imageMesh(layer.id);
    if (!mesh || !mesh->extent()) return std::nullopt;
    return DataExtent{mesh->extent()->center, mesh->extent()->radius};
}

}  // namespace

NewLayerViews::NewLayerViews(Document& document, SkyViewWidget& sky, MessageBar& messages,
                             QObject* parent)
    : QObject(parent), document_(document), sky_(sky), messages_(messages) {
    // Queued until the step that opens the map has finished.
    connect(&document_.view(), &DocumentView::shownChanged, this, &NewLayerViews::lookAtMap,
            Qt::QueuedConnection);
    connect(&document_.drawings(), &LayerDrawings::drawableChanged, this,
            &NewLayerViews::lookAtPeak, Qt::QueuedConnection);
    connect(&document_, &Document::activeChanged, this, &NewLayerViews::lookAtLayer,
            Qt::QueuedConnection);
    connect(&document_, &Document::entriesChanged, this, &NewLayerViews::withdrawOffers);
    connect(&document_.view(), &DocumentView::cameraChanged, this, &NewLayerViews::withdrawOffers);
}

void NewLayerViews::lookAtMap() {
    const Shown shown = document_.view().shown();
    const Layer* layer = document_.entry(shown.entry);
    if (!layer || !seen_.insert(layer->id).second) return;
    // A restored session has its own view.
    const bool isRestored = !document_.history().stack()->canUndo();
    if (layer->live || layer->recipe.kind != RecipeKind::Open || isRestored) return;
    const auto extent = dataExtent(*layer->map, shown.field);
    const bool isMoved = !isHome(document_.view().camera());
    // The peak of a probability map is known when its picture is prepared.
    if (isMoved && !extent) awaitsPeak_ = layer->id;
    if (isMoved) lookAtPeak(layer->id);
    if (!extent) return;
    if (isMoved)
        offerZoom(*layer, *extent, layer->map->frame());
    else if (extent->radius <= kWidest)
        sky_.zoomToData();
}

void NewLayerViews::lookAtPeak(LayerId id) {
    if (id != awaitsPeak_) return;
    const Layer* layer = document_.entry(id);
    const auto field = document_.view().shown().entry == id
                           ? document_.drawings().drawable(document_.view().shown())
                           : nullptr;
    if (!layer || !layer->map || !field) return;
    awaitsPeak_ = {};
    if (field->peak) offerZoom(*layer, DataExtent{*field->peak, kAroundPeak}, layer->map->frame());
}

bool NewLayerViews::isOutside(Vec3 center, double radius, Frame frame) const {
    const auto view = sky_.lookedAt();
    return view && angularDistance(seenRotation(view->frame, frame) * center, view->center) >=
                       view->radius + radius;
}

// A layer outside a view that the user chose leaves the view, and a message offers to go there.
void NewLayerViews::offerZoom(const Layer& layer, const DataExtent& extent, Frame frame) {
    if (!isOutside(extent.center, extent.radius, frame)) return;
    const QString line = tr("%1 lies outside the view.").arg(layer.name);
    messages_.show(MessageTone::Note, line, {{tr("Zoom to it"), [this, extent, frame] {
                                                  sky_.showDisc(extent.center, extent.radius,
                                                                frame);
                                              }}});
    offers_[layer.id] = {line, extent.center, extent.radius, frame};
}

// A message goes when the user has moved the view to the layer, or closed the layer.
void NewLayerViews::withdrawOffers() {
    std::erase_if(offers_, [this](const auto& each) {
        const auto& [layer, offer] = each;
        if (document_.entry(layer) && isOutside(offer.center, offer.radius, offer.frame))
            return false;
        messages_.withdraw(offer.line);
        return true;
    });
}

// If no map is shown, the view turns to the overlay on the empty sky.
void NewLayerViews::lookAtLayer() {
    const Layer* layer = document_.entry(document_.active());
    if (!layer || layer->map || !seen_.insert(layer->id).second) return;
    if (layer->recipe.kind != RecipeKind::Open || !document_.history().stack()->canUndo()) return;
    const auto extent = extentOf(document_, *layer);
    if (!extent || extent->radius <= 0.0) return;
    const Frame frame = factsOf(layer->kind()).frame(*layer);
    if (!isHome(document_.view().camera()))
        offerZoom(*layer, *extent, frame);
    else if (!document_.view().shown().entry.isValid() && extent->radius <= kWidest)
        sky_.showDisc(extent->center, extent->radius, frame);
}

}  // namespace armilla

#include "window/moc_new_layer_views.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
// Tools with more than parameter rows: gridding and correlation in the window.
#include <QUndoStack>
#include <algorithm>

#include "armilla/core/seen_frame.h"
#include "armilla/session/data_extent.h"
#include "armilla/ui/main_window.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/message_bar.h"
#include "panels/operation_panel.h"
#include "panels/tool_dock.h"
#include "tools/correlate_panel.h"
#include "tools/filter_panel.h"
#include "tools/grid_panel.h"

namespace armilla {

QWidget* MainWindow::buildTool(OperationPanel* rows) {
    const std::string_view id = rows->operation().id;
    if (id == "sources") return buildSources(rows);
    if (id == "stats") return buildRegions(rows);
    if (id == "mask") return buildMask(rows);
    if (id == "filter") {
        auto* panel = new FilterPanel(*session_, rows);
        connect(panel, &FilterPanel::compareRequested, this, &MainWindow::compare);
        return panel;
    }
    if (id == "grid") {
        auto* panel = new GridPanel(*session_, rows);
        connect(panel, &GridPanel::previewChanged, skyView_, &SkyViewWidget::setPreview);
        connect(panel, &GridPanel::discRequested, skyView_, &SkyViewWidget::showDisc);
        return panel;
    }
    if (id == "correlate") {
        auto* panel = new CorrelatePanel(*session_, rows);
        connect(panel, &CorrelatePanel::exportRequested, this, &MainWindow::exportMap);
        return panel;
    }
    return rows;
}

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

void MainWindow::lookAtNewMap() {
    Document& document = session_->document();
    const Shown shown = document.view().shown();
    const Layer* layer = document.entry(shown.entry);
    if (!layer || !seen_.insert(layer->id).second) return;
    // A restored session has its own view.
    const bool isRestored = !document.history().stack()->canUndo();
    if (layer->live || layer->recipe.kind != RecipeKind::Open || isRestored) return;
    const auto extent = dataExtent(*layer->map, shown.field);
    const bool isMoved = !isHome(document.view().camera());
    // The peak of a probability map is known when its picture is prepared.
    if (isMoved && !extent) awaitsPeak_ = layer->id;
    if (isMoved) lookAtNewPeak(layer->id);
    if (!extent) return;
    if (isMoved)
        offerZoom(*layer, *extent, layer->map->frame());
    else if (extent->radius <= kWidest)
        skyView_->zoomToData();
}

void MainWindow::lookAtNewPeak(int id) {
    if (id != awaitsPeak_) return;
    const Document& document = session_->document();
    const Layer* layer = document.entry(id);
    const auto field = document.view().shown().entry == id
                           ? document.drawings().drawable(document.view().shown())
                           : nullptr;
    if (!layer || !layer->map || !field) return;
    awaitsPeak_ = -1;
    if (field->peak) offerZoom(*layer, DataExtent{*field->peak, kAroundPeak}, layer->map->frame());
}

// A layer outside a view that the user chose leaves the view, and a message offers to go there.
void MainWindow::offerZoom(const Layer& layer, const DataExtent& extent, Frame frame) {
    const auto view = skyView_->lookedAt();
    if (!view) return;
    const Vec3 center = seenRotation(view->frame, frame) * extent.center;
    if (angularDistance(center, view->center) < view->radius + extent.radius) return;
    messages_->show(MessageTone::Note, tr("%1 lies outside the view.").arg(layer.name),
                    {{tr("Zoom to it"), [this, extent, frame] {
                          skyView_->showDisc(extent.center, extent.radius, frame);
                      }}});
}

// If no map is shown, the view turns to the overlay on the empty sky.
void MainWindow::lookAtNewLayer() {
    Document& document = session_->document();
    const Layer* layer = document.entry(document.active());
    if (!layer || layer->map || !seen_.insert(layer->id).second) return;
    if (layer->recipe.kind != RecipeKind::Open || !document.history().stack()->canUndo()) return;
    const auto extent = extentOf(document, *layer);
    if (!extent || extent->radius <= 0.0) return;
    const Frame frame = factsOf(layer->kind()).frame(*layer);
    if (!isHome(document.view().camera()))
        offerZoom(*layer, *extent, frame);
    else if (document.view().shown().entry < 0 && extent->radius <= kWidest)
        skyView_->showDisc(extent->center, extent->radius, frame);
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer_pictures.h"

#include <memory>
#include <utility>

#include "armilla/session/job_runner.h"
#include "armilla/session/notices.h"
#include "job_followers.h"
#include "map_work.h"

namespace armilla {

LayerPictures::LayerPictures(Document& document, JobRunner& runner, JobFollowers& followers,
                             Notices& notices)
    : document_(document),
      runner_(runner),
      followers_(followers),
      notices_(notices),
      limit_(defaultMaxDrawNside()) {
    drawLater_.setSingleShot(true);
    connect(&drawLater_, &QTimer::timeout, this, &LayerPictures::drawMissing);
    connect(&document.view(), &DocumentView::shownChanged, this, &LayerPictures::drawSoon);
    connect(&document, &Document::entriesChanged, this, &LayerPictures::drawSoon);
    connect(&document.drawings(), &LayerDrawings::styleChanged, this, &LayerPictures::drawSoon);
    connect(&document.view(), &DocumentView::cameraChanged, this, [this] {
        const Frame frame = document_.view().camera().frame;
        if (std::exchange(viewFrame_, frame) != frame) drawSoon();
    });
}

int LayerPictures::prepare(const LayerValue& value, const QString& name,
                           std::function<void(LayerPicture)> done,
                           std::function<void(QString)> failed) {
    return runner_.run<LayerPicture>(
        tr("Draw %1").arg(name), JobLane::Preview, {}, this,
        [value, limit = limit_](JobContext& job) { return prepareLayer(value, limit, job); },
        std::move(done), std::move(failed));
}

void LayerPictures::give(LayerId id, const LayerPicture& picture) {
    const Layer* layer = document_.entry(id);
    if (!layer) return;
    if (picture.field) {
        picture.field->revision = layer->revision;
        document_.drawings().setDrawable({id, 0, Quantity::Field}, picture.field);
    }
    if (picture.markers) document_.drawings().setMarkers(id, picture.markers);
    if (picture.mesh) document_.drawings().setImageMesh(id, picture.mesh);
}

LayerId LayerPictures::add(const LayerValue& value, const QString& name, const Recipe& recipe,
                           LayerId parent, const LayerPicture& picture) {
    const LayerId id = document_.addLayer(value, name, recipe, parent);
    give(id, picture);
    return id;
}

void LayerPictures::addDrawn(const LayerValue& value, const QString& name, const Recipe& recipe,
                             LayerId parent) {
    prepare(
        value, name,
        [this, value, name, recipe, parent](const LayerPicture& picture) {
            add(value, name, recipe, parent, picture);
        },
        [this](const QString& line) { notices_.complain(line); });
}

void LayerPictures::drawSoon() {
    drawLater_.start(0);
}

void LayerPictures::drawMissing() {
    for (const Shown& shown : {document_.view().shown(), document_.view().compared()})
        drawMap(shown);
    // Overlaid layers; a hidden layer costs nothing.
    for (const Layer& layer : document_.entries())
        if (layer.style.visible) drawOverlay(layer);
}

void LayerPictures::drawMap(const Shown& shown) {
    const Layer* entry = document_.entry(shown.entry);
    if (!entry || !entry->map) return;
    const auto present = document_.drawings().drawable(shown);
    const Frame turned = turnedTo(*entry->map, shown, document_.view().camera().frame);
    if (present && present->revision == entry->revision && present->turnedTo == turned) return;
    const Key key{shown, entry->revision, turned};
    if (!drawing_.insert(key).second) return;
    const int id = runner_.run<std::shared_ptr<DrawableField>>(
        tr("Draw %1").arg(entry->name), JobLane::Preview, {}, this,
        [map = entry->map, shown, turned, limit = limit_](JobContext& job) {
            return makeDrawable(map, shown, turned, limit, job);
        },
        [this, key](const std::shared_ptr<DrawableField>& field) {
            drawing_.erase(key);
            field->revision = std::get<1>(key);
            document_.drawings().setDrawable(std::get<0>(key), field);
            drawSoon();  // the frame of the view may have changed
        },
        // A failure would repeat, so the map is not retried; a cancelled one is.
        [this](const QString& line) { notices_.complain(line); });
    followers_.onCancel(id, [this, key] { drawing_.erase(key); });
}

void LayerPictures::drawOverlay(const Layer& layer) {
    const auto mesh = document_.drawings().imageMesh(layer.id);
    const bool lacksMarkers = layer.catalog && !document_.drawings().markers(layer.id);
    const bool lacksPlane = layer.image && (!mesh || mesh->plane() != layer.style.plane);
    if (!lacksMarkers && !lacksPlane) return;
    const int plane = layer.image ? layer.style.plane : 0;
    const Key key{Shown{layer.id, plane}, layer.revision, Frame::Unknown};
    if (!drawing_.insert(key).second) return;
    const int id = runner_.run<LayerPicture>(
        tr("Draw %1").arg(layer.name), JobLane::Preview, {}, this,
        [value = LayerValue(layer), limit = limit_, plane,
         places = mesh ? mesh->sharedPlaces() : nullptr](JobContext& job) {
            return prepareLayer(value, limit, job, plane, places);
        },
        [this, key](const LayerPicture& picture) {
            drawing_.erase(key);
            const Layer* now = document_.entry(std::get<0>(key).entry);
            // If the revision differs, the next picture is in progress.
            if (now && now->revision == std::get<1>(key)) give(now->id, picture);
        },
        [this](const QString& line) { notices_.complain(line); });
    followers_.onCancel(id, [this, key] { drawing_.erase(key); });
}

}  // namespace armilla

#include "moc_layer_pictures.cpp"

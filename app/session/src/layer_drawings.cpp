// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/layer_drawings.h"

#include <QUndoCommand>
#include <algorithm>
#include <utility>

#include "armilla/draw/opening_colors.h"
#include "armilla/session/document_view.h"
#include "armilla/session/history.h"
#include "armilla/session/opening_colors.h"
#include "armilla/session/same_scale.h"
#include "drawable_cache.h"
#include "layer_list.h"
#include "step_stamp.h"

namespace armilla {

namespace {

// Cumulative tables are not saved with a session; the first picture provides them.
bool lacksTable(const ColorScale& scale) {
    return scale.mapping.scale == Scale::Histogram &&
           scale.cumulative == decltype(ColorScale::cumulative){};
}

// Title of a history step that changes the style of a layer.
QString styleText(const Layer& layer, const LayerStyle& to) {
    if (layer.style.visible != to.visible)
        return (to.visible ? LayerDrawings::tr("Show %1") : LayerDrawings::tr("Hide %1"))
            .arg(layer.name);
    if (layer.style.opacity != to.opacity)
        return LayerDrawings::tr("Opacity of %1").arg(layer.name);
    if (layer.style.plane != to.plane) return LayerDrawings::tr("Plane of %1").arg(layer.name);
    return LayerDrawings::tr("Markers of %1").arg(layer.name);
}

class StyleStep : public ValueStep<LayerStyle> {
public:
    StyleStep(LayerDrawings& drawings, const Layer& layer, const LayerStyle& to, int gesture)
        : ValueStep(styleText(layer, to), layer.style, to, gesture),
          drawings_(drawings),
          layer_(layer.id) {}
    int id() const override { return kStyleCommand; }
    void undo() override { drawings_.applyStyle(layer_, from_); }
    void redo() override { drawings_.applyStyle(layer_, to_); }
    // Only steps of one kind merge: a change of visibility does not join a change of size.
    bool mergeWith(const QUndoCommand* command) override {
        const auto& other = static_cast<const StyleStep&>(*command);
        if (layer_ != other.layer_ || text() != other.text() || from_.visible != to_.visible ||
            !isJoinedBy(other))
            return false;
        take(other);
        return true;
    }

private:
    LayerDrawings& drawings_;
    LayerId layer_;
};

class ColorStep : public ValueStep<ColorScale> {
public:
    ColorStep(LayerDrawings& drawings, const Shown& shown, const QString& text,
              const ColorScale& to, int gesture)
        : ValueStep(text, drawings.colorScale(shown), to, gesture),
          drawings_(drawings),
          shown_(shown) {}
    int id() const override { return kScaleCommand; }
    void undo() override { drawings_.applyScale(shown_, from_); }
    void redo() override { drawings_.applyScale(shown_, to_); }
    bool mergeWith(const QUndoCommand* command) override {
        const auto& other = static_cast<const ColorStep&>(*command);
        if (shown_ != other.shown_ || !isJoinedBy(other)) return false;
        take(other, sameScale);
        return true;
    }

private:
    LayerDrawings& drawings_;
    Shown shown_;
};

}  // namespace

bool sameScale(const ColorScale& a, const ColorScale& b) {
    return a.colorMap == b.colorMap && a.reversed == b.reversed &&
           a.mapping.scale == b.mapping.scale && a.mapping.low == b.mapping.low &&
           a.mapping.high == b.mapping.high && a.mapping.middle == b.mapping.middle &&
           a.mapping.linear == b.mapping.linear && a.cumulative == b.cumulative && a.bad == b.bad &&
           a.outside == b.outside && a.ownBelow == b.ownBelow && a.ownAbove == b.ownAbove &&
           a.below == b.below && a.above == b.above;
}

LayerDrawings::LayerDrawings(LayerList& layers, History& history)
    : layers_(layers), history_(history), drawables_(std::make_unique<DrawableCache>()) {}

LayerDrawings::~LayerDrawings() = default;

void LayerDrawings::setStyle(LayerId id, const LayerStyle& style) {
    const Layer* layer = layers_.find(id);
    if (!layer) return;
    LayerStyle within = style;
    within.opacity = std::clamp(style.opacity, 0.0, 1.0);
    within.marker.size = std::clamp(style.marker.size, kLeastMarker, kMostMarker);
    const auto planes = layer->image ? static_cast<int>(layer->image->planes.size()) : 1;
    within.plane = std::clamp(style.plane, 0, std::max(0, planes - 1));
    if (within == layer->style) return;
    if (layer->live) return applyStyle(id, within);
    history_.stack()->push(new StyleStep(*this, *layer, within, history_.gesture()));
}

void LayerDrawings::applyStyle(LayerId id, const LayerStyle& style) {
    Layer* layer = layers_.find(id);
    if (!layer) return;
    layer->style = style;
    emit styleChanged(id);
}

const ColorScale& LayerDrawings::colorScale(const Shown& shown) const {
    static const ColorScale plain;
    const auto found = scales_.find(shown);
    return found == scales_.end() ? plain : found->second;
}

void LayerDrawings::setColorScale(const Shown& shown, const ColorScale& scale) {
    if (sameScale(scale, colorScale(shown))) return;
    const Layer* layer = layers_.find(shown.entry);
    const QString text =
        layer ? tr("Colors of %1").arg(nameOfShown(*layer, shown)) : tr("Change colors");
    history_.stack()->push(new ColorStep(*this, shown, text, scale, history_.gesture()));
}

void LayerDrawings::applyScale(const Shown& shown, const ColorScale& scale) {
    scales_[shown] = scale;
    emit colorScaleChanged(shown.entry);
}

void LayerDrawings::copyScale(const Shown& from, const Shown& to) {
    if (const auto scale = scales_.find(from); scale != scales_.end()) {
        const ColorScale copied = scale->second;
        scales_[to] = copied;
    }
}

std::shared_ptr<const DrawableField> LayerDrawings::drawable(const Shown& shown) const {
    return drawables_->find(shown);
}

// True for a finer picture of a live result, after an estimate with other values.
static bool isFiner(const Layer& owner, const DrawableField& field, const DrawableField& before) {
    return owner.live && owner.recipe.kind == RecipeKind::Operation && field.pyramid &&
           before.pyramid && field.pyramid->nside() > before.pyramid->nside();
}

void LayerDrawings::setDrawable(const Shown& shown, std::shared_ptr<const DrawableField> field) {
    const Layer* owner = layers_.find(shown.entry);
    if (!owner || !field || field->revision != owner->revision) return;
    const auto known = scales_.find(shown);
    const bool isNew = known == scales_.end();
    const bool lacks = !isNew && lacksTable(known->second);
    const auto before = drawables_->find(shown);
    const bool turns = !isNew && before && before->turnedTo != field->turnedTo;
    const bool isOther = turns || (!isNew && before && isFiner(*owner, *field, *before));
    const auto opening = [&](const DrawableField& drawn) {
        return openingColors(drawn, *owner, shown);
    };
    if (isNew || (isOther && sameScale(known->second, opening(*before))))
        scales_[shown] = opening(*field);
    else if (lacks || isOther)
        known->second.cumulative = opening(*field).cumulative;
    drawables_->insert(shown, std::move(field));
    if (isNew || lacks || isOther) emit colorScaleChanged(shown.entry);
    emit drawableChanged(shown.entry);
}

void LayerDrawings::setDrawableBudget(int64_t bytes) {
    drawables_->setBudget(bytes);
}

std::shared_ptr<const MarkerSet> LayerDrawings::markers(LayerId id) const {
    const auto found = markers_.find(id);
    return found == markers_.end() ? nullptr : found->second;
}

void LayerDrawings::setMarkers(LayerId id, std::shared_ptr<const MarkerSet> markers) {
    const Layer* layer = layers_.find(id);
    if (!layer || !layer->catalog || !markers) return;
    markers_[id] = std::move(markers);
    emit styleChanged(id);
}

std::vector<MarkerGroup> LayerDrawings::markerGroups(LayerId id) const {
    if (const auto found = markerGroups_.find(id); found != markerGroups_.end())
        return found->second;
    const Layer* layer = layers_.find(id);
    auto all = markers(id);
    if (!layer || !all) return {};
    return {{std::move(all), layer->style.marker}};
}

void LayerDrawings::setMarkerGroups(LayerId id, std::optional<std::vector<MarkerGroup>> groups) {
    const Layer* layer = layers_.find(id);
    if (groups && layer && layer->catalog)
        markerGroups_[id] = std::move(*groups);
    else
        markerGroups_.erase(id);
    emit markerGroupsChanged(id);
}

std::shared_ptr<const ImageMesh> LayerDrawings::imageMesh(LayerId id) const {
    const auto found = meshes_.find(id);
    return found == meshes_.end() ? nullptr : found->second;
}

void LayerDrawings::setImageMesh(LayerId id, std::shared_ptr<const ImageMesh> mesh) {
    const Layer* layer = layers_.find(id);
    if (!layer || !layer->image || !mesh) return;
    const ColorScale opening = openingColors(*mesh);
    ColorScale& scale = scales_.try_emplace(Shown{id}, opening).first->second;
    if (lacksTable(scale)) scale.cumulative = opening.cumulative;
    meshes_[id] = std::move(mesh);
    emit styleChanged(id);
}

int64_t LayerDrawings::pictureBytes(LayerId id) const {
    int64_t bytes = drawables_->bytesOf(id);
    if (const auto set = markers_.find(id); set != markers_.end())
        bytes += set->second->memoryBytes();
    if (const auto mesh = meshes_.find(id); mesh != meshes_.end())
        bytes += mesh->second->memoryBytes();
    return bytes;
}

void LayerDrawings::protect(std::vector<Shown> shown) {
    drawables_->protect(std::move(shown));
}

void LayerDrawings::forgetValue(LayerId id) {
    markers_.erase(id);
    markerGroups_.erase(id);
    meshes_.erase(id);
}

void LayerDrawings::forgetClosed() {
    const auto isClosed = [this](const auto& each) { return !layers_.find(each.first); };
    drawables_->removeIf([this](const Shown& shown) { return !layers_.find(shown.entry); });
    std::erase_if(meshes_, isClosed);
    std::erase_if(markers_, isClosed);
    std::erase_if(markerGroups_, isClosed);
}

void LayerDrawings::reset(std::map<Shown, ColorScale> scales) {
    drawables_->removeIf([](const Shown&) { return true; });
    scales_ = std::move(scales);
    markers_.clear();
    markerGroups_.clear();
    meshes_.clear();
}

}  // namespace armilla

#include "armilla/session/moc_layer_drawings.cpp"

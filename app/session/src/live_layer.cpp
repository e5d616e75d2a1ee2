// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/live_layer.h"

#include <utility>

#include "armilla/core/error.h"
#include "armilla/session/document_view.h"
#include "armilla/session/layer_drawings.h"
#include "layer_list.h"
#include "layer_steps.h"

namespace armilla {

LiveLayer::LiveLayer(LayerList& layers, DocumentView& view, LayerDrawings& drawings,
                     LayerSteps& steps)
    : layers_(layers), view_(view), drawings_(drawings), steps_(steps) {}

LayerId LiveLayer::set(const std::shared_ptr<const HealpixMap>& map, const QString& name,
                       const Recipe& recipe, LayerId parent) {
    if (!map) throw InvalidArgument("expected a live map, found none");
    if (layers_.live() && layers_.live()->parent != parent) drop();
    if (const Layer* old = layers_.live()) {
        const LayerId id = old->id;
        Layer next = layers_.made(id, map, name, recipe, parent);
        next.live = true;
        layers_.replace(std::move(next));
        emit layers_.changed();
        return id;
    }
    Layer entry = layers_.made(layers_.newId(), map, name, recipe, parent);
    entry.live = true;
    const LayerId id = entry.id;
    const ViewState before = view_.state();
    ViewState after = before;
    if (before.shown.entry == parent) {
        const Shown twin = counterpart(before.shown, id, *map);
        if (before.comparison == Comparison::Single) {
            shownBefore_ = before.shown;
            after.shown = twin;
        } else {
            comparedBefore_ = before.compared;
            after.compared = twin;
        }
        // A smoothed map is compared in the same colors. Other results have a range of their own.
        if (recipe.kind == RecipeKind::Smooth) drawings_.copyScale(before.shown, twin);
    }
    layers_.append(std::move(entry));
    emit layers_.changed();
    view_.apply(before, after);
    return id;
}

LayerId LiveLayer::keep() {
    const Layer* kept = layers_.live();
    if (!kept) return {};
    const LayerId id = kept->id;
    setPicture({}, nullptr);
    auto after = layers_.kept();
    after.push_back(*kept);
    after.back().live = false;
    steps_.push(tr("Keep %1").arg(kept->name), std::move(after), viewWithout(), view_.state());
    return id;
}

void LiveLayer::drop() {
    if (!layers_.live()) return;
    setPicture({}, nullptr);
    const ViewState before = view_.state(), after = viewWithout();
    layers_.takeLive();
    forgetView();
    emit layers_.changed();
    view_.apply(before, after);
    steps_.tidy();
}

std::shared_ptr<DevicePicture> LiveLayer::picture(const Shown& shown) const {
    return shown == pictureOf_ ? picture() : nullptr;
}

std::shared_ptr<DevicePicture> LiveLayer::picture() const {
    const Layer* live = layers_.live();
    return live && live->id == pictureOf_.entry ? picture_ : nullptr;
}

void LiveLayer::setPicture(const Shown& shown, std::shared_ptr<DevicePicture> picture) {
    if (!picture && !picture_) return;
    pictureOf_ = shown;
    picture_ = std::move(picture);
    emit pictureChanged();
}

Shown LiveLayer::counterpart(const Shown& shown, LayerId id, const HealpixMap& result) const {
    const Layer* source = layers_.find(shown.entry);
    Shown twin{id, source ? counterpartField(*source->map, shown.field, result) : 0,
               shown.quantity};
    if (twin.quantity != Quantity::Field && !result.polarizationPair())
        twin.quantity = Quantity::Field;
    return twin;
}

ViewState LiveLayer::viewWithout() const {
    ViewState without = view_.state();
    const Layer* live = layers_.live();
    if (!live) return without;
    if (without.shown.entry == live->id) without.shown = shownBefore_.value_or(Shown{live->parent});
    if (without.compared.entry == live->id) without.compared = comparedBefore_.value_or(Shown{});
    return without;
}

void LiveLayer::forgetView() {
    shownBefore_ = comparedBefore_ = std::nullopt;
}

}  // namespace armilla

#include "armilla/session/moc_live_layer.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/document.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "armilla/core/error.h"
#include "document_access.h"
#include "view_step.h"

namespace armilla {

Document::Document(QObject* parent) : QObject(parent), parts_(std::make_unique<Parts>()) {
    connect(&parts_->layers, &LayerList::changed, this, &Document::entriesChanged);
    connect(&parts_->layers, &LayerList::activeChanged, this, &Document::activeChanged);
}

Document::~Document() = default;

DocumentView& Document::view() {
    return parts_->view;
}
const DocumentView& Document::view() const {
    return parts_->view;
}
Overlays& Document::overlays() {
    return parts_->overlays;
}
const Overlays& Document::overlays() const {
    return parts_->overlays;
}
LayerDrawings& Document::drawings() {
    return parts_->drawings;
}
const LayerDrawings& Document::drawings() const {
    return parts_->drawings;
}
LiveLayer& Document::liveLayer() {
    return parts_->live;
}
const LiveLayer& Document::liveLayer() const {
    return parts_->live;
}
LayerRecovery& Document::recovery() {
    return parts_->recovery;
}
const LayerRecovery& Document::recovery() const {
    return parts_->recovery;
}
History& Document::history() {
    return parts_->history;
}
const History& Document::history() const {
    return parts_->history;
}

const std::vector<Layer>& Document::entries() const {
    return parts_->layers.entries();
}

const Layer* Document::entry(LayerId id) const {
    return parts_->layers.find(id);
}

const Layer* Document::live() const {
    return parts_->layers.live();
}

LayerId Document::addLayer(const LayerValue& value, const QString& name, const Recipe& recipe,
                           LayerId parent) {
    return addLayers({{value, name}}, recipe, parent).front();
}

std::vector<LayerId> Document::addLayers(const std::vector<NewLayer>& made, const Recipe& recipe,
                                         LayerId parent, const std::vector<LayerId>& covering) {
    if (made.empty() ||
        std::any_of(made.begin(), made.end(), [](const NewLayer& layer) { return !layer.value; }))
        throw InvalidArgument("expected a layer to add, found none");
    Parts& parts = *parts_;
    std::vector<LayerId> ids;
    auto after = parts.layers.kept();
    const ViewState before = parts.view.state();
    ViewState view = before;
    const auto hasPlace = [](LayerKind kind) { return factsOf(kind).inFrame != nullptr; };
    const bool isEmptySky = parts.recovery.awaited().empty() && parts.recovery.missing().empty() &&
                            std::none_of(after.begin(), after.end(), [&](const Layer& layer) {
                                return hasPlace(layer.kind());
                            });
    const bool bringsPlace = std::any_of(made.begin(), made.end(), [&](const NewLayer& layer) {
        return hasPlace(layer.value.kind());
    });
    if (isEmptySky && bringsPlace) view.camera = unmoved(view.camera);
    Recipe each = recipe;
    for (const NewLayer& layer : made) {
        const LayerId id = parts.layers.newId();
        const LayerKindFacts& facts = factsOf(layer.value.kind());
        // A map beside another primary result is for comparison, so the picture does not change.
        const bool isBeside =
            parent.isValid() && !made.front().value.map && view.shown.entry.isValid();
        if (layer.value.map && isBeside) {
            if (!view.compared.entry.isValid()) view.compared = {id, 0, Quantity::Field};
        } else if (layer.value.map && (ids.empty() || view.shown.entry != ids.front())) {
            // The sky that the program made itself is no map that the user compares.
            const Layer* left = entry(view.shown.entry);
            const bool isSample = left && left->recipe.kind == RecipeKind::SampleSky;
            if (!view.compared.entry.isValid() && !isSample) view.compared = view.shown;
            view.shown = {id, 0, Quantity::Field};
            if (parent.isValid()) view.comparison = Comparison::Single;
            view.camera = adapted(view.camera, layer.value.map->frame());
        } else if (!view.shown.entry.isValid() && facts.inFrame) {
            // The first layer with positions sets the frame of the sky, even an unknown one.
            const bool isFirst = std::none_of(after.begin(), after.end(), [](const Layer& other) {
                return factsOf(other.kind()).inFrame != nullptr;
            });
            const Frame frame = facts.frame(layer.value);
            if (isFirst || frame != Frame::Unknown) view.camera = adapted(view.camera, frame);
        }
        after.push_back(parts.layers.made(id, layer.value, layer.name, each, parent));
        after.back().style.visible = parts.layers.known()[id].style.visible = layer.visible;
        ids.push_back(id);
        ++each.output;
    }
    const QString text = parent.isValid() ? tr("Make %1") : tr("Open %1");
    std::vector<LayerId> hides;
    std::copy_if(covering.begin(), covering.end(), std::back_inserter(hides), [this](LayerId id) {
        const Layer* layer = entry(id);
        return layer && layer->style.visible;
    });
    parts.steps.push(text.arg(made.front().name), std::move(after), before, view, std::move(hides));
    parts.layers.becomeActive(ids.front());
    return ids;
}

void Document::removeLayer(LayerId id) {
    const Layer* gone = entry(id);
    if (!gone) return;
    if (gone->live) return parts_->live.drop();
    Parts& parts = *parts_;
    auto after = parts.layers.kept();
    const auto place = std::find_if(after.begin(), after.end(),
                                    [id](const Layer& other) { return other.id == id; });
    // The neighboring map is shown instead; a comparison of a map with itself ends.
    const auto isMap = [](const Layer& layer) { return layer.map != nullptr; };
    Shown neighbor;
    if (const auto next = std::find_if(place + 1, after.end(), isMap); next != after.end())
        neighbor.entry = next->id;
    else if (const auto previous = std::find_if(std::reverse_iterator(place), after.rend(), isMap);
             previous != after.rend())
        neighbor.entry = previous->id;
    const ViewState before = parts.live.viewWithout();
    ViewState view = before;
    if (view.compared.entry == id) view.compared = {};
    if (view.shown.entry == id) view.shown = neighbor;
    const auto maps = std::count_if(after.begin(), after.end(), isMap);
    if (gone->map && maps <= 2 && view.compared == view.shown) view.compared = {};
    if (!view.compared.entry.isValid()) view.comparison = Comparison::Single;
    if (gone->map && view.shown.entry.isValid())
        view.camera = adapted(view.camera, entry(view.shown.entry)->map->frame());
    const QString text = tr("Close %1").arg(gone->name);
    after.erase(place);
    parts.steps.push(text, std::move(after), before, view);
}

void Document::removeAll() {
    parts_->live.drop();
    if (entries().empty()) return;
    const ViewState before = parts_->view.state();
    ViewState view = before;
    view.shown = view.compared = {};
    view.comparison = Comparison::Single;
    parts_->steps.push(tr("Close all"), {}, before, view);
}

void Document::moveLayer(LayerId id, LayerId to) {
    auto after = parts_->layers.kept();
    const auto placeOf = [&](LayerId layer) {
        return std::find_if(after.begin(), after.end(),
                            [layer](const Layer& each) { return each.id == layer; });
    };
    const auto from = placeOf(id), target = placeOf(to);
    if (from == after.end() || target == after.end() || from == target) return;
    const QString text = tr("Move %1").arg(from->name);
    if (from < target)
        std::rotate(from, from + 1, target + 1);
    else
        std::rotate(target, from, from + 1);
    parts_->steps.push(text, std::move(after), parts_->view.state(), parts_->view.state());
}

void Document::renameLayer(LayerId id, const QString& name) {
    const Layer* named = entry(id);
    if (!named || named->live || named->name == name) return;
    auto after = parts_->layers.kept();
    for (Layer& each : after)
        if (each.id == id) each.name = name;
    parts_->steps.push(tr("Rename %1").arg(named->name), std::move(after), parts_->view.state(),
                       parts_->view.state());
}

void Document::setValue(LayerId id, const LayerValue& value, const Recipe& recipe) {
    const Layer* old = entry(id);
    if (!old || !value || value.kind() != old->kind())
        throw InvalidArgument("expected a value of the layer's own kind, found another");
    const LayerStyle style = old->style;
    Layer next = parts_->layers.made(id, value, old->name, recipe, old->parent);
    next.style = style;
    parts_->layers.replace(std::move(next));
    emit entriesChanged();
}

LayerId Document::active() const {
    return parts_->layers.active();
}

void Document::setActive(LayerId id) {
    if (!id.isValid() || entry(id)) parts_->layers.becomeActive(id);
}

}  // namespace armilla

#include "armilla/session/moc_document.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer_list.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>
#include <utility>

#include "armilla/core/error.h"

namespace armilla {

namespace {

// Colors that stand out on the usual color maps, one catalog after the other.
Rgba markerColor(LayerId id) {
    constexpr Rgba colors[] = {{255, 216, 92, 255},  {124, 227, 139, 255}, {255, 140, 225, 255},
                               {120, 220, 255, 255}, {255, 160, 96, 255},  {245, 248, 252, 255}};
    return colors[static_cast<size_t>(id.number()) % std::size(colors)];
}

// Markers shrink with the number of rows: a few must be found by eye, many must show their
// distribution.
MarkerStyle openingMarker(LayerId id, int64_t rows) {
    MarkerStyle marker;
    marker.color = markerColor(id);
    if (rows > 1000) marker.shape = MarkerShape::Disc;
    marker.size = rows <= 200 ? 9.0 : rows <= 1000 ? 7.0 : rows <= 10000 ? 4.0 : 2.5;
    if (rows > 100000) marker.size = 1.5;
    return marker;
}

}  // namespace

std::vector<Layer> LayerList::kept() const {
    std::vector<Layer> kept;
    std::copy_if(entries_.begin(), entries_.end(), std::back_inserter(kept),
                 [](const Layer& entry) { return !entry.live; });
    return kept;
}

const Layer* LayerList::find(LayerId id) const {
    const auto hint = places_.find(id);
    if (hint != places_.end() && hint->second < entries_.size() && entries_[hint->second].id == id)
        return &entries_[hint->second];
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [id](const Layer& entry) { return entry.id == id; });
    if (found == entries_.end()) return nullptr;
    places_[id] = static_cast<size_t>(found - entries_.begin());
    return &*found;
}

Layer* LayerList::find(LayerId id) {
    return const_cast<Layer*>(std::as_const(*this).find(id));
}

const Layer* LayerList::live() const {
    return !entries_.empty() && entries_.back().live ? &entries_.back() : nullptr;
}

Layer LayerList::made(LayerId id, const LayerValue& value, const QString& name,
                      const Recipe& recipe, LayerId parent) {
    Layer layer;
    layer.value() = value;
    layer.id = id;
    layer.name = name;
    layer.detail = factsOf(value.kind()).detail(value);
    layer.recipe = recipe;
    layer.parent = parent;
    layer.revision = ++lastRevision_;
    layer.style.marker = openingMarker(id, value.catalog ? value.catalog->rows() : 0);
    const auto before = known_.find(id);
    const FileMark mark = before == known_.end() ? FileMark{} : before->second.mark;
    known_[id] = {id, value.kind(), name, recipe, layer.style, parent, false, {}, mark};
    return layer;
}

Shown LayerList::resolved(Shown wanted) const {
    while (wanted.entry.isValid()) {
        if (const Layer* entry = find(wanted.entry); entry && entry->map) {
            if (wanted.field >= entry->map->fieldCount()) wanted.field = 0;
            if (wanted.quantity != Quantity::Field && !entry->map->polarizationPair())
                wanted.quantity = Quantity::Field;
            return wanted;
        }
        const auto known = known_.find(wanted.entry);
        wanted.entry = known == known_.end() ? LayerId() : known->second.parent;
    }
    return {};
}

void LayerList::append(Layer layer) {
    entries_.push_back(std::move(layer));
}

void LayerList::replace(Layer layer) {
    if (Layer* old = find(layer.id)) *old = std::move(layer);
}

std::optional<Layer> LayerList::takeLive() {
    if (!live()) return std::nullopt;
    std::optional<Layer> taken = std::move(entries_.back());
    entries_.pop_back();
    return taken;
}

std::map<LayerId, Layer> LayerList::take(const std::set<LayerId>& ids,
                                         std::optional<size_t>& place) {
    std::map<LayerId, Layer> taken;
    auto kept = entries_.begin();
    for (Layer& layer : entries_) {
        if (!ids.contains(layer.id)) {
            if (&*kept != &layer) *kept = std::move(layer);
            ++kept;
            continue;
        }
        if (!place) place = static_cast<size_t>(kept - entries_.begin());
        // A closed layer keeps its latest name and style.
        if (const auto known = known_.find(layer.id); known != known_.end()) {
            known->second.name = layer.name;
            known->second.style = layer.style;
        }
        const LayerId id = layer.id;
        taken.emplace(id, std::move(layer));
    }
    entries_.erase(kept, entries_.end());
    return taken;
}

void LayerList::insert(size_t place, std::vector<Layer> layers) {
    const auto at = static_cast<std::ptrdiff_t>(std::min(place, entries_.size()));
    entries_.insert(entries_.begin() + at, std::make_move_iterator(layers.begin()),
                    std::make_move_iterator(layers.end()));
}

void LayerList::insertAgain(Layer layer) {
    const std::unordered_set<LayerId> behind(std::find(order_.begin(), order_.end(), layer.id),
                                             order_.end());
    const auto place = std::find_if(entries_.begin(), entries_.end(), [&](const Layer& other) {
        return other.live || behind.contains(other.id);
    });
    entries_.insert(place, std::move(layer));
}

void LayerList::noteOrder() {
    // Sorted vectors: hashed sets of a thousand ids would take as long as the rest of a step.
    std::vector<LayerId> known = order_, open;
    std::sort(known.begin(), known.end());
    for (const Layer& layer : entries_) {
        if (layer.live) continue;
        open.push_back(layer.id);
        if (!std::binary_search(known.begin(), known.end(), layer.id)) order_.push_back(layer.id);
    }
    std::sort(open.begin(), open.end());
    auto next = entries_.begin();
    for (LayerId& id : order_)
        if (std::binary_search(open.begin(), open.end(), id)) id = (next++)->id;
    places_.clear();
    for (size_t i = 0; i < entries_.size(); ++i) places_.emplace(entries_[i].id, i);
}

void LayerList::reset(const std::vector<AwaitedLayer>& layers) {
    entries_.clear();
    known_.clear();
    order_.clear();
    selection_ = {};
    active_ = {};
    for (const AwaitedLayer& layer : layers) {
        order_.push_back(layer.id);
        known_[layer.id] = layer;
        lastId_ = std::max(lastId_, layer.id.number());
    }
}

bool LayerList::replaceActive(LayerId id) {
    return std::exchange(active_, id) != id;
}

void LayerList::becomeActive(LayerId id) {
    if (replaceActive(id)) emit activeChanged();
}

void LayerList::select(const RowSelection& selection) {
    if (selection == selection_) return;
    const Layer* layer = find(selection.layer);
    if (selection.layer.isValid() &&
        (!layer || !layer->catalog || selection.row < 0 || selection.row >= layer->catalog->rows()))
        throw InvalidArgument("expected a row of an open catalog to select, found row " +
                              std::to_string(selection.row));
    selection_ = selection;
    emit selectionChanged();
}

}  // namespace armilla

#include "moc_layer_list.cpp"

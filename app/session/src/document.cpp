// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/document.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/draw/opening_colors.h"
#include "armilla/session/opening_colors.h"
#include "document_state.h"

namespace armilla {

namespace {

constexpr int kUndoLimit = 500;

// Memory for closed layers in the undo history: an eighth of the machine's memory.
int64_t defaultUndoBudget() {
    return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 8;
}

// Cumulative tables are not saved with a session; the first picture provides them.
bool lacksTable(const ColorScale& scale) {
    return scale.mapping.scale == Scale::Histogram &&
           scale.cumulative == decltype(ColorScale::cumulative){};
}

// Colors that stand out on the usual color maps, one catalog after the other.
Rgba markerColor(int id) {
    constexpr Rgba colors[] = {{255, 216, 92, 255},  {124, 227, 139, 255}, {255, 140, 225, 255},
                               {120, 220, 255, 255}, {255, 160, 96, 255},  {245, 248, 252, 255}};
    return colors[static_cast<size_t>(id) % std::size(colors)];
}

// Markers shrink with the number of rows: a few must be found by eye, many must show their
// distribution.
MarkerStyle openingMarker(int id, int64_t rows) {
    MarkerStyle marker;
    marker.color = markerColor(id);
    if (rows > 1000) marker.shape = MarkerShape::Disc;
    marker.size = rows <= 200 ? 9.0 : rows <= 1000 ? 7.0 : rows <= 10000 ? 4.0 : 2.5;
    if (rows > 100000) marker.size = 1.5;
    return marker;
}

}  // namespace

Document::State::State(Document& owner) : document(owner), undoBudget(defaultUndoBudget()) {}

Layer* Document::State::find(int id) {
    const auto hint = places.find(id);
    if (hint != places.end() && hint->second < entries.size() && entries[hint->second].id == id)
        return &entries[hint->second];
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [id](const Layer& entry) { return entry.id == id; });
    if (found == entries.end()) return nullptr;
    places[id] = static_cast<size_t>(found - entries.begin());
    return &*found;
}

Shown Document::State::resolved(Shown wanted) const {
    while (wanted.entry > 0) {
        if (const Layer* entry = document.entry(wanted.entry); entry && entry->map) {
            if (wanted.field >= entry->map->fieldCount()) wanted.field = 0;
            if (wanted.quantity != Quantity::Field && !entry->map->polarizationPair())
                wanted.quantity = Quantity::Field;
            return wanted;
        }
        const auto known = lineage.find(wanted.entry);
        wanted.entry = known == lineage.end() ? -1 : known->second.parent;
    }
    return {};
}

Layer Document::State::newEntry(int id, const LayerValue& value, const QString& name,
                                const Recipe& recipe, int parent) {
    Layer layer;
    static_cast<LayerValue&>(layer) = value;
    layer.id = id;
    layer.name = name;
    layer.detail = factsOf(value.kind()).detail(value);
    layer.recipe = recipe;
    layer.parent = parent;
    layer.revision = ++lastRevision;
    layer.style.marker = openingMarker(id, value.catalog ? value.catalog->rows() : 0);
    const FileMark mark = document.fileMark(id);
    lineage[id] = {id, value.kind(), name, recipe, layer.style, parent, false, {}, mark};
    return layer;
}

std::vector<Layer> Document::State::keptEntries() const {
    std::vector<Layer> kept;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(kept),
                 [](const Layer& entry) { return !entry.live; });
    return kept;
}

DocumentView Document::State::viewWithoutLive() const {
    DocumentView without = view;
    const Layer* live = document.live();
    if (!live) return without;
    if (view.shown.entry == live->id) without.shown = shownBeforeLive.value_or(Shown{live->parent});
    if (view.compared.entry == live->id) without.compared = comparedBeforeLive.value_or(Shown{});
    return without;
}

Document::Document(QObject* parent) : QObject(parent), state_(std::make_unique<State>(*this)) {
    state_->undo.setUndoLimit(kUndoLimit);
}

Document::~Document() = default;

const std::vector<Layer>& Document::entries() const {
    return state_->entries;
}

const Layer* Document::entry(int id) const {
    return state_->find(id);
}

std::optional<Recipe> Document::recipeOf(int id) const {
    const auto found = state_->lineage.find(id);
    return found == state_->lineage.end() ? std::nullopt : std::optional(found->second.recipe);
}

bool Document::isDetached(const Layer& layer) const {
    const std::vector<int> inputs = layer.recipe.inputs();
    return std::any_of(inputs.begin(), inputs.end(), [this](int id) { return !entry(id); });
}

int Document::addLayer(const LayerValue& value, const QString& name, const Recipe& recipe,
                       int parent) {
    return addLayers({{value, name}}, recipe, parent).front();
}

std::vector<int> Document::addLayers(const std::vector<NewLayer>& made, const Recipe& recipe,
                                     int parent, const std::vector<int>& covering) {
    if (made.empty() ||
        std::any_of(made.begin(), made.end(), [](const NewLayer& layer) { return !layer.value; }))
        throw InvalidArgument("expected a layer to add, found none");
    std::vector<int> ids;
    auto after = state_->keptEntries();
    const DocumentView before = state_->view;
    DocumentView view = before;
    const auto hasPlace = [](LayerKind kind) { return factsOf(kind).inFrame != nullptr; };
    const bool isEmptySky = awaited().empty() && missing().empty() &&
                            std::none_of(after.begin(), after.end(), [&](const Layer& layer) {
                                return hasPlace(layer.kind());
                            });
    const bool bringsPlace = std::any_of(made.begin(), made.end(), [&](const NewLayer& layer) {
        return hasPlace(layer.value.kind());
    });
    if (isEmptySky && bringsPlace) view.camera = State::unmoved(view.camera);
    Recipe each = recipe;
    for (const NewLayer& layer : made) {
        const int id = ++state_->lastId;
        const LayerKindFacts& facts = factsOf(layer.value.kind());
        // A map beside another primary result is for comparison, so the picture does not change.
        const bool isBeside = parent >= 0 && !made.front().value.map && view.shown.entry >= 0;
        if (layer.value.map && isBeside) {
            if (view.compared.entry < 0) view.compared = {id, 0, Quantity::Field};
        } else if (layer.value.map && (ids.empty() || view.shown.entry != ids.front())) {
            if (view.compared.entry < 0) view.compared = view.shown;
            view.shown = {id, 0, Quantity::Field};
            if (parent >= 0) view.comparison = Comparison::Single;
            view.camera = State::adapted(view.camera, layer.value.map->frame());
        } else if (view.shown.entry < 0 && facts.inFrame) {
            // The first layer with positions sets the frame of the sky, even an unknown one.
            const bool isFirst = std::none_of(after.begin(), after.end(), [](const Layer& other) {
                return factsOf(other.kind()).inFrame != nullptr;
            });
            const Frame frame = facts.frame(layer.value);
            if (isFirst || frame != Frame::Unknown)
                view.camera = State::adapted(view.camera, frame);
        }
        after.push_back(state_->newEntry(id, layer.value, layer.name, each, parent));
        after.back().style.visible = state_->lineage[id].style.visible = layer.visible;
        ids.push_back(id);
        ++each.output;
    }
    const QString text = parent >= 0 ? tr("Make %1") : tr("Open %1");
    std::vector<int> hides;
    std::copy_if(covering.begin(), covering.end(), std::back_inserter(hides), [this](int id) {
        const Layer* layer = entry(id);
        return layer && layer->style.visible;
    });
    state_->pushEntries(text.arg(made.front().name), std::move(after), before, view,
                        std::move(hides));
    state_->becomeActive(ids.front());
    return ids;
}

void Document::removeLayer(int id) {
    const Layer* gone = entry(id);
    if (!gone) return;
    if (gone->live) return dropLive();
    auto after = state_->keptEntries();
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
    const DocumentView before = state_->viewWithoutLive();
    DocumentView view = before;
    if (view.compared.entry == id) view.compared = {};
    if (view.shown.entry == id) view.shown = neighbor;
    const auto maps = std::count_if(after.begin(), after.end(), isMap);
    if (gone->map && maps <= 2 && view.compared == view.shown) view.compared = {};
    if (view.compared.entry < 0) view.comparison = Comparison::Single;
    if (gone->map && view.shown.entry >= 0)
        view.camera = State::adapted(view.camera, entry(view.shown.entry)->map->frame());
    const QString text = tr("Close %1").arg(gone->name);
    after.erase(place);
    state_->pushEntries(text, std::move(after), before, view);
}

void Document::removeAll() {
    dropLive();
    if (entries().empty()) return;
    const DocumentView before = state_->view;
    DocumentView view = before;
    view.shown = view.compared = {};
    view.comparison = Comparison::Single;
    state_->pushEntries(tr("Close all"), {}, before, view);
}

namespace {

// Title of a history step that changes the style of a layer.
QString styleText(const Layer& layer, const LayerStyle& to) {
    if (layer.style.visible != to.visible)
        return (to.visible ? Document::tr("Show %1") : Document::tr("Hide %1")).arg(layer.name);
    if (layer.style.opacity != to.opacity) return Document::tr("Opacity of %1").arg(layer.name);
    if (layer.style.plane != to.plane) return Document::tr("Plane of %1").arg(layer.name);
    return Document::tr("Markers of %1").arg(layer.name);
}

}  // namespace

void Document::setStyle(int id, const LayerStyle& style) {
    const Layer* layer = entry(id);
    if (!layer) return;
    LayerStyle within = style;
    within.opacity = std::clamp(style.opacity, 0.0, 1.0);
    within.marker.size = std::clamp(style.marker.size, kLeastMarker, kMostMarker);
    const auto planes = layer->image ? static_cast<int>(layer->image->planes.size()) : 1;
    within.plane = std::clamp(style.plane, 0, std::max(0, planes - 1));
    if (within == layer->style) return;
    if (layer->live) return state_->applyStyle(id, within);
    state_->pushStyle(id, styleText(*layer, within), within);
}

int Document::active() const {
    return state_->active;
}

void Document::setActive(int id) {
    if (id >= 0 && !entry(id)) return;
    state_->becomeActive(id);
}

RowSelection Document::selection() const {
    return state_->selection;
}

void Document::setSelection(const RowSelection& selection) {
    if (selection == state_->selection) return;
    const Layer* layer = entry(selection.layer);
    if (selection.layer >= 0 &&
        (!layer || !layer->catalog || selection.row < 0 || selection.row >= layer->catalog->rows()))
        throw InvalidArgument("expected a row of an open catalog to select, found row " +
                              std::to_string(selection.row));
    state_->selection = selection;
    emit selectionChanged();
}

std::shared_ptr<const MarkerSet> Document::markers(int id) const {
    const auto found = state_->markers.find(id);
    return found == state_->markers.end() ? nullptr : found->second;
}

void Document::setMarkers(int id, std::shared_ptr<const MarkerSet> markers) {
    const Layer* layer = entry(id);
    if (!layer || !layer->catalog || !markers) return;
    state_->markers[id] = std::move(markers);
    emit styleChanged(id);
}

std::vector<MarkerGroup> Document::markerGroups(int id) const {
    if (const auto found = state_->markerGroups.find(id); found != state_->markerGroups.end())
        return found->second;
    const Layer* layer = entry(id);
    auto all = markers(id);
    if (!layer || !all) return {};
    return {{std::move(all), layer->style.marker}};
}

void Document::setMarkerGroups(int id, std::optional<std::vector<MarkerGroup>> groups) {
    const Layer* layer = entry(id);
    if (groups && layer && layer->catalog)
        state_->markerGroups[id] = std::move(*groups);
    else
        state_->markerGroups.erase(id);
    emit markerGroupsChanged(id);
}

std::shared_ptr<const ImageMesh> Document::imageMesh(int id) const {
    const auto found = state_->meshes.find(id);
    return found == state_->meshes.end() ? nullptr : found->second;
}

void Document::setImageMesh(int id, std::shared_ptr<const ImageMesh> mesh) {
    const Layer* layer = entry(id);
    if (!layer || !layer->image || !mesh) return;
    const ColorScale opening = openingColors(*mesh);
    ColorScale& scale = state_->scales.try_emplace(Shown{id}, opening).first->second;
    if (lacksTable(scale)) scale.cumulative = opening.cumulative;
    state_->meshes[id] = std::move(mesh);
    emit styleChanged(id);
}

void Document::moveLayer(int id, int to) {
    auto after = state_->keptEntries();
    const auto placeOf = [&](int layer) {
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
    state_->pushEntries(text, std::move(after), state_->view, state_->view);
}

void Document::renameLayer(int id, const QString& name) {
    const Layer* named = entry(id);
    if (!named || named->live || named->name == name) return;
    auto after = state_->keptEntries();
    for (Layer& each : after)
        if (each.id == id) each.name = name;
    state_->pushEntries(tr("Rename %1").arg(named->name), std::move(after), state_->view,
                        state_->view);
}

Shown Document::counterpart(const Shown& shown, int id, const HealpixMap& result) const {
    const Layer* source = entry(shown.entry);
    Shown twin{id, source ? counterpartField(*source->map, shown.field, result) : 0,
               shown.quantity};
    if (twin.quantity != Quantity::Field && !result.polarizationPair())
        twin.quantity = Quantity::Field;
    return twin;
}

void Document::setValue(int id, const LayerValue& value, const Recipe& recipe) {
    Layer* old = state_->find(id);
    if (!old || !value || value.kind() != old->kind())
        throw InvalidArgument("expected a value of the layer's own kind, found another");
    Layer next = state_->newEntry(id, value, old->name, recipe, old->parent);
    next.style = old->style;
    *old = std::move(next);
    emit entriesChanged();
}

int Document::setLive(const std::shared_ptr<const HealpixMap>& map, const QString& name,
                      const Recipe& recipe, int parent) {
    if (!map) throw InvalidArgument("expected a live map, found none");
    if (live() && live()->parent != parent) dropLive();
    State& state = *state_;
    if (const Layer* old = live()) {
        Layer next = state.newEntry(old->id, map, name, recipe, parent);
        next.live = true;
        *state.find(next.id) = std::move(next);
        emit entriesChanged();
        return live()->id;
    }
    Layer entry = state.newEntry(++state.lastId, map, name, recipe, parent);
    entry.live = true;
    const int id = entry.id;
    const DocumentView before = state.view;
    DocumentView after = before;
    if (before.shown.entry == parent) {
        const Shown twin = counterpart(before.shown, id, *entry.map);
        if (before.comparison == Comparison::Single) {
            state.shownBeforeLive = before.shown;
            after.shown = twin;
        } else {
            state.comparedBeforeLive = before.compared;
            after.compared = twin;
        }
        // Before and after are compared in the same colors.
        if (const auto scale = state.scales.find(before.shown); scale != state.scales.end())
            state.scales[twin] = scale->second;
    }
    state.entries.push_back(std::move(entry));
    emit entriesChanged();
    state.applyView(before, after);
    return id;
}

std::shared_ptr<DevicePicture> Document::livePicture(const Shown& shown) const {
    return shown == state_->livePictureOf ? livePicture() : nullptr;
}

std::shared_ptr<DevicePicture> Document::livePicture() const {
    return live() && live()->id == state_->livePictureOf.entry ? state_->livePicture : nullptr;
}

void Document::setLivePicture(const Shown& shown, std::shared_ptr<DevicePicture> picture) {
    if (!picture && !state_->livePicture) return;
    state_->livePictureOf = shown;
    state_->livePicture = std::move(picture);
    emit livePictureChanged();
}

int Document::keepLive() {
    const Layer* kept = live();
    if (!kept) return -1;
    const int id = kept->id;
    setLivePicture({}, nullptr);
    auto after = state_->keptEntries();
    after.push_back(*kept);
    after.back().live = false;
    state_->pushEntries(tr("Keep %1").arg(kept->name), std::move(after), state_->viewWithoutLive(),
                        state_->view);
    return id;
}

void Document::dropLive() {
    if (!live()) return;
    setLivePicture({}, nullptr);
    const DocumentView before = state_->view, after = state_->viewWithoutLive();
    state_->entries.pop_back();
    state_->shownBeforeLive = state_->comparedBeforeLive = std::nullopt;
    emit entriesChanged();
    state_->applyView(before, after);
    state_->tidy();
}

const Layer* Document::live() const {
    const auto& entries = state_->entries;
    return !entries.empty() && entries.back().live ? &entries.back() : nullptr;
}

std::shared_ptr<const DrawableField> Document::drawable(const Shown& shown) const {
    return state_->drawables.find(shown);
}

void Document::setDrawable(const Shown& shown, std::shared_ptr<const DrawableField> field) {
    const Layer* owner = entry(shown.entry);
    if (!owner || !field || field->revision != owner->revision) return;
    const auto known = state_->scales.find(shown);
    const bool isNew = known == state_->scales.end();
    const bool lacks = !isNew && lacksTable(known->second);
    const auto before = state_->drawables.find(shown);
    const bool turns = !isNew && before && before->turnedTo != field->turnedTo;
    const auto opening = [&](const DrawableField& drawn) {
        return openingColors(drawn, *owner, shown);
    };
    if (isNew || (turns && sameScale(known->second, opening(*before))))
        state_->scales[shown] = opening(*field);
    else if (lacks || turns)
        known->second.cumulative = opening(*field).cumulative;
    state_->drawables.insert(shown, std::move(field));
    if (isNew || lacks || turns) emit colorScaleChanged(shown.entry);
    emit drawableChanged(shown.entry);
}

void Document::setDrawableBudget(int64_t bytes) {
    state_->drawables.setBudget(bytes);
}

void Document::endGesture() {
    ++state_->gesture;
}

QUndoStack* Document::undoStack() {
    return &state_->undo;
}

void Document::setUndoBudget(int64_t bytes) {
    state_->undoBudget = bytes;
    state_->trimUndo();
}

UndoMemory Document::undoMemory() const {
    return state_->undoMemory();
}

int64_t Document::pictureBytes(int id) const {
    return state_->pictureBytes(id);
}

FileMark Document::fileMark(int id) const {
    const auto known = state_->lineage.find(id);
    return known == state_->lineage.end() ? FileMark{} : known->second.mark;
}

void Document::setFileMark(int id, const FileMark& mark) {
    const auto known = state_->lineage.find(id);
    if (known != state_->lineage.end()) known->second.mark = mark;
}

}  // namespace armilla

#include "armilla/session/moc_document.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_state.h"

#include <QElapsedTimer>
#include <QUndoCommand>
#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace armilla {

namespace {

// Changes of one kind within this time and one gesture merge into one step. View changes use many
// gestures, but still merge.
constexpr qint64 kMergeMilliseconds = 2000;
// Ids of commands that merge; a step that opens a layer also absorbs a following view of the data.
constexpr int kViewCommand = 1;
constexpr int kScaleCommand = 2;
constexpr int kStyleCommand = 3;

// The changed part of the view; steps merge only if each changes the same single part.
enum class Aspect { Other, Camera, Data, Swipe, Graticule };

Aspect aspectOf(const DocumentView& from, const DocumentView& to) {
    if (from.shown != to.shown || from.compared != to.compared ||
        from.comparison != to.comparison || from.rodsVisible != to.rodsVisible ||
        from.polarization != to.polarization)
        return Aspect::Other;
    // A change of projection, frame or handedness is a separate step, not part of a movement.
    if (from.camera.projection != to.camera.projection || from.camera.frame != to.camera.frame ||
        from.camera.flip != to.camera.flip)
        return Aspect::Other;
    if (!sameCamera(from.camera, to.camera)) return Aspect::Camera;
    if (from.swipe != to.swipe) return Aspect::Swipe;
    if (from.graticuleStep != to.graticuleStep && from.graticuleVisible == to.graticuleVisible)
        return Aspect::Graticule;
    return Aspect::Other;
}

// Time and gesture of the latest change of a step.
struct Stamp {
    explicit Stamp(int ofGesture) : gesture(ofGesture) { clock.start(); }
    bool isSoon(const Stamp& later) const {
        return clock.msecsTo(later.clock) <= kMergeMilliseconds;
    }
    bool joins(const Stamp& later) const { return gesture == later.gesture && isSoon(later); }
    int gesture;
    QElapsedTimer clock;
};

// True if a step changes neither the value nor the recipe of a layer.
bool isLeftAlone(const Layer& from, const Layer& to) {
    return from.revision == to.revision && from.recipe.toJson() == to.recipe.toJson();
}
// Such a step uses the present value, because strokes may have been painted since.
void takePresent(Layer& layer, const Layer& present) {
    if (layer.revision == present.revision) return;
    static_cast<LayerValue&>(layer) = static_cast<const LayerValue&>(present);
    layer.revision = present.revision;
    layer.detail = present.detail;
    layer.recipe = present.recipe;
}

}  // namespace

class DocumentCommands::View : public QUndoCommand {
public:
    using State = Document::State;
    View(State& state, const QString& text, const DocumentView& to, Aspect aspect)
        : QUndoCommand(text),
          state_(state),
          from_(state.view),
          to_(to),
          aspect_(aspect),
          stamp_(state.gesture) {}
    int id() const override { return kViewCommand; }
    void undo() override { state_.applyView(to_, from_); }
    void redo() override { state_.applyView(from_, to_); }
    bool mergeWith(const QUndoCommand* command) override {
        const auto* other = dynamic_cast<const View*>(command);
        if (!other || aspect_ == Aspect::Other || aspect_ != other->aspect_) return false;
        if (isOfCamera() ? !stamp_.isSoon(other->stamp_) : !stamp_.joins(other->stamp_))
            return false;
        to_ = other->to_;
        stamp_ = other->stamp_;
        // A view that returned to its start makes the step obsolete.
        setObsolete(isOfCamera()                   ? sameCamera(from_.camera, to_.camera)
                    : aspect_ == Aspect::Graticule ? from_.graticuleStep == to_.graticuleStep
                                                   : from_.swipe == to_.swipe);
        return true;
    }
    bool looksAtData() const { return aspect_ == Aspect::Data; }
    const Camera& camera() const { return to_.camera; }
    const Stamp& stamp() const { return stamp_; }

private:
    bool isOfCamera() const { return aspect_ == Aspect::Camera || aspect_ == Aspect::Data; }

    State& state_;
    DocumentView from_, to_;
    Aspect aspect_;
    Stamp stamp_;
};

class DocumentCommands::Entries : public QUndoCommand {
public:
    using State = Document::State;
    Entries(State& state, const QString& text, LayerSplice splice, const DocumentView& viewBefore,
            const DocumentView& viewAfter, std::vector<int> hides)
        : QUndoCommand(text),
          state_(state),
          splice_(std::move(splice)),
          viewBefore_(viewBefore),
          viewAfter_(viewAfter),
          hides_(std::move(hides)),
          stamp_(state.gesture) {
        state_.splices.push_back(&splice_);
    }
    ~Entries() override { std::erase(state_.splices, &splice_); }
    Entries(const Entries&) = delete;
    Entries& operator=(const Entries&) = delete;
    void undo() override { apply(false, viewAfter_, viewBefore_); }
    void redo() override { apply(true, viewBefore_, viewAfter_); }
    int id() const override { return kViewCommand; }
    // Absorbs the view of the data that this step has opened.
    bool mergeWith(const QUndoCommand* command) override {
        const auto* look = dynamic_cast<const View*>(command);
        if (!look || !look->looksAtData() || splice_.after.size() <= splice_.before.size() ||
            !stamp_.isSoon(look->stamp()))
            return false;
        viewAfter_.camera = look->camera();
        stamp_ = look->stamp();
        return true;
    }

private:
    // The view moves to existing maps before other maps are removed, so that it never refers to a
    // missing map.
    void apply(bool forward, const DocumentView& from, const DocumentView& to) {
        state_.applySplice(splice_, forward, from, to);
        for (const int id : hides_) {
            const Layer* layer = state_.find(id);
            if (!layer) continue;
            LayerStyle style = layer->style;
            style.visible = !forward;
            state_.applyStyle(id, style);
        }
        state_.applyView(from, to);
        if (state_.isAwaited(to.shown.entry)) state_.awaitedShown = to.shown;
        if (state_.isAwaited(to.compared.entry)) state_.awaitedCompared = to.compared;
        state_.tidy();
        state_.trimUndo();
    }
    State& state_;
    LayerSplice splice_;
    DocumentView viewBefore_, viewAfter_;
    std::vector<int> hides_;
    Stamp stamp_;
};

class DocumentCommands::Style : public QUndoCommand {
public:
    using State = Document::State;
    Style(State& state, int layer, const QString& text, const LayerStyle& to)
        : QUndoCommand(text),
          state_(state),
          layer_(layer),
          from_(state.find(layer)->style),
          to_(to),
          stamp_(state.gesture) {}
    int id() const override { return kStyleCommand; }
    void undo() override { state_.applyStyle(layer_, from_); }
    void redo() override { state_.applyStyle(layer_, to_); }
    // Only steps of one kind merge: a change of visibility does not join a change of size.
    bool mergeWith(const QUndoCommand* command) override {
        const auto& other = static_cast<const Style&>(*command);
        if (layer_ != other.layer_ || text() != other.text() || from_.visible != to_.visible ||
            !stamp_.joins(other.stamp_))
            return false;
        to_ = other.to_;
        stamp_ = other.stamp_;
        setObsolete(from_ == to_);
        return true;
    }

private:
    State& state_;
    int layer_;
    LayerStyle from_, to_;
    Stamp stamp_;
};

class DocumentCommands::Colors : public QUndoCommand {
public:
    using State = Document::State;
    Colors(State& state, const Shown& shown, const QString& text, const ColorScale& to)
        : QUndoCommand(text),
          state_(state),
          shown_(shown),
          from_(state.document.colorScale(shown)),
          to_(to),
          stamp_(state.gesture) {}
    int id() const override { return kScaleCommand; }
    void undo() override { state_.applyScale(shown_, from_); }
    void redo() override { state_.applyScale(shown_, to_); }
    bool mergeWith(const QUndoCommand* command) override {
        const auto& other = static_cast<const Colors&>(*command);
        if (shown_ != other.shown_ || !stamp_.joins(other.stamp_)) return false;
        to_ = other.to_;
        stamp_ = other.stamp_;
        setObsolete(sameScale(from_, to_));
        return true;
    }

private:
    State& state_;
    Shown shown_;
    ColorScale from_, to_;
    Stamp stamp_;
};

void Document::State::pushView(const QString& text, const DocumentView& to) {
    undo.push(new DocumentCommands::View(*this, text, to, aspectOf(view, to)));
}

void Document::State::pushLook(const QString& text, const DocumentView& to) {
    undo.push(new DocumentCommands::View(*this, text, to, Aspect::Data));
}

void Document::State::pushEntries(const QString& text, std::vector<Layer> after,
                                  const DocumentView& viewBefore, const DocumentView& viewAfter,
                                  std::vector<int> hides) {
    const std::span<const Layer> before(entries.data(), entries.size() - (document.live() ? 1 : 0));
    const auto isSame = [](const Layer& a, const Layer& b) {
        return a.id == b.id && a.revision == b.revision && a.live == b.live && a.name == b.name &&
               a.recipe.input == b.recipe.input && a.recipe.other == b.recipe.other &&
               a.recipe.record == b.recipe.record;
    };
    const auto shorter = static_cast<std::ptrdiff_t>(std::min(before.size(), after.size()));
    LayerSplice splice;
    const auto start =
        std::mismatch(before.begin(), before.begin() + shorter, after.begin(), isSame);
    const auto rest = shorter - (start.first - before.begin());
    const auto end = std::mismatch(before.rbegin(), before.rbegin() + rest, after.rbegin(), isSame);
    splice.at = static_cast<size_t>(start.first - before.begin());
    splice.before.assign(start.first, end.first.base());
    splice.after.assign(start.second, end.second.base());
    undo.push(new DocumentCommands::Entries(*this, text, std::move(splice), viewBefore, viewAfter,
                                            std::move(hides)));
}

void Document::State::pushScale(const Shown& shown, const QString& text, const ColorScale& scale) {
    undo.push(new DocumentCommands::Colors(*this, shown, text, scale));
}

void Document::State::pushStyle(int id, const QString& text, const LayerStyle& style) {
    undo.push(new DocumentCommands::Style(*this, id, text, style));
}

void Document::State::applyView(const DocumentView& from, const DocumentView& to) {
    const DocumentView old = view;
    if (from.shown != to.shown) view.shown = resolved(to.shown);
    if (from.compared != to.compared) view.compared = resolved(to.compared);
    if (from.comparison != to.comparison) view.comparison = to.comparison;
    if (from.swipe != to.swipe) view.swipe = to.swipe;
    if (!sameCamera(from.camera, to.camera)) view.camera = to.camera;
    if (from.graticuleStep != to.graticuleStep) view.graticuleStep = to.graticuleStep;
    if (from.graticuleVisible != to.graticuleVisible) view.graticuleVisible = to.graticuleVisible;
    if (from.rodsVisible != to.rodsVisible) view.rodsVisible = to.rodsVisible;
    if (from.polarization != to.polarization) view.polarization = to.polarization;
    // All values change before the signals, so that receivers see one consistent state.
    const bool isOtherMap = old.shown != view.shown || old.compared != view.compared;
    if (isOtherMap) protectShown();
    if (!sameCamera(old.camera, view.camera)) emit document.cameraChanged();
    if (isOtherMap) emit document.shownChanged();
    if (old.shown.entry != view.shown.entry && view.shown.entry >= 0)
        becomeActive(view.shown.entry);
    if (old.comparison != view.comparison || old.swipe != view.swipe)
        emit document.comparisonChanged();
    if (old.graticuleStep != view.graticuleStep || old.graticuleVisible != view.graticuleVisible ||
        old.rodsVisible != view.rodsVisible || old.polarization != view.polarization)
        emit document.overlaysChanged();
}

void Document::State::applySplice(LayerSplice& splice, bool forward, const DocumentView& viewFrom,
                                  const DocumentView& viewTo) {
    std::vector<Layer>& from = forward ? splice.before : splice.after;
    const std::vector<Layer>& to = forward ? splice.after : splice.before;
    // By id, not by index: layers whose values are still awaited are not in the list.
    std::map<int, Layer*> leaving;
    for (Layer& layer : from) leaving.emplace(layer.id, &layer);
    std::erase_if(awaited, [&](const AwaitedLayer& layer) { return leaving.contains(layer.id); });
    const auto missed = std::erase_if(
        missing, [&](const MissingLayer& each) { return leaving.contains(each.layer.id); });
    std::optional<Layer> live;
    if (document.live()) {
        live = std::move(entries.back());
        entries.pop_back();
    }
    std::map<int, Layer> gone;
    std::optional<size_t> place;
    auto kept = entries.begin();
    for (Layer& layer : entries) {
        const auto left = leaving.find(layer.id);
        if (left == leaving.end()) {
            if (&*kept != &layer) *kept = std::move(layer);
            ++kept;
            continue;
        }
        if (!place) place = static_cast<size_t>(kept - entries.begin());
        // A recomputed layer holds its value again.
        if (!*left->second) left->second->value() = layer.value();
        // A closed layer keeps its latest name and style.
        if (const auto known = lineage.find(layer.id); known != lineage.end()) {
            known->second.name = layer.name;
            known->second.style = layer.style;
        }
        gone.emplace(layer.id, std::move(layer));
    }
    entries.erase(kept, entries.end());
    std::vector<Layer> come;
    bool awaitsAny = false;
    for (const Layer& layer : to) {
        Layer coming = layer;
        if (const auto known = gone.find(layer.id); known != gone.end()) {
            if (isLeftAlone(*leaving.at(layer.id), layer)) takePresent(coming, known->second);
            // Style changes are separate steps, so a restored layer keeps its present style.
            coming.style = known->second.style;
            // In another stated frame the layer is recomputed in a job, as a missing value is.
            if (!coming && layer.recipe.statedFrame == known->second.recipe.statedFrame) {
                coming.value() = known->second.value();
                coming.revision = known->second.revision;
            }
            // Drawing data of another value are discarded.
            if (coming.revision != known->second.revision) {
                markers.erase(layer.id);
                markerGroups.erase(layer.id);
                meshes.erase(layer.id);
            }
        }
        // Another step, or this one, may have changed the recipe.
        if (const auto known = lineage.find(layer.id); known != lineage.end()) {
            if (coming.recipe.kind != RecipeKind::Open) {
                known->second.recipe = coming.recipe;
                known->second.parent = coming.parent;
            }
            known->second.recipe.statedFrame = coming.recipe.statedFrame;
        }
        if (coming) {
            come.push_back(std::move(coming));
        } else {
            await(layer.id);
            for (AwaitedLayer& planned : awaited)
                if (planned.id == layer.id) {
                    planned.name = layer.name;
                    planned.style = layer.style;
                    planned.hidden = false;
                }
            awaitsAny = true;
        }
    }
    const auto at =
        static_cast<std::ptrdiff_t>(std::min(place.value_or(splice.at), entries.size()));
    entries.insert(entries.begin() + at, std::make_move_iterator(come.begin()),
                   std::make_move_iterator(come.end()));
    // A step that keeps the live map moves it to the kept layers. Any other step leaves it live
    // unless its parent goes.
    if (live && !find(live->id) && find(live->parent)) entries.push_back(std::move(*live));
    noteOrder();
    places.clear();
    for (size_t i = 0; i < entries.size(); ++i) places.emplace(entries[i].id, i);
    if (!document.live()) shownBeforeLive = comparedBeforeLive = std::nullopt;
    // A new layer becomes active. After a removal the shown map becomes active, or a neighbor. All
    // this precedes the signals, so that panels update once.
    const int before = active;
    const bool comes = !to.empty() && find(to.back().id);
    const Shown shown = viewFrom.shown != viewTo.shown ? resolved(viewTo.shown) : view.shown;
    if (shown.entry >= 0 && shown.entry != view.shown.entry)
        active = shown.entry;
    else if (comes && (!find(active) || to.size() > from.size()))
        active = to.back().id;
    else if (!find(active))
        active = entries.empty() ? -1 : entries[std::min(splice.at, entries.size() - 1)].id;
    const bool isAnotherActive = active != before;
    emit document.entriesChanged();
    if (missed > 0) emit document.missingChanged();
    if (awaitsAny) emit document.layersAwaited();
    if (isAnotherActive) emit document.activeChanged();
}

void Document::State::noteOrder() {
    // Sorted vectors: hashed sets of a thousand ids would take as long as the rest of a step.
    std::vector<int> known = order, open;
    std::sort(known.begin(), known.end());
    for (const Layer& layer : entries) {
        if (layer.live) continue;
        open.push_back(layer.id);
        if (!std::binary_search(known.begin(), known.end(), layer.id)) order.push_back(layer.id);
    }
    std::sort(open.begin(), open.end());
    auto next = entries.begin();
    for (int& id : order)
        if (std::binary_search(open.begin(), open.end(), id)) id = (next++)->id;
}

std::vector<Layer>::iterator Document::State::placeOf(int id) {
    const std::unordered_set<int> behind(std::find(order.begin(), order.end(), id), order.end());
    return std::find_if(entries.begin(), entries.end(), [&](const Layer& other) {
        return other.live || behind.contains(other.id);
    });
}

bool Document::State::isAwaited(int id) const {
    return std::any_of(awaited.begin(), awaited.end(),
                       [id](const AwaitedLayer& layer) { return layer.id == id; });
}

void Document::State::await(int id) {
    const auto known = lineage.find(id);
    if (known == lineage.end() || isAwaited(id)) return;
    std::erase_if(missing, [id](const MissingLayer& each) { return each.layer.id == id; });
    awaited.push_back(known->second);
    const auto after = awaited.size();
    for (const int input : known->second.recipe.inputs()) {
        if (find(input) || isAwaited(input)) continue;
        await(input);
    }
    for (size_t i = after; i < awaited.size(); ++i) awaited[i].hidden = true;
}

// Values held only by the history, oldest step first, without repetition.
std::vector<const Layer*> Document::State::heldByUndo() const {
    std::set<const void*> known;  // open or already listed
    for (const Layer& layer : entries) known.insert(layer.identity());
    std::vector<const Layer*> held;
    for (const LayerSplice* splice : splices)
        for (const auto* side : {&splice->before, &splice->after})
            for (const Layer& layer : *side)
                if (layer && known.insert(layer.identity()).second) held.push_back(&layer);
    return held;
}

UndoMemory Document::State::undoMemory() const {
    UndoMemory memory;
    memory.budget = undoBudget;
    for (const Layer* layer : heldByUndo()) {
        memory.bytes += factsOf(layer->kind()).memoryBytes(*layer);
        ++memory.layers;
    }
    std::set<int> open, recipes;
    for (const Layer& layer : entries) open.insert(layer.id);
    for (const LayerSplice* splice : splices)
        for (const auto* side : {&splice->before, &splice->after})
            for (const Layer& layer : *side)
                if (!layer && !open.contains(layer.id)) recipes.insert(layer.id);
    memory.recipes = static_cast<int>(recipes.size());
    return memory;
}

void Document::State::trimUndo() {
    const std::vector<const Layer*> held = heldByUndo();
    int64_t bytes = 0;
    for (const Layer* layer : held) bytes += factsOf(layer->kind()).memoryBytes(*layer);
    std::set<const void*> given;
    for (const Layer* layer : held) {
        if (bytes <= undoBudget) break;
        bytes -= factsOf(layer->kind()).memoryBytes(*layer);
        given.insert(layer->identity());
    }
    if (given.empty()) return;
    for (LayerSplice* splice : splices)
        for (auto* side : {&splice->before, &splice->after})
            for (Layer& layer : *side)
                if (given.contains(layer.identity()))
                    static_cast<LayerValue&>(layer) = LayerValue();
}

void Document::State::applyStyle(int id, const LayerStyle& style) {
    Layer* layer = find(id);
    if (!layer) return;
    layer->style = style;
    emit document.styleChanged(id);
}

void Document::State::becomeActive(int id) {
    if (active == id) return;
    active = id;
    emit document.activeChanged();
}

void Document::State::applyScale(const Shown& shown, const ColorScale& scale) {
    scales[shown] = scale;
    emit document.colorScaleChanged(shown.entry);
}

int64_t Document::State::pictureBytes(int id) const {
    int64_t bytes = drawables.bytesOf(id);
    if (const auto set = markers.find(id); set != markers.end())
        bytes += set->second->memoryBytes();
    if (const auto mesh = meshes.find(id); mesh != meshes.end())
        bytes += mesh->second->memoryBytes();
    return bytes;
}

void Document::State::tidy() {
    drawables.removeIf([this](const Shown& shown) { return find(shown.entry) == nullptr; });
    std::erase_if(meshes, [this](const auto& mesh) { return find(mesh.first) == nullptr; });
    std::erase_if(markers, [this](const auto& set) { return find(set.first) == nullptr; });
    std::erase_if(markerGroups, [this](const auto& set) { return find(set.first) == nullptr; });
    if (selection.layer >= 0 && !find(selection.layer)) document.setSelection({});
    const Shown shown = resolved(view.shown), compared = resolved(view.compared);
    if (shown == view.shown && compared == view.compared) return;
    view.shown = shown;
    view.compared = compared;
    protectShown();
    emit document.shownChanged();
}

void Document::State::protectShown() {
    drawables.protect({view.shown, view.compared});
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_state.h"

#include <QElapsedTimer>
#include <QUndoCommand>
#include <algorithm>
#include <set>
#include <utility>

namespace armilla {

namespace {

// Changes of one kind closer than this, within one gesture, are one step. Looking around takes many
// gestures, and is one step nevertheless.
constexpr qint64 kMergeMilliseconds = 2000;
// Ids of commands that merge.
constexpr int kViewCommand = 1;
constexpr int kScaleCommand = 2;
constexpr int kStyleCommand = 3;

// What a step of the view changes; only steps that change the same one thing merge.
enum class Aspect { Other, Camera, Swipe, Graticule };

Aspect aspectOf(const DocumentView& from, const DocumentView& to) {
    if (from.shown != to.shown || from.compared != to.compared ||
        from.comparison != to.comparison || from.rodsVisible != to.rodsVisible ||
        from.polarization != to.polarization)
        return Aspect::Other;
    // Another projection, frame or handedness is a step of its own, not part of a movement.
    if (from.camera.projection != to.camera.projection || from.camera.frame != to.camera.frame ||
        from.camera.flip != to.camera.flip)
        return Aspect::Other;
    if (!sameCamera(from.camera, to.camera)) return Aspect::Camera;
    if (from.swipe != to.swipe) return Aspect::Swipe;
    if (from.graticuleStep != to.graticuleStep && from.graticuleVisible == to.graticuleVisible)
        return Aspect::Graticule;
    return Aspect::Other;
}

// When and within which gesture a step was made last.
struct Stamp {
    explicit Stamp(int ofGesture) : gesture(ofGesture) { clock.start(); }
    bool isSoon(const Stamp& later) const {
        return clock.msecsTo(later.clock) <= kMergeMilliseconds;
    }
    bool joins(const Stamp& later) const { return gesture == later.gesture && isSoon(later); }
    int gesture;
    QElapsedTimer clock;
};

}  // namespace

struct DocumentCommands {
    using State = Document::State;

    class View : public QUndoCommand {
    public:
        View(State& state, const QString& text, const DocumentView& to)
            : QUndoCommand(text),
              state_(state),
              from_(state.view),
              to_(to),
              aspect_(aspectOf(from_, to_)),
              stamp_(state.gesture) {}
        int id() const override { return kViewCommand; }
        void undo() override { state_.applyView(to_, from_); }
        void redo() override { state_.applyView(from_, to_); }
        bool mergeWith(const QUndoCommand* command) override {
            const auto& other = static_cast<const View&>(*command);
            if (aspect_ == Aspect::Other || aspect_ != other.aspect_) return false;
            if (aspect_ == Aspect::Camera ? !stamp_.isSoon(other.stamp_)
                                          : !stamp_.joins(other.stamp_))
                return false;
            to_ = other.to_;
            stamp_ = other.stamp_;
            // Moved there and back: no step at all.
            setObsolete(aspect_ == Aspect::Camera      ? sameCamera(from_.camera, to_.camera)
                        : aspect_ == Aspect::Graticule ? from_.graticuleStep == to_.graticuleStep
                                                       : from_.swipe == to_.swipe);
            return true;
        }

    private:
        State& state_;
        DocumentView from_, to_;
        Aspect aspect_;
        Stamp stamp_;
    };

    class Entries : public QUndoCommand {
    public:
        Entries(State& state, const QString& text, LayerSplice splice,
                const DocumentView& viewBefore, const DocumentView& viewAfter)
            : QUndoCommand(text),
              state_(state),
              splice_(std::move(splice)),
              viewBefore_(viewBefore),
              viewAfter_(viewAfter) {
            state_.splices.push_back(&splice_);
        }
        ~Entries() override { std::erase(state_.splices, &splice_); }
        Entries(const Entries&) = delete;
        Entries& operator=(const Entries&) = delete;
        void undo() override { apply(false, viewAfter_, viewBefore_); }
        void redo() override { apply(true, viewBefore_, viewAfter_); }

    private:
        // The view is led to maps that are there before others go, so that it never points at
        // nothing in between.
        void apply(bool forward, const DocumentView& from, const DocumentView& to) {
            state_.applySplice(splice_, forward);
            state_.applyView(from, to);
            if (state_.isAwaited(to.shown.entry)) state_.awaitedShown = to.shown;
            if (state_.isAwaited(to.compared.entry)) state_.awaitedCompared = to.compared;
            state_.tidy();
            state_.trimUndo();
        }
        State& state_;
        LayerSplice splice_;
        DocumentView viewBefore_, viewAfter_;
    };

    class Style : public QUndoCommand {
    public:
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
        // Steps of one kind: a change of visibility is not part of a movement of the size.
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

    class Colors : public QUndoCommand {
    public:
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
};

void Document::State::pushView(const QString& text, const DocumentView& to) {
    undo.push(new DocumentCommands::View(*this, text, to));
}

void Document::State::pushEntries(const QString& text, std::vector<Layer> after,
                                  const DocumentView& viewBefore, const DocumentView& viewAfter) {
    std::vector<Layer> before = keptEntries();
    const auto isSame = [](const Layer& a, const Layer& b) {
        return a.id == b.id && a.revision == b.revision && a.live == b.live && a.name == b.name;
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
    undo.push(new DocumentCommands::Entries(*this, text, std::move(splice), viewBefore, viewAfter));
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
    // All values first, then the news: listeners see one state.
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

void Document::State::applySplice(LayerSplice& splice, bool forward) {
    std::vector<Layer>& from = forward ? splice.before : splice.after;
    const std::vector<Layer>& to = forward ? splice.after : splice.before;
    std::vector<Layer> next = keptEntries();
    // By number, not by place: layers whose values come later are not in the list meanwhile.
    size_t at = std::min(splice.at, next.size());
    bool isPlaced = false;
    std::map<int, Layer> gone;
    for (Layer& layer : from) {
        const auto found = std::find_if(next.begin(), next.end(),
                                        [&](const Layer& each) { return each.id == layer.id; });
        std::erase_if(awaited, [&](const AwaitedLayer& each) { return each.id == layer.id; });
        if (found == next.end()) continue;
        if (!std::exchange(isPlaced, true)) at = static_cast<size_t>(found - next.begin());
        // One that was made again is held by its value again.
        if (!layer) static_cast<LayerValue&>(layer) = *found;
        gone.emplace(layer.id, std::move(*found));
        next.erase(found);
    }
    bool awaitsAny = false;
    for (const Layer& layer : to) {
        Layer coming = layer;
        if (const auto known = gone.find(layer.id); known != gone.end()) {
            // Looks are steps of their own: what comes back unchanged in other ways keeps its
            // present one.
            coming.style = known->second.style;
            if (!coming) {
                static_cast<LayerValue&>(coming) = known->second;
                coming.revision = known->second.revision;
            }
        }
        if (coming) {
            next.insert(next.begin() + static_cast<std::ptrdiff_t>(std::min(at++, next.size())),
                        std::move(coming));
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
    // A step of keeping takes the live map into the kept ones; any other leaves it live, unless the
    // map it was made from goes.
    if (const Layer* live = document.live()) {
        const auto has = [&](int id) {
            return std::any_of(next.begin(), next.end(),
                               [id](const Layer& entry) { return entry.id == id; });
        };
        if (!has(live->id) && has(live->parent)) next.push_back(*live);
    }
    entries = std::move(next);
    if (!document.live()) shownBeforeLive = comparedBeforeLive = std::nullopt;
    emit document.entriesChanged();
    if (awaitsAny) emit document.layersAwaited();
    // What came is what one goes on with; where something went, its neighbor is.
    const bool comes = !to.empty() && find(to.back().id);
    if (comes && (!find(active) || to.size() > from.size()))
        becomeActive(to.back().id);
    else if (!find(active))
        becomeActive(entries.empty() ? -1 : entries[std::min(splice.at, entries.size() - 1)].id);
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

// The values that only the history holds, the oldest step first; each once.
std::vector<const Layer*> Document::State::heldByUndo() const {
    std::vector<const Layer*> held;
    for (const LayerSplice* splice : splices)
        for (const auto* side : {&splice->before, &splice->after})
            for (const Layer& layer : *side) {
                const Layer* open = document.entry(layer.id);
                const bool isOpen = open && open->identity() == layer.identity();
                const auto isSame = [&](const Layer* one) {
                    return one->identity() == layer.identity();
                };
                if (layer && !isOpen && std::none_of(held.begin(), held.end(), isSame))
                    held.push_back(&layer);
            }
    return held;
}

UndoMemory Document::State::undoMemory() const {
    UndoMemory memory;
    memory.budget = undoBudget;
    for (const Layer* layer : heldByUndo()) {
        memory.bytes += factsOf(layer->kind()).memoryBytes(*layer);
        ++memory.layers;
    }
    std::set<int> recipes;
    for (const LayerSplice* splice : splices)
        for (const auto* side : {&splice->before, &splice->after})
            for (const Layer& layer : *side)
                if (!layer && !document.entry(layer.id)) recipes.insert(layer.id);
    memory.recipes = static_cast<int>(recipes.size());
    return memory;
}

void Document::State::trimUndo() {
    int64_t bytes = undoMemory().bytes;
    while (bytes > undoBudget) {
        const std::vector<const Layer*> held = heldByUndo();
        if (held.empty()) return;
        const void* oldest = held.front()->identity();
        bytes -= factsOf(held.front()->kind()).memoryBytes(*held.front());
        for (LayerSplice* splice : splices)
            for (auto* side : {&splice->before, &splice->after})
                for (Layer& layer : *side)
                    if (layer.identity() == oldest) static_cast<LayerValue&>(layer) = LayerValue();
    }
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

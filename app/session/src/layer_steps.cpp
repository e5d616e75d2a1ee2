// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer_steps.h"

#include <QUndoCommand>
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "armilla/session/layer_drawings.h"
#include "armilla/session/layer_recovery.h"
#include "armilla/session/live_layer.h"
#include "layer_list.h"
#include "view_step.h"

namespace armilla {

namespace {

// True if a step changes neither the value nor the recipe of a layer.
bool isLeftAlone(const Layer& from, const Layer& to) {
    return from.revision == to.revision && from.recipe.toJson() == to.recipe.toJson();
}

// Such a step uses the present value, because strokes may have been painted since.
void takePresent(Layer& layer, const Layer& present) {
    if (layer.revision == present.revision) return;
    layer.value() = present.value();
    layer.revision = present.revision;
    layer.detail = present.detail;
    layer.recipe = present.recipe;
}

bool isSame(const Layer& a, const Layer& b) {
    return a.id == b.id && a.revision == b.revision && a.live == b.live && a.name == b.name &&
           a.recipe.input == b.recipe.input && a.recipe.other == b.recipe.other &&
           a.recipe.record == b.recipe.record;
}

}  // namespace

class LayerSteps::Step : public QUndoCommand {
public:
    Step(LayerSteps& steps, const QString& text, LayerSplice splice, const ViewState& viewBefore,
         const ViewState& viewAfter, std::vector<LayerId> hides)
        : QUndoCommand(text),
          steps_(steps),
          splice_(std::move(splice)),
          viewBefore_(viewBefore),
          viewAfter_(viewAfter),
          hides_(std::move(hides)),
          stamp_(steps.history_.gesture()) {
        steps_.history_.hold(&splice_);
    }
    ~Step() override { steps_.history_.release(&splice_); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    void undo() override { apply(false, viewAfter_, viewBefore_); }
    void redo() override { apply(true, viewBefore_, viewAfter_); }
    int id() const override { return kViewCommand; }
    // Absorbs the view of the data that this step has opened.
    bool mergeWith(const QUndoCommand* command) override {
        const auto* look = dynamic_cast<const ViewStep*>(command);
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
    void apply(bool forward, const ViewState& from, const ViewState& to) {
        steps_.apply(splice_, forward, from, to);
        for (const LayerId id : hides_) {
            const Layer* layer = std::as_const(steps_.layers_).find(id);
            if (!layer) continue;
            LayerStyle style = layer->style;
            style.visible = !forward;
            steps_.drawings_.applyStyle(id, style);
        }
        steps_.view_.apply(from, to);
        steps_.recovery_.awaitView(to);
        steps_.tidy();
        steps_.history_.trim();
    }

    LayerSteps& steps_;
    LayerSplice splice_;
    ViewState viewBefore_, viewAfter_;
    std::vector<LayerId> hides_;
    StepStamp stamp_;
};

LayerSteps::LayerSteps(LayerList& layers, DocumentView& view, LayerDrawings& drawings,
                       LayerRecovery& recovery, LiveLayer& live, History& history)
    : layers_(layers),
      view_(view),
      drawings_(drawings),
      recovery_(recovery),
      live_(live),
      history_(history) {}

void LayerSteps::push(const QString& text, std::vector<Layer> after, const ViewState& viewBefore,
                      const ViewState& viewAfter, std::vector<LayerId> hides) {
    const auto& entries = layers_.entries();
    const std::span<const Layer> before(entries.data(), entries.size() - (layers_.live() ? 1 : 0));
    const auto shorter = static_cast<std::ptrdiff_t>(std::min(before.size(), after.size()));
    LayerSplice splice;
    const auto start =
        std::mismatch(before.begin(), before.begin() + shorter, after.begin(), isSame);
    const auto rest = shorter - (start.first - before.begin());
    const auto end = std::mismatch(before.rbegin(), before.rbegin() + rest, after.rbegin(), isSame);
    splice.at = static_cast<size_t>(start.first - before.begin());
    splice.before.assign(start.first, end.first.base());
    splice.after.assign(start.second, end.second.base());
    history_.stack()->push(
        new Step(*this, text, std::move(splice), viewBefore, viewAfter, std::move(hides)));
}

Layer LayerSteps::coming(const Layer& layer, const Layer& leaving, const Layer& present) {
    Layer coming = layer;
    if (isLeftAlone(leaving, layer)) takePresent(coming, present);
    // Style changes are separate steps, so a restored layer keeps its present style.
    coming.style = present.style;
    // In another stated frame the layer is recomputed in a job, as a missing value is.
    if (!coming && layer.recipe.statedFrame == present.recipe.statedFrame) {
        coming.value() = present.value();
        coming.revision = present.revision;
    }
    // Drawing data of another value are discarded.
    if (coming.revision != present.revision) drawings_.forgetValue(layer.id);
    return coming;
}

// Another step, or this one, may have changed the recipe.
void LayerSteps::rememberRecipe(const Layer& layer) {
    const auto known = layers_.known().find(layer.id);
    if (known == layers_.known().end()) return;
    if (layer.recipe.kind != RecipeKind::Open) {
        known->second.recipe = layer.recipe;
        known->second.parent = layer.parent;
    }
    known->second.recipe.statedFrame = layer.recipe.statedFrame;
}

// A new layer becomes active. After a removal the shown map becomes active, or a neighbor.
LayerId LayerSteps::activeAfter(const LayerSplice& splice, bool forward, const ViewState& from,
                                const ViewState& to) const {
    const LayerList& layers = layers_;
    const std::vector<Layer>& gone = forward ? splice.before : splice.after;
    const std::vector<Layer>& come = forward ? splice.after : splice.before;
    const bool comes = !come.empty() && layers.find(come.back().id);
    const Shown now = view_.shown();
    const Shown shown = from.shown != to.shown ? layers.resolved(to.shown) : now;
    if (shown.entry.isValid() && shown.entry != now.entry) return shown.entry;
    const bool isOpen = layers.find(layers.active()) != nullptr;
    if (comes && (!isOpen || come.size() > gone.size())) return come.back().id;
    if (isOpen) return layers.active();
    const auto& entries = layers.entries();
    return entries.empty() ? LayerId() : entries[std::min(splice.at, entries.size() - 1)].id;
}

void LayerSteps::apply(LayerSplice& splice, bool forward, const ViewState& from,
                       const ViewState& to) {
    std::vector<Layer>& leave = forward ? splice.before : splice.after;
    const std::vector<Layer>& come = forward ? splice.after : splice.before;
    // By id, not by index: layers whose values are still awaited are not in the list.
    std::map<LayerId, Layer*> leaving;
    std::set<LayerId> ids;
    for (Layer& layer : leave) {
        leaving.emplace(layer.id, &layer);
        ids.insert(layer.id);
    }
    const bool hadMissing = recovery_.forget(ids);
    std::optional<Layer> live = layers_.takeLive();
    std::optional<size_t> place;
    const std::map<LayerId, Layer> gone = layers_.take(ids, place);
    // A recomputed layer holds its value again.
    for (const auto& [id, layer] : gone)
        if (Layer* held = leaving.at(id); !*held) held->value() = layer.value();
    std::vector<Layer> open;
    bool awaitsAny = false;
    for (const Layer& layer : come) {
        const auto present = gone.find(layer.id);
        Layer next =
            present == gone.end() ? layer : coming(layer, *leaving.at(layer.id), present->second);
        rememberRecipe(next);
        if (next) {
            open.push_back(std::move(next));
        } else {
            recovery_.await(layer);
            awaitsAny = true;
        }
    }
    layers_.insert(place.value_or(splice.at), std::move(open));
    // A step that keeps the live map moves it to the kept layers. Any other step leaves it live
    // unless its parent goes.
    if (live && !layers_.find(live->id) && layers_.find(live->parent))
        layers_.append(std::move(*live));
    layers_.noteOrder();
    if (!layers_.live()) live_.forgetView();
    // All values change before the signals, so that panels update once.
    const bool isAnotherActive = layers_.replaceActive(activeAfter(splice, forward, from, to));
    emit layers_.changed();
    if (hadMissing) emit recovery_.missingChanged();
    if (awaitsAny) emit recovery_.layersAwaited();
    if (isAnotherActive) emit layers_.activeChanged();
}

void LayerSteps::tidy() {
    drawings_.forgetClosed();
    if (const LayerId id = layers_.selection().layer; id.isValid() && !layers_.find(id))
        layers_.select({});
    view_.leaveClosed();
}

}  // namespace armilla

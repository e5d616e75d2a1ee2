// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/layer_recovery.h"

#include <algorithm>
#include <utility>

#include "armilla/session/document_view.h"
#include "layer_list.h"

namespace armilla {

LayerRecovery::LayerRecovery(LayerList& layers, DocumentView& view)
    : layers_(layers), view_(view) {}

bool LayerRecovery::isAwaited(LayerId id) const {
    return std::any_of(awaited_.begin(), awaited_.end(),
                       [id](const AwaitedLayer& layer) { return layer.id == id; });
}

void LayerRecovery::await(LayerId id) {
    const auto known = layers_.known().find(id);
    if (known == layers_.known().end() || isAwaited(id)) return;
    std::erase_if(missing_, [id](const MissingLayer& each) { return each.layer.id == id; });
    awaited_.push_back(known->second);
    const auto after = awaited_.size();
    for (const LayerId input : known->second.recipe.inputs()) {
        if (layers_.find(input) || isAwaited(input)) continue;
        await(input);
    }
    for (size_t i = after; i < awaited_.size(); ++i) awaited_[i].hidden = true;
}

void LayerRecovery::await(const Layer& layer) {
    await(layer.id);
    for (AwaitedLayer& planned : awaited_)
        if (planned.id == layer.id) {
            planned.name = layer.name;
            planned.style = layer.style;
            planned.hidden = false;
        }
}

bool LayerRecovery::forget(const std::set<LayerId>& ids) {
    std::erase_if(awaited_, [&](const AwaitedLayer& layer) { return ids.contains(layer.id); });
    return std::erase_if(missing_,
                         [&](const MissingLayer& each) { return ids.contains(each.layer.id); }) > 0;
}

void LayerRecovery::awaitView(const ViewState& view) {
    if (isAwaited(view.shown.entry)) shown_ = view.shown;
    if (isAwaited(view.compared.entry)) compared_ = view.compared;
}

ViewState LayerRecovery::completed(ViewState view) const {
    if (shown_.entry.isValid()) view.shown = shown_;
    if (compared_.entry.isValid()) view.compared = compared_;
    return view;
}

bool LayerRecovery::reset(std::vector<AwaitedLayer> layers, const ViewState& view, LayerId active) {
    awaited_ = std::move(layers);
    shown_ = view.shown;
    compared_ = view.compared;
    active_ = awaited_.empty() ? LayerId() : active;
    return !std::exchange(missing_, {}).empty();
}

void LayerRecovery::restore(LayerId id, const LayerValue& value) {
    const auto found = std::find_if(awaited_.begin(), awaited_.end(),
                                    [id](const AwaitedLayer& each) { return each.id == id; });
    if (found == awaited_.end() || !value) return;
    const AwaitedLayer planned = *found;
    awaited_.erase(found);
    Layer layer = layers_.made(id, value, planned.name, planned.recipe, planned.parent);
    layer.style = planned.style;
    layers_.insertAgain(std::move(layer));
    emit layers_.changed();
    const Frame frame = factsOf(value.kind()).frame(value);
    const ViewState before = view_.state();
    ViewState after = before;
    if (shown_.entry == id)
        after.shown = std::exchange(shown_, {});
    else if (!before.shown.entry.isValid() && value.map)
        after.shown = {id, 0, Quantity::Field};
    if (compared_.entry == id) after.compared = std::exchange(compared_, {});
    const bool isUnrelated = (after.camera.frame == Frame::Unknown) != (frame == Frame::Unknown);
    if (after.shown.entry == id && isUnrelated) after.camera.frame = frame;
    view_.apply(before, after);
    if (!layers_.active().isValid() || after.shown.entry == id) layers_.becomeActive(id);
    endAwaiting();
}

void LayerRecovery::relocate(LayerId id, const QString& path) {
    for (AwaitedLayer& layer : awaited_)
        if (layer.id == id) layer.recipe.path = path;
    if (const auto known = layers_.known().find(id); known != layers_.known().end())
        known->second.recipe.path = path;
}

void LayerRecovery::setMissing(LayerId id, const QString& reason) {
    const auto found = std::find_if(awaited_.begin(), awaited_.end(),
                                    [id](const AwaitedLayer& each) { return each.id == id; });
    if (found == awaited_.end()) return;
    const AwaitedLayer layer = *found;
    giveUp(id);
    missing_.push_back({layer, reason});
    emit missingChanged();
}

bool LayerRecovery::retryOne(LayerId id) {
    const auto found = std::find_if(missing_.begin(), missing_.end(),
                                    [id](const MissingLayer& each) { return each.layer.id == id; });
    if (found == missing_.end()) return false;
    const AwaitedLayer layer = found->layer;
    missing_.erase(found);
    await(id);
    for (AwaitedLayer& each : awaited_)
        if (each.id == id) each = layer;
    return true;
}

void LayerRecovery::retry(LayerId id, const QString& path) {
    if (!retryOne(id)) return;
    if (!path.isEmpty()) relocate(id, path);
    // Also retries the dependent layers, direct and indirect; ids ascend from inputs to results.
    for (bool more = true; std::exchange(more, false);)
        for (const MissingLayer& missing : std::vector<MissingLayer>(missing_)) {
            const std::vector<LayerId> inputs = missing.layer.recipe.inputs();
            const bool waits = std::any_of(inputs.begin(), inputs.end(),
                                           [&](LayerId input) { return isAwaited(input); });
            more = (waits && retryOne(missing.layer.id)) || more;
        }
    emit missingChanged();
    emit layersAwaited();
}

void LayerRecovery::removeMissing(LayerId id) {
    if (std::erase_if(missing_, [id](const MissingLayer& each) { return each.layer.id == id; }))
        emit missingChanged();
}

void LayerRecovery::giveUp(LayerId id) {
    std::erase_if(awaited_, [id](const AwaitedLayer& each) { return each.id == id; });
    if (shown_.entry == id) shown_ = {};
    if (compared_.entry == id) compared_ = {};
    endAwaiting();
}

void LayerRecovery::endAwaiting() {
    if (!awaited_.empty()) return;
    const LayerId wanted = std::exchange(active_, {});
    if (layers_.find(wanted)) layers_.becomeActive(wanted);
}

FileMark LayerRecovery::fileMark(LayerId id) const {
    const auto known = layers_.known().find(id);
    return known == layers_.known().end() ? FileMark{} : known->second.mark;
}

void LayerRecovery::setFileMark(LayerId id, const FileMark& mark) {
    const auto known = layers_.known().find(id);
    if (known != layers_.known().end()) known->second.mark = mark;
}

}  // namespace armilla

#include "armilla/session/moc_layer_recovery.cpp"

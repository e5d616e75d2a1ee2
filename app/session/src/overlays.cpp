// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/overlays.h"

#include <QUndoCommand>

#include "armilla/session/history.h"
#include "layer_list.h"
#include "step_stamp.h"

namespace armilla {

namespace {

// Only changes of the step of the graticule merge.
bool movesGraticule(const OverlayState& from, const OverlayState& to) {
    OverlayState moved = from;
    moved.graticuleStep = to.graticuleStep;
    return moved == to;
}

class OverlayStep : public ValueStep<OverlayState> {
public:
    OverlayStep(Overlays& overlays, const QString& text, const OverlayState& to, int gesture)
        : ValueStep(text, overlays.state(), to, gesture), overlays_(overlays) {}
    int id() const override { return kOverlayCommand; }
    void undo() override { overlays_.apply(to_, from_); }
    void redo() override { overlays_.apply(from_, to_); }
    bool mergeWith(const QUndoCommand* command) override {
        const auto& other = static_cast<const OverlayStep&>(*command);
        if (!movesGraticule(from_, to_) || !movesGraticule(other.from_, other.to_) ||
            !isJoinedBy(other))
            return false;
        take(other);
        return true;
    }

private:
    Overlays& overlays_;
};

}  // namespace

Overlays::Overlays(const LayerList& layers, History& history)
    : layers_(layers), history_(history) {}

const Layer* Overlays::rodLengths() const {
    const PolarizationLook& look = state_.polarization;
    const Layer* layer = layers_.find(look.lengthLayer);
    const bool serves = layer && layer->map && layer->map->coverage() != Coverage::MultiOrder &&
                        look.lengthField < layer->map->fieldCount();
    return serves ? layer : nullptr;
}

void Overlays::push(const QString& text, const OverlayState& to) {
    if (to == state_) return;
    history_.stack()->push(new OverlayStep(*this, text, to, history_.gesture()));
}

void Overlays::setGraticule(bool visible, double step) {
    OverlayState to = state_;
    to.graticuleVisible = visible;
    to.graticuleStep = step;
    push(tr("Change graticule"), to);
}

void Overlays::setRodsVisible(bool visible) {
    OverlayState to = state_;
    to.rodsVisible = visible;
    push(tr("Polarization rods"), to);
}

void Overlays::setPolarizationLook(const PolarizationLook& look) {
    OverlayState to = state_;
    to.polarization = look;
    push(tr("Polarization"), to);
}

void Overlays::apply(const OverlayState& from, const OverlayState& to) {
    const OverlayState old = state_;
    if (from.graticuleStep != to.graticuleStep) state_.graticuleStep = to.graticuleStep;
    if (from.graticuleVisible != to.graticuleVisible) state_.graticuleVisible = to.graticuleVisible;
    if (from.rodsVisible != to.rodsVisible) state_.rodsVisible = to.rodsVisible;
    if (from.polarization != to.polarization) state_.polarization = to.polarization;
    if (!(old == state_)) emit changed();
}

}  // namespace armilla

#include "armilla/session/moc_overlays.cpp"

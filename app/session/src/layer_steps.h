// SPDX-License-Identifier: GPL-3.0-or-later
// Undoable steps that change the list of layers, and the view with it.
#pragma once

#include <QString>
#include <vector>

#include "armilla/session/document_view.h"
#include "armilla/session/history.h"

namespace armilla {

class LayerDrawings;
class LayerList;
class LayerRecovery;
class LiveLayer;

class LayerSteps {
public:
    // All arguments must outlive this object.
    LayerSteps(LayerList& layers, DocumentView& view, LayerDrawings& drawings,
               LayerRecovery& recovery, LiveLayer& live, History& history);

    // Pushes a step to the kept layers `after`. The step also hides the layers `hides`, which are
    // visible.
    void push(const QString& text, std::vector<Layer> after, const ViewState& viewBefore,
              const ViewState& viewAfter, std::vector<LayerId> hides = {});
    // Updates the shown map, the drawables and the selection after layers were removed.
    void tidy();

private:
    class Step;
    void apply(LayerSplice& splice, bool forward, const ViewState& from, const ViewState& to);
    // A layer as the step brings it; `present` is the same layer before the step.
    Layer coming(const Layer& layer, const Layer& leaving, const Layer& present);
    void rememberRecipe(const Layer& layer);
    LayerId activeAfter(const LayerSplice& splice, bool forward, const ViewState& from,
                        const ViewState& to) const;

    LayerList& layers_;
    DocumentView& view_;
    LayerDrawings& drawings_;
    LayerRecovery& recovery_;
    LiveLayer& live_;
    History& history_;
};

}  // namespace armilla

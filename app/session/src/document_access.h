// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a document, also for functions of the session that change layers in other ways.
#pragma once

#include "armilla/session/document.h"
#include "layer_list.h"
#include "layer_steps.h"

namespace armilla {

struct Document::Parts {
    LayerList layers;
    History history{layers};
    LayerDrawings drawings{layers, history};
    DocumentView view{layers, drawings, history};
    Overlays overlays{layers, history};
    LayerRecovery recovery{layers, view};
    // The steps only keep the reference to the live layer, which is made after them.
    LayerSteps steps{layers, view, drawings, recovery, live, history};
    LiveLayer live{layers, view, drawings, steps};
};

struct DocumentAccess {
    static Document::Parts& partsOf(const Document& document) { return *document.parts_; }
};

}  // namespace armilla

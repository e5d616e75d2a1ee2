// SPDX-License-Identifier: GPL-3.0-or-later
// The recipes of layers, open or closed, and the links of layers to their inputs.
#pragma once

#include <optional>

#include "armilla/session/recipe.h"

namespace armilla {

class Document;
struct Layer;

// The recipe of a layer, open or closed; none for an id that was never used.
std::optional<Recipe> recipeOf(const Document& document, LayerId id);
// True if an input of the layer is no longer open. The layer keeps its value and its recipe.
bool isDetached(const Document& document, const Layer& layer);

// Relinks a detached layer to its inputs, as one step of the history. An input that is open under
// another id (same file or same recipe) is linked. Any other input is opened or recomputed under
// its own id (signal LayerRecovery::layersAwaited). The values of the layer do not change.
void linkAgain(Document& document, LayerId id);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Relinks a detached layer to its inputs.
#pragma once

namespace armilla {

class Document;

// Relinks a detached layer to its inputs, as one step of the history. An input that is open under
// another id (same file or same recipe) is linked. Any other input is opened or recomputed under
// its own id (signal LayerRecovery::layersAwaited). The values of the layer do not change.
void linkAgain(Document& document, int id);

}  // namespace armilla

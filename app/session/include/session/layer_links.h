// SPDX-License-Identifier: GPL-3.0-or-later
// What a detached layer was made from, open again.
#pragma once

namespace armilla {

class Document;

// Links a detached layer again, as one step of the history: where what it was made from is open
// under another number (the same file, or the same recipe), to that; else that is opened or made
// again under its own (Document::layersAwaited tells). The layer's values stay as they are.
void linkAgain(Document& document, int id);

}  // namespace armilla

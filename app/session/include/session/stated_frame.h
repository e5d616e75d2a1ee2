// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of layers that do not name their own, stated by the user.
#pragma once

#include <cstdint>
#include <vector>

#include "session/layer.h"

namespace armilla {

class Document;

// A layer whose frame is stated, as it is in that frame.
struct StatedLayer {
    int id = 0;
    uint64_t revision = 0;  // of the layer that it was made of
    LayerValue value;
};

// Whether somebody may state the frame of a layer: it names none, or one was stated before.
bool takesStatedFrame(const Layer& layer);
// The open layers whose frame is stated with that of layer `id`: what it was made from and with,
// and what was made of those, as far as none of them names a frame. Throws InvalidArgument for a
// layer that names its own, and where a frame is stated anew while results are open that were made
// in the one stated before.
std::vector<int> statedTogether(const Document& document, int id);
// All of them in `frame` (Unknown: stated no more), as one step of the history; the view, which had
// no frame to turn to, takes it on. Without a change if one of them is not what it was any more.
void stateFrame(Document& document, int id, Frame frame, const std::vector<StatedLayer>& layers);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// User-stated frames of layers that do not name their own.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/session/layer.h"

namespace armilla {

class Document;

// A copy of a layer in its stated frame.
struct StatedLayer {
    LayerId id;
    uint64_t revision = 0;  // revision of the original layer
    LayerValue value;
};

// True if the user may state the frame of a layer: the layer names none, or its frame was stated
// before.
bool takesStatedFrame(const Layer& layer);
// The open layers whose frame is stated together with layer `id`. These are its inputs, further
// inputs of common results, and its results, if they name no frame. Throws InvalidArgument for a
// layer that names its own frame. Throws also if the frame changes while results made in the
// earlier stated frame are open.
std::vector<LayerId> statedTogether(const Document& document, LayerId id);
// Sets the frame of all layers (Unknown: withdraws it) in one history step; a view without a frame
// adopts it. Changes nothing if one of the layers has changed meanwhile.
void stateFrame(Document& document, LayerId id, Frame frame,
                const std::vector<StatedLayer>& layers);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The present stage of a live preview.
#pragma once

#include "live_preview_state.h"

namespace armilla {

class LivePreviewProbe {
public:
    // True while a device makes the live picture in its memory.
    static bool isOnDevice(const LivePreview& preview) {
        return preview.state_->stage == LiveStage::OnDevice;
    }
};

}  // namespace armilla

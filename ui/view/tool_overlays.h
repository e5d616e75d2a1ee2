// SPDX-License-Identifier: GPL-3.0-or-later
// Content of tools on the sky: the preview of a result, the live region, contours, and lines.
#pragma once

#include <QString>
#include <map>
#include <optional>
#include <vector>

#include "armilla/session/live_region.h"
#include "armilla/ui/sky_drawing.h"
#include "armilla/ui/sky_preview.h"
#include "view/sky_overlay.h"
#include "view/view_contents.h"

namespace armilla {

struct ToolOverlays {
    std::optional<SkyPreview> preview;
    LiveRegion region;
    std::optional<SkyContours> contours;
    std::map<QString, std::vector<SkyLine>> lines;  // by name

    void addRegion(PictureRequest& request, const ViewContents& view) const;
    void addPreview(PictureRequest& request, const ViewContents& view) const;
    void addPreview(OverlayScene& scene, const ViewContents& view) const;
    void addContours(OverlayScene& scene, const ViewContents& view) const;
    void addLines(OverlayScene& scene, const ViewContents& view) const;
};

}  // namespace armilla

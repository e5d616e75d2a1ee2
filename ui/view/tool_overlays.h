// SPDX-License-Identifier: GPL-3.0-or-later
// Content of tools on the sky, in the pixels of a picture.
#pragma once

#include "armilla/ui/sky_decorations.h"
#include "view/sky_overlay.h"
#include "view/view_contents.h"

namespace armilla {

void addRegion(PictureRequest& request, const ViewContents& view, const LiveRegion& region);
void addPreview(PictureRequest& request, const ViewContents& view, const SkyPreview& preview);
// The border of the preview and its colors.
void addPreview(OverlayScene& scene, const ViewContents& view, const SkyPreview& preview);
void addContours(OverlayScene& scene, const ViewContents& view, const SkyContours& contours);
void addLines(OverlayScene& scene, const ViewContents& view,
              const std::map<QString, std::vector<SkyLine>>& lines);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Marks over a picture that follow from the document: names and color bars, crosses, rings around
// markers.
#pragma once

#include <QPointF>
#include <cstdint>

#include "armilla/session/row_selection.h"
#include "armilla/ui/cursor_readout.h"
#include "view/sky_overlay.h"
#include "view/view_contents.h"

namespace armilla {

// Names of the shown maps, notes on their frames, and color bars.
void addNames(OverlayScene& scene, const ViewContents& view, const LastPictures& last);
// A cross in each panel except `leftOut`, the one that shows the position already.
void addCross(OverlayScene& scene, const ViewContents& view, const LastPictures& last,
              const SkyCursor& place, int leftOut);
// A ring around the marker of a row, with its name.
void addRing(OverlayScene& scene, const ViewContents& view, const RowSelection& marker);
// The topmost marker at a point of a panel, device pixels.
RowSelection markerAt(const ViewContents& view, const PanelContent& content, QPointF device);
// True if markers or images are over the maps.
bool hasMarkers(const Document& document);

// Moves `place`, which has no data, to data of its map.
class DataPlace {
public:
    // To the nearest data.
    void moveToData(const Document& document, SkyCursor& place);

private:
    // Nearest data, cached until the map or the place changes, because the search visits all
    // pixels.
    LayerId layer_;
    int field_ = 0;
    uint64_t revision_ = 0;
    Vec3 from_{};
    std::optional<Vec3> place_;
};
// To the peak of a probability map, if the peak is in the first panel of the view. Returns false
// otherwise.
bool moveToPeak(const ViewContents& view, const LastPictures& last, SkyCursor& place);

}  // namespace armilla

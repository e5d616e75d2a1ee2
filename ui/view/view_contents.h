// SPDX-License-Identifier: GPL-3.0-or-later
// The panels of a sky view and their content, for everything that is drawn over a picture.
#pragma once

#include <QRect>
#include <QWidget>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "armilla/draw/camera.h"
#include "armilla/session/document.h"
#include "view/picture.h"

namespace armilla {

// One of the two compared maps and its position; device pixels.
struct PanelContent {
    int side = 0;  // 0: shown, 1: compared
    Shown shown;
    int panel = 0;  // index of the panel
    QRect rectangle;
    double clipLeft = 0.0, clipRight = 1.0;
};
// In ascending order of panels.
std::vector<PanelContent> layoutContents(const Document& document, QSize size, bool blinkSecond);
// The content at a point; null outside of all panels.
const PanelContent* contentAt(const std::vector<PanelContent>& contents, QPointF device);

// A picture on the screen, as its decorations need it.
struct ViewContents {
    const Document& document;
    const std::vector<PanelContent>& contents;
    Camera camera;            // camera of the picture
    double pixelRatio = 1.0;  // device pixels per logical pixel
    bool isMoving = false;

    // Calls `act` with the first content of each panel.
    template <class Act>
    void forEachPanel(const Act& act) const {
        int done = -1;
        for (const PanelContent& content : contents)
            if (std::exchange(done, content.panel) != content.panel) act(content);
    }
};

// The last content of each side, which stays until the new one is ready.
class LastPictures {
public:
    struct Side {
        Shown shown;
        std::shared_ptr<const DrawableField> field;
        ColorScale scale;
    };
    const Side& of(const PanelContent& content) const {
        return sides_[static_cast<size_t>(content.side)];
    }
    const Side& front() const { return sides_.front(); }
    // The map and revision in the picture.
    std::pair<Shown, uint64_t> pictured() const {
        return {front().shown, front().field ? front().field->revision : 0};
    }
    // The part of a picture for this content; none if nothing of its side is ready yet.
    std::optional<PicturePart> partFor(const Document& document, const PanelContent& content);

private:
    std::array<Side, 2> sides_;
};

// The size of a widget in device pixels.
QSize deviceSize(const QWidget& widget);
// The whole sky in a panel, independent of the zoom.
ViewGeometry wholeSky(const Document& document, QSize panel);

}  // namespace armilla

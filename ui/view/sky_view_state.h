// SPDX-License-Identifier: GPL-3.0-or-later
// Internal state of a SkyViewWidget: its parts, redraw scheduling, pointer state.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <optional>
#include <vector>

#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/sky_drawing.h"
#include "armilla/ui/sky_view_widget.h"
#include "view/camera_pointer.h"
#include "view/canvas_choice.h"
#include "view/inspector_place.h"
#include "view/picture_marks.h"
#include "view/polarization_overlay.h"
#include "view/sky_overlay.h"
#include "view/sky_ruler.h"
#include "view/sky_veil.h"
#include "view/tool_overlays.h"
#include "view/view_contents.h"

namespace armilla {

struct SkyViewWidget::State {
    State(SkyViewWidget& widget, Document& doc);
    ~State();

    // The camera of this view, which includes a margin.
    Camera camera() const { return withEdge(document.view().camera()); }
    // The panels with the camera of the picture on the screen, and with the present camera.
    ViewContents onScreen() const { return contentsIn(drawnCamera); }
    ViewContents present() const { return contentsIn(camera()); }
    ViewContents contentsIn(const Camera& seen) const;

    // Drawing.
    CanvasEvents canvasEvents();
    void requestPicture(bool moving);
    // Requests a frame for a live picture; all else is unchanged.
    void requestLive();
    void drawWanted();
    // `follows`: a movement elsewhere that the picture must follow.
    void documentChanged(bool follows);
    void updateOverlay();
    // Switches a blink comparison to the other map.
    void showOtherBlink();

    // Pointer.
    std::optional<SkyCursor> cursorAt(QPointF logical) const;
    std::optional<Vec3> cameraDirectionAt(const PanelContent& content, QPointF device) const;
    bool onDivider(QPointF logical) const;
    // Position of the pointer for a tool; none off the sky.
    std::optional<SkyTool::Place> toolPlace(QPointF logical, Qt::KeyboardModifiers modifiers) const;
    void hover(QPointF logical);
    // Updates the read-out of a resting pointer after the sky or its map has changed.
    void followPointer();
    void setCursorPlace(const std::optional<SkyCursor>& place, bool fromInspector);
    QPointF device(QPointF logical) const;
    void press(QPointF logical, Qt::KeyboardModifiers modifiers);
    void moveTo(QPointF logical);
    void release();
    void updateShape(QPointF logical);
    QRect pressedPanel(QPointF device) const;

    SkyViewWidget& view;
    Document& document;
    CameraPointer cameraPointer;
    SkyOverlay* overlay;
    InspectorWidget* inspector;
    InspectorPlace inspectorPlace;
    CanvasChoice drawing;
    double frameMilliseconds = 0.0;

    std::vector<PanelContent> contents;
    LastPictures lastPictures;
    SkyDecorations decorations;
    PolarizationOverlay polarization;
    SkyVeil veil;
    std::optional<PictureRequest> wantedPicture;  // sent to the canvas with the next event
    Camera drawnCamera;                           // camera of the picture on the screen
    bool onlyLiveIsNew = false;                   // since the last picture

    QTimer restTimer;  // full resolution once the pointer rests
    QElapsedTimer sinceRequest;
    QTimer blinkTimer;
    bool blinkSecond = false;

    SkyTool* tool = nullptr;
    bool toolHolds = false;

    bool dragsDivider = false;
    bool dividerLit = false;
    SkyRuler ruler;
    QPoint panelOffset;               // offset of the panel under the pointer
    std::optional<QPointF> clicksAt;  // position of a press without a drag so far
    std::optional<SkyCursor> cursor;
    // Position of the resting pointer over the sky, and its last read-out; the sky may move below
    // the pointer.
    std::optional<QPointF> pointer;
    // The cursor was over the sky before; until then the inspector shows a position with data.
    bool pointerCame = false;
    Camera pointerCamera;
    std::pair<Shown, uint64_t> pointerSaw;
    DataPlace dataPlace;
    RowSelection hovered;
    bool cursorFromInspector = false;
    int cursorPanel = 0;
};

}  // namespace armilla

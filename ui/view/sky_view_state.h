// SPDX-License-Identifier: GPL-3.0-or-later
// Internal state of a SkyViewWidget: content of the panels, redraw scheduling, pointer state.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/sky_drawing.h"
#include "armilla/ui/sky_view_widget.h"
#include "view/camera_pointer.h"
#include "view/lic_overlay.h"
#include "view/picture.h"
#include "view/sky_canvas.h"
#include "view/sky_overlay.h"

namespace armilla {

// One of the two compared maps and its position; device pixels.
struct PanelContent {
    int side = 0;  // 0: shown, 1: compared
    Shown shown;
    int panel = 0;  // index of the panel
    QRect rectangle;
    double clipLeft = 0.0, clipRight = 1.0;
};
std::vector<PanelContent> layoutContents(const Document& document, QSize size, bool blinkSecond);

// Polarization data of a layer's map, cached until the map changes.
struct PolarizationFacts {
    int layer = -1;
    uint64_t revision = 0;
    int qField = -1, uField = -1;  // -1: none
    double typical = 0.0;          // amplitude of the longest line segment
    double noise = 0.0;            // standard deviation of Q and U in a pixel
};

// The same for the map that sets the length of line segments.
struct RodLengthFacts {
    int layer = -1, field = 0;
    uint64_t revision = 0;
    double typical = 0.0;
};

// Position of the data nearest to the center of the view, cached until either changes, because the
// search visits all pixels.
struct DataNearMiddle {
    int layer = -1, field = 0;
    uint64_t revision = 0;
    Vec3 middle{};
    std::optional<Vec3> place;
};

struct SkyViewWidget::State {
    State(SkyViewWidget& widget, Document& doc);
    ~State();

    // Canvas.
    void makeCanvas();
    void replaceCanvas(std::unique_ptr<SkyCanvas> made);
    CanvasEvents canvasEvents();
    void fallBack(const QString& line);
    QSize deviceSize() const;
    // The camera of this view, which includes a margin.
    Camera camera() const { return withEdge(document.view().camera()); }

    // Drawing.
    void requestPicture(bool moving);
    // Requests a frame for a live picture; all else is unchanged.
    void requestLive();
    void drawWanted();
    // `follows`: a movement elsewhere that the picture must follow.
    void documentChanged(bool follows);
    std::optional<PicturePart> partFor(const PanelContent& content);
    void updateOverlay();
    void addNames(OverlayScene& scene) const;
    QString elsewhereNote(const Layer& shown) const;
    void addCrosses(OverlayScene& scene) const;
    void moveToData(SkyCursor& place);
    bool moveToPeak(SkyCursor& place) const;
    void addMarkers(PictureRequest& request) const;
    void addRegion(PictureRequest& request) const;
    void addPreview(PictureRequest& request) const;
    void addPreview(OverlayScene& scene) const;
    void addContours(OverlayScene& scene) const;
    void addRings(OverlayScene& scene) const;
    void addRing(OverlayScene& scene, const RowSelection& marker, bool named) const;
    // The topmost marker under the pointer.
    RowSelection markerAt(const PanelContent& content, QPointF device) const;
    bool hasMarkers() const;
    // A cross in each panel except the one that shows this position.
    void addCross(OverlayScene& scene, const SkyCursor& place, int leftOut) const;
    void addRods(OverlayScene& scene);
    void addDrawings(OverlayScene& scene) const;
    const PolarizationFacts& polarizationOf(const Layer& entry);
    double typicalLengthOf(const Layer& lengths, int field);
    void addLic(OverlayScene& scene);
    void addVeil(OverlayScene& scene);
    bool movesNow() const;
    void placeInspector();
    // Geometry of the whole sky in a panel, independent of the zoom.
    ViewGeometry wholeSky(QSize panel) const;
    // True if a card in the inspector's corner would cover part of the whole sky.
    bool coversSky(QSize card) const;
    // The largest card between its minimum and `most` that leaves the whole sky visible; a low card
    // if there is none.
    QSize inspectorSize(QSize most) const;

    // Pointer.
    const PanelContent* contentAt(QPointF device) const;
    std::optional<SkyCursor> cursorAt(QPointF logical) const;
    std::optional<Vec3> cameraDirectionAt(const PanelContent& content, QPointF device) const;
    bool onDivider(QPointF logical) const;
    // Position of the pointer for a tool; none off the sky.
    std::optional<SkyTool::Place> toolPlace(QPointF logical, Qt::KeyboardModifiers modifiers) const;
    void hover(QPointF logical);
    // Updates the read-out of a resting pointer after the sky or its map has changed.
    void followPointer();
    // The map and revision in the picture.
    std::pair<Shown, uint64_t> pictured() const;
    void setCursorPlace(const std::optional<SkyCursor>& place, bool fromInspector);
    void turnRuler();
    QPointF device(QPointF logical) const;
    void press(QPointF logical, Qt::KeyboardModifiers modifiers);
    void moveTo(QPointF logical);
    void release();
    void updateShape(QPointF logical);
    QRect handPanel(QPointF device) const;

    SkyViewWidget& view;
    Document& document;
    CameraPointer cameraPointer;
    SkyOverlay* overlay = nullptr;
    InspectorWidget* inspector = nullptr;
    std::unique_ptr<SkyCanvas> canvas;
    DrawChoice choice = DrawChoice::Automatic;
    QString fallBackLine;  // reason why the preferred method is not used
    double frameMilliseconds = 0.0;

    std::vector<PanelContent> contents;
    std::optional<SkyPreview> preview;
    LiveRegion region;
    std::optional<SkyContours> contourLines;
    // The mask of the veil, and its images, cached until the view of a panel changes.
    struct Veil {
        Camera camera;
        QSize panel;
        QColor color;
        QImage image;
    };
    std::shared_ptr<const HealpixMap> veil;
    bool veilIsOfView = false;
    std::array<Veil, 2> veils;
    std::optional<PictureRequest> wantedPicture;  // sent to the canvas with the next event
    // The last content of each side, which stays until the new one is ready.
    struct LastGood {
        Shown shown;
        std::shared_ptr<const DrawableField> field;
        ColorScale scale;
    };
    std::array<LastGood, 2> lastGood;
    Camera drawnCamera;          // camera of the picture on the screen
    bool onlyLiveIsNew = false;  // since the last picture

    QTimer restTimer;  // full resolution once the pointer rests
    QElapsedTimer sinceRequest;
    QTimer blinkTimer;
    int blinkMilliseconds = 700;
    bool blinkSecond = false;

    std::map<QString, std::vector<SkyLine>> drawings;
    SkyTool* tool = nullptr;
    bool toolHolds = false;

    bool dragsDivider = false;
    bool dividerLit = false;
    bool measures = false;
    QPoint panelOffset;  // offset of the panel under the pointer
    std::optional<OverlayScene::Ruler> ruler;
    Frame rulerFrame = Frame::Unknown;  // frame of its end points
    std::optional<QPointF> clicksAt;    // position of a press without a drag so far
    std::optional<SkyCursor> cursor;
    // Position of the resting pointer over the sky, and its last read-out; the sky may move below
    // the pointer.
    std::optional<QPointF> pointer;
    // the cursor was over the sky before; until then the inspector shows a position with data
    bool handCame = false;
    Camera pointerCamera;
    std::pair<Shown, uint64_t> pointerSaw;
    RowSelection hovered;
    bool cursorFromInspector = false;
    // the view became narrow and the inspector was folded for it
    bool wasNarrow = false, foldedForRoom = false;
    int cursorPanel = 0;
    double wheelRest = 0.0;
    std::array<PolarizationFacts, 2> polarization;
    size_t polarizationNext = 0;
    RodLengthFacts rodLengths;
    DataNearMiddle dataNear;
    std::array<LicOverlay*, 2> lic{};
};

}  // namespace armilla

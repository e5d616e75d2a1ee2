// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/sky_view_state.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/session/shown_text.h"

namespace armilla {
namespace {

constexpr int kRestMilliseconds = 150;
// Requests within this time (milliseconds) belong to one movement.
constexpr qint64 kSameMovement = 200;
constexpr int kBlinkMilliseconds = 700;  // for each of two maps

QString projectionName(Projection projection) {
    return shownText(factsOf(projection).title);
}

}  // namespace

SkyViewWidget::State::State(SkyViewWidget& widget, Document& doc)
    : view(widget),
      document(doc),
      overlay(new SkyOverlay(&view)),
      inspector(new InspectorWidget(document, &view)),
      inspectorPlace(view, document, *inspector),
      drawing(
          view, *overlay, [this] { return canvasEvents(); }, [this] { requestPicture(false); }),
      polarization(view, [this] { updateOverlay(); }) {
    restTimer.setSingleShot(true);
    restTimer.setInterval(kRestMilliseconds);
    QObject::connect(&restTimer, &QTimer::timeout, &view, [this] {
        // A resting pointer still holds the sphere, but the picture may become fine.
        requestPicture(false);
    });
    blinkTimer.setObjectName(QStringLiteral("blink"));
    blinkTimer.setParent(&view);  // so that tests find the timer
    blinkTimer.setInterval(kBlinkMilliseconds);
    QObject::connect(&blinkTimer, &QTimer::timeout, &view, [this] { showOtherBlink(); });
    QObject::connect(&cameraPointer, &CameraPointer::cameraRequested, &view,
                     [this](const Camera& seen) {
                         switch (cameraPointer.cause()) {
                             case Flight::Following:
                                 return document.view().glance(withoutEdge(seen));
                             case Flight::ToData:
                                 return document.view().lookAtData(withoutEdge(seen));
                             case Flight::Asked:
                                 return document.view().setCamera(withoutEdge(seen));
                         }
                     });
    QObject::connect(&cameraPointer, &CameraPointer::movementEnded, &view,
                     [this] { document.history().endGesture(); });
    drawnCamera = camera();
    cameraPointer.setCamera(camera());
    sinceRequest.start();
}

SkyViewWidget::State::~State() = default;

QPointF SkyViewWidget::State::device(QPointF logical) const {
    return logical * view.devicePixelRatioF();
}

ViewContents SkyViewWidget::State::contentsIn(const Camera& seen) const {
    return {document, contents, seen, view.devicePixelRatioF(),
            cameraPointer.isMoving() || restTimer.isActive()};
}

void SkyViewWidget::State::showOtherBlink() {
    if (document.view().comparison() != Comparison::Blink) return;
    blinkSecond = !blinkSecond;
    requestPicture(cameraPointer.isMoving());
}

CanvasEvents SkyViewWidget::State::canvasEvents() {
    CanvasEvents events;
    events.shown = [this](const Camera& seen, bool) {
        drawnCamera = seen;
        if (!std::exchange(onlyLiveIsNew, false)) updateOverlay();
    };
    events.timed = [this](double milliseconds) {
        frameMilliseconds = milliseconds;
        emit view.frameTimeChanged(milliseconds);
    };
    events.pictureDevice = [this](std::optional<int> device) {
        emit view.pictureDeviceChanged(device);
    };
    events.presented = [this](const FrameLatencyMarks& marks) { emit view.livePresented(marks); };
    events.liveFailed = [this](const QString& line) { emit view.liveFailed(line); };
    events.pathKnown = [this] { emit view.pathChanged(view.pathName()); };
    events.broken = [this](const QString& line) { drawing.fallBack(line); };
    events.warned = [this](const QString& line) { emit view.messageRaised(line, true); };
    return events;
}

void SkyViewWidget::State::requestLive() {
    const bool alone = !wantedPicture || onlyLiveIsNew;
    requestPicture(false);
    onlyLiveIsNew = alone;
}

void SkyViewWidget::State::requestPicture(bool moving) {
    if (!drawing.canvas() || !view.isVisible() || view.width() <= 0 || view.height() <= 0) return;
    contents = layoutContents(document, deviceSize(view), blinkSecond);
    onlyLiveIsNew = false;
    PictureRequest request;
    request.size = deviceSize(view);
    request.camera = camera();
    request.background = Theme::of(&view).skyEdge;
    request.moving = moving;
    for (const PanelContent& content : contents)
        if (auto part = lastPictures.partFor(document, content))
            request.parts.push_back(std::move(*part));
    request.pixelRatio = view.devicePixelRatioF();
    const ViewContents seen = present();
    addRegion(request, seen, decorations.liveRegion());
    seen.forEachPanel(
        [&](const PanelContent& content) { addMarkers(request, document, content.rectangle); });
    if (decorations.preview()) addPreview(request, seen, *decorations.preview());
    if (moving) restTimer.start();
    sinceRequest.restart();
    // A step of the document emits several changes; the picture is made for the last one.
    if (!std::exchange(wantedPicture, std::move(request)))
        QMetaObject::invokeMethod(
            &view, [this] { drawWanted(); }, Qt::QueuedConnection);
}

void SkyViewWidget::State::drawWanted() {
    if (const auto request = std::exchange(wantedPicture, std::nullopt);
        request && drawing.canvas())
        drawing.canvas()->draw(*request);
}

void SkyViewWidget::State::documentChanged(bool follows) {
    cameraPointer.setCamera(camera());
    ruler.follow(camera().frame);
    const bool blinks = document.view().comparison() == Comparison::Blink;
    if (blinks && !blinkTimer.isActive()) blinkTimer.start();
    if (!blinks) {
        blinkTimer.stop();
        blinkSecond = false;
    }
    const bool moving = follows || cameraPointer.isMoving() || dragsDivider ||
                        sinceRequest.elapsed() < kSameMovement;
    requestPicture(moving);
    followPointer();
    if (!pointerCame && !inspector->isPinned() && !contents.empty() &&
        lastPictures.front().shown != Shown{}) {
        // Before the first cursor position: the center of the view.
        const QRect& panel = contents.front().rectangle;
        auto middle = cursorAt(QPointF(panel.center()) / view.devicePixelRatioF());
        if (middle && !moveToPeak(present(), lastPictures, *middle) && !cameraPointer.isMoving())
            dataPlace.moveToData(document, *middle);
        inspector->follow(middle);
    }
}

void SkyViewWidget::State::updateOverlay() {
    OverlayScene scene;
    scene.camera = drawnCamera;
    for (const PanelContent& content : contents)
        if (static_cast<size_t>(content.panel) >= scene.panels.size())
            scene.panels.push_back(content.rectangle);
    scene.graticule = document.overlays().graticuleVisible();
    scene.graticuleStep = document.overlays().graticuleStep();
    const ViewContents drawn = onScreen();
    addNames(scene, drawn, lastPictures);
    if (decorations.preview()) addPreview(scene, drawn, *decorations.preview());
    if (decorations.contours()) addContours(scene, drawn, *decorations.contours());
    constexpr int none = -1;
    if (inspector->isPinned() && inspector->place())
        addCross(scene, drawn, lastPictures, *inspector->place(), none);
    // The panel under the pointer has the real cursor.
    if (cursor)
        addCross(scene, drawn, lastPictures, *cursor, cursorFromInspector ? none : cursorPanel);
    addRing(scene, drawn, document.view().selection());
    if (hovered != document.view().selection()) addRing(scene, drawn, hovered);
    polarization.addTo(scene, drawn);
    veil.addTo(scene, drawn, decorations.veil(), Theme::of(&view).error);
    addLines(scene, drawn, decorations.lines());
    if (ruler.shown() && ruler.shown()->panel < static_cast<int>(scene.panels.size()))
        scene.ruler = ruler.shown();
    if (contents.size() == 2 && document.view().comparison() == Comparison::Swipe)
        scene.swipe = contents.front().clipRight;
    scene.swipeLit = dividerLit || dragsDivider;
    scene.frameLine =
        SkyViewWidget::tr("%1 · %2").arg(frameTitle(document.view().camera().frame),
                                         projectionName(document.view().camera().projection));
    if (!scene.panels.empty()) scene.wholeSky = wholeSky(document, scene.panels.front().size());
    if (inspector->isVisible()) scene.inspector = QRectF(inspector->geometry());
    if (document.entries().empty()) {
        scene.headline = SkyViewWidget::tr("No map is open");
        scene.hint = SkyViewWidget::tr("Drop a map or a catalog here, or press Ctrl+O");
        scene.frameLine.clear();
    } else if (const Layer* active = document.entry(document.active());
               scene.bars.empty() && !hasMarkers(document) && !(active && active->curve)) {
        const Layer* entry = document.entry(document.view().shown().entry);
        scene.headline = entry ? SkyViewWidget::tr("Preparing %1…").arg(entry->name)
                               : SkyViewWidget::tr("No map is shown");
        scene.frameLine.clear();
    }
    overlay->setScene(std::move(scene));
}

}  // namespace armilla

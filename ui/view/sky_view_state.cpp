// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/sky_view_state.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/pixel_geometry.h"
#include "armilla/core/units.h"
#include "armilla/draw/graticule.h"
#include "armilla/session/data_extent.h"
#include "armilla/session/shown_text.h"
#include "view/cpu_canvas.h"
#include "view/gl_canvas.h"

namespace armilla {
namespace {

constexpr int kRestMilliseconds = 150;
// Requests within this time (milliseconds) belong to one movement.
constexpr qint64 kSameMovement = 200;
constexpr int kNarrowView = 520;  // logical pixels
constexpr int kInspectorMargin = 18;
constexpr int kInspectorGap = 5;      // between the card and the sky
constexpr double kLeastHeight = 0.6;  // picture height relative to its width
constexpr double kOverSky = 0.45;     // largest fraction of the view's height if no corner is free
constexpr double kMarkerReach = 4.0;  // logical pixels around a marker

QString projectionName(Projection projection) {
    return shownText(factsOf(projection).title);
}

}  // namespace

std::vector<PanelContent> layoutContents(const Document& document, QSize size, bool blinkSecond) {
    const QRect whole({}, size);
    const Shown a = document.view().shown(), b = document.view().compared();
    const bool pair = b.entry >= 0;
    if (pair && document.view().comparison() == Comparison::SideBySide) {
        const int left = size.width() / 2;
        return {{0, a, 0, QRect(0, 0, left, size.height())},
                {1, b, 1, QRect(left, 0, size.width() - left, size.height())}};
    }
    if (pair && document.view().comparison() == Comparison::Swipe) {
        const double at = std::clamp(document.view().swipe(), 0.0, 1.0);
        return {{0, a, 0, whole, 0.0, at}, {1, b, 0, whole, at, 1.0}};
    }
    if (pair && document.view().comparison() == Comparison::Blink && blinkSecond)
        return {{1, b, 0, whole}};
    return {{0, a, 0, whole}};
}

SkyViewWidget::State::State(SkyViewWidget& widget, Document& doc) : view(widget), document(doc) {
    overlay = new SkyOverlay(&view);
    inspector = new InspectorWidget(document, &view);
    restTimer.setSingleShot(true);
    restTimer.setInterval(kRestMilliseconds);
    QObject::connect(&restTimer, &QTimer::timeout, &view, [this] {
        // A resting pointer still holds the sphere, but the picture may become fine.
        requestPicture(false);
    });
    QObject::connect(&blinkTimer, &QTimer::timeout, &view, [this] { view.showOtherBlink(); });
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
    for (LicOverlay*& each : lic) {
        each = new LicOverlay(&view);
        QObject::connect(each, &LicOverlay::changed, &view, [this] { updateOverlay(); });
    }
    drawnCamera = camera();
    cameraPointer.setCamera(camera());
    sinceRequest.start();
}

SkyViewWidget::State::~State() = default;

QSize SkyViewWidget::State::deviceSize() const {
    const double ratio = view.devicePixelRatioF();
    return {static_cast<int>(std::lround(view.width() * ratio)),
            static_cast<int>(std::lround(view.height() * ratio))};
}

QPointF SkyViewWidget::State::device(QPointF logical) const {
    return logical * view.devicePixelRatioF();
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
    events.broken = [this](const QString& line) { fallBack(line); };
    events.warned = [this](const QString& line) { emit view.messageRaised(line, true); };
    return events;
}

void SkyViewWidget::State::makeCanvas() {
    fallBackLine.clear();
    canvas.reset();
    if (choice == DrawChoice::Cpu)
        return replaceCanvas(std::make_unique<CpuCanvas>(canvasEvents(), &view));
    if (!GlCanvas::isPossible()) return fallBack(SkyViewWidget::tr("This display has no OpenGL"));
    const GlPreference preference = choice == DrawChoice::Cuda     ? GlPreference::Cuda
                                    : choice == DrawChoice::OpenGl ? GlPreference::OpenGl
                                                                   : GlPreference::Fastest;
    // Software OpenGL blocks the window while it draws; CPU threads do the same work in parallel.
    if (choice == DrawChoice::Automatic)
        if (const auto drawback = GlCanvas::drawback()) return fallBack(*drawback);
    replaceCanvas(std::make_unique<GlCanvas>(canvasEvents(), preference, *overlay, &view));
}

void SkyViewWidget::State::replaceCanvas(std::unique_ptr<SkyCanvas> made) {
    canvas = std::move(made);
    emit view.pictureDeviceChanged(std::nullopt);  // until the canvas reports its device
    QWidget* widget = canvas->widget();
    widget->setAttribute(Qt::WA_TransparentForMouseEvents);
    widget->setFocusPolicy(Qt::NoFocus);
    widget->setGeometry(view.rect());
    widget->lower();
    widget->show();
    requestPicture(false);
    if (!canvas->pathName().isEmpty()) emit view.pathChanged(view.pathName());
}

void SkyViewWidget::State::fallBack(const QString& line) {
    fallBackLine = line;
    canvas.reset();
    replaceCanvas(std::make_unique<CpuCanvas>(canvasEvents(), &view));
    // For an automatic choice, the method's name and its tool tip suffice.
    if (choice != DrawChoice::Automatic)
        emit view.messageRaised(SkyViewWidget::tr("%1; the CPU draws instead").arg(fallBackLine),
                                true);
}

std::optional<PicturePart> SkyViewWidget::State::partFor(const PanelContent& content) {
    LastGood& last = lastGood[static_cast<size_t>(content.side)];
    if (document.entry(content.shown.entry) == nullptr) {
        last = LastGood{};
        return std::nullopt;
    }
    if (auto field = document.drawings().drawable(content.shown); field && field->isReady())
        last = {content.shown, std::move(field), document.drawings().colorScale(content.shown)};
    if (!last.field) return std::nullopt;
    return PicturePart{last.field,        last.scale,
                       content.rectangle, content.clipLeft,
                       content.clipRight, document.liveLayer().picture(content.shown)};
}

void SkyViewWidget::State::requestLive() {
    const bool alone = !wantedPicture || onlyLiveIsNew;
    requestPicture(false);
    onlyLiveIsNew = alone;
}

void SkyViewWidget::State::requestPicture(bool moving) {
    if (!canvas || !view.isVisible() || view.width() <= 0 || view.height() <= 0) return;
    contents = layoutContents(document, deviceSize(), blinkSecond);
    onlyLiveIsNew = false;
    PictureRequest request;
    request.size = deviceSize();
    request.camera = camera();
    request.background = Theme::of(&view).skyEdge;
    request.moving = moving;
    for (const PanelContent& content : contents)
        if (auto part = partFor(content)) request.parts.push_back(std::move(*part));
    request.pixelRatio = view.devicePixelRatioF();
    addRegion(request);
    addMarkers(request);
    addPreview(request);
    if (moving) restTimer.start();
    sinceRequest.restart();
    // A step of the document emits several changes; the picture is made for the last one.
    if (!std::exchange(wantedPicture, std::move(request)))
        QMetaObject::invokeMethod(
            &view, [this] { drawWanted(); }, Qt::QueuedConnection);
}

void SkyViewWidget::State::drawWanted() {
    if (const auto request = std::exchange(wantedPicture, std::nullopt); request && canvas)
        canvas->draw(*request);
}

// The ruler stays on the sky when the frame of the view changes.
void SkyViewWidget::State::turnRuler() {
    const Frame frame = camera().frame;
    if (!ruler || rulerFrame == frame) return;
    if (rulerFrame == Frame::Unknown || frame == Frame::Unknown) {
        ruler.reset();
        return;
    }
    const Mat3 rotation = frameRotation(frame, rulerFrame);
    ruler->from = rotation * ruler->from;
    ruler->to = rotation * ruler->to;
    rulerFrame = frame;
}

void SkyViewWidget::State::documentChanged(bool follows) {
    cameraPointer.setCamera(camera());
    turnRuler();
    const bool blinks = document.view().comparison() == Comparison::Blink && blinkMilliseconds > 0;
    if (blinks && !blinkTimer.isActive()) blinkTimer.start(blinkMilliseconds);
    if (!blinks) blinkTimer.stop();
    if (document.view().comparison() != Comparison::Blink) blinkSecond = false;
    const bool moving = follows || cameraPointer.isMoving() || dragsDivider ||
                        sinceRequest.elapsed() < kSameMovement;
    requestPicture(moving);
    followPointer();
    if (!handCame && !inspector->isPinned() && !contents.empty() && lastGood[0].shown != Shown{}) {
        // Before the first cursor position: the center of the view.
        const QRect& panel = contents.front().rectangle;
        auto middle = cursorAt(QPointF(panel.center()) / view.devicePixelRatioF());
        if (middle && !moveToPeak(*middle) && !cameraPointer.isMoving()) moveToData(*middle);
        inspector->follow(middle);
    }
}

// Moves to the peak of a probability map, if the peak is in view.
bool SkyViewWidget::State::moveToPeak(SkyCursor& place) const {
    const LastGood& last = lastGood.front();
    if (!last.field || last.shown != place.shown || !last.field->peak) return false;
    const QRect& panel = contents.front().rectangle;
    const ViewGeometry geometry = geometryFor(camera(), panel.size(), place.frame);
    double column = 0.0, row = 0.0;
    if (!imageFromSky(geometry, *last.field->peak, column, row) || column < 0.0 || row < 0.0 ||
        column > panel.width() || row > panel.height())
        return false;
    place.direction = *last.field->peak;
    return true;
}

// If the map has no data at a position, moves to the nearest data.
void SkyViewWidget::State::moveToData(SkyCursor& place) {
    const Layer* layer = document.entry(place.shown.entry);
    if (!layer || !layer->map || place.shown.quantity != Quantity::Field) return;
    const HealpixMap& map = *layer->map;
    const int field = place.shown.field;
    const auto hasValue = [&](const Vec3& at) {
        return std::isfinite(map.value(field, map.pixelAt(at)));
    };
    const Vec3 middle = place.direction;
    if (hasValue(middle)) return;
    const bool isThere = dataNear.layer == layer->id && dataNear.field == field &&
                         dataNear.middle.x == middle.x && dataNear.middle.y == middle.y &&
                         dataNear.middle.z == middle.z;
    // A live map changes with each slider step, so any position with a value is kept.
    const bool isKept = isThere && (dataNear.revision == layer->revision ||
                                    (layer->live && dataNear.place && hasValue(*dataNear.place)));
    if (!isKept)
        dataNear = {layer->id, field, layer->revision, middle, goodPlaceNear(map, field, middle)};
    if (dataNear.place) place.direction = *dataNear.place;
}

// Note for a map without a frame in a view with one, or the reverse, and for overlays: their
// relative position is undefined. Empty if all frames are linked.
QString SkyViewWidget::State::elsewhereNote(const Layer& shown) const {
    const Frame frame = document.view().camera().frame;
    // A table may have no positions.
    const auto hasPlaces = [](const Layer& layer) {
        return layer.image || (layer.catalog && layer.catalog->position.lon >= 0);
    };
    const auto isElsewhere = [&](const Layer& layer) {
        return (factsOf(layer.kind()).frame(layer) == Frame::Unknown) != (frame == Frame::Unknown);
    };
    if (shown.map && isElsewhere(shown))
        return shown.map->frame() == Frame::Unknown
                   ? SkyViewWidget::tr("Frame unknown: not at its place on this sky")
                   : SkyViewWidget::tr("In %1, the view is of an unknown frame")
                         .arg(shownText(frameName(shown.map->frame())));
    QStringList names;
    for (const Layer& layer : document.entries())
        if (layer.style.visible && hasPlaces(layer) && isElsewhere(layer)) names << layer.name;
    if (names.isEmpty()) return {};
    return names.size() == 1
               ? SkyViewWidget::tr("Not at its place on this sky: %1").arg(names.front())
               : SkyViewWidget::tr("%n layer(s) elsewhere than on this sky", nullptr,
                                   static_cast<int>(names.size()));
}

void SkyViewWidget::State::addNames(OverlayScene& scene) const {
    for (const PanelContent& content : contents) {
        const LastGood& last = lastGood[static_cast<size_t>(content.side)];
        const Layer* entry = document.entry(content.shown.entry);
        if (!entry) continue;
        if (!last.field) continue;
        const Frame frame = document.view().camera().frame;
        const bool ready =
            last.shown == content.shown && last.field->revision == entry->revision &&
            (!entry->map || last.field->turnedTo == turnedTo(*entry->map, content.shown, frame));
        QString name = entry->name;
        if (entry->map &&
            (entry->map->fieldCount() > 1 || content.shown.quantity != Quantity::Field))
            name += QStringLiteral(" · ") + titleOf(*entry->map, content.shown);
        const bool right = content.side == 1 && content.panel == 0 &&
                           document.view().comparison() == Comparison::Swipe;
        scene.chips.push_back({content.panel, right, name, !ready});
        if (const QString note = elsewhereNote(*entry); !note.isEmpty())
            scene.chips.push_back({content.panel, right, note, false, 1});
        // The bar describes the picture on the screen, which may be the last good one.
        const Layer* drawn = document.entry(last.shown.entry);
        if (!drawn || !drawn->map) continue;
        const QString unit = unitOf(*drawn->map, last.shown);
        QString title = titleIn(*drawn->map, last.shown, last.field->turnedTo, frame);
        if (!unit.isEmpty())
            title = title.isEmpty() ? unit : QStringLiteral("%1, %2").arg(title, unit);
        const ColorBarText text{title, scaleName(last.scale.mapping.scale)};
        const bool told =
            std::any_of(scene.bars.begin(), scene.bars.end(), [&](const OverlayScene::Bar& bar) {
                return bar.panel == content.panel && bar.text.title == text.title &&
                       bar.text.note == text.note &&
                       bar.scale.mapping.low == last.scale.mapping.low &&
                       bar.scale.mapping.high == last.scale.mapping.high &&
                       bar.scale.mapping.middle == last.scale.mapping.middle &&
                       bar.scale.colorMap == last.scale.colorMap &&
                       bar.scale.reversed == last.scale.reversed;
            });
        if (!told) scene.bars.push_back({content.panel, last.scale, text});
    }
}

void SkyViewWidget::State::addCross(OverlayScene& scene, const SkyCursor& place,
                                    int leftOut) const {
    int done = leftOut;  // panels are in ascending order
    for (const PanelContent& content : contents) {
        if (content.panel == leftOut || content.panel == done) continue;
        const auto& drawn = lastGood[static_cast<size_t>(content.side)].field;
        if (!drawn) continue;
        done = content.panel;
        // Equal positions of two unlinked frames are not comparable.
        if ((drawn->frame() == Frame::Unknown) != (place.frame == Frame::Unknown)) continue;
        const ViewGeometry geometry =
            geometryFor(drawnCamera, content.rectangle.size(), place.frame);
        double column = 0.0, row = 0.0;
        if (imageFromSky(geometry, place.direction, column, row))
            scene.crosses.push_back({content.panel, QPointF(column, row)});
    }
}

void SkyViewWidget::State::addCrosses(OverlayScene& scene) const {
    constexpr int none = -1;
    if (inspector->isPinned() && inspector->place()) addCross(scene, *inspector->place(), none);
    // The panel under the pointer has the real cursor.
    if (cursor) addCross(scene, *cursor, cursorFromInspector ? none : cursorPanel);
}

void SkyViewWidget::State::addMarkers(PictureRequest& request) const {
    int done = -1;  // panels are in ascending order
    for (const PanelContent& content : contents) {
        if (content.panel == done) continue;
        done = content.panel;
        armilla::addMarkers(request, document, content.rectangle);
    }
}

bool SkyViewWidget::State::hasMarkers() const {
    const auto& layers = document.entries();
    return std::any_of(layers.begin(), layers.end(), [this](const Layer& layer) {
        return layer.style.visible &&
               (document.drawings().markers(layer.id) || document.drawings().imageMesh(layer.id));
    });
}

RowSelection SkyViewWidget::State::markerAt(const PanelContent& content, QPointF device) const {
    const double ratio = view.devicePixelRatioF();
    const QPointF at = device - QPointF(content.rectangle.topLeft());
    const auto& layers = document.entries();
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        if (!layer->catalog || !layer->style.visible || layer->style.opacity <= 0.0) continue;
        const auto groups = document.drawings().markerGroups(layer->id);
        for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
            const double reach = (0.5 * group->style.size + kMarkerReach) * ratio;
            const ViewGeometry geometry =
                geometryFor(camera(), content.rectangle.size(), group->set->frame());
            if (const auto row = pickMarker(*group->set, geometry, at.x(), at.y(), reach))
                return {layer->id, *row};
        }
    }
    return {};
}

void SkyViewWidget::State::addRing(OverlayScene& scene, const RowSelection& marker,
                                   bool named) const {
    const Layer* layer = document.entry(marker.layer);
    if (!layer || !layer->catalog || !layer->style.visible || marker.row >= layer->catalog->rows())
        return;
    const LonLat at = layer->catalog->at(marker.row);
    if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) return;
    int done = -1;
    for (const PanelContent& content : contents) {
        if (content.panel == done) continue;
        done = content.panel;
        const ViewGeometry geometry =
            geometryFor(drawnCamera, content.rectangle.size(), layer->catalog->frame());
        double column = 0.0, row = 0.0;
        if (!imageFromSky(geometry, direction(at), column, row)) continue;
        scene.rings.push_back({content.panel, QPointF(column, row),
                               0.5 * layer->style.marker.size + 4.0,
                               named ? rowTitle(*layer->catalog, marker.row) : QString()});
    }
}

void SkyViewWidget::State::addRings(OverlayScene& scene) const {
    const RowSelection selected = document.selection();
    addRing(scene, selected, true);
    if (hovered != selected) addRing(scene, hovered, true);
}

void SkyViewWidget::State::updateOverlay() {
    OverlayScene scene;
    scene.camera = drawnCamera;
    for (const PanelContent& content : contents)
        if (static_cast<size_t>(content.panel) >= scene.panels.size())
            scene.panels.push_back(content.rectangle);
    scene.graticule = document.overlays().graticuleVisible();
    scene.graticuleStep = document.overlays().graticuleStep();
    addNames(scene);
    addPreview(scene);
    addContours(scene);
    addCrosses(scene);
    addRings(scene);
    addRods(scene);
    addLic(scene);
    addVeil(scene);
    addDrawings(scene);
    if (ruler && ruler->panel < static_cast<int>(scene.panels.size())) scene.ruler = ruler;
    if (contents.size() == 2 && document.view().comparison() == Comparison::Swipe)
        scene.swipe = contents.front().clipRight;
    scene.swipeLit = dividerLit || dragsDivider;
    scene.frameLine =
        SkyViewWidget::tr("%1 · %2").arg(frameTitle(document.view().camera().frame),
                                         projectionName(document.view().camera().projection));
    if (!scene.panels.empty()) scene.wholeSky = wholeSky(scene.panels.front().size());
    if (inspector->isVisible()) scene.inspector = QRectF(inspector->geometry());
    if (document.entries().empty()) {
        scene.headline = SkyViewWidget::tr("No map is open");
        scene.hint = SkyViewWidget::tr("Drop a map or a catalog here, or press Ctrl+O");
        scene.frameLine.clear();
    } else if (const Layer* active = document.entry(document.active());
               scene.bars.empty() && !hasMarkers() && !(active && active->curve)) {
        const Layer* entry = document.entry(document.view().shown().entry);
        scene.headline = entry ? SkyViewWidget::tr("Preparing %1…").arg(entry->name)
                               : SkyViewWidget::tr("No map is shown");
        scene.frameLine.clear();
    }
    overlay->setScene(std::move(scene));
}

ViewGeometry SkyViewWidget::State::wholeSky(QSize panel) const {
    Camera home = document.view().camera();
    home.zoom = 1.0;
    home.offset = {};
    return geometryFor(withEdge(home), panel, home.frame);
}

// Tested against the whole sky, not the present zoom, so that the card stays in place while the
// view moves.
bool SkyViewWidget::State::coversSky(QSize card) const {
    constexpr int samples = 8;
    const ViewGeometry whole = wholeSky(deviceSize());
    const double ratio = view.devicePixelRatioF();
    const auto isOnSky = [&](double x, double y) {
        Vec3 direction;
        return skyFromImage(whole, ratio * x, ratio * y, direction);
    };
    const double left = view.width() - kInspectorMargin - kInspectorGap - card.width();
    const double top = view.height() - kInspectorMargin - kInspectorGap - card.height();
    for (int i = 0; i <= samples; ++i) {
        const double share = i / static_cast<double>(samples);
        if (isOnSky(left + (card.width() + kInspectorGap) * share, top) ||
            isOnSky(left, top + (card.height() + kInspectorGap) * share))
            return true;
    }
    return false;
}

QSize SkyViewWidget::State::inspectorSize(QSize most) const {
    constexpr int step = 6;
    const QSize least = inspector->leastSize();
    // Title and value have a fixed height. A lower picture would show a row of pixels, not a
    // region.
    const int texts = least.height() - inspector->pictureSize(least).height();
    const auto isStripe = [&](QSize size) {
        return size.height() - texts < kLeastHeight * size.width();
    };
    const auto pictured = [&](QSize size) { return size.width() * (size.height() - texts); };
    QSize best(0, texts);
    for (int width = most.width(); width >= least.width(); width -= step)
        for (int height = most.height(); height >= least.height(); height -= step) {
            const QSize size(width, height);
            if (isStripe(size)) break;
            if (pictured(size) <= pictured(best) || coversSky(size)) continue;
            best = size;
            break;
        }
    if (best.width() > 0) return best;
    const int low = std::min(most.height(), static_cast<int>(kOverSky * view.height()));
    QSize over(most.width(), std::max(least.height(), low));
    while (over.width() > least.width() && isStripe(over)) over.setWidth(over.width() - step);
    return over;
}

void SkyViewWidget::State::placeInspector() {
    constexpr int margin = kInspectorMargin;
    // In a narrow view the color bar has priority. In a low view only the folded card leaves the
    // sky visible. An inspector that the user unfolds there stays unfolded.
    const bool isNarrow = view.width() < kNarrowView || (coversSky(inspector->leastSize()) &&
                                                         !coversSky(inspector->foldedSize()));
    if (isNarrow != wasNarrow) {
        wasNarrow = isNarrow;
        if (isNarrow) {
            foldedForRoom = !inspector->isCollapsed();
            inspector->setCollapsed(true);
        } else if (std::exchange(foldedForRoom, false)) {
            inspector->setCollapsed(false);
        }
    }
    const QSize card = inspector->sizeHint();
    inspector->resize(inspector->isCollapsed() ? card : inspectorSize(card));
    inspector->move(view.width() - inspector->width() - margin,
                    view.height() - inspector->height() - margin);
    inspector->raise();
}

}  // namespace armilla

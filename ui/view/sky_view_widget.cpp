// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/sky_view_widget.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "armilla/core/seen_frame.h"
#include "armilla/core/units.h"
#include "armilla/draw/line_integral.h"
#include "armilla/session/data_extent.h"
#include "view/sky_view_state.h"

namespace armilla {
namespace {

constexpr double kNotchDegrees = 15.0;                        // one notch of a usual wheel
constexpr double kZoomStep = 1.25;                            // for one notch or key
constexpr double kPixelsPerStep = 60.0;                       // on a touch pad
constexpr double kArrowShare = 0.08, kFineArrowShare = 0.01;  // fractions of the panel's width
constexpr double kTurnStep = 5.0 * kDegree;

}  // namespace

SkyViewWidget::SkyViewWidget(Document& document, QWidget* parent)
    : QWidget(parent), state_(std::make_unique<State>(*this, document)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setCursor(Qt::CrossCursor);
    setAccessibleName(tr("Sky view"));
    setAccessibleDescription(
        tr("Drag turns the sky, the wheel zooms, a double click centers, Shift and drag measures"));
    State* s = state_.get();
    const auto changed = [s] { s->documentChanged(false); };
    connect(&document, &Document::entriesChanged, this, changed);
    connect(&document.view(), &DocumentView::shownChanged, this, changed);
    // A live map follows a moving slider: a coarse picture in time, the fine one when the slider
    // rests.
    connect(&document.drawings(), &LayerDrawings::drawableChanged, this,
            [s, &document](LayerId entry) {
                const Layer* live = document.live();
                s->documentChanged(live && live->id == entry);
            });
    connect(&document.liveLayer(), &LiveLayer::pictureChanged, this, [s] { s->requestLive(); });
    connect(&document.view(), &DocumentView::cameraChanged, this, changed);
    connect(&document.drawings(), &LayerDrawings::colorScaleChanged, this, changed);
    connect(&document.view(), &DocumentView::comparisonChanged, this, changed);
    connect(&document.overlays(), &Overlays::changed, this, [s] { s->updateOverlay(); });
    connect(&document.drawings(), &LayerDrawings::styleChanged, this, changed);
    connect(&document.drawings(), &LayerDrawings::markerGroupsChanged, this, changed);
    connect(&document.view(), &DocumentView::selectionChanged, this, [s] { s->updateOverlay(); });
    connect(&s->decorations, &SkyDecorations::pictureChanged, this,
            [s] { s->requestPicture(false); });
    connect(&s->decorations, &SkyDecorations::changed, this, [s] { s->updateOverlay(); });
    connect(s->overlay, &SkyOverlay::namesMoved, this, &SkyViewWidget::namesMoved);
    connect(s->inspector, &InspectorWidget::layoutChanged, this, [s] {
        s->inspectorPlace.update();
        s->updateOverlay();
    });
    connect(s->inspector, &InspectorWidget::placeChanged, this, [s] {
        if (s->inspector->isPinned()) s->updateOverlay();
    });
    connect(s->inspector, &InspectorWidget::pinnedChanged, this, [s] { s->updateOverlay(); });
    connect(s->inspector, &InspectorWidget::cursorMoved, this,
            [s](const std::optional<SkyCursor>& place) { s->setCursorPlace(place, true); });
}

SkyViewWidget::~SkyViewWidget() = default;

InspectorWidget* SkyViewWidget::inspector() const {
    return state_->inspector;
}

SkyDecorations& SkyViewWidget::decorations() const {
    return state_->decorations;
}

void SkyViewWidget::setTool(SkyTool* tool) {
    if (tool == state_->tool) return;
    if (state_->tool && std::exchange(state_->toolHolds, false)) state_->tool->release();
    state_->tool = tool;
    setCursor(tool ? tool->shape() : Qt::CrossCursor);
}

SkyTool* SkyViewWidget::tool() const {
    return state_->tool;
}

void SkyViewWidget::setInspectorVisible(bool visible) {
    state_->inspector->setVisible(visible);
    state_->updateOverlay();
}

void SkyViewWidget::setDrawChoice(DrawChoice choice) {
    state_->drawing.choose(choice);
}

QString SkyViewWidget::pathName() const {
    const SkyCanvas* canvas = state_->drawing.canvas();
    return canvas ? canvas->pathName() : QString();
}

QString SkyViewWidget::whyThisPath() const {
    return state_->drawing.fallBackLine();
}

double SkyViewWidget::frameTime() const {
    return state_->frameMilliseconds;
}

std::map<LayerId, int64_t> SkyViewWidget::deviceBytes() const {
    std::map<LayerId, int64_t> bytes;
    const SkyCanvas* canvas = state_->drawing.canvas();
    if (!canvas) return bytes;
    const Document& document = state_->document;
    for (const Layer& layer : document.entries()) {
        if (!layer.map) continue;
        for (int field = 0; field < layer.map->fieldCount(); ++field)
            for (const Quantity quantity :
                 {Quantity::Field, Quantity::PolarizedAmplitude, Quantity::PolarizationAngle})
                if (const auto drawn = document.drawings().drawable({layer.id, field, quantity});
                    drawn && drawn->pyramid)
                    bytes[layer.id] += canvas->deviceBytes(drawn->pyramid);
    }
    return bytes;
}

void SkyViewWidget::setInertia(bool on) {
    state_->cameraPointer.setInertia(on);
}

std::optional<SkyCursor> SkyViewWidget::cursorAt(QPointF position) const {
    return state_->cursorAt(position);
}

std::optional<LookedAt> SkyViewWidget::lookedAt() const {
    const QRect panel = state_->pressedPanel(QPointF(1.0, 1.0));
    if (panel.width() <= 0 || panel.height() <= 0) return std::nullopt;
    const Camera camera = state_->camera();
    const auto disc = discOf(geometryFor(camera, panel.size(), camera.frame));
    if (!disc) return std::nullopt;
    return LookedAt{disc->center, disc->radius, camera.frame};
}

std::optional<double> SkyViewWidget::measuredAngle() const {
    return state_->ruler.angle();
}

QSize SkyViewWidget::sizeHint() const {
    return {1000, 640};
}
QSize SkyViewWidget::minimumSizeHint() const {
    return {240, 200};
}

void SkyViewWidget::resetView() {
    Camera home = state_->document.view().camera();
    home.orientation = Mat3{};
    home.offset = PlanePoint{};
    home.zoom = 1.0;
    state_->cameraPointer.flyTo(withEdge(home));
}

bool SkyViewWidget::zoomToData() {
    const Document& document = state_->document;
    const Shown shown = document.view().shown();
    const Layer* layer = document.entry(shown.entry);
    const auto extent = layer && layer->map ? dataExtent(*layer->map, shown.field) : std::nullopt;
    if (!extent) return false;
    showDisc(extent->center, extent->radius, layer->map->frame());
    return true;
}

void SkyViewWidget::zoomIn() {
    const QRect panel = state_->pressedPanel(QPointF(1.0, 1.0));
    state_->cameraPointer.zoomSmoothly(panel.size(), QRectF(QPointF(), panel.size()).center(),
                                       std::log(kZoomStep));
}

void SkyViewWidget::zoomOut() {
    const QRect panel = state_->pressedPanel(QPointF(1.0, 1.0));
    state_->cameraPointer.zoomSmoothly(panel.size(), QRectF(QPointF(), panel.size()).center(),
                                       -std::log(kZoomStep));
}

void SkyViewWidget::turn(double radians) {
    state_->cameraPointer.stop();
    state_->document.view().setCamera(state_->document.view().camera().turned(radians));
}

void SkyViewWidget::centerOn(LonLat position) {
    Camera target = state_->camera().centeredOn(position);
    target.offset = PlanePoint{};
    state_->cameraPointer.flyTo(target);
}

void SkyViewWidget::mark(LonLat position) {
    const Shown shown = state_->document.view().shown();
    const Layer* entry = state_->document.entry(shown.entry);
    if (!entry || !entry->map) return;
    const Frame frame = entry->map->frame(), own = state_->document.view().camera().frame;
    inspector()->pin({shown, seenRotation(frame, own) * direction(position), frame, {}});
}

// Fits the view to a disc around a direction of `frame`.
void SkyViewWidget::showDisc(Vec3 center, double radius, Frame frame) {
    constexpr double kGnomonic = 30.0 * kDegree, kEdge = 1.15;
    const QRect panel = state_->pressedPanel(QPointF(1.0, 1.0));
    if (panel.width() <= 0 || panel.height() <= 0) return;
    const Frame own = state_->document.view().camera().frame;
    Camera target = state_->camera().centeredOn(lonLat(seenRotation(own, frame) * center));
    target.offset = PlanePoint{};
    const bool isClose = radius < kGnomonic;
    if (isClose) target.projection = Projection::Gnomonic;
    const double reach = isClose ? std::tan(radius) : radius;
    const double wanted = 2.0 * kEdge * reach / std::min(panel.width(), panel.height());
    target.zoom =
        std::clamp(target.zoomFor(panel.width(), panel.height(), wanted), 1.0, Camera::kMaxZoom);
    state_->cameraPointer.flyTo(target, Flight::ToData);
}

void SkyViewWidget::showPlace(Vec3 towards, Frame frame) {
    const QRect panel = state_->pressedPanel(QPointF(1.0, 1.0));
    const ViewGeometry view = geometryFor(state_->camera(), panel.size(), frame);
    // In a close view a place near the edge comes to the middle. A view of the whole sky shows
    // every place, so that a list can be reviewed while the picture stays.
    const double margin = state_->camera().zoom > 1.0 ? 0.05 : 0.0;
    const double across = margin * panel.width(), along = margin * panel.height();
    double column = 0.0, row = 0.0;
    const bool isSeen =
        imageFromSky(view, towards, column, row) && QRectF(0, 0, panel.width(), panel.height())
                                                        .adjusted(across, along, -across, -along)
                                                        .contains(column, row);
    if (isSeen) return;
    const Frame own = state_->document.view().camera().frame;
    Camera target = state_->camera().centeredOn(lonLat(seenRotation(own, frame) * towards));
    target.offset = PlanePoint{};
    state_->cameraPointer.flyTo(target, Flight::Following);
}

void SkyViewWidget::clearMeasurement() {
    state_->ruler.clear();
    state_->updateOverlay();
}

void SkyViewWidget::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!state_->drawing.canvas()) state_->drawing.make();
    state_->inspectorPlace.update();
    state_->documentChanged(false);
}

void SkyViewWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (SkyCanvas* canvas = state_->drawing.canvas()) canvas->widget()->setGeometry(rect());
    state_->overlay->setGeometry(rect());
    state_->inspectorPlace.update();
    state_->requestPicture(state_->sinceRequest.elapsed() < 200);
}

void SkyViewWidget::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) state_->requestPicture(false);
}

void SkyViewWidget::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    state_->press(event->position(), event->modifiers());
    state_->updateShape(event->position());
}

void SkyViewWidget::mouseMoveEvent(QMouseEvent* event) {
    state_->moveTo(event->position());
    state_->updateShape(event->position());
}

void SkyViewWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QWidget::mouseReleaseEvent(event);
    state_->release();
    state_->updateShape(event->position());
}

void SkyViewWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (state_->tool)
        if (const auto place = state_->toolPlace(event->position(), event->modifiers());
            place && state_->tool->finish(*place))
            return;
    if (const PanelContent* content =
            contentAt(state_->contents, state_->device(event->position())))
        if (const auto to = state_->cameraDirectionAt(*content, state_->device(event->position())))
            centerOn(lonLat(*to));
}

void SkyViewWidget::wheelEvent(QWheelEvent* event) {
    const QPointF at = state_->device(event->position());
    const QRect panel = state_->pressedPanel(at);
    const QPointF inPanel = at - QPointF(panel.topLeft());
    const double step = std::log(kZoomStep);
    if (!event->pixelDelta().isNull()) {
        state_->cameraPointer.zoomAtOnce(panel.size(), inPanel,
                                         step * event->pixelDelta().y() / kPixelsPerStep);
    } else {
        // angleDelta is in eighths of a degree; fine wheels send parts of a notch.
        const double notches = event->angleDelta().y() / 8.0 / kNotchDegrees;
        state_->cameraPointer.zoomSmoothly(panel.size(), inPanel, step * notches);
    }
    event->accept();
}

void SkyViewWidget::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    state_->hovered = {};
    state_->pointer.reset();
    if (state_->tool) state_->tool->hover(std::nullopt);
    state_->setCursorPlace(std::nullopt, false);
}

void SkyViewWidget::keyPressEvent(QKeyEvent* event) {
    if (state_->tool && state_->tool->key(event->key())) return;
    const QRect panel = state_->pressedPanel(QPointF(1.0, 1.0));
    const double share = event->modifiers() & Qt::ShiftModifier ? kFineArrowShare : kArrowShare;
    const double step = share * panel.width();
    switch (event->key()) {
        // The view moves towards the arrow, so the sphere moves the other way.
        case Qt::Key_Left: return state_->cameraPointer.nudge(panel.size(), {step, 0.0});
        case Qt::Key_Right: return state_->cameraPointer.nudge(panel.size(), {-step, 0.0});
        case Qt::Key_Up: return state_->cameraPointer.nudge(panel.size(), {0.0, step});
        case Qt::Key_Down: return state_->cameraPointer.nudge(panel.size(), {0.0, -step});
        case Qt::Key_Plus:
        case Qt::Key_Equal: return zoomIn();
        case Qt::Key_Minus: return zoomOut();
        case Qt::Key_BracketLeft: return turn(kTurnStep);
        case Qt::Key_BracketRight: return turn(-kTurnStep);
        case Qt::Key_Home: return resetView();
        case Qt::Key_Space: return state_->showOtherBlink();
        // While the inspector follows the pointer, the sky has the focus.
        case Qt::Key_P:
            if (!inspector()->isHidden()) QCoreApplication::sendEvent(inspector(), event);
            return;
        case Qt::Key_Escape:
            state_->cameraPointer.stop();
            // Without a ruler to clear, the window handles the key.
            return measuredAngle() ? clearMeasurement() : QWidget::keyPressEvent(event);
        default: QWidget::keyPressEvent(event);
    }
}

void SkyViewWidget::contextMenuEvent(QContextMenuEvent* event) {
    const QPointF at = event->reason() == QContextMenuEvent::Mouse ? QPointF(event->pos())
                                                                   : QRectF(rect()).center();
    const std::optional<SkyCursor> place = cursorAt(at);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* center = menu->addAction(tr("&Center here"));
    QAction* copy = menu->addAction(tr("Copy &position"));
    QAction* copyValue = menu->addAction(tr("Copy &value"));
    menu->addSeparator();
    QAction* pin = menu->addAction(tr("P&in inspector here"));
    QAction* unpin = menu->addAction(tr("&Unpin inspector"));
    menu->addSeparator();
    QAction* clear = menu->addAction(tr("Clear &measurement"));
    QAction* reset = menu->addAction(tr("&Whole sky"));
    center->setToolTip(tr("Turns the sphere so that this position is in the middle"));
    copy->setToolTip(tr("The position here in equatorial and Galactic coordinates, as text"));
    copyValue->setToolTip(tr("The value of the pixel here with all digits, as text"));
    pin->setToolTip(tr("The inspector stays at this position instead of following the pointer"));
    unpin->setToolTip(tr("The inspector follows the pointer again"));
    clear->setToolTip(tr("Removes the angle that was measured with Shift+drag"));
    reset->setToolTip(tr("Shows the whole sky, centered as at the start"));
    for (QAction* action : {center, copy, copyValue, pin}) action->setEnabled(place.has_value());
    unpin->setEnabled(inspector()->isPinned());
    clear->setEnabled(state_->ruler.shown().has_value());
    if (place) {
        const Layer* entry = state_->document.entry(place->shown.entry);
        const Readout readout = entry && entry->map && hasShown(*entry->map, place->shown)
                                    ? readOut(*entry->map, place->shown, place->direction,
                                              state_->document.view().camera().frame)
                                    : Readout{};
        connect(center, &QAction::triggered, this, [this, place] { centerOnCursor(*place); });
        connect(copy, &QAction::triggered, this, [readout] {
            const QString text = readout.frameKnown ? readout.equatorialText + QLatin1Char('\n') +
                                                          readout.galacticText
                                                    : readout.ownText;
            // Plain minus signs, so that other programs can read the numbers.
            QApplication::clipboard()->setText(
                QString(text).replace(QChar(0x2212), QLatin1Char('-')));
        });
        connect(copyValue, &QAction::triggered, this, [readout] {
            QApplication::clipboard()->setText(QString::number(readout.value, 'g', 17));
        });
        connect(pin, &QAction::triggered, this, [this, place] { inspector()->pin(*place); });
    }
    connect(unpin, &QAction::triggered, inspector(), &InspectorWidget::unpin);
    connect(clear, &QAction::triggered, this, &SkyViewWidget::clearMeasurement);
    connect(reset, &QAction::triggered, this, &SkyViewWidget::resetView);
    menu->popup(event->globalPos());
}

void SkyViewWidget::centerOnCursor(const SkyCursor& place) {
    const Frame own = state_->document.view().camera().frame;
    centerOn(lonLat(seenRotation(own, place.frame) * place.direction));
}

}  // namespace armilla

#include "armilla/ui/moc_sky_view_widget.cpp"

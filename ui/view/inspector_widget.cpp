// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/inspector_widget.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/seen_frame.h"
#include "armilla/core/units.h"
#include "armilla/ui/theme.h"
#include "view/cpu_canvas.h"
#include "view/halo_text.h"
#include "view/picture_worker.h"

namespace armilla {
namespace {

constexpr int kFoldedWidth = 126, kCardWidth = 262, kPictureHeight = 214, kHeader = 28,
              kFooter = 26;
constexpr QSize kLeastPicture(100, 66);
constexpr double kFooterMargin = 10.0;
// Letter width and line height of a usual font (9 points at 96 dpi); a card grows with a larger
// font.
constexpr double kUsualLetter = 6.0, kUsualLine = 15.0;
constexpr int kValueLength = 8;  // seven digits and a point
constexpr double kDefaultField = 12.0 * kDegree;
// largest fraction of the sky view's field, until a field is set
constexpr double kShareOfView = 0.25;
constexpr double kLargestField = 100.0 * kDegree;  // limit of the gnomonic projection
constexpr double kSmallestField = 1e-3 * kArcsec;
constexpr double kZoomStep = 1.25;
constexpr int kRestMilliseconds = 150;

enum class Glyph { Pin, Fold, Unfold };

// Icons of the two buttons, drawn in the theme's color at any resolution.
QIcon glyphIcon(Glyph glyph, const QColor& color, double ratio) {
    constexpr int size = 16;
    QPixmap pixmap(static_cast<int>(size * ratio), static_cast<int>(size * ratio));
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (glyph == Glyph::Pin) {
        painter.setBrush(color);
        painter.drawEllipse(QPointF(8.0, 5.5), 2.9, 2.9);
        painter.drawLine(QPointF(8.0, 8.5), QPointF(8.0, 13.5));
    } else {
        const double tip = glyph == Glyph::Fold ? 10.0 : 6.0, base = 16.0 - tip;
        painter.drawPolyline(QPolygonF({{4.0, base}, {8.0, tip}, {12.0, base}}));
    }
    return QIcon(pixmap);
}

}  // namespace

struct InspectorWidget::State {
    explicit State(const Document& doc) : document(doc) {}

    const Document& document;
    std::optional<SkyCursor> place;
    bool pinned = false, collapsed = false;
    double field = kDefaultField;
    bool isChosen = false;  // set by the user, independent of the sky view's zoom
    PictureWorker worker;
    Picture picture;
    std::shared_ptr<const DrawableField> drawn;  // last good field
    ColorScale scale;
    QTimer rest;
    QToolButton *pin = nullptr, *fold = nullptr;
    QString note, briefNote;
    std::pair<QString, QString> footerTexts;  // last painted texts
    bool dragging = false;
    QPointF pressAt;
    Camera pressCamera;

    // Length for a text, scaled with the font.
    static int across(const QWidget& widget, int length) {
        const QFontMetricsF metrics(Theme::of(&widget).smallFont(widget.font()));
        return static_cast<int>(
            std::lround(length * std::max(1.0, metrics.averageCharWidth() / kUsualLetter)));
    }
    static int down(const QWidget& widget, int length) {
        const QFontMetricsF metrics(Theme::of(&widget).smallFont(widget.font()));
        return static_cast<int>(std::lround(length + std::max(0.0, metrics.height() - kUsualLine)));
    }
    static int header(const QWidget& widget) { return down(widget, kHeader); }
    static int footer(const QWidget& widget) { return down(widget, kFooter); }
    QRect pictureRect(const QWidget& widget) const {
        return {1, header(widget), widget.width() - 2,
                widget.height() - header(widget) - footer(widget)};
    }
    static QRect footerRect(const QWidget& widget) {
        return {0, widget.height() - footer(widget), widget.width(), footer(widget)};
    }
    QSize deviceSize(const QWidget& widget) const {
        const QSizeF size = QSizeF(pictureRect(widget).size()) * widget.devicePixelRatioF();
        return {static_cast<int>(std::lround(size.width())),
                static_cast<int>(std::lround(size.height()))};
    }
    // Gnomonic, north up in the frame of the sky view.
    Camera camera(const QWidget& widget) const {
        Camera camera;
        camera.projection = Projection::Gnomonic;
        camera.frame = document.view().camera().frame;
        camera.flip = document.view().camera().flip;
        const Vec3 center = seenRotation(camera.frame, place->frame) * place->direction;
        camera.orientation = skyFromViewRotation(lonLat(center), 0.0);
        const QSize size = deviceSize(widget);
        camera.zoom = camera.radiansPerPixel(size.width(), size.height()) * size.width() / field;
        return camera;
    }
    // The field of view follows a close view at a higher zoom. It changes in factors of two, so
    // that not every zoom step needs another picture. Returns true after a change.
    bool followZoom() {
        if (isChosen || pinned) return false;
        const double whole =
            document.view().camera().radiansPerPixel(kCardWidth, kPictureHeight) * kCardWidth;
        const double steps = std::ceil(std::log2(kDefaultField / (kShareOfView * whole)));
        const double wanted =
            std::max(kDefaultField * std::exp2(-std::max(0.0, steps)), kSmallestField);
        return std::exchange(field, wanted) != wanted;
    }
    void lookAtShown() {
        const Shown now = document.view().shown();
        const Layer* entry = document.entry(now.entry);
        if (!place || !entry || !entry->map || place->shown == now) return;
        if (document.view().comparison() != Comparison::Single &&
            place->shown == document.view().compared())
            return;
        const Frame frame = entry->map->frame();
        place->direction = seenRotation(frame, place->frame) * place->direction;
        place->frame = frame;
        place->shown = now;
        drawn.reset();
    }
    void request(const QWidget& widget, bool moving) {
        if (!place || collapsed || !widget.isVisible()) return;
        if (auto ready = document.drawings().drawable(place->shown); ready && ready->isReady()) {
            drawn = std::move(ready);
            scale = document.drawings().colorScale(place->shown);
        }
        PictureRequest request;
        request.size = deviceSize(widget);
        request.camera = camera(widget);
        request.background = Theme::of(&widget).skyEdge;
        request.moving = moving;
        const QRect whole(QPoint(), request.size);
        if (drawn) request.parts.push_back({drawn, scale, whole});
        request.pixelRatio = widget.devicePixelRatioF();
        addMarkers(request, document, whole);
        if (request.parts.empty() && request.markers.empty() && request.images.empty()) return;
        worker.request(std::move(request));
    }
};

InspectorWidget::InspectorWidget(const Document& document, QWidget* parent)
    : QWidget(parent), state_(std::make_unique<State>(document)) {
    State* s = state_.get();
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::CrossCursor);
    setAccessibleName(tr("Inspector"));
    setAccessibleDescription(tr("A close look at the place under the cursor"));
    s->pin = new QToolButton(this);
    s->pin->setCheckable(true);
    s->pin->setToolTip(tr("Pin this place (P)"));
    s->pin->setAccessibleName(tr("Pin the inspector"));
    s->fold = new QToolButton(this);
    s->fold->setToolTip(tr("Fold or unfold (Return)"));
    s->fold->setAccessibleName(tr("Fold the inspector"));
    for (QToolButton* button : {s->pin, s->fold}) {
        button->setProperty("flat", true);
        button->setFocusPolicy(Qt::NoFocus);
        button->setCursor(Qt::ArrowCursor);
        button->setFixedSize(24, 22);
    }
    connect(s->pin, &QToolButton::clicked, this, [this, s](bool on) {
        if (on && s->place)
            pin(*s->place);
        else
            unpin();
    });
    connect(s->fold, &QToolButton::clicked, this, [this, s] { setCollapsed(!s->collapsed); });
    s->rest.setSingleShot(true);
    s->rest.setInterval(kRestMilliseconds);
    connect(&s->rest, &QTimer::timeout, this, [this, s] { s->request(*this, false); });
    connect(&s->worker, &PictureWorker::pictureReady, this, [this, s](const Picture& picture) {
        s->picture = picture;
        if (picture.coarse) s->rest.start();
        update(s->pictureRect(*this));
    });
    const auto renew = [this, s] {
        // The inspected map may be closed.
        if (s->place && s->place->shown.entry.isValid() &&
            !s->document.entry(s->place->shown.entry)) {
            s->place.reset();
            s->drawn.reset();
            unpin();
            update();
        }
        // A live map updates ten times a second. Unchanged parts are not repainted, and the picture
        // is repainted after it is computed.
        s->request(*this, true);
        updateFooter();
    };
    connect(&document, &Document::entriesChanged, this, renew);
    // Another map is shown: the position stays on the sky, and the value is that of the shown map.
    const auto lookAtShown = [s, renew] {
        s->lookAtShown();
        renew();
    };
    connect(&document.view(), &DocumentView::shownChanged, this, lookAtShown);
    connect(&document.view(), &DocumentView::comparisonChanged, this, lookAtShown);
    connect(&document.drawings(), &LayerDrawings::drawableChanged, this, renew);
    connect(&document.drawings(), &LayerDrawings::colorScaleChanged, this, renew);
    connect(&document.drawings(), &LayerDrawings::styleChanged, this, renew);
    connect(&document.drawings(), &LayerDrawings::markerGroupsChanged, this, renew);
    connect(&document.view(), &DocumentView::cameraChanged, this, [this, s, renew] {
        if (s->followZoom()) update();
        // Otherwise only frame and flip of the sky view's camera affect this view.
        if (s->place && !looksSame(s->camera(*this), s->picture.camera)) renew();
    });
    s->followZoom();
    renewIcons();
}

InspectorWidget::~InspectorWidget() = default;

void InspectorWidget::renewIcons() {
    const Theme& theme = Theme::of(this);
    const double ratio = devicePixelRatioF();
    state_->pin->setChecked(state_->pinned);
    state_->pin->setIcon(
        glyphIcon(Glyph::Pin, state_->pinned ? theme.accent : theme.textMuted, ratio));
    state_->fold->setIcon(
        glyphIcon(state_->collapsed ? Glyph::Unfold : Glyph::Fold, theme.textMuted, ratio));
}

void InspectorWidget::follow(const std::optional<SkyCursor>& cursor) {
    if (!cursor || state_->pinned) return;
    const bool isFirst = !std::exchange(state_->place, cursor);
    state_->request(*this, true);
    // The picture is repainted after it is computed.
    if (isFirst)
        update();
    else
        updateFooter();
    emit placeChanged();
}

void InspectorWidget::pin(const SkyCursor& place) {
    state_->place = place;
    state_->pinned = true;
    state_->request(*this, true);
    renewIcons();
    update();
    emit placeChanged();
    emit pinnedChanged(true);
}

void InspectorWidget::unpin() {
    if (!state_->pinned) return;
    state_->pinned = false;
    renewIcons();
    update();
    emit pinnedChanged(false);
}

bool InspectorWidget::isPinned() const {
    return state_->pinned;
}
std::optional<SkyCursor> InspectorWidget::place() const {
    return state_->place;
}
double InspectorWidget::fieldOfView() const {
    return state_->field;
}

void InspectorWidget::setFieldOfView(double radians) {
    state_->isChosen = true;
    state_->field = std::clamp(radians, kSmallestField, kLargestField);
    state_->request(*this, true);
    update();
}

bool InspectorWidget::isCollapsed() const {
    return state_->collapsed;
}

void InspectorWidget::setCollapsed(bool collapsed) {
    if (state_->collapsed == collapsed) return;
    state_->collapsed = collapsed;
    renewIcons();
    updateGeometry();
    emit layoutChanged();
    state_->request(*this, true);
}

QSize InspectorWidget::sizeHint() const {
    if (state_->collapsed) return foldedSize();
    return {State::across(*this, kCardWidth),
            State::header(*this) + kPictureHeight + State::footer(*this)};
}

QSize InspectorWidget::foldedSize() const {
    return {State::across(*this, kFoldedWidth), State::header(*this)};
}

QSize InspectorWidget::leastSize() const {
    return {State::across(*this, kLeastPicture.width()),
            State::header(*this) + State::footer(*this) + kLeastPicture.height()};
}

QSize InspectorWidget::pictureSize(QSize card) const {
    return {card.width(), std::max(0, card.height() - State::header(*this) - State::footer(*this))};
}

void InspectorWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    state_->fold->move(width() - state_->fold->width() - 3,
                       (State::header(*this) - state_->fold->height()) / 2);
    state_->pin->move(state_->fold->x() - state_->pin->width(), state_->fold->y());
    state_->request(*this, true);
}

void InspectorWidget::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    renewIcons();
    state_->request(*this, true);
}

void InspectorWidget::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    renewIcons();
    state_->request(*this, true);
}

std::optional<SkyCursor> InspectorWidget::cursorAt(QPointF position) const {
    const State& s = *state_;
    const QRect area = s.pictureRect(*this);
    if (s.collapsed || !s.place || !QRectF(area).contains(position)) return std::nullopt;
    const ViewGeometry view = geometryFor(s.camera(*this), s.deviceSize(*this), s.place->frame);
    const QPointF at = (position - QPointF(area.topLeft())) * devicePixelRatioF();
    SkyCursor place = *s.place;
    if (!skyFromImage(view, at.x(), at.y(), place.direction)) return std::nullopt;
    return place;
}

void InspectorWidget::wheelEvent(QWheelEvent* event) {
    const double steps = event->pixelDelta().isNull() ? event->angleDelta().y() / 120.0
                                                      : event->pixelDelta().y() / 60.0;
    setFieldOfView(state_->field * std::pow(kZoomStep, -steps));
    event->accept();
}

void InspectorWidget::mousePressEvent(QMouseEvent* event) {
    State& s = *state_;
    if (event->button() != Qt::LeftButton || !cursorAt(event->position())) return;
    s.dragging = true;
    s.pressAt = event->position();
    s.pressCamera = s.camera(*this);
}

void InspectorWidget::mouseMoveEvent(QMouseEvent* event) {
    State& s = *state_;
    if (s.dragging && event->position() != s.pressAt) {
        const QSize size = s.deviceSize(*this);
        const QPointF origin = s.pictureRect(*this).topLeft();
        const QPointF from = (s.pressAt - origin) * devicePixelRatioF();
        const QPointF to = (event->position() - origin) * devicePixelRatioF();
        const Camera moved =
            s.pressCamera.dragged(size.width(), size.height(), from.x(), from.y(), to.x(), to.y());
        SkyCursor place = *s.place;
        const ViewGeometry view = geometryFor(moved, size, place.frame);
        if (skyFromImage(view, 0.5 * size.width(), 0.5 * size.height(), place.direction))
            pin(place);
    }
    emit cursorMoved(cursorAt(event->position()));
}

void InspectorWidget::mouseReleaseEvent(QMouseEvent*) {
    state_->dragging = false;
}

void InspectorWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->position().y() < State::header(*this)) return setCollapsed(!state_->collapsed);
    if (const auto place = cursorAt(event->position())) pin(*place);
}

void InspectorWidget::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    emit cursorMoved(std::nullopt);
}

void InspectorWidget::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal: return setFieldOfView(state_->field / kZoomStep);
        case Qt::Key_Minus: return setFieldOfView(state_->field * kZoomStep);
        case Qt::Key_P: return state_->pin->click();
        case Qt::Key_Return:
        case Qt::Key_Enter: return state_->fold->click();
        default: QWidget::keyPressEvent(event);
    }
}

void InspectorWidget::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    paintOver(painter, event->region());
}

void InspectorWidget::paintOver(QPainter& painter, const QRegion& region) {
    State& s = *state_;
    const Theme& theme = Theme::of(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor card = theme.card;
    card.setAlphaF(0.96F);
    painter.setPen(QPen(hasFocus() ? theme.accent : theme.border, 1.0));
    painter.setBrush(card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6.0, 6.0);
    painter.setFont(theme.smallFont(font()));
    const QRectF header(10.0, 0.0, s.pin->x() - 12.0, State::header(*this));
    if (region.intersects(header.toAlignedRect())) {
        painter.setPen(theme.textMuted);
        painter.drawText(header, Qt::AlignVCenter | Qt::AlignLeft,
                         titleWithin(QFontMetricsF(painter.font()), header.width()));
    }
    if (s.collapsed) return;
    if (region.intersects(s.pictureRect(*this))) paintPicture(painter);
    if (!region.intersects(State::footerRect(*this))) return;
    s.footerTexts = footer();
    paintFooter(painter);
}

// The title, elided to the width.
QString InspectorWidget::titleWithin(const QFontMetricsF& metrics, double room) const {
    const State& s = *state_;
    if (s.collapsed) return metrics.elidedText(tr("Inspector"), Qt::ElideRight, room);
    const QString field = QString::fromStdString(formatAngle(s.field));
    const QString pinned = s.pinned ? tr(" · pinned") : QString();
    for (const QString& title : {tr("Inspector · gnomonic %1%2").arg(field, pinned),
                                 tr("gnomonic %1%2").arg(field, pinned), field + pinned})
        if (metrics.horizontalAdvance(title) <= room) return title;
    return metrics.elidedText(field, Qt::ElideRight, room);
}

void InspectorWidget::paintPicture(QPainter& painter) const {
    const State& s = *state_;
    const Theme& theme = Theme::of(this);
    const QRect area = s.pictureRect(*this);
    painter.fillRect(area, theme.skyEdge);
    if (!s.place) {
        painter.setPen(theme.textFaint);
        painter.drawText(area, Qt::AlignCenter, tr("Move over the sky"));
        return;
    }
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(1.0 / devicePixelRatioF(), 1.0 / devicePixelRatioF());
    paintTiles(painter, s.picture);
    painter.restore();
    if (!s.note.isEmpty()) paintNote(painter, area);
    // The center of the cross stays open for the pixel.
    const QPointF middle = QRectF(area).center();
    QPainterPath cross;
    for (const QPointF arm : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)}) {
        cross.moveTo(middle + 5.0 * arm);
        cross.lineTo(middle + 14.0 * arm);
    }
    painter.strokePath(cross, QPen(theme.skyHalo, 3.4, Qt::SolidLine, Qt::RoundCap));
    painter.strokePath(cross, QPen(theme.skyLabel, 1.4, Qt::SolidLine, Qt::RoundCap));
}

// On a plate, as names are, because a picture has any colors.
void InspectorWidget::paintNote(QPainter& painter, const QRectF& area) const {
    const Theme& theme = Theme::of(this);
    const QFontMetricsF metrics(painter.font());
    const double room = area.width() - 20.0;
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= room; };
    QStringList lines{state_->note};
    if (!state_->briefNote.isEmpty() && !fits(state_->note)) lines = {state_->briefNote};
    // The parts of a note that is too long are lines below each other.
    const QStringList parts = state_->note.split(QStringLiteral(" · "));
    if (!fits(lines.front()) && std::all_of(parts.begin(), parts.end(), fits)) lines = parts;
    double widest = 0.0;
    for (QString& line : lines) {
        line = metrics.elidedText(line, Qt::ElideRight, room);
        widest = std::max(widest, metrics.horizontalAdvance(line));
    }
    const QString note = lines.join(QLatin1Char('\n'));
    QRectF plate(0.0, 0.0, widest + 12.0,
                 static_cast<double>(lines.size()) * metrics.lineSpacing() + 2.0);
    plate.moveCenter({area.center().x(), area.top() + 4.0 + 0.5 * plate.height()});
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.chip);
    painter.drawRoundedRect(plate, theme.radius, theme.radius);
    painter.setPen(theme.chipText);
    painter.drawText(plate, Qt::AlignCenter, note);
}

void InspectorWidget::setNote(const QString& note, const QString& brief) {
    if (state_->note == note && state_->briefNote == brief) return;
    state_->note = note;
    state_->briefNote = brief;
    update();
}

QString InspectorWidget::note() const {
    return state_->note;
}

std::pair<QString, QString> InspectorWidget::footer() const {
    const State& s = *state_;
    const Layer* entry = s.place ? s.document.entry(s.place->shown.entry) : nullptr;
    if (!entry || !entry->map || !hasShown(*entry->map, s.place->shown)) return {};
    const Frame frame = s.document.view().camera().frame;
    const Readout readout = readOut(*entry->map, s.place->shown, s.place->direction, frame);
    // The value in the picture, which may be rotated.
    const bool isTurned = !readout.turnedText.isEmpty();
    const double pictured = isTurned ? readout.turned : readout.value;
    const QString& text = isTurned ? readout.turnedText : readout.valueText;
    QString position = !readout.frameKnown          ? readout.ownText
                       : frame == Frame::Equatorial ? readout.equatorialText
                       : frame == Frame::Ecliptic   ? readout.eclipticText
                                                    : readout.galacticText;
    const QFontMetricsF metrics(Theme::of(this).smallFont(font()));
    const double room = width() - 2.0 * kFooterMargin;
    // The value with its unit and as many digits as leave space for the position: all, the seven of
    // single precision, or four.
    const auto valueOf = [&](int digits) {
        const QString number = digits > 0 && std::isfinite(pictured)
                                   ? typographicMinus(QString::number(pictured, 'g', digits))
                                   : text;
        return readout.unit.isEmpty() ? number : number + QLatin1Char(' ') + readout.unit;
    };
    const auto roomBeside = [&](const QString& value) {
        return room - metrics.horizontalAdvance(value) - 12.0;
    };
    QString value = valueOf(text.size() > kValueLength ? 7 : 0);
    if (roomBeside(value) < metrics.horizontalAdvance(position)) value = valueOf(4);
    if (readout.frameKnown && roomBeside(value) < metrics.horizontalAdvance(position)) {
        const LonLat at = frame == Frame::Equatorial ? readout.equatorial
                          : frame == Frame::Ecliptic ? readout.ecliptic
                                                     : readout.galactic;
        position = typographicMinus(QStringLiteral("%1° %2°")
                                        .arg(at.lon / kDegree, 0, 'f', 1)
                                        .arg(at.lat / kDegree, 0, 'f', 1));
    }
    // The status bar also has the position, so a position that does not fit is left out.
    const bool tellsPlace = roomBeside(value) >= metrics.horizontalAdvance(position);
    if (!tellsPlace) {
        value = valueOf(text.size() > kValueLength ? 7 : 0);
        // The unit is worth more than digits, which the status bar has too.
        if (metrics.horizontalAdvance(value) > room) value = valueOf(4);
    }
    return {metrics.elidedText(value, Qt::ElideRight, room), tellsPlace ? position : QString()};
}

void InspectorWidget::updateFooter() {
    const State& s = *state_;
    if (s.place && !s.collapsed && footer() != s.footerTexts) update(State::footerRect(*this));
}

void InspectorWidget::paintFooter(QPainter& painter) const {
    const Theme& theme = Theme::of(this);
    const QRectF place =
        QRectF(State::footerRect(*this)).adjusted(kFooterMargin, 0.0, -kFooterMargin, -1.0);
    painter.setPen(theme.text);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft, state_->footerTexts.first);
    painter.setPen(theme.textMuted);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignRight, state_->footerTexts.second);
}

}  // namespace armilla

#include "armilla/ui/moc_inspector_widget.cpp"

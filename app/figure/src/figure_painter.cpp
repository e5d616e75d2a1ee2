// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_painter.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "armilla/draw/graticule.h"

namespace armilla {

namespace {

constexpr double kBarPoints = 9.0;
constexpr double kTickPoints = 3.5;
constexpr double kBesideGap = 4.0;  // points between sky, bar, its labels and the unit
// Sides of an inset over the width and the height of the sky.
constexpr double kInsetWidth = 0.3, kInsetHeight = 0.5;

}  // namespace

FigurePainter::FigurePainter(const FigureRequest& request, const FigureOverlays& overlays,
                             QSizeF page, double dpi, double rasterDpi)
    : request_(request),
      overlays_(overlays),
      page_(page),
      dpi_(dpi),
      rasterDpi_(rasterDpi),
      theme_(figureTheme(request.look)),
      layout_(layout()) {
    for (const SkyPlace& place : layout_.skies)
        if (place.sky.width() < points(36) || place.sky.height() < points(36))
            throw InvalidArgument(
                "expected a figure with space for the sky (half an inch beside title and color "
                "bar), found " +
                std::to_string(request.width) + " x " + std::to_string(request.height) +
                " pixels at " + std::to_string(std::lround(request.dpi)) + " per inch");
    makeSkies();
}

void FigurePainter::makeSkies() {
    for (size_t i = 0; i < layout_.skies.size(); ++i) {
        const FigureRequest* own = &request_;
        if (i > 0) {
            const FigurePanel& panel = request_.panels[i - 1];
            requests_.push_back(std::make_unique<FigureRequest>(request_));
            requests_.back()->map = panel.map;
            requests_.back()->field = panel.field;
            requests_.back()->image = nullptr;
            requests_.back()->polarization.reset();
            own = requests_.back().get();
        }
        skies_.push_back(std::make_unique<SkyPanel>(*own, overlays_, layout_.skies[i], dpi_,
                                                    rasterDpi_, theme_));
    }
    if (!request_.inset) return;
    const SkyPlace place = insetPlace();
    requests_.push_back(std::make_unique<FigureRequest>(request_));
    FigureRequest& inset = *requests_.back();
    inset.camera.projection = Projection::Gnomonic;
    inset.camera.orientation =
        skyFromViewRotation(request_.inset->center, request_.camera.rotation());
    inset.camera.offset = {};
    // An angle at the center of a gnomonic view: half the width is tan(width / 2).
    inset.radiansPerPixel =
        2.0 * std::tan(0.5 * request_.inset->width) / (place.sky.width() * request_.dpi / dpi_);
    inset.graticuleStep = 0.0;
    inset.polarization.reset();
    inset_ = std::make_unique<SkyPanel>(inset, overlays_, place, dpi_, rasterDpi_, theme_);
}

SkyPlace FigurePainter::insetPlace() const {
    const QRectF& sky = layout_.skies.front().sky;
    const double unit = std::max(1.0, dpi_ / rasterDpi_);
    const double side =
        unit * std::floor(std::min(kInsetWidth * sky.width(), kInsetHeight * sky.height()) / unit);
    const FigureCorner corner = request_.inset->corner;
    const bool isRight = corner == FigureCorner::TopRight || corner == FigureCorner::BottomRight;
    const bool isTop = corner == FigureCorner::TopRight || corner == FigureCorner::TopLeft;
    const QRectF box(isRight ? sky.right() - side : sky.left(),
                     isTop ? sky.top() : sky.bottom() - side, side, side);
    return {box, box, false};
}

void FigurePainter::renderSky(JobContext& job) {
    const size_t count = skies_.size() + (inset_ ? 1 : 0);
    for (size_t i = 0; i < count; ++i) {
        JobContext part = job.part(static_cast<double>(i) / static_cast<double>(count),
                                   static_cast<double>(i + 1) / static_cast<double>(count));
        (i < skies_.size() ? *skies_[i] : *inset_).render(part);
    }
}

std::string FigurePainter::remark() const {
    for (const auto& sky : skies_)
        if (!sky->remark().empty()) return sky->remark();
    return inset_ ? inset_->remark() : std::string();
}

double FigurePainter::shapeOfSky(double width) const {
    const PlanePoint extent = planeExtent(request_.camera.projection);
    const double whole =
        request_.radiansPerPixel > 0.0
            ? 2.0 * extent.y / (request_.radiansPerPixel * request_.dpi / dpi_) / width
            : std::max(1.0, request_.camera.zoom) * extent.y / extent.x;
    // A gnomonic view has no edge.
    return request_.camera.projection == Projection::Gnomonic ? 1.0 : std::min(1.0, whole);
}

double FigurePainter::contentHeight() const {
    const QRectF& sky = layout_.skies.front().sky;
    const double wanted = shapeOfSky(sky.width()) * sky.width();
    return page_.height() + layout_.rows * (wanted + 1.0 - sky.height());
}

int FigurePainter::columnsIn(QSizeF room) const {
    const int count = static_cast<int>(request_.panels.size()) + 1;
    if (request_.columns > 0) return std::min(count, request_.columns);
    const double shape = shapeOfSky(room.width());
    int best = 1;
    double widest = 0.0;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const double width = std::min(room.width() / columns, room.height() / rows / shape);
        // A later number of columns must be better by more than rounding.
        if (width > 1.001 * widest) {
            best = columns;
            widest = width;
        }
    }
    return best;
}

void FigurePainter::placeSkies(QRectF room, FigureLayout& result) const {
    const int count = static_cast<int>(request_.panels.size()) + 1;
    const int columns = count == 1 ? 1 : columnsIn(room.size());
    result.rows = (count + columns - 1) / columns;
    const double gap = points(6);
    const QSizeF cell((room.width() - (columns - 1) * gap) / columns,
                      (room.height() - (result.rows - 1) * gap) / result.rows);
    bool hasTitles = !request_.panelTitle.isEmpty();
    for (const FigurePanel& panel : request_.panels) hasTitles |= !panel.title.isEmpty();
    const double titleHeight = hasTitles ? points(1.35 * theme_.textPoints + 2.0) : 0.0;
    // Integer pixels of both page and image, so that the image is not resampled and lines align
    // with it.
    const double unit = std::max(1.0, dpi_ / rasterDpi_);
    for (int i = 0; i < count; ++i) {
        QRectF own(QPointF(room.left() + (i % columns) * (cell.width() + gap),
                           room.top() + (i / columns) * (cell.height() + gap)),
                   cell);
        if (hasTitles) result.titles.emplace_back(own.left(), own.top(), own.width(), titleHeight);
        own.setTop(own.top() + titleHeight);
        const QRectF around = count == 1 ? QRectF(QPointF(0, 0), page_) : own;
        const QSizeF edge = edgeRoom(own.size());
        own.adjust(edge.width(), edge.height(), -edge.width(), -edge.height());
        result.skies.push_back({QRectF(std::ceil(own.left()), std::ceil(own.top()),
                                       unit * std::floor((own.width() - 1.0) / unit),
                                       unit * std::floor((own.height() - 1.0) / unit)),
                                around, !edge.isEmpty()});
    }
}

FigureLayout FigurePainter::layout() const {
    FigureLayout result;
    const double edge = margin();
    QRectF room = QRectF(QPointF(0, 0), page_).adjusted(edge, edge, -edge, -edge);
    if (!request_.title.isEmpty()) {
        const double height = points(1.35 * theme_.titlePoints);
        result.title = QRectF(room.left(), room.top(), room.width(), height);
        room.setTop(result.title.bottom() + points(5));
    }
    const double textHeight = points(1.35 * theme_.textPoints);
    const bool isBelow = request_.look.bar == BarPlace::Below;
    const double barWidth = std::min(0.62 * room.width(), points(360));
    result.bar = QRectF(room.center().x() - 0.5 * barWidth, 0.0, barWidth, points(kBarPoints));
    const bool hasNotes =
        !frameText().isEmpty() || !overlays_.contourText.isEmpty() || request_.polarization;
    result.notesRow = isBelow ? notesRow(result.bar) : NotesRow::Own;
    if (result.notesRow == NotesRow::Own && (isBelow || hasNotes)) {
        result.notes = QRectF(room.left(), room.bottom() - textHeight, room.width(), textHeight);
        room.setBottom(result.notes.top() - points(1));
    }
    if (isBelow) {
        if (!request_.unit.isEmpty()) {
            result.unit = QRectF(room.left(), room.bottom() - textHeight, room.width(), textHeight);
            room.setBottom(result.unit.top() - points(1));
        }
        result.ticks = QRectF(room.left(), room.bottom() - textHeight, room.width(), textHeight);
        room.setBottom(result.ticks.top() - points(kTickPoints + 1.5));
        result.bar.moveTop(room.bottom() - points(kBarPoints));
        const double barTop = result.bar.top() - points(9);
        // The space of labels is decided with the bar's, as the bar is below them.
        placeSkies(QRectF(room.topLeft(), QPointF(room.right(), barTop)), result);
        return result;
    }
    const double beside = isBarBeside() ? besideRoom() : 0.0;
    placeSkies(room.adjusted(0, 0, -beside, 0), result);
    if (!isBarBeside()) return result;
    QRectF skies;
    for (const SkyPlace& place : result.skies) skies |= place.sky;
    const double tip = 0.9 * points(kBarPoints);
    const double height = std::min({0.9 * skies.height() - 2.0 * tip,
                                    shapeOfSky(skies.width()) * skies.width() * 0.9, points(360)});
    result.bar = QRectF(room.right() - beside + points(kBesideGap + 4.0),
                        skies.center().y() - 0.5 * height, points(kBarPoints), height);
    return result;
}

void FigurePainter::paint(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    // SVG and PDF viewers smooth the image when they show it smaller.
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (request_.look.background != FigureBackground::Transparent)
        painter.fillRect(QRectF(QPointF(0, 0), page_), theme_.background);
    for (const auto& sky : skies_) sky->paint(painter);
    if (inset_) {
        skies_.front()->paintAreaOf(*inset_, painter);
        painter.fillRect(inset_->place().sky, theme_.background);
        inset_->paint(painter);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_.ink, points(0.9), Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(inset_->place().sky);
    }
    if (hasBar()) paintBar(painter);
    paintText(painter);
    paintNotes(painter);
    paintRodScale(painter);
    paintLegend(painter);
}

QSizeF FigurePainter::edgeRoom(QSizeF room) const {
    if (!(request_.graticuleStep > 0.0)) return {};
    // The widest label that occurs at this step. Steps of 1/4 degree are minutes of time.
    const bool isHours = longitudeUnitOf(request_.camera.frame) == LongitudeUnit::Hours;
    const double step = request_.graticuleStep;
    const char* widest = step >= 0.999 * kDegree             ? (isHours ? "23h59m" : "360°")
                         : isHours && step < 0.249 * kDegree ? "23h59m59.99s"
                         : step >= 0.999 * kArcmin           ? "360°00′"
                                                             : "360°00′00.00″";
    const QFontMetricsF metrics = pageMetrics(theme_.labelPoints);
    constexpr double kMostShare = 0.14;
    const QSizeF edge(metrics.horizontalAdvance(QString::fromUtf8(widest)) + points(4),
                      metrics.height() + points(1));
    const bool fits =
        edge.width() <= kMostShare * room.width() && edge.height() <= kMostShare * room.height();
    return fits ? edge : QSizeF();
}

void FigurePainter::paintText(QPainter& painter) const {
    painter.setPen(theme_.ink);
    if (!request_.title.isEmpty()) {
        const QFont font = theme_.font(theme_.titlePoints, QFont::DemiBold);
        painter.setFont(font);
        const QFontMetricsF metrics(font, painter.device());
        const QString text =
            metrics.elidedText(request_.title, Qt::ElideRight, layout_.title.width());
        painter.drawText(QPointF(layout_.title.center().x() - 0.5 * metrics.horizontalAdvance(text),
                                 layout_.title.top() + metrics.ascent()),
                         text);
    }
    for (size_t i = 0; i < layout_.titles.size(); ++i) {
        const QString& title = i == 0 ? request_.panelTitle : request_.panels[i - 1].title;
        const QFont small = theme_.font(theme_.textPoints, QFont::DemiBold);
        const QFontMetricsF metrics(small, painter.device());
        const QString shown = metrics.elidedText(title, Qt::ElideRight, layout_.titles[i].width());
        painter.setFont(small);
        painter.drawText(
            QPointF(layout_.titles[i].center().x() - 0.5 * metrics.horizontalAdvance(shown),
                    layout_.titles[i].top() + metrics.ascent()),
            shown);
    }
    const QFont font = theme_.font(theme_.textPoints);
    const QFontMetricsF metrics(font, painter.device());
    painter.setFont(font);
    if (!request_.unit.isEmpty() && !isBarBeside())
        painter.drawText(
            QPointF(layout_.unit.center().x() - 0.5 * metrics.horizontalAdvance(request_.unit),
                    layout_.unit.top() + metrics.ascent()),
            request_.unit);
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "armilla/draw/drawn_values.h"
#include "armilla/draw/graticule.h"
#include "armilla/draw/graticule_edges.h"
#include "armilla/draw/image_renderer.h"
#include "armilla/draw/map_pyramid.h"
#include "armilla/draw/markers.h"
#include "armilla/draw/sparse_pyramid.h"
#include "averaged_down.h"

namespace armilla {

namespace {

// The graticule chooses its label density for a screen of this resolution.
constexpr double kOverlayDpi = 96.0;
// Whole-sky maps with a larger nside are downgraded to this one before drawing.
constexpr int64_t kMostNside = 8192;
constexpr double kBarPoints = 9.0;
constexpr double kTickPoints = 3.5;

Rgba rgbaOf(QRgb color) {
    const auto part = [](int value) { return static_cast<uint8_t>(value); };
    return {part(qRed(color)), part(qGreen(color)), part(qBlue(color)), part(qAlpha(color))};
}

// The nside of the pyramid that a map of the whole sky is drawn from. Means of a partial map are
// made from its finest pixels, whatever their level, so that none of its levels is left out.
int64_t drawnNside(const HealpixMap& map, const ViewGeometry& geometry) {
    if (map.coverage() != Coverage::Full) return kMostNside;
    const auto cells = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(map.nside())));
    return std::min(kMostNside, finestNsideDrawn(cells, geometry));
}

// Mean luminance of the drawn pixels, 0 to 1. Rec. 709 weights on the coded values are accurate
// enough to choose black or white.
double meanLuminance(const std::vector<Rgba>& pixels) {
    int64_t red = 0, green = 0, blue = 0, count = 0;
    for (const Rgba& pixel : pixels) {
        const int64_t seen = pixel.a == 0 ? 0 : 1;
        red += seen * pixel.r;
        green += seen * pixel.g;
        blue += seen * pixel.b;
        count += seen;
    }
    const double sum = 0.2126 * static_cast<double>(red) + 0.7152 * static_cast<double>(green) +
                       0.0722 * static_cast<double>(blue);
    return count == 0 ? 1.0 : sum / (255.0 * static_cast<double>(count));
}

QColor colorFrom(Rgba color) {
    return {color.r, color.g, color.b, color.a};
}

QPen penOf(const QColor& color, double width) {
    return {color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
}

}  // namespace

FigurePainter::FigurePainter(const FigureRequest& request, const FigureOverlays& overlays,
                             QSizeF page, double dpi, double rasterDpi)
    : request_(request),
      overlays_(overlays),
      page_(page),
      dpi_(dpi),
      rasterDpi_(rasterDpi),
      theme_(figureTheme(request.darkBackground)),
      layout_(layout()) {
    if (layout_.sky.width() < points(36) || layout_.sky.height() < points(36))
        throw InvalidArgument(
            "expected a figure with space for the sky (half an inch beside title and color bar), "
            "found " +
            std::to_string(request.width) + " x " + std::to_string(request.height) + " pixels at " +
            std::to_string(std::lround(request.dpi)) + " per inch");
    overlay_ = view(kOverlayDpi, request.camera.frame);
}

FigureLayout FigurePainter::layout() const {
    FigureLayout result;
    const double margin = points(kMarginPoints);
    QRectF room = QRectF(QPointF(0, 0), page_).adjusted(margin, margin, -margin, -margin);
    if (!request_.title.isEmpty()) {
        const double height = points(1.35 * FigureTheme::kTitlePoints);
        result.title = QRectF(room.left(), room.top(), room.width(), height);
        room.setTop(result.title.bottom() + points(5));
    }
    const double textHeight = points(1.35 * FigureTheme::kTextPoints);
    const double barWidth = std::min(0.62 * room.width(), points(360));
    result.bar = QRectF(room.center().x() - 0.5 * barWidth, 0.0, barWidth, points(kBarPoints));
    result.notesRow = notesRow(result.bar);
    if (result.notesRow == NotesRow::Own) {
        result.notes = QRectF(room.left(), room.bottom() - textHeight, room.width(), textHeight);
        room.setBottom(result.notes.top() - points(1));
    }
    if (!request_.unit.isEmpty()) {
        result.unit = QRectF(room.left(), room.bottom() - textHeight, room.width(), textHeight);
        room.setBottom(result.unit.top() - points(1));
    }
    result.ticks = QRectF(room.left(), room.bottom() - textHeight, room.width(), textHeight);
    room.setBottom(result.ticks.top() - points(kTickPoints + 1.5));
    const QSizeF edge = edgeRoom(room.size());
    result.bar.moveTop(room.bottom() - points(kBarPoints));
    room.setBottom(result.bar.top() - points(9));
    room.adjust(edge.width(), edge.height(), -edge.width(), -edge.height());
    result.hasEdges = !edge.isEmpty();
    // Integer pixels of both page and image, so that the image is not resampled and lines align
    // with it.
    const double unit = std::max(1.0, dpi_ / rasterDpi_);
    result.sky = QRectF(std::ceil(room.left()), std::ceil(room.top()),
                        unit * std::floor((room.width() - 1.0) / unit),
                        unit * std::floor((room.height() - 1.0) / unit));
    return result;
}

ViewGeometry FigurePainter::view(double dpi, Frame frame) const {
    const auto across = [&](double length, double perInch) {
        return std::max(1, static_cast<int>(std::lround(length * perInch / dpi_)));
    };
    const QSizeF panel = layout_.sky.size();
    ViewGeometry view = request_.camera.geometry(across(panel.width(), rasterDpi_),
                                                 across(panel.height(), rasterDpi_), frame);
    if (request_.radiansPerPixel > 0.0)
        view.radiansPerPixel = request_.radiansPerPixel * request_.dpi / rasterDpi_;
    view.radiansPerPixel *= rasterDpi_ / dpi;
    view.width = across(panel.width(), dpi);
    view.height = across(panel.height(), dpi);
    return view;
}

QPointF FigurePainter::onPage(double column, double row) const {
    return layout_.sky.center() +
           dpi_ / kOverlayDpi * QPointF(column - 0.5 * overlay_.width, row - 0.5 * overlay_.height);
}

QPainterPath FigurePainter::onPage(const std::vector<Polyline>& lines) const {
    QPainterPath path;
    for (const Polyline& line : lines)
        for (size_t i = 0; i < line.size(); ++i) {
            const QPointF point = onPage(line[i].column, line[i].row);
            if (i == 0)
                path.moveTo(point);
            else
                path.lineTo(point);
        }
    return path;
}

Frame FigurePainter::skyFrame() const {
    const Frame own = request_.map     ? request_.map->frame()
                      : request_.image ? request_.image->frame()
                                       : Frame::Unknown;
    return own == Frame::Unknown ? request_.camera.frame : own;
}

std::vector<Rgba> FigurePainter::mapPixels(const ViewGeometry& geometry, JobContext& job) {
    JobContext building = job.part(0.0, 0.5);
    JobContext drawing = job.part(0.5, 1.0);
    const HealpixMap& map = *request_.map;
    // A small part of the sky is cheaper to draw from its cells, which allow any depth.
    const bool isSparse = SparsePyramid::suits(map) &&
                          (map.nside() > kMostNside || map.elementCount() < map.pixelCount() / 16);
    std::vector<Rgba> pixels;
    std::vector<float> values;
    const bool needsValues = overlays_.interpolated || !overlays_.contours.empty();
    const auto draw = [&](const auto& pyramid) {
        pixels = renderImage(pyramid, geometry, request_.scale, drawing);
        if (needsValues) values = drawnValues(pyramid, geometry, drawing);
    };
    if (isSparse)
        draw(SparsePyramid::build(map, request_.field, building));
    else
        draw(MapPyramid::build(map, request_.field, drawnNside(map, geometry), building));
    if (needsValues) interpolateValues(values, map, request_.field, geometry, drawing);
    if (overlays_.interpolated) interpolateColors(pixels, values, request_.scale);
    if (!overlays_.contours.empty()) traceContours(values, geometry.width, geometry.height);
    return pixels;
}

std::vector<Rgba> FigurePainter::otherPixels(const ViewGeometry& geometry, JobContext& job) const {
    const ColorScale& scale = request_.scale;
    // Around an image the sky has the color of bad values, as uncovered pixels of a map have.
    const QColor& paper = theme_.background;
    const Rgba empty = request_.image ? scale.bad
                                      : Rgba{static_cast<uint8_t>(paper.red()),
                                             static_cast<uint8_t>(paper.green()),
                                             static_cast<uint8_t>(paper.blue()), 255};
    const std::vector<int64_t> onSky = renderIndices(1, Ordering::Nested, geometry, job);
    std::vector<Rgba> pixels(onSky.size(), scale.outside);
    for (size_t i = 0; i < pixels.size(); ++i)
        if (onSky[i] >= 0) pixels[i] = empty;
    if (!request_.image) return pixels;
    MarkerImage over;
    paintImage(*request_.image, scale, 1.0, geometry, over, job);
    for (size_t i = 0; i < pixels.size(); ++i)
        if (over.pixels[i].a == 255) pixels[i] = over.pixels[i];
    return pixels;
}

void FigurePainter::renderSky(JobContext& job) {
    JobContext coloring = job.part(0.0, 0.8);
    JobContext drawing = job.part(0.8, 1.0);
    const Frame mapFrame = skyFrame();
    const ViewGeometry geometry = view(rasterDpi_, mapFrame);
    std::vector<Rgba> pixels =
        request_.map ? mapPixels(geometry, coloring) : otherPixels(geometry, coloring);
    if (overlays_.mask) veil(pixels, mapFrame, drawing);
    if (request_.polarization) {
        if (request_.polarization->lic) drape(pixels, *request_.polarization, geometry, drawing);
        rods_ = figureRods(*request_.polarization, view(kOverlayDpi, mapFrame));
    }
    const bool bright = meanLuminance(pixels) > 0.42;
    line_ = bright ? QColor(0, 0, 0) : QColor(255, 255, 255);
    halo_ = bright ? QColor(255, 255, 255) : QColor(0, 0, 0);
    // An image finer than the page is downsampled here. Edges of pixels and of the sky are then
    // smooth in every viewer.
    const QSize size(static_cast<int>(std::lround(layout_.sky.width())),
                     static_cast<int>(std::lround(layout_.sky.height())));
    sky_ = rasterDpi_ > dpi_ ? averagedDown(pixels, geometry.width, geometry.height, size)
                             : imageOf(pixels, geometry.width, geometry.height);
    if (isVector()) sky_ = inVectorFormat(std::move(sky_));
    renderPlaces(drawing);
}

void FigurePainter::paint(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    // SVG and PDF viewers smooth the image when they show it smaller.
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.fillRect(QRectF(QPointF(0, 0), page_), theme_.background);
    painter.save();
    painter.setClipRect(layout_.sky);
    paintSky(painter);
    if (request_.graticuleStep > 0.0) paintGraticule(painter);
    paintContours(painter);
    if (request_.graticuleStep > 0.0) paintInsideLabels(painter);
    paintRods(painter);
    paintMarkers(painter);
    painter.restore();
    paintOutline(painter);
    paintOutsideLabels(painter);
    if (hasBar()) paintColorBar(painter);
    paintText(painter);
    paintNotes(painter);
    paintRodScale(painter);
}

// On a page in memory this thread blends the pixels. Qt 6.8 leaves images to threads of its pool,
// and waits for ever if the system grants no more threads.
void FigurePainter::paintOverSky(QPainter& painter, const QImage& image) const {
    const QRect panel = layout_.sky.toRect();
    QPaintDevice* device = painter.device();
    const auto* page =
        device->devType() == QInternal::Image ? static_cast<const QImage*>(device) : nullptr;
    if (page == nullptr || page->format() != QImage::Format_RGB32 || image.size() != panel.size() ||
        QRectF(panel) != layout_.sky) {
        painter.drawImage(layout_.sky, image);
        return;
    }
    for (int row = 0; row < panel.height(); ++row) {
        const auto* over = reinterpret_cast<const QRgb*>(image.constScanLine(row));
        // The painter writes the same memory; scanLine() would make a copy for other users.
        auto* under = reinterpret_cast<QRgb*>(
            const_cast<uchar*>(page->constScanLine(panel.top() + row)) + 4 * panel.left());
        for (int column = 0; column < panel.width(); ++column) {
            Rgba mixed = rgbaOf(under[column]);
            layOver(mixed, rgbaOf(over[column]));
            under[column] = qRgb(mixed.r, mixed.g, mixed.b);
        }
    }
}

void FigurePainter::paintSky(QPainter& painter) const {
    paintOverSky(painter, sky_);
}

Graticule FigurePainter::graticuleLines() const {
    return graticule(overlay_, request_.graticuleStep, longitudeUnitOf(request_.camera.frame));
}

void FigurePainter::paintGraticule(QPainter& painter) const {
    const Graticule lines = graticuleLines();
    // A thin line with an edge of the opposite lightness, so that one of the two is visible on any
    // color.
    const QPainterPath path = onPage(lines.lines);
    QColor color = line_, seam = halo_;
    color.setAlphaF(0.75F);
    seam.setAlphaF(0.4F);
    painter.strokePath(path, penOf(seam, points(1.5)));
    painter.strokePath(path, penOf(color, points(0.5)));
}

// Only labels without a place outside the sky are drawn on it.
void FigurePainter::paintInsideLabels(QPainter& painter) const {
    const Graticule lines = graticuleLines();
    const QFont font = theme_.font(FigureTheme::kLabelPoints);
    std::vector<EdgeLabel> outside;
    if (layout_.hasEdges)
        outside = graticuleEdges(overlay_, lines.step, lines.longitudeStep,
                                 longitudeUnitOf(request_.camera.frame));
    for (const GraticuleLabel& label : lines.labels)
        if (std::none_of(outside.begin(), outside.end(), [&](const EdgeLabel& other) {
                return other.isLatitude == label.isLatitude && other.text == label.text;
            }))
            paintOnSky(painter, onPage(label.at.column, label.at.row),
                       withMinus(QString::fromStdString(label.text)), font);
}

void FigurePainter::paintOutline(QPainter& painter) const {
    painter.save();
    // A line may lie on the edge of the panel, with half its width outside.
    const double half = points(0.5);
    painter.setClipRect(layout_.sky.adjusted(-half, -half, half, half));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(penOf(theme_.ink, points(0.9)));
    painter.drawPath(onPage(skyOutline(overlay_)));
    painter.restore();
}

void FigurePainter::paintColorBar(QPainter& painter) const {
    const ColorTable table = colorTable(request_.scale.colorMap, request_.scale.reversed);
    const QRectF& bar = layout_.bar;
    QImage strip(static_cast<int>(table.size()), 1, QImage::Format_RGB888);
    for (size_t i = 0; i < table.size(); ++i)
        strip.setPixelColor(static_cast<int>(i), 0, colorFrom(table[i]));
    // Pointed ends show that values beyond the range have the colors of the ends.
    const double tip = 0.9 * bar.height();
    const auto end = [&](double x, double towards, Rgba color) {
        // The path starts inside the bar, which is painted over it, so that no seam shows.
        QPainterPath path(QPointF(x - towards * tip, bar.top()));
        path.lineTo(x, bar.top());
        path.lineTo(x + towards * tip, bar.center().y());
        path.lineTo(x, bar.bottom());
        path.lineTo(x - towards * tip, bar.bottom());
        path.closeSubpath();
        painter.fillPath(path, colorFrom(color));
    };
    const ColorScale& scale = request_.scale;
    end(bar.left(), -1.0, scale.ownBelow ? scale.below : table.front());
    end(bar.right(), 1.0, scale.ownAbove ? scale.above : table.back());
    painter.drawImage(bar, strip.scaled(static_cast<int>(4 * table.size()), 8));
    QPainterPath border(QPointF(bar.left(), bar.top()));
    border.lineTo(bar.right(), bar.top());
    border.lineTo(bar.right() + tip, bar.center().y());
    border.lineTo(bar.right(), bar.bottom());
    border.lineTo(bar.left(), bar.bottom());
    border.lineTo(bar.left() - tip, bar.center().y());
    border.closeSubpath();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(penOf(theme_.ink, points(0.7)));
    painter.drawPath(border);

    const QFont font = theme_.font(FigureTheme::kTextPoints);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    for (const BarLabel& label : barLabels(bar, metrics)) {
        painter.setPen(penOf(theme_.ink, points(0.7)));
        painter.drawLine(QPointF(label.x, bar.bottom()),
                         QPointF(label.x, bar.bottom() + points(kTickPoints)));
        if (label.text.isEmpty()) continue;
        painter.setPen(theme_.ink);
        painter.drawText(QPointF(label.left, layout_.ticks.top() + metrics.ascent()), label.text);
    }
}

void FigurePainter::paintText(QPainter& painter) const {
    painter.setPen(theme_.ink);
    if (!request_.title.isEmpty()) {
        const QFont font = theme_.font(FigureTheme::kTitlePoints, QFont::DemiBold);
        painter.setFont(font);
        const QFontMetricsF metrics(font, painter.device());
        const QString text =
            metrics.elidedText(request_.title, Qt::ElideRight, layout_.title.width());
        painter.drawText(QPointF(layout_.title.center().x() - 0.5 * metrics.horizontalAdvance(text),
                                 layout_.title.top() + metrics.ascent()),
                         text);
    }
    const QFont font = theme_.font(FigureTheme::kTextPoints);
    const QFontMetricsF metrics(font, painter.device());
    painter.setFont(font);
    if (!request_.unit.isEmpty())
        painter.drawText(
            QPointF(layout_.unit.center().x() - 0.5 * metrics.horizontalAdvance(request_.unit),
                    layout_.unit.top() + metrics.ascent()),
            request_.unit);
}

void FigurePainter::paintOnSky(QPainter& painter, QPointF at, const QString& text,
                               const QFont& font) const {
    const QFontMetricsF metrics(font, painter.device());
    const QPointF origin(at.x() - 0.5 * metrics.horizontalAdvance(text),
                         at.y() + 0.5 * metrics.capHeight());
    // A path has no resolution, so its font size is given in device pixels.
    QFont inPixels = font;
    inPixels.setPixelSize(std::max(1, static_cast<int>(std::lround(points(font.pointSizeF())))));
    QPainterPath outline;
    outline.addText(origin, inPixels, text);
    QColor halo = halo_;
    halo.setAlphaF(0.65F);
    painter.strokePath(outline, penOf(halo, points(2.0)));
    painter.setFont(font);
    painter.setPen(line_);
    painter.drawText(origin, text);
}

}  // namespace armilla

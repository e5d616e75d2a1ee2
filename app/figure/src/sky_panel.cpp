// SPDX-License-Identifier: GPL-3.0-or-later
#include "sky_panel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "armilla/draw/drawn_values.h"
#include "armilla/draw/graticule_edges.h"
#include "armilla/draw/image_renderer.h"
#include "armilla/draw/map_pyramid.h"
#include "armilla/draw/markers.h"
#include "armilla/draw/sparse_pyramid.h"
#include "armilla/figure/centered_text.h"
#include "averaged_down.h"

namespace armilla {

namespace {

// The graticule chooses its label density for a screen of this resolution.
constexpr double kOverlayDpi = 96.0;
// Whole-sky maps with a larger nside are downgraded to this one before drawing.
constexpr int64_t kMostNside = 8192;

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
    // Sums of a part fit 32 bits, of which a vector holds twice as many as of 64.
    constexpr size_t kPart = 4096;
    for (size_t begin = 0; begin < pixels.size(); begin += kPart) {
        uint32_t r = 0, g = 0, b = 0, n = 0;
        for (size_t i = begin; i < std::min(pixels.size(), begin + kPart); ++i) {
            const Rgba& pixel = pixels[i];
            const uint32_t seen = pixel.a == 0 ? 0 : 1;
            r += seen * pixel.r;
            g += seen * pixel.g;
            b += seen * pixel.b;
            n += seen;
        }
        red += r;
        green += g;
        blue += b;
        count += n;
    }
    const double sum = 0.2126 * static_cast<double>(red) + 0.7152 * static_cast<double>(green) +
                       0.0722 * static_cast<double>(blue);
    return count == 0 ? 1.0 : sum / (255.0 * static_cast<double>(count));
}

QPen penOf(const QColor& color, double width) {
    return {color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
}

}  // namespace

SkyPanel::SkyPanel(const FigureRequest& request, const FigureOverlays& overlays,
                   const SkyPlace& place, double dpi, double rasterDpi, const FigureTheme& theme)
    : request_(request),
      overlays_(overlays),
      place_(place),
      dpi_(dpi),
      rasterDpi_(rasterDpi),
      theme_(theme),
      overlay_(view(kOverlayDpi, request.camera.frame)) {
    if (request.graticuleStep > 0.0 || place.hasEdges)
        graticule_ =
            graticule(overlay_, request.graticuleStep, longitudeUnitOf(request.camera.frame));
}

double SkyPanel::rodScaleOnPage() const {
    return onPage(rods_.scaleLength, 0.0).x() - onPage(0.0, 0.0).x();
}

void SkyPanel::paint(QPainter& painter) const {
    painter.save();
    painter.setClipRect(place_.sky);
    paintOverSky(painter, sky_);
    if (request_.graticuleStep > 0.0) paintGraticule(painter);
    paintContours(painter);
    if (request_.graticuleStep > 0.0) paintInsideLabels(painter);
    paintRods(painter);
    paintMarkers(painter);
    painter.restore();
    paintOutline(painter);
    paintOutsideLabels(painter);
}

void SkyPanel::paintAreaOf(const SkyPanel& inset, QPainter& painter) const {
    // Points on each side; the sides of an inset are arcs on this sky.
    constexpr int kSteps = 64;
    const ViewGeometry& other = inset.overlay_;
    QPainterPath path;
    QPointF before;
    bool isJoined = false;
    for (int i = 0; i <= 4 * kSteps; ++i) {
        const int side = (i / kSteps) % 4;
        const double along = static_cast<double>(i % kSteps) / kSteps;
        const double x = side == 0 ? along : side == 1 ? 1.0 : side == 2 ? 1.0 - along : 0.0;
        const double y = side == 0 ? 0.0 : side == 1 ? along : side == 2 ? 1.0 : 1.0 - along;
        Vec3 at;
        double column = 0.0, row = 0.0;
        const bool isSeen = skyFromImage(other, x * other.width, y * other.height, at) &&
                            imageFromSky(overlay_, at, column, row);
        const QPointF point = onPage(column, row);
        // A step across a third of the sky leaves it on one side and enters on the other.
        const bool isNear =
            isJoined && isSeen &&
            std::hypot(point.x() - before.x(), point.y() - before.y()) < place_.sky.width() / 3.0;
        if (isSeen && isNear)
            path.lineTo(point);
        else if (isSeen)
            path.moveTo(point);
        isJoined = isSeen;
        before = point;
    }
    painter.save();
    painter.setClipRect(place_.sky);
    QColor seam = halo_;
    seam.setAlphaF(0.7F);
    painter.strokePath(path, penOf(seam, points(2.0)));
    painter.strokePath(path, penOf(line_, points(0.9)));
    painter.restore();
}

ViewGeometry SkyPanel::view(double dpi, Frame frame) const {
    const auto across = [&](double length, double perInch) {
        return std::max(1, static_cast<int>(std::lround(length * perInch / dpi_)));
    };
    const QSizeF panel = place_.sky.size();
    ViewGeometry view = request_.camera.geometry(across(panel.width(), rasterDpi_),
                                                 across(panel.height(), rasterDpi_), frame);
    if (request_.radiansPerPixel > 0.0)
        view.radiansPerPixel = request_.radiansPerPixel * request_.dpi / rasterDpi_;
    view.radiansPerPixel *= rasterDpi_ / dpi;
    view.width = across(panel.width(), dpi);
    view.height = across(panel.height(), dpi);
    return view;
}

QPointF SkyPanel::onPage(double column, double row) const {
    return place_.sky.center() +
           dpi_ / kOverlayDpi * QPointF(column - 0.5 * overlay_.width, row - 0.5 * overlay_.height);
}

QPainterPath SkyPanel::onPage(const std::vector<Polyline>& lines) const {
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

Frame SkyPanel::skyFrame() const {
    const Frame own = request_.map     ? request_.map->frame()
                      : request_.image ? request_.image->frame()
                                       : Frame::Unknown;
    return own == Frame::Unknown ? request_.camera.frame : own;
}

std::vector<Rgba> SkyPanel::mapPixels(const ViewGeometry& geometry, JobContext& job) {
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
    if (!overlays_.contours.empty())
        traceContours(std::move(values), {geometry.width, geometry.height}, drawing);
    return pixels;
}

std::vector<Rgba> SkyPanel::otherPixels(const ViewGeometry& geometry, JobContext& job) const {
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

void SkyPanel::render(JobContext& job) {
    stop_ = job.stopToken();
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
    const QSize size(static_cast<int>(std::lround(place_.sky.width())),
                     static_cast<int>(std::lround(place_.sky.height())));
    sky_ = rasterDpi_ > dpi_ ? averagedDown(pixels, geometry.width, geometry.height, size)
                             : imageOf(pixels, geometry.width, geometry.height);
    if (isVector()) sky_ = inVectorFormat(std::move(sky_));
    drawManyContours(drawing);
    renderPlaces(drawing);
}

// On a page in memory this thread blends the pixels. Qt 6.8 leaves images to threads of its pool,
// and waits for ever if the system grants no more threads.
void SkyPanel::paintOverSky(QPainter& painter, const QImage& image) const {
    const QRect panel = place_.sky.toRect();
    QPaintDevice* device = painter.device();
    const auto* page =
        device->devType() == QInternal::Image ? static_cast<const QImage*>(device) : nullptr;
    const bool hasAlpha = page != nullptr && page->format() == QImage::Format_ARGB32_Premultiplied;
    if (page == nullptr || (page->format() != QImage::Format_RGB32 && !hasAlpha) ||
        image.size() != panel.size() || QRectF(panel) != place_.sky) {
        painter.drawImage(place_.sky, image);
        return;
    }
    for (int row = 0; row < panel.height(); ++row) {
        const auto* over = reinterpret_cast<const QRgb*>(image.constScanLine(row));
        // The painter writes the same memory; scanLine() would make a copy for other users.
        auto* under = reinterpret_cast<QRgb*>(
            const_cast<uchar*>(page->constScanLine(panel.top() + row)) + 4 * panel.left());
        for (int column = 0; column < panel.width(); ++column) {
            if (qAlpha(over[column]) == 255) {
                under[column] = over[column];
                continue;
            }
            Rgba mixed = rgbaOf(under[column]);
            layOver(mixed, rgbaOf(over[column]));
            under[column] = qRgba(mixed.r, mixed.g, mixed.b, hasAlpha ? mixed.a : 255);
        }
    }
}

void SkyPanel::paintGraticule(QPainter& painter) const {
    // A thin line with an edge of the opposite lightness, so that one of the two is visible on any
    // color.
    const QPainterPath path = onPage(graticule_.lines);
    QColor color = line_, seam = halo_;
    color.setAlphaF(0.75F);
    seam.setAlphaF(0.4F);
    painter.strokePath(path, penOf(seam, points(1.5)));
    painter.strokePath(path, penOf(color, points(0.5)));
}

// Only labels without a place outside the sky are drawn on it.
void SkyPanel::paintInsideLabels(QPainter& painter) const {
    const QFont font = theme_.font(theme_.labelPoints);
    std::vector<EdgeLabel> outside;
    if (place_.hasEdges)
        outside = graticuleEdges(overlay_, graticule_.step, graticule_.longitudeStep,
                                 longitudeUnitOf(request_.camera.frame));
    for (const GraticuleLabel& label : graticule_.labels)
        if (std::none_of(outside.begin(), outside.end(), [&](const EdgeLabel& other) {
                return other.isLatitude == label.isLatitude && other.text == label.text;
            }))
            paintOnSky(painter, onPage(label.at.column, label.at.row),
                       withMinus(QString::fromStdString(label.text)), font);
}

void SkyPanel::paintOutline(QPainter& painter) const {
    painter.save();
    // A line may lie on the edge of the panel, with half its width outside.
    const double half = points(0.5);
    painter.setClipRect(place_.sky.adjusted(-half, -half, half, half));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(penOf(theme_.ink, points(0.9)));
    painter.drawPath(onPage(skyOutline(overlay_)));
    painter.restore();
}

// The coordinate of a text on the grid of 1/64 pixel to which Qt cuts positions of glyphs. Widths
// have that step, so half of them lies on the grid or halfway between: there the last digit of a
// position, which is noise, would decide. The nearest threshold here is a quarter of a step away.
static double onFontGrid(double position) {
    constexpr double kSteps = 64.0;
    return std::floor(position * kSteps + 0.25) / kSteps;
}

void SkyPanel::paintOnSky(QPainter& painter, QPointF at, const QString& text,
                          const QFont& font) const {
    const QFontMetricsF metrics(font, painter.device());
    const QPointF baseline = centeredBaseline(metrics, at, text);
    const QPointF origin(onFontGrid(baseline.x()), onFontGrid(baseline.y()));
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

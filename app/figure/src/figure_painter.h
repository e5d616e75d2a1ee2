// SPDX-License-Identifier: GPL-3.0-or-later
// Paints one figure on one paint device, in device pixels.
#pragma once

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QRectF>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/draw/graticule.h"
#include "armilla/figure/figure.h"
#include "armilla/figure/figure_overlays.h"
#include "armilla/figure/figure_theme.h"
#include "figure_polarization.h"
#include "marker_rings.h"

namespace armilla {

inline constexpr double kMarginPoints = 12.0;

// The row below the color bar that has the name of the frame.
enum class NotesRow { Unit, Ticks, Own };

// Positions of the parts on a page.
struct FigureLayout {
    QRectF title, sky, bar, ticks, unit;
    QRectF notes;  // the row of NotesRow::Own
    NotesRow notesRow = NotesRow::Ticks;
    bool hasEdges = false;  // space beside the sky for graticule labels
};

class FigurePainter {
public:
    // `dpi` and `page` describe the paint device, `rasterDpi` the sky image. Request and overlays
    // are held by reference.
    FigurePainter(const FigureRequest& request, const FigureOverlays& overlays, QSizeF page,
                  double dpi, double rasterDpi);
    // Draws the sky image, which takes most of the time.
    void renderSky(JobContext& job);
    void paint(QPainter& painter) const;
    // Radians per pixel of the page at the center of the sky.
    double resolution() const { return view(dpi_, request_.camera.frame).radiansPerPixel; }

private:
    FigureLayout layout() const;
    bool hasBar() const;
    // A tick of the color bar; the text is empty if the neighboring label leaves no space.
    struct BarLabel {
        double x = 0.0, left = 0.0;
        QString text;
    };
    std::vector<BarLabel> barLabels(const QRectF& bar, const QFontMetricsF& metrics) const;
    struct Span {
        double left = 0.0, right = 0.0;
    };
    Span taken(NotesRow row, const QRectF& bar) const;
    NotesRow notesRow(const QRectF& bar) const;
    QString frameText() const;
    // Font metrics at `dpi_` dots per inch, whatever the resolution of the screen.
    QFontMetricsF pageMetrics(double fontPoints) const;
    // The view of the sky panel at `dpi` pixels per inch; its sky is in `frame`.
    ViewGeometry view(double dpi, Frame frame) const;
    // Vector formats have more dots than the image of the sky has pixels.
    bool isVector() const { return rasterDpi_ < dpi_; }
    double points(double count) const { return count * dpi_ / 72.0; }
    // Page position of a point of the view `overlay_`, which is the view of lines and labels.
    QPointF onPage(double column, double row) const;
    QPainterPath onPage(const std::vector<Polyline>& lines) const;

    struct OutsideLabel {
        QString text;
        QRectF box;
        bool isLatitude = false;
    };
    // Space for graticule labels on each side of the sky. Zero if the labels would take too much of
    // the sky; labels are then drawn on the sky.
    QSizeF edgeRoom(QSizeF room) const;
    std::vector<OutsideLabel> outsideLabels(const Graticule& lines,
                                            const QFontMetricsF& metrics) const;
    // The frame that the sky of the picture is in.
    Frame skyFrame() const;
    // Colors of the map with contours; of the image; or of the empty sky.
    std::vector<Rgba> mapPixels(const ViewGeometry& geometry, JobContext& job);
    std::vector<Rgba> otherPixels(const ViewGeometry& geometry, JobContext& job) const;
    static void interpolateColors(std::vector<Rgba>& pixels, std::span<const float> values,
                                  const ColorScale& scale);
    void veil(std::vector<Rgba>& pixels, Frame mapFrame, JobContext& job) const;
    void traceContours(std::span<const float> values, int width, int height);

    // Paints an image over the panel of the sky.
    void paintOverSky(QPainter& painter, const QImage& image) const;
    void paintSky(QPainter& painter) const;
    void paintContours(QPainter& painter) const;
    void paintOutsideLabels(QPainter& painter) const;
    Graticule graticuleLines() const;
    void paintGraticule(QPainter& painter) const;
    void paintInsideLabels(QPainter& painter) const;
    void paintRods(QPainter& painter) const;
    void paintRodScale(QPainter& painter) const;
    void paintMarkers(QPainter& painter) const;
    RingLook ringLook() const;
    // Finds the places in the picture, as rings or as a density.
    void renderPlaces(JobContext& job);
    void paintOutline(QPainter& painter) const;
    void paintColorBar(QPainter& painter) const;
    void paintText(QPainter& painter) const;
    void paintNotes(QPainter& painter) const;
    // Text centered at `at` that stays readable on any picture.
    void paintOnSky(QPainter& painter, QPointF at, const QString& text, const QFont& font) const;

    const FigureRequest& request_;
    const FigureOverlays& overlays_;
    QSizeF page_;
    double dpi_ = 0.0, rasterDpi_ = 0.0;
    FigureTheme theme_;
    FigureLayout layout_;
    QImage sky_;
    QImage density_;                               // the density of many places
    std::vector<Vec3> rings_;                      // places in the picture, if not as a density
    std::vector<std::vector<Polyline>> contours_;  // by level, in the pixels of `overlay_`
    FigureRods rods_;                              // in the pixels of `overlay_`
    ViewGeometry overlay_;  // geometry of lines and labels, with fewer pixels than the page
    QColor line_, halo_;    // colors of lines and labels on the sky
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the sky of a figure, with all that lies on it, in device pixels of a page.
#pragma once

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QRectF>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/draw/graticule.h"
#include "armilla/figure/figure.h"
#include "armilla/figure/figure_overlays.h"
#include "armilla/figure/figure_theme.h"
#include "figure_polarization.h"
#include "marker_rings.h"

namespace armilla {

// The part of a page that a sky takes.
struct SkyPlace {
    QRectF sky;             // integer pixels of page and image
    QRectF room;            // labels outside of the sky stay within this part of the page
    bool hasEdges = false;  // space beside the sky for graticule labels
};

class SkyPanel {
public:
    // `dpi` describes the paint device, `rasterDpi` the sky image. Request and overlays are held by
    // reference.
    SkyPanel(const FigureRequest& request, const FigureOverlays& overlays, const SkyPlace& place,
             double dpi, double rasterDpi, const FigureTheme& theme);
    // Draws the sky image, which takes most of the time.
    void render(JobContext& job);
    void paint(QPainter& painter) const;
    // The boundary of an inset's view, on this sky. It ends at the edges of this sky.
    void paintAreaOf(const SkyPanel& inset, QPainter& painter) const;
    // Radians per pixel of the page at the center of the sky.
    double resolution() const { return view(dpi_, request_.camera.frame).radiansPerPixel; }
    const SkyPlace& place() const { return place_; }
    const FigureRods& rods() const { return rods_; }
    // Remark for the user after render(); empty: none.
    const std::string& remark() const { return remark_; }
    double rodScaleOnPage() const;  // length of the reference line segment
    RingLook ringLook() const;

private:
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
    std::vector<OutsideLabel> outsideLabels(const QFontMetricsF& metrics) const;
    // The frame that the sky of the picture is in.
    Frame skyFrame() const;
    // Colors of the map with contours; of the image; or of the empty sky.
    std::vector<Rgba> mapPixels(const ViewGeometry& geometry, JobContext& job);
    std::vector<Rgba> otherPixels(const ViewGeometry& geometry, JobContext& job) const;
    static void interpolateColors(std::vector<Rgba>& pixels, std::span<const float> values,
                                  const ColorScale& scale);
    void veil(std::vector<Rgba>& pixels, Frame mapFrame, JobContext& job) const;
    void traceContours(std::vector<float> values, QSize size, JobContext& job);
    // Draws the contours as pixels if they are too many for lines.
    void drawManyContours(JobContext& job);
    QColor contourHalo() const;

    // Paints an image over the panel of the sky.
    void paintOverSky(QPainter& painter, const QImage& image) const;
    void paintContours(QPainter& painter) const;
    void paintOutsideLabels(QPainter& painter) const;
    void paintGraticule(QPainter& painter) const;
    void paintInsideLabels(QPainter& painter) const;
    void paintRods(QPainter& painter) const;
    void paintMarkers(QPainter& painter) const;
    // Finds the places in the picture, as rings or as a density.
    void renderPlaces(JobContext& job);
    void paintOutline(QPainter& painter) const;
    // Text centered at `at` that stays readable on any picture.
    void paintOnSky(QPainter& painter, QPointF at, const QString& text, const QFont& font) const;

    const FigureRequest& request_;
    const FigureOverlays& overlays_;
    SkyPlace place_;
    double dpi_ = 0.0, rasterDpi_ = 0.0;
    FigureTheme theme_;
    QImage sky_;
    QImage density_;                               // the density of many places
    std::vector<Vec3> rings_;                      // places in the picture, if not as a density
    std::vector<std::vector<Polyline>> contours_;  // by level, in the pixels of `overlay_`
    // Values whose contours are too many for lines, until these are drawn as an image.
    std::pair<std::vector<float>, QSize> contourValues_;
    QImage contourImage_;
    std::string remark_;
    std::stop_token stop_;  // stops the job that rendered the sky
    FigureRods rods_;       // in the pixels of `overlay_`
    ViewGeometry overlay_;  // geometry of lines and labels, with fewer pixels than the page
    Graticule graticule_;   // in the pixels of `overlay_`; empty without one
    QColor line_, halo_;    // colors of lines and labels on the sky
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// One figure on one paint device, in the device's own pixels.
#pragma once

#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QRectF>

#include "core/job_context.h"
#include "figure/figure.h"
#include "figure_polarization.h"
#include "figure_theme.h"
#include "render/graticule.h"

namespace armilla {

// Where the parts lie on a page.
struct FigureLayout {
    QRectF title, sky, bar, ticks, unit;
};

class FigurePainter {
public:
    // `dpi` and `page` are those of the paint device; `rasterDpi` that of the picture of the sky.
    FigurePainter(const FigureRequest& request, QSizeF page, double dpi, double rasterDpi);
    // Makes the picture of the sky: the long part.
    void renderSky(JobContext& job);
    void paint(QPainter& painter) const;
    // Radians per pixel of the page at the center of the sky.
    double resolution() const { return view(dpi_, request_.camera.frame).radiansPerPixel; }

private:
    FigureLayout layout() const;
    // The view of the sky panel at a number of pixels per inch; its sky is in `frame`.
    ViewGeometry view(double dpi, Frame frame) const;
    double points(double count) const { return count * dpi_ / 72.0; }
    // Page positions of what is drawn over the sky, which is made for the view `overlay_`.
    QPointF onPage(double column, double row) const;
    QPainterPath onPage(const std::vector<Polyline>& lines) const;

    void paintSky(QPainter& painter) const;
    void paintGraticule(QPainter& painter) const;
    void paintRods(QPainter& painter) const;
    void paintRodScale(QPainter& painter) const;
    void paintMarkers(QPainter& painter) const;
    void paintOutline(QPainter& painter) const;
    void paintColorBar(QPainter& painter) const;
    void paintText(QPainter& painter) const;
    // Text centered at `at` that stays readable on any picture.
    void paintOnSky(QPainter& painter, QPointF at, const QString& text, const QFont& font) const;

    const FigureRequest& request_;
    QSizeF page_;
    double dpi_ = 0.0, rasterDpi_ = 0.0;
    FigureTheme theme_;
    FigureLayout layout_;
    QImage sky_;
    FigureRods rods_;       // in the pixels of `overlay_`
    ViewGeometry overlay_;  // of lines and labels: fewer pixels than the page
    QColor line_, halo_;    // colors of lines and labels on the sky
};

}  // namespace armilla

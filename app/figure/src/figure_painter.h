// SPDX-License-Identifier: GPL-3.0-or-later
// Paints one figure on one paint device, in device pixels: places the skies, and paints title,
// color bar, legend and notes around them.
#pragma once

#include <QFontMetricsF>
#include <QPainter>
#include <QRectF>
#include <memory>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/figure/figure.h"
#include "armilla/figure/figure_overlays.h"
#include "armilla/figure/figure_theme.h"
#include "sky_panel.h"

namespace armilla {

// The row below the color bar that has the name of the frame.
enum class NotesRow { Unit, Ticks, Own };

// Positions of the parts on a page.
struct FigureLayout {
    QRectF title, bar, ticks, unit;
    QRectF notes;  // the row of NotesRow::Own
    NotesRow notesRow = NotesRow::Ticks;
    std::vector<SkyPlace> skies;
    std::vector<QRectF> titles;  // titles of the skies; empty if none has a title
    int rows = 1;                // rows of skies
};

class FigurePainter {
public:
    // `dpi` and `page` describe the paint device, `rasterDpi` the sky image. Request and overlays
    // are held by reference. Throws InvalidArgument for a page without space for the sky.
    FigurePainter(const FigureRequest& request, const FigureOverlays& overlays, QSizeF page,
                  double dpi, double rasterDpi);
    // Draws the sky images, which takes most of the time.
    void renderSky(JobContext& job);
    // Remark for the user after renderSky(); empty: none.
    std::string remark() const;
    void paint(QPainter& painter) const;
    // Radians per pixel of the page at the center of the sky.
    double resolution() const { return skies_.front()->resolution(); }
    // The height of a page as tall as its content, in its pixels.
    double contentHeight() const;

private:
    FigureLayout layout() const;
    // Places skies in a part of the page.
    void placeSkies(QRectF room, FigureLayout& result) const;
    // The number of columns in which the skies are largest.
    int columnsIn(QSizeF room) const;
    // Height of a sky over its width, at most 1.
    double shapeOfSky(double width) const;
    void makeSkies();
    SkyPlace insetPlace() const;
    bool hasBar() const;
    bool isBarBeside() const { return request_.look.bar == BarPlace::Right && hasBar(); }
    // Space of a color bar beside the sky, with its labels.
    double besideRoom() const;
    // A tick of the color bar; the text is empty if the neighboring label leaves no space.
    struct BarLabel {
        double x = 0.0, left = 0.0;
        QString text;
    };
    std::vector<std::pair<double, QString>> barTicks() const;  // share of the bar, text
    std::vector<BarLabel> barLabels(const QRectF& bar, const QFontMetricsF& metrics) const;
    struct Span {
        double left = 0.0, right = 0.0;
    };
    Span taken(NotesRow row, const QRectF& bar) const;
    NotesRow notesRow(const QRectF& bar) const;
    QString frameText() const;
    // Font metrics at `dpi_` dots per inch, whatever the resolution of the screen.
    QFontMetricsF pageMetrics(double fontPoints) const;
    double points(double count) const { return count * dpi_ / 72.0; }
    double margin() const { return points(request_.look.cropped ? 2.0 : 12.0); }
    // Space for graticule labels on each side of the sky. Zero if the labels would take too much of
    // the sky; labels are then drawn on the sky.
    QSizeF edgeRoom(QSizeF room) const;

    void paintBar(QPainter& painter) const;
    void paintBarLabels(QPainter& painter) const;
    void paintLabelsBeside(QPainter& painter) const;
    void paintText(QPainter& painter) const;
    void paintNotes(QPainter& painter) const;
    void paintRodScale(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;

    const FigureRequest& request_;
    const FigureOverlays& overlays_;
    QSizeF page_;
    double dpi_ = 0.0, rasterDpi_ = 0.0;
    FigureTheme theme_;
    FigureLayout layout_;
    // Requests of further panels and of the inset, which their skies refer to.
    std::vector<std::unique_ptr<FigureRequest>> requests_;
    std::vector<std::unique_ptr<SkyPanel>> skies_;
    std::unique_ptr<SkyPanel> inset_;
};

}  // namespace armilla

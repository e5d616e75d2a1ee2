// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/figure/figure.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "armilla/figure/figure_page.h"
#include "armilla/figure/unit_text.h"
#include "figure_painter.h"

namespace armilla {

namespace {

constexpr double kLeastRasterDpi = 300.0;
// Oversampling of the sky image of a PNG before it is downsampled.
constexpr double kOversampling = 2.0;
constexpr double kMostRasterPixels = 1.5e8;

// The finest resolution up to `wanted` that keeps the page within kMostRasterPixels.
double rasterDpi(const FigureRequest& request, double wanted) {
    const double square = request.width / request.dpi * (request.height / request.dpi);  // inch^2
    return std::min(wanted, std::sqrt(kMostRasterPixels / square));
}

class SkyPainting : public PagePainting {
public:
    // `remark` takes that of the drawing.
    SkyPainting(const FigureRequest& request, const FigureOverlays& overlays, std::string& remark)
        : request_(request), overlays_(overlays), remark_(remark) {}

    void prepare(QSizeF page, double dpi, bool isVector, JobContext& job) override {
        const double raster =
            isVector ? rasterDpi(request_, std::max(request_.dpi, kLeastRasterDpi))
                     : std::max(request_.dpi, rasterDpi(request_, kOversampling * request_.dpi));
        figure_.emplace(request_, overlays_, page, dpi, raster);
        figure_->renderSky(job);
        remark_ = figure_->remark();
    }
    QPainter& painter() override { return painter_; }
    void paint() override { figure_->paint(painter_); }

private:
    const FigureRequest& request_;
    const FigureOverlays& overlays_;
    std::string& remark_;
    std::optional<FigurePainter> figure_;
    QPainter painter_;
};

FigureRequest withPrintableTexts(FigureRequest request) {
    for (QString* text : {&request.title, &request.unit, &request.panelTitle, &request.legend})
        *text = printable(*text);
    for (FigurePanel& panel : request.panels) panel.title = printable(panel.title);
    for (FigureMarker& marker : request.markers) marker.label = printable(marker.label);
    if (request.polarization) request.polarization->unit = printable(request.polarization->unit);
    return request;
}

}  // namespace

namespace {

FigurePage pageOf(const FigureRequest& request, const FigureRequest& asked) {
    return {asked.width,   asked.height, asked.dpi,
            request.title, asked.recipe, request.look.background == FigureBackground::Transparent};
}

}  // namespace

int figureHeight(const FigureRequest& request) {
    const FigureOverlays none;
    // A page that is certainly tall enough; its layout tells how much is too much.
    const double tall = 4.0 * request.width * static_cast<double>(request.panels.size() + 1);
    const double height =
        FigurePainter(request, none, QSizeF(request.width, tall), request.dpi, request.dpi)
            .contentHeight();
    // Rounding of the resolution does not add a pixel.
    return static_cast<int>(std::ceil(height - 1e-6));
}

QImage figureImage(const FigureRequest& asked, const FigureOverlays& overlays, JobContext& job) {
    const FigureRequest request = withPrintableTexts(asked);
    std::string remark;
    return pageImage(pageOf(request, asked),
                     std::make_unique<SkyPainting>(request, overlays, remark), job);
}

double figureResolution(const FigureRequest& request) {
    const FigureOverlays none;
    return FigurePainter(request, none, QSizeF(request.width, request.height), request.dpi,
                         request.dpi)
        .resolution();
}

QString colorBarText(const Field& field) {
    return colorBarText(QString::fromStdString(field.name),
                        unitText(QString::fromStdString(field.unit)));
}

QString colorBarText(const QString& name, const QString& unit) {
    return unit.isEmpty() ? name : QStringLiteral("%1  [%2]").arg(name, unit);
}

void writeFigure(const FigureRequest& request, const QString& path, bool overwrite,
                 JobContext& job) {
    writeFigure(request, FigureOverlays(), path, overwrite, job);
}

std::string writeFigure(const FigureRequest& asked, const FigureOverlays& overlays,
                        const QString& path, bool overwrite, JobContext& job) {
    const FigureRequest request = withPrintableTexts(asked);
    std::string remark;
    writePage(pageOf(request, asked), std::make_unique<SkyPainting>(request, overlays, remark),
              path, overwrite, job);
    return remark;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Export of the view as a finished figure.
#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <memory>

#include "armilla/core/error.h"
#include "armilla/draw/graticule.h"
#include "armilla/draw/polarization_rods.h"
#include "armilla/figure/figure.h"
#include "armilla/figure/figure_overlays.h"
#include "armilla/figure/unit_text.h"
#include "armilla/operations/drawn_field.h"
#include "armilla/operations/figure_content.h"
#include "armilla/session/exporter.h"
#include "armilla/session/failure.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/notices.h"
#include "command_lines.h"
#include "export_parts.h"

namespace armilla {

namespace {

constexpr double kRodPoints = 16.0;  // points between line segments

FigureSetup plainSetup(const Document& document, int width, int height, double dpi) {
    FigureSetup setup;
    setup.size = QSize(width, height);
    setup.options.dpi = dpi;
    if (const Layer* entry = document.entry(document.view().shown().entry))
        setup.title = entry->name;
    return setup;
}

// Text at the color bar, from a field or in the words of the setup.
QString barText(const FigureSetup& setup, const std::string& name, const Field& field) {
    return colorBarText(
        setup.label.isEmpty() ? QString::fromStdString(name) : setup.label,
        setup.unit.isEmpty() ? unitText(QString::fromStdString(field.unit)) : setup.unit);
}

// True if the height follows from the content.
bool isHeightOpen(const FigureOptions& options) {
    return options.width ? !options.height : options.look.cropped;
}

// The maps and the catalog of a figure, for a job.
struct FigureContent {
    MapPointer map;
    Shown shown;
    std::vector<std::pair<MapPointer, Shown>> panels;
    std::shared_ptr<const Catalog> catalog;
};

// Throws InvalidArgument for layers that are not open.
FigureContent contentOf(const Document& document, const FigureSetup& setup) {
    FigureContent content{shownEntry(document).map, document.view().shown(), {}, nullptr};
    for (const PanelSetup& panel : setup.panels) {
        const Layer* layer = document.entry(panel.layer);
        if (!layer || !layer->map || panel.field >= layer->map->fieldCount())
            throw InvalidArgument("expected open maps as panels, found a closed one");
        content.panels.emplace_back(layer->map, Shown{panel.layer, panel.field});
    }
    if (!setup.markers.isValid()) return content;
    const Layer* marked = document.entry(setup.markers);
    if (!marked || !marked->catalog)
        throw InvalidArgument("expected an open catalog of markers, found none");
    const Frame frame = document.view().camera().frame;
    if ((marked->catalog->frame() == Frame::Unknown) != (frame == Frame::Unknown))
        throw InvalidArgument("expected a known frame of both the map and " +
                              marked->name.toStdString() + ", found one frame unknown");
    content.catalog = marked->catalog;
    return content;
}

// Reads the fields of the content into the request, and returns what lies over them.
FigureOverlays drawContent(FigureRequest& request, const FigureContent& content,
                           const FigureSetup& setup, JobContext& job) {
    DrawnField drawn = oneField(content.map, content.shown, request.camera.frame, job);
    request.map = std::move(drawn.map);
    request.field = drawn.field;
    const Field& first = request.map->field(request.field);
    request.unit = barText(setup, drawn.name, first);
    for (size_t i = 0; i < content.panels.size(); ++i) {
        const auto& [map, shown] = content.panels[i];
        DrawnField other = oneField(map, shown, request.camera.frame, job);
        const std::string& unit = other.map->field(other.field).unit;
        // All panels have the color bar of the first.
        if (unit != first.unit)
            throw InvalidArgument("expected panels in the unit of the shown map, '" + first.unit +
                                  "', found '" + unit + "'");
        request.panels[i].map = std::move(other.map);
        request.panels[i].field = other.field;
    }
    if (content.catalog) request.places = markedPlaces(content.catalog, request.camera.frame, job);
    FigureOverlays overlays;
    const std::vector<Contour> contours =
        contoursOf(*request.map, request.field, contourLevels(setup.options.contours), job);
    overlays.contours = contourValues(contours);
    overlays.contourText = numberTypeset(QString::fromStdString(contourText(contours)));
    return overlays;
}

// The present view without its map. Throws InvalidArgument if nothing is shown.
FigureRequest figureRequest(const Document& document, const FigureSetup& setup) {
    const double dpi = setup.options.dpi;
    const Layer& entry = shownEntry(document);
    const Shown shown = document.view().shown();
    FigureRequest request;
    request.camera = document.view().camera();
    request.scale = document.drawings().colorScale(shown);
    request.width = setup.options.width ? pixelsOf(*setup.options.width, dpi) : setup.size.width();
    request.height = setup.options.width && setup.options.height
                         ? pixelsOf(*setup.options.height, dpi)
                     : setup.options.width ? request.width
                                           : setup.size.height();
    request.dpi = dpi;
    request.title = setup.title;
    request.look = setup.options.look;
    request.ticks = setup.ticks;
    if (setup.inset) request.inset = {setup.inset->center, setup.inset->width, setup.inset->corner};
    // The layout depends on map and field; a quantity, or a map in another frame, is drawn from a
    // separate map.
    request.map = entry.map;
    request.field = shown.field;
    const Field& field = entry.map->field(shown.field);
    request.unit =
        barText(setup, drawnFieldName(*entry.map, shown.field, request.camera.frame), field);
    const FigureContent content = contentOf(document, setup);
    for (const auto& [map, panel] : content.panels)
        request.panels.push_back(
            {map, panel.field, setup.panelTitles.value(std::ssize(request.panels) + 1)});
    if (!request.panels.empty()) {
        request.columns = setup.options.columns;
        request.panelTitle = setup.panelTitles.value(0);
    }
    if (setup.markers.isValid()) request.legend = QString::fromStdString(setup.options.legend);
    if (!setup.hasGraticuleOfView) {
        request.graticuleStep = setup.options.graticule;
    } else if (document.overlays().graticuleVisible()) {
        request.graticuleStep = document.overlays().graticuleStep();
        if (request.graticuleStep == 0.0)
            request.graticuleStep = graticule(request.camera.geometry(request.width, request.height,
                                                                      request.camera.frame),
                                              0.0, LongitudeUnit::Degrees)
                                        .step;
    }
    if (isHeightOpen(setup.options)) {
        if (request.columns == 0)
            request.columns = legibleColumns(
                setup.options.width.value_or(request.width / dpi * kMillimetersPerInch),
                static_cast<int>(request.panels.size()) + 1);
        request.height = figureHeight(request);
    }
    const PolarizationLook& look = document.overlays().polarizationLook();
    if (const auto pair = entry.map->polarizationPair();
        pair && (document.overlays().rodsVisible() || look.lic)) {
        FigurePolarization polarization;
        polarization.map = entry.map;
        polarization.qField = pair->first;
        polarization.uField = pair->second;
        // The same spacing as on the screen, at the text size of the figure.
        request.polarization = polarization;
        if (document.overlays().rodsVisible())
            request.polarization->rodSpacing = kRodPoints * dpi / 72.0 * figureResolution(request);
        if (look.leastSnr > 0.0) {
            request.polarization->noise = pixelNoise(*entry.map, pair->first, pair->second);
            request.polarization->leastSnr = look.leastSnr;
        }
        request.polarization->lic = look.lic;
        request.polarization->convention = look.convention;
        request.polarization->unit = QString::fromStdString(entry.map->field(pair->first).unit);
        if (const Layer* lengths = document.overlays().rodLengths()) {
            request.polarization->lengths = lengths->map;
            request.polarization->lengthField = look.lengthField;
            request.polarization->unit =
                QString::fromStdString(lengths->map->field(look.lengthField).unit);
        }
    }
    return request;
}

}  // namespace

FigureOptions Exporter::figureOptions(const FigureSetup& setup) const {
    FigureOptions options = setup.options;
    options.graticule = figureRequest(document_, setup).graticuleStep;
    return options;
}

QString Exporter::commandForFigure(const QString& outputPath, int width, int height, double dpi) {
    return commandForFigure(outputPath, plainSetup(document_, width, height, dpi));
}

QString Exporter::commandForFigure(const QString& outputPath, const FigureSetup& setup) {
    QString command;
    notices_.guarded([&] {
        const auto chain = lines_->figureChain(figureRequest(document_, setup), setup, outputPath);
        if (!chain)
            throw InvalidArgument(
                "expected a view of a field of a file in linear or logarithmic colors without a "
                "choice of their own, and rods as long as the values of a file, found one that no "
                "command makes");
        command = chain->text();
    });
    return command;
}

void Exporter::previewFigure(const FigureSetup& setup, QSize most, QObject* context,
                             std::function<void(QImage, QString failure)> done) {
    try {
        FigureSetup drawn = setup;
        FigureRequest request = figureRequest(document_, drawn);
        // The same page at another number of pixels to the inch.
        const double scale = std::min(static_cast<double>(most.width()) / request.width,
                                      static_cast<double>(most.height()) / request.height);
        const double width = std::max(1.0, std::floor(scale * request.width));
        drawn.options.dpi = setup.options.width
                                ? width / (*setup.options.width / kMillimetersPerInch)
                                : scale * setup.options.dpi;
        drawn.options.columns = request.columns;
        drawn.size = QSize(static_cast<int>(std::lround(scale * setup.size.width())),
                           static_cast<int>(std::lround(scale * setup.size.height())));
        request = figureRequest(document_, drawn);
        runner_.run<QImage>(
            tr("Preview of the figure"), JobLane::Preview, QStringLiteral("figure"), context,
            [content = contentOf(document_, setup), request, setup](JobContext& job) mutable {
                const FigureOverlays overlays = drawContent(request, content, setup, job);
                return figureImage(request, overlays, job);
            },
            [done](const QImage& image) { done(image, QString()); },
            [done](const QString& line) { done(QImage(), line); });
    } catch (...) {
        if (const auto line = failureLine(std::current_exception())) done(QImage(), *line);
    }
}

void Exporter::exportFigure(const QString& path, int width, int height, double dpi,
                            bool overwrite) {
    exportFigure(path, plainSetup(document_, width, height, dpi), overwrite);
}

void Exporter::exportFigure(const QString& path, const FigureSetup& setup, bool overwrite) {
    const SaveAs elsewhere{[=, this](const QString& other) { exportFigure(other, setup, true); }};
    guardSaving(notices_, path, elsewhere, [&] {
        const Layer& entry = shownEntry(document_);
        if (postpone_(entry.id, path, [=, this] { exportFigure(path, setup, overwrite); })) return;
        FigureRequest request = figureRequest(document_, setup);
        QStringList recipe;
        const auto chain = lines_->figureChain(request, setup, path);
        for (const std::string& line :
             chain ? lines_->history(*chain, Device::cpu())
                   : lines_->history(lines_->recipeChain(entry.id).join(QStringLiteral("; ")) +
                                         QStringLiteral("; view ") + describeView(request.camera),
                                     {}, Device::cpu()))
            recipe << QString::fromStdString(line);
        request.recipe = recipe.join(QLatin1Char('\n'));
        // The scale of the command: that of the layout on pixels, also for vector formats.
        request.radiansPerPixel = figureResolution(request);
        const auto remark = std::make_shared<std::string>();
        save(
            path, JobLane::Compute, elsewhere,
            [content = contentOf(document_, setup), request, setup, path, overwrite,
             remark](JobContext& job) mutable {
                const FigureOverlays overlays = drawContent(request, content, setup, job);
                *remark = writeFigure(request, overlays, path, overwrite, job);
            },
            [this, path, remark] {
                if (!remark->empty())
                    notices_.say(QStringLiteral("%1: %2").arg(QFileInfo(path).fileName(),
                                                              QString::fromStdString(*remark)));
            });
    });
}

}  // namespace armilla

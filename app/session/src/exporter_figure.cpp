// SPDX-License-Identifier: GPL-3.0-or-later
// Export of the view as a finished figure.
#include "armilla/core/error.h"
#include "armilla/draw/graticule.h"
#include "armilla/draw/polarization_rods.h"
#include "armilla/figure/figure.h"
#include "armilla/operations/drawn_field.h"
#include "armilla/session/exporter.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/notices.h"
#include "command_lines.h"
#include "export_parts.h"

namespace armilla {

namespace {

constexpr double kRodPoints = 16.0;  // points between line segments

// The present view without its map. Throws InvalidArgument if nothing is shown.
FigureRequest figureRequest(const Document& document, int width, int height, double dpi) {
    const Layer& entry = shownEntry(document);
    const Shown shown = document.shown();
    FigureRequest request;
    request.camera = document.camera();
    request.scale = document.colorScale(shown);
    request.width = width;
    request.height = height;
    request.dpi = dpi;
    request.title = entry.name;
    // The layout depends on map and field; a quantity, or a map in another frame, is drawn from a
    // separate map.
    request.map = entry.map;
    request.field = shown.field;
    const Field& field = entry.map->field(shown.field);
    request.unit = colorBarText({drawnFieldName(*entry.map, shown.field, request.camera.frame),
                                 field.unit,
                                 field.diskType,
                                 {}});
    const PolarizationLook& look = document.polarizationLook();
    if (const auto pair = entry.map->polarizationPair();
        pair && (document.rodsVisible() || look.lic)) {
        FigurePolarization polarization;
        polarization.map = entry.map;
        polarization.qField = pair->first;
        polarization.uField = pair->second;
        // The same spacing as on the screen, at the text size of the figure.
        request.polarization = polarization;
        if (document.rodsVisible())
            request.polarization->rodSpacing = kRodPoints * dpi / 72.0 * figureResolution(request);
        if (look.leastSnr > 0.0) {
            request.polarization->noise = pixelNoise(*entry.map, pair->first, pair->second);
            request.polarization->leastSnr = look.leastSnr;
        }
        request.polarization->lic = look.lic;
        request.polarization->convention = look.convention;
        request.polarization->unit = QString::fromStdString(entry.map->field(pair->first).unit);
        if (const Layer* lengths = document.rodLengths()) {
            request.polarization->lengths = lengths->map;
            request.polarization->lengthField = look.lengthField;
            request.polarization->unit =
                QString::fromStdString(lengths->map->field(look.lengthField).unit);
        }
    }
    if (!document.graticuleVisible()) return request;
    request.graticuleStep = document.graticuleStep();
    if (request.graticuleStep == 0.0)
        request.graticuleStep =
            graticule(request.camera.geometry(width, height, request.camera.frame), 0.0,
                      LongitudeUnit::Degrees)
                .step;
    return request;
}

}  // namespace

QString Exporter::commandForFigure(const QString& outputPath, int width, int height, double dpi) {
    QString command;
    notices_.guarded([&] {
        const auto chain =
            lines_->figureChain(figureRequest(document_, width, height, dpi), outputPath);
        if (!chain)
            throw InvalidArgument(
                "expected a view of a field of a file in linear or logarithmic colors without a "
                "choice of their own, and rods as long as the values of a file, found one that no "
                "command makes");
        command = chain->text();
    });
    return command;
}

void Exporter::exportFigure(const QString& path, int width, int height, double dpi,
                            bool overwrite) {
    notices_.guarded([&] {
        const Layer& entry = shownEntry(document_);
        if (postpone_(entry.id, path,
                      [=, this] { exportFigure(path, width, height, dpi, overwrite); }))
            return;
        const Shown shown = document_.shown();
        FigureRequest request = figureRequest(document_, width, height, dpi);
        QStringList recipe;
        const auto chain = lines_->figureChain(request, path);
        for (const std::string& line :
             chain ? lines_->history(*chain, Device::cpu())
                   : lines_->history(lines_->recipeChain(entry.id).join(QStringLiteral("; ")) +
                                         QStringLiteral("; view ") + describeView(request.camera),
                                     {}, Device::cpu()))
            recipe << QString::fromStdString(line);
        request.recipe = recipe.join(QLatin1Char('\n'));
        // The scale of the command: that of the layout on pixels, also for vector formats.
        request.radiansPerPixel = figureResolution(request);
        save(path, JobLane::Compute,
             [map = entry.map, shown, request, path, overwrite](JobContext& job) mutable {
                 DrawnField drawn = oneField(map, shown, request.camera.frame, job);
                 request.map = std::move(drawn.map);
                 request.field = drawn.field;
                 const Field& field = request.map->field(drawn.field);
                 request.unit = colorBarText({drawn.name, field.unit, field.diskType, {}});
                 writeFigure(request, path, overwrite, job);
             });
    });
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Export of the view as a finished figure.
#include "armilla/core/error.h"
#include "armilla/figure/figure.h"
#include "armilla/operations/drawn_field.h"
#include "armilla/render/graticule.h"
#include "armilla/render/polarization_rods.h"
#include "enum_names.h"
#include "export_parts.h"
#include "session_state.h"

namespace armilla {

namespace {

// True for colors that `armilla render` can produce.
bool hasPlainColors(const ColorScale& scale) {
    const ColorScale plain;
    const ColorMapping& mapping = scale.mapping;
    return (mapping.scale == Scale::Linear || mapping.scale == Scale::Log) &&
           mapping.middle == plain.mapping.middle && !scale.reversed && scale.bad == plain.bad &&
           scale.outside == plain.outside && !scale.ownBelow && !scale.ownAbove;
}

constexpr double kRodPoints = 16.0;  // points between line segments

// Enough digits to restore a single-precision value.
QString numberWord(float value) {
    return QString::number(static_cast<double>(value), 'g', 9);
}

}  // namespace

FigureRequest Session::State::figureRequest(int width, int height, double dpi) const {
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

// " --rods-length FILE --rods-length-field NAME"; empty for the polarized amplitude. None if the
// layer is no unchanged field of a file.
std::optional<QString> Session::State::rodLengthWords() const {
    const Layer* lengths = document.rodLengths();
    if (!lengths) return QString();
    const auto recipe = document.recipeOf(lengths->id);
    const auto shown = document.recipeOf(document.shown().entry);
    if (!recipe || recipe->kind != RecipeKind::Open || !shown ||
        recipe->statedFrame != shown->statedFrame || recipe->statedFile != shown->statedFile)
        return std::nullopt;
    return QStringLiteral(" --rods-length %1 --rods-length-field %2")
        .arg(shellPath(recipe->path),
             shellQuoted(fieldWord(lengths->id, document.polarizationLook().lengthField)));
}

std::optional<CommandChain> Session::State::figureChain(const FigureRequest& request,
                                                        const QString& outputPath) const {
    const ColorScale& scale = request.scale;
    auto chain = viewChain(QStringLiteral("render"), outputPath, request.width, request.height,
                           figureResolution(request));
    const auto lengths = rodLengthWords();
    if (!chain || !hasPlainColors(scale)) return std::nullopt;
    QString& line = chain->steps.back().line;
    line +=
        QStringLiteral(" --colormap %1 --scale %2 --min %3 --max %4 --dpi %5")
            .arg(QString::fromStdString(scale.colorMap), json::nameOf(kScales, scale.mapping.scale),
                 numberWord(scale.mapping.low), numberWord(scale.mapping.high))
            .arg(request.dpi, 0, 'g', 9);
    if (request.graticuleStep > 0.0)
        line += QStringLiteral(" --graticule ") + angleWord(request.graticuleStep);
    if (const auto& polarization = request.polarization) {
        if (polarization->rodSpacing > 0.0) {
            if (!lengths) return std::nullopt;
            line += QStringLiteral(" --rods ") + angleWord(polarization->rodSpacing) + *lengths;
        }
        if (polarization->leastSnr > 0.0)
            line += QStringLiteral(" --rods-noise %1 --rods-snr %2")
                        .arg(polarization->noise, 0, 'g', 9)
                        .arg(polarization->leastSnr);
        if (polarization->lic) line += QStringLiteral(" --drapery");
        const bool turned = polarization->convention == PolarizationConvention::Iau;
        if (turned)
            line += polarization->map->metadata().iauOnDisk ? QStringLiteral(" --polconv cosmo")
                                                            : QStringLiteral(" --polconv iau");
    }
    line += QStringLiteral(" --title ") + shellQuoted(request.title);
    return chain;
}

QString Session::commandForFigure(const QString& outputPath, int width, int height, double dpi) {
    QString command;
    state_->notices.guarded([&] {
        const auto chain =
            state_->figureChain(state_->figureRequest(width, height, dpi), outputPath);
        if (!chain)
            throw InvalidArgument(
                "expected a view of a field of a file in linear or logarithmic colors without a "
                "choice of their own, and rods as long as the values of a file, found one that no "
                "command makes");
        command = chain->text();
    });
    return command;
}

void Session::exportFigure(const QString& path, int width, int height, double dpi, bool overwrite) {
    State& state = *state_;
    state.notices.guarded([&] {
        const Layer& entry = shownEntry(document());
        if (state.waitsForPreview(entry.id, path,
                                  [=, this] { exportFigure(path, width, height, dpi, overwrite); }))
            return;
        const Shown shown = document().shown();
        FigureRequest request = state.figureRequest(width, height, dpi);
        QStringList recipe;
        const auto chain = state.figureChain(request, path);
        for (const std::string& line :
             chain ? state.history(*chain, Device::cpu())
                   : state.history(state.recipeChain(entry.id).join(QStringLiteral("; ")) +
                                       QStringLiteral("; view ") + describeView(request.camera),
                                   {}, Device::cpu()))
            recipe << QString::fromStdString(line);
        request.recipe = recipe.join(QLatin1Char('\n'));
        // The scale of the command: that of the layout on pixels, also for vector formats.
        request.radiansPerPixel = figureResolution(request);
        state.exportInJob(
            path, JobLane::Compute,
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

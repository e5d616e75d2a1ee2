// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_polarization.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/pixel_queries.h"
#include "armilla/draw/polarization_rods.h"
#include "sky_panel.h"

namespace armilla {

namespace {

// Limits of nside, finer than screen or print can show for the whole sky; parts of the sky go
// deeper.
constexpr int64_t kMostWhole = 1024, kMostPart = 1 << 16;
const QColor kRodLine(0xf2, 0xf5, 0xf8), kRodHalo(6, 9, 13, 150);
constexpr double kRodShare = 0.9;  // share of their spacing, so that the longest do not touch
constexpr long long kRows = 8;

}  // namespace

void drape(std::vector<Rgba>& pixels, const FigurePolarization& polarization,
           const ViewGeometry& overMap, JobContext& job) {
    const auto part = discOf(overMap);
    JobContext making = job.part(0.0, 0.9), shading = job.part(0.9, 1.0);
    const auto texture = LineIntegralTexture::build(
        *polarization.map, polarization.qField, polarization.uField, polarization.convention,
        textureNside(overMap, part ? kMostPart : kMostWhole), part, making);
    parallelFor(shading, overMap.height, kRows, [&](long long begin, long long end) {
        for (long long row = begin; row < end; ++row)
            for (int column = 0; column < overMap.width; ++column) {
                Rgba& pixel = pixels[static_cast<size_t>(row) * static_cast<size_t>(overMap.width) +
                                     static_cast<size_t>(column)];
                Vec3 at;
                if (pixel.a == 0 ||
                    !skyFromImage(overMap, column + 0.5, static_cast<double>(row) + 0.5, at))
                    continue;
                const double light = licLight(texture->valueAt(at));
                const auto shaded = [light](uint8_t own) {
                    return static_cast<uint8_t>(std::lround(light * own));
                };
                pixel = {shaded(pixel.r), shaded(pixel.g), shaded(pixel.b), pixel.a};
            }
    });
}

FigureRods figureRods(const FigurePolarization& polarization, const ViewGeometry& overMap) {
    FigureRods result;
    const double most =
        polarization.lengths
            ? typicalLength(*polarization.lengths, polarization.lengthField)
            : typicalAmplitude(*polarization.map, polarization.qField, polarization.uField);
    if (!(polarization.rodSpacing > 0.0) || !(most > 0.0)) return result;
    RodOptions options;
    options.spacing = std::max(1.0, polarization.rodSpacing / overMap.radiansPerPixel);
    options.maxLength = kRodShare * options.spacing;
    options.maxAmplitude = most;
    options.lengths = polarization.lengths.get();
    options.lengthField = polarization.lengthField;
    options.leastAmplitude = polarization.leastAmplitude;
    options.noise = polarization.noise;
    options.leastSnr = polarization.leastSnr;
    options.convention = polarization.convention;
    result.rods = polarizationRods(*polarization.map, polarization.qField, polarization.uField,
                                   overMap, options);
    result.scaleAmplitude = roundAmplitude(most);
    result.scaleLength = options.maxLength * result.scaleAmplitude / most;
    return result;
}

void SkyPanel::paintRods(QPainter& painter) const {
    QPainterPath path;
    for (const Rod& rod : rods_.rods) {
        path.moveTo(onPage(rod.from.column, rod.from.row));
        path.lineTo(onPage(rod.to.column, rod.to.row));
    }
    // A halo keeps the line segments visible on dark and on bright colors of the map.
    for (const auto& [color, width] : {std::pair{kRodHalo, 2.4}, std::pair{kRodLine, 1.0}}) {
        painter.strokePath(path, QPen(color, points(width), Qt::SolidLine, Qt::RoundCap));
    }
}

}  // namespace armilla

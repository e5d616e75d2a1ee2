// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_polarization.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "armilla/core/pixel_queries.h"
#include "armilla/draw/polarization_rods.h"
#include "armilla/figure/unit_text.h"
#include "figure_painter.h"

namespace armilla {

namespace {

// Limits of nside, finer than screen or print can show for the whole sky; parts of the sky go
// deeper.
constexpr int64_t kMostWhole = 1024, kMostPart = 1 << 16;
const QColor kRodLine(0xf2, 0xf5, 0xf8), kRodHalo(6, 9, 13, 150);
constexpr double kRodShare = 0.9;  // share of their spacing, so that the longest do not touch
constexpr long long kRows = 8;
constexpr double kEdgePoints = 12.0;  // from the scale bar to the edge of the page

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

void FigurePainter::paintRods(QPainter& painter) const {
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

// A reference line segment of a round amplitude in the lower right corner, and the convention of
// the sign of U.
void FigurePainter::paintRodScale(QPainter& painter) const {
    if (!request_.polarization || !(rods_.scaleLength > 0.0)) return;
    const QFont font = theme_.font(FigureTheme::kLabelPoints);
    const QFontMetricsF metrics(font, painter.device());
    painter.setFont(font);
    const QString unit = unitText(request_.polarization->unit);
    const QString text = withMinus(QString::number(rods_.scaleAmplitude)) +
                         (unit.isEmpty() ? unit : QLatin1Char(' ') + unit);
    const double right = page_.width() - points(kEdgePoints);
    const double baseline =
        (request_.unit.isEmpty() ? layout_.ticks : layout_.unit).bottom() - metrics.descent();
    const double left = right - metrics.horizontalAdvance(text);
    painter.setPen(theme_.faint);
    painter.drawText(QPointF(left, baseline), text);
    const double length = onPage(rods_.scaleLength, 0.0).x() - onPage(0.0, 0.0).x();
    const double middle = baseline - 0.5 * metrics.capHeight();
    painter.setPen(QPen(theme_.ink, points(1.2), Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(left - points(4) - length, middle), QPointF(left - points(4), middle));
}

}  // namespace armilla

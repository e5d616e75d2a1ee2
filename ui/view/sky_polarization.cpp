// SPDX-License-Identifier: GPL-3.0-or-later
// Polarization over the picture: evenly spaced line segments with their scale, and line integral
// convolution.
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/pixel_queries.h"
#include "armilla/draw/polarization_rods.h"
#include "armilla/figure/unit_text.h"
#include "armilla/session/document.h"
#include "armilla/ui/sky_view_widget.h"
#include "view/overlay_plates.h"
#include "view/polarization_overlay.h"

namespace armilla {
namespace {

constexpr double kRodSpacing = 22.0;  // logical pixels
constexpr double kRodLength = 17.0;   // so that adjacent segments stay distinct
// Limits of nside, finer than a screen shows for the whole sky; parts of the sky go deeper.
constexpr int64_t kMostWhole = 512, kMostPart = 1 << 14;

}  // namespace

PolarizationOverlay::PolarizationOverlay(QWidget& owner, const std::function<void()>& changed) {
    for (LicOverlay*& each : lic_) {
        each = new LicOverlay(&owner);
        QObject::connect(each, &LicOverlay::changed, &owner, changed);
    }
}

void PolarizationOverlay::addTo(OverlayScene& scene, const ViewContents& view) {
    addRods(scene, view);
    addLic(scene, view);
}

const PolarizationOverlay::Facts& PolarizationOverlay::factsOf(const Layer& entry) {
    for (const Facts& known : facts_)
        if (known.layer == entry.id && known.revision == entry.revision) return known;
    Facts& facts = facts_[next_++ % facts_.size()];
    facts = {entry.id, entry.revision, -1, -1, 0.0, 0.0};
    if (const auto pair = entry.map->polarizationPair();
        pair && entry.map->coverage() != Coverage::MultiOrder) {
        facts.qField = pair->first;
        facts.uField = pair->second;
        facts.typical = typicalAmplitude(*entry.map, pair->first, pair->second);
        facts.noise = pixelNoise(*entry.map, pair->first, pair->second);
    }
    return facts;
}

double PolarizationOverlay::typicalLengthOf(const Layer& lengths, int field) {
    Lengths& facts = lengths_;
    if (facts.layer != lengths.id || facts.field != field || facts.revision != lengths.revision)
        facts = {lengths.id, field, lengths.revision, typicalLength(*lengths.map, field)};
    return facts.typical;
}

void PolarizationOverlay::addRods(OverlayScene& scene, const ViewContents& view) {
    const Document& document = view.document;
    if (!document.overlays().rodsVisible()) return;
    const double ratio = view.pixelRatio;
    const PolarizationLook& look = document.overlays().polarizationLook();
    for (const PanelContent& content : view.contents) {
        const Layer* entry = document.entry(content.shown.entry);
        if (!entry || !entry->map) continue;
        const Facts& facts = factsOf(*entry);
        if (!(facts.typical > 0.0)) continue;
        const ViewGeometry geometry =
            geometryFor(view.camera, content.rectangle.size(), entry->map->frame());
        RodOptions options;
        options.spacing = kRodSpacing * ratio;
        options.maxLength = kRodLength * ratio;
        options.maxAmplitude = facts.typical;
        const Layer* lengths = document.overlays().rodLengths();
        if (lengths) {
            options.maxAmplitude = typicalLengthOf(*lengths, look.lengthField);
            options.lengths = lengths->map.get();
            options.lengthField = look.lengthField;
        }
        if (!(options.maxAmplitude > 0.0)) continue;
        options.convention = look.convention;
        if (look.leastSnr > 0.0) {
            options.noise = facts.noise;
            options.leastSnr = look.leastSnr;
        }
        OverlayScene::Rods rods{content.panel, content.clipLeft, content.clipRight, {}, 0.0, {}};
        rods.rods = polarizationRods(*entry->map, facts.qField, facts.uField, geometry, options);
        const double amplitude = roundAmplitude(options.maxAmplitude);
        rods.scaleLength = options.maxLength * amplitude / options.maxAmplitude;
        const Field& scaled =
            lengths ? lengths->map->field(look.lengthField) : entry->map->field(facts.qField);
        const QString unit = unitText(QString::fromStdString(scaled.unit));
        rods.scaleText = numberTypeset(QString::number(amplitude));
        if (!unit.isEmpty()) rods.scaleText += QLatin1Char(' ') + unit;
        if (lengths) rods.scaleText += QStringLiteral(" · ") + QString::fromStdString(scaled.name);
        if (options.leastSnr > 0.0)
            rods.scaleText += SkyViewWidget::tr(" · P > %1 σ").arg(options.leastSnr);
        // The convention of U in the drawing; in memory U always has the COSMO sign, whatever the
        // file states.
        rods.scaleText +=
            look.convention == PolarizationConvention::Iau ? SkyViewWidget::tr(" · U taken as IAU")
            : entry->map->metadata().iauOnDisk ? SkyViewWidget::tr(" · U of IAU, as in the file")
                                               : SkyViewWidget::tr(" · U of COSMO");
        scene.rods.push_back(std::move(rods));
    }
}

void PolarizationOverlay::addLic(OverlayScene& scene, const ViewContents& view) {
    const Document& document = view.document;
    const PolarizationLook& look = document.overlays().polarizationLook();
    std::array<bool, 2> used{};
    for (const PanelContent& content : view.contents) {
        const Layer* entry = document.entry(content.shown.entry);
        if (!look.lic || !entry || !entry->map || entry->live) continue;
        const Facts& facts = factsOf(*entry);
        if (!(facts.typical > 0.0)) continue;
        const ViewGeometry geometry =
            geometryFor(view.camera, content.rectangle.size(), entry->map->frame());
        TextureRecipe recipe{entry->map, facts.qField, facts.uField, look.convention, 1, {}};
        recipe.part = discOf(geometry);
        recipe.nside = textureNside(geometry, recipe.part ? kMostPart : kMostWhole);
        const auto side = static_cast<size_t>(content.side);
        used[side] = true;
        QImage image = lic_[side]->shade(recipe, view.camera, geometry, view.isMoving);
        if (!image.isNull())
            scene.shades.push_back(
                {content.panel, content.clipLeft, content.clipRight, std::move(image)});
    }
    for (size_t side = 0; side < used.size(); ++side)
        if (!used[side] && !look.lic) lic_[side]->forget();
}

void SkyOverlay::paintShades(QPainter& painter) const {
    for (const OverlayScene::Shade& shade : scene_.shades) {
        const QRectF panel = logical(scene_.panels[static_cast<size_t>(shade.panel)]);
        const PaintedWithin side(
            painter, QRectF(panel.left() + shade.clipLeft * panel.width(), panel.top(),
                            (shade.clipRight - shade.clipLeft) * panel.width(), panel.height()));
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.drawImage(panel, shade.image);
    }
}

// A reference line segment of a round amplitude, and the convention of U.
void SkyOverlay::paintRodScale(QPainter& painter, const PlacedRodScale& scale,
                               const Theme& theme) const {
    const QRectF& plate = scale.plate;
    const OverlayScene::Rods& set = scene_.rods[scale.set];
    const double length = set.scaleLength / devicePixelRatioF();
    painter.setFont(theme.smallFont(font()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.chip);
    painter.drawRoundedRect(plate, theme.radius, theme.radius);
    const double middle = plate.center().y();
    painter.setPen(QPen(theme.chipText, 1.8, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(plate.left() + 10.0, middle),
                     QPointF(plate.left() + 10.0 + length, middle));
    painter.drawText(plate.adjusted(length + 18.0, 0.0, 0.0, 0.0), Qt::AlignLeft | Qt::AlignVCenter,
                     set.scaleText);
    painter.setFont(font());
}

}  // namespace armilla

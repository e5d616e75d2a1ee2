// SPDX-License-Identifier: GPL-3.0-or-later
// Initial colors of the fields of a document, by the rules of armilla/draw/opening_colors.h.
#include "armilla/draw/opening_colors.h"
#include "armilla/session/layer_drawings.h"
#include "armilla/session/opening_colors.h"

namespace armilla {

namespace {

OpeningSample sampleOf(const DrawableField& field) {
    return {field.sortedSample, [&field] {
                return OpeningSample::Range{field.statistics.min, field.statistics.max};
            }};
}

}  // namespace

ColorScale openingColors(const DrawableField& drawn, Quantity quantity, const Field& field) {
    return quantity == Quantity::Field ? openingColors(sampleOf(drawn), field)
                                       : defaultColorScale(drawn, quantity);
}

ColorScale openingColors(const DrawableField& drawn, const Layer& layer, const Shown& shown) {
    const bool isNamed = layer.map && shown.field < layer.map->fieldCount();
    return isNamed ? openingColors(drawn, shown.quantity, layer.map->field(shown.field))
                   : defaultColorScale(drawn, shown.quantity);
}

ColorScale defaultColorScale(const DrawableField& field, Quantity quantity) {
    if (quantity == Quantity::PolarizationAngle) return angleColors(sampleOf(field));
    if (quantity == Quantity::PolarizedAmplitude) return amplitudeColors(sampleOf(field));
    return colorsByValues(sampleOf(field));
}

}  // namespace armilla

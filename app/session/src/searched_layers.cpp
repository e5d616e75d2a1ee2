// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/searched_layers.h"

#include "armilla/core/error.h"
#include "armilla/ops/filter.h"
#include "armilla/session/document.h"
#include "operation_values.h"

namespace armilla {

namespace {

std::optional<OperationRequest> searchOf(const Layer& catalog) {
    try {
        return requestOf(catalog.recipe.record);
    } catch (const Error&) {
        return std::nullopt;
    }
}

// The beam as typed, or from an open B_l curve.
std::optional<double> beamOf(const Document& document, const OperationRequest& request) {
    try {
        const ParameterValue width = request.parameters.value("fwhm");
        if (const double* fwhm = std::get_if<double>(&width)) return *fwhm;
        for (const OperationRequest::Given& input : request.inputs) {
            if (input.slot != QLatin1String("beam")) continue;
            const Layer* layer = document.entry(input.layer);
            if (layer && layer->curve)
                return PointBeam::fromWindow(armilla::beamOf(*layer->curve).bl[0], {}).fwhm();
        }
    } catch (const Error&) {
        // Another operation without a beam, or another curve instead of B_l.
    }
    return std::nullopt;
}

}  // namespace

SearchedLayers searchedLayers(const Document& document, LayerId catalogLayer) {
    SearchedLayers found;
    found.subject = catalogLayer;
    const Layer* own = document.entry(catalogLayer);
    if (!own || own->recipe.kind != RecipeKind::Operation) return found;
    // Results of one run have the same record.
    for (const Layer& layer : document.entries()) {
        if (!layer.map || layer.recipe.kind != RecipeKind::Operation ||
            layer.recipe.record != own->recipe.record)
            continue;
        (layer.map->field(0).name == "SNR" ? found.significance : found.residual) = layer.id;
    }
    found.request = searchOf(*own);
    if (!found.request) return found;
    const auto& inputs = found.request->inputs;
    if (!inputs.empty() && inputs.front().layer.isValid()) {
        found.map = found.subject = inputs.front().layer;
        if (!inputs.front().fields.empty()) found.field = inputs.front().fields.front();
    }
    found.beam = beamOf(document, *found.request);
    if (!document.entry(found.map)) found.map = {};
    return found;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the inputs of a review: map, beam, and other results of the same search.
#include "armilla/core/error.h"
#include "armilla/ops/filter.h"
#include "armilla/session/source_review.h"
#include "operation_values.h"

namespace armilla {

std::optional<OperationRequest> SourceReview::search() const {
    const Layer* own = document_.entry(layer_);
    if (!own || own->recipe.kind != RecipeKind::Operation) return std::nullopt;
    try {
        return requestOf(own->recipe.record);
    } catch (const Error&) {
        return std::nullopt;
    }
}

// The beam as typed, or from an open B_l curve.
std::optional<double> SourceReview::beamOf(const OperationRequest& request) const {
    try {
        const ParameterValue width = request.parameters.value("fwhm");
        if (const double* fwhm = std::get_if<double>(&width)) return *fwhm;
        for (const OperationRequest::Given& input : request.inputs) {
            if (input.slot != QLatin1String("beam")) continue;
            const Layer* layer = document_.entry(input.layer);
            if (layer && layer->curve)
                return PointBeam::fromWindow(armilla::beamOf(*layer->curve).bl[0], {}).fwhm();
        }
    } catch (const Error&) {
        // Another operation without a beam, or another curve instead of B_l.
    }
    return std::nullopt;
}

// Results of one run have the same record.
void SourceReview::findCompanions() {
    searched_ = snrLayer_ = residualLayer_ = -1;
    searchedField_ = 0;
    subject_ = layer_;
    beam_.reset();
    const Layer* own = document_.entry(layer_);
    if (own && own->recipe.kind == RecipeKind::Operation) {
        for (const Layer& layer : document_.entries()) {
            if (!layer.map || layer.recipe.kind != RecipeKind::Operation ||
                layer.recipe.record != own->recipe.record)
                continue;
            (layer.map->field(0).name == "SNR" ? snrLayer_ : residualLayer_) = layer.id;
        }
        if (const auto request = search()) {
            if (!request->inputs.empty() && request->inputs.front().layer >= 0) {
                searched_ = subject_ = request->inputs.front().layer;
                if (!request->inputs.front().fields.empty())
                    searchedField_ = request->inputs.front().fields.front();
            }
            beam_ = beamOf(*request);
        }
    }
    if (!document_.entry(searched_)) searched_ = -1;
    lookForFalse();
}

}  // namespace armilla

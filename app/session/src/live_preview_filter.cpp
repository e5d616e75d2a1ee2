// SPDX-License-Identifier: GPL-3.0-or-later
// Live source filter: the loop of live smoothing, with the plan of a filter.
#include <algorithm>

#include "armilla/core/error.h"
#include "armilla/session/stand_in.h"
#include "live_preview_state.h"
#include "operation_values.h"

namespace armilla {

QString LivePreview::liveFilterProblem(const OperationRequest& request) const {
    if (QString problem = problemOf(request); !problem.isEmpty()) return problem;
    if (request.parameters.value("flux") == ParameterValue(true))
        return tr("flux density is made by Run");
    for (const OperationRequest::Given& given : request.inputs) {
        const Layer* layer = state_->document.entry(given.layer);
        if (given.slot == QLatin1String("map2")) return tr("several maps are filtered by Run");
        if (given.slot != QLatin1String("MAP")) continue;
        if (layer && layer->kind() == LayerKind::Image) return tr("images are filtered by Run");
        if (!layer || !layer->map || layer->live) return tr("expected an open map, found none");
        if (QString problem = sampleProblem(*layer); !problem.isEmpty()) return problem;
        if (layer->map->coverage() == Coverage::MultiOrder)
            return tr("cells of several orders are filtered by Run");
    }
    return {};
}

void LivePreview::previewFilter(const OperationRequest& request) {
    State& state = *state_;
    state.notices.guarded([&] {
        const QString problem = liveFilterProblem(request);
        if (!problem.isEmpty()) throw InvalidArgument(problem.toStdString());
        FilterRequest wanted;
        wanted.operation = request;
        wanted.operation.wanted.clear();  // only Run computes optional results
        for (OperationRequest::Given& given : wanted.operation.inputs) {
            if (!given.layer.isValid()) continue;
            const Layer* layer = state_->document.entry(given.layer);
            if (!layer || layer->live)
                throw InvalidArgument("expected an open layer as " + given.slot.toStdString() +
                                      ", found none");
            wanted.values.push_back(*layer);
            wanted.names << layer->name;
            if (given.slot != QLatin1String("MAP")) continue;
            if (given.fields.empty()) given.fields = {0};
            wanted.of = {given.layer, given.fields.front(), Quantity::Field};
            wanted.revision = layer->revision;
            wanted.fields = given.fields;
        }
        state.wanted = std::move(wanted);
        state.keepWhenDone = false;
        state.beginPreview();
    });
}

bool LivePreview::isFilterPreviewed() const {
    return state_->wanted && std::holds_alternative<FilterRequest>(*state_->wanted);
}

}  // namespace armilla

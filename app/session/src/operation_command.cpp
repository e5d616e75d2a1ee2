// SPDX-License-Identifier: GPL-3.0-or-later
// Runs any operation on layers as a job; its results become layers in one step of the history.
#include <algorithm>

#include "armilla/core/error.h"
#include "armilla/operations/usage_error.h"
#include "armilla/session/shown_text.h"
#include "operation_values.h"
#include "session_state.h"

namespace armilla {

namespace {

// Results of the job, with their pictures.
struct Made {
    OperationResult result;
    std::vector<LayerPicture> pictures;
};

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// Input tables of a picture: their markers would hide the picture.
std::vector<int> coveringOf(const OperationResult& result) {
    std::vector<int> covering;
    const LayerValue& first = result.layers.front().value;
    if (!first.map && !first.image) return covering;
    for (const OperationRequest::Given& given : result.taken.inputs)
        for (const InputSlot& slot : result.taken.operation->inputs)
            if (slot.kind == DataKind::Table && !slot.isOption && given.slot == textOf(slot.name))
                covering.push_back(given.layer);
    return covering;
}

}  // namespace

int Session::runOperation(const OperationRequest& request) {
    State& state = *state_;
    int job = -1;
    state.notices.guarded([&] {
        const QString problem = problemOf(request);
        if (!problem.isEmpty()) throw InvalidArgument(problem.toStdString());
        std::vector<LayerValue> values;
        QStringList names;
        for (const OperationRequest::Given& given : request.inputs) {
            if (given.layer < 0) continue;
            const Layer* layer = document().entry(given.layer);
            if (!layer || layer->live)
                throw InvalidArgument("expected an open layer as " + given.slot.toStdString() +
                                      ", found none");
            values.push_back(*layer);
            names << layer->name;
        }
        const QString of = names.isEmpty() ? QString() : QStringLiteral(" · ") + names.front();
        const auto id = std::make_shared<int>(-1);
        *id = job = state.runner.run<std::shared_ptr<Made>>(
            shownText(request.operation->title) + of, JobLane::Compute, {}, this,
            [request, values, names, on = device(),
             limit = state.pictures.limit()](JobContext& context) {
                auto made = std::make_shared<Made>();
                JobContext working = context.part(0.0, 0.9), drawing = context.part(0.9, 1.0);
                try {
                    made->result = runRequest(request, values, names, on, working);
                } catch (const UsageError& error) {
                    throw InvalidArgument(withLabels(error.what(), request).toStdString());
                } catch (const InvalidArgument& error) {
                    throw InvalidArgument(withLabels(error.what(), request).toStdString());
                }
                for (const auto& layer : made->result.layers)
                    made->pictures.push_back(prepareLayer(layer.value, limit, drawing));
                return made;
            },
            [this, of](const std::shared_ptr<Made>& made) {
                const OperationRequest& taken = made->result.taken;
                Recipe recipe;
                recipe.kind = RecipeKind::Operation;
                recipe.record = toQt(toJson(recordOf(taken)));
                recipe.recordTitle =
                    QString::fromStdString(titleOf(*taken.operation, taken.parameters));
                for (auto& layer : made->result.layers) layer.name += of;
                const std::vector<int> inputs = recipe.inputs();
                const auto ids = document().addLayers(made->result.layers, recipe,
                                                      inputs.empty() ? -1 : inputs.front(),
                                                      coveringOf(made->result));
                for (size_t i = 0; i < ids.size(); ++i)
                    state_->pictures.give(ids[i], made->pictures[i]);
                for (const QString& note : made->result.notes) state_->notices.say(note);
                emit operationFinished(textOf(taken.operation->id), ids);
            },
            [this, request, id](const QString& line) {
                std::vector<int> layers;
                for (const OperationRequest::Given& given : request.inputs)
                    layers.push_back(given.layer);
                if (state_->notices.complainOrAskFrame(line, layers,
                                                       [this, request] { runOperation(request); }))
                    state_->followers.reportedElsewhere(*id);
            });
    });
    return job;
}

std::vector<LayerValue> remadeByOperation(const Recipe& recipe, const std::vector<int>& outputs,
                                          const std::vector<LayerValue>& inputs,
                                          const Device& device, JobContext& job, QString& note) {
    try {
        const OperationRequest request = requestOf(recipe.record);
        QStringList names;
        for (size_t i = 0; i < inputs.size(); ++i)
            names << QStringLiteral("input %1").arg(static_cast<int>(i) + 1);
        OperationResult result = runRequest(request, inputs, names, device, job);
        std::vector<LayerValue> made;
        for (const int output : outputs) {
            if (static_cast<size_t>(output) >= result.layers.size())
                throw InvalidArgument("expected result " + std::to_string(output + 1) + " of " +
                                      recipe.recordTitle.toStdString() + ", found " +
                                      std::to_string(result.layers.size()));
            made.push_back(result.layers[static_cast<size_t>(output)].value);
        }
        note = result.deviceFailure;
        return made;
    } catch (const UsageError& error) {
        throw InvalidArgument(error.what());
    }
}

}  // namespace armilla

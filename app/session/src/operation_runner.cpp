// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/operation_runner.h"

#include <QJsonArray>
#include <algorithm>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/operations/known_operations.h"
#include "armilla/operations/usage_error.h"
#include "armilla/session/document.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/notices.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/source_review.h"
#include "armilla/session/stand_in.h"
#include "armilla/session/stated_frame.h"
#include "corrections.h"
#include "export_parts.h"
#include "job_followers.h"
#include "layer_pictures.h"
#include "map_work.h"
#include "operation_values.h"
#include "picked_rows.h"

namespace armilla {

namespace {

// Results of the job, with their pictures.
struct Made {
    OperationResult result;
    std::vector<LayerPicture> pictures;
};

// Input tables of a picture: their markers would hide the picture.
std::vector<LayerId> coveringOf(const OperationResult& result) {
    std::vector<LayerId> covering;
    const LayerValue& first = result.layers.front().value;
    if (!first.map && !first.image) return covering;
    for (const OperationRequest::Given& given : result.taken.inputs)
        for (const InputSlot& slot : result.taken.operation->inputs)
            if (slot.kind == DataKind::Table && !slot.isOption && given.slot == textOf(slot.name))
                covering.push_back(given.layer);
    return covering;
}

}  // namespace

OperationRunner::OperationRunner(Document& document, JobRunner& runner, JobFollowers& followers,
                                 LayerPictures& pictures, LivePreview& preview,
                                 SourceReview& review, Notices& notices,
                                 std::function<Device()> device)
    : document_(document),
      runner_(runner),
      followers_(followers),
      pictures_(pictures),
      preview_(preview),
      review_(review),
      notices_(notices),
      device_(std::move(device)) {}

int OperationRunner::runOperation(const OperationRequest& request) {
    int job = -1;
    notices_.guarded([&] {
        const QString problem = problemOf(request);
        if (!problem.isEmpty()) throw InvalidArgument(problem.toStdString());
        std::vector<LayerValue> values;
        QStringList names;
        for (const OperationRequest::Given& given : request.inputs) {
            if (!given.layer.isValid()) continue;
            const Layer* layer = document_.entry(given.layer);
            if (!layer || layer->live)
                throw InvalidArgument("expected an open layer as " + given.slot.toStdString() +
                                      ", found none");
            if (const QString sample = sampleProblem(*layer); !sample.isEmpty())
                throw InvalidArgument(sample.toStdString());
            values.push_back(*layer);
            names << layer->name;
        }
        const QString of = names.isEmpty() ? QString() : QStringLiteral(" · ") + names.front();
        const auto id = std::make_shared<int>(-1);
        // The line of a failure with the options of the command, which the window's words lack.
        const auto failure = std::make_shared<QString>();
        *id = job = runner_.run<std::shared_ptr<Made>>(
            shownText(request.operation->title) + of, JobLane::Compute, {}, this,
            [request, values, names, failure, on = device_(),
             limit = pictures_.limit()](JobContext& context) {
                auto made = std::make_shared<Made>();
                JobContext working = context.part(0.0, 0.9), drawing = context.part(0.9, 1.0);
                try {
                    made->result = runRequest(request, values, names, on, working);
                } catch (const UsageError& error) {
                    *failure = QString::fromUtf8(error.what());
                    throw InvalidArgument(withLabels(error.what(), request).toStdString());
                } catch (const Error& error) {
                    *failure = QString::fromUtf8(error.what());
                    throw Error(error.code(), withLabels(error.what(), request).toStdString(),
                                error.where());
                }
                for (const auto& layer : made->result.layers)
                    made->pictures.push_back(prepareLayer(layer.value, limit, drawing));
                return made;
            },
            [this, of, request](const std::shared_ptr<Made>& made) {
                const OperationRequest& taken = made->result.taken;
                Recipe recipe;
                recipe.kind = RecipeKind::Operation;
                recipe.record = toQt(toJson(recordOf(taken)));
                recipe.recordTitle =
                    QString::fromStdString(titleOf(*taken.operation, taken.parameters));
                for (auto& layer : made->result.layers) layer.name += of;
                const std::vector<LayerId> inputs = recipe.inputs();
                const auto ids = document_.addLayers(made->result.layers, recipe,
                                                     inputs.empty() ? LayerId() : inputs.front(),
                                                     coveringOf(made->result));
                for (size_t i = 0; i < ids.size(); ++i) pictures_.give(ids[i], made->pictures[i]);
                for (const QString& note : made->result.notes) {
                    notices_.say(note);
                    notices_.offer(note, false, remedies(note, request));
                }
                emit operationFinished(textOf(taken.operation->id), ids);
            },
            [this, request, id, failure](const QString& line) {
                std::vector<LayerId> layers;
                for (const OperationRequest::Given& given : request.inputs)
                    layers.push_back(given.layer);
                if (notices_.complainOrAskFrame(line, layers,
                                                [this, request] { runOperation(request); }))
                    followers_.reportedElsewhere(*id);
                else
                    notices_.offer(line, true, remedies(*failure, request));
            });
    });
    return job;
}

std::vector<Remedy> OperationRunner::remedies(const QString& line,
                                              const OperationRequest& request) {
    return remediesFor(
        line, request, [this](const OperationRequest& again) { runOperation(again); },
        [this](const QString& problem) { notices_.complain(problem); });
}

void OperationRunner::showDifference(const Shown& a, const Shown& b) {
    const Layer* left = document_.entry(a.entry);
    const Layer* right = document_.entry(b.entry);
    if (!left || !left->map || !right || !right->map)
        return notices_.complain(tr("expected two open maps to subtract, found fewer"));
    for (const Layer* layer : {left, right})
        if (const QString problem = sampleProblem(*layer); !problem.isEmpty())
            return notices_.complain(problem);
    Recipe recipe;
    recipe.kind = RecipeKind::Difference;
    recipe.input = a.entry;
    recipe.field = a.field;
    recipe.quantity = a.quantity;
    recipe.other = b.entry;
    recipe.otherField = b.field;
    recipe.otherQuantity = b.quantity;
    const QString name = left->name + QStringLiteral(" − ") + right->name;
    runner_.run<std::shared_ptr<MapDifference>>(
        tr("Subtract %1").arg(name), JobLane::Compute, {}, this,
        [a, b, first = left->map, second = right->map](JobContext& job) {
            return std::make_shared<MapDifference>(mapDifference(*first, a, *second, b, job));
        },
        [this, recipe, name](const std::shared_ptr<MapDifference>& made) {
            const QString detail =
                made->changes.isEmpty()
                    ? QString()
                    : QStringLiteral(" (%1)").arg(made->changes.join(QStringLiteral(", ")));
            pictures_.addDrawn(std::make_shared<const HealpixMap>(std::move(made->map)),
                               name + detail, recipe, recipe.input);
        },
        [this](const QString& line) { notices_.complain(line); });
}

void OperationRunner::showMaskedDifference(const SmoothParameters& parameters) {
    Shown of = document_.view().shown();
    const Layer* entry = document_.entry(of.entry);
    if (const auto source = preview_.source(); entry && entry->live && source) of = *source;
    entry = document_.entry(of.entry);
    if (!entry || !entry->map || entry->live)
        return notices_.complain(tr("expected a map that is shown, to smooth it, found none"));
    if (const QString problem = sampleProblem(*entry); !problem.isEmpty())
        return notices_.complain(problem);
    Recipe recipe;
    recipe.kind = RecipeKind::MaskedDifference;
    recipe.input = of.entry;
    recipe.field = of.field;
    recipe.smooth = parameters;
    runner_.run<LoadedLayer>(
        tr("Compare methods of masking · %1").arg(entry->name), JobLane::Compute, {}, this,
        [recipe, map = entry->map, on = device_()](JobContext& job) {
            return makeFromRecipe(recipe, {map}, on, job);
        },
        [this, recipe, name = entry->name](const LoadedLayer& made) {
            if (!made.note.isEmpty()) notices_.say(made.note);
            pictures_.addDrawn(made.value, tr("%1, normalized − ignored").arg(name), recipe,
                               recipe.input);
        },
        [this](const QString& line) { notices_.complain(line); });
}

LayerId OperationRunner::addAccepted() {
    LayerId id;
    notices_.guarded([&] {
        const SourceReview& seen = review_;
        const Layer* layer = document_.entry(seen.layer());
        std::vector<int64_t> rows;
        QJsonArray numbers;
        for (int64_t row = 0; layer && row < layer->catalog->rows(); ++row) {
            const Judgement* judged = seen.judgement(row);
            if (!judged || judged->verdict != Verdict::Accepted) continue;
            rows.push_back(row);
            numbers.append(static_cast<qint64>(row));
        }
        if (rows.empty()) throw InvalidArgument("expected accepted candidates, found none");
        Recipe recipe;
        recipe.kind = RecipeKind::Rows;
        recipe.recordTitle = QString::fromUtf8(QT_TRANSLATE_NOOP("Recipe", "accepted by eye"));
        recipe.record = {
            {"inputs", QJsonArray{QJsonObject{{"slot", "CATALOG"}, {"layer", layer->id.number()}}}},
            {"rows", numbers}};
        // The same rows make only one layer, even if requested several times.
        for (const Layer& made : document_.entries())
            if (made.catalog && made.recipe.kind == RecipeKind::Rows &&
                made.recipe.record == recipe.record) {
                id = made.id;
                return;
            }
        const LayerValue value = std::make_shared<const Catalog>(pickedRows(*layer->catalog, rows));
        id = document_.addLayer(value, tr("accepted sources · %1").arg(rows.size()), recipe,
                                layer->id);
    });
    return id;
}

void OperationRunner::removeAccepted(bool inpaint, double beams) {
    const Operation& remove = operations::remove();
    const LayerId map = review_.search().map;
    const int field = review_.search().field;
    const auto search = review_.search().request;
    const auto beam = review_.search().beam;
    if (!map.isValid())
        return notices_.complain(tr("expected the map that was searched to be open, found none"));
    if (!beam)
        return notices_.complain(tr("expected the beam of the search to be open, found none"));
    const LayerId accepted = addAccepted();
    if (!accepted.isValid() || !search) return;
    notices_.guarded([&] {
        OperationRequest request{&remove, remove.defaults(), {}, {}};
        request.inputs.push_back({QStringLiteral("MAP"), map, {field}, {}});
        request.inputs.push_back({QStringLiteral("CATALOG"), accepted, {}, {}});
        // Uses the same beam as the fit of the sources.
        for (const OperationRequest::Given& given : search->inputs)
            if (given.slot == QLatin1String("beam")) request.inputs.push_back(given);
        if (request.inputs.size() == 2) request.parameters.set("fwhm", angleArgument(*beam));
        if (std::get<bool>(search->parameters.value("pixel-window")))
            request.parameters.set("pixel-window", "true");
        request.parameters.set("how", inpaint ? "inpaint" : "subtract");
        if (inpaint) request.parameters.set("beams", QString::number(beams, 'g', 17).toStdString());
        runOperation(request);
    });
}

void OperationRunner::maskAccepted(double beams) {
    const Operation& mask = operations::mask();
    // The new layers become active; the review must keep its subject.
    const LayerId map = review_.search().map;
    const int field = review_.search().field;
    const double beam = review_.search().beam.value_or(kPlainBeam);
    const LayerId accepted = addAccepted();
    if (!accepted.isValid()) return;
    notices_.guarded([&] {
        OperationRequest request{&mask, mask.defaults(), {}, {}};
        if (map.isValid()) request.inputs.push_back({QStringLiteral("MAP"), map, {field}, {}});
        request.inputs.push_back({QStringLiteral("catalog"), accepted, {}, {}});
        request.parameters.set("fwhm", angleArgument(beam));
        request.parameters.set("beams", QString::number(beams, 'g', 17).toStdString());
        if (!map.isValid()) request.parameters.set("nside", "512");
        runOperation(request);
    });
}

void OperationRunner::answerFrame(LayerId id, Frame frame) {
    setFrame(id, frame, notices_.takeWaiting(id));
}

void OperationRunner::stateFrame(LayerId id, Frame frame) {
    setFrame(id, frame, {});
}

void OperationRunner::setFrame(LayerId id, Frame frame, const std::function<void()>& then) {
    notices_.guarded([&] {
        const Layer* asked = document_.entry(id);
        if (asked && takesStatedFrame(*asked) && factsOf(asked->kind()).frame(*asked) == frame)
            return;
        std::vector<StatedLayer> layers;
        for (const LayerId each : statedTogether(document_, id)) {
            const Layer* layer = document_.entry(each);
            layers.push_back({each, layer->revision, *layer});
        }
        // The source of the preview is replaced by another value.
        preview_.stopPreview();
        runner_.run<std::vector<StatedLayer>>(
            tr("Frame of %1").arg(asked->name), JobLane::Compute, QStringLiteral("frame"), this,
            [layers, frame](JobContext& job) {
                std::vector<StatedLayer> made = layers;
                for (StatedLayer& layer : made) {
                    job.poll();
                    layer.value = factsOf(layer.value.kind()).inFrame(layer.value, frame);
                }
                return made;
            },
            [this, id, frame, then](const std::vector<StatedLayer>& made) {
                armilla::stateFrame(document_, id, frame, made);
                if (then) then();
            },
            [this](const QString& line) { notices_.complain(line); });
    });
}

}  // namespace armilla

#include "armilla/session/moc_operation_runner.cpp"

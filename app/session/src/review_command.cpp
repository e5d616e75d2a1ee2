// SPDX-License-Identifier: GPL-3.0-or-later
// Results of a source review as layers: catalogs and masks.
#include <QJsonArray>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "export_parts.h"
#include "operation_values.h"
#include "picked_rows.h"
#include "session_state.h"

namespace armilla {

LoadedLayer remadeOfRows(const Recipe& recipe, const std::vector<LayerValue>& inputs) {
    const auto catalog = inputs.empty() ? nullptr : inputs.front().catalog;
    if (!catalog) throw InvalidArgument("expected the catalog that it is made from, found none");
    std::vector<int64_t> rows;
    for (const QJsonValue row : recipe.record["rows"].toArray()) {
        rows.push_back(static_cast<int64_t>(row.toDouble(-1.0)));
        if (rows.back() < 0 || rows.back() >= catalog->rows())
            throw InvalidArgument("expected rows below " + std::to_string(catalog->rows()) +
                                  ", found row " + std::to_string(rows.back()));
    }
    return {std::make_shared<const Catalog>(pickedRows(*catalog, rows)), {}, {}};
}

int Session::addAccepted() {
    int id = -1;
    state_->notices.guarded([&] {
        const SourceReview& seen = review();
        const Layer* layer = document().entry(seen.layer());
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
            {"inputs", QJsonArray{QJsonObject{{"slot", "CATALOG"}, {"layer", layer->id}}}},
            {"rows", numbers}};
        // The same rows make only one layer, even if requested several times.
        for (const Layer& made : document().entries())
            if (made.catalog && made.recipe.kind == RecipeKind::Rows &&
                made.recipe.record == recipe.record) {
                id = made.id;
                return;
            }
        const LayerValue value = std::make_shared<const Catalog>(pickedRows(*layer->catalog, rows));
        id = document().addLayer(value, tr("accepted sources · %1").arg(rows.size()), recipe,
                                 layer->id);
    });
    return id;
}

void Session::removeAccepted(bool inpaint, double beams) {
    const Operation* remove = findOperation("remove");
    const int map = review().searchedMap(), field = review().searchedField();
    const auto search = review().search();
    const auto beam = review().beam();
    if (map < 0)
        return state_->notices.complain(
            tr("expected the map that was searched to be open, found none"));
    if (!beam)
        return state_->notices.complain(
            tr("expected the beam of the search to be open, found none"));
    const int accepted = addAccepted();
    if (accepted < 0 || !remove || !search) return;
    state_->notices.guarded([&] {
        OperationRequest request{remove, remove->defaults(), {}, {}};
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

void Session::maskAccepted(double beams) {
    const Operation* mask = findOperation("mask");
    // The new layers become active; the review must keep its subject.
    const int map = review().searchedMap(), field = review().searchedField();
    const double beam = review().beam().value_or(kPlainBeam);
    const int accepted = addAccepted();
    if (accepted < 0 || !mask) return;
    state_->notices.guarded([&] {
        OperationRequest request{mask, mask->defaults(), {}, {}};
        if (map >= 0) request.inputs.push_back({QStringLiteral("MAP"), map, {field}, {}});
        request.inputs.push_back({QStringLiteral("catalog"), accepted, {}, {}});
        request.parameters.set("fwhm", angleArgument(beam));
        request.parameters.set("beams", QString::number(beams, 'g', 17).toStdString());
        if (map < 0) request.parameters.set("nside", "512");
        runOperation(request);
    });
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Results of a source review: catalogs and masks.
#include <QJsonArray>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/sky_ranges.h"
#include "armilla/core/units.h"
#include "armilla/io/moc_io.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/files.h"
#include "operation_values.h"
#include "picked_rows.h"
#include "session_state.h"

namespace armilla {

namespace {

// Disc radius unit for sources of an opened catalog, which has no search beam.
constexpr double kPlainBeam = 10.0 * kArcmin;

}  // namespace

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

void Session::exportVerdicts(Verdict verdict, const QString& path, bool overwrite) {
    State& state = *state_;
    state.notices.guarded([&] {
        auto catalog = std::make_shared<const Catalog>(review().judged(verdict));
        if (catalog->rows() == 0)
            throw InvalidArgument(
                verdict == Verdict::None
                    ? "expected a catalog to save, found none"
                    : "expected candidates with this verdict to save, found none");
        checkOutputName(path.toStdString(), overwrite, DataKind::Catalog);
        state.exportInJob(path, JobLane::Io, [catalog, path, overwrite](JobContext& job) {
            Output output;
            output.data = catalog;
            writeOutput(output, path.toStdString(), overwrite, {}, {}, job);
        });
    });
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

// The discs, rasterized so that at least thirty pixels make up each disc; these pixels set the edge
// in the MOC.
void Session::exportAcceptedMoc(double beams, const QString& path, bool overwrite) {
    constexpr double kPixelsAcross = 6.0;
    constexpr int64_t kFinest = 8192;
    State& state = *state_;
    state.notices.guarded([&] {
        auto catalog = std::make_shared<const Catalog>(review().judged(Verdict::Accepted));
        if (catalog->rows() == 0) throw InvalidArgument("expected accepted candidates, found none");
        const double across = beams * review().beam().value_or(kPlainBeam);
        int64_t nside = 64;
        while (nside < kFinest &&
               std::sqrt(kPi / 3.0) / static_cast<double>(nside) > across / kPixelsAcross)
            nside *= 2;
        state.exportInJob(path, JobLane::Io, [=](JobContext& job) {
            std::vector<PixelRange> runs;
            const Mat3 turn = frameRotation(Frame::Equatorial, catalog->frame());
            const int shift = 2 * (kRangeOrder - orderOf(nside));
            for (int64_t row = 0; row < catalog->rows(); ++row)
                for (const PixelRange& run : queryDisc(
                         nside, Ordering::Nested, turn * direction(catalog->at(row)), 0.5 * across))
                    runs.push_back({run.begin << shift, run.end << shift});
            MocWriteOptions options;
            options.overwrite = overwrite;
            options.history = catalog->table.history;
            writeMoc(normalizedRanges(std::move(runs)), path.toStdString(), options, job);
        });
    });
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

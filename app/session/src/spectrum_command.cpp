// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra of the spectrum panel, by the operation `anafast` with its defaults.
#include <algorithm>

#include "armilla/core/error.h"
#include "armilla/figure/unit_text.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/operations/files.h"
#include "armilla/operations/map_values.h"
#include "armilla/operations/usage_error.h"
#include "armilla/ops/resample.h"
#include "map_work.h"
#include "operation_values.h"
#include "session_state.h"

namespace armilla {

namespace {

// A spectrum of a map downgraded to this nside takes some tens of milliseconds.
constexpr int64_t kQuickNside = 256;

// "uK²", "(pix-1)²": a unit of several words needs parentheses.
QString squaredUnit(const QString& unit) {
    const bool isWord = std::all_of(unit.begin(), unit.end(), [](QChar c) { return c.isLetter(); });
    return (isWord ? unit : QStringLiteral("(%1)").arg(unit)) + QStringLiteral("²");
}

QString unitOf(const HealpixMap& map, const Shown& shown) {
    if (shown.quantity == Quantity::PolarizationAngle) return QStringLiteral("deg²");
    const auto pair = map.polarizationPair();
    const int field = shown.quantity != Quantity::Field && pair ? pair->first : shown.field;
    const QString unit =
        field < map.fieldCount() ? QString::fromStdString(map.field(field).unit) : QString();
    return unit.isEmpty() ? QString() : squaredUnit(unit);
}

MapPointer downgraded(const MapPointer& map, int field, int64_t nside, JobContext& job) {
    HealpixMap one = quantityMap(*map, field, Quantity::Field, job);
    if (one.coverage() == Coverage::MultiOrder) one = flattened(one, 0, job);
    if (one.nside() > nside) one = udgraded(one, nside, job);
    return std::make_shared<const HealpixMap>(std::move(one));
}

struct SpectrumRequest {
    OperationRequest operation;
    std::vector<LayerValue> values;
    QStringList names;
    Device device;
    SpectrumResult result;  // all members except the values
};

SpectrumRequest spectrumRequest(const Layer& map, const Layer* mask, const Shown& shown, int lmax,
                                SpectrumDivisor divisor, const Device& device) {
    SpectrumRequest request;
    request.operation.operation = findOperation("anafast");
    request.operation.parameters = request.operation.operation->defaults();
    if (lmax >= 0) request.operation.parameters.set("lmax", std::to_string(lmax));
    if (divisor == SpectrumDivisor::MeanSquare) request.operation.parameters.set("divide", "w2");
    request.operation.inputs.push_back({QStringLiteral("MAP"), map.id, {shown.field}, QString()});
    request.values.push_back(map);
    request.names << map.name;
    if (mask) {
        request.operation.inputs.push_back({QStringLiteral("mask"), mask->id, {0}, QString()});
        request.values.push_back(*mask);
        request.names << mask->name;
    }
    request.device = device;
    request.result.of = shown;
    request.result.unit = unitOf(*map.map, shown);
    return request;
}

// Runs in a job. A quantity of Q and U other than a field is a map of its own.
std::shared_ptr<SpectrumOfRequest> computed(const SpectrumRequest& request, int64_t maxNside,
                                            JobContext& job) {
    OperationRequest operation = request.operation;
    std::vector<LayerValue> values = request.values;
    const Shown& of = request.result.of;
    if (of.quantity != Quantity::Field) {
        values.front() = std::make_shared<const HealpixMap>(
            quantityMap(*values.front().map, of.field, of.quantity, job));
        operation.inputs.front().fields = {0};
    }
    try {
        return std::make_shared<SpectrumOfRequest>(
            spectrumOf(operation, values, request.names, maxNside, request.device, job));
    } catch (const UsageError& error) {
        throw InvalidArgument(withLabels(error.what(), operation).toStdString());
    }
}

}  // namespace

SpectrumOfRequest spectrumOf(const OperationRequest& request, std::vector<LayerValue> values,
                             const QStringList& names, int64_t maxNside, const Device& device,
                             JobContext& job) {
    JobContext preparing = job.part(0.0, 0.1), working = job.part(0.1, 1.0);
    OperationRequest asked = request;
    const MapPointer map = values.front().map;
    if (map->nside() > maxNside) {
        std::vector<int>& fields = asked.inputs.front().fields;
        values.front() = downgraded(map, fields.empty() ? 0 : fields.front(), maxNside, preparing);
        fields = {0};
        if (asked.parameters.value("lmax").index() == 0)
            asked.parameters.set("lmax", std::to_string(2 * maxNside));
    }
    SpectrumOfRequest result{{}, 0.0, asked, {}};
    QString failure;
    const Outputs outputs = onDevice(device, failure, [&](const Device& on) {
        ParameterSet parameters = asked.parameters;
        Inputs inputs = inputsOf(asked, values, names);
        QStringList notes;
        Context context{on, working, {}, {}, [&notes](const std::string& line) {
                            notes << QString::fromStdString(line);
                        }};
        Outputs made = runOperation(*asked.operation, context, inputs, parameters);
        result.taken.parameters = parameters;
        const Json* share = context.figures.find("f_sky");
        result.skyShare = share == nullptr ? 1.0 : share->number();
        // A live panel repeats no notes on method and weights, which are the defaults; a large mean
        // falsifies the spectrum.
        result.notes = notes.filter(QStringLiteral("have a mean of"));
        return made;
    });
    if (!failure.isEmpty()) result.notes.prepend(failure);
    for (QString& line : result.notes) line = withLabels(sizesTypeset(line), request);
    const auto* spectra = std::get_if<std::shared_ptr<const Spectra>>(&outputs.front().data);
    if (spectra == nullptr) throw Unsupported("expected a spectrum at every l, found band powers");
    result.spectra = *spectra;
    return result;
}

void Session::computeSpectrum(const Shown& shown, int lmax, int maskEntry,
                              SpectrumDivisor divisor) {
    const Layer* entry = document().entry(shown.entry);
    const Layer* mask = document().entry(maskEntry);
    if (!entry || !entry->map)
        return state_->complain(tr("expected an open map for the spectrum, found none"));
    if (maskEntry >= 0 && (!mask || !mask->map))
        return state_->complain(tr("expected an open map as the mask, found none"));
    const auto request = std::make_shared<SpectrumRequest>(
        spectrumRequest(*entry, mask, shown, lmax, divisor, device()));
    // A failed job asks for the frame of the map or the mask; the message replaces the job's line.
    const auto id = std::make_shared<int>(-1);
    const auto fail = [this, id, shown, lmax, maskEntry, divisor](const QString& line) {
        if (state_->complainOrAskFrame(line, {maskEntry, shown.entry},
                                       [this, shown, lmax, maskEntry, divisor] {
                                           computeSpectrum(shown, lmax, maskEntry, divisor);
                                       }))
            state_->openJobs.insert(*id);
    };
    const auto run = [this, request, id, fail](int64_t nside, bool isPreview,
                                               const std::function<void()>& next) {
        *id = state_->runner.run<std::shared_ptr<SpectrumOfRequest>>(
            tr("Spectrum of %1").arg(request->names.front()),
            isPreview ? JobLane::Preview : JobLane::Compute, kSpectrumSlot, this,
            [request, nside](JobContext& job) { return computed(*request, nside, job); },
            [this, request, isPreview, next](const std::shared_ptr<SpectrumOfRequest>& made) {
                if (!isPreview)
                    for (const QString& line : made->notes) state_->say(line);
                SpectrumResult result = request->result;
                result.spectra = made->spectra;
                result.cl = (*made->spectra)[SpectrumKind::TT];
                result.skyShare = made->skyShare;
                result.preview = isPreview;
                result.request = made->taken;
                emit spectrumReady(result);
                if (next) next();
            },
            fail);
    };
    const int64_t nside = entry->map->nside();
    const auto full = [run, nside] { run(nside, false, {}); };
    if (nside > kQuickNside)
        run(kQuickNside, true, full);
    else
        full();
}

std::optional<CommandChain> Session::State::spectrumChain(const SpectrumResult& spectrum,
                                                          const QString& outputPath,
                                                          SpectrumForm form) const {
    if (!spectrum.request.operation || spectrum.preview || spectrum.of.quantity != Quantity::Field)
        return std::nullopt;
    auto chain = chainOf(spectrum.request, outputPath);
    if (chain && form == SpectrumForm::Dl) chain->steps.back().line += QStringLiteral(" --dl");
    return chain;
}

QString Session::commandForSpectrum(const SpectrumResult& spectrum, const QString& outputPath,
                                    SpectrumForm form) {
    const auto chain = state_->spectrumChain(spectrum, outputPath, form);
    if (!chain)
        state_->complain(
            tr("expected a finished spectrum of a field of a file, or of a result that commands "
               "make, found another one"));
    return chain ? chain->text() : QString();
}

void Session::exportSpectrum(const SpectrumResult& spectrum, const QString& path, bool overwrite,
                             SpectrumForm form) {
    State& state = *state_;
    state.guarded([&] {
        checkOutputName(path.toStdString(), overwrite, DataKind::Spectra);
        if (form == SpectrumForm::Dl) requireDlName(path.toStdString());
        if (!spectrum.spectra) throw InvalidArgument("expected a spectrum to save, found none");
        const auto chain = state.spectrumChain(spectrum, path, form);
        FileWriteOptions options;
        options.overwrite = overwrite;
        options.asDl = form == SpectrumForm::Dl;
        options.history =
            chain ? state.history(*chain, state.device)
                  : state.history(state.recipeChain(spectrum.of.entry).join(QStringLiteral("; ")) +
                                      QStringLiteral("; spectrum"),
                                  {});
        state.exportInJob(path, JobLane::Io,
                          [spectra = spectrum.spectra, path, options](JobContext& job) {
                              writeSpectra(*spectra, path.toStdString(), options, job);
                          });
    });
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/live_spectrum.h"

#include <algorithm>

#include "armilla/core/error.h"
#include "armilla/core/stage_times.h"
#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/operations/known_operations.h"
#include "armilla/operations/map_values.h"
#include "armilla/operations/mask_weights.h"
#include "armilla/operations/usage_error.h"
#include "armilla/ops/resample.h"
#include "armilla/session/document.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/stand_in.h"
#include "map_work.h"
#include "operation_values.h"

namespace armilla {

namespace {

const QString kSpectrumSlot = QStringLiteral("spectrum");
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

// The fields of the spectra: one, or T, Q and U. Throws InvalidArgument for a map without these.
std::vector<int> analyzedFields(const HealpixMap& map, int field, bool isPolarized) {
    if (!isPolarized) return {field};
    const auto found = map.polarizationFields();
    if (!found)
        throw InvalidArgument("expected a map with T, Q and U for spectra of E and B, found none");
    return {found->begin(), found->end()};
}

MapPointer downgraded(const HealpixMap& map, const std::vector<int>& fields, int64_t nside,
                      JobContext& job) {
    HealpixMap one = withFields(map, fields);
    if (one.coverage() == Coverage::MultiOrder) one = flattened(one, 0, job);
    if (one.nside() > nside) one = udgraded(one, nside, job);
    return std::make_shared<const HealpixMap>(std::move(one));
}

std::string degreesText(double radians) {
    return QString::number(radians / kDegree, 'g', 6).toStdString() + "deg";
}

// The request of `mask` for the settings; `map`: the layer whose grid a mask without another takes.
OperationRequest maskRequest(const SpectrumSettings& settings, const HealpixMap& map) {
    OperationRequest request{&operations::mask(), operations::mask().defaults(), {}, {}};
    if (settings.mask.isValid()) {
        // The command chooses a field of its main input only.
        const bool isFirst = settings.maskField == 0;
        request.inputs.push_back({isFirst ? QStringLiteral("with") : QStringLiteral("MAP"),
                                  settings.mask,
                                  {settings.maskField},
                                  QString()});
    } else {
        request.parameters.set("nside", std::to_string(map.nside()));
        if (map.frame() != Frame::Unknown)
            request.parameters.set("frame", std::string(1, frameLetter(map.frame())));
    }
    if (settings.latitude > 0.0) request.parameters.set("latitude", degreesText(settings.latitude));
    if (settings.apodize > 0.0) request.parameters.set("apodize", degreesText(settings.apodize));
    return request;
}

// Settings that only later steps of the spectrum take: coefficients and coupling stay.
bool isLater(const std::string& option) {
    return option == "bins" || option == "bin-as" || option == "fwhm" || option == "errors" ||
           option == "divide" || option == "pixel-window";
}

}  // namespace

struct LiveSpectrum::Kept {
    // Parts for the full map, or for the downgraded one.
    struct Stage {
        KeptSpectra spectra;
        QString maskKey;
        MapPointer maskSource, mask;
    };
    Stage full, quick;
    // The downgraded map of this one.
    MapPointer source, small;
    std::vector<int> fields;
};

struct LiveSpectrum::Work {
    uint64_t number = 0;
    SpectrumSettings settings;
    OperationRequest operation;
    std::vector<LayerValue> values;  // the map, and the layer of the mask if there is one
    QStringList names;
    Device device;
    SpectrumResult result;  // all members except the values
    bool isLive = false;    // live result: nothing is kept
    QString key;            // coefficients and coupling; empty if these are not kept

    MapPointer mapOf(bool isPreview, Kept& kept, JobContext& job) const;
    MapPointer maskOf(bool isPreview, Kept::Stage& stage, JobContext& job) const;
    // `meanNote`: the note on a large mean, or empty; `lines`: other notes.
    SpectrumResult run(bool isPreview, Kept& kept, QString& meanNote, QStringList& lines,
                       JobContext& job) const;
};

// The field of the map, downgraded for a preview.
MapPointer LiveSpectrum::Work::mapOf(bool isPreview, Kept& kept, JobContext& job) const {
    const MapPointer& map = values.front().map;
    const Shown& of = result.of;
    if (of.quantity != Quantity::Field)
        return std::make_shared<const HealpixMap>(quantityMap(*map, of.field, of.quantity, job));
    if (!isPreview) return map;
    const std::vector<int> fields = analyzedFields(*map, of.field, settings.isPolarized());
    if (isLive) return downgraded(*map, fields, kQuickNside, job);
    if (kept.source != map || kept.fields != fields) {
        kept.small = downgraded(*map, fields, kQuickNside, job);
        kept.source = map;
        kept.fields = fields;
    }
    return kept.small;
}

// The mask: the layer itself, or the result of `mask`. A preview cuts and apodizes large pixels.
MapPointer LiveSpectrum::Work::maskOf(bool isPreview, Kept::Stage& stage, JobContext& job) const {
    const MapPointer source = settings.mask.isValid() ? values.back().map : nullptr;
    if (!result.madeMask) return source;
    OperationRequest request = *result.madeMask;
    const int64_t nside = source ? source->nside() : values.front().map->nside();
    if (isPreview && nside > kQuickNside)
        request.parameters.set("nside", std::to_string(kQuickNside));
    const QString command =
        QString::number(settings.maskField) + QLatin1Char(' ') +
        QString::fromStdString(
            commandLine(*request.operation, request.parameters, {{"OUT", "mask.fits"}}, {}));
    if (stage.mask && stage.maskKey == command && stage.maskSource == source) return stage.mask;
    // `mask` takes a map of other values as well, and makes good pixels good.
    if (source && settings.maskField > 0) requireMask(*source, settings.maskField);
    std::vector<LayerValue> of;
    if (source) of.emplace_back(source);
    const OperationResult made = runRequest(
        request, of, source ? QStringList{names.back()} : QStringList{}, Device::cpu(), job);
    stage.mask = made.layers.front().value.map;
    stage.maskKey = command;
    stage.maskSource = source;
    return stage.mask;
}

SpectrumResult LiveSpectrum::Work::run(bool isPreview, Kept& kept, QString& meanNote,
                                       QStringList& lines, JobContext& job) const {
    StageTimes times;
    JobContext preparing = job.part(0.0, 0.1);
    JobContext working(
        job.stopToken(),
        [&](double fraction, std::string_view name) {
            times.enter(name);
            job.report(0.1 + 0.9 * fraction, name);
        },
        job.threads());
    times.enter("map");
    Kept::Stage& stage = isPreview ? kept.quick : kept.full;
    OperationRequest asked = operation;
    std::vector<LayerValue> inputValues{mapOf(isPreview, kept, preparing)};
    if (inputValues.front().map != values.front().map && !settings.isPolarized())
        asked.inputs.front().fields = {0};
    times.enter("mask");
    if (const MapPointer mask = maskOf(isPreview, stage, preparing)) inputValues.emplace_back(mask);
    times.enter("inputs");
    if (isPreview && asked.parameters.value("lmax").index() == 0)
        asked.parameters.set("lmax", std::to_string(2 * kQuickNside));
    SpectrumResult made = result;
    made.preview = isPreview;
    made.request = asked;
    KeptSpectra once;
    QString failure;
    const Outputs outputs = onDevice(device, failure, [&](const Device& on) {
        ParameterSet parameters = asked.parameters;
        Inputs inputs = inputsOf(asked, inputValues, names);
        // A live panel repeats no notes on method and weights, which are the defaults; a large mean
        // falsifies the spectrum. Notes of the writer appear at the export.
        Context context{on, working, {}, {}, [](const std::string& /*line*/) {}};
        KeptSpectra& spectra = isLive ? once : stage.spectra;
        Outputs run = spectra.run(context, inputs, parameters);
        made.request.parameters = parameters;
        made.matrices = spectra.bandMatrices();
        meanNote = QString::fromStdString(spectra.meanNote());
        if (const Json* share = context.figures.find("f_sky")) made.skyShare = share->number();
        if (const Json* squared = context.figures.find("mean_w2"))
            made.level = made.skyShare * squared->number();
        return run;
    });
    times.enter({});
    made.steps = times.seconds();
    for (const auto& [name, text] : settings.options)
        if (name == "decouple" || name == "divide") made.level = 1.0;
    if (!failure.isEmpty()) lines << failure;
    const Output& output = outputs.front();
    if (const auto* curve = std::get_if<std::shared_ptr<const Curve>>(&output.data)) {
        made.bands = *curve;
        made.plainUnit = made.bands->series.front().unit;
        made.writer = std::make_shared<const LayerWriter>(output.write);
    } else {
        made.spectra = std::get<std::shared_ptr<const Spectra>>(output.data);
        made.cl = (*made.spectra)[SpectrumKind::TT];
        made.plainUnit = made.spectra->unit;
    }
    return made;
}

bool SpectrumSettings::isPolarized() const {
    return std::find(options.begin(), options.end(),
                     std::pair<std::string, std::string>("polarization", "true")) != options.end();
}

LiveSpectrum::LiveSpectrum(const Document& document, JobRunner& runner,
                           std::function<Device()> device, QObject* parent)
    : LiveSpectrum(document, runner, std::move(device), kSpectrumSlot, parent) {}

LiveSpectrum::LiveSpectrum(const Document& document, JobRunner& runner,
                           std::function<Device()> device, QString slot, QObject* parent)
    : QObject(parent),
      document_(document),
      runner_(runner),
      device_(std::move(device)),
      slot_(std::move(slot)),
      kept_(std::make_shared<Kept>()) {}
LiveSpectrum::~LiveSpectrum() = default;

KeptSpectra::Counts LiveSpectrum::counts() const {
    return kept_->full.spectra.counts();
}

void LiveSpectrum::setChoices(const QJsonObject& choices) {
    if (choices_ == choices) return;
    choices_ = choices;
    emit choicesChanged();
}

void LiveSpectrum::restoreChoices(const QJsonObject& choices) {
    choices_ = choices;
    emit choicesRestored();
}

void LiveSpectrum::request(const Shown& shown, const SpectrumSettings& settings) {
    const Layer* map = document_.entry(shown.entry);
    const Layer* mask = document_.entry(settings.mask);
    const auto refuse = [&](const QString& line) { emit failed(-1, line, shown, settings); };
    if (!map || !map->map) return refuse(tr("expected an open map for the spectrum, found none"));
    if (settings.mask.isValid() && (!mask || !mask->map))
        return refuse(tr("expected an open map as the mask, found none"));
    if (mask && settings.maskField >= mask->map->fieldCount())
        return refuse(tr("expected field %1 of the mask %2, found %n field(s)", nullptr,
                         mask->map->fieldCount())
                          .arg(settings.maskField + 1)
                          .arg(mask->name));
    for (const Layer* layer : {map, mask})
        if (layer)
            if (const QString problem = sampleProblem(*layer); !problem.isEmpty())
                return refuse(problem);
    auto work = std::make_shared<Work>();
    work->number = ++latest_;
    work->settings = settings;
    work->device = device_();
    work->isLive = map->live;
    work->result.of = shown;
    work->result.unit = unitOf(*map->map, shown);
    work->operation = {&operations::anafast(), operations::anafast().defaults(), {}, {}};
    QStringList key{QString::number(map->revision),
                    QString::number(shown.field),
                    mask ? QString::number(mask->revision) : QString(),
                    QString::number(settings.maskField),
                    QString::number(settings.latitude),
                    QString::number(settings.apodize),
                    QString::fromStdString(work->device.label())};
    try {
        for (const auto& [name, text] : settings.options) {
            work->operation.parameters.set(name, text);
            if (!isLater(name)) key << QString::fromStdString(name) << QString::fromStdString(text);
        }
        analyzedFields(*map->map, shown.field, settings.isPolarized());
        if (settings.makesMask()) work->result.madeMask = maskRequest(settings, *map->map);
    } catch (const Error& error) {
        return refuse(withLabels(QString::fromUtf8(error.what()), work->operation));
    }
    const bool isPolarized = settings.isPolarized();  // the operation then finds T, Q and U
    work->operation.inputs.push_back({QStringLiteral("MAP"), map->id,
                                      isPolarized ? std::vector<int>{} : std::vector{shown.field},
                                      QString()});
    work->values.push_back(*map);
    work->names << map->name;
    if (mask || work->result.madeMask)
        work->operation.inputs.push_back(
            {QStringLiteral("mask"), work->result.madeMask ? kMadeMask : mask->id, {0}, QString()});
    if (mask) work->values.push_back(*mask);
    if (work->operation.inputs.size() > 1) work->names << (mask ? mask->name : tr("mask"));
    if (const QString problem = problemOf(work->operation); !problem.isEmpty())
        return refuse(problem);
    const bool isMasked = work->operation.inputs.size() > 1 ||
                          std::any_of(settings.options.begin(), settings.options.end(),
                                      [](const auto& option) { return isLater(option.first); });
    if (isMasked && !map->live && shown.quantity == Quantity::Field)
        work->key = key.join(QChar(0x1F));
    const bool isKept = !work->key.isEmpty() && work->key == fullKey_;
    start(work, map->map->nside() > kQuickNside && !isKept);
}

void LiveSpectrum::start(const std::shared_ptr<const Work>& work, bool isPreview) {
    struct Made {
        SpectrumResult result;
        QString meanNote;
        QStringList lines;
    };
    const auto id = std::make_shared<int>(-1);
    *id = runner_.run<std::shared_ptr<Made>>(
        tr("Spectrum of %1").arg(work->names.front()),
        isPreview ? JobLane::Preview : JobLane::Compute, slot_, this,
        [work, isPreview, kept = kept_](JobContext& job) {
            auto made = std::make_shared<Made>();
            try {
                made->result = work->run(isPreview, *kept, made->meanNote, made->lines, job);
            } catch (const UsageError& error) {
                throw InvalidArgument(
                    withLabels(QString::fromUtf8(error.what()), work->operation).toStdString());
            }
            made->meanNote = withLabels(noteTypeset(made->meanNote), work->operation);
            return made;
        },
        [this, work, isPreview](const std::shared_ptr<Made>& made) {
            if (work->number != latest_) return;
            // The mean of the map was noted with the coefficients; other bins do not change it.
            const bool isKept = !work->key.isEmpty() && work->key == fullKey_;
            if (!isPreview) {
                for (const QString& line : made->lines) emit noted(line);
                if (!isKept && !made->meanNote.isEmpty()) emit noted(made->meanNote);
            }
            take(*work, made->result);
            if (isPreview && work->number == latest_) start(work, false);
        },
        [this, work, id](const QString& line) {
            if (work->number == latest_) emit failed(*id, line, work->result.of, work->settings);
        });
}

void LiveSpectrum::take(const Work& work, const SpectrumResult& result) {
    if (!result.preview && !work.isLive) fullKey_ = work.key;
    emit ready(result);
}

}  // namespace armilla

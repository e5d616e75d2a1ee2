// SPDX-License-Identifier: GPL-3.0-or-later
// Export of maps, views, figures and spectra to files, each with its recipe.
#include "armilla/session/exporter.h"

#include <QFileInfo>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/operations/files.h"
#include "armilla/operations/known_operations.h"
#include "armilla/session/document.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/layer_links.h"
#include "armilla/session/live_spectrum.h"
#include "armilla/session/notices.h"
#include "armilla/session/source_review.h"
#include "command_lines.h"
#include "export_parts.h"
#include "layer_files.h"
#include "operation_values.h"

namespace armilla {

Exporter::Exporter(const Document& document, JobRunner& runner, Notices& notices,
                   RegionBook& regions, const SourceReview& review, std::function<Device()> device,
                   Postpone postpone)
    : document_(document),
      runner_(runner),
      notices_(notices),
      regions_(regions),
      review_(review),
      device_(std::move(device)),
      postpone_(std::move(postpone)),
      lines_(std::make_unique<CommandLines>(document, device_)) {}

Exporter::~Exporter() = default;

void Exporter::save(const QString& path, JobLane lane, const SaveAs& elsewhere,
                    std::function<void(JobContext&)> write, std::function<void()> written) {
    saveInJob(runner_, notices_, this, path, lane, std::move(write), std::move(written), elsewhere);
}

void Exporter::exportLayer(LayerId id, const QString& path, bool overwrite) {
    SaveAs elsewhere{[=, this](const QString& other) { exportLayer(id, other, true); }};
    if (const Layer* layer = document_.entry(id)) elsewhere.kind = factsOf(layer->kind()).data;
    guardSaving(notices_, path, elsewhere, [&] {
        const Layer* layer = document_.entry(id);
        if (!layer) throw InvalidArgument("expected an open layer to save, found none");
        checkOutputName(path.toStdString(), overwrite, factsOf(layer->kind()).data);
        if (postpone_(id, path, [=, this] { exportLayer(id, path, overwrite); })) return;
        const auto chain = lines_->chainOf(id, path);
        const auto history =
            chain ? lines_->history(*chain, device_())
                  : lines_->history(lines_->recipeChain(id).join(QStringLiteral("; ")), {});
        const std::string leftOut =
            layer->curve ? leftOutOf(*layer->curve, path.toStdString()) : std::string();
        save(
            path, JobLane::Io, elsewhere,
            [value = layer->value(), path, overwrite, history](JobContext& job) {
                writeLayer(value, path.toStdString(), overwrite, history, job);
            },
            [this, id, path, leftOut] {
                emit exported(id);
                if (!leftOut.empty())
                    notices_.say(QStringLiteral("%1: %2").arg(QFileInfo(path).fileName(),
                                                              QString::fromStdString(leftOut)));
            });
    });
}

// Runs the operation of the command line with the exact words of that line, so that the file is
// equal to the bit.
void Exporter::exportView(const QString& path, int width, int height, bool overwrite) {
    const SaveAs elsewhere{
        [=, this](const QString& other) { exportView(other, width, height, true); },
        DataKind::Image};
    guardSaving(notices_, path, elsewhere, [&] {
        const Layer& entry = shownEntry(document_);
        checkOutputName(path.toStdString(), overwrite, DataKind::Image);
        if (postpone_(entry.id, path, [=, this] { exportView(path, width, height, overwrite); }))
            return;
        const Shown shown = document_.view().shown();
        const Camera camera = document_.view().camera();
        if (notices_.askFrame(entry.id, [=, this] { exportView(path, width, height, overwrite); }))
            return;
        if (camera.frame == Frame::Unknown)
            throw Unsupported(
                "expected a map that names its frame, for a picture with sky coordinates, found "
                "none");
        if (entry.map->frame() == Frame::Unknown)
            throw Unsupported(
                "expected a map in a known frame in this view, found one of an unknown frame; "
                "state it in the list of layers");
        if (camera.offset.x != 0.0 || camera.offset.y != 0.0)
            throw Unsupported("expected a view about its middle, found a part of another one");
        const Operation& project = operations::project();
        ParameterSet parameters = project.defaults();
        for (const auto& [name, text] :
             viewWords(camera, width, height, camera.radiansPerPixel(width, height)))
            parameters.set(name.toStdString(), text.isEmpty() ? "true" : text.toStdString());
        const auto chain = lines_->projectChain(path, width, height);
        const auto history =
            chain ? lines_->history(*chain, Device::cpu())
                  : lines_->history(lines_->recipeChain(entry.id).join(QStringLiteral("; ")) +
                                        QStringLiteral("; view ") + describeView(camera),
                                    {}, Device::cpu());
        save(path, JobLane::Compute, elsewhere,
             [map = entry.map, name = entry.name, shown, camera, &project, parameters, history,
              path, overwrite](JobContext& job) {
                 JobContext making = job.part(0.0, 0.3), drawing = job.part(0.3, 0.8),
                            writing = job.part(0.8, 1.0);
                 // A quantity of Q and U rotates with them and is a scalar afterwards.
                 const bool isField = shown.quantity == Quantity::Field;
                 const LayerValue value =
                     isField ? map : oneField(map, shown, camera.frame, making).map;
                 Inputs inputs;
                 inputs.all.push_back(inputOf(project.inputs.front(), parameters, value,
                                              name.toStdString(), {isField ? shown.field : 0}));
                 ParameterSet taken = parameters;
                 const Device on = Device::cpu();
                 Context context{on, drawing, {}, {}, [](const std::string&) {}};
                 const Outputs outputs = armilla::runOperation(project, context, inputs, taken);
                 writeOutput(outputs.front(), path.toStdString(), overwrite, {}, history, writing);
             });
    });
}

QString Exporter::commandFor(LayerId id, const QString& outputPath) {
    const Layer* entry = document_.entry(id);
    QString output = outputPath;
    if (output.isEmpty() && entry) {
        const auto recipe = recipeOf(document_, id);
        const std::vector<LayerId> inputs = recipe->inputs();
        const auto source = inputs.empty() ? std::nullopt : recipeOf(document_, inputs.front());
        auto root = recipe;
        while (root && !root->inputs().empty()) root = recipeOf(document_, root->inputs().front());
        const QString base = QFileInfo(root ? root->path : QString()).completeBaseName();
        output = base + QStringLiteral("_copy.fits");
        // Different widths need different names.
        if (recipe->kind == RecipeKind::Operation)
            output = (base.isEmpty() ? QString() : base + QLatin1Char('_')) +
                     fileStem(recipe->title()) + QStringLiteral(".fits");
        else if (source && recipe->profilePath.isEmpty() && recipe->smooth.fwhm > 0.0)
            output = QStringLiteral("%1_smoothed_%2.fits")
                         .arg(base, QString::fromStdString(angleArgument(recipe->smooth.fwhm)));
        else if (source)
            output = base + QStringLiteral("_smoothed.fits");
    }
    const auto chain = entry ? lines_->chainOf(id, output) : std::nullopt;
    if (!chain)
        notices_.complain(
            tr("expected a layer that was opened, or made of files that were, found "
               "one that no command makes"));
    return chain ? chain->text() : QString();
}

QString Exporter::commandForView(const QString& outputPath, int width, int height) {
    const auto chain = lines_->projectChain(outputPath, width, height);
    if (!chain)
        notices_.complain(
            tr("expected a view of a field of a file, found one that no command makes"));
    return chain ? chain->text() : QString();
}

QString Exporter::commandForSpectrum(const SpectrumResult& spectrum, const QString& outputPath,
                                     SpectrumForm form) {
    const auto chain = lines_->spectrumChain(spectrum, outputPath, form);
    if (!chain)
        notices_.complain(
            tr("expected a finished spectrum of a field of a file, or of a result that commands "
               "make, found another one"));
    return chain ? chain->text() : QString();
}

void Exporter::exportSpectrum(const SpectrumResult& spectrum, const QString& path, bool overwrite,
                              SpectrumForm form) {
    const SaveAs elsewhere{
        [=, this](const QString& other) { exportSpectrum(spectrum, other, true, form); },
        spectrum.bands ? DataKind::Curve : DataKind::Spectra};
    guardSaving(notices_, path, elsewhere, [&] {
        const bool areBands = spectrum.bands != nullptr;
        checkOutputName(path.toStdString(), overwrite,
                        areBands ? DataKind::Curve : DataKind::Spectra);
        if (form == SpectrumForm::Dl && !areBands) requireDlName(path.toStdString());
        if (!spectrum.spectra && !areBands)
            throw InvalidArgument("expected a spectrum to save, found none");
        const auto chain = lines_->spectrumChain(spectrum, path, form);
        FileWriteOptions options;
        options.overwrite = overwrite;
        options.asDl = form == SpectrumForm::Dl && !areBands;
        options.history =
            chain ? lines_->history(*chain, device_())
                  : lines_->history(
                        lines_->recipeChain(spectrum.of.entry).join(QStringLiteral("; ")) +
                            QStringLiteral("; spectrum"),
                        {});
        save(
            path, JobLane::Io, elsewhere,
            [spectra = spectrum.spectra, writer = spectrum.writer, path, options](JobContext& job) {
                if (spectra)
                    writeSpectra(*spectra, path.toStdString(), options, job);
                else
                    (*writer)(path.toStdString(), options, job);
            });
    });
}

QString Exporter::commandForOperation(const OperationRequest& request, const QString& outputPath) {
    std::optional<QString> command;
    notices_.guarded([&] {
        const QString problem = problemOf(request);
        if (!problem.isEmpty()) throw InvalidArgument(problem.toStdString());
        if (!lines_->statedFrame(request))
            throw InvalidArgument(
                "expected inputs of one frame where one of them was stated, which a command says "
                "once for all, found several");
        const auto chain = lines_->chainOf(request, outputPath);
        if (!chain)
            throw InvalidArgument(
                "expected inputs that were opened from files, or made of these by commands, found "
                "another one: export it first");
        command = chain->text();
    });
    return command.value_or(QString());
}

void Exporter::exportVerdicts(Verdict verdict, const QString& path, bool overwrite) {
    const SaveAs elsewhere{
        [=, this](const QString& other) { exportVerdicts(verdict, other, true); },
        DataKind::Catalog};
    guardSaving(notices_, path, elsewhere, [&] {
        auto catalog = std::make_shared<const Catalog>(review_.judged(verdict));
        if (catalog->rows() == 0)
            throw InvalidArgument(
                verdict == Verdict::None
                    ? "expected a catalog to save, found none"
                    : "expected candidates with this verdict to save, found none");
        checkOutputName(path.toStdString(), overwrite, DataKind::Catalog);
        save(path, JobLane::Io, elsewhere, [catalog, path, overwrite](JobContext& job) {
            Output output;
            output.data = catalog;
            writeOutput(output, path.toStdString(), overwrite, {}, {}, job);
        });
    });
}

}  // namespace armilla

#include "armilla/session/moc_exporter.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
// Export of maps, views, figures and spectra to files, each with its recipe.
#include <QFileInfo>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/operations/files.h"
#include "enum_names.h"
#include "export_parts.h"
#include "layer_files.h"
#include "operation_values.h"
#include "session_state.h"

namespace armilla {

namespace {

// HISTORY cards hold printable ASCII.
std::string asciiLine(QString line) {
    line.replace(QChar(0x2032), QStringLiteral("arcmin"))
        .replace(QChar(0x2033), QStringLiteral("arcsec"))
        .replace(QChar(0x00B0), QStringLiteral("deg"))
        .replace(QChar(0x00B5), QLatin1Char('u'))
        .replace(QChar(0x2212), QLatin1Char('-'));
    for (QChar& c : line)
        if (c < QChar(0x20) || c > QChar(0x7E)) c = QLatin1Char('?');
    return line.toStdString();
}

// The options of a view by name, in the syntax of `armilla project` and `render`. An option without
// text is a flag.
std::vector<std::pair<QString, QString>> viewWords(const Camera& camera, int width, int height,
                                                   double resolution) {
    const LonLat center = camera.center();
    std::vector<std::pair<QString, QString>> words{
        {QStringLiteral("projection"), json::nameOf(kProjections, camera.projection)},
        {QStringLiteral("center"),
         angleWord(center.lon) + QLatin1Char(',') + angleWord(center.lat)},
        {QStringLiteral("rotate"), angleWord(camera.rotation())},
        {QStringLiteral("frame"), QString(QLatin1Char(frameLetter(camera.frame)))},
        {QStringLiteral("size"), QStringLiteral("%1x%2").arg(width).arg(height)},
        {QStringLiteral("resolution"), angleWord(resolution)}};
    if (camera.flip) words.emplace_back(QStringLiteral("flip"), QString());
    return words;
}

// "smooth --fwhm 1deg": an operation with its options, without files.
QString operationStep(const Recipe& recipe) {
    try {
        const OperationRequest request = requestOf(recipe.record);
        std::string words(request.operation->id);
        for (const std::string& word : optionWords(*request.operation, request.parameters))
            words += " " + shellQuoted(word);
        return QString::fromStdString(words);
    } catch (const Error&) {
        return recipe.title();  // an operation of another version
    }
}

}  // namespace

QStringList Session::State::recipeChain(int entry) const {
    QStringList chain;
    for (auto recipe = document.recipeOf(entry); recipe; recipe = document.recipeOf(entry)) {
        QString step = recipe->title();
        if (recipe->kind == RecipeKind::Open) step = QStringLiteral("open ") + recipe->path;
        if (recipe->kind == RecipeKind::Smooth || recipe->kind == RecipeKind::MaskedDifference) {
            // The title rounds for display; a recipe needs the exact width.
            const double fwhm = recipe->smooth.fwhm;
            step.replace(QString::fromStdString(formatAngle(fwhm)),
                         QString::fromStdString(angleArgument(fwhm)));
            step += QStringLiteral(" of field %1").arg(recipe->field + 1);
        }
        if (recipe->kind == RecipeKind::Difference)
            step += QStringLiteral(" of field %1 and field %2 of (%3)")
                        .arg(recipe->field + 1)
                        .arg(recipe->otherField + 1)
                        .arg(recipeChain(recipe->other).join(QStringLiteral("; ")));
        if (recipe->kind == RecipeKind::Operation) step = operationStep(*recipe);
        chain.prepend(step + recipe->statedText());
        const std::vector<int> inputs = recipe->inputs();
        entry = inputs.empty() ? -1 : inputs.front();
    }
    return chain;
}

std::vector<std::string> Session::State::history(const QString& what, const QString& command,
                                                 const Device& on) const {
    return {
        asciiLine(programVersion()),
        asciiLine(command.isEmpty() ? QStringLiteral("recipe: ") + what
                                    : QStringLiteral("command: ") + command),
        asciiLine(QStringLiteral("device: %1 (%2)")
                      .arg(QString::fromStdString(on.label()), QString::fromStdString(on.name)))};
}

std::vector<std::string> Session::State::history(const QString& what,
                                                 const QString& command) const {
    return history(what, command, device);
}

void Session::State::exportInJob(const QString& path, JobLane lane,
                                 std::function<void(JobContext&)> write,
                                 std::function<void()> written) {
    runner.run<bool>(
        tr("Save %1").arg(QFileInfo(path).fileName()), lane, {}, &session,
        [write = std::move(write)](JobContext& job) {
            write(job);
            return true;
        },
        [this, path, written = std::move(written)](bool) {
            if (written) written();
            notices.say(tr("saved %1").arg(path));
        },
        [this](const QString& line) { notices.complain(line); });
}

bool Session::State::waitsForPreview(int layer, const QString& path, std::function<void()> act) {
    const Layer* live = document.live();
    if (!live || live->id != layer || liveIsFull) return false;
    if (!previewBusy)
        throw InvalidArgument("expected a finished map to save, found a preview at nside " +
                              std::to_string(live->map->nside()) + " that was stopped");
    whenFull.push_back(std::move(act));
    notices.say(tr("%1 is written once the preview is complete").arg(QFileInfo(path).fileName()));
    if (liveRest.isActive()) copyLive();
    return true;
}

void Session::exportLayer(int id, const QString& path, bool overwrite) {
    State& state = *state_;
    state.notices.guarded([&] {
        const Layer* layer = document().entry(id);
        if (!layer) throw InvalidArgument("expected an open layer to save, found none");
        checkOutputName(path.toStdString(), overwrite, factsOf(layer->kind()).data);
        if (state.waitsForPreview(id, path, [=, this] { exportLayer(id, path, overwrite); }))
            return;
        const auto chain = state.chainOf(id, path);
        const auto history =
            chain ? state.history(*chain, state.device)
                  : state.history(state.recipeChain(id).join(QStringLiteral("; ")), {});
        const std::string leftOut =
            layer->curve ? leftOutOf(*layer->curve, path.toStdString()) : std::string();
        state.exportInJob(
            path, JobLane::Io,
            [value = layer->value(), path, overwrite, history](JobContext& job) {
                writeLayer(value, path.toStdString(), overwrite, history, job);
            },
            [this, id, path, leftOut] {
                state_->saved.insert(id);
                if (!leftOut.empty())
                    state_->notices.say(QStringLiteral("%1: %2").arg(
                        QFileInfo(path).fileName(), QString::fromStdString(leftOut)));
            });
    });
}

// Runs the operation of the command line with the exact words of that line, so that the file is
// equal to the bit.
void Session::exportView(const QString& path, int width, int height, bool overwrite) {
    State& state = *state_;
    state.notices.guarded([&] {
        const Layer& entry = shownEntry(document());
        checkOutputName(path.toStdString(), overwrite, DataKind::Image);
        if (state.waitsForPreview(entry.id, path,
                                  [=, this] { exportView(path, width, height, overwrite); }))
            return;
        const Shown shown = document().shown();
        const Camera camera = document().camera();
        if (askFrame(entry.id, [=, this] { exportView(path, width, height, overwrite); })) return;
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
        const Operation& project = *findOperation("project");
        ParameterSet parameters = project.defaults();
        for (const auto& [name, text] :
             viewWords(camera, width, height, camera.radiansPerPixel(width, height)))
            parameters.set(name.toStdString(), text.isEmpty() ? "true" : text.toStdString());
        const auto chain = state.projectChain(path, width, height);
        const auto history =
            chain ? state.history(*chain, Device::cpu())
                  : state.history(state.recipeChain(entry.id).join(QStringLiteral("; ")) +
                                      QStringLiteral("; view ") + describeView(camera),
                                  {}, Device::cpu());
        state.exportInJob(
            path, JobLane::Compute,
            [map = entry.map, name = entry.name, shown, camera, &project, parameters, history, path,
             overwrite](JobContext& job) {
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

std::optional<CommandChain> Session::State::viewChain(const QString& verb,
                                                      const QString& outputPath, int width,
                                                      int height, double resolution) const {
    const Shown shown = document.shown();
    const Camera& camera = document.camera();
    const auto recipe = document.recipeOf(shown.entry);
    const Layer* layer = document.entry(shown.entry);
    if (!layer || !layer->map || layer->map->frame() == Frame::Unknown) return std::nullopt;
    if (!recipe || shown.quantity != Quantity::Field || camera.offset.x != 0.0 ||
        camera.offset.y != 0.0 || camera.frame == Frame::Unknown)
        return std::nullopt;
    CommandChain chain{outputPath, {}, {}};
    const auto file = fileFor(chain, shown.entry, true);
    if (!file) return std::nullopt;
    QString line = QStringLiteral("armilla %1 %2 %3 --field %4")
                       .arg(verb, shellPath(*file), shellPath(outputPath),
                            shellQuoted(fieldWord(shown.entry, shown.field)));
    for (const auto& [name, text] : viewWords(camera, width, height, resolution)) {
        line += QStringLiteral(" --") + name;
        if (!text.isEmpty()) line += QLatin1Char(' ') + text;
    }
    chain.steps.push_back({line + statedOptions(*recipe), {}});
    return chain;
}

std::optional<CommandChain> Session::State::projectChain(const QString& outputPath, int width,
                                                         int height) const {
    return viewChain(QStringLiteral("project"), outputPath, width, height,
                     document.camera().radiansPerPixel(width, height));
}

QString Session::commandFor(int id, const QString& outputPath) {
    const Layer* entry = document().entry(id);
    QString output = outputPath;
    if (output.isEmpty() && entry) {
        const auto recipe = document().recipeOf(id);
        const std::vector<int> inputs = recipe->inputs();
        const auto source = inputs.empty() ? std::nullopt : document().recipeOf(inputs.front());
        auto root = recipe;
        while (root && !root->inputs().empty()) root = document().recipeOf(root->inputs().front());
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
    const auto chain = entry ? state_->chainOf(id, output) : std::nullopt;
    if (!chain)
        state_->notices.complain(
            tr("expected a layer that was opened, or made of files that were, found "
               "one that no command makes"));
    return chain ? chain->text() : QString();
}

QString Session::commandForView(const QString& outputPath, int width, int height) {
    const auto chain = state_->projectChain(outputPath, width, height);
    if (!chain)
        state_->notices.complain(
            tr("expected a view of a field of a file, found one that no command makes"));
    return chain ? chain->text() : QString();
}

}  // namespace armilla

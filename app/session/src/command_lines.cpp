// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_lines.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <set>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/operations/known_operations.h"
#include "armilla/session/document.h"
#include "armilla/session/layer_links.h"
#include "armilla/session/live_spectrum.h"
#include "armilla/session/shown_text.h"
#include "enum_names.h"
#include "export_parts.h"
#include "operation_values.h"
#include "program_version.h"

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

// True for colors that `armilla render` can produce.
bool hasPlainColors(const ColorScale& scale) {
    const ColorScale plain;
    const ColorMapping& mapping = scale.mapping;
    return (mapping.scale == Scale::Linear || mapping.scale == Scale::Log) &&
           mapping.middle == plain.mapping.middle && !scale.reversed && scale.bad == plain.bad &&
           scale.outside == plain.outside && !scale.ownBelow && !scale.ownAbove;
}

// " --name text", with "=" before a text that would be taken for an option.
QString optionText(std::string_view name, const QString& text) {
    const QString option =
        QStringLiteral("--") + QString::fromUtf8(name.data(), static_cast<int>(name.size()));
    // A text that looks like an option is one word with its own, quoted as the command writes it.
    const QString word = text.startsWith(QLatin1Char('-'))
                             ? shellQuoted(option + QLatin1Char('=') + text)
                             : option + QLatin1Char(' ') + shellQuoted(text);
    return QLatin1Char(' ') + word;
}

// The options of a figure that differ from those of the command, but for the resolution and the
// graticule, which are always written.
QString lookWords(const FigureSetup& setup, const FigureRequest& request) {
    FigureOptions own = setup.options, standard;
    own.dpi = standard.dpi;
    own.graticule = standard.graticule;
    // The resolution belongs to this height, whatever the layout leaves open.
    if (own.width && !own.height) own.height = request.height * kMillimetersPerInch / request.dpi;
    own.columns = setup.panels.empty() ? 0 : request.columns;
    if (!setup.markers.isValid()) own.legend.clear();
    ParameterSet set(own), plain(standard);
    const std::vector<Parameter> rows = set.rows(), defaults = plain.rows();
    QString words;
    for (size_t i = 0; i < rows.size(); ++i) {
        const ParameterValue value = rows[i].get();
        if (sameBits(value, defaults[i].get())) continue;
        words +=
            rows[i].kind == ParameterKind::Flag
                ? QStringLiteral(" --") +
                      QString::fromUtf8(rows[i].name.data(), static_cast<int>(rows[i].name.size()))
                : optionText(rows[i].name, QString::fromStdString(rows[i].text(value)));
    }
    if (!setup.label.isEmpty()) words += optionText("label", setup.label);
    if (!setup.unit.isEmpty()) words += optionText("unit", setup.unit);
    if (const auto& inset = setup.inset) {
        words += QStringLiteral(" --inset %1,%2 --inset-width %3")
                     .arg(angleWord(inset->center.lon), angleWord(inset->center.lat),
                          angleWord(inset->width));
        for (const auto& corner : kFigureCorners)
            if (corner.value == inset->corner)
                words +=
                    QStringLiteral(" --inset-corner ") +
                    QString::fromUtf8(corner.word.data(), static_cast<int>(corner.word.size()));
    }
    QStringList ticks;
    for (const double value : setup.ticks) ticks << QString::fromStdString(exactNumber(value));
    if (!ticks.isEmpty()) words += QStringLiteral(" --ticks=") + ticks.join(QLatin1Char(','));
    return words;
}

// Enough digits to restore a single-precision value.
QString numberWord(float value) {
    return QString::number(static_cast<double>(value), 'g', 9);
}

// " --input-frame G --input-nside 64": what the user stated about an opened file. A file that an
// earlier command makes names its frame and all other facts.
QString statedOptions(const Recipe& recipe) {
    if (recipe.kind != RecipeKind::Open) return {};
    QString words;
    if (recipe.statedFrame != Frame::Unknown)
        words = QStringLiteral(" --input-frame ") + QLatin1Char(frameLetter(recipe.statedFrame));
    for (const QString& word : recipe.statedFile.words())
        words += QLatin1Char(' ') + shellQuoted(word);
    return words;
}

}  // namespace

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

QString CommandChain::text() const {
    QStringList lines;
    for (const Step& step : steps) lines << step.line;
    return lines.join(QStringLiteral(" && "));
}

QString CommandChain::fileOf(size_t step) const {
    static const QRegularExpression suffix(
        QStringLiteral(
            "\\.(fits|fit|fits\\.gz|fit\\.gz|parquet|csv|ecsv|vot|xml|txt|dat|png|pdf|svg)$"),
        QRegularExpression::CaseInsensitiveOption);
    QString stem = output;
    stem.remove(suffix);
    return QStringLiteral("%1_step%2.fits").arg(stem).arg(step + 1);
}

QString CommandChain::nextFile() const {
    return fileOf(steps.size());
}

CommandLines::CommandLines(const Document& document, std::function<Device()> device)
    : document_(document), device_(std::move(device)) {}

QString CommandLines::fieldWord(LayerId layer, int field) const {
    const auto recipe = recipeOf(document_, layer);
    return recipe ? recipe->fields.value(field, QString::number(field + 1))
                  : QString::number(field + 1);
}

// A file with stated facts is read by a command of its own, unless it is the only input: a command
// states facts for all of its inputs.
std::optional<QString> CommandLines::fileFor(CommandChain& chain, LayerId layer,
                                             FileUse use) const {
    // A mask made for a spectrum is a step, not a layer.
    if (layer == LiveSpectrum::kMadeMask) return chain.fileOf(chain.made.at(layer));
    const auto recipe = recipeOf(document_, layer);
    if (!recipe) return std::nullopt;
    const bool isFrameFree = use == FileUse::Beside || recipe->statedFrame == Frame::Unknown;
    if (recipe->kind == RecipeKind::Open &&
        (use == FileUse::Alone || (!recipe->statedFile.any() && isFrameFree)))
        return recipe->path;
    if (const auto known = chain.made.find(layer); known != chain.made.end())
        return chain.fileOf(known->second);
    // The steps of the inputs come first, so the number of this file follows from theirs.
    CommandChain longer = chain;
    if (!addStep(longer, layer, QString())) return std::nullopt;
    chain = std::move(longer);
    const size_t step = chain.steps.size() - 1;
    chain.made[layer] = step;
    return chain.fileOf(step);
}

bool CommandLines::addSmooth(CommandChain& chain, const Recipe& recipe, int64_t nside,
                             const QString& outputPath) const {
    const auto source = recipeOf(document_, recipe.input);
    if (!source) return false;
    const auto file = fileFor(chain, recipe.input, FileUse::Alone);
    if (!file) return false;
    bool isNumber = false;
    const int field = fieldWord(recipe.input, recipe.field).toInt(&isNumber) - 1;
    if (!isNumber) return false;
    // The command names its lmax, as in the HISTORY of operations.
    SmoothParameters parameters = recipe.smooth;
    if (parameters.lmax < 0) parameters.lmax = static_cast<int>(3 * nside - 1);
    const QString output = outputPath.isEmpty() ? chain.nextFile() : outputPath;
    const QString line = smoothCommand(*file, output, field, parameters, recipe.profilePath);
    if (line.isEmpty()) return false;
    const auto before = chain.made.find(recipe.input);
    chain.steps.push_back({line + statedOptions(*source), before == chain.made.end()
                                                              ? std::nullopt
                                                              : std::optional(before->second)});
    return true;
}

bool CommandLines::addStep(CommandChain& chain, LayerId id, const QString& outputPath) const {
    const auto recipe = recipeOf(document_, id);
    if (!recipe) return false;
    const Layer* entry = document_.entry(id);
    switch (recipe->kind) {
        case RecipeKind::Open: {
            const QString output = outputPath.isEmpty() ? chain.nextFile() : outputPath;
            QString line = QStringLiteral("armilla convert %1 %2")
                               .arg(shellPath(recipe->path), shellPath(output));
            if (!recipe->fields.isEmpty())
                line += QStringLiteral(" --fields ") +
                        shellQuoted(recipe->fields.join(QLatin1Char(',')));
            if (entry && entry->map && entry->map->coverage() != Coverage::Full)
                line += QStringLiteral(" --sparse");
            chain.steps.push_back({line + statedOptions(*recipe), {}});
            return true;
        }
        case RecipeKind::Operation:
            return recipe->output == 0 && addStep(chain, requestOf(recipe->record), outputPath);
        case RecipeKind::Smooth:
            return entry && entry->map &&
                   addSmooth(chain, *recipe, entry->map->nside(), outputPath);
        default: return false;
    }
}

bool CommandLines::addStep(CommandChain& chain, const OperationRequest& request,
                           const QString& outputPath) const {
    std::vector<SlotFile> files;
    std::vector<std::string> more;
    std::optional<size_t> continued;
    StatedFile facts;
    const std::vector<OutputSlot>& outputs = request.operation->outputs;
    const std::string_view kept = outputs.empty() ? std::string_view() : outputs.front().continues;
    const auto layers = std::count_if(request.inputs.begin(), request.inputs.end(),
                                      [](const auto& given) { return given.layer.isValid(); });
    for (const OperationRequest::Given& given : request.inputs) {
        const std::string slot = given.slot.toStdString();
        const std::string named =
            given.variable.isEmpty() ? std::string() : given.variable.toStdString() + "=";
        if (!given.layer.isValid()) {
            files.push_back({slot, named + given.literal.toStdString()});
            continue;
        }
        const auto recipe = recipeOf(document_, given.layer);
        const auto file =
            fileFor(chain, given.layer, layers == 1 ? FileUse::Alone : FileUse::Beside);
        if (!file) return false;
        const bool isOpened = recipe && recipe->kind == RecipeKind::Open && *file == recipe->path;
        if (layers == 1 && isOpened) facts = recipe->statedFile;
        if (slot == kept && !continued && !isOpened) continued = chain.made.at(given.layer);
        files.push_back({slot, named + file->toStdString()});
        if (!named.empty()) {
            // A layer of one selected field of its file.
            if (isOpened && recipe->fields.size() == 1)
                files.back().path += "#" + recipe->fields.front().toStdString();
            continue;
        }
        // The command reads the first field by default.
        if (given.fields.size() != 1 || !more.empty()) continue;
        // In a layer with selected fields of its file, field numbers count the selected ones only.
        // A file that the chain makes from that layer has no other fields.
        const int field = given.fields.front();
        const QString column =
            isOpened ? fieldWord(given.layer, field) : QString::number(field + 1);
        if (column != QLatin1String("1")) more = {"--field", column.toStdString()};
    }
    const QString output = outputPath.isEmpty() ? chain.nextFile() : outputPath;
    for (const OutputSlot& slot : request.operation->outputs)
        if (!slot.isOption)
            files.push_back({std::string(slot.name), output.toStdString()});
        else if (request.wanted.contains(slot.name))
            files.push_back({std::string(slot.name), std::string(slot.name) + ".fits"});
    const auto frame = statedFrame(request);
    if (!frame) return false;
    if (*frame != Frame::Unknown)
        more.insert(more.end(), {"--input-frame", std::string(1, frameLetter(*frame))});
    for (const QString& word : facts.words()) more.push_back(word.toStdString());
    chain.steps.push_back(
        {QString::fromStdString(commandLine(*request.operation, request.parameters, files, more)),
         continued});
    return true;
}

std::optional<CommandChain> CommandLines::chainOf(LayerId id, const QString& outputPath) const try {
    CommandChain chain{outputPath, {}, {}};
    if (!addStep(chain, id, outputPath)) return std::nullopt;
    return chain;
} catch (const Error&) {
    return std::nullopt;  // the record of an operation of another version
}

std::optional<CommandChain> CommandLines::chainOf(const OperationRequest& request,
                                                  const QString& outputPath) const {
    CommandChain chain{outputPath, {}, {}};
    if (!addStep(chain, request, outputPath)) return std::nullopt;
    return chain;
}

std::vector<std::string> CommandLines::history(const CommandChain& chain, const Device& on) const {
    std::vector<std::string> lines;
    for (std::optional<size_t> step = chain.steps.size() - 1; step;
         step = chain.steps[*step].continued) {
        const auto own = history(QString(), chain.steps[*step].line, on);
        lines.insert(lines.begin(), own.begin(), own.end());
    }
    return lines;
}

QString CommandLines::fieldWordIn(const QString& file, LayerId layer, int field) const {
    // A file that the chain makes from a layer of selected fields has no other fields.
    const auto recipe = recipeOf(document_, layer);
    const bool isMade = recipe && recipe->kind == RecipeKind::Open && file != recipe->path;
    return isMade ? QString::number(field + 1) : fieldWord(layer, field);
}

std::optional<CommandChain> CommandLines::viewChain(CommandChain chain, const QString& verb,
                                                    int width, int height, double resolution,
                                                    FileUse use) const {
    const Shown shown = document_.view().shown();
    const Camera& camera = document_.view().camera();
    const auto recipe = recipeOf(document_, shown.entry);
    const Layer* layer = document_.entry(shown.entry);
    if (!layer || !layer->map || layer->map->frame() == Frame::Unknown) return std::nullopt;
    if (!recipe || shown.quantity != Quantity::Field || camera.offset.x != 0.0 ||
        camera.offset.y != 0.0 || camera.frame == Frame::Unknown)
        return std::nullopt;
    const auto file = fileFor(chain, shown.entry, use);
    if (!file) return std::nullopt;
    QString line = QStringLiteral("armilla %1 %2 %3 --field %4")
                       .arg(verb, shellPath(*file), shellPath(chain.output),
                            shellQuoted(fieldWordIn(*file, shown.entry, shown.field)));
    for (const auto& [name, text] : viewWords(camera, width, height, resolution)) {
        line += QStringLiteral(" --") + name;
        if (!text.isEmpty()) line += QLatin1Char(' ') + text;
    }
    if (*file == recipe->path) line += statedOptions(*recipe);
    chain.steps.push_back({line, {}});
    return chain;
}

std::optional<CommandChain> CommandLines::projectChain(const QString& outputPath, int width,
                                                       int height) const {
    return viewChain({outputPath, {}, {}}, textOf(operations::project().id), width, height,
                     document_.view().camera().radiansPerPixel(width, height), FileUse::Alone);
}

std::optional<CommandChain> CommandLines::spectrumChain(const SpectrumResult& spectrum,
                                                        const QString& outputPath,
                                                        SpectrumForm form) const {
    if (!spectrum.request.operation || spectrum.preview || spectrum.of.quantity != Quantity::Field)
        return std::nullopt;
    CommandChain chain{outputPath, {}, {}};
    if (spectrum.madeMask) {
        if (!addStep(chain, *spectrum.madeMask, QString())) return std::nullopt;
        chain.made[LiveSpectrum::kMadeMask] = chain.steps.size() - 1;
    }
    if (!addStep(chain, spectrum.request, outputPath)) return std::nullopt;
    if (form == SpectrumForm::Dl && !spectrum.bands)
        chain.steps.back().line += QStringLiteral(" --dl");
    return chain;
}

// " --rods-length FILE --rods-length-field NAME"; empty for the polarized amplitude. None if the
// layer is no unchanged field of a file.
std::optional<QString> CommandLines::rodLengthWords() const {
    const Layer* lengths = document_.overlays().rodLengths();
    if (!lengths) return QString();
    const auto recipe = recipeOf(document_, lengths->id);
    const auto shown = recipeOf(document_, document_.view().shown().entry);
    if (!recipe || recipe->kind != RecipeKind::Open || !shown ||
        recipe->statedFrame != shown->statedFrame || recipe->statedFile != shown->statedFile)
        return std::nullopt;
    return QStringLiteral(" --rods-length %1 --rods-length-field %2")
        .arg(shellPath(recipe->path),
             shellQuoted(
                 fieldWord(lengths->id, document_.overlays().polarizationLook().lengthField)));
}

std::optional<CommandChain> CommandLines::figureChain(const FigureRequest& request,
                                                      const FigureSetup& setup,
                                                      const QString& outputPath) const {
    const ColorScale& scale = request.scale;
    CommandChain files{outputPath, {}, {}};
    const auto content = contentWords(files, setup);
    if (!content) return std::nullopt;
    auto chain = viewChain(std::move(files), QStringLiteral("render"), request.width,
                           request.height, figureResolution(request),
                           content->isEmpty() ? FileUse::Alone : FileUse::Unstated);
    const auto lengths = rodLengthWords();
    if (!chain || !hasPlainColors(scale)) return std::nullopt;
    QString& line = chain->steps.back().line;
    // A size on paper stands in place of that in pixels.
    if (setup.options.width)
        line.remove(QStringLiteral(" --size %1x%2").arg(request.width).arg(request.height));
    line += *content + lookWords(setup, request);
    line +=
        QStringLiteral(" --colormap %1 --scale %2 --min %3 --max %4 --dpi %5")
            .arg(QString::fromStdString(scale.colorMap), json::nameOf(kScales, scale.mapping.scale),
                 numberWord(scale.mapping.low), numberWord(scale.mapping.high))
            .arg(request.dpi, 0, 'g', 9);
    if (request.graticuleStep > 0.0)
        line += QStringLiteral(" --graticule ") + angleWord(request.graticuleStep);
    if (const auto& polarization = request.polarization) {
        if (polarization->rodSpacing > 0.0) {
            if (!lengths) return std::nullopt;
            line += QStringLiteral(" --rods ") + angleWord(polarization->rodSpacing) + *lengths;
        }
        if (polarization->leastSnr > 0.0)
            line += QStringLiteral(" --rods-noise %1 --rods-snr %2")
                        .arg(polarization->noise, 0, 'g', 9)
                        .arg(polarization->leastSnr);
        if (polarization->lic) line += QStringLiteral(" --drapery");
        const bool turned = polarization->convention == PolarizationConvention::Iau;
        if (turned)
            line += polarization->map->metadata().iauOnDisk ? QStringLiteral(" --polconv cosmo")
                                                            : QStringLiteral(" --polconv iau");
    }
    line += optionText("title", request.title);
    return chain;
}

std::optional<QString> CommandLines::contentWords(CommandChain& chain,
                                                  const FigureSetup& setup) const {
    QString words;
    QStringList panels;
    for (const PanelSetup& panel : setup.panels) {
        const auto file = fileFor(chain, panel.layer, FileUse::Unstated);
        if (!file) return std::nullopt;
        panels << *file + QLatin1Char('#') + fieldWordIn(*file, panel.layer, panel.field);
    }
    for (const QStringList& list : {panels, setup.panelTitles})
        for (const QString& word : list)
            // The option splits its text at commas and removes blanks around the parts.
            if (word.contains(QLatin1Char(',')) || word != word.trimmed()) return std::nullopt;
    // Every panel has a title, or none has.
    if (setup.panelTitles.contains(QString())) return std::nullopt;
    if (!panels.isEmpty()) words += optionText("panels", panels.join(QLatin1Char(',')));
    if (!panels.isEmpty() && !setup.panelTitles.isEmpty())
        words += optionText("panel-titles", setup.panelTitles.join(QLatin1Char(',')));
    if (!setup.markers.isValid()) return words;
    const auto catalog = fileFor(chain, setup.markers, FileUse::Unstated);
    if (!catalog) return std::nullopt;
    return words + optionText("catalog", *catalog);
}

std::optional<Frame> CommandLines::statedFrame(const OperationRequest& request) const {
    std::set<Frame> stated, main;
    for (const OperationRequest::Given& given : request.inputs) {
        const Layer* layer = document_.entry(given.layer);
        if (!layer) continue;
        const Frame frame = factsOf(layer->kind()).frame(*layer);
        // A file that an earlier command makes names its frame.
        const bool isStated =
            layer->recipe.kind == RecipeKind::Open && layer->recipe.statedFrame != Frame::Unknown;
        if (isStated) stated.insert(frame);
        const auto& all = request.operation->inputs;
        const auto slot = std::find_if(all.begin(), all.end(), [&](const InputSlot& each) {
            return given.slot.toStdString() == each.name;
        });
        const bool mayDiffer = slot != all.end() && slot->isOption && frame != Frame::Unknown;
        if (factsOf(layer->kind()).inFrame && !mayDiffer) main.insert(frame);
    }
    if (stated.empty()) return Frame::Unknown;
    main.insert(stated.begin(), stated.end());
    return main.size() == 1 ? std::optional(*main.begin()) : std::nullopt;
}

QStringList CommandLines::recipeChain(LayerId entry) const {
    QStringList chain;
    for (auto recipe = recipeOf(document_, entry); recipe; recipe = recipeOf(document_, entry)) {
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
        const std::vector<LayerId> inputs = recipe->inputs();
        entry = inputs.empty() ? LayerId() : inputs.front();
    }
    return chain;
}

std::vector<std::string> CommandLines::history(const QString& what, const QString& command,
                                               const Device& on) const {
    return {
        asciiLine(programVersion()),
        asciiLine(command.isEmpty() ? QStringLiteral("recipe: ") + what
                                    : QStringLiteral("command: ") + command),
        asciiLine(QStringLiteral("device: %1 (%2)")
                      .arg(QString::fromStdString(on.label()), QString::fromStdString(on.name)))};
}

std::vector<std::string> CommandLines::history(const QString& what, const QString& command) const {
    return history(what, command, device_());
}

}  // namespace armilla

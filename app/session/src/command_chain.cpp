// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_chain.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>

#include "armilla/core/error.h"
#include "operation_values.h"
#include "session_state.h"

namespace armilla {

// A file that an earlier command makes names its frame and all other facts.
QString statedOptions(const Recipe& recipe) {
    if (recipe.kind != RecipeKind::Open) return {};
    QString words;
    if (recipe.statedFrame != Frame::Unknown)
        words = QStringLiteral(" --input-frame ") + QLatin1Char(frameLetter(recipe.statedFrame));
    for (const QString& word : recipe.statedFile.words())
        words += QLatin1Char(' ') + shellQuoted(word);
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

QString Session::State::fieldWord(int layer, int field) const {
    const auto recipe = document.recipeOf(layer);
    return recipe ? recipe->fields.value(field, QString::number(field + 1))
                  : QString::number(field + 1);
}

// A file with stated facts is read by a command of its own, unless it is the only input: a command
// states facts for all of its inputs.
std::optional<QString> Session::State::fileFor(CommandChain& chain, int layer, bool isAlone) const {
    // A mask made for a spectrum is a step, not a layer.
    if (layer == LiveSpectrum::kMadeMask) return chain.fileOf(chain.made.at(layer));
    const auto recipe = document.recipeOf(layer);
    if (!recipe) return std::nullopt;
    if (recipe->kind == RecipeKind::Open && (isAlone || !recipe->statedFile.any()))
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

bool Session::State::addSmooth(CommandChain& chain, const Recipe& recipe, int64_t nside,
                               const QString& outputPath) const {
    const auto source = document.recipeOf(recipe.input);
    if (!source) return false;
    const auto file = fileFor(chain, recipe.input, true);
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

bool Session::State::addStep(CommandChain& chain, int id, const QString& outputPath) const {
    const auto recipe = document.recipeOf(id);
    if (!recipe) return false;
    const Layer* entry = document.entry(id);
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

bool Session::State::addStep(CommandChain& chain, const OperationRequest& request,
                             const QString& outputPath) const {
    std::vector<SlotFile> files;
    std::vector<std::string> more;
    std::optional<size_t> continued;
    StatedFile facts;
    const std::vector<OutputSlot>& outputs = request.operation->outputs;
    const std::string_view kept = outputs.empty() ? std::string_view() : outputs.front().continues;
    const auto layers = std::count_if(request.inputs.begin(), request.inputs.end(),
                                      [](const auto& given) { return given.layer >= 0; });
    for (const OperationRequest::Given& given : request.inputs) {
        const std::string slot = given.slot.toStdString();
        const std::string named =
            given.variable.isEmpty() ? std::string() : given.variable.toStdString() + "=";
        if (given.layer < 0) {
            files.push_back({slot, named + given.literal.toStdString()});
            continue;
        }
        const auto recipe = document.recipeOf(given.layer);
        const auto file = fileFor(chain, given.layer, layers == 1);
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

std::optional<CommandChain> Session::State::chainOf(int id, const QString& outputPath) const try {
    CommandChain chain{outputPath, {}, {}};
    if (!addStep(chain, id, outputPath)) return std::nullopt;
    return chain;
} catch (const Error&) {
    return std::nullopt;  // the record of an operation of another version
}

std::optional<CommandChain> Session::State::chainOf(const OperationRequest& request,
                                                    const QString& outputPath) const {
    CommandChain chain{outputPath, {}, {}};
    if (!addStep(chain, request, outputPath)) return std::nullopt;
    return chain;
}

std::vector<std::string> Session::State::history(const CommandChain& chain,
                                                 const Device& on) const {
    std::vector<std::string> lines;
    for (std::optional<size_t> step = chain.steps.size() - 1; step;
         step = chain.steps[*step].continued) {
        const auto own = history(QString(), chain.steps[*step].line, on);
        lines.insert(lines.begin(), own.begin(), own.end());
    }
    return lines;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/operation_command.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/counted.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/operations/by_blocks.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/files.h"
#include "armilla/operations/over_ranks.h"
#include "armilla/operations/record.h"
#include "cli/files.h"
#include "cli/run.h"
#include "cli/spectrum_options.h"

namespace armilla::cli {

namespace {

class OperationCommand : public Command {
public:
    explicit OperationCommand(const Operation& operation)
        : operation_(operation), parameters_(operation.defaults()), rows_(parameters_.rows()) {}

    std::string_view name() const override { return operation_.id; }
    std::string_view summary() const override { return operation_.help; }
    DeviceSupport devices() const override { return operation_.devices; }

    std::string_view manual() const override { return operation_.manual; }

    void fill(Form& form) override {
        fillFiles(form);
        for (const InputSlot& slot : operation_.inputs)
            if (slot.isOption) {
                form.optionFile(slot.name, optionFiles_[std::string(slot.name)], slot.help,
                                slot.isRepeatable);
                form.files.back().isSingle = slot.isNamed;
            }
        for (const OutputSlot& slot : operation_.outputs)
            if (slot.isOption)
                form.optionFile(slot.name, optionFiles_[std::string(slot.name)], slot.help, false);
        form.rows = rows_;
        if (makesSpectra()) form.options.flag("dl", asDl_, {}, kDlHelp);
        if (readsSpectra()) describe(form.options, spectra_);
    }

    void check() const override {
        spectra_.check();
        for (const InputSlot& slot : operation_.inputs)
            if (const auto given = optionFiles_.find(std::string(slot.name));
                slot.isNamed && given != optionFiles_.end())
                for (const std::string& text : given->second) namedFile(slot.name, text);
        requireNoProblem(operation_, parameters_, givenSlots());
    }

    void execute(Run& run) override {
        const Files files = placedFiles();
        requireMapFor(run);
        checkOutputs(run, files);
        executeOn(run, files);
    }

    void executeOverRanks(Run& run, Ranks& ranks) override {
        if (!sharesAmongRanks(operation_)) return Command::executeOverRanks(run, ranks);
        const Files files = placedFiles();
        requireMapFor(run);
        checkOutputs(run, files);
        JobContext working = run.job().part(0.0, 1.0);
        Context context{run.device(), working, run.options().precision, {}, {}};
        context.note = [&run](const std::string& line) { run.note(line); };
        const std::vector<std::string> typed = optionWords(operation_, parameters_);
        RankCall call{ranks, context, operation_, parameters_, files.inputs};
        call.output = files.outputs.front().second;
        call.reading = run.reading();
        call.reading.spectra = spectra_.reading();
        call.overwrite = run.options().overwrite;
        call.threadsAlone = run.options().threadsOfOne();
        call.history = [&] { return historyOf(run, typed); };
        if (asDl_) call.finish = writeAsDl;
        if (const std::string why = reasonForOne(call); !why.empty()) {
            run.note(why + ": one rank of " + std::to_string(ranks.size()) + " works");
            if (ranks.rank() == 0) executeOn(run, files);
            return;
        }
        run.reportDevice();
        const std::string summary = runOverRanks(call);
        run.result().set("output", call.output);
        for (const auto& [key, value] : *context.figures.members()) run.result().set(key, value);
        run.print("wrote " + call.output + ": " + summary);
    }

private:
    struct Files {
        std::vector<std::pair<const InputSlot*, std::string>> inputs;
        std::vector<std::pair<const OutputSlot*, std::string>> outputs;
    };

    void checkOutputs(const Run& run, const Files& files) const {
        std::set<std::string> names;
        for (const auto& [slot, path] : files.outputs) {
            if (!names.insert(std::filesystem::path(path).lexically_normal().string()).second)
                throw UsageError(path +
                                 ": expected a name of its own for each output, found it twice");
            std::optional<DataKind> kind = slot->kind;
            if (slot->kindGiven) kind = slot->kindGiven(givenSlots());
            if (!slot->suffixes.empty()) {
                requireSuffix(path, slot->suffixes);
                kind.reset();
            }
            checkOutputName(path, run.options().overwrite, kind);
            if (asDl_ && slot->kind == DataKind::Spectra) requireDlName(path);
        }
    }
    // Options about a table of pixels require an input map.
    void requireMapFor(const Run& run) const {
        const bool reads =
            std::any_of(operation_.inputs.begin(), operation_.inputs.end(),
                        [](const InputSlot& slot) { return slot.kind == DataKind::Map; });
        if (!reads && run.options().statedPixels().any())
            throw UsageError(
                "--input-nside, --input-ordering, --input-index: expected a command that reads a "
                "map, found '" +
                std::string(operation_.id) + "'");
    }
    bool makesSpectra() const {
        return std::any_of(operation_.outputs.begin(), operation_.outputs.end(),
                           [](const OutputSlot& slot) { return slot.kind == DataKind::Spectra; });
    }

    bool readsSpectra() const {
        return std::any_of(operation_.inputs.begin(), operation_.inputs.end(),
                           [](const InputSlot& slot) { return slot.kind == DataKind::Spectra; });
    }

    void executeOn(Run& run, const Files& files) {
        if (devices().cuda)
            run.reportDevice();
        else
            run.result().set("device", run.device().label());
        JobContext reading = run.job().part(0.0, 0.1);
        JobContext working = run.job().part(0.1, 0.9);
        JobContext writing = run.job().part(0.9, 1.0);
        Context context{run.device(), working, run.options().precision, {}, {}};
        context.note = [&run](const std::string& line) { run.note(line); };
        context.statedFrame = run.options().inputFrame;
        for (const auto& [slot, path] : files.outputs)
            if (slot->isOption) context.wanted.emplace(slot->name);
        const std::vector<std::string> typed = optionWords(operation_, parameters_);
        ReadRequest request = run.reading();
        request.spectra = spectra_.reading();
        BlockCall call{context, operation_, parameters_, files.inputs, request};
        std::optional<Outputs> streamed = runByBlocks(call);
        if (!streamed) {
            Inputs inputs = readInputs(run, files, reading);
            streamed = runOperation(operation_, context, inputs, parameters_);
        }
        Outputs outputs = std::move(*streamed);
        if (asDl_)
            for (Output& output : outputs) writeAsDl(output);
        const std::vector<std::string> history = historyOf(run, typed);
        std::vector<std::string> lines;
        for (size_t i = 0; i < files.outputs.size(); ++i) {
            const OutputSlot* const slot = files.outputs[i].first;
            const std::string& path = files.outputs[i].second;
            const auto made = std::find_if(outputs.begin(), outputs.end(), [&](const Output& each) {
                return each.slot == slot->name;
            });
            ARMILLA_ASSERT(made != outputs.end());
            const auto count = static_cast<double>(files.outputs.size());
            JobContext part =
                writing.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
            writeOutput(*made, path, run.options().overwrite, run.options().precision, history,
                        part);
            run.result().set(i == 0 ? "output" : "output_" + std::string(slot->name), path);
            lines.push_back("wrote " + path + ": " + made->summary);
        }
        for (const auto& [key, value] : *context.figures.members()) run.result().set(key, value);
        for (const std::string& line : lines) run.print(line);
    }

    static void writeAsDl(Output& output) {
        const auto* spectra = std::get_if<std::shared_ptr<const Spectra>>(&output.data);
        if (!spectra)
            throw UsageError(
                "--dl: expected six spectra from l = 0, found a table (--bin-as dl "
                "writes band powers of D_l)");
        output.write = [cl = *spectra](const std::string& path, const FileWriteOptions& options,
                                       JobContext& job) {
            FileWriteOptions asDl = options;
            asDl.asDl = true;
            writeSpectra(*cl, path, asDl, job);
        };
    }

    GivenSlots givenSlots() const {
        GivenSlots given;
        if (hasFlexibleFiles())
            for (const auto& [slot, path] : placedFiles().inputs)
                if (slot->isOptional) given.emplace(slot->name);
        for (const auto& [slot, paths] : optionFiles_)
            if (!paths.empty()) given.insert(slot);
        return given;
    }
    // Whether the number of positional files varies; the outputs are then the last ones.
    bool hasFlexibleFiles() const {
        return std::any_of(operation_.inputs.begin(), operation_.inputs.end(),
                           [](const InputSlot& slot) {
                               return !slot.isOption && (slot.isOptional || slot.isRepeatable);
                           });
    }
    std::string filesText() const {
        std::string text;
        for (const InputSlot& slot : operation_.inputs)
            if (!slot.isOption)
                text += (slot.isOptional ? "[" + std::string(slot.name) + "]"
                                         : std::string(slot.name)) +
                        (slot.isRepeatable ? "... " : " ");
        for (const OutputSlot& slot : operation_.outputs)
            if (!slot.isOption) text += std::string(slot.name) + " ";
        text.pop_back();
        return text;
    }

    void fillFiles(Form& form) {
        std::vector<std::pair<std::string, std::string>> places;
        for (const InputSlot& slot : operation_.inputs)
            if (!slot.isOption) places.emplace_back(slot.name, slot.help);
        for (const OutputSlot& slot : operation_.outputs)
            if (!slot.isOption) places.emplace_back(slot.name, slot.help);
        if (hasFlexibleFiles()) {
            placed_.resize(1);
            const std::string words = filesText();
            std::string help = words;
            for (const auto& [name, text] : places) help += ". " + name + ": " + text;
            form.files.push_back(
                {"FILES", help, &placed_.front(), false, true, true, true, false, words});
            return;
        }
        placed_.resize(places.size());
        for (size_t i = 0; i < places.size(); ++i)
            form.file(places[i].first, placed_[i], places[i].second);
    }
    std::vector<std::string> positionals() const {
        std::vector<std::string> all;
        for (const auto& each : placed_) all.insert(all.end(), each.begin(), each.end());
        return all;
    }

    Files placedFiles() const {
        Files files;
        std::vector<const InputSlot*> inputs;
        std::vector<const OutputSlot*> outputs;
        size_t least = 0;
        bool endless = false;
        for (const InputSlot& slot : operation_.inputs)
            if (!slot.isOption) {
                inputs.push_back(&slot);
                least += slot.isOptional ? 0 : 1;
                endless = endless || slot.isRepeatable;
            }
        for (const OutputSlot& slot : operation_.outputs)
            if (!slot.isOption) outputs.push_back(&slot);
        least += outputs.size();
        const std::vector<std::string> typed = positionals();
        const size_t count = typed.size(), most = inputs.size() + outputs.size();
        if (count < least || (count > most && !endless))
            throw UsageError("expected " + filesText() + ", found " + counted(count, "file"));
        // Optional slots take the surplus files in order; a repeatable slot takes all of them.
        size_t spare = count - least, at = 0;
        for (const InputSlot* slot : inputs) {
            size_t taken = slot->isOptional ? 0 : 1;
            const size_t more = slot->isRepeatable ? spare : std::min<size_t>(spare, 1 - taken);
            taken += more;
            spare -= more;
            for (size_t i = 0; i < taken; ++i) files.inputs.emplace_back(slot, typed[at++]);
        }
        for (const OutputSlot* slot : outputs) files.outputs.emplace_back(slot, typed[at++]);
        for (const InputSlot& slot : operation_.inputs)
            if (slot.isOption)
                for (const std::string& path : optionFiles_.at(std::string(slot.name)))
                    files.inputs.emplace_back(&slot, path);
        for (const OutputSlot& slot : operation_.outputs)
            if (slot.isOption)
                for (const std::string& path : optionFiles_.at(std::string(slot.name)))
                    files.outputs.emplace_back(&slot, path);
        return files;
    }

    Inputs readInputs(Run& run, const Files& files, JobContext& job) const {
        Inputs inputs;
        ReadRequest request = run.reading();
        request.spectra = spectra_.reading();
        // Small files are read first, so that their errors appear before a large map is read.
        const auto count = static_cast<double>(files.inputs.size());
        const auto framed =
            std::count_if(files.inputs.begin(), files.inputs.end(),
                          [](const auto& given) { return hasFrame(given.first->kind); });
        for (const bool options : {true, false})
            for (const auto& [slot, path] : files.inputs) {
                if (slot->isOption != options) continue;
                const auto done = static_cast<double>(inputs.all.size());
                JobContext part = job.part(done / count, (done + 1.0) / count);
                request.isBeside = slot->isOption || framed > 1;
                inputs.all.push_back(readInput(*slot, parameters_, path, request, part));
            }
        requireUseOfStatedFrame(run, inputs);
        return inputs;
    }
    // Refuses --input-frame if all inputs name their frames.
    void requireUseOfStatedFrame(const Run& run, const Inputs& inputs) const {
        if (!run.options().inputFrame) return;
        const Frame stated = run.options().inputFrame->frame;
        std::optional<Frame> other;
        for (const InputSlot& slot : operation_.inputs)
            for (const Input* input : inputs.several(slot.name)) {
                const std::optional<Frame> frame = frameOf(*input);
                if (frame == stated) return;
                if (frame && !slot.isOption) other = frame;
            }
        if (other)
            throw InvalidArgument(
                "expected --input-frame only for an input that names no frame, found that all "
                "inputs name theirs");
    }

    // HISTORY of the outputs: the typed command and the defaults taken from the inputs.
    std::vector<std::string> historyOf(const Run& run,
                                       const std::vector<std::string>& typed) const {
        std::vector<std::string> history = run.history();
        std::string resolved;
        const std::vector<std::string> all = optionWords(operation_, parameters_);
        for (size_t i = 0, j = 0; i < all.size(); ++i)
            if (j < typed.size() && all[i] == typed[j])
                ++j;
            else
                resolved += " " + shellQuoted(all[i]);
        if (!resolved.empty()) history.push_back("taken:" + resolved);
        return history;
    }

    const Operation& operation_;
    ParameterSet parameters_;
    std::vector<Parameter> rows_;                   // bound to parameters_
    std::vector<std::vector<std::string>> placed_;  // positional files by slot
    std::map<std::string, std::vector<std::string>> optionFiles_;
    bool asDl_ = false;  // write text spectra as D_l
    SpectrumOptions spectra_;
};

}  // namespace

void Command::executeOverRanks(Run& /*run*/, Ranks& ranks) {
    std::string shared;
    for (const Operation& operation : allOperations())
        if (sharesAmongRanks(operation)) shared += std::string(operation.id) + ", ";
    shared += "bench sht";
    throw UsageError("expected a command that shares its work (" + shared + ") on " +
                     std::to_string(ranks.size()) + " ranks, found '" + std::string(name()) + "'");
}

std::unique_ptr<Command> makeOperationCommand(const Operation& operation) {
    return std::make_unique<OperationCommand>(operation);
}

}  // namespace armilla::cli

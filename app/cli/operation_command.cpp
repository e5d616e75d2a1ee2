// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/operation_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/run.h"
#include "operations/files.h"
#include "operations/record.h"

namespace armilla::cli {

namespace {

class OperationCommand : public Command {
public:
    explicit OperationCommand(const Operation& operation)
        : operation_(operation), parameters_(operation.defaults()), rows_(parameters_.rows()) {}

    std::string_view name() const override { return operation_.id; }
    std::string_view summary() const override { return operation_.help; }
    DeviceSupport devices() const override { return operation_.devices; }

    void addOptions(CLI::App& app) override {
        addPositionals(app);
        for (const InputSlot& slot : operation_.inputs)
            if (slot.isOption) addFileOption(app, slot.name, slot.help, slot.isRepeatable);
        for (const OutputSlot& slot : operation_.outputs)
            if (slot.isOption) addFileOption(app, slot.name, slot.help, false);
        for (const Parameter& row : rows_) addParameter(app, row);
    }

    void check() const override {
        if (hasFlexibleFiles()) placedFiles();
        GivenSlots given;
        for (const auto& [slot, paths] : optionFiles_)
            if (!paths.empty()) given.insert(slot);
        requireNoProblem(operation_, parameters_, given);
    }

    void execute(Run& run) override {
        const Files files = placedFiles();
        for (const auto& [slot, path] : files.outputs)
            checkOutputName(path, run.options().overwrite, slot->kind);
        if (operation_.devices.cuda)
            run.reportDevice();
        else
            run.result().set("device", run.device().label());
        JobContext reading = run.job().part(0.0, 0.1);
        JobContext working = run.job().part(0.1, 0.9);
        JobContext writing = run.job().part(0.9, 1.0);
        Inputs inputs = readInputs(run, files, reading);
        Context context{run.device(), working, run.options().precision, {}, {}};
        context.note = [&run](const std::string& line) { run.note(line); };
        for (const auto& [slot, path] : files.outputs)
            if (slot->isOption) context.wanted.emplace(slot->name);
        const std::vector<std::string> typed = optionWords(operation_, parameters_);
        const Outputs outputs = runOperation(operation_, context, inputs, parameters_);
        const std::vector<std::string> history = historyOf(run, typed);
        std::vector<std::string> lines;
        for (size_t i = 0; i < files.outputs.size(); ++i) {
            const auto& [slot, path] = files.outputs[i];
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

private:
    struct Files {
        std::vector<std::pair<const InputSlot*, std::string>> inputs;
        std::vector<std::pair<const OutputSlot*, std::string>> outputs;
    };

    // Whether the number of positional files is not fixed: the outputs are then the last ones.
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

    void addPositionals(CLI::App& app) {
        if (hasFlexibleFiles()) {
            std::string help = filesText() + ": ";
            for (const InputSlot& slot : operation_.inputs)
                if (!slot.isOption) help += std::string(slot.help) + ", ";
            for (const OutputSlot& slot : operation_.outputs)
                if (!slot.isOption) help += std::string(slot.help) + ", ";
            help.resize(help.size() - 2);
            // A range would show as "2x" in the help.
            app.add_option("FILES", positionals_, help)->required()->expected(-1);
            return;
        }
        const auto add = [&](std::string_view name, std::string_view help) {
            app.add_option_function<std::string>(
                   std::string(name),
                   [this](const std::string& text) { positionals_.push_back(text); },
                   std::string(help))
                ->required();
        };
        for (const InputSlot& slot : operation_.inputs)
            if (!slot.isOption) add(slot.name, slot.help);
        for (const OutputSlot& slot : operation_.outputs)
            if (!slot.isOption) add(slot.name, slot.help);
    }

    void addFileOption(CLI::App& app, std::string_view name, std::string_view help, bool several) {
        std::vector<std::string>& target = optionFiles_[std::string(name)];
        const std::string option = "--" + std::string(name);
        if (several)
            app.add_option(option, target, std::string(help))->type_name("FILE");
        else
            app.add_option_function<std::string>(
                   option, [&target](const std::string& text) { target = {text}; },
                   std::string(help))
                ->type_name("FILE");
    }

    static void addParameter(CLI::App& app, const Parameter& row) {
        std::string names = "--" + std::string(row.name), help(row.help);
        if (!row.facts.aliases.empty())
            for (const std::string& alias : armilla::splitAtCommas(row.facts.aliases))
                names += ",--" + alias;
        if (row.kind == ParameterKind::Flag) {
            app.add_flag_callback(
                names, [&row] { row.put(true); }, help);
            return;
        }
        const std::string standard =
            row.facts.standard.empty() ? row.text(row.get()) : std::string(row.facts.standard);
        if (!standard.empty()) help += " (" + standard + ")";
        const std::string option = "--" + std::string(row.name);
        app.add_option_function<std::string>(
               names,
               [&row, option](const std::string& text) {
                   try {
                       row.put(row.parse(text));
                   } catch (const InvalidArgument& error) {
                       throw CLI::ValidationError(option, error.message());
                   }
               },
               help)
            ->type_name(row.placeholder())
            ->required(row.facts.required);
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
        const size_t count = positionals_.size(), most = inputs.size() + outputs.size();
        if (count < least || (count > most && !endless))
            throw UsageError("expected " + filesText() + ", found " + std::to_string(count) +
                             (count == 1 ? " file" : " files"));
        // Optional ones take what is there beyond the least, in their order; a repeatable one all
        // of it.
        size_t spare = count - least, at = 0;
        for (const InputSlot* slot : inputs) {
            size_t taken = slot->isOptional ? 0 : 1;
            const size_t more = slot->isRepeatable ? spare : std::min<size_t>(spare, 1 - taken);
            taken += more;
            spare -= more;
            for (size_t i = 0; i < taken; ++i) files.inputs.emplace_back(slot, positionals_[at++]);
        }
        for (const OutputSlot* slot : outputs) files.outputs.emplace_back(slot, positionals_[at++]);
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
        const ReadRequest request{run.options().field, run.options().inputFrame};
        // Small files first: what is wrong with them is told before a large map is read.
        const auto count = static_cast<double>(files.inputs.size());
        for (const bool options : {true, false})
            for (const auto& [slot, path] : files.inputs) {
                if (slot->isOption != options) continue;
                const auto done = static_cast<double>(inputs.all.size());
                JobContext part = job.part(done / count, (done + 1.0) / count);
                inputs.all.push_back(readInput(*slot, parameters_, path, request, part));
            }
        return inputs;
    }

    // The HISTORY of the outputs: how the command was typed, and the defaults that the inputs gave.
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
    std::vector<Parameter> rows_;  // bound to parameters_
    std::vector<std::string> positionals_;
    std::map<std::string, std::vector<std::string>> optionFiles_;
};

}  // namespace

std::unique_ptr<Command> makeOperationCommand(const Operation& operation) {
    return std::make_unique<OperationCommand>(operation);
}

}  // namespace armilla::cli

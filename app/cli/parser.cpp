// SPDX-License-Identifier: GPL-3.0-or-later
// The only file that includes CLI11, whose headers take longer to compile than the rest of the
// command.
#include "cli/parser.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "armilla/core/error.h"
#include "armilla/core/table_text.h"
#include "armilla/operations/choices.h"
#include "armilla/operations/usage_error.h"
#include "cli/other_names.h"
#include "cli/terminal.h"

namespace armilla::cli {

namespace {

constexpr const char* kCommonGroup = "Common options";

// `isFlexible`: an option takes one file per occurrence and leaves the following ones to positional
// slots.
void addFile(CLI::App& app, const FileArgument& file, bool isFlexible) {
    const std::string name = (file.isOption ? "--" : "") + file.name;
    if (file.isMany) {
        // A range of counts would appear as "2x" in the help.
        app.add_option(name, *file.target, tableText(file.help))
            ->required(file.isRequired)
            ->expected(-1)
            ->allow_extra_args(!file.isSingle && !(file.isOption && isFlexible))
            ->type_name(file.isSingle   ? "NAME=FILE"
                        : file.isOption ? "FILE"
                                        : "");
        return;
    }
    CLI::Option* option = app.add_option_function<std::string>(
        name, [target = file.target](const std::string& text) { *target = {text}; },
        tableText(file.help));
    option->required(file.isRequired);
    option->type_name(file.isOption ? "FILE" : "");
}

void addParameter(CLI::App& app, const Parameter& row, const char* group) {
    const std::string option = "--" + std::string(row.name);
    // The placeholder is the name by place.
    std::string names = row.facts.positional ? option + "," + row.placeholder() : option;
    if (!row.facts.aliases.empty())
        for (const std::string& alias : splitAtCommas(row.facts.aliases)) names += ",--" + alias;
    if (row.kind == ParameterKind::Flag) {
        CLI::Option* flag = app.add_flag_callback(
            names, [&row] { row.put(true); }, helpOf(row));
        if (group != nullptr) flag->group(group);
        return;
    }
    CLI::Option* added = app.add_option_function<std::string>(
        names,
        [&row, option](const std::string& text) {
            try {
                row.put(row.parse(text));
            } catch (const InvalidArgument& error) {
                throw CLI::ValidationError(option, error.message());
            }
        },
        helpOf(row));
    added->type_name(row.placeholder())->required(row.facts.required);
    if (group != nullptr) added->group(group);
}

// Wraps the help to 80 columns, since CLI11 does not.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_description(const CLI::App* app) const override {
        return wrapped(app->get_description(), 0, 0) + "\n\n";
    }
    std::string make_option(const CLI::Option* option, bool isPositional) const override {
        std::string text = "  " + make_option_name(option, isPositional);
        // A value that is given by place or by name is required once.
        const bool isEither = option->get_positional() && option->nonpositional();
        if (!isEither)
            text += make_option_opts(option);
        else
            text += isPositional ? " REQUIRED" : " " + option->get_type_name();
        const std::string help = make_option_desc(option);
        if (!help.empty()) {
            text += text.size() < kHelpColumn ? std::string(kHelpColumn - text.size(), ' ')
                                              : '\n' + std::string(kHelpColumn, ' ');
            text += wrapped(help, kHelpColumn, kHelpColumn);
        }
        return text + '\n';
    }

private:
    static constexpr size_t kHelpColumn = 34;
};

bool hasFlexibleFiles(const CommandForms& forms) {
    return std::any_of(forms.own.files.begin(), forms.own.files.end(),
                       [](const FileArgument& file) { return file.isMany && !file.isOption; });
}

std::unique_ptr<CLI::App> parserOf(const CommandForms& forms, bool isFlexible) {
    auto app = std::make_unique<CLI::App>(tableText(forms.summary), "armilla " + forms.name);
    app->set_help_flag("-h,--help", "print this help");
    app->formatter(std::make_shared<HelpFormatter>());
    for (const Parameter& row : forms.own.rows)
        if (row.facts.positional) addParameter(*app, row, nullptr);
    for (const FileArgument& file : forms.own.files) addFile(*app, file, isFlexible);
    for (const Parameter& row : forms.own.rows)
        if (!row.facts.positional) addParameter(*app, row, nullptr);
    for (const Parameter& row : forms.common.rows) addParameter(*app, row, kCommonGroup);
    return app;
}

// The output is the last positional file.
bool isOutputThere(const CommandForms& forms) {
    const std::vector<std::string>* output = nullptr;
    for (const FileArgument& file : forms.own.files)
        if (!file.isOption) output = file.target;
    std::error_code ignored;
    return output != nullptr && !output->empty() &&
           std::filesystem::exists(output->back(), ignored);
}

// Whether an option of files is given once and all other options are common ones.
bool isAlone(const FileArgument& file, const CommandForms& forms,
             const std::vector<std::string>& words) {
    int count = 0;
    for (const std::string& word : words) {
        if (!word.starts_with("--")) continue;
        const std::string name = word.substr(2, word.find('=') - 2);
        if (name == file.name)
            ++count;
        else if (findParameter(forms.common.rows, name) == nullptr)
            return false;
    }
    return count == 1;
}

// Throws UsageError for "--with A B" if B exists and no other option is given. The user may have
// forgotten OUT, and B would be overwritten.
void refuseDoubtfulOutput(const CommandForms& forms, const std::vector<std::string>& words) {
    const std::vector<std::string>* output = nullptr;
    for (const FileArgument& file : forms.own.files)
        if (!file.isOption) output = file.target;
    if (output == nullptr || output->size() != 1 || !isOutputThere(forms)) return;
    for (const FileArgument& file : forms.own.files)
        for (size_t i = 2; file.isOption && file.isMany && !file.isSingle && i < words.size(); ++i)
            if (words[i] == output->back() && words[i - 2] == "--" + file.name &&
                isAlone(file, forms, words))
                throw UsageError("expected OUT after the files of --" + file.name +
                                 ", found none: " + words[i] + " exists and may be one of them");
}

// First option for one value that was given several; empty if there is none.
std::string givenTwice(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options())
        if (option->nonpositional() && option->count() > 1 && option->get_items_expected_max() == 1)
            return "--" + option->get_lnames().front();
    return "";
}

// The words for an option that is missing.
std::string missing(const std::string& name, const CommandForms& forms) {
    for (const FileArgument& file : forms.own.files)
        if (file.name == name && !file.words.empty()) return file.words;
    return name;
}

// Hint about names of other programs: "; here --nsmax is --nside".
std::string renamed(const std::vector<std::string>& words, const CLI::App& app) {
    std::string text;
    for (const std::string& word : words)
        if (const std::string ours = otherOption(word);
            !ours.empty() && app.get_option_no_throw(word.substr(0, word.find('='))) == nullptr)
            text += (text.empty() ? "; here " : ", ") + word + " is " + ours;
    return text;
}

std::string lineOf(const CLI::ParseError& error, const CommandForms& forms,
                   const std::vector<std::string>& words, const CLI::App& app) {
    const std::string help = "the options of 'armilla help " + forms.name + "'";
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        // Unknown words in the typed order, whatever the order of the parser.
        std::vector<std::string> more = app.remaining();
        std::string found, hint;
        for (const std::string& word : words) {
            const auto at = std::find(more.begin(), more.end(), word);
            if (at == more.end()) continue;
            more.erase(at);
            found += " " + word;
            const std::string ours = otherOption(word);
            if (!ours.empty()) hint += (hint.empty() ? "" : ", ") + ours;
        }
        for (const std::string& word : more) found += " " + word;
        return "expected " + help + ", found more:" + found +
               (hint.empty() ? "" : " (here: " + hint + ")");
    }
    if (const auto* count = dynamic_cast<const CLI::ArgumentMismatch*>(&error); count != nullptr)
        if (const std::string twice = givenTwice(app); !twice.empty())
            return "expected " + twice + " once, found it again (see " + help + ")";
    const std::string text = error.what();
    // Matches "--nside: 1 required N missing".
    constexpr std::string_view kOne = ": 1 required ", kMissing = " missing";
    if (const size_t at = text.find(kOne); at != std::string::npos && text.ends_with(kMissing))
        return "expected " + text.substr(0, at) + ' ' +
               text.substr(at + kOne.size(), text.size() - at - kOne.size() - kMissing.size()) +
               ", found no value (see " + help + ")";
    constexpr std::string_view kRequired = " is required";
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && text.ends_with(kRequired))
        return "expected " + missing(text.substr(0, text.size() - kRequired.size()), forms) +
               ", found none (see " + help + renamed(words, app) + ")";
    return text + " (see " + help + ")";
}

// A positional value may begin with one dash, as "-A"; it is given by its name then, since no
// command has options of one dash but -h.
std::vector<std::string> withNegatives(const CommandForms& forms, std::vector<std::string> words) {
    for (const Parameter& row : forms.own.rows)
        for (std::string& word : words)
            if (row.facts.positional && word.size() > 1 && word[0] == '-' && word[1] != '-' &&
                word != "-h")
                word.insert(0, "--" + std::string(row.name) + "=");
    return words;
}

// A choice between numbers may stand without its value, which is then the first: --derivatives is
// --derivatives=1. A number that follows is its value, even a wrong one.
std::vector<std::string> withFirstNumbers(const CommandForms& forms,
                                          std::vector<std::string> words) {
    const auto isNumber = [](const std::string& word) {
        return word.find_first_not_of("+-0123456789") == std::string::npos;
    };
    for (const Parameter& row : forms.own.rows)
        for (size_t i = 0; isNumbered(row) && i < words.size(); ++i)
            if (words[i] == "--" + std::string(row.name) &&
                (i + 1 == words.size() || !isNumber(words[i + 1])))
                words[i] += "=" + std::string(row.choices.front().word);
    return words;
}

}  // namespace

// An option of several files takes all that follow it, as in "--random A B --bins". If this leaves
// a positional file missing, as in "MOC --with B OUT --order 5", it takes one each. An existing
// output prevents this: it may be a file of the option, with OUT forgotten.
bool parseWords(const CommandForms& forms, const std::vector<std::string>& given) {
    const std::vector<std::string> words = withFirstNumbers(forms, withNegatives(forms, given));
    bool isFlexible = hasFlexibleFiles(forms);
    std::string without;  // error before options returned files
    for (;;) {
        const std::unique_ptr<CLI::App> app = parserOf(forms, isFlexible);
        std::vector<std::string> reversed(words.rbegin(), words.rend());
        try {
            app->parse(std::move(reversed));  // CLI11 takes the arguments from the back
            if (!without.empty() && isOutputThere(forms)) throw UsageError(without);
            refuseDoubtfulOutput(forms, words);
            return false;
        } catch (const CLI::CallForHelp&) {
            return true;
        } catch (const CLI::RequiredError& error) {
            const std::string line = lineOf(error, forms, words, *app);
            if (isFlexible) throw UsageError(line);
            without = line;
            isFlexible = true;
        } catch (const CLI::ParseError& error) {
            throw UsageError(lineOf(error, forms, words, *app));
        }
    }
}

std::string helpText(const CommandForms& forms) {
    std::string text = parserOf(forms, hasFlexibleFiles(forms))->help();
    while (text.ends_with("\n\n")) text.pop_back();
    // One empty line between groups.
    for (size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
    return text;
}

}  // namespace armilla::cli

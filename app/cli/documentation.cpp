// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/documentation.h"

#include <set>
#include <string_view>

#include "armilla/core/projections.h"
#include "armilla/core/sky_vector.h"
#include "armilla/core/table_text.h"
#include "armilla/operations/operation.h"
#include "cli/run.h"

namespace armilla::cli {

namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

// Text escaped for roff: dashes stay dashes, and no line begins with a command.
std::string roff(std::string_view text) {
    std::string safe = replaced(replaced(std::string(text), "\\", "\\e"), "-", "\\-");
    if (safe.starts_with('.') || safe.starts_with('\'')) safe.insert(0, "\\&");
    return safe;
}

std::string roffOption(const Parameter& row) {
    std::string text = ".TP\n.B " + roff("--" + std::string(row.name));
    const std::string value = row.placeholder();
    if (!value.empty()) text += " \\fI" + roff(value) + "\\fR";
    return text + "\n" + roff(helpOf(row)) + "\n";
}

std::string roffFile(const FileArgument& file) {
    const std::string name = file.isOption ? "--" + file.name + " FILE" : file.name;
    return ".TP\n.B " + roff(name) + (file.isMany ? " ..." : "") + "\n" + roff(file.help) + "\n";
}

std::string synopsis(const CommandForms& forms) {
    std::string text = forms.name;
    for (const Parameter& row : forms.own.rows)
        if (row.facts.positional) text += " " + row.placeholder();
    for (const FileArgument& file : forms.own.files)
        if (!file.isOption)
            text += " " + (file.isRequired ? file.name : "[" + file.name + "]") +
                    (file.isMany ? "..." : "");
    return text;
}

// Words that complete a value of a choice, frame or device; none for free values.
std::vector<std::string> wordsOf(const Parameter& row) {
    std::vector<std::string> words;
    for (const ChoiceWord& choice : row.choices) words.emplace_back(choice.word);
    if (row.kind == ParameterKind::Frame) words = {"G", "E", "C"};
    if (row.facts.takesOldFrames) words.insert(words.end(), {"FK4", "FK5"});
    if (row.name == "device") words = {"auto", "cpu", "cuda"};
    return words;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

// Options of a command with their help: its files, its own parameters, the common ones.
struct Option {
    std::string name, help;
    std::vector<std::string> words;
    bool takesValue = true, takesFile = false;
};
std::vector<Option> optionsOf(const CommandForms& forms) {
    std::vector<Option> options;
    for (const FileArgument& file : forms.own.files)
        if (file.isOption) options.push_back({file.name, file.help, {}, true, true});
    for (const Form* form : {&forms.own, &forms.common})
        for (const Parameter& row : form->rows)
            options.push_back({std::string(row.name), std::string(row.help), wordsOf(row),
                               row.kind != ParameterKind::Flag, row.kind == ParameterKind::File});
    options.push_back({"help", "print this help", {}, false, false});
    return options;
}

std::string commandNames(const std::vector<DocumentedCommand>& commands) {
    std::vector<std::string> names;
    for (const DocumentedCommand& command : commands) names.push_back(command.forms->name);
    return joined(names);
}

// Text in single quotes of a shell.
std::string shellText(const std::string& text) {
    return "'" + replaced(text, "'", "'\\''") + "'";
}

constexpr std::string_view kManualHead = R"(.SH NAME
armilla \- explore and analyze maps of the whole sky
.SH SYNOPSIS
.B armilla
.RI [ FILE ...]
.br
.B armilla
.I COMMAND INPUT
\&...
.I OUTPUT
.RI [ OPTIONS ]
.br
.B armilla help
.RI [ COMMAND ]
.br
.B armilla help \-\-completion
.RB { bash | zsh | fish }
.br
.B armilla \-\-version
.br
.B armilla\-gui
.RB [ \-\-theme
.BR system | dark | light ]
.RI [ FILE ...]
.SH DESCRIPTION
Without a command,
.B armilla
opens the window on the given files. With a command it does one batch operation, needs no display, and
writes its output beside the final name, renaming it once it is complete.
.PP
Quantities carry units: 4.7arcmin, 1deg, 30arcsec, 0.01rad. A position is LON,LAT: 120.5deg,\-30deg.
)";
constexpr std::string_view kManualTail = R"(.SH EXIT STATUS
0 done; 1 failed; 2 usage; 130 interrupted.
.SH FILES
.TP
.I $XDG_CACHE_HOME/armilla
Computed ring and pixel weights and pixel windows; tunings of
.BR "bench \-\-tune" .
.TP
.I $XDG_STATE_HOME/armilla
The autosaved session, for recovery after a crash.
.SH EXAMPLES
.nf
armilla sample map.fits
armilla smooth map.fits smoothed.fits \-\-fwhm 1deg
armilla project map.fits view.fits \-\-projection gnomonic \-\-center 0deg,0deg
.fi
.SH SEE ALSO
.BR armilla\-gui (1),
.BR ds9 (1)
)";

}  // namespace

std::string manualPage(const std::vector<DocumentedCommand>& commands) {
    std::string version = programVersion();
    version[0] = 'A';
    std::string page = ".TH ARMILLA 1 \"\" \"" + version + "\" \"User Commands\"\n";
    page += kManualHead;
    page += ".SH COMMANDS\n";
    for (const DocumentedCommand& command : commands) {
        const CommandForms& forms = *command.forms;
        page += ".SS " + roff(synopsis(forms)) + "\n" + roff(forms.summary) + "\n";
        if (!command.manual.empty()) page += ".PP\n" + roff(command.manual) + "\n";
        for (const FileArgument& file : forms.own.files) page += roffFile(file);
        for (const Parameter& row : forms.own.rows) page += roffOption(row);
    }
    page += ".SH COMMON OPTIONS\n";
    if (!commands.empty())
        for (const Parameter& row : commands.front().forms->common.rows) page += roffOption(row);
    page += kManualTail;
    return page;
}

std::string bashCompletion(const std::vector<DocumentedCommand>& commands) {
    std::string text =
        "# Completion of armilla for bash.\n"
        "_armilla() {\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local options= values=\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W '" +
        commandNames(commands) +
        " help --help --version' -- \"$current\"; compgen -f -- \"$current\")\n"
        "        return\n"
        "    fi\n"
        "    case ${COMP_WORDS[1]} in\n"
        "        help) COMPREPLY=($(compgen -W '" +
        commandNames(commands) + "' -- \"$current\")); return ;;\n";
    for (const DocumentedCommand& command : commands) {
        std::vector<std::string> names;
        std::string cases;
        for (const Option& option : optionsOf(*command.forms)) {
            names.push_back("--" + option.name);
            if (!option.words.empty())
                cases += "                --" + option.name + ") values='" + joined(option.words) +
                         "' ;;\n";
            else if (option.takesValue && !option.takesFile)
                cases += "                --" + option.name + ") return ;;\n";
        }
        text += "        " + command.forms->name + ")\n            options='" + joined(names) +
                "'\n            case $previous in\n" + cases + "            esac ;;\n";
    }
    return text +
           "    esac\n"
           "    if [ -n \"$values\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
           "    elif [[ $current == -* ]]; then\n"
           "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
           "    else\n"
           "        # A line each: names of files may hold blanks.\n"
           "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
           "    fi\n"
           "}\n"
           "complete -o filenames -F _armilla armilla\n";
}

std::string zshCompletion(const std::vector<DocumentedCommand>& commands) {
    // Brackets and colons have a meaning in descriptions of _arguments, so they are escaped.
    const auto plain = [](const std::string& help) {
        return replaced(replaced(replaced(help, "[", "\\["), "]", "\\]"), ":", "\\:");
    };
    std::string text =
        "#compdef armilla\n"
        "# Completion of armilla for zsh.\n"
        "_armilla() {\n"
        "    if (( CURRENT == 2 )); then\n"
        "        local -a commands=(\n";
    for (const DocumentedCommand& command : commands)
        text += "            " +
                shellText(command.forms->name + ":" + plain(command.forms->summary)) + "\n";
    text +=
        "            'help:print the options of a command'\n        )\n        _describe command "
        "commands\n        _files\n        return\n    fi\n    local command=$words[2]\n    shift "
        "words\n    (( CURRENT-- ))\n    case $command in\n        help) _values command " +
        commandNames(commands) + " ;;\n";
    for (const DocumentedCommand& command : commands) {
        text += "        " + command.forms->name + ")\n            _arguments \\\n";
        for (const Option& option : optionsOf(*command.forms)) {
            std::string spec = "--" + option.name + "[" + plain(option.help) + "]";
            if (!option.words.empty())
                spec += ":value:(" + joined(option.words) + ")";
            else if (option.takesFile)
                spec += ":file:_files";
            else if (option.takesValue)
                spec += ":value:";
            text += "                " + shellText(spec) + " \\\n";
        }
        text += "                '*:file:_files' ;;\n";
    }
    return text +
           "    esac\n"
           "}\n"
           "_armilla \"$@\"\n";
}

std::string fishCompletion(const std::vector<DocumentedCommand>& commands) {
    std::string text = "# Completion of armilla for fish.\n";
    const auto line = [&](const std::string& rest) {
        text += "complete -c armilla " + rest + "\n";
    };
    // In single quotes, fish needs a backslash before a quote or a backslash.
    const auto fishText = [](const std::string& help) {
        return "'" + replaced(replaced(help, "\\", "\\\\"), "'", "\\'") + "'";
    };
    for (const DocumentedCommand& command : commands)
        line("-n __fish_use_subcommand -a " + command.forms->name + " -d " +
             fishText(command.forms->summary));
    line("-n __fish_use_subcommand -a help -d 'print the options of a command'");
    line("-n '__fish_seen_subcommand_from help' -f -a '" + commandNames(commands) + "'");
    for (const DocumentedCommand& command : commands)
        for (const Option& option : optionsOf(*command.forms)) {
            std::string rest = "-n '__fish_seen_subcommand_from " + command.forms->name + "' -l " +
                               option.name + " -d " + fishText(option.help);
            if (!option.words.empty())
                rest += " -x -a '" + joined(option.words) + "'";
            else if (option.takesFile)
                rest += " -r";
            else if (option.takesValue)
                rest += " -x";
            line(rest);
        }
    return text;
}

std::string tableTexts(const std::vector<DocumentedCommand>& commands) {
    std::set<std::string, std::less<>> texts;
    const auto add = [&](std::string_view text) {
        if (!text.empty()) texts.emplace(text);
    };
    const auto addRows = [&](const std::vector<Parameter>& rows) {
        for (const Parameter& row : rows) {
            add(row.label());
            add(row.help);
            add(row.facts.standard);
            if (row.kind != ParameterKind::Choice) add(row.hint());
            for (const ChoiceWord& choice : row.choices)
                add(choice.label.empty() ? choice.word : choice.label);
        }
    };
    add(kDefaultWord);
    for (const DocumentedCommand& command : commands) {
        add(command.forms->summary);
        for (const FileArgument& file : command.forms->own.files) add(file.help);
        addRows(command.forms->own.rows);
        addRows(command.forms->common.rows);
    }
    for (const Operation& operation : allOperations()) {
        add(operation.title);
        add(operation.id);
        for (const InputSlot& slot : operation.inputs) {
            add(slot.label());
            for (const std::string& word : splitAtCommas(slot.literals)) add(word);
        }
        for (const OutputSlot& slot : operation.outputs) add(slot.resultName());
        // Words of titles.
        ParameterSet set = operation.defaults();
        const std::vector<Parameter> rows = set.rows();
        for (const std::string& key : splitAtCommas(operation.keyParameters))
            if (const Parameter* row = findParameter(rows, key)) {
                if (row->kind == ParameterKind::Flag) add(row->name);
                for (const ChoiceWord& choice : row->choices) add(choice.word);
            }
    }
    for (const ProjectionFacts& projection : kProjectionTable) {
        add(projection.title);
        add(projection.help);
    }
    for (const Frame frame : {Frame::Galactic, Frame::Equatorial, Frame::Ecliptic, Frame::Unknown})
        add(frameName(frame));
    std::string code = "// Made by `armilla help --texts`.\n";
    for (const std::string& text : texts)
        code += "QT_TRANSLATE_NOOP(\"" + std::string(kTableContext) + "\", \"" +
                replaced(replaced(text, "\\", "\\\\"), "\"", "\\\"") + "\")\n";
    return code;
}

}  // namespace armilla::cli

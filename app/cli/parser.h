// SPDX-License-Identifier: GPL-3.0-or-later
// Parser from words of a command line to the members that a form binds.
#pragma once

#include <string>
#include <vector>

#include "cli/form.h"

namespace armilla::cli {

// Forms of a command: its own and the common one.
struct CommandForms {
    std::string name, summary;
    const Form& own;
    const Form& common;
};

// Parses `words`, without the name of the command. Returns true, without parsing, if help is
// requested. Throws UsageError of one line.
bool parseWords(const CommandForms& forms, const std::vector<std::string>& words);
std::string helpText(const CommandForms& forms);

}  // namespace armilla::cli

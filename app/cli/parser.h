// SPDX-License-Identifier: GPL-3.0-or-later
// From the words of a command line to the members that a form is bound to.
#pragma once

#include <string>
#include <vector>

#include "cli/form.h"

namespace armilla::cli {

// The two forms of a command: its own and the one that all share.
struct CommandForms {
    std::string name, summary;
    const Form& own;
    const Form& common;
};

// Reads `words` (without the command's name). Returns true if help is asked for, and then nothing
// is read. Throws UsageError, one line.
bool parseWords(const CommandForms& forms, const std::vector<std::string>& words);
std::string helpText(const CommandForms& forms);

}  // namespace armilla::cli

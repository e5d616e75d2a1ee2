// SPDX-License-Identifier: GPL-3.0-or-later
// Documentation of all commands: the man page and shell completions.
#pragma once

#include <string>
#include <vector>

#include "cli/parser.h"

namespace armilla::cli {

struct DocumentedCommand {
    const CommandForms* forms = nullptr;
    std::string manual;  // text after the summary
};

// armilla(1) in man macros.
std::string manualPage(const std::vector<DocumentedCommand>& commands);
std::string bashCompletion(const std::vector<DocumentedCommand>& commands);
std::string zshCompletion(const std::vector<DocumentedCommand>& commands);
std::string fishCompletion(const std::vector<DocumentedCommand>& commands);
// All texts of tables in window and help, marked for translators in C++ of Qt.
std::string tableTexts(const std::vector<DocumentedCommand>& commands);

}  // namespace armilla::cli

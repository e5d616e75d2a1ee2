// SPDX-License-Identifier: GPL-3.0-or-later
// What is written of all commands as a whole: the man page, and completion for shells.
#pragma once

#include <string>
#include <vector>

#include "cli/parser.h"

namespace armilla::cli {

struct DocumentedCommand {
    const CommandForms* forms = nullptr;
    std::string manual;  // sentences beyond the summary
};

// armilla(1) in the man macros.
std::string manualPage(const std::vector<DocumentedCommand>& commands);
std::string bashCompletion(const std::vector<DocumentedCommand>& commands);
std::string zshCompletion(const std::vector<DocumentedCommand>& commands);
std::string fishCompletion(const std::vector<DocumentedCommand>& commands);
// Every text of the tables that window and help show, marked for translators as C++ of Qt.
std::string tableTexts(const std::vector<DocumentedCommand>& commands);

}  // namespace armilla::cli

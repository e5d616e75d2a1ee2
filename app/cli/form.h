// SPDX-License-Identifier: GPL-3.0-or-later
// Contents of a command line: positional files, files of options, parameters. Parser, help, man
// page and shell completions are made from a form.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "armilla/operations/parameter.h"

namespace armilla::cli {

struct FileArgument {
    std::string name, help;
    std::vector<std::string>* target = nullptr;
    bool isOption = false;  // "--beam FILE"
    bool isRequired = false;
    bool isMany = false;
    bool isFile = true;     // otherwise a word, such as the name of a benchmark
    bool isSingle = false;  // for an option of several files: one value for each use
    std::string words{};    // "MAP... OUT", if `name` stands for several slots
};

class Form {
public:
    Form() : options(rows) {}
    Form(const Form&) = delete;
    Form& operator=(const Form&) = delete;

    // Adds a required positional file.
    void file(std::string name, std::vector<std::string>& target, std::string help) {
        files.push_back({std::move(name), std::move(help), &target, false, true, false, true});
    }
    void optionFile(std::string_view name, std::vector<std::string>& target, std::string_view help,
                    bool isMany) {
        files.push_back({std::string(name), std::string(help), &target, true, false, isMany, true});
    }

    std::vector<FileArgument> files;
    std::vector<Parameter> rows;  // bound to members that outlive the form
    Description options;
};

}  // namespace armilla::cli

// SPDX-License-Identifier: GPL-3.0-or-later
// Record of how a result was made, for session files, HISTORY, the clipboard and titles of the
// history.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "armilla/operations/operation.h"

namespace armilla {

// One input of a record: the id of a layer, or the text that replaces it.
struct RecordInput {
    std::string slot;
    int64_t layer = -1;
    std::vector<int> fields;
    std::string literal;
    std::string variable = {};  // NAME of a slot that takes NAME=FILE
};

struct Record {
    const Operation* operation = nullptr;
    ParameterSet parameters{NoOptions{}};
    std::vector<RecordInput> inputs;
    GivenSlots wanted = {};  // optional outputs that were made
};

// {"operation": "smooth", "version": 1, "parameters": {"fwhm": 0.017, ...}, "inputs": [...]}.
// Parameters that do not apply are left out. All others are written with their values, defaults
// included, so that a later default changes nothing.
Json toJson(const Record& record);
// Reads aliases and records of older versions. Throws InvalidArgument for an unknown operation or
// parameter, a newer version, and a value out of range.
Record recordFromJson(const Json& json);

// File of an input or output, in the order of the slots; options that are not given are left out.
struct SlotFile {
    std::string slot;
    std::string path;  // or a literal
};
// Command line options of parameters that apply and differ from their defaults: {"--fwhm", "1deg",
// "--polarization"}.
std::vector<std::string> optionWords(const Operation& operation, const ParameterSet& parameters);
// Complete command line without "armilla": {"smooth", "map.fits", "out.fits", "--fwhm", "1deg"}.
std::vector<std::string> commandWords(const Operation& operation, const ParameterSet& parameters,
                                      const std::vector<SlotFile>& files);
// Command line quoted for a shell: "armilla smooth map.fits out.fits --fwhm 1deg". `more`: further
// words, such as "--field" and its value.
std::string commandLine(const Operation& operation, const ParameterSet& parameters,
                        const std::vector<SlotFile>& files,
                        const std::vector<std::string>& more = {});
// Title in a history, for files: "smooth 1°".
std::string titleOf(const Operation& operation, const ParameterSet& parameters);
// Title on screen, in the language of the user.
std::string shownTitleOf(const Operation& operation, const ParameterSet& parameters);

// Word quoted for a shell, in printable ASCII.
std::string shellQuoted(const std::string& word);

}  // namespace armilla
